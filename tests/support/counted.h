// SPDX-License-Identifier: MIT
// A power law that counts its power functions: the cost of a scheme without a clock.
#pragma once
#include "jawari/contact/hunt_crossley.h"

namespace jawari::test {

class Counted {
 public:
  static constexpr Sides sides = Sides::one;
  static constexpr bool power_form = true;
  Counted(double stiffness, double exponent, long& powers) : law_({stiffness, exponent, 0}), powers_(&powers) {}

  double stiffness() const noexcept { return law_.stiffness(); }
  double exponent() const noexcept { return law_.exponent(); }
  double loss_factor() const noexcept { return 0; }
  double depth(double y) const noexcept { return y; }
  bool touches(double y) const noexcept { return y > 0; }
  double potential(double y) const noexcept {
    counted(y);
    return law_.potential(y);
  }
  double force(double y) const noexcept {
    counted(y);
    return law_.force(y);
  }
  double curvature(double y) const noexcept {
    counted(y);
    return law_.curvature(y);
  }
  double psi(double y) const noexcept {
    counted(y);
    return law_.psi(y);
  }
  double psi_slope(double y) const noexcept {
    counted(y);
    return law_.psi_slope(y);
  }
  PsiOf<double> psi_pair(double y) const noexcept {
    counted(y);
    return law_.psi_pair(y);
  }
  Anchor anchor(double y) const noexcept {
    counted(y);
    return law_.anchor(y);
  }
  Quotient mean_force(const Anchor& a, double r) const noexcept {
    if (a.y + r > 0 && (a.y <= 0 || std::abs(r) > 0.1 * a.y)) ++*powers_;  // as PowerLaw does
    return law_.mean_force(a, r);
  }

  Counted weighted(double weight) const {
    Counted law(*this);
    law.law_ = law_.weighted(weight);
    return law;
  }
  Counted stiffened(double factor) const {
    Counted law(*this);
    law.law_ = law_.stiffened(factor);
    return law;
  }

 private:
  void counted(double y) const noexcept { *powers_ += y > 0; }
  HuntCrossley law_;
  long* powers_;
};
static_assert(ContactLaw<Counted>);

}  // namespace jawari::test
