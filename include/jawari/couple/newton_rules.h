// SPDX-License-Identifier: MIT
// When Newton on coupled ports (K2) ends and how far a step goes (K5): the rules that Island and the kernels share, on
// any number type.
#pragma once
#include "jawari/core/number.h"

namespace jawari {

struct NewtonRules {
  static constexpr double settled = 1e-15;  ///< a step this small, in terms of what s is summed from, was the last
  static constexpr double search = 1e-12;   ///< above it a step may be shortened; below, a step that grows is rounding
  static constexpr double stuck = 1e-8;     ///< below it, a step shortened to nothing is the solution
  static constexpr int tries = 30;          ///< to shorten a step
  /// Steps before the change is measured by the largest terms of the island as well: ports of small terms are off by
  /// the rounding of stiff ones beside them.  And the most there are.
  static constexpr int patience = 20, limit = 600;
  static constexpr double enough = 1e-13;  ///< of those terms
};

/// A step in terms of what s is summed from; `floor` is added to them.
template <class T>
JAWARI_HD inline T relative_step(const T& step, const T& terms, const T& floor) noexcept {
  return step / (terms + floor + T(1e-300));
}
/// Whether the slope at the end of a step says that it goes too far; start < 0 is the slope at its start.
template <class T>
JAWARI_HD inline auto overshoots(const T& start, const T& end) noexcept {
  return end > T(-0.5 * start);
}
/// The same beyond the noise of the slope: f is known to b times the rounding of s.
template <class T>
JAWARI_HD inline auto overshoots(const T& start, const T& end, const T& noise) noexcept {
  return end > T(-0.5 * start + 1e-15 * noise);
}
/// The share of a step that goes too far, from both slopes.
template <class T>
JAWARI_HD inline T shortened_share(const T& start, const T& end) noexcept {
  const T wanted = start / (start - end);
  return select(wanted < T(0.1), T(0.1), select(wanted > T(0.5), T(0.5), wanted));
}

}  // namespace jawari
