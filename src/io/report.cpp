// SPDX-License-Identifier: MIT
#include "jawari/io/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "jawari/engine/converge.h"
#include "jawari/engine/doubts.h"
#include "report_parts.h"

namespace jawari {
namespace {

using Series = ReportPage::Series;

/// The channels whose name ends in `suffix`, labelled by what stands before it.
std::vector<Series> collect(const MinMaxRecorder& e, std::string_view suffix, const std::string& unit) {
  std::vector<Series> list;
  for (std::size_t i = 0; i < e.channels.size(); ++i)
    if (const auto& name = e.channels[i]; name.size() > suffix.size() && name.ends_with(suffix))
      list.push_back({name.substr(0, name.size() - suffix.size()), unit, e.data[i]});
  return list;
}
/// A page stays small: all curves together have this many values, and none needs more than the width of a screen often.
constexpr std::size_t all_values = 400000, least_values = 2000;
std::size_t thinned_bucket(const MinMaxRecorder& e, std::size_t curves) {
  const std::size_t size = e.data.empty() ? 0 : e.data[0].size();
  const std::size_t allowed = std::max(least_values, all_values / std::max<std::size_t>(curves, 1));
  return size <= allowed ? 1 : 2 * ((size + allowed - 1) / allowed);  // of which the smallest and the largest are kept
}
double thinned_step(const MinMaxRecorder& e, std::size_t curves) {
  const std::size_t bucket = thinned_bucket(e, curves);
  return e.step_s * (bucket == 1 ? 1 : static_cast<double>(bucket) / 2);
}
Series thinned(Series s, const MinMaxRecorder& e, std::size_t curves) {
  const std::size_t bucket = thinned_bucket(e, curves);
  if (bucket == 1) return s;
  std::vector<float> out;
  for (std::size_t from = 0; from < s.values.size(); from += bucket) {
    const auto first = s.values.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = s.values.begin() + static_cast<std::ptrdiff_t>(std::min(from + bucket, s.values.size()));
    const auto [least, most] = std::minmax_element(first, last);
    out.push_back(std::min(least, most)[0]);
    out.push_back(std::max(least, most)[0]);
  }
  s.values = std::move(out);
  return s;
}
bool changes(const Series& s) {
  return std::any_of(s.values.begin(), s.values.end(), [&](float x) { return !(x == s.values[0]); });
}
bool any_not_zero(const Series& s) {
  return std::any_of(s.values.begin(), s.values.end(), [](float x) { return x != 0; });
}

void add_numbers(ReportPage& page, const System& system, const Run& run, double pitch_hz) {
  const Ledger& l = system.ledger();
  std::uint64_t impacts = 0;
  double force = 0, depth = 0;
  for (const auto& c : system.contacts()) {
    impacts += c.record.impacts;
    force = std::max(force, c.record.largest_force_N);
    depth = std::max(depth, c.record.deepest_m);
  }
  if (pitch_hz > 0) page.number("pitch", note_name(nearest_note(pitch_hz)), fmt::format("{:.2f} Hz", pitch_hz));
  page.number("impacts", fmt::format("{}", impacts), "in all");
  const auto number = [&](const char* label, double value, const char* unit) {
    const std::string text = with_prefix(value, unit);
    const auto space = text.find(' ');
    page.number(label, text.substr(0, space), space == text.npos ? "" : text.substr(space + 1));
  };
  const auto energy = [&](double x) { return std::abs(x) <= 1e-12 * l.largest_J ? 0.0 : x; };  // rounding
  number("largest contact force", force, "N");
  number("largest compression", depth, "m");
  number("energy at the start", energy(l.start_J), "J");
  number("energy lost", energy(l.dissipated_J), "J");
  if (l.unresolved_J > 0) number("lost to unresolved waves", energy(l.unresolved_J), "J");
  number("energy brought in", energy(l.injected_J), "J");
  page.number("account closes to", fmt::format("{:.1e}", l.imbalance()), "of the largest energy");
  const double seconds = static_cast<double>(run.steps) * system.dt_s();
  page.number("computed", fmt::format("{:.3g}", seconds / std::max(run.cpu_s, 1e-9)), "times real time");
}

/// along: contacts that are lines of points, whose force and deepest point make no loop.
void add_curves(ReportPage& page, const MinMaxRecorder& e, const Kinds& kinds, const std::vector<std::string>& along) {
  const auto heights = collect(e, ".displacement_m", "m"), speeds = collect(e, ".velocity_m_s", "m/s");
  const auto forces = collect(e, ".force_N", "N");
  const std::size_t curves = heights.size() + speeds.size() + forces.size();
  const auto panel = [&](const std::string& title, const std::string& caption, const std::vector<Series>& all) {
    std::vector<Series> list;  // what never moves says nothing beside what does
    for (const auto& s : all)
      if (changes(s) || all.size() == 1) list.push_back(thinned(s, e, curves));
    if (!list.empty()) page.time_panel(title, caption, list, thinned_step(e, curves));
  };
  // Bodies that vibrate, masses and tools move by micrometres, centimetres and metres: each kind has its own scale.
  const auto panels = [&](const std::string& what, const std::vector<Series>& all) {
    std::vector<Series> vibrating, masses, tools;
    for (const auto& s : all)
      (kinds.tools.contains(s.label) ? tools : kinds.masses.contains(s.label) ? masses : vibrating).push_back(s);
    panel(what, "Of strings, bars, plates and membranes: at their pickups, otherwise at one place.", vibrating);
    panel(vibrating.empty() ? what : what + " of masses", "Of every mass.", masses);
    panel(what + " of hammers and hands", "Of what strikes, plucks or holds, on a scale of its own.", tools);
  };
  panels("Displacement", heights);
  panels("Velocity", speeds);
  panel("Force", "Contact forces are positive where they push apart; strings also push on their supports.", forces);
  const auto depths = collect(e, ".compression_m", "m");
  std::vector<Series> loops;
  for (const auto& f : forces)
    for (const auto& d : depths)
      if (f.label == d.label && std::find(along.begin(), along.end(), f.label) == along.end()) {
        loops.push_back(f);
        loops.back().x = d.values;
      }
  if (e.min_max || 2 * loops.size() * e.data[0].size() > all_values ||
      std::none_of(loops.begin(), loops.end(), any_not_zero))
    return;
  page.plane_panel("Force over compression", "The area of a loop is the energy lost in that impact.", loops,
                   {.x_label = "compression", .x_unit = "m", .x_from = 0});
}

void add_residual(ReportPage& page, const MinMaxRecorder& e, const Ledger& ledger) {
  for (std::size_t i = 0; i < e.channels.size(); ++i) {
    if (e.channels[i] != "ledger.residual_J" || !(ledger.largest_J > 0)) continue;
    Series s{"residual", "of the largest energy", e.data[i]};
    for (float& x : s.values) x = static_cast<float>(x / ledger.largest_J);
    page.time_panel("Residual of the energy account",
                    "stored + dissipated - injected - start: 0 if no energy comes from nowhere.", {thinned(s, e, 1)},
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
                    r.impacts ? fmt::format("{} to {}", r.shortest, r.longest) : "–", with_prefix(r.deepest_m, "m"),
                    with_prefix(r.largest_force_N, "N"),
                    r.solves ? fmt::format("{:.1f}, at most {}", mean, r.most_iterations) : "–",
                    energy > 0 && r.largest_left_J > 0 ? fmt::format("{:.1e}", r.largest_left_J / energy) : "–"});
  }
  page.table("Contacts",
             "Time steps of the shortest and the longest impact; the largest compression and force; iterations per "
             "time step, on "
             "average and at most.  Left over is energy stored in the contact while nothing touches, over the largest "
             "energy of "
             "the run.",
             {"contact", "law", "scheme", "impacts", "time steps", "compression", "force", "iterations", "left over"},
             rows);
}

/// What the monitor says, and what scheme = "auto" chose; contacts with the same reason share a sentence.
std::vector<Verdict> spoken(const Scene& scene, const System& system, const Convergence* measured) {
  auto list = judge(scene, system, measured);
  for (const auto& sentence : doubts(scene, system)) list.push_back({Severity::warning, sentence});
  std::stable_sort(list.begin(), list.end(), [](auto& a, auto& b) { return a.severity > b.severity; });
  std::vector<std::pair<std::string, std::string>> choices;  // reason, part
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
  for (const auto& [reason, part] : choices) list.push_back({Severity::note, fmt::format("{}: {}", part, reason)});
  for (auto& v : list)
    if (!v.sentence.empty() && !v.sentence.ends_with('.')) v.sentence += '.';
  return list;
}

/// Hammers, plectra, fingers and hands; masses that are none of these.
Kinds kinds_of(const LoweredScene& spelled) {
  Kinds kinds;
  for (const auto& home : spelled.targets()) kinds.tools.insert(home.body);
  for (const auto& h : spelled.scene().hands) kinds.tools.insert(h.name);
  for (const auto& m : spelled.scene().masses)
    if (!kinds.tools.contains(m.name)) kinds.masses.insert(m.name);
  return kinds;
}

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace

void write_report(const std::string& path, const SceneFile& file, const System& system, const Run& run,
                  const MinMaxRecorder& envelope, const MotionRecorder& film, PlayedSound played,
                  const Convergence* measured) {
  const auto oversample = static_cast<std::size_t>(steps_per_sample(file.scene));
  const double rate_hz = file.scene.rate_hz;
  const auto mono = mix(run, system.pickups(), ChannelChoice::mono, oversample);
  const std::vector<double>& sound = mono[0];
  auto channels = mix(run, system.pickups(),
                      played.channels == ChannelChoice::split ? ChannelChoice::as_panned : played.channels, oversample);
  const LoweredScene spelled = lower_scene(file.scene);
  const Scene& lowered = spelled.scene();
  Scene scene = file.scene;
  scene.pickups = lowered.pickups;  // with what they hear
  const Kinds kinds = kinds_of(spelled);
  std::size_t bodies = 0;
  for_each_body(lowered, [&](auto, const auto& list, auto) { bodies += list.size(); });
  std::string lead =
      fmt::format("{:g} s at {:g} Hz, {}, {}", static_cast<double>(sound.size()) / rate_hz, rate_hz,
                  counted(bodies, "body", "bodies"), counted(system.contacts().size(), "contact", "contacts"));
  if (oversample > 1) lead += fmt::format(", {} time steps per sample", oversample);
  ReportPage page(file.scene.title.empty() ? std::filesystem::path(file.name).stem().string() : file.scene.title, lead);
  page.verdicts(spoken(file.scene, system, measured), in_favour(system, measured));
  const PitchTrack pitch = pitch_track(sound, rate_hz);
  add_numbers(page, system, run, single_pitch(pitch));

  page.part("Sound");
  add_sound(page, scene, channels, played);
  if (sound.size() >= 64 && std::any_of(sound.begin(), sound.end(), [](double x) { return x != 0; })) {
    add_pitch(page, pitch);
    add_spectra(page, sound, rate_hz);
  }
  page.part("Motion");
  add_film(page, lowered, kinds, system, film);
  std::vector<std::string> along;
  for (const auto& b : system.barriers()) along.push_back(b.name);
  add_curves(page, envelope, kinds, along);
  if (!system.contacts().empty()) {
    page.part("Contacts");
    add_contact_maps(page, system, film);
    add_contacts(page, system);
  }
  page.part("Energy");
  add_energy(page, kinds, system, film);
  add_residual(page, envelope, system.ledger());
  page.part("Parameters");
  add_parameters(page, scene, system);
  page.scene(file.text);
  page.write(path);
}

}  // namespace jawari
