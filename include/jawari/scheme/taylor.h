// SPDX-License-Identifier: MIT
// Taylor schemes: the new potential is expanded to second order about y^n, so that the step is the root of a quadratic.
//   P(y, w) = Phi(y) + s (w Phi'(y) + w^2/2 Phi''(y)),   w = y^{n+1} - y^n                          (T1)   D17 (6)
// The energy balance with a force that does the work of P, and a damper R, at a port (c = s_free, d = y^n - y^{n-1}):
//   r (D r - c)/2q + P(y^n, w) - P(y^{n-1}, d) = 0,   r = w + d,   D = 1 + q R/2dt                  (T2)   D17 (16)
//   A w^2/2 + B w + C = 0,  A = D/q + s Phi'',  B = (2 D d - c)/2q + s Phi',  C = d (D d - c)/2q + Phi - P-  (T3)
// The root that keeps the sign of the predicted velocity is taken (D17 3.3.2).  s = 1/2 is second order but has complex
// roots in a quarter of random problems; s* = 2 alpha/(alpha+1) never has one for an unforced lossless mass (proof in
// docs/theory/taylor.md).  A complex root is never clamped: s is raised for that step to where the root is double
// (always possible, energy kept), or the run is told that it failed.
// For an undisturbed free mass C = Phi - h with h constant: no drift at all.  This is no falling response: one port only.
#pragma once
#include <cmath>

#include "jawari/core/facts.h"
#include "jawari/core/param.h"
#include "jawari/core/port.h"

namespace jawari {

struct TaylorBase {
  static constexpr int passes = 1;
  struct State {
    double P = 0, h = 0, d = 0;  // P(y^{n-1}, d^n) [J]; energy of an undisturbed mass [J] and the d^n it belongs to [m]
    double raised = 0;           // the s of this step where it had to be raised, else 0
  };
  struct Step {
    double P, h, R, phi, slope, curvature;
    bool undisturbed;
    double w = 0, s = 0, q = 0;  // found by solve()
    double square = 0;           // B^2 - 2 A C before s is raised: a quarter of the discriminant D17 (18)
  };

  template <ContactLaw Law>
  void prepare(const Law& law, double dt_s) {
    mu_ = law.loss_factor(), dt_ = dt_s;
  }
  template <ContactLaw Law>
  State start(const Law& law, double y_m, double d_m) const noexcept {
    return {expand(law.potential(y_m - d_m), law.force(y_m - d_m), law.curvature(y_m - d_m), d_m, s_)};
  }
  template <ContactLaw Law>
  Step begin(const Law& law, const Port& p, const State& state) const noexcept {
    Step t{state.P, state.h, 0, 0, 0, law.curvature(p.y), false};
    if (law.touches(p.y)) t.phi = law.potential(p.y), t.slope = law.force(p.y);
    if (mu_ != 0) {
      const double v = p.d / dt_;
      t.R = (v < 0 ? std::fmin(mu_, -1 / v) : mu_) * std::fmax(t.slope, 0.0);
    }
    t.undisturbed = t.R == 0 && p.s_free == 2 * p.d && state.d == p.d;
    if (!t.undisturbed) t.h = p.d * p.d / (2 * p.q) + state.P;
    return t;
  }
  /// One port.  False: the roots are complex and s may not be raised; then the contact stays silent.
  template <ContactLaw Law>
  bool solve(const Law&, Step& t, const Port& p, double& s_m, double& f_N) const noexcept {
    t.s = s_, t.q = p.q, t.w = p.s_free - p.d;
    s_m = p.s_free, f_N = 0;
    if (t.P == 0 && t.phi == 0 && t.curvature == 0) return true;  // nothing stored, nothing met
    const double D = 1 + p.q * t.R / (2 * dt_), A0 = D / p.q, B0 = (2 * D * p.d - p.s_free) / (2 * p.q);
    const double C = t.phi - (p.s_free == 2 * p.d && t.R == 0 ? t.h : t.P - p.d * (D * p.d - p.s_free) / (2 * p.q));
    double A = A0 + t.s * t.curvature, B = B0 + t.s * t.slope, square = t.square = B * B - 2 * A * C;
    if (square < 0) {
      if (!may_raise_ || t.slope == 0) return false;
      t.s = raised(A0, B0, C, t);
      A = A0 + t.s * t.curvature, B = B0 + t.s * t.slope, square = 0;
    }
    t.w = (-B + std::copysign(std::sqrt(square), A * p.d - B)) / A;  // r = w + d keeps the sign of A d - B
    s_m = t.w + p.d, f_N = (s_m - p.s_free) / p.q;
    return true;
  }
  template <ContactLaw Law>
  double finish(const Law&, const Step& t, double s_m, State& state) const noexcept {
    const double P = expand(t.phi, t.slope, t.curvature, t.w, t.s);
    state = {P, t.undisturbed ? t.h : t.w * t.w / (2 * t.q) + P, t.w, t.s > s_ ? t.s : 0};
    return t.R * s_m * s_m / (4 * dt_);
  }
  template <ContactLaw Law>
  double energy(const Law&, const State& e) const noexcept {
    return e.P;
  }
  // Coupled ports are refused by name (registry); these only complete the shape.
  template <ContactLaw Law>
  Response respond(const Law&, const Step&, double) const noexcept { return {0, 0}; }
  template <ContactLaw Law>
  void refine(const Law&, Step&, double, double) const noexcept {}

 protected:
  static double expand(double phi, double slope, double curvature, double w, double s) noexcept {
    return phi + s * (w * slope + w * w / 2 * curvature);
  }
  /// Smallest s above the given one with B^2 = 2 A C: Phi'^2 s^2 + 2 (B0 Phi' - C Phi'') s + B0^2 - 2 A0 C = 0.
  static double raised(double A0, double B0, double C, const Step& t) noexcept {
    const double a = t.slope * t.slope, b = B0 * t.slope - C * t.curvature, c = B0 * B0 - 2 * A0 * C;
    const double r = std::sqrt(std::fmax(b * b - a * c, 0.0));
    return b <= 0 ? (r - b) / a : -c / (b + r);  // the larger root: the smaller one lies below s
  }

  double s_ = 0.5, mu_ = 0, dt_ = 1;
  bool may_raise_ = true;
};

struct Taylor : TaylorBase {
  static constexpr Facts facts{"taylor", "root of a quadratic, s raised where it would be complex", "D17 (17)",
                               order_two, 0};
  static constexpr Param table[] = {
      {"s", "s", "", above(0), at_most(100), 0.5, "weight of the new sample in the potential; 0.5 is second order"}};
  struct Params {
    double s = 0.5;
  };
  Taylor() = default;
  explicit Taylor(const Params& p) { s_ = p.s; }
};

/// D17 as printed: a complex root ends the run.
struct TaylorStrict : Taylor {
  static constexpr Facts facts{"taylor-strict", "as printed: a complex root ends the run", "D17 (17)", order_two, 0};
  TaylorStrict() : TaylorStrict(Params{}) {}
  explicit TaylorStrict(const Params& p) : Taylor(p) { may_raise_ = false; }
};

/// s = s*: never complex for an unforced lossless mass, first order.
struct TaylorStar : TaylorBase {
  static constexpr Facts facts{"taylor-star", "s = 2 alpha/(alpha+1): never complex without forces",
                               "D17 (17), this library", order_one, 0};
  template <ContactLaw Law>
  void prepare(const Law& law, double dt_s) {
    TaylorBase::prepare(law, dt_s), s_ = 2 * law.exponent() / (law.exponent() + 1);
  }
};

}  // namespace jawari
