// SPDX-License-Identifier: MIT
// Centre-limited power law: free within |y| <= gap, a power law on either side.  D17 (3c); a rattle, a bolt in a
// slot, a loose connection.  psi carries the sign of the force, as in odd_power.h.
#pragma once
#include <cmath>

#include "jawari/contact/power_law.h"

namespace jawari {

class CentreLimited {
 public:
  static constexpr std::string_view name = "centre-limited";
  static constexpr Sides sides = Sides::gap;
  struct Params {
    double stiffness = 1e9;  ///< K      [N/m^alpha]
    double exponent = 1.3;   ///< alpha  [-], >= 1
    double gap_m = 1e-3;     ///< half of the free play [m], >= 0
  };
  static constexpr Param table[] = {
      PowerLaw::table[0], PowerLaw::table[1],
      {"gap_m", "h", "m", at_least(0), at_most(1e3), required, "half of the free play"}};

  explicit CentreLimited(const Params& p) : side_({p.stiffness, p.exponent}), gap_(p.gap_m) {}
  double stiffness() const noexcept { return side_.stiffness(); }
  double exponent() const noexcept { return side_.exponent(); }
  double gap() const noexcept { return gap_; }
  double loss_factor() const noexcept { return 0; }
  double depth(double y_m) const noexcept { return std::copysign(size(y_m) - gap_, y_m); }
  bool touches(double y_m) const noexcept { return size(y_m) > gap_; }

  double potential(double y_m) const noexcept { return side_.potential(size(y_m) - gap_); }
  double force(double y_m) const noexcept { return std::copysign(side_.force(size(y_m) - gap_), y_m); }
  double curvature(double y_m) const noexcept { return side_.curvature(size(y_m) - gap_); }
  double psi(double y_m) const noexcept { return std::copysign(side_.psi(size(y_m) - gap_), y_m); }
  double psi_slope(double y_m) const noexcept { return side_.psi_slope(size(y_m) - gap_); }
  PsiOf<double> psi_pair(double y_m) const noexcept {
    const auto p = side_.psi_pair(size(y_m) - gap_);
    return {std::copysign(p.value, y_m), p.slope};
  }
  Anchor anchor(double y_m) const noexcept {
    const Anchor a = side_.anchor(size(y_m) - gap_);
    return {y_m, std::copysign(a.force, y_m), a.potential};
  }
  Quotient mean_force(const Anchor& a, double r_m) const noexcept {
    const double sign = std::signbit(a.y) ? -1 : 1, end = a.y + r_m;
    const Anchor near{sign * a.y - gap_, sign * a.force, a.potential};
    const Quotient m = side_.mean_force(near, sign * r_m);  // this side alone
    if (sign * end >= -gap_) return {sign * m.value, m.slope};
    // Across the gap to the other side: its potential comes on top.
    const double far = side_.potential(-sign * end - gap_) / r_m;
    return {sign * m.value + far, m.slope + (force(end) - far) / r_m};
  }
  CentreLimited weighted(double weight) const { return {side_.weighted(weight), gap_}; }
  CentreLimited stiffened(double factor) const { return {side_.stiffened(factor), gap_}; }

 private:
  CentreLimited(const PowerLaw& side, double gap) : side_(side), gap_(gap) {}
  PowerLaw side_;
  double gap_;
};
static_assert(ContactLaw<CentreLimited>);

}  // namespace jawari
