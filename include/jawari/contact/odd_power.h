// SPDX-License-Identifier: MIT
// Odd power law, acting on both sides of y = 0: D17 (3a), for any exponent >= 1 (the paper has odd integers).
// Exponent 1 is a linear spring, 3 the cubic oscillator.  psi carries the sign of the force, so that it is smooth
// through 0 and psi' >= 0 everywhere.
#pragma once
#include <cmath>

#include "jawari/contact/power_law.h"

namespace jawari {

class OddPower {
 public:
  static constexpr std::string_view name = "odd-power";
  static constexpr Sides sides = Sides::both;
  using Params = PowerLaw::Params;
  static constexpr Param table[] = {PowerLaw::table[0], PowerLaw::table[1]};

  explicit OddPower(const Params& p) : half_(p) {}
  double stiffness() const noexcept { return half_.stiffness(); }
  double exponent() const noexcept { return half_.exponent(); }
  double loss_factor() const noexcept { return 0; }
  double depth(double y_m) const noexcept { return y_m; }
  bool touches(double y_m) const noexcept { return size(y_m) > PowerLaw::surface_m; }

  double potential(double y_m) const noexcept { return half_.potential(size(y_m)); }
  double force(double y_m) const noexcept { return std::copysign(half_.force(size(y_m)), y_m); }
  double curvature(double y_m) const noexcept {
    return !touches(y_m) ? (exponent() == 1 ? stiffness() : 0) : half_.curvature(size(y_m));
  }
  double psi(double y_m) const noexcept { return std::copysign(half_.psi(size(y_m)), y_m); }
  double psi_slope(double y_m) const noexcept {
    return !touches(y_m) ? (exponent() == 1 ? root(stiffness()) : 0) : half_.psi_slope(size(y_m));
  }
  PsiOf<double> psi_pair(double y_m) const noexcept { return {psi(y_m), psi_slope(y_m)}; }
  Anchor anchor(double y_m) const noexcept {
    const Anchor a = half_.anchor(size(y_m));
    return {y_m, std::copysign(a.force, y_m), a.potential};
  }
  /// (C6) on one side; across 0 the potentials do not cancel badly unless |y| and |y+r| are nearly equal, where the
  /// two halves are taken one by one: [Phi(y+r) - Phi(y)]/r with Phi even.
  Quotient mean_force(const Anchor& a, double r_m) const noexcept {
    const double sign = std::signbit(a.y) ? -1 : 1;
    const Anchor mirrored{sign * a.y, sign * a.force, a.potential};
    const double end = a.y + r_m;
    if (mirrored.y > 0 && sign * end > 0) {
      const Quotient m = half_.mean_force(mirrored, sign * r_m);
      return {sign * m.value, m.slope};
    }
    if (r_m == 0) return {a.force, curvature(a.y) / 2};
    // Other side: Phi(end) - Phi(a) = Phi(|end|) - Phi(|a|) is a mean force over the short way from |a| to |end|.
    const double way = size(end) - size(a.y);
    const double value = mirrored.y > 0 ? half_.mean_force(mirrored, way).value * (way / r_m) : potential(end) / r_m;
    return {value, (force(end) - value) / r_m};
  }
  OddPower weighted(double weight) const { return OddPower(half_.weighted(weight)); }
  OddPower stiffened(double factor) const { return OddPower(half_.stiffened(factor)); }

 private:
  explicit OddPower(const PowerLaw& half) : half_(half) {}
  PowerLaw half_;
};
static_assert(ContactLaw<OddPower>);

}  // namespace jawari
