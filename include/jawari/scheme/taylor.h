// SPDX-License-Identifier: MIT
// Taylor schemes: the new potential is expanded to second order about y^n, so that the step is the root of a quadratic.
//   P(y, w) = Phi(y) + s (w Phi'(y) + w^2/2 Phi''(y)),   w = y^{n+1} - y^n                          (T1)   D17 (6)
// The energy balance with a force that does the work of P, and a damper R, at a port (c = s_free, d = y^n - y^{n-1}):
//   r (D r - c)/2q + P(y^n, w) - P(y^{n-1}, d) = 0,   r = w + d,   D = 1 + q R/2dt                  (T2)   D17 (16)
//   A r^2/2 + B r + C = 0,  A = D/q + s Phi'',  B = -c/2q + s (Phi' - d Phi''),  C = P(y^n, -d) - P(y^{n-1}, d)  (T3)
// The root that keeps the sign of the predicted velocity is taken (D17 3.3.2).  s = 1/2 is second order but has complex
// roots in a quarter of random problems; s* = 2 alpha/(alpha+1) never has one for an unforced lossless mass (proof in
// docs/theory/taylor.md).  A complex root is never clamped: s is raised for that step to where the root is double, or
// the run is told that it failed.  A raised s can leave P < 0; if the mass then leaves the contact with less energy than
// it owes, it pays what it can and the rest of P is kept (the monitor sees it as energy left outside).  Energy is exact
// throughout.
// With u the depth beyond the surface, Phi'' u = alpha Phi' and Phi' u = (alpha+1) Phi: written on these, neither the
// discriminant nor P cancels in stiff contacts, and one power function is enough (T4), (T5).
// For an undisturbed free mass the energy h is constant and known: no drift at all.  This is no falling response: one port only.
#pragma once
#include <cmath>
#include <limits>

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
    double P, h, u, F, R;  // depth [m] and elastic force [N] at y^n; damping [N s/m]
    double flat;           // Phi'' where u = 0 (a linear spring at rest), else 0
    bool undisturbed;
    double w = 0, s = 0, q = 0, P_next = 0;  // found by solve()
    double square = 0;  // B^2 - 2 A C before s is raised: a quarter of the discriminant D17 (18)
  };

  template <ContactLaw Law>
  void prepare(const Law& law, double dt_s) {
    alpha_ = law.exponent(), mu_ = law.loss_factor(), dt_ = dt_s;
  }
  template <ContactLaw Law>
  State start(const Law& law, double y_m, double d_m) const noexcept {
    const double y = y_m - d_m;
    const double P = law.potential(y) + s_ * (d_m * law.force(y) + d_m * d_m / 2 * law.curvature(y));  // (T1)
    return {P, 0, std::numeric_limits<double>::quiet_NaN()};  // h is not known yet: equal to no d
  }
  template <ContactLaw Law>
  Step begin(const Law& law, const Port& p, const State& state) const noexcept {
    Step t{state.P, state.h, law.touches(p.y) ? law.depth(p.y) : 0, law.force(p.y), 0, 0, false};
    if (t.u == 0) t.flat = law.curvature(p.y);
    if (mu_ != 0) {
      const double v = p.d / dt_;
      t.R = (v < 0 ? std::fmin(mu_, -1 / v) : mu_) * std::fmax(t.F, 0.0);
    }
    // The body's increment is w up to the rounding of s = w + d, d <= sqrt(2 q h): only more than that is a disturbance.
    constexpr double eps = std::numeric_limits<double>::epsilon();
    const double rounding = 16 * eps * (std::abs(p.d) + std::sqrt(2 * p.q * std::abs(state.h)));
    t.undisturbed = t.R == 0 && p.s_free == 2 * p.d && std::abs(p.d - state.d) <= rounding;
    if (!t.undisturbed) t.h = (p.q > 0 ? p.d * p.d / (2 * p.q) : 0) + state.P;
    return t;
  }
  /// One port.  False: the roots are complex and s may not be raised; then the contact stays silent.
  template <ContactLaw Law>
  bool solve(const Law&, Step& t, const Port& p, double& s_m, double& f_N) const noexcept {
    t.s = s_, t.q = p.q, t.w = p.s_free - p.d;
    s_m = p.s_free, f_N = 0;
    if (t.P == 0 && t.F == 0 && t.flat == 0) return true;  // nothing stored, nothing met
    if (!(p.q > 0)) {  // a point that no force moves
      t.P_next = t.P;
      f_N = -t.F;
      return true;
    }
    const double slope = t.u == 0 ? t.flat : alpha_ * t.F / t.u, phi = t.F * t.u / (alpha_ + 1);
    const double star = 2 * alpha_ / (alpha_ + 1), bend = t.F - p.d * slope, b0 = -p.s_free / (2 * p.q);
    if (t.R > 0) limit(t, p, star, bend, slope, phi, b0);
    const double A0 = (1 + p.q * t.R / (2 * dt_)) / p.q;
    // (T4) B^2 - 2 A C = k0 + k1 s - s F^2 (s* - s): the last term is what remains of s^2 Phi'^2 - 2 s Phi'' Phi
    double k0, k1;
    if (t.undisturbed) {
      k0 = 2 * A0 * (t.h - phi), k1 = 2 * slope * t.h;
    } else {
      k0 = b0 * b0 - 2 * A0 * (phi - t.P), k1 = 2 * b0 * bend + 2 * slope * t.P + A0 * p.d * (t.F + bend);
    }
    double below = star - t.s, owed = 0;  // s* - s, known better than s when s is raised
    double square = t.square = k0 + t.s * k1 - t.s * below * t.F * t.F;
    if (square < 0) {
      if (!may_raise_) return false;
      if (t.F != 0) below = below_star(t.F * t.F, k1 + star * t.F * t.F, k0 + star * k1), t.s = star - below;
      else owed = square / (2 * (A0 + t.s * slope));  // minus the least of A r^2/2 + B r + C: what cannot be paid
      square = 0;
    }
    const double A = A0 + t.s * slope, B = b0 + t.s * bend;
    const double r = std::copysign(std::sqrt(square), -B), step = (r - B) / A;  // keeps the sign of the velocity
    t.w = step - p.d;
    if (t.u == 0 || t.s * slope <= A0) {  // (T1): rounding of w cancels between kinetic energy and P
      t.P_next = phi + t.s * t.w * (t.F + t.w / 2 * slope) + owed;
    } else {  // (T5) P = F u/2alpha (s x^2 + s* - s), x = 1 + alpha w/u = (A0 (u - alpha d) - alpha (b0 - r))/(A u)
      const double x = (A0 * (t.u - alpha_ * p.d) + alpha_ * (r - b0)) / (A * t.u);
      t.P_next = t.F * t.u / (2 * alpha_) * (t.s * x * x + below) + owed;
    }
    s_m = step, f_N = force(t, p, step);
    return true;
  }
  template <ContactLaw Law>
  double finish(const Law&, const Step& t, double s_m, State& state) const noexcept {
    state = {t.P_next, t.undisturbed ? t.h : (t.q > 0 ? t.w * t.w / (2 * t.q) : 0) + t.P_next, t.w, t.s > s_ ? t.s : 0};
    return t.R * s_m * s_m / (4 * dt_);
  }
  /// The law has become so many times as stiff: what is stored, too, and h is not known.
  void stiffen(State& e, double factor) const noexcept {
    e.P *= factor;
    e.d = std::numeric_limits<double>::quiet_NaN();
  }
  template <ContactLaw Law>
  double energy(const Law&, const State& e) const noexcept {
    return e.P;
  }
  template <ContactLaw Law>
  bool holds(const Law&, const State& e) const noexcept {
    return e.P != 0;
  }
  // Coupled ports are refused by name (registry); these only complete the shape.
  template <ContactLaw Law>
  Response respond(const Law&, const Step&, double) const noexcept { return {0, 0}; }
  template <ContactLaw Law>
  void refine(const Law&, Step&, double, double) const noexcept {}

 protected:
  /// A damper must not take more than there is: with s* the step is real for D <= q k/2C, k and C as in (T4), and a
  /// larger R would have to be paid by P < 0 without limit.
  void limit(Step& t, const Port& p, double star, double bend, double slope, double phi, double b0) const noexcept {
    const double x = 1 - alpha_ * p.d / t.u, C = phi * x * x - t.P;
    if (C <= 0) return;
    const double D = p.q * (b0 * b0 + 2 * star * (b0 * bend + slope * t.P)) / (2 * C);
    t.R = std::fmin(t.R, std::fmax(2 * dt_ * (D - 1) / p.q, 0.0));
  }
  /// The force that makes this step, (s - s_free)/q, is also the one that does the work of P and R; whichever rounds
  /// less.  The first alone costs eps of the kinetic energy in every step, always with the same sign.
  double force(const Step& t, const Port& p, double step) const noexcept {
    const double by_step = (std::abs(step) + std::abs(p.s_free)) / p.q;
    const double by_work = 2 * (std::abs(t.P) + std::abs(t.P_next)) / std::abs(step);
    return by_work < by_step ? -2 * (t.P_next - t.P) / step - t.R * step / (2 * dt_) : (step - p.s_free) / p.q;
  }
  /// The smaller root of a x^2 - b x + c = 0, a > 0, for x = s* - s: the smallest s with real roots above one without.
  static double below_star(double a, double b, double c) noexcept {
    const double r = std::sqrt(std::fmax(b * b - 4 * a * c, 0.0));
    return b > 0 ? 2 * c / (b + r) : (b - r) / (2 * a);
  }

  double s_ = 0.5, alpha_ = 1, mu_ = 0, dt_ = 1;
  bool may_raise_ = true;
};

struct Taylor : TaylorBase {
  static constexpr Facts facts{"taylor", "root of a quadratic, s raised where it would be complex", "D17 (17)", order_two, 0.9};
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
  static constexpr Facts facts{"taylor-strict", "as printed: a complex root ends the run", "D17 (17)", order_two, 1};
  TaylorStrict() : TaylorStrict(Params{}) {}
  explicit TaylorStrict(const Params& p) : Taylor(p) { may_raise_ = false; }
};

/// s = s*: never complex for an unforced lossless mass, first order.
struct TaylorStar : TaylorBase {
  static constexpr Facts facts{"taylor-star", "s = 2 alpha/(alpha+1): never complex without forces",
                               "D17 (17), this library", order_one, 0.9};
  template <ContactLaw Law>
  void prepare(const Law& law, double dt_s) {
    TaylorBase::prepare(law, dt_s), s_ = 2 * law.exponent() / (law.exponent() + 1);
  }
};

}  // namespace jawari
