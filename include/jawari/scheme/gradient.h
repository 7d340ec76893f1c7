// SPDX-License-Identifier: MIT
// Discrete gradients: the force is the potential's difference quotient over the step, so the work it does is
// exactly the change of potential.  Iterative, second order, nothing left behind after the contact.
//   three-point  over [y^{n-1}, y^{n+1}]       B14 (16) = D17 (23) = CW17 (7) = DB19 (19)
//   two-point    over [y^{n-1/2}, y^{n+1/2}]   CW17 (8) in one variable; the more accurate of the two
// Loss: f = -m(s) (1 + mu s/2dt), PAR11 (1), cut at zero so that it never pulls (G3); passive for any mu.
// Both fall with s because m >= 0 rises with s for a convex potential.
// While a contact stores energy, its end points are carried in the state instead of being read off the body again:
// the same numbers then enter the potential twice, and the rounding of large positions costs no energy.
#pragma once
#include <algorithm>

#include "jawari/core/facts.h"
#include "jawari/core/port.h"

namespace jawari {

template <int Points>
struct Gradient {
  static_assert(Points == 2 || Points == 3);
  static constexpr int passes = 0;                          // asked again until the force settles
  static constexpr double share = Points == 3 ? 1.0 : 0.5;  // how much of s lies under the quotient
  struct State {
    double from = 0, to = 0;  // where the energy (G4) is read off: y^n and y^{n+1}, or y^{n+1/2} twice [m]
  };
  struct Step {
    Anchor from;    // y^{n-1} or y^{n-1/2}
    double middle;  // y^n [m]
  };

  template <ContactLaw Law>
  void prepare(const Law& law, double dt_s) {
    loss_ = law.loss_factor() / (2 * dt_s);
  }
  template <ContactLaw Law>
  State start(const Law&, double y_m, double d_m) const noexcept {
    return Points == 3 ? State{y_m - d_m, y_m} : State{y_m - d_m / 2, y_m - d_m / 2};
  }
  template <ContactLaw Law>
  Step begin(const Law& law, const Port& p, const State& state) const noexcept {
    const State at = holds(law, state) ? state : start(law, p.y, p.d);
    return {law.anchor(at.from), at.to};
  }
  /// (G1) three-point, (G2) two-point
  template <ContactLaw Law>
  Response respond(const Law& law, const Step& t, double s_m) const noexcept {
    const Quotient m = law.mean_force(t.from, share * s_m);
    const double gain = 1 + loss_ * s_m;
    if (gain <= 0) return {0, 0};  // (G3)
    return {-m.value * gain, -(share * m.slope * gain + m.value * loss_)};
  }
  template <ContactLaw Law>
  void refine(const Law&, Step&, double, double) const noexcept {}

  /// Lost is what the force did not give back: -(f + m) s/2, where m s/2 is the change of potential.
  template <ContactLaw Law>
  double finish(const Law& law, const Step& t, double s_m, State& state) const noexcept {
    const double to = t.from.y + share * s_m;
    state = {Points == 3 ? t.middle : to, to};
    return loss_ == 0 ? 0 : law.mean_force(t.from, share * s_m).value * std::max(loss_ * s_m, -1.0) * s_m / 2;
  }
  /// (G4) three-point (Phi(y^{n+1}) + Phi(y^n))/2, two-point Phi(y^{n+1/2})
  template <ContactLaw Law>
  double energy(const Law& law, const State& e) const noexcept {
    return Points == 3 ? (law.potential(e.from) + law.potential(e.to)) / 2 : law.potential(e.to);
  }
  template <ContactLaw Law>
  bool holds(const Law& law, const State& e) const noexcept {
    return law.touches(e.from) || law.touches(e.to);
  }

 private:
  double loss_ = 0;  // mu/2dt [1/m]
};

struct ThreePoint : Gradient<3> {
  static constexpr Facts facts{"three-point", "discrete gradient over two steps, Newton",
                               "B14 (16) = D17 (23) = CW17 (7) = DB19 (19)", order_two, 3.8};
};
struct TwoPoint : Gradient<2> {
  static constexpr Facts facts{"two-point", "discrete gradient over half-steps, Newton; twice as accurate",
                               "CW17 (8) in one variable", order_two, 3.8};
};

}  // namespace jawari
