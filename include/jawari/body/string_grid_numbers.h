// SPDX-License-Identifier: MIT
// The coefficients of a string on a grid (S4), its ends, and what follows from them: matrix and energy.
#pragma once
#include <span>

#include "jawari/body/body.h"

namespace jawari {

/// An end at rest, u = 0.  Beyond it the string continues as u_{-1} = ghost u_1: an odd continuation has no bending
/// moment there (supported), an even one no slope (clamped).
struct StringEnd {
  double ghost = -1;

  static constexpr StringEnd supported() noexcept { return {-1}; }
  static constexpr StringEnd clamped() noexcept { return {1}; }
  /// D u at the support, in units of u_1.
  constexpr double curve() const noexcept { return 1 + ghost; }
};

/// The coefficients of (S4), as the step uses them.
struct GridNumbers {
  double tension = 0, bending = 0, s0 = 0, s1 = 0, q0 = 0, gamma = 0;
  bool unconditional = false, centred = false;
  StringEnd left = {}, right = {};
};
/// Its matrix A: the diagonal, its two ends, and the side bands.
struct GridBand {
  double middle, first, last, side, far;
};
GridBand grid_band(const GridNumbers& a) noexcept;
/// (S10) Energy of a string without tension modulation, from displacements and increments of its nodes.
Stored grid_energy(const GridNumbers& a, std::span<const double> u_m, std::span<const double> d_m) noexcept;

}  // namespace jawari
