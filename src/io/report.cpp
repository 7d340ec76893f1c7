// SPDX-License-Identifier: MIT
#include "jawari/io/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "jawari/io/audio_file.h"
#include "jawari/io/report_page.h"
#include "jawari/io/spectrum.h"

namespace jawari {
namespace {

using Series = ReportPage::Series;

/// The channels whose name ends in `suffix`, labelled by what stands before it.
std::vector<Series> collect(const Envelope& e, std::string_view suffix, const std::string& unit) {
  std::vector<Series> list;
  for (std::size_t i = 0; i < e.channels.size(); ++i)
    if (const auto& name = e.channels[i]; name.size() > suffix.size() && name.ends_with(suffix))
      list.push_back({name.substr(0, name.size() - suffix.size()), unit, e.data[i]});
  return list;
}
bool any_not_zero(const Series& s) {
  return std::any_of(s.values.begin(), s.values.end(), [](float x) { return x != 0; });
}

void add_numbers(ReportPage& page, const System& system, const Run& run) {
  const Ledger& l = system.ledger();
  std::uint64_t impacts = 0;
  double force = 0, depth = 0;
  for (const auto& c : system.contacts())
    impacts += c.record.impacts, force = std::max(force, c.record.largest_force_N),
                                 depth = std::max(depth, c.record.deepest_m);
  page.number("impacts", fmt::format("{}", impacts));
  page.number("largest contact force", fmt::format("{:.4g}", force), "N");
  page.number("largest compression", fmt::format("{:.4g}", depth), "m");
  page.number("energy at the start", fmt::format("{:.5g}", l.start_J), "J");
  page.number("dissipated", fmt::format("{:.5g}", l.dissipated_J), "J");
  page.number("injected", fmt::format("{:.5g}", l.injected_J), "J");
  page.number("account closes to", fmt::format("{:.1e}", l.imbalance()), "of the largest energy");
  const double seconds = static_cast<double>(run.steps) * system.dt_s();
  page.number("computed", fmt::format("{:.3g}", seconds / std::max(run.cpu_s, 1e-9)), "times real time");
}

void add_sound(ReportPage& page, const System& system, const Run& run) {
  const double rate = 1 / system.dt_s();
  Envelope wave;
  wave.begin({"sound"}, rate, run.steps);
  for (const double& x : run.sound) wave.row(0, {&x, 1});
  wave.end();
  const bool playable =
      rate >= 3000 && rate <= 192000 && rate == std::round(rate) && static_cast<double>(run.steps) < 600 * rate;
  page.time_panel("Sound", "Sum of the pickups; the player brings its peak to full scale.",
                  {{"sound", "", wave.data[0]}}, wave.step_s, false,
                  playable ? flac_bytes(run.sound, rate) : std::vector<unsigned char>{});
}

void add_spectra(ReportPage& page, const System& system, const Run& run) {
  const double rate = 1 / system.dt_s();
  if (run.sound.size() < 64 || std::all_of(run.sound.begin(), run.sound.end(), [](double x) { return x == 0; })) return;
  const Spectrogram gram = spectrogram(run.sound, rate);
  page.map_panel("Spectrogram", "The sound over time and frequency.",
                 {.step_s = gram.step_s,
                  .y = gram.frequency_hz,
                  .y_label = "frequency",
                  .y_unit = "Hz",
                  .y_log = true,
                  .columns = gram.columns,
                  .label = "level",
                  .unit = "dB",
                  .low = Spectrogram::floor_dB,
                  .high = 0});
  const Spectrum s = spectrum(run.sound, rate);
  page.plane_panel("Spectrum", "Level below the strongest line, over the loudest seconds.",
                   {{"level", "dB", s.level_dB, s.frequency_hz}},
                   {.x_label = "frequency", .x_unit = "Hz", .x_log = true});
}

std::vector<float> floats(const std::vector<double>& list) { return {list.begin(), list.end()}; }

/// Who touches when; the rows are the contact points.
void add_touch_map(ReportPage& page, const std::string& title, const std::string& caption, const BarrierView& barrier,
                   const StringFilm::TouchMap& touches) {
  const auto any = [](const std::vector<float>& column) {
    return std::any_of(column.begin(), column.end(), [](float x) { return x > 0; });
  };
  if (barrier.x_m.size() < 2 || std::none_of(touches.columns.begin(), touches.columns.end(), any)) return;
  page.map_panel(title, caption,
                 {.step_s = touches.step_s,
                  .y = floats(barrier.x_m),
                  .y_label = "position",
                  .y_unit = "m",
                  .stand_out = true,
                  .columns = touches.columns,
                  .label = "force",
                  .unit = "N"});
}

void add_strings(ReportPage& page, const System& system, const StringFilm& film) {
  const auto& strings = system.strings();
  const auto& barriers = system.barriers();
  for (std::size_t s = 0; s < strings.size() && s < film.shapes.size(); ++s) {
    ReportPage::Film reel{
        .x_m = floats(strings[s].x_m), .frames = film.shapes[s], .frame_step_s = film.step_s, .start_s = film.start_s};
    for (std::size_t b = 0; b < barriers.size(); ++b)
      if (barriers[b].string == s)
        reel.barriers.push_back({barriers[b].name, floats(barriers[b].x_m), floats(barriers[b].height_m),
                                 barriers[b].above, barriers[b].points, film.forces[b]});
    page.film_panel("Motion of " + strings[s].name, "Play or drag the slider; points that touch light up.", reel);
    std::vector<std::size_t> moments;
    for (int i = 0; i < 8; ++i) moments.push_back(static_cast<std::size_t>(i * strings[s].period_s / 8 / film.step_s));
    std::erase_if(moments, [&](std::size_t i) { return i >= reel.frames.size(); });
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    page.snapshot_panel("Shapes of " + strings[s].name, "Its first period, in eighths.", reel, moments);
  }
  for (std::size_t b = 0; b < barriers.size() && b < film.touch_all.size(); ++b) {
    add_touch_map(page, "Contact map of " + barriers[b].name,
                  "Where the string touches, and how hard, over the whole run.", barriers[b], film.touch_all[b]);
    if (film.touch_film[b].step_s < film.touch_all[b].step_s)
      add_touch_map(page, "Contact map of " + barriers[b].name + ", close up",
                    fmt::format("{:.3g} s to {:.3g} s.", film.start_s,
                                film.start_s + film.step_s * static_cast<double>(film.touch_film[b].columns.size())),
                    barriers[b], film.touch_film[b]);
  }
}

/// along: contacts that are lines of points, whose force and deepest point make no loop.
void add_motion(ReportPage& page, const Envelope& e, const std::vector<std::string>& along) {
  const auto panel = [&](const std::string& title, const std::string& caption, const std::vector<Series>& list) {
    if (!list.empty()) page.time_panel(title, caption, list, e.step_s);
  };
  panel("Displacement", "Height of every mass, and of the strings where they are heard.",
        collect(e, ".displacement_m", "m"));
  panel("Velocity", "", collect(e, ".velocity_m_s", "m/s"));
  auto forces = collect(e, ".force_N", "N");
  panel("Force", "Of every contact, pushing apart, and of strings on their supports.", forces);
  const auto depths = collect(e, ".compression_m", "m");
  std::vector<Series> loops;
  for (auto& f : forces)
    for (const auto& d : depths)
      if (f.label == d.label && std::find(along.begin(), along.end(), f.label) == along.end())
        loops.push_back(f), loops.back().x = d.values;
  if (e.min_max || std::none_of(loops.begin(), loops.end(), any_not_zero)) return;
  page.plane_panel("Force over compression", "The area of a loop is the energy lost in that impact.", loops,
                   {.x_label = "compression", .x_unit = "m", .x_from = 0});
}

void add_energy(ReportPage& page, const Envelope& e, const Ledger& ledger) {
  std::vector<Series> parts;
  for (const auto& [channel, label] : {std::pair{"ledger.kinetic_J", "kinetic"},
                                       {"ledger.elastic_J", "springs and tension"},
                                       {"ledger.bending_J", "bending"},
                                       {"ledger.modulation_J", "tension modulation"},
                                       {"ledger.load_J", "load"},
                                       {"ledger.contact_J", "contacts"},
                                       {"ledger.dissipated_J", "dissipated"},
                                       {"ledger.injected_J", "injected"}})
    for (std::size_t i = 0; i < e.channels.size(); ++i)
      if (Series s{label, "J", e.data[i]}; e.channels[i] == channel && any_not_zero(s)) parts.push_back(std::move(s));
  if (!parts.empty())
    page.time_panel("Energy", "Where the energy is; dissipated and injected are sums since the start.", parts,
                    e.step_s);
  for (std::size_t i = 0; i < e.channels.size(); ++i) {
    if (e.channels[i] != "ledger.residual_J" || !(ledger.largest_J > 0)) continue;
    Series s{"residual", "", e.data[i]};
    for (float& x : s.values) x = static_cast<float>(x / ledger.largest_J);
    page.time_panel("Residual of the energy account",
                    "stored + dissipated - injected - start, over the largest energy of the run.", {s}, e.step_s);
  }
}

void add_contacts(ReportPage& page, const System& system) {
  std::vector<std::vector<std::string>> rows;
  const double energy = system.ledger().largest_J;
  for (const auto& c : system.contacts()) {
    const auto& r = c.record;
    const double mean = r.solves ? static_cast<double>(r.iterations) / static_cast<double>(r.solves) : 0;
    rows.push_back({c.name, c.law, c.scheme, fmt::format("{}", r.impacts),
                    r.impacts ? fmt::format("{} to {}", r.shortest, r.longest) : "-",
                    fmt::format("{:.3g} m", r.deepest_m), fmt::format("{:.3g} N", r.largest_force_N),
                    r.solves ? fmt::format("{:.1f}, at most {}", mean, r.most_iterations) : "-",
                    fmt::format("{:.1e}", energy > 0 ? r.largest_left_J / energy : 0)});
  }
  page.table(
      "Contacts",
      "Samples per contact count the steps with a force.  \"Left\" is contact energy while nothing touches, over the "
      "largest energy.",
      {"contact", "law", "scheme", "impacts", "samples", "deepest", "largest force", "iterations", "left"}, rows);
}

}  // namespace

void write_report(const std::string& path, const SceneFile& file, const System& system, const Run& run,
                  const Envelope& envelope, const StringFilm& film) {
  const double rate = 1 / system.dt_s();
  const std::size_t bodies = file.scene.masses.size() + file.scene.strings.size(), contacts = system.contacts().size();
  ReportPage page(file.scene.title.empty() ? std::filesystem::path(file.name).stem().string() : file.scene.title,
                  fmt::format("{:g} s at {:g} Hz, {} bod{}, {} contact{}", static_cast<double>(run.steps) / rate, rate,
                              bodies, bodies == 1 ? "y" : "ies", contacts, contacts == 1 ? "" : "s"));
  page.verdicts(judge(system),
                fmt::format("The energy account closes to {:.1e} of the largest energy, and nothing speaks "
                            "against the timing of the contacts.",
                            system.ledger().imbalance()));
  add_numbers(page, system, run);
  add_sound(page, system, run);
  add_spectra(page, system, run);
  add_strings(page, system, film);
  std::vector<std::string> along;
  for (const auto& b : system.barriers()) along.push_back(b.name);
  add_motion(page, envelope, along);
  add_energy(page, envelope, system.ledger());
  add_contacts(page, system);
  page.scene(file.text);
  page.write(path);
}

}  // namespace jawari
