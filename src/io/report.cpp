// SPDX-License-Identifier: MIT
#include "jawari/io/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "engine/lower.h"
#include "jawari/io/audio_file.h"
#include "jawari/io/pitch.h"
#include "jawari/io/spectrum.h"
#include "report_parts.h"

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
/// A page stays small: all curves together have this many values, and none needs more than the width of a screen often.
constexpr std::size_t all_values = 400000, least_values = 2000;
std::size_t thinned_bucket(const Envelope& e, std::size_t curves) {
  const std::size_t size = e.data.empty() ? 0 : e.data[0].size();
  const std::size_t allowed = std::max(least_values, all_values / std::max<std::size_t>(curves, 1));
  return size <= allowed ? 1 : 2 * ((size + allowed - 1) / allowed);  // of which the smallest and the largest are kept
}
double thinned_step(const Envelope& e, std::size_t curves) {
  const std::size_t bucket = thinned_bucket(e, curves);
  return e.step_s * (bucket == 1 ? 1 : static_cast<double>(bucket) / 2);
}
Series thinned(Series s, const Envelope& e, std::size_t curves) {
  const std::size_t bucket = thinned_bucket(e, curves);
  if (bucket == 1) return s;
  std::vector<float> out;
  for (std::size_t from = 0; from < s.values.size(); from += bucket) {
    const auto first = s.values.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = s.values.begin() + static_cast<std::ptrdiff_t>(std::min(from + bucket, s.values.size()));
    const auto [least, most] = std::minmax_element(first, last);
    out.push_back(std::min(least, most)[0]), out.push_back(std::max(least, most)[0]);
  }
  s.values = std::move(out);
  return s;
}
bool any_not_zero(const Series& s) {
  return std::any_of(s.values.begin(), s.values.end(), [](float x) { return x != 0; });
}

void add_numbers(ReportPage& page, const System& system, const Run& run, double pitch_hz) {
  const Ledger& l = system.ledger();
  std::uint64_t impacts = 0;
  double force = 0, depth = 0;
  for (const auto& c : system.contacts())
    impacts += c.record.impacts, force = std::max(force, c.record.largest_force_N),
                                 depth = std::max(depth, c.record.deepest_m);
  if (pitch_hz > 0) page.number("pitch", note_name(nearest_note(pitch_hz)), fmt::format("{:.2f} Hz", pitch_hz));
  page.number("impacts", fmt::format("{}", impacts));
  const auto number = [&](const char* label, double value, const char* unit) {
    static constexpr std::pair<double, const char*> prefixes[] = {{1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
    for (const auto& [size, prefix] : prefixes)
      if (std::abs(value) >= size && std::abs(value) < 1e3 * size)
        return page.number(label, fmt::format("{:.4g}", value / size), std::string(prefix) + unit);
    page.number(label, fmt::format("{:.4g}", value), unit);
  };
  number("largest contact force", force, "N"), number("largest compression", depth, "m");
  number("energy at the start", l.start_J, "J"), number("lost", l.dissipated_J, "J"), number("brought in", l.injected_J, "J");
  page.number("account closes to", fmt::format("{:.1e}", l.imbalance()), "of the largest energy");
  const double seconds = static_cast<double>(run.steps) * system.dt_s();
  page.number("computed", fmt::format("{:.3g}", seconds / std::max(run.cpu_s, 1e-9)), "times real time");
}

void add_sound(ReportPage& page, const Heard& heard) {
  const double rate = heard.rate_hz;
  Envelope wave;
  wave.begin({"sound"}, rate, static_cast<std::int64_t>(heard.sound.size()));
  for (const double& x : heard.sound) wave.row(0, {&x, 1});
  wave.end();
  const bool playable = rate >= 3000 && rate <= 192000 && rate == std::round(rate) &&
                        static_cast<double>(heard.sound.size()) < 600 * rate;
  page.time_panel("Sound", "Sum of the pickups; the player brings its peak to full scale.",
                  {{"sound", "", wave.data[0]}}, wave.step_s, false,
                  playable ? flac_bytes(heard.sound, rate) : std::vector<unsigned char>{});
}

void add_pitch(ReportPage& page, const PitchTrack& pitch) {
  const double usual = pitch.usual_hz();
  if (!(usual > 0)) return;
  page.pitch_panel("Pitch", fmt::format("Mostly {}, {:.2f} Hz; nothing is drawn where the sound has no clear period.",
                                        note_name(nearest_note(usual)), usual),
                   pitch.frequency_hz, pitch.start_s, pitch.step_s);
}

void add_spectra(ReportPage& page, const Heard& heard) {
  const Spectrogram gram = spectrogram(heard.sound, heard.rate_hz);
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
  const Spectrum s = spectrum(heard.sound, heard.rate_hz);
  page.plane_panel("Spectrum", "Level below the strongest line, over the loudest seconds.",
                   {{"level", "dB", s.level_dB, s.frequency_hz}},
                   {.x_label = "frequency", .x_unit = "Hz", .x_log = true});
}

/// along: contacts that are lines of points, whose force and deepest point make no loop.
void add_curves(ReportPage& page, const Envelope& e, const std::vector<std::string>& along) {
  const auto heights = collect(e, ".displacement_m", "m"), speeds = collect(e, ".velocity_m_s", "m/s");
  const auto forces = collect(e, ".force_N", "N");
  const std::size_t curves = heights.size() + speeds.size() + forces.size();
  const auto panel = [&](const std::string& title, const std::string& caption, const std::vector<Series>& all) {
    std::vector<Series> list;  // what never moves says nothing beside what does
    for (const auto& s : all)
      if (any_not_zero(s) || all.size() == 1) list.push_back(thinned(s, e, curves));
    if (!list.empty()) page.time_panel(title, caption, list, thinned_step(e, curves));
  };
  panel("Displacement", "Height of every mass, and of the strings where they are heard.", heights);
  panel("Velocity", "Of the same.", speeds);
  panel("Force", "Of every contact, pushing apart, and of strings on their supports.", forces);
  const auto depths = collect(e, ".compression_m", "m");
  std::vector<Series> loops;
  for (const auto& f : forces)
    for (const auto& d : depths)
      if (f.label == d.label && std::find(along.begin(), along.end(), f.label) == along.end())
        loops.push_back(f), loops.back().x = d.values;
  if (e.min_max || 2 * loops.size() * e.data[0].size() > all_values || std::none_of(loops.begin(), loops.end(), any_not_zero)) return;
  page.plane_panel("Force over compression", "The area of a loop is the energy lost in that impact.", loops,
                   {.x_label = "compression", .x_unit = "m", .x_from = 0});
}

void add_residual(ReportPage& page, const Envelope& e, const Ledger& ledger) {
  for (std::size_t i = 0; i < e.channels.size(); ++i) {
    if (e.channels[i] != "ledger.residual_J" || !(ledger.largest_J > 0)) continue;
    Series s{"residual", "", e.data[i]};
    for (float& x : s.values) x = static_cast<float>(x / ledger.largest_J);
    page.time_panel("Residual of the energy account",
                    "stored + dissipated - injected - start, over the largest energy of the run.", {thinned(s, e, 1)},
                    thinned_step(e, 1));
  }
}

void add_contacts(ReportPage& page, const System& system) {
  std::vector<std::vector<std::string>> rows;
  const double energy = system.ledger().largest_J;
  for (const auto& c : system.contacts()) {
    const auto& r = c.record;
    const double mean = r.solves ? static_cast<double>(r.iterations) / static_cast<double>(r.solves) : 0;
    rows.push_back({c.name, c.law, c.scheme, fmt::format("{}", r.impacts),
                    r.impacts ? fmt::format("{} to {}", r.shortest, r.longest) : "–",
                    fmt::format("{:.3g} m", r.deepest_m), fmt::format("{:.3g} N", r.largest_force_N),
                    r.solves ? fmt::format("{:.1f}, at most {}", mean, r.most_iterations) : "–",
                    energy > 0 && r.largest_left_J > 0 ? fmt::format("{:.1e}", r.largest_left_J / energy) : "–"});
  }
  page.table(
      "Contacts",
      "Samples per contact count the steps with a force.  \"Left\" is contact energy while nothing touches, over the "
      "largest energy.",
      {"contact", "law", "scheme", "impacts", "samples", "deepest", "largest force", "iterations", "left"}, rows);
}

/// What the monitor says, and what scheme = "auto" chose; contacts with the same reason share a sentence.
std::vector<Verdict> spoken(const System& system) {
  auto list = judge(system);
  std::vector<std::pair<std::string, std::string>> choices;  // reason, who
  for (const auto& c : system.contacts()) {
    if (c.why.empty()) continue;
    const std::string reason = c.why.starts_with(c.scheme) ? fmt::format("\"auto\" chose {}", c.why)
                                                           : fmt::format("\"auto\" chose {}: {}", c.scheme, c.why);
    const auto at = std::find_if(choices.begin(), choices.end(), [&](auto& x) { return x.first == reason; });
    if (at == choices.end())
      choices.emplace_back(reason, c.name);
    else
      at->second += ", " + c.name;
  }
  for (const auto& [reason, who] : choices) list.push_back({Severity::note, fmt::format("{}: {}", who, reason)});
  for (auto& v : list)
    if (!v.sentence.empty() && !v.sentence.ends_with('.')) v.sentence += '.';
  return list;
}

std::string counted(std::size_t n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

}  // namespace

void write_report(const std::string& path, const SceneFile& file, const System& system, const Run& run,
                  const Envelope& envelope, const StringFilm& film, Heard heard) {
  if (heard.sound.empty()) heard = {run.sound, 1 / system.dt_s()};
  const Scene lowered = lower_scene(file.scene).scene;
  const std::size_t bodies = lowered.masses.size() + lowered.strings.size() + lowered.bars.size() +
                             lowered.membranes.size() + lowered.plates.size() + lowered.modals.size() +
                             lowered.hands.size();
  std::string lead = fmt::format("{:g} s at {:g} Hz, {}, {}", static_cast<double>(heard.sound.size()) / heard.rate_hz,
                                 heard.rate_hz, counted(bodies, "body", "bodies"),
                                 counted(system.contacts().size(), "contact", "contacts"));
  if (file.scene.oversample > 1) lead += fmt::format(", {:g} time steps per sample", file.scene.oversample);
  ReportPage page(file.scene.title.empty() ? std::filesystem::path(file.name).stem().string() : file.scene.title, lead);
  page.verdicts(spoken(system),
                fmt::format("The energy account closes to {:.1e} of the largest energy, and nothing speaks "
                            "against the timing of the contacts.",
                            system.ledger().imbalance()));
  const PitchTrack pitch = pitch_track(heard.sound, heard.rate_hz);
  add_numbers(page, system, run, pitch.usual_hz());

  page.part("Sound");
  add_sound(page, heard);
  if (heard.sound.size() >= 64 && std::any_of(heard.sound.begin(), heard.sound.end(), [](double x) { return x != 0; }))
    add_pitch(page, pitch), add_spectra(page, heard);
  page.part("Motion");
  add_films(page, lowered, system, film);
  std::vector<std::string> along;
  for (const auto& b : system.barriers()) along.push_back(b.name);
  add_curves(page, envelope, along);
  if (!system.contacts().empty()) {
    page.part("Contacts");
    add_contact_maps(page, system, film);
    add_contacts(page, system);
  }
  page.part("Energy");
  add_energy(page, system, film);
  add_residual(page, envelope, system.ledger());
  page.part("Parameters");
  add_parameters(page, file.scene, system);
  page.scene(file.text);
  page.write(path);
}

}  // namespace jawari
