// SPDX-License-Identifier: MIT
// A law seen with another stiffness and another loss factor: a view of three numbers, for schemes that adjust those of one
// impact (scheme/at_entry.h).  Every elastic quantity is proportional to K, psi to its root.
#pragma once
#include "jawari/core/number.h"
#include "jawari/core/port.h"

namespace jawari {

template <ContactLaw Law>
class Scaled {
 public:
  static constexpr Sides sides = Law::sides;
  Scaled(const Law& law, double factor, double loss = 1) noexcept
      : law_(law), factor_(factor), root_(root(factor)), loss_(loss) {}

  double exponent() const noexcept { return law_.exponent(); }
  double stiffness() const noexcept { return factor_ * law_.stiffness(); }
  double loss_factor() const noexcept { return loss_ * law_.loss_factor(); }
  double loss_share() const noexcept { return loss_; }  ///< mu over that of the law a scheme was prepared for
  double depth(double y_m) const noexcept { return law_.depth(y_m); }
  bool touches(double y_m) const noexcept { return law_.touches(y_m); }
  double potential(double y_m) const noexcept { return factor_ * law_.potential(y_m); }
  double force(double y_m) const noexcept { return factor_ * law_.force(y_m); }
  double curvature(double y_m) const noexcept { return factor_ * law_.curvature(y_m); }
  double psi(double y_m) const noexcept { return root_ * law_.psi(y_m); }
  double psi_slope(double y_m) const noexcept { return root_ * law_.psi_slope(y_m); }
  PsiOf<double> psi_pair(double y_m) const noexcept {
    const auto p = law_.psi_pair(y_m);
    return {root_ * p.value, root_ * p.slope};
  }
  Anchor anchor(double y_m) const noexcept { return law_.anchor(y_m); }  // in the law's own scale
  Quotient mean_force(const Anchor& a, double r_m) const noexcept {
    const Quotient m = law_.mean_force(a, r_m);
    return {factor_ * m.value, factor_ * m.slope};
  }

 private:
  const Law& law_;
  double factor_, root_, loss_;
};

}  // namespace jawari
