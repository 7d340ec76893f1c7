// SPDX-License-Identifier: MIT
// The data that bodies, schemes and couplings exchange.  No formula is here.
//
// One time step of any linear body, seen from its contact points, is  s = s_free + Q f  (P1), where
//   s = y^{n+1} - y^{n-1}   double step of the compression y, positive = touching        [m]
//   f                       force along +y (repulsion is negative); its work is f s / 2  [N]
// and a scheme is a response f(s) that never rises (P2: df/ds <= 0).  Q >= 0 and P2 make the pair uniquely
// solvable whatever the law, the body and the time step.  B14 (25), DB19 (28) and (50) are cases of it.
#pragma once
#include <concepts>

#include "jawari/core/facts.h"
#include "jawari/core/number.h"

namespace jawari {

/// Body -> scheme.  Increments, not positions: y_free - y_prev loses the energy by eps |u| / |s| per step.
template <class T>
struct PortOf {
  T y;       ///< y^n                                                [m]
  T d;       ///< y^n - y^{n-1}                                      [m]
  T s_free;  ///< (P1) double step without a force at this contact     [m]
  T q;       ///< (P1) own receptance ds/df >= 0, without forces at other ports [m/N]; may change every step
};
using Port = PortOf<double>;

/// Scheme -> coupling: the response at a trial s, and its slope there.
template <class T>
struct ResponseOf {
  T f;  ///< f(s)   [N]
  T b;  ///< df/ds  [N/m], never positive (P2)
};
using Response = ResponseOf<double>;

/// Mean force over [y, y + r] and its slope in r: what every discrete gradient needs.
template <class T>
struct QuotientOf {
  T value;  ///< [Phi(y+r) - Phi(y)] / r   [N]
  T slope;  ///< d value / dr              [N/m]
};
using Quotient = QuotientOf<double>;

/// Where a mean force begins.  Kept between the iterations of one step: half of the powers are spent here.
template <class T>
struct AnchorOf {
  T y;          ///< [m]
  T force;      ///< F(y)   [N]
  T potential;  ///< Phi(y) [J]
};
using Anchor = AnchorOf<double>;

/// psi and its slope, from one power function.
template <class T>
struct PsiOf {
  T value;  ///< [sqrt(J)]
  T slope;  ///< [sqrt(J)/m]
};

/// The functions of a law that a scheme calls within a step, on the number type T.
template <class L, class T = NumberOf<L>>
concept LawFunctions = requires(const L law, T y_m, T r_m, AnchorOf<T> anchor) {
  { L::sides } -> std::convertible_to<Sides>;
  {
    L::power_form
    } -> std::convertible_to<bool>;  // closed forms of a power law hold: those of scheme/impact_adapted.h, ...
  { law.exponent() }
  noexcept->std::convertible_to<T>;  // alpha, or that of a power law near it
  { law.stiffness() }
  noexcept->std::convertible_to<T>;  // K, or that of a power law near it [N/m^alpha]
  { law.loss_factor() }
  noexcept->std::convertible_to<T>;  // mu           [s/m], 0 if elastic
  { law.touches(y_m) }
  noexcept->std::same_as<bool>;  // Phi > 0
  { law.depth(y_m) }
  noexcept->std::same_as<T>;  // from the surface, with the sign of F [m]
  { law.potential(y_m) }
  noexcept->std::same_as<T>;  // Phi          [J]
  { law.force(y_m) }
  noexcept->std::same_as<T>;  // dPhi/dy      [N]
  { law.curvature(y_m) }
  noexcept->std::same_as<T>;  // d2Phi/dy2    [N/m]
  { law.psi(y_m) }
  noexcept->std::same_as<T>;  // psi psi/2 = Phi, sign of F  [sqrt(J)]
  { law.psi_slope(y_m) }
  noexcept->std::same_as<T>;  // dpsi/dy >= 0 [sqrt(J)/m]
  { law.psi_pair(y_m) }
  noexcept->std::same_as<PsiOf<T>>;  // both
  { law.anchor(y_m) }
  noexcept->std::same_as<AnchorOf<T>>;
  { law.mean_force(anchor, r_m) }
  noexcept->std::same_as<QuotientOf<T>>;  // accurate for r -> 0
};

/// A law as lines of contacts keep it (couple/line.h): its functions, and copies of another stiffness.
template <class L>
concept ContactLaw = LawFunctions<L> && std::copyable<L> && requires(const L law, NumberOf<L> factor) {
  {
    law.weighted(factor)
    } -> std::same_as<L>;  // so many times its stiffness: from stiffness per length to stiffness per point
  { law.stiffened(factor) } -> std::same_as<L>;  // the law as it was made, so many times as stiff: of the factor alone
};

/// State survives the step and is minimal; Step is scratch: what is fixed between begin and finish.
template <class S, class L, class T = NumberOf<L>>
concept SchemeFor = LawFunctions<L, T> &&
    requires(S fresh, const S scheme, const L law, const PortOf<T> port, typename S::State state,
             const typename S::State kept, typename S::Step step, const typename S::Step fixed, T x, double dt_s) {
  { S::passes } -> std::convertible_to<int>;  // linear solves per step; 0: until settled
  {fresh.prepare(law, dt_s)};                 // once, dt [s]: may be slow, may throw
  { scheme.start(law, x, x) }
  noexcept->std::same_as<typename S::State>;  // from y, d; also inside a contact
  { scheme.begin(law, port, kept) }
  noexcept->std::same_as<typename S::Step>;
  { scheme.respond(law, fixed, x) }
  noexcept->std::same_as<ResponseOf<T>>;  // x = trial s
  { scheme.refine(law, step, x, x) }
  noexcept;  // between passes: s, and s - q f
  { scheme.finish(law, fixed, x, state) }
  noexcept->std::same_as<T>;  // lost in this step [J]
  { scheme.energy(law, kept) }
  noexcept->std::same_as<T>;  // stored [J]
  { scheme.holds(law, kept) }
  noexcept->std::same_as<bool>;  // stored != 0, cheaply
};

}  // namespace jawari
