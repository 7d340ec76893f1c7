// SPDX-License-Identifier: MIT
// Statistics of a line of contact points, for the accuracy monitor.  Counted, never
// interpreted here; engine/monitor.h says in words what it means.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "jawari/couple/contact_point.h"

namespace jawari {

struct ContactRecord {
  std::uint64_t impacts = 0;                                         ///< contacts that have ended
  std::uint64_t touching_steps = 0;                                  ///< point-steps with a force
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();  ///< samples of the shortest ended contact
  std::int64_t longest = 0;
  double deepest_m = 0;       ///< largest compression at a sample
  double deepest_half_m = 0;  ///< largest compression between two samples
  double largest_force_N = 0;
  double largest_left_J = 0;  ///< contact energy at a point that does not touch: locked in psi
  std::uint64_t solves = 0, iterations = 0;
  int most_iterations = 0;
  std::uint64_t unsettled = 0;  ///< solves that failed: tolerance not met, or complex root
  std::uint64_t raised = 0;     ///< Taylor steps with a raised s
  double largest_s = 0;
  std::uint64_t softened = 0, matched = 0;  ///< impacts whose stiffness was lowered, raised
  double fewest_true_samples = std::numeric_limits<double>::infinity();  ///< an elastic impact of this speed would last
  double smallest_factor = 1, largest_factor = 1;

  void solved(int used, bool settled) noexcept {
    ++solves;
    iterations += static_cast<std::uint64_t>(used);
    most_iterations = std::max(most_iterations, used);
    if (!settled) ++unsettled;
  }
  /// One step of one point: compressions at its middle and half a step later, its force, and how long its contact has
  /// lasted.  Returns whether a contact begins.
  bool step(double depth_m, double half_m, double force_N, bool touches, std::int64_t& samples) noexcept {
    ContactExtremes<double> extremes{deepest_m, deepest_half_m, largest_force_N};
    extremes.step(depth_m, half_m, force_N);
    deepest_m = extremes.deepest;
    deepest_half_m = extremes.deepest_half;
    largest_force_N = extremes.strongest;
    count_step(touches, samples > 0, touching_steps, impacts);
    if (touches) return samples++ == 0;
    if (samples > 0) count_ended(std::exchange(samples, 0), shortest, longest);
    return false;
  }
  void add(const ContactRecord& o) noexcept {  ///< what another has counted since
    impacts += o.impacts;
    touching_steps += o.touching_steps;
    solves += o.solves;
    iterations += o.iterations;
    unsettled += o.unsettled;
    raised += o.raised;
    softened += o.softened;
    matched += o.matched;
    shortest = std::min(shortest, o.shortest);
    longest = std::max(longest, o.longest);
    deepest_m = std::max(deepest_m, o.deepest_m);
    deepest_half_m = std::max(deepest_half_m, o.deepest_half_m);
    largest_force_N = std::max(largest_force_N, o.largest_force_N);
    largest_left_J = std::max(largest_left_J, o.largest_left_J);
    most_iterations = std::max(most_iterations, o.most_iterations);
    largest_s = std::max(largest_s, o.largest_s);
    fewest_true_samples = std::min(fewest_true_samples, o.fewest_true_samples);
    smallest_factor = std::min(smallest_factor, o.smallest_factor);
    largest_factor = std::max(largest_factor, o.largest_factor);
  }
};

}  // namespace jawari
