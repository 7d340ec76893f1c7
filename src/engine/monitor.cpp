// SPDX-License-Identifier: MIT
#include "jawari/engine/monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "jawari/engine/converge.h"
#include "jawari/engine/number_text.h"
#include "jawari/registry.h"
#include "monitor_parts.h"
#include "scheme_facts.h"

namespace jawari {
namespace {

using Say = std::function<void(Severity, std::string)>;

void judge_timing(const ContactReport& c, double rate, const Say& say) {
  const ContactRecord& r = c.record;
  const double wanted = samples_wanted(c.scheme);
  const double samples = std::isfinite(r.fewest_true_samples) ? r.fewest_true_samples : static_cast<double>(r.shortest);
  if (r.softened > 0)
    say(Severity::note,
        fmt::format("{} of {} impacts are shorter than the scheme can resolve (down to {:.2g} samples) and were "
                    "softened to at least {:.2g} of the stiffness; rebound speeds are right, contact times and peak "
                    "forces are not; raise the rate to {:.3g} kHz to have those too",
                    r.softened, std::max(r.impacts, r.softened), r.fewest_true_samples, r.smallest_factor,
                    std::max(rate / 100 / r.fewest_true_samples, rate * 1e-3)));
  else if (chooses_stiffness(c.scheme) ? samples < 1.2 : samples < wanted)
    say(Severity::warning,
        chooses_stiffness(c.scheme)
            ? fmt::format(
                  "the shortest contact should last {:.2g} samples, which no stiffness can reproduce at this rate; "
                  "the rebound is right, its time is late by up to a sample; raise the rate to {:.3g} kHz",
                  samples, rate * 3e-3 / samples)
            : fmt::format(
                  "the shortest of {} contacts should last {:.2g} samples, and \"{}\" needs {:.0f} for its timing; "
                  "raise the rate to {:.3g} kHz or use scheme \"guarded-two-point\"",
                  r.impacts, samples, c.scheme, wanted, rate * 1e-3 * wanted / samples));
}
/// A point of a string has next to no mass: what it does within a sample does not matter, as long as the scheme
/// finds the force by iteration.  Schemes that switch a force on at a sample need the contact of a point to be
/// resolved.
void judge_string(const ContactReport& c, double rate, const Say& say) {
  const ContactRecord& r = c.record;
  if (scheme(c.scheme).iterative || !(r.fewest_true_samples < 3)) return;
  say(Severity::warning, fmt::format("the points of the string meet the barrier for {:.2g} samples, and \"{}\" needs "
                                     "3; the account closes, but the "
                                     "motion is not right; use scheme \"two-point\", or raise the rate to {:.3g} kHz",
                                     r.fewest_true_samples, c.scheme, rate * 3e-3 / r.fewest_true_samples));
}

/// What shares of energy are shares of: the largest energy of what sounds, without hammers and hands, which may bring a
/// thousand times as much.  Where nothing else moves, all there is.
double scale_J(const Ledger& l) { return l.largest_sounding_J > 0 ? l.largest_sounding_J : l.largest_J; }
/// The account is off by this share of what sounds; rounding of the largest energy is not counted.
double imbalance(const Ledger& l) {
  if (!(l.worst_residual_J > 1e-12 * l.largest_J)) return l.imbalance();  // also NaN
  return l.worst_residual_J / scale_J(l);
}

void judge_contact(const ContactReport& c, std::size_t index, const System& system, std::vector<Verdict>& out) {
  const ContactRecord& r = c.record;
  const double rate = 1 / system.dt_s(), energy = scale_J(system.ledger());
  const auto say = [&](Severity severity, std::string sentence) {
    out.push_back({severity, fmt::format("{}: {}", c.name, sentence)});
  };
  const Failure& f = system.failure();
  const bool first = f && f.part == Failure::Part::contact && f.index == index;
  const double time_s = static_cast<double>(f.first_step) * system.dt_s();
  const std::string when = first ? fmt::format(", the first in step {} ({:.6g} s)", f.first_step, time_s) : "";
  if (r.unsettled > 0)
    say(Severity::failure,
        has_quadratic_root(c.scheme)
            ? fmt::format(
                  "the root of the step is complex in {} of {} steps{}; use scheme \"taylor\", which raises s, or "
                  "\"taylor-star\"",
                  r.unsettled, r.solves, when)
            : fmt::format("{} of {} contact solves did not settle{}; do not use this result", r.unsettled, r.solves,
                          when));
  if (r.impacts > 0 && c.on_string)
    judge_string(c, rate, say);
  else if (r.impacts > 0)
    judge_timing(c, rate, say);
  if (energy > 0 && r.largest_left_J > 1e-6 * energy)
    say(r.largest_left_J > 1e-3 * energy ? Severity::warning : Severity::note,
        fmt::format("{:.2g} % of the energy stays locked in the contact while nothing touches; the motion is slow by "
                    "that much although the account closes; use scheme \"two-point\" or \"secant-2\"",
                    100 * r.largest_left_J / energy));
  if (c.energy_bound_m > 0) {
    const double depth = c.half_step_bound ? r.deepest_half_m : r.deepest_m;
    if (depth > c.energy_bound_m * (1 + 1e-9))
      say(Severity::failure, fmt::format("the compression reaches {:.3g} m, beyond the {:.3g} m that the energy allows",
                                         depth, c.energy_bound_m));
  }
  if (r.raised > 0)
    say(Severity::note, fmt::format("the root was complex in {} steps and s was raised to at most {:.4g} there",
                                    r.raised, r.largest_s));
}

void sort(std::vector<Verdict>& list) {
  std::stable_sort(list.begin(), list.end(), [](auto& a, auto& b) { return a.severity > b.severity; });
}

}  // namespace

std::vector<Verdict> judge(const System& system) {
  std::vector<Verdict> out;
  const Ledger& l = system.ledger();
  if (system.failure().why == Failure::Why::not_finite)
    out.push_back({Severity::failure, system.failure_text() + "; lower the stiffness or the speeds"});
  else if (!std::isfinite(l.stored_J()) || !std::isfinite(l.worst_residual_J))
    out.push_back({Severity::failure, "the motion is not finite any more; lower the stiffness or the speeds"});
  else if (imbalance(l) > 1e-3)
    out.push_back(
        {Severity::warning, fmt::format("the energy account is off by {:.2g} of the largest energy: this method "
                                        "does not keep energy; prefer a scheme that does, or raise the rate",
                                        imbalance(l))});
  else if (imbalance(l) > 1e-9)
    out.push_back(
        {Severity::note, fmt::format("the energy account is off by {:.2g} of the largest energy", imbalance(l))});
  const auto contacts = system.contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) judge_contact(contacts[i], i, system, out);
  judge_resolution(system, out);
  sort(out);
  return out;
}

std::vector<Verdict> judge(const Scene& scene, const System& system, const Convergence* measured) {
  auto out = judge(system);
  if (measured != nullptr && measured->known()) {  // measured from outside, what was seen from inside need not be said
    std::vector<Verdict> seen;
    judge_resolution(system, seen);
    std::erase_if(out, [&](const Verdict& v) {
      return std::any_of(seen.begin(), seen.end(), [&](auto& s) { return s.sentence == v.sentence; });
    });
  }
  judge_bandwidth(scene, system, out);
  judge_untouched(scene, system, out);
  if (measured != nullptr) out.push_back(say(*measured));
  sort(out);
  return out;
}

std::string in_favour(const System& system, const Convergence* measured) {
  std::string text =
      fmt::format("The energy account closes to {:.1e} of the largest energy", system.ledger().imbalance());
  if (!system.contacts().empty()) text += ", and the contacts are resolved in time";
  if (measured != nullptr && measured->good())
    return text + fmt::format("; the sound is within {} and {} of converged, measured at twice the rate.",
                              percent(measured->left.centroid), decibels(measured->left.level_dB));
  double most = -1;
  for (const auto& b : system.bands())
    if (b.string && b.touched) most = std::max(most, b.share);
  if (most >= 0)
    text += fmt::format(
        "; {:.2g} % of the energy of strings lies in the upper half of their band, so the sound is taken to be "
        "within 10 % (spectral centroid) and 1.5 dB (third octaves) of converged; --converge measures it",
        100 * most);
  return text + ".";
}

}  // namespace jawari
