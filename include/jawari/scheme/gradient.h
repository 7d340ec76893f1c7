// SPDX-License-Identifier: MIT
// Discrete gradients: the force is the potential's difference quotient over the step, so the work it does is
// exactly the change of potential.  Iterative, second order, nothing left behind after the contact.
//   three-point  over [y^{n-1}, y^{n+1}]       B14 (16) = D17 (23) = CW17 (7) = DB19 (19)
//   two-point    over [y^{n-1/2}, y^{n+1/2}]   CW17 (8) in one variable; the more accurate of the two
// Loss: f = -m(s) (1 + mu s/2dt), PAR11 (1), cut at zero so that it never pulls (G3); passive for any mu.
// Both fall with s because m >= 0 rises with s for a convex potential.
// While a contact stores energy, its end points are carried in the state instead of being read off the body again:
// the same numbers then enter the potential twice, and the rounding of large positions costs no energy.
// Written on a number type T: double here, SIMD lanes in src/kernel; P is that of the law's parameters.
#pragma once
#include "jawari/core/facts.h"
#include "jawari/core/number.h"
#include "jawari/core/port.h"

namespace jawari {

template <int Points, class P = double>
struct Gradient {
  using Number = P;
  static_assert(Points == 2 || Points == 3);
  static constexpr int passes = 0;  // evaluated until the force settles
  static constexpr bool half_step = Points == 2;
  static constexpr bool keeps_psi = false, acts_ahead = true;
  static constexpr double samples = 3;
  static constexpr double share = Points == 3 ? 1.0 : 0.5;  // how much of s lies under the quotient
  template <class T>
  struct StateOf {
    T from = T(0), to = T(0);  // where the energy (G4) is read off: y^n and y^{n+1}, or y^{n+1/2} twice [m]
    static constexpr T StateOf::*kept[] = {&StateOf::to, &StateOf::from};  // from step to step
  };
  template <class T>
  struct StepOf {
    AnchorOf<T> from;  // y^{n-1} or y^{n-1/2}
    T middle;          // y^n [m]
  };
  using State = StateOf<P>;
  using Step = StepOf<P>;

  template <class Law>
  void prepare(const Law& law, double dt_s) {
    loss_ = law.loss_factor() / P(2 * dt_s);
  }
  template <class Law, class T>
  JAWARI_HD StateOf<T> start(const Law&, T y_m, T d_m) const noexcept {
    if constexpr (Points == 3)
      return {y_m - d_m, y_m};
    else
      return {y_m - d_m / 2, y_m - d_m / 2};
  }
  template <class Law, class T>
  JAWARI_HD StepOf<T> begin(const Law& law, const PortOf<T>& p, const StateOf<T>& state) const noexcept {
    const auto kept = holds(law, state);
    const StateOf<T> fresh = start(law, p.y, p.d);
    return {law.anchor(select(kept, state.from, fresh.from)), select(kept, state.to, fresh.to)};
  }
  /// (G1) three-point, (G2) two-point
  template <class Law, class T>
  JAWARI_HD ResponseOf<T> respond(const Law& law, const StepOf<T>& t, T s_m) const noexcept {
    const QuotientOf<T> m = law.mean_force(t.from, T(share * s_m));
    if (vanishes(loss_)) return {-m.value, -(share * m.slope)};
    const auto loss = loss_of(law);
    const T gain = 1 + loss * s_m;
    const auto pulls = gain <= 0.0;  // (G3)
    return {select(pulls, T(0), -m.value * gain), select(pulls, T(0), -(share * m.slope * gain + m.value * loss))};
  }
  template <class Law, class T>
  JAWARI_HD void refine(const Law&, StepOf<T>&, T, T) const noexcept {}

  /// Lost is what the force did not give back: -(f + m) s/2, where m s/2 is the change of potential.
  template <class Law, class T>
  JAWARI_HD T finish(const Law& law, const StepOf<T>& t, T s_m, StateOf<T>& state) const noexcept {
    const T to = t.from.y + share * s_m;
    if constexpr (Points == 3)
      state = {t.middle, to};
    else
      state = {to, to};
    if (vanishes(loss_)) return T(0);
    return law.mean_force(t.from, T(share * s_m)).value * max(T(loss_of(law) * s_m), T(-1.0)) * s_m / 2;
  }
  template <class Law, class T>
  JAWARI_HD T finish(const Law& law, const StepOf<T>& t, T s_m, T, StateOf<T>& state) const noexcept {
    return finish(law, t, s_m, state);
  }
  /// (G4) three-point (Phi(y^{n+1}) + Phi(y^n))/2, two-point Phi(y^{n+1/2})
  template <class Law, class T>
  JAWARI_HD T energy(const Law& law, const StateOf<T>& e) const noexcept {
    if constexpr (Points == 3)
      return (law.potential(e.from) + law.potential(e.to)) / 2;
    else
      return law.potential(e.to);
  }
  template <class Law, class T>
  JAWARI_HD auto holds(const Law& law, const StateOf<T>& e) const noexcept {
    return law.touches(e.from) || law.touches(e.to);
  }

 private:
  /// mu/2dt of this impact: a view of the law may change it.
  template <class Law>
  JAWARI_HD auto loss_of(const Law& law) const noexcept {
    if constexpr (requires { law.loss_share(); })
      return loss_ * law.loss_share();
    else
      return loss_;
  }
  P loss_ = P(0);  // mu/2dt [1/m]
};

template <class P>
struct ThreePointOf : Gradient<3, P> {
  static constexpr Facts facts{"three-point", "discrete gradient over two steps, Newton",
                               "B14 (16) = D17 (23) = CW17 (7) = DB19 (19)", order_two, 3.8};
};
using ThreePoint = ThreePointOf<double>;
template <class P>
struct TwoPointOf : Gradient<2, P> {
  static constexpr Facts facts{"two-point", "discrete gradient over half-steps, Newton; twice as accurate",
                               "CW17 (8) in one variable", order_two, 3.8};
};
using TwoPoint = TwoPointOf<double>;

}  // namespace jawari
