// SPDX-License-Identifier: MIT
#include "jawari/engine/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jawari/engine/compile.h"
#include "jawari/engine/run.h"
#include "jawari/impact/corrections.h"
#include "jawari/registry.h"
#include "lower.h"
#include "scheme_facts.h"
#include "step_work.h"
#include "variants.h"

namespace jawari {
namespace {

/// Displacements of all bodies at the samples of the base rate, one after the other.
class Motion final : public RowSink {
 public:
  explicit Motion(int every) : every_(every) {}
  void begin(const std::vector<std::string>& channels, double, std::int64_t) override {
    for (std::size_t i = 0; i < channels.size(); ++i)
      if (channels[i].ends_with(".displacement_m")) column_.push_back(i);
    data.assign(column_.size(), {});
  }
  void row(double, std::span<const double> values) override {
    for (std::size_t i = 0; i < column_.size(); ++i) data[i].push_back(values[column_[i]]);
  }
  std::int64_t every() const noexcept override { return every_; }
  std::vector<std::vector<double>> data;

 private:
  int every_;
  std::vector<std::size_t> column_;
};

/// rms distance of all bodies over the rms of the reference motion about its mean.
double distance(const Motion& a, const Motion& reference) {
  double off = 0, motion = 0;
  for (std::size_t b = 0; b < reference.data.size(); ++b) {
    const auto& r = reference.data[b];
    const std::size_t n = std::min(r.size(), a.data[b].size());
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += r[i] / static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) {
      off += (a.data[b][i] - r[i]) * (a.data[b][i] - r[i]);
      motion += (r[i] - mean) * (r[i] - mean);
    }
  }
  return motion > 0 ? std::sqrt(off / motion) : std::sqrt(off);
}

Scene with(const Scene& scene, const std::string& scheme, int times) {
  Scene s = at_rate(scene, times);
  for_each_contact_law(s, [&](auto& part) {
    if (!part.scheme || part.scheme->type != scheme)
      part.scheme = LawSpec{scheme};  // otherwise it keeps its parameters
  });
  return s;
}

/// Of a run of that scene, up to where all rates of a comparison can be compared.
Timbre timbre_of(const Run& run, const Scene& scene, double base_rate_hz) {
  const double rate = step_rate_hz(scene);
  return timbre(run.sound, rate, timbre_limit_hz(rate, base_rate_hz));
}
/// How much a second start differs from the first; less, so that no number leaves its range.
constexpr double other_start = -1e-6;

double total_work(const Scene& scene) { return step_work(lower_scene(scene)) * static_cast<double>(step_count(scene)); }

/// Numbers that a reference may touch: where it stops getting finer, and where it is not begun.
constexpr double enough = 4e7, too_much = 1e12;

/// Two-point at growing rates until halving the rate changes next to nothing, or the work gets large.  Strings in exact
/// modes where that is the same problem: they converge with the square of the rate, a grid with the rate.
struct Reference {
  Motion motion{1};
  std::vector<Timbre> heard;  ///< of two starts
  int times = 0;
  double change = 0;
  TimbreDistance heard_change;
  bool modes = false, stopped = false;
};
Reference converge(Scene scene, int least, const std::function<bool(std::int64_t)>& go_on) {
  Reference r;
  const double base_rate_hz = step_rate_hz(scene);
  r.modes = make_exact(scene);
  for (int times = (scene.strings.empty() ? 8 : 4) * least;; times *= 2) {
    const Scene s = with(scene, "two-point", times);
    const double work = total_work(s);
    if (work > too_much)
      throw InputError(
          "duration_s",
          fmt::format("duration_s is {:g}, but the reference at {:g} Hz would touch {:.0e} numbers; a comparison "
                      "is made with at most {:.0e}; compare {:.2g} s of it, or fewer rates",
                      scene.duration_s, s.rate_hz, work, too_much, scene.duration_s * too_much / work),
          fmt::format("{:g}", scene.duration_s),
          fmt::format("be at most about {:.2g} s", scene.duration_s * too_much / work));
    auto system = compile(s);
    Motion motion(times);
    RowSink* sinks[] = {&motion};
    const Run one = run(*system, step_count(s), sinks, go_on);
    r.stopped = one.stopped;
    if (r.stopped) return r;
    const bool first = r.times == 0;
    r.change = first ? 1 : distance(r.motion, motion);
    const std::vector<Timbre> heard{timbre_of(one, s, base_rate_hz)};
    r.heard_change = timbre_distance(r.heard, heard);
    r.heard = heard;
    r.motion = motion;
    r.times = times;
    if ((!first && r.change < 1e-8) || work > enough * (r.modes ? 3 : 1) || times > (1 << 20)) {
      if (heard[0].windows.empty()) return r;  // too short to be heard: one start is enough
      const Scene again = nudged(s, other_start);
      const Run other = run(*compile(again), step_count(s), {}, go_on);
      r.stopped = other.stopped;
      r.heard.push_back(timbre_of(other, again, base_rate_hz));
      return r;
    }
  }
}

}  // namespace

std::vector<std::string> comparable_schemes(const Scene& scene) {
  const Scene spelled_out = lower_scene(scene).scene();
  const auto laws = laws_of(spelled_out);
  std::vector<std::string> names;
  if (scene.contacts.empty() && !spelled_out.strings.empty())
    names = {"two-point", "three-point", "secant-2", "bounded", "quadratised"};
  else if (!laws.empty())
    for (const auto name : schemes_for(laws[0]))
      if (!scheme(name).complex_root_ends) names.emplace_back(name);
  std::erase_if(names, [&](const std::string& name) {
    if (std::any_of(laws.begin(), laws.end(), [&](const LawSpec& law) { return !misfit(law, {name}).empty(); }))
      return true;
    try {
      compile(with(scene, name, 1));
      return false;
    } catch (const InputError& r) {
      return r.path().find("scheme") != std::string::npos;  // anything else is said by the comparison
    }
  });
  if (names.empty()) names = {"two-point"};  // nothing fits, and the comparison says why
  return names;
}

Comparison compare(const Scene& scene, const std::vector<std::string>& schemes, const std::vector<int>& rates,
                   const std::function<bool(double)>& go_on, Kernels kernels) {
  Comparison out;
  const Scene spelled_out = lower_scene(scene).scene();
  if (spelled_out.contacts.empty() && spelled_out.barriers.empty())
    throw InputError(
        "contact",
        "contact is missing; there is nothing to compare without a [[contact]], a [[barrier]] or a gesture "
        "that touches",
        {}, "be a [[contact]], a [[barrier]] or a gesture that touches");
  for (const auto& name : schemes) {  // refuse before the long work
    if (is_integrator(name)) continue;
    jawari::scheme(name, "schemes");
    for (const auto& law : laws_of(spelled_out))
      if (const auto why = misfit(law, {name}); !why.empty())
        throw InputError("schemes", why, fmt::format("\"{}\"", name), allowed_schemes(law));
  }
  for (const auto& name : schemes) compile(with(scene, name, 1));
  const int most = *std::max_element(rates.begin(), rates.end());
  const double total = static_cast<double>(schemes.size() * rates.size());
  const std::function<bool(std::int64_t)> breathe = [&](std::int64_t) {
    return !go_on || go_on(static_cast<double>(out.entries.size()) / total);
  };
  const Reference reference = converge(scene, most, breathe);
  if (reference.stopped) return out;
  out.reference = fmt::format("two-point at {:g} Hz{}", scene.rate_hz * reference.times,
                              reference.modes ? ", strings in exact modes" : "");
  out.reference_change = reference.change;
  out.reference_heard = reference.heard_change;
  for (const auto& name : schemes)
    for (const int times : rates) {
      const Scene s = with(scene, name, times);
      auto system = compile(s, kernels);
      Motion motion(times);
      RowSink* sinks[] = {&motion};
      if (!breathe(0)) return out;
      const Run one = run(*system, step_count(s), sinks, breathe);
      if (one.stopped) return out;
      Comparison::Entry e;
      e.scheme = name;
      e.rate_hz = s.rate_hz;
      e.imbalance = system->ledger().imbalance();
      std::uint64_t solves = 0, iterations = 0;
      std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
      for (const auto& c : system->contacts()) {
        solves += c.record.solves;
        iterations += c.record.iterations;
        shortest = std::min(shortest, c.record.shortest);
      }
      e.samples = shortest == std::numeric_limits<std::int64_t>::max() ? 0 : static_cast<double>(shortest);
      e.iterations = solves ? static_cast<double>(iterations) / static_cast<double>(solves) : 0;
      const Scene again = nudged(s, other_start);
      auto timed = compile(again, kernels);  // a second start, without readings: also for the cost
      const Run cost = run(*timed, step_count(s), {}, breathe);
      if (cost.stopped) return out;
      if (system->failed()) {
        e.failure = system->failure_text();
      } else {
        e.error = distance(motion, reference.motion);
        const double base_rate_hz = step_rate_hz(scene);
        const Timbre heard[] = {timbre_of(one, s, base_rate_hz), timbre_of(cost, again, base_rate_hz)};
        e.heard = timbre_distance(heard, reference.heard);
      }
      e.ns_per_step = 1e9 * cost.cpu_s / static_cast<double>(std::max<std::int64_t>(cost.steps, 1));
      e.real_time = static_cast<double>(cost.steps) / s.rate_hz / std::max(cost.cpu_s, 1e-12);
      out.entries.push_back(std::move(e));
    }
  return out;
}

}  // namespace jawari
