// SPDX-License-Identifier: MIT
// Exponent 1: both discrete gradients have closed-form solutions at a single port.  q is the port's receptance.
//   three-point  B14 (26), four cases, with its erratum (K m/2 where m is printed)
//   two-point    the same over half-steps
// At several coupled ports they respond as the gradient they solve, so the closed form is only used where it is exact.
#pragma once
#include "jawari/scheme/gradient.h"

namespace jawari {

template <int Points, class P = double>
struct Linear : Gradient<Points, P> {
  using Gradient<Points, P>::share;
  template <class T>
  using StepOf = typename Gradient<Points, P>::template StepOf<T>;
  static constexpr bool one_sided = true, needs_power_form = true;
  static constexpr double only_exponent = 1;
  static constexpr bool only_elastic = true;

  /// With x = share s, c = share s_free, M = share q K/2 (three-point q K/2, two-point q K/4) and a = where it begins:
  ///   x - c + M ([a + x]+^2 - [a]+^2)/x = 0                                                                   (L1)
  template <class Law, class T>
  JAWARI_HD bool solve(const Law& law, const StepOf<T>& t, const PortOf<T>& p, T& s_m, T& f_N) const noexcept {
    const T a = t.from.y, c = share * p.s_free, M = share * p.q * law.stiffness() / 2;
    T force(0);  // mean force over the step, from the case's own formula: (s - s_free)/q would cancel
    if (a > 0.0) {
      const T x = (c - 2 * M * a) / (1 + M);
      if (a + x > 0.0) {
        force = law.stiffness() * (a + x / 2);  // inside all along
      } else {                                  // leaving: x^2 - c x - M a^2 = 0, the negative root
        const T r = sqrt(T(c * c + 4 * M * a * a));
        const T leaving = c > 0.0 ? T(-2 * M * a * a / (c + r)) : T((c - r) / 2);
        force = -law.stiffness() * a * a / (2 * leaving);
      }
    } else if (a + c >
               0.0) {  // entering: (1 + M) e^2 - (2 a + c) e + a (a + c) = 0 for e = a + x, the root in (0, a + c]
      const T b = 2 * a + c, gap = a * (a + c);  // gap <= 0
      const T r = sqrt(T(b * b - 4 * (1 + M) * gap));
      const T e = b > 0.0 ? T((b + r) / (2 * (1 + M))) : T(-2 * gap / (r - b));
      force = law.stiffness() * e * e / (2 * (e - a));
    }
    f_N = -force;
    s_m = p.s_free + p.q * f_N;
    return true;
  }
};

template <class P>
struct ThreePointLinearOf : Linear<3, P> {
  static constexpr Facts facts{"three-point-linear", "three-point for exponent 1 in closed form",
                               "B14 (26), K m/2 for the printed m", order_two, 0.85};
};
using ThreePointLinear = ThreePointLinearOf<double>;
template <class P>
struct TwoPointLinearOf : Linear<2, P> {
  static constexpr Facts facts{"two-point-linear", "two-point for exponent 1 in closed form", "CW17 (8), solved",
                               order_two, 0.9};
};
using TwoPointLinear = TwoPointLinearOf<double>;

}  // namespace jawari
