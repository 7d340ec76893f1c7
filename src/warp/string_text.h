// SPDX-License-Identifier: MIT
// PLACE TO REPLACE: the right-hand side of (S4) and the detection of a point, until body/string_step.h and
// couple/contact_point.h have them for every number type.  Same names, same order of operations.
#pragma once
#include "jawari/core/number.h"
#include "jawari/core/port.h"

namespace jawari {

template <class T>
JAWARI_HD inline T second_difference(const T& left, const T& middle, const T& right) noexcept {
  return (right - middle) - (middle - left);
}

struct StringTerms {
  bool load = true, bending = true, sigma0 = true, sigma1 = true;
};

template <class P>
struct StringCoefficientsOf {
  P tension = P(0), bending = P(0), s0_2 = P(0), s1_2 = P(0), q0 = P(0);
  StringCoefficientsOf() = default;
  template <class Numbers>
  JAWARI_HD explicit StringCoefficientsOf(const Numbers& a)
      : tension(P(a.tension)), bending(P(a.bending)), s0_2(P(2 * a.s0)), s1_2(P(2 * a.s1)), q0(P(a.q0)) {}
};

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

template <class T>
struct StringLoss {
  T squares = T(0), stretch = T(0), last = T(0);
  JAWARI_HD void add(const T& s) noexcept {
    add(s, last);
    last = s;
  }
  JAWARI_HD void add(const T& s, const T& beside) noexcept {
    const T rise = s - beside;
    squares = squares + s * s;
    stretch = stretch + rise * rise;
  }
  JAWARI_HD void end() noexcept { stretch = stretch + last * last; }
};

template <class Law, class T>
JAWARI_HD inline auto may_touch(const Law& law, const PortOf<T>& p) noexcept {
  const T before = p.y - p.d;
  return law.touches(p.y) || law.touches(before) || law.touches(before + p.s_free);
}

}  // namespace jawari
