// SPDX-License-Identifier: MIT
// Thresholds are measured (strings over bridges, boards and frets, two-point, 1 to 8 times 44.1 kHz, against 16 times):
//   share of a string's energy above half its cutoff   converged to 6 %: 0.0023 at most; off by more than 15 %: 0.0029
//   at least share of all loss taken by landing                 below 0.35: converged; 0.35 to 0.65: about 10 % off
// They do not see soft contacts and flat boards; engine/converge.h does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "jawari/engine/number_text.h"
#include "jawari/engine/timbre.h"
#include "lower.h"
#include "monitor_parts.h"

namespace jawari {
namespace {

constexpr double some_share = 0.0026, much_share = 0.005;
constexpr double some_landing = 0.35, much_landing = 0.65;
/// A curve through fewer points is none.
constexpr std::size_t fewest_points = 3;
/// A share falls by about this when the rate is doubled.
constexpr double per_octave = 3;
/// Bars, membranes and plates: their modes are a choice, and a share this small is not missed.
constexpr double surface_share = 0.005;
/// Modes that end above this have all that third-octave levels measure.
constexpr double heard_hz = 10000;

std::string kHz(double hz) { return fmt::format("{:.3g} kHz", hz / 1000); }

/// How many times the rate brings a share of energy down to `some_share`.
double times_for(double share) {
  double times = 2;
  for (share /= per_octave; share > some_share && times < 16; share /= per_octave) times *= 2;
  return times;
}

void judge_band(const BandReport& b, double step_rate_hz, std::vector<Verdict>& out) {
  if (!b.touched || !(b.share > some_share)) return;
  const bool early = b.highest_hz < 0.4 * step_rate_hz;  // modes that end well below half the step rate
  const std::string change =
      early ? fmt::format("more modes (they end at {}) or a higher rate", kHz(b.highest_hz))
            : fmt::format("{} time steps per second (oversample or rate_hz)", kHz(step_rate_hz * times_for(b.share)));
  out.push_back(
      {Severity::warning,
       fmt::format(
           "{}: {:.2g} % of its energy lies above {}, the upper half of its band: the sound is {} brighter than "
           "it should be; use {}{}",
           b.name, 100 * b.share, kHz(b.half_hz), b.share > much_share ? "much" : "probably", change,
           early ? "" : ", or measure it with --converge")});
}

}  // namespace

double landing_loss_J(const System& system) { return system.ledger().unresolved_J; }

void judge_resolution(const System& system, std::vector<Verdict>& out) {
  const double rate = 1 / system.dt_s();
  const bool audible = static_cast<double>(system.steps()) * system.dt_s() >= Timbre::shortest_s;
  for (const auto& b : system.bands())
    if (b.string && audible) judge_band(b, rate, out);
  const double lost = audible ? system.ledger().dissipated_J : 0, landed = landing_loss_J(system);
  if (lost > 0 && landed > much_landing * lost)
    out.push_back(
        {Severity::warning,
         fmt::format("landing took {} of all energy lost: more than 10 % from converged; use {} time steps per second "
                     "(oversample or rate_hz)",
                     percent(landed / lost), kHz(2 * rate))});
  else if (lost > 0 && landed > some_landing * lost)
    out.push_back(
        {Severity::note, fmt::format("landing took {} of all energy lost: the spectral centroid is about 10 % from "
                                     "converged",
                                     percent(landed / lost))});
  for (const auto& b : system.barriers())
    if (!b.points && b.x_m.size() < fewest_points)
      out.push_back(
          {b.x_m.size() < 2 ? Severity::warning : Severity::note,
           fmt::format("{}: lies under {} of the string; {} are the least that have a shape; raise the rate, or "
                       "use frets",
                       b.name, b.x_m.size() == 1 ? "1 point" : fmt::format("{} points", b.x_m.size()), fewest_points)});
}

void judge_bandwidth(const Scene& scene, const System& system, std::vector<Verdict>& out) {
  const auto listed = [&](const std::string& name) {
    return std::any_of(scene.modals.begin(), scene.modals.end(), [&](auto& m) { return m.name == name; });
  };
  for (const auto& b : system.bands())
    if (!b.string && b.touched && b.share > surface_share && b.highest_hz < heard_hz && !listed(b.name))
      out.push_back(
          {Severity::warning,
           fmt::format("{}: its modes end at {}, below what its contacts excite ({} of its energy lies above {}); use "
                       "more modes",
                       b.name, kHz(b.highest_hz), percent(b.share), kHz(b.half_hz))});
}

void judge_untouched(const Scene& scene, const System& system, std::vector<Verdict>& out) {
  const LoweredScene lowered = lower_scene(scene);
  std::set<std::string> still, tools;
  for (const auto& a : system.accounts())
    if (!a.contact && a.stored_J == 0 && a.lost_J == 0 && a.given_J == 0 && a.received_J == 0 && a.changed_J == 0)
      still.insert(a.name);
  for (const auto& home : lowered.targets()) tools.insert(home.body);
  for (const auto& h : lowered.scene().hands) tools.insert(h.name);
  std::set<std::string> silent;
  for (const auto& c : system.contacts())
    if (c.record.touching_steps == 0 && c.record.impacts == 0) silent.insert(c.name);
  // A fret that is not touched is no mistake; a bridge or a thread is there to be touched.
  std::set<std::string> threads;
  for (const auto& t : scene.threads) threads.insert(t.name);
  std::vector<std::string> barriers, contacts;
  for (const auto& b : lowered.scene().barriers)
    if (silent.contains(part_name(b)) && !still.contains(b.string))
      (b.pointwise() && !threads.contains(b.name) ? contacts : barriers).push_back(part_name(b));
  // Hammers and hands that were never asked to touch need not.
  for (const auto& c : lowered.scene().contacts)
    if (silent.contains(part_name(c)) && std::none_of(c.bodies.begin(), c.bodies.end(), [&](auto& body) {
          return still.contains(body) || tools.contains(body);
        }))
      contacts.push_back(part_name(c));
  if (!barriers.empty())
    out.push_back(
        {Severity::warning, fmt::format("Never touched: {}; the sound is as without {}; move {} closer, or excite "
                                        "the string more strongly",
                                        first_names(barriers), barriers.size() == 1 ? "it" : "them",
                                        barriers.size() == 1 ? "it" : "them")});
  if (!contacts.empty()) out.push_back({Severity::note, "Never touched: " + first_names(contacts)});
}

}  // namespace jawari
