// SPDX-License-Identifier: MIT
// Centre-limited power law: free within |y| <= gap, a power law on either side.  D17 (3c); a rattle, a bolt in a
// slot, a loose connection.  psi carries the sign of the force, as in odd_power.h.
#pragma once
#include "jawari/contact/power_law.h"

namespace jawari {

template <class P, class Table = PowerOf<P>>
class CentreLimitedOf {
 public:
  using Side = PowerLawOf<P, Table>;
  using Number = P;
  static constexpr std::string_view name = "centre-limited";
  static constexpr Sides sides = Sides::gap;
  static constexpr bool power_form = true;
  struct Params {
    P stiffness = P(1e9);  ///< K      [N/m^alpha]
    P exponent = P(1.3);   ///< alpha  [-], >= 1
    P gap_m = P(1e-3);     ///< half of the free play [m], >= 0
  };
  static constexpr Param table[] = {Side::table[0],
                                    Side::table[1],
                                    {"gap_m", "h", "m", at_least(0), at_most(1e3), required, "Half of the free play."}};

  explicit CentreLimitedOf(const Params& p) : side_({p.stiffness, p.exponent}), gap_(p.gap_m) {}
  JAWARI_HD CentreLimitedOf(const Side& side, P gap_m) noexcept : side_(side), gap_(gap_m) {}
  JAWARI_HD P stiffness() const noexcept { return side_.stiffness(); }
  JAWARI_HD P exponent() const noexcept { return side_.exponent(); }
  JAWARI_HD P gap() const noexcept { return gap_; }
  JAWARI_HD P loss_factor() const noexcept { return P(0); }
  template <class T>
  JAWARI_HD T depth(T y_m) const noexcept {
    return with_sign(T(abs(y_m) - gap_), y_m);
  }
  template <class T>
  JAWARI_HD auto touches(T y_m) const noexcept {
    return abs(y_m) > gap_;
  }

  template <class T>
  JAWARI_HD T potential(T y_m) const noexcept {
    return side_.potential(beyond(y_m));
  }
  template <class T>
  JAWARI_HD T force(T y_m) const noexcept {
    return with_sign(side_.force(beyond(y_m)), y_m);
  }
  template <class T>
  JAWARI_HD T curvature(T y_m) const noexcept {
    return side_.curvature(beyond(y_m));
  }
  template <class T>
  JAWARI_HD T psi(T y_m) const noexcept {
    return with_sign(side_.psi(beyond(y_m)), y_m);
  }
  template <class T>
  JAWARI_HD T psi_slope(T y_m) const noexcept {
    return side_.psi_slope(beyond(y_m));
  }
  template <class T>
  JAWARI_HD PsiOf<T> psi_pair(T y_m) const noexcept {
    const PsiOf<T> p = side_.psi_pair(beyond(y_m));
    return {with_sign(p.value, y_m), p.slope};
  }
  template <class T>
  JAWARI_HD AnchorOf<T> anchor(T y_m) const noexcept {
    const AnchorOf<T> a = side_.anchor(beyond(y_m));
    return {y_m, with_sign(a.force, y_m), a.potential};
  }
  template <class T>
  JAWARI_HD QuotientOf<T> mean_force(const AnchorOf<T>& a, T r_m) const noexcept {
    const T sign = with_sign(T(1), a.y), end = a.y + r_m;
    const AnchorOf<T> near{sign * a.y - gap_, sign * a.force, a.potential};
    const QuotientOf<T> m = side_.mean_force(near, T(sign * r_m));  // this side alone
    T value = sign * m.value, slope = m.slope;
    // Across the gap to the other side: its potential comes on top.
    if (const auto crosses = !(sign * end >= -gap_); any_lane(crosses)) {
      const T far = side_.potential(T(-sign * end - gap_)) / r_m;
      value = select(crosses, value + far, value);
      slope = select(crosses, slope + (force(end) - far) / r_m, slope);
    }
    return {value, slope};
  }
  CentreLimitedOf weighted(P weight) const requires std::constructible_from<Table, P, P> {
    return {side_.weighted(weight), gap_};
  }
  CentreLimitedOf stiffened(P factor) const requires std::constructible_from<Table, P, P> {
    return {side_.stiffened(factor), gap_};
  }
  /// As PowerLawOf::view().
  auto view() const noexcept requires requires(const Table& t) { t.view(); }
  { return CentreLimitedOf<P, typename Table::View>(side_.view(), gap_); }

 private:
  template <class T>
  JAWARI_HD T beyond(T y_m) const noexcept {
    return abs(y_m) - gap_;
  }
  Side side_;
  P gap_;
};

using CentreLimited = CentreLimitedOf<double>;
using CentreLimitedView = CentreLimitedOf<double, PowerView>;
static_assert(ContactLaw<CentreLimited> && LawFunctions<CentreLimitedView>);

}  // namespace jawari
