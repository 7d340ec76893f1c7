// SPDX-License-Identifier: MIT
// Power law, acting on both sides of y = 0: D17 (3a), for any exponent >= 1 (the paper has odd integers).
// Exponent 1 is a linear spring, 3 the cubic oscillator.  psi carries the sign of the force, so that it is smooth
// through 0 and psi' >= 0 everywhere.
#pragma once
#include "jawari/contact/power_law.h"

namespace jawari {

template <class P, class Table = PowerOf<P>>
class OddPowerOf {
 public:
  using Half = PowerLawOf<P, Table>;
  using Number = P;
  static constexpr std::string_view name = "odd-power";
  static constexpr Sides sides = Sides::both;
  static constexpr bool power_form = true;
  using Params = typename Half::Params;
  static constexpr Param table[] = {Half::table[0], Half::table[1]};

  explicit OddPowerOf(const Params& p) : half_(p) {}
  JAWARI_HD explicit OddPowerOf(const Half& half) noexcept : half_(half) {}
  JAWARI_HD P stiffness() const noexcept { return half_.stiffness(); }
  JAWARI_HD P exponent() const noexcept { return half_.exponent(); }
  JAWARI_HD P loss_factor() const noexcept { return P(0); }
  template <class T>
  JAWARI_HD T depth(T y_m) const noexcept {
    return y_m;
  }
  template <class T>
  JAWARI_HD auto touches(T y_m) const noexcept {
    return abs(y_m) > Half::surface_m;
  }

  template <class T>
  JAWARI_HD T potential(T y_m) const noexcept {
    return half_.potential(abs(y_m));
  }
  template <class T>
  JAWARI_HD T force(T y_m) const noexcept {
    return with_sign(half_.force(abs(y_m)), y_m);
  }
  template <class T>
  JAWARI_HD T curvature(T y_m) const noexcept {
    const T at_rest = exponent() == 1 ? T(stiffness()) : T(0);
    return select(touches(y_m), half_.curvature(abs(y_m)), at_rest);
  }
  template <class T>
  JAWARI_HD T psi(T y_m) const noexcept {
    return with_sign(half_.psi(abs(y_m)), y_m);
  }
  template <class T>
  JAWARI_HD T psi_slope(T y_m) const noexcept {
    const T at_rest = exponent() == 1 ? T(sqrt(stiffness())) : T(0);
    return select(touches(y_m), half_.psi_slope(abs(y_m)), at_rest);
  }
  template <class T>
  JAWARI_HD PsiOf<T> psi_pair(T y_m) const noexcept {
    return {psi(y_m), psi_slope(y_m)};
  }
  template <class T>
  JAWARI_HD AnchorOf<T> anchor(T y_m) const noexcept {
    const AnchorOf<T> a = half_.anchor(abs(y_m));
    return {y_m, with_sign(a.force, y_m), a.potential};
  }
  /// (C6) on one side; across 0 the potentials do not cancel badly unless |y| and |y+r| are nearly equal, where the
  /// two halves are taken one by one: [Phi(y+r) - Phi(y)]/r with Phi even.
  template <class T>
  JAWARI_HD QuotientOf<T> mean_force(const AnchorOf<T>& a, T r_m) const noexcept {
    const T sign = with_sign(T(1), a.y);
    const AnchorOf<T> mirrored{sign * a.y, sign * a.force, a.potential};
    const T end = a.y + r_m;
    const auto deep = mirrored.y > 0.0, stays = deep && sign * end > 0.0, moves = r_m != 0.0;
    T value = a.force, slope(0);
    if (any_lane(stays)) {
      const QuotientOf<T> m = half_.mean_force(mirrored, T(sign * r_m));
      value = select(stays, sign * m.value, value);
      slope = select(stays, m.slope, slope);
    }
    if (const auto rests = !stays && !moves; any_lane(rests)) slope = select(rests, curvature(a.y) / 2, slope);
    if (const auto crosses = !stays && moves; any_lane(crosses)) {
      // Other side: Phi(end) - Phi(a) = Phi(|end|) - Phi(|a|) is a mean force over the short way from |a| to |end|.
      T mean(0);
      if (const auto from_within = crosses && deep; any_lane(from_within)) {
        const T way = abs(end) - abs(a.y);
        mean = select(from_within, half_.mean_force(mirrored, way).value * (way / r_m), mean);
      }
      if (const auto from_rest = crosses && !deep; any_lane(from_rest))
        mean = select(from_rest, potential(end) / r_m, mean);
      value = select(crosses, mean, value);
      slope = select(crosses, (force(end) - mean) / r_m, slope);
    }
    return {value, slope};
  }
  OddPowerOf weighted(P weight) const requires std::constructible_from<Table, P, P> {
    return OddPowerOf(half_.weighted(weight));
  }
  OddPowerOf stiffened(P factor) const requires std::constructible_from<Table, P, P> {
    return OddPowerOf(half_.stiffened(factor));
  }
  /// As PowerLawOf::view().
  auto view() const noexcept requires requires(const Table& t) { t.view(); }
  { return OddPowerOf<P, typename Table::View>(half_.view()); }

 private:
  Half half_;
};

using OddPower = OddPowerOf<double>;
using OddPowerView = OddPowerOf<double, PowerView>;
static_assert(ContactLaw<OddPower> && LawFunctions<OddPowerView>);

}  // namespace jawari
