// SPDX-License-Identifier: MIT
// Taylor schemes: the new potential is expanded to second order about y^n, so that the step is the root of a quadratic.
//   P(y, w) = Phi(y) + s (w Phi'(y) + w^2/2 Phi''(y)),   w = y^{n+1} - y^n                          (T1)   D17 (6)
// The energy balance with a force that does the work of P, and a damper R, at a port (c = s_free, d = y^n - y^{n-1}):
//   r (D r - c)/2q + P(y^n, w) - P(y^{n-1}, d) = 0,   r = w + d,   D = 1 + q R/2dt                  (T2)   D17 (16)
//   A r^2/2 + B r + C = 0,  A = D/q + s Phi'',  B = -c/2q + s (Phi' - d Phi''),  C = P(y^n, -d) - P(y^{n-1}, d)  (T3)
// The root that keeps the sign of the predicted velocity is taken (D17 3.3.2).  s = 1/2 is second order but has complex
// roots in a quarter of random problems; s* = 2 alpha/(alpha+1) never has one for an unforced lossless mass (proof in
// docs/theory/taylor.md).  A complex root is never clamped: s is raised for that step to where the root is double, or
// the run fails.  A raised s can leave P < 0; if the mass then leaves the contact with less energy
// than -P, its energy becomes zero and the rest of P is kept (the monitor reports energy left outside).  Energy is
// exact throughout. With u the depth beyond the surface, Phi'' u = alpha Phi' and Phi' u = (alpha+1) Phi: written on
// these, neither the discriminant nor P cancels in stiff contacts, and one power function is enough (T4), (T5). For an
// undisturbed free mass the energy h is constant and known: no drift at all.  This is not a falling response: one port
// only.
#pragma once
#include <limits>

#include "jawari/core/facts.h"
#include "jawari/core/number.h"
#include "jawari/core/param.h"
#include "jawari/core/port.h"

namespace jawari {

template <class P_>
struct TaylorBaseOf {
  static constexpr int passes = 1;
  static constexpr bool quadratic_root = true;  ///< the step is the root of a quadratic equation, which can be complex
  static constexpr bool one_port = true;        ///< no falling response: no island with other contacts
  static constexpr bool needs_power_form = true;
  static constexpr double lossy_exponent = 1.01;  ///< with loss it keeps the energy from this exponent on
  using Number = P_;
  template <class T>
  struct StateOf {
    T P = T(0), h = T(0),
      d = T(0);       // P(y^{n-1}, d^n) [J]; energy of an undisturbed mass [J] and the d^n it belongs to [m]
    T raised = T(0);  // the s of this step where it had to be raised, else 0
  };
  template <class T>
  struct StepOf {
    T P, h, u, F, R;  // depth [m] and elastic force [N] at y^n; damping [N s/m]
    T flat;           // Phi'' where u = 0 (a linear spring at rest), else 0
    bool undisturbed = false;
    T w = T(0), s = T(0), q = T(0), P_next = T(0);  // found by solve()
    T square = T(0);  // B^2 - 2 A C before s is raised: a quarter of the discriminant D17 (18)
  };
  using State = StateOf<P_>;
  using Step = StepOf<P_>;

  template <class Law>
  void prepare(const Law& law, double dt_s) {
    alpha_ = law.exponent();
    mu_ = law.loss_factor();
    dt_ = Number(dt_s);
  }
  template <class Law, class T>
  JAWARI_HD StateOf<T> start(const Law& law, T y_m, T d_m) const noexcept {
    const T y = y_m - d_m;
    const T P = law.potential(y) + s_ * (d_m * law.force(y) + d_m * d_m / 2 * law.curvature(y));  // (T1)
    return {P, T(0), unknown<T>(), T(0)};  // h is not known yet: equal to no d
  }
  template <class Law, class T>
  JAWARI_HD StepOf<T> begin(const Law& law, const PortOf<T>& p, const StateOf<T>& state) const noexcept {
    StepOf<T> t{state.P, state.h, law.touches(p.y) ? law.depth(p.y) : T(0), law.force(p.y), T(0), T(0)};
    if (t.u == 0.0) t.flat = law.curvature(p.y);
    if (!vanishes(mu_)) {
      const T v = p.d / dt_;
      t.R = (v < 0.0 ? min(T(mu_), T(-1 / v)) : T(mu_)) * max(t.F, T(0));
    }
    // The body's increment is w up to the rounding of s = w + d, d <= sqrt(2 q h): only more than that is a
    // disturbance.
    constexpr auto eps = std::numeric_limits<PlainOf<T>>::epsilon();
    const T rounding = 16 * eps * (abs(p.d) + sqrt(T(2 * p.q * abs(state.h))));
    t.undisturbed = vanishes(t.R) && same(p.s_free, T(2 * p.d)) && abs(T(p.d - state.d)) <= rounding;
    if (!t.undisturbed) t.h = (p.q > 0.0 ? T(p.d * p.d / (2 * p.q)) : T(0)) + state.P;
    return t;
  }
  /// One port.  False: the roots are complex and s may not be raised; then the contact stays silent.
  template <class Law, class T>
  JAWARI_HD bool solve(const Law&, StepOf<T>& t, const PortOf<T>& p, T& s_m, T& f_N) const noexcept {
    t.s = T(s_);
    t.q = p.q;
    t.w = p.s_free - p.d;
    s_m = p.s_free;
    f_N = T(0);
    if (vanishes(t.P) && vanishes(t.F) && vanishes(t.flat)) return true;  // nothing stored, nothing met
    if (!(p.q > 0.0)) {                                                   // a point that no force moves
      t.P_next = t.P;
      f_N = -t.F;
      return true;
    }
    const T slope = t.u == 0.0 ? t.flat : T(alpha_ * t.F / t.u), phi = t.F * t.u / (alpha_ + 1);
    const T star = T(2 * alpha_ / (alpha_ + 1)), bend = t.F - p.d * slope, b0 = -p.s_free / (2 * p.q);
    if (t.R > 0.0) limit(t, p, star, bend, slope, phi, b0);
    const T A0 = (1 + p.q * t.R / (2 * dt_)) / p.q;
    // (T4) B^2 - 2 A C = k0 + k1 s - s F^2 (s* - s): the last term is what remains of s^2 Phi'^2 - 2 s Phi'' Phi
    T k0, k1;
    if (t.undisturbed) {
      k0 = 2 * A0 * (t.h - phi);
      k1 = 2 * slope * t.h;
    } else {
      k0 = b0 * b0 - 2 * A0 * (phi - t.P);
      k1 = 2 * b0 * bend + 2 * slope * t.P + A0 * p.d * (t.F + bend);
    }
    T below = star - t.s, owed(0);  // s* - s, known better than s when s is raised
    T square = t.square = k0 + t.s * k1 - t.s * below * t.F * t.F;
    if (square < 0.0) {
      if (!may_raise_) return false;
      if (t.F != 0.0) {
        below = below_star(T(t.F * t.F), T(k1 + star * t.F * t.F), T(k0 + star * k1));
        t.s = star - below;
      } else {
        owed = square / (2 * (A0 + t.s * slope));  // minus the least of A r^2/2 + B r + C: what cannot be paid
      }
      square = T(0);
    }
    const T A = A0 + t.s * slope, B = b0 + t.s * bend;
    const T r = with_sign(sqrt(square), T(-B)), step = (r - B) / A;  // keeps the sign of the velocity
    t.w = step - p.d;
    if (t.u == 0.0 || t.s * slope <= A0) {  // (T1): rounding of w cancels between kinetic energy and P
      t.P_next = phi + t.s * t.w * (t.F + t.w / 2 * slope) + owed;
    } else {  // (T5) P = F u/2alpha (s x^2 + s* - s), x = 1 + alpha w/u = (A0 (u - alpha d) - alpha (b0 - r))/(A u)
      const T x = (A0 * (t.u - alpha_ * p.d) + alpha_ * (r - b0)) / (A * t.u);
      t.P_next = t.F * t.u / (2 * alpha_) * (t.s * x * x + below) + owed;
    }
    s_m = step;
    f_N = force(t, p, step);
    return true;
  }
  template <class Law, class T>
  JAWARI_HD T finish(const Law&, const StepOf<T>& t, T s_m, StateOf<T>& state) const noexcept {
    const T moving = t.q > 0.0 ? T(t.w * t.w / (2 * t.q)) : T(0);
    state = {t.P_next, t.undisturbed ? t.h : T(moving + t.P_next), t.w, t.s > s_ ? t.s : T(0)};
    return t.R * s_m * s_m / (4 * dt_);
  }
  /// The law has become so many times as stiff: what is stored, too, and h is not known.
  template <class T>
  JAWARI_HD void stiffen(StateOf<T>& e, T factor) const noexcept {
    e.P = e.P * factor;
    e.d = unknown<T>();
  }
  template <class Law, class T>
  JAWARI_HD T energy(const Law&, const StateOf<T>& e) const noexcept {
    return e.P;
  }
  template <class Law, class T>
  JAWARI_HD bool holds(const Law&, const StateOf<T>& e) const noexcept {
    return e.P != 0.0;
  }
  // Coupled ports are refused by name (registry); these only complete the shape.
  template <class Law, class T>
  JAWARI_HD ResponseOf<T> respond(const Law&, const StepOf<T>&, T) const noexcept {
    return {T(0), T(0)};
  }
  template <class Law, class T>
  JAWARI_HD void refine(const Law&, StepOf<T>&, T, T) const noexcept {}

 protected:
  template <class T>
  JAWARI_HD static T unknown() noexcept {
    return T(std::numeric_limits<PlainOf<T>>::quiet_NaN());
  }
  /// A damper must not take more than there is: with s* the step is real for D <= q k/2C, k and C as in (T4), and a
  /// larger R would have to be paid by P < 0 without limit.
  template <class T>
  JAWARI_HD void limit(StepOf<T>& t, const PortOf<T>& p, T star, T bend, T slope, T phi, T b0) const noexcept {
    const T x = 1 - alpha_ * p.d / t.u, C = phi * x * x - t.P;
    if (C <= 0.0) return;
    const T D = p.q * (b0 * b0 + 2 * star * (b0 * bend + slope * t.P)) / (2 * C);
    t.R = min(t.R, max(T(2 * dt_ * (D - 1) / p.q), T(0)));
  }
  /// The force that makes this step, (s - s_free)/q, is also the one that does the work of P and R; whichever rounds
  /// less.  The first alone costs eps of the kinetic energy in every step, always with the same sign.
  template <class T>
  JAWARI_HD T force(const StepOf<T>& t, const PortOf<T>& p, T step) const noexcept {
    const T by_step = (abs(step) + abs(p.s_free)) / p.q;
    const T by_work = 2 * (abs(t.P) + abs(t.P_next)) / abs(step);
    if (by_work < by_step) return -2 * (t.P_next - t.P) / step - t.R * step / (2 * dt_);
    return (step - p.s_free) / p.q;
  }
  /// The smaller root of a x^2 - b x + c = 0, a > 0, for x = s* - s: the smallest s with real roots above one without.
  template <class T>
  JAWARI_HD static T below_star(T a, T b, T c) noexcept {
    const T r = sqrt(max(T(b * b - 4 * a * c), T(0)));
    return b > 0.0 ? T(2 * c / (b + r)) : T((b - r) / (2 * a));
  }

  P_ s_ = P_(0.5), alpha_ = P_(1), mu_ = P_(0), dt_ = P_(1);
  bool may_raise_ = true;
};

template <class P>
struct TaylorOf : TaylorBaseOf<P> {
  static constexpr Facts facts{"taylor", "root of a quadratic, s raised where it would be complex", "D17 (17)",
                               order_two, 0.9};
  static constexpr Param table[] = {
      {"s", "s", "", above(0), at_most(100), 0.5, "Weight of the new sample in the potential; 0.5 is second order."}};
  struct Params {
    P s = P(0.5);
  };
  TaylorOf() = default;
  explicit TaylorOf(const Params& p) { this->s_ = p.s; }
};
using Taylor = TaylorOf<double>;

/// D17 as printed: a complex root ends the run.
template <class P>
struct TaylorStrictOf : TaylorOf<P> {
  static constexpr Facts facts{"taylor-strict", "as printed: a complex root ends the run", "D17 (17)", order_two, 1};
  static constexpr bool complex_root_ends = true;
  using Params = typename TaylorOf<P>::Params;
  TaylorStrictOf() : TaylorStrictOf(Params{}) {}
  explicit TaylorStrictOf(const Params& p) : TaylorOf<P>(p) { this->may_raise_ = false; }
};
using TaylorStrict = TaylorStrictOf<double>;

/// s = s*: never complex for an unforced lossless mass, first order.
template <class P>
struct TaylorStarOf : TaylorBaseOf<P> {
  static constexpr Facts facts{"taylor-star", "s = 2 alpha/(alpha+1): never complex without forces",
                               "D17 (17), this library", order_one, 0.9};
  template <class T>
  static T weight(T exponent) noexcept {
    return 2 * exponent / (exponent + 1);
  }
  template <class Law>
  void prepare(const Law& law, double dt_s) {
    TaylorBaseOf<P>::prepare(law, dt_s);
    this->s_ = weight(P(law.exponent()));
  }
};
using TaylorStar = TaylorStarOf<double>;

}  // namespace jawari
