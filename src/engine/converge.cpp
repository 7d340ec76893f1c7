// SPDX-License-Identifier: MIT
#include "jawari/engine/converge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "jawari/engine/compile.h"
#include "jawari/engine/number_text.h"
#include "jawari/engine/run.h"
#include "step_work.h"
#include "variants.h"

namespace jawari {
namespace {

/// Less, so that no number leaves its range.
constexpr double other_start = -1e-6;
/// Numbers that all runs together may touch: some ten seconds.
constexpr double most_work = 1e10;
constexpr double slowest_ratio = 0.5, fastest_ratio = 0.125;

double work(const Scene& scene) { return step_work(lower_scene(scene)) * static_cast<double>(step_count(scene)); }

/// The sound of two starts of a scene.
struct Sounds {
  std::vector<double> start[2];
  double rate_hz = 0;
  std::vector<Timbre> up_to(double limit_hz) const {
    return {timbre(start[0], rate_hz, limit_hz), timbre(start[1], rate_hz, limit_hz)};
  }
};

/// Distance of the means of two starts, less what chaos adds to it: with n the distance of two starts of one rate, a
/// mean of two has the variance n^2/4.
TimbreDistance without_chaos(const std::vector<Timbre>& a, const std::vector<Timbre>& reference) {
  TimbreDistance d = timbre_distance(a, reference);
  const auto own = timbre_distance({&a[0], 1}, {&a[1], 1});
  const auto other = timbre_distance({&reference[0], 1}, {&reference[1], 1});
  const auto less = [](double x, double n, double m) { return std::sqrt(std::max(0.0, x * x - (n * n + m * m) / 4)); };
  if (!d.known() || !own.known() || !other.known()) return d;
  d.centroid = less(d.centroid, own.centroid, other.centroid);
  d.level_dB = less(d.level_dB, own.level_dB, other.level_dB);
  return d;
}

double ratio(double finer, double coarser) {
  return coarser > 0 ? std::clamp(finer / coarser, fastest_ratio, slowest_ratio) : slowest_ratio;
}

/// How many times the rate brings an error down to `good`.  Far from converged the ratio says little; nearer it is a
/// quarter or less.
double wanted(double left, double ratio, double good) {
  double times = 1;
  for (; left > good && times < 8; times *= 2) left *= std::min(ratio, 0.25);
  return times;
}

/// At another rate; without more modes where these are refused.
Scene variant(const Scene& scene, double times) {
  Scene s = at_rate_and_bandwidth(scene, times);
  try {
    compile(s);
    return s;
  } catch (const InputError&) {
    return at_rate(scene, times);
  }
}

class Runs {
 public:
  explicit Runs(const std::function<bool(double)>& go_on) : go_on_(go_on) {}
  double work_in_all = 1;
  bool stopped = false;
  Sounds play(const Scene& scene) {
    Sounds out;
    out.rate_hz = step_rate_hz(scene);
    const double one = work(scene);
    for (int i = 0; i < 2 && !stopped; ++i) {
      const Scene s = i == 0 ? scene : nudged(scene, other_start);
      auto system = compile(s);
      system->audit_every(0);
      const auto steps = step_count(s);
      Run r = run(*system, steps, {}, [&](std::int64_t n) {
        const double share = static_cast<double>(n) / static_cast<double>(std::max<std::int64_t>(steps, 1));
        return !go_on_ || go_on_(std::min(1.0, (done_ + one * share) / work_in_all));
      });
      stopped = r.stopped;
      done_ += one;
      out.start[i] = std::move(r.sound);
    }
    return out;
  }

 private:
  const std::function<bool(double)>& go_on_;
  double done_ = 0;
};

}  // namespace

Convergence converge(const Scene& scene, const std::function<bool(double)>& go_on) {
  Convergence c;
  c.oversample = steps_per_sample(scene);
  c.step_rate_hz = step_rate_hz(scene);
  c.from_s = first_motion_s(scene);
  Scene own = scene;
  own.duration_s = std::min(scene.duration_s, c.from_s + Convergence::most_s);
  Scene fine = variant(own, 2);
  Runs runs(go_on);
  runs.work_in_all = 2 * (1.125 * work(own) + work(fine));
  if (runs.work_in_all > most_work) {
    own.duration_s = std::max(Timbre::window_s, own.duration_s * most_work / runs.work_in_all);
    own.duration_s = std::min(own.duration_s, scene.duration_s);
    fine.duration_s = own.duration_s;
    runs.work_in_all = 2 * (1.125 * work(own) + work(fine));
  }
  c.to_s = own.duration_s;
  const Sounds here = runs.play(own);
  const Sounds finer = runs.stopped ? Sounds{} : runs.play(fine);
  Sounds coarser;
  try {
    if (!runs.stopped) coarser = runs.play(variant(own, 0.5));
  } catch (const InputError&) {  // too coarse for this scene: no evidence from there
    coarser = {};
  }
  Sounds wider;
  try {
    if (!runs.stopped && gives_modes(fine)) wider = runs.play(with_more_modes(fine, 2));
  } catch (const InputError&) {  // no room for more modes below half the rate
    wider = {};
  }
  c.stopped = runs.stopped;
  if (c.stopped) return c;
  const double limit = timbre_limit_hz(here.rate_hz, finer.rate_hz);
  c.finer = without_chaos(here.up_to(limit), finer.up_to(limit));
  if (!coarser.start[1].empty()) {
    const double lower = timbre_limit_hz(here.rate_hz, coarser.rate_hz);
    c.coarser = without_chaos(coarser.up_to(lower), here.up_to(lower));
  }
  if (!c.finer.known()) return c;
  const double r = ratio(c.finer.centroid, c.coarser.centroid), r_dB = ratio(c.finer.level_dB, c.coarser.level_dB);
  c.left = {c.finer.centroid / (1 - r), c.finer.level_dB, c.finer.brighter / (1 - r)};
  if (!wider.start[1].empty()) c.wider = without_chaos(finer.up_to(limit), wider.up_to(limit));
  c.times_wanted = std::max(wanted(c.left.centroid, r, TimbreDistance::good_centroid),
                            wanted(c.left.level_dB, r_dB, TimbreDistance::good_dB));
  return c;
}

Verdict say(const Convergence& c) {
  if (c.stopped) return {Severity::note, "convergence was not measured: interrupted"};
  if (!c.known())
    return {Severity::note,
            fmt::format("convergence cannot be measured: {:.2g} to {:.2g} s are silent, or shorter than "
                        "{:g} s",
                        c.from_s, c.to_s, Timbre::shortest_s)};
  const std::string tried = fmt::format("{:.2g} to {:.2g} s, two starts", c.from_s, c.to_s);
  if (c.good())
    return {Severity::note,
            fmt::format(
                "converged: about {} (spectral centroid) and {} (third octaves) from the sound at a very high rate; "
                "twice the rate changes {} and {} ({})",
                percent(c.left.centroid), decibels(c.left.level_dB), percent(c.finer.centroid),
                decibels(c.finer.level_dB), tried)};
  const std::string modes = c.wide() ? ""
                                     : fmt::format("twice the bandwidth of its modes changes {} and {}: use more modes",
                                                   percent(c.wider.centroid), decibels(c.wider.level_dB));
  if (c.left.good())
    return {Severity::warning, fmt::format("not converged: its rate is high enough (about {} and {} left), but {} ({})",
                                           percent(c.left.centroid), decibels(c.left.level_dB), modes, tried)};
  const std::string way = std::abs(c.left.brighter) < 0.5 * c.left.centroid ? "off"
                          : c.left.brighter > 0                             ? "too bright"
                                                                            : "too dark";
  const double times = c.oversample * c.times_wanted;
  const std::string change =
      times <= 8 ? fmt::format("use oversample = {:g}", times)
                 : fmt::format("use rate_hz = {:g} and oversample = 8", c.step_rate_hz / c.oversample * times / 8);
  return {
      Severity::warning,
      fmt::format("not converged: about {} {} (spectral centroid), third octaves off by {}; twice the rate changes {} "
                  "and {} ({}); {}{}",
                  percent(c.left.centroid), way, decibels(c.left.level_dB), percent(c.finer.centroid),
                  decibels(c.finer.level_dB), tried, change, modes.empty() ? "" : "; " + modes)};
}

}  // namespace jawari
