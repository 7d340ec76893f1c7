// SPDX-License-Identifier: MIT
#include "jawari/body/string_grid_numbers.h"

namespace jawari {

GridBand grid_band(const GridNumbers& a) noexcept {
  const double loss = a.centred ? a.s1 : 0, T = a.unconditional ? a.tension / 4 : 0,
               B = a.unconditional ? a.bending / 4 : 0;
  const double g = a.unconditional ? 0 : a.gamma / 4, middle = 1 + a.s0 + 2 * (g + loss + T) + 6 * B;
  // D^2 has 6 + ghost at the ends: 5 supported, 7 clamped
  return {middle, middle + a.left.ghost * B, middle + a.right.ghost * B, -(g + loss + T) - 4 * B, B};
}

Stored grid_energy(const GridNumbers& a, std::span<const double> u, std::span<const double> d) noexcept {
  const double scale = 1 / (2 * a.q0);
  double motion = 0, shear = 0, twist = 0, tense = 0, bent = 0;  // of d; of the mean m
  double d0 = 0, m0 = 0, dd = 0, mm = 0;                         // before node i, and slopes there
  for (std::size_t i = 0; i <= u.size(); ++i) {
    const double di = i < u.size() ? d[i] : 0, ui = i < u.size() ? u[i] : 0, mi = ui - di / 2;
    const double slope = di - d0, mean = mi - m0;
    motion += di * di;
    shear += slope * slope;
    tense += mean * mean;
    if (i > 0) {
      twist += (slope - dd) * (slope - dd);
      bent += (mean - mm) * (mean - mm);
    }
    d0 = di;
    m0 = mi;
    dd = slope;
    mm = mean;
  }
  if (!u.empty()) {  // the curvature at a clamped end, with half a weight
    const double left_d = d.front(), left_u = u.front() - left_d / 2;
    const double right_d = d.back(), right_u = u.back() - right_d / 2;
    twist += a.left.curve() * left_d * left_d + a.right.curve() * right_d * right_d;
    bent += a.left.curve() * left_u * left_u + a.right.curve() * right_u * right_u;
  }
  Stored e;
  e.kinetic =
      a.unconditional
          ? scale * motion
          : scale * (motion + (a.gamma - a.tension - (a.centred ? 0 : 4 * a.s1)) / 4 * shear - a.bending / 4 * twist);
  e.elastic = scale * a.tension * tense;
  e.bending = scale * a.bending * bent;
  return e;
}

}  // namespace jawari
