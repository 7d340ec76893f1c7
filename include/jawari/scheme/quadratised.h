// SPDX-License-Identifier: MIT
// Quadratised schemes: contact energy psi^2/2 with psi carried as a state; a fixed number of linear solves.
//   psi+ = psi + g s/2 (Q1),   f = -g (psi+ + psi)/2 - R s/2dt = -g psi - (g^2/4 + R/2dt) s (Q2)   DB19 (25)-(28)
// For ANY g and any R >= 0 the energy balance is exact: g is a free choice, made here by a Rule.
//   plain      g = psi'(y)                                   DB19 (26); leaves energy locked in psi
//   sign       g = sign(psi) psi'(y)                         van Walstijn et al. 2024 (EXP-0); no cure alone
//   returning  and outside the contact g = -2 psi/s_free     Ducceschi et al. 2021
//   reset      and outside the contact g empties psi at once
//   bounded    g <= g0, where g0 empties psi exactly         van Walstijn et al. 2024 (EXP-3)
//   secant     predictor bounded, then the secant of psi over the half-steps, bounded; second order
// (Q3) Bounding is a response of its own: for s < -2 psi/g the line (Q2) is continued by the hyperbola psi^2/s, with
// equal value and slope; the tangent of the hyperbola at s is (Q2) with g = -2 psi/s.  So among coupled ports each
// further pass is a Newton step towards psi+ = 0, and every pass, converged or not, keeps the energy.
// Written on a number type T: double here, SIMD lanes in src/kernel; P is that of the law's parameters.
#pragma once
#include "jawari/core/facts.h"
#include "jawari/core/number.h"
#include "jawari/core/port.h"

namespace jawari {

enum class Rule { plain, sign, returning, reset, bounded, secant };

template <Rule rule, int Passes, class P = double>
struct Quadratised {
  using Number = P;
  static constexpr int passes = Passes;
  static constexpr bool one_sided = rule != Rule::plain && rule != Rule::secant;  ///< serves no other law
  static constexpr double samples = rule == Rule::secant ? 3 : 6;
  static constexpr bool keeps_psi =
      rule == Rule::plain || rule == Rule::sign;  ///< after the contact, where it does nothing
  static constexpr bool acts_ahead =
      rule == Rule::secant;  ///< in the very step that arrives; otherwise a step that begins outside is free
  template <class T>
  struct StateOf {
    T psi = T(0);                                           // psi^{n-1/2}  [sqrt(J)]
    static constexpr T StateOf::*kept[] = {&StateOf::psi};  // from step to step
  };
  template <class T>
  struct StepOf {
    T psi, g, R, y, half, q;        // half = y^{n-1/2} [m];  R [N s/m]
    PsiOf<T> there = {T(0), T(0)};  // the law's own psi and psi' at y^{n-1/2} (secant)
    template <class Visit>
    JAWARI_HD void each_number(Visit&& visit) {
      visit(psi);
      visit(g);
      visit(R);
      visit(y);
      visit(half);
      visit(q);
      if constexpr (rule == Rule::secant) {
        visit(there.value);
        visit(there.slope);
      }
    }
  };
  /// A point that stores nothing and does not touch stays silent while reach + reach_share s <= 0.
  static constexpr double reach_share = 0.5;
  template <class T>
  JAWARI_HD static T reach(T y_m, T d_m) noexcept {
    return y_m - d_m / 2;
  }
  using State = StateOf<P>;
  using Step = StepOf<P>;

  template <class Law>
  void prepare(const Law& law, double dt_s) {
    mu_ = law.loss_factor();
    dt_ = P(dt_s);
  }
  /// psi = 0 is right only out of contact: a string resting on its bridge would lose what it stores.
  template <class Law, class T>
  JAWARI_HD StateOf<T> start(const Law& law, T y_m, T d_m) const noexcept {
    return {law.psi(y_m - d_m / 2)};
  }
  template <class Law, class T>
  JAWARI_HD StepOf<T> begin(const Law& law, const PortOf<T>& p, const StateOf<T>& state) const noexcept {
    StepOf<T> t{state.psi, law.psi_slope(p.y), T(0), p.y, p.y - p.d / 2, p.q};
    if constexpr (rule == Rule::returning)
      t.g = select(p.y < 0.0 && p.s_free < 0.0, -2 * t.psi / min(p.s_free, T(-1e-120)), t.g);  // g^2 is finite
    const T mu = vanishes(mu_) ? T(0) : damping(p.d / dt_, T(1));
    if (!vanishes(mu_) && rule != Rule::bounded) t.R = mu * (rule == Rule::secant ? law.force(p.y) : abs(t.psi * t.g));
    if constexpr (rule == Rule::reset) reset(t, p.s_free);
    if constexpr (rule == Rule::secant) t.there = law.psi_pair(t.half);
    if constexpr (rule == Rule::secant) bound(law, t, p.s_free);
    if constexpr (rule == Rule::bounded) {  // R = mu psi g with the g that is found, so D holds g too: see bound()
      bound(law, t, p.s_free, mu * t.q * t.psi * t.psi / dt_);
      t.R = mu * abs(t.psi * t.g);
    }
    return t;
  }
  template <class Law, class T>
  JAWARI_HD ResponseOf<T> respond(const Law&, const StepOf<T>& t, T s_m) const noexcept {
    const T half_g = t.g / 2;
    T b = half_g * half_g;
    if (!vanishes(mu_)) b = b + t.R / (2 * dt_);
    return {-(t.g * t.psi + b * s_m), -b};  // (Q2)
  }
  /// s_alone = s - q f: the free step as this port saw it, the other ports' forces included.
  template <class Law, class T>
  JAWARI_HD void refine(const Law& law, StepOf<T>& t, T s_m, T s_alone_m) const noexcept {
    if constexpr (rule == Rule::secant) {
      const T next = t.half + s_m / 2, psi = law.psi(next);
      t.g = select(abs(s_m) > 1e-9 * abs(t.half), 2 * (psi - t.there.value) / s_m, t.there.slope);
      if (!vanishes(mu_)) t.R = damping(s_m / (2 * dt_), T(t.g * (psi + t.there.value) / 2));
      t.y = next;  // y^{n+1/2} <= 0 counts as outside
    }
    if constexpr (rule >= Rule::bounded) bound(law, t, s_alone_m);
  }
  template <class Law, class T>
  JAWARI_HD T finish(const Law& law, const StepOf<T>& t, T s_m, StateOf<T>& state) const noexcept {
    return end(law, t, s_m, T(t.psi + t.g / 2 * s_m), state);  // (Q1)
  }
  /// With the force that holds s.  Where q |b| >> 1, s is the small difference of large terms, and (Q1) would multiply
  /// its rounding by g; (Q2) then gives s, and with it psi+ and the loss, from the force, which is known to rounding.
  template <class Law, class T>
  JAWARI_HD T finish(const Law& law, const StepOf<T>& t, T s_m, T f_N, StateOf<T>& state) const noexcept {
    T psi = t.psi + t.g / 2 * s_m;
    if (!vanishes(mu_)) {
      const T b4 = t.g * t.g + 2 * t.R / dt_;  // 4 |b|
      if (const auto stiff = t.q * b4 > 1e6; any_lane(stiff)) {
        s_m = select(stiff, -4 * (f_N + t.g * t.psi) / b4, s_m);
        psi = t.psi + t.g / 2 * s_m;
      }
    } else if (const auto stiff = t.q * (t.g * t.g) > 1e6; any_lane(stiff)) {
      psi = select(stiff, -t.psi - 2 * f_N / t.g, psi);
    }
    return end(law, t, s_m, psi, state);
  }
  /// The law has become so many times as stiff: what is stored, too.
  template <class T>
  JAWARI_HD void stiffen(StateOf<T>& e, T factor) const noexcept {
    e.psi = e.psi * sqrt(factor);
  }
  template <class Law, class T>
  JAWARI_HD T energy(const Law&, const StateOf<T>& e) const noexcept {
    return e.psi * e.psi / 2;
  }
  template <class Law, class T>
  JAWARI_HD auto holds(const Law&, const StateOf<T>& e) const noexcept {
    return e.psi != 0.0;
  }

 private:
  template <class Law, class T>
  JAWARI_HD T end(const Law&, const StepOf<T>& t, T s_m, T psi, StateOf<T>& state) const noexcept {
    if constexpr (rule != Rule::plain && Law::sides == Sides::one) psi = abs(psi);  // only psi^2 is physical
    if constexpr (rule > Rule::sign)  // these empty psi: what is left then is rounding, with a denormal tail
      psi = select(abs(psi) < 1e-14 * abs(t.psi) || abs(psi) < T(1e-100), T(0), psi);
    state.psi = psi;
    return t.R * s_m * s_m / (4 * dt_);  // R v^2 dt
  }
  /// R = mu F, never more than takes the elastic force to zero (mu v >= -1).
  template <class T>
  JAWARI_HD T damping(T v_m_s, T force_N) const noexcept {
    return select(v_m_s < 0.0, min(T(mu_), -1 / v_m_s), T(mu_)) * max(force_N, T(0));
  }
  /// psi+ = 0 in the first step outside: s^2 - s_free s - q psi^2 = 0, the root with the sign of s_free.
  template <class T>
  JAWARI_HD static void reset(StepOf<T>& t, T s_free) noexcept {
    const T r = sqrt(s_free * s_free + 4 * t.q * t.psi * t.psi);
    const T s = (s_free + select(s_free < 0.0, -r, r)) / 2;
    t.g = select(t.y <= 0.0 && abs(t.psi) > 0.0, -2 * t.psi / s, t.g);
  }
  /// (Q3) D s^2 - s_alone s - q psi^2 = 0 with s < 0, D = 1 + q R/2dt, then g0 = -2 psi/s.
  /// R = mu psi g0 turns this into s^2 - (s_alone + braked) s - q psi^2 = 0, braked = q mu psi^2/dt.
  /// "Outside, g = g0" holds only while leaving: coming back, g0 -> infinity (exact on paper, 1e200 J in floating
  /// point), so psi waits.  While leaving q g0^2 <= 4 D always.
  template <class Law, class T>
  JAWARI_HD void bound(const Law& law, StepOf<T>& t, T s_alone, T braked = T(0)) const noexcept {
    if constexpr (Law::sides == Sides::both) return;  // there is no outside
    // With a gap the side is where psi comes from, or where y is when psi is empty; mirrored, psi >= 0 below.
    const T from = Law::sides == Sides::one ? T(1) : select(t.psi != 0.0, t.psi, t.y);
    const T side = select(from < 0.0, T(-1), T(1));
    const T psi = side * t.psi, leaving = side * s_alone;
    const auto outside = !law.touches(t.y) || side * t.y <= 0.0, waits = psi == 0.0 || (outside && leaving >= 0.0);
    t.g = select(outside && waits, T(0), t.g);
    if (!maybe_any(!waits)) return;
    const T D = 1 + t.q * t.R / (2 * dt_), a = leaving + braked, c = t.q * psi * psi, r = sqrt(a * a + 4 * D * c);
    const T g0 = select(a < 0.0, 4 * D * psi / (r - a), psi * (a + r) / c);
    t.g = select(!waits && (outside || t.g > g0), g0, t.g);
  }

  P mu_ = P(0), dt_ = P(1);
};

template <class P>
struct QuadratisedPlainOf : Quadratised<Rule::plain, 1, P> {
  static constexpr Facts facts{"quadratised", "one division per step; leaves energy locked in psi", "DB19 (28)",
                               order_of_psi, 1};
};
using QuadratisedPlain = QuadratisedPlainOf<double>;
template <class P>
struct QuadratisedSignOf : Quadratised<Rule::sign, 1, P> {
  static constexpr Facts facts{"sign-rule", "quadratised, never adhesive; energy still stays locked",
                               "van Walstijn et al. 2024 (EXP-0)", order_of_psi, 1};
};
using QuadratisedSign = QuadratisedSignOf<double>;
template <class P>
struct QuadratisedReturningOf : Quadratised<Rule::returning, 1, P> {
  static constexpr Facts facts{"returning", "quadratised, gives psi back after release", "Ducceschi et al. 2021",
                               order_of_psi, 0.78};
};
using QuadratisedReturning = QuadratisedReturningOf<double>;
template <class P>
struct QuadratisedResetOf : Quadratised<Rule::reset, 1, P> {
  static constexpr Facts facts{"reset", "quadratised, empties psi in the first step outside", "DB19 (28), this library",
                               order_of_psi, 0.9};
};
using QuadratisedReset = QuadratisedResetOf<double>;
template <class P>
struct QuadratisedBoundedOf : Quadratised<Rule::bounded, 1, P> {
  static constexpr Facts facts{"bounded", "quadratised, psi never below zero and empty after release",
                               "van Walstijn et al. 2024 (EXP-3)", order_of_psi, 0.95};
};
using QuadratisedBounded = QuadratisedBoundedOf<double>;
template <class P>
struct SecantOnceOf : Quadratised<Rule::secant, 2, P> {
  static constexpr Facts facts{"secant-1", "bounded, then the secant of psi over the step; fixed cost", "this library",
                               order_two, 2.7};
};
using SecantOnce = SecantOnceOf<double>;
template <class P>
struct SecantTwiceOf : Quadratised<Rule::secant, 3, P> {
  static constexpr Facts facts{"secant-2", "secant with a second pass; the best at fixed cost", "this library",
                               order_two, 3.6};
};
using SecantTwice = SecantTwiceOf<double>;

}  // namespace jawari
