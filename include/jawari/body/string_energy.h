// SPDX-License-Identifier: MIT
// (S10) The energy of a string on a grid, as sums over its nodes: the reference path and devices share them.
#pragma once
#include <cstddef>

#include "jawari/core/number.h"

namespace jawari {

/// What sums are multiplied by.
struct StringEnergyFactors {
  double scale = 0, shear = 0, twist = 0;  ///< of the kinetic energy; scale = 1/(2 q0)
  double tense = 0, bent = 0;              ///< of the elastic and the bending energy

  StringEnergyFactors() = default;
  template <class Numbers>
  explicit StringEnergyFactors(const Numbers& a)
      : scale(1 / (2 * a.q0)),
        shear(a.unconditional ? 0 : (a.gamma - a.tension - (a.centred ? 0 : 4 * a.s1)) / 4),
        twist(a.unconditional ? 0 : a.bending / 4),
        tense(scale * a.tension),
        bent(scale * a.bending) {}
};

/// Sums of squares along a string, supports included: of d, and of the mean m = u - d/2.
struct StringEnergySums {
  double motion = 0, shear = 0, twist = 0;  // of d, its slope, its curvature
  double tense = 0, bent = 0;               // of the slope and curvature of m
  double d0 = 0, m0 = 0, dd = 0, mm = 0;    // of the node before, and slopes there

  /// The first node, the others, then the support behind the last one as u = d = 0.
  JAWARI_HD void add(double u, double d, bool first) noexcept {
    const double m = u - d / 2;
    const double slope = d - d0, mean = m - m0;
    motion += d * d;
    shear += slope * slope;
    tense += mean * mean;
    if (!first) {
      twist += (slope - dd) * (slope - dd);
      bent += (mean - mm) * (mean - mm);
    }
    d0 = d;
    m0 = m;
    dd = slope;
    mm = mean;
  }
  JAWARI_HD double kinetic_J(const StringEnergyFactors& a) const noexcept {
    return a.scale * (motion + a.shear * shear - a.twist * twist);
  }
  JAWARI_HD double elastic_J(const StringEnergyFactors& a) const noexcept { return a.tense * tense; }
  JAWARI_HD double bending_J(const StringEnergyFactors& a) const noexcept { return a.bent * bent; }
  JAWARI_HD double total_J(const StringEnergyFactors& a) const noexcept {
    return kinetic_J(a) + elastic_J(a) + bending_J(a);
  }
};

}  // namespace jawari
