// SPDX-License-Identifier: MIT
#include "jawari/body/string_grid_numbers.h"

#include "jawari/body/string_energy.h"

namespace jawari {

GridBand grid_band(const GridNumbers& a) noexcept {
  const double loss = a.centred ? a.s1 : 0, T = a.unconditional ? a.tension / 4 : 0,
               B = a.unconditional ? a.bending / 4 : 0;
  const double g = a.unconditional ? 0 : a.gamma / 4, middle = 1 + a.s0 + 2 * (g + loss + T) + 6 * B;
  // D^2 has 6 + ghost at the ends: 5 supported, 7 clamped
  return {middle, middle + a.left.ghost * B, middle + a.right.ghost * B, -(g + loss + T) - 4 * B, B};
}

Stored grid_energy(const GridNumbers& a, std::span<const double> u, std::span<const double> d) noexcept {
  StringEnergySums sums;
  for (std::size_t i = 0; i < u.size(); ++i) sums.add(u[i], d[i], i == 0);
  sums.add(0, 0, u.empty());
  if (!u.empty()) {  // the curvature at a clamped end, with half a weight
    const double left_d = d.front(), left_u = u.front() - left_d / 2;
    const double right_d = d.back(), right_u = u.back() - right_d / 2;
    sums.twist += a.left.curve() * left_d * left_d + a.right.curve() * right_d * right_d;
    sums.bent += a.left.curve() * left_u * left_u + a.right.curve() * right_u * right_u;
  }
  const StringEnergyFactors factors(a);
  Stored e;
  e.kinetic = sums.kinetic_J(factors);
  e.elastic = sums.elastic_J(factors);
  e.bending = sums.bending_J(factors);
  return e;
}

}  // namespace jawari
