// SPDX-License-Identifier: MIT
// One step of a node of the string (S4) on any number type: the reference path, SIMD lanes along the string, and lanes
// of several strings share it.  A string comes in two forms: as differences, which keep the energy at any speed, and
// with its terms collected, for fused multiply-add.
#pragma once
#include "jawari/body/string_grid_numbers.h"
#include "jawari/core/number.h"

namespace jawari {

/// (right - middle) - (middle - left): D of (S4) at one node.
template <class T>
JAWARI_HD inline T second_difference(const T& left, const T& middle, const T& right) noexcept {
  return (right - middle) - (middle - left);
}

/// Which terms of (S4) a string has.  A term that is zero may be kept: adding it changes no number.
struct StringTerms {
  bool load = true, bending = true, sigma0 = true, sigma1 = true;
};

/// The coefficients of (S4) as the step multiplies by them, on the number type P.
template <class P>
struct StringCoefficientsOf {
  P tension = P(0), bending = P(0), s0_2 = P(0), s1_2 = P(0), q0 = P(0);  // s0_2 = 2 s0

  JAWARI_HD StringCoefficientsOf() {}
  template <class Numbers>
  JAWARI_HD explicit StringCoefficientsOf(const Numbers& a)
      : tension(P(a.tension)), bending(P(a.bending)), s0_2(P(2 * a.s0)), s1_2(P(2 * a.s1)), q0(P(a.q0)) {}
};

/// The right-hand side of (S4) without modulation.  curve = D u, bend = D D u, d_curve = D d of the node; load [N].
template <StringTerms terms, class A, class T>
JAWARI_HD inline T string_rhs(const A& a, const T& curve, const T& bend, const T& d, const T& d_curve,
                              const T& load) noexcept {
  T rhs = a.tension * curve;
  if constexpr (terms.load) rhs = rhs + a.q0 * load;
  if constexpr (terms.bending) rhs = rhs - a.bending * bend;
  if constexpr (terms.sigma0) rhs = rhs - a.s0_2 * d;
  if constexpr (terms.sigma1) rhs = rhs + a.s1_2 * d_curve;
  return rhs;
}

/// The same with its terms collected, for A = 1 and fused rounding:
///   rhs = d0 d + d1 (d-1 + d+1) + u0 u + u1 (u-1 + u+1) + u2 (u-2 + u+2) + q0 load                            (N3)
struct CollectedString {
  double u0 = 0, u1 = 0, u2 = 0, d0 = 0, d1 = 0;

  CollectedString() = default;
  explicit CollectedString(const GridNumbers& a)
      : u0(-(2 * a.tension + 6 * a.bending)),
        u1(a.tension + 4 * a.bending),
        u2(-a.bending),
        d0(-(2 * a.s0 + 4 * a.s1)),
        d1(2 * a.s1) {}
};

/// The terms of (N3) in the increments: of the node, and with sigma1 of the sum of its neighbours.
template <bool sigma1, class A, class T>
JAWARI_HD inline T collected_increments(const A& a, const T& d, const T& d_sides) noexcept {
  T rest = a.d0 * d;
  keep_order(rest);
  if constexpr (sigma1) {
    rest = rest + a.d1 * d_sides;
    keep_order(rest);
  }
  return rest;
}
/// (N3) from `rest`, the terms of the increments: near and far are sums over neighbours one and two nodes away.  A
/// number type may keep the compiler to this order by a keep_order() of its own.
template <class A, class T>
JAWARI_HD inline T string_collected(const A& a, const T& rest, const T& here, const T& near, const T& far) noexcept {
  T sum = rest + a.u0 * here;
  keep_order(sum);
  sum = sum + a.u1 * near;
  keep_order(sum);
  sum = sum + a.u2 * far;
  keep_order(sum);
  return sum;
}

/// Sums of a step for the losses of (S4): of s^2 and of its squared first differences, in which supports count as 0.
template <class T>
struct StringLoss {
  T squares = T(0), stretch = T(0), last = T(0);

  /// The next node along the string, in either direction.
  JAWARI_HD void add(const T& s) noexcept {
    add(s, last);
    last = s;
  }
  JAWARI_HD void add(const T& s, const T& beside) noexcept {
    const T rise = s - beside;
    add_square(s);
    stretch = stretch + rise * rise;
  }
  JAWARI_HD void add_square(const T& s) noexcept { squares = squares + s * s; }
  /// The difference to the support behind the last node.
  JAWARI_HD void end() noexcept { stretch = stretch + last * last; }
};
/// [J] of the sums above.
template <class Numbers, class T>
JAWARI_HD inline T string_loss_J(const Numbers& a, const T& squares, const T& stretch) noexcept {
  return (a.s0 * squares + a.s1 * stretch) / (2 * a.q0);
}

}  // namespace jawari
