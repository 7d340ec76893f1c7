// SPDX-License-Identifier: MIT
// A dual number: a value and its derivative with respect to one parameter.  Laws, schemes and the single port run on it
// unchanged, with the bits of the value: PowerLawOf<Dual>, TwoPointOf<Dual>, solve_single_port, mode_step.
#pragma once
#include "jawari/core/elementary.h"
#include "jawari/core/number.h"
#include "jawari/core/power.h"

namespace jawari {

struct Dual {
  double v = 0;  ///< value
  double d = 0;  ///< derivative
  Dual() = default;
  JAWARI_HD constexpr Dual(double value, double derivative = 0) noexcept : v(value), d(derivative) {}

  friend JAWARI_HD constexpr Dual operator-(Dual a) noexcept { return {-a.v, -a.d}; }
  friend JAWARI_HD constexpr Dual operator+(Dual a, Dual b) noexcept { return {a.v + b.v, a.d + b.d}; }
  friend JAWARI_HD constexpr Dual operator-(Dual a, Dual b) noexcept { return {a.v - b.v, a.d - b.d}; }
  friend JAWARI_HD constexpr Dual operator*(Dual a, Dual b) noexcept { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
  friend JAWARI_HD constexpr Dual operator/(Dual a, Dual b) noexcept {
    const double value = a.v / b.v;
    return {value, (a.d - value * b.d) / b.v};
  }
  // Comparisons are those of the values: they decide which branch is taken.
  friend JAWARI_HD constexpr bool operator<(Dual a, Dual b) noexcept { return a.v < b.v; }
  friend JAWARI_HD constexpr bool operator>(Dual a, Dual b) noexcept { return a.v > b.v; }
  friend JAWARI_HD constexpr bool operator<=(Dual a, Dual b) noexcept { return a.v <= b.v; }
  friend JAWARI_HD constexpr bool operator>=(Dual a, Dual b) noexcept { return a.v >= b.v; }
  friend JAWARI_HD constexpr bool operator==(Dual a, Dual b) noexcept { return a.v == b.v; }

  friend JAWARI_HD Dual select(bool which, Dual yes, Dual no) noexcept { return which ? yes : no; }
  /// The derivative at 0 is infinite; it is set to 0 there, because the callers' arguments have no derivative at 0.
  friend JAWARI_HD Dual sqrt(Dual x) noexcept {
    const double value = jawari::sqrt(x.v);
    return {value, value > 0 ? x.d / (2 * value) : 0};
  }
  friend JAWARI_HD Dual abs(Dual x) noexcept { return x.v < 0 ? -x : x; }
  friend JAWARI_HD Dual max(Dual a, Dual b) noexcept { return a.v > b.v ? a : b; }
  friend JAWARI_HD Dual min(Dual a, Dual b) noexcept { return a.v < b.v ? a : b; }
  friend JAWARI_HD Dual with_sign(Dual x, Dual sign) noexcept {
    const double value = jawari::with_sign(x.v, sign.v);
    return {value, jawari::with_sign(1.0, value) == jawari::with_sign(1.0, x.v) ? x.d : -x.d};
  }
  friend JAWARI_HD bool same(Dual a, Dual b) noexcept { return a.v == b.v && a.d == b.d; }
  friend JAWARI_HD double plain(Dual x) noexcept { return x.v; }
};

/// The derivative by differences of fourth order: relative error about 1e-12 for the smooth functions of set-up.
template <class F>
Dual at_set_up(F&& f, Dual x) {
  const double value = f(x.v);
  if (x.d == 0) return value;
  const double h = 2e-3 * (abs(x.v) > 1 ? abs(x.v) : 1);
  const double slope = (8 * (f(x.v + h) - f(x.v - h)) - (f(x.v + 2 * h) - f(x.v - 2 * h))) / (12 * h);
  return {value, slope * x.d};
}

/// Compressions with a derivative, parameters without.
template <class Tables>
requires std::derived_from<Tables, PowerFormulas<Tables>> JAWARI_HD inline Dual raise(const Tables& power,
                                                                                      Dual x) noexcept {
  const double value = power(x.v);
  return {value, power.exponent() * (value / x.v) * x.d};
}

/// a x^p where a and p have derivatives, too.
class DualPower {
 public:
  explicit DualPower(Dual exponent, Dual factor = 1)
      : value_(exponent.v, factor.v), exponent_d_(exponent.d), factor_share_(factor.d / factor.v) {}
  Dual exponent() const noexcept { return {value_.exponent(), exponent_d_}; }
  friend Dual raise(const DualPower& power, Dual x) noexcept {
    const double value = power.value_(x.v);
    double share = power.value_.exponent() * x.d / x.v + power.factor_share_;  // of the derivative in the value
    if (power.exponent_d_ != 0) share += power.exponent_d_ * elementary::log(x.v);
    return {value, value * share};
  }

 private:
  Power value_;
  double exponent_d_, factor_share_;
};
template <>
struct PowerTable<Dual> {
  using type = DualPower;
};

}  // namespace jawari
