// SPDX-License-Identifier: MIT
// A law that has what ContactLaw requires and nothing else: a linear spring beyond 0.  JAWARI_OMIT leaves one of its
// parts out, so none calls another.
#pragma once
#include "jawari/core/port.h"

#ifndef JAWARI_OMIT
#define JAWARI_OMIT 0
#endif

namespace jawari::test {

class MinimalLaw {
 public:
  explicit MinimalLaw(double stiffness) : stiffness_(stiffness), built_(stiffness) {}
#if JAWARI_OMIT != 1
  static constexpr Sides sides = Sides::one;
#endif
#if JAWARI_OMIT != 2
  static constexpr bool power_form = true;
#endif
#if JAWARI_OMIT != 3
  double exponent() const noexcept { return 1; }
#endif
#if JAWARI_OMIT != 4
  double stiffness() const noexcept { return stiffness_; }
#endif
#if JAWARI_OMIT != 5
  double loss_factor() const noexcept { return 0; }
#endif
#if JAWARI_OMIT != 6
  bool touches(double y_m) const noexcept { return y_m > 0; }
#endif
#if JAWARI_OMIT != 7
  double depth(double y_m) const noexcept { return y_m; }
#endif
#if JAWARI_OMIT != 8
  double potential(double y_m) const noexcept { return stiffness_ * max(y_m, 0.0) * y_m / 2; }
#endif
#if JAWARI_OMIT != 9
  double force(double y_m) const noexcept { return stiffness_ * max(y_m, 0.0); }
#endif
#if JAWARI_OMIT != 10
  double curvature(double y_m) const noexcept { return y_m > 0 ? stiffness_ : 0; }
#endif
#if JAWARI_OMIT != 11
  double psi(double y_m) const noexcept { return sqrt(stiffness_) * max(y_m, 0.0); }
#endif
#if JAWARI_OMIT != 12
  double psi_slope(double y_m) const noexcept { return y_m > 0 ? sqrt(stiffness_) : 0; }
#endif
#if JAWARI_OMIT != 13
  PsiOf<double> psi_pair(double y_m) const noexcept {
    return {sqrt(stiffness_) * max(y_m, 0.0), y_m > 0 ? sqrt(stiffness_) : 0};
  }
#endif
#if JAWARI_OMIT != 14
  Anchor anchor(double y_m) const noexcept {
    const double force_N = stiffness_ * max(y_m, 0.0);
    return {y_m, force_N, force_N * y_m / 2};
  }
#endif
#if JAWARI_OMIT != 15
  /// Of the ends a and b beyond the surface: the difference of their squares over the step.
  Quotient mean_force(const Anchor& from, double r_m) const noexcept {
    const double a = max(from.y, 0.0), b = max(from.y + r_m, 0.0);
    const double share = r_m == 0 ? (a > 0 ? 1.0 : 0.0) : (b - a) / r_m;
    const double mean = stiffness_ * (a + b) / 2 * share;
    return {mean, r_m == 0 ? stiffness_ / 2 * share : (stiffness_ * b - mean) / r_m};
  }
#endif
#if JAWARI_OMIT != 16
  MinimalLaw weighted(double weight) const { return MinimalLaw(stiffness_ * weight); }
#endif
#if JAWARI_OMIT != 17
  MinimalLaw stiffened(double factor) const {
    MinimalLaw law(*this);
    law.stiffness_ = built_ * factor;
    return law;
  }
#endif

 private:
  double stiffness_, built_;
};

}  // namespace jawari::test
