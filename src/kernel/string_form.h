// SPDX-License-Identifier: MIT
// What the numbers of a string say before it is stepped: how its terms may be summed up, how far it can move.
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "jawari/body/string_grid_numbers.h"

namespace jawari::kernel {

/// Whether terms may be collected.  They then round as u does, and the energy drifts: in double by 2e-12 in five
/// seconds of a string that turns by 0.006 a step, by 3e-11 at five times the rate; in float by 1e-4 a second, and at
/// five times the rate it is no longer the same motion.  Slow strings are stepped by differences; so are those on a
/// grid much coarser than stability asks for, where the terms are small against u.
inline bool is_fast(const GridNumbers& string, std::size_t nodes) noexcept {
  const double wave = std::numbers::pi / static_cast<double>(nodes + 1), slowest = 5e-3;
  return wave * wave * (string.tension + string.bending * wave * wave) > slowest * slowest &&
         2 * string.tension + 6 * string.bending > 1;
}

/// (N5): no node ever gets farther than this with that energy.
inline double largest_travel_m(const GridNumbers& string, std::size_t nodes, double energy_J) noexcept {
  const double energy = 2 * string.q0 * energy_J;
  const double slack = 1 - (string.tension + 4 * string.bending + 4 * string.s1);
  if (!(string.tension > 0) || !(slack > 0)) return std::numeric_limits<double>::infinity();
  return std::sqrt(energy * static_cast<double>(nodes + 1) / (4 * string.tension)) + std::sqrt(energy / slack) / 2;
}

}  // namespace jawari::kernel
