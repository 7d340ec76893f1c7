// SPDX-License-Identifier: MIT
// One-sided power law: D17 (3b), B14 (5), CW17 (2), DB19 (9).
// Invariants (property-tested): Phi >= 0, Phi(y <= 0) = 0, psi^2 = 2 Phi, F = dPhi/dy, F never pulls and never
// falls (P2 rests on that).  A law is parameters and pure functions of y: no time step, no body, no scheme.
// Compressions up to 1e-100 m count as none: below, squares of y and r are not normal numbers, and 0/0 would follow.
// Parameters are of the number type P, compressions of any T that P works with.  Table holds the fitted powers:
// PowerOf<P> owns them, its View points to them.
#pragma once
#include <string_view>

#include "jawari/core/number.h"
#include "jawari/core/param.h"
#include "jawari/core/port.h"
#include "jawari/core/power.h"

namespace jawari {

template <class P, class Table = PowerOf<P>>
class PowerLawOf {
 public:
  static constexpr std::string_view name = "power";
  static constexpr Sides sides = Sides::one;
  static constexpr bool power_form = true;
  static constexpr double surface_m = 1e-100;
  using Number = P;
  struct Params {
    P stiffness = P(1e9);  ///< K      [N/m^alpha]
    P exponent = P(1.3);   ///< alpha  [-], >= 1
  };
  static constexpr Param table[] = {
      {"stiffness", "K", "N/m^alpha", above(0), at_most(1e25), required, "Force at 1 m of compression."},
      {"exponent", "alpha", "", at_least(1), at_most(13), required,
       "Exponent of the compression: 1 is a linear spring, 1.5 a sphere (Hertz), 2 to 3 felt."}};

  explicit PowerLawOf(const Params& p)
      : params_(p), built_(p.stiffness), force_power_(p.exponent), slope_power_(slope(p)) {}
  /// On powers that are at hand: of y^alpha and of (C5).
  JAWARI_HD PowerLawOf(const Params& p, const Table& force_power, const Table& slope_power) noexcept
      : PowerLawOf(p, p.stiffness, force_power, slope_power) {}

  JAWARI_HD P stiffness() const noexcept { return params_.stiffness; }
  JAWARI_HD P exponent() const noexcept { return params_.exponent; }
  JAWARI_HD P loss_factor() const noexcept { return P(0); }
  template <class T>
  JAWARI_HD auto touches(T y_m) const noexcept {
    return y_m > surface_m;
  }

  /// (C1)  Phi(y) = K/(alpha+1) [y]+^(alpha+1)                              [J]
  template <class T>
  JAWARI_HD T potential(T y_m) const noexcept {
    return force(y_m) * y_m / (exponent() + 1);
  }

  /// (C2)  F(y) = K [y]+^alpha                                              [N]
  template <class T>
  JAWARI_HD T force(T y_m) const noexcept {
    return touching(y_m, [&](T y) { return stiffness() * raise(force_power_, y); });
  }

  /// (C3)  F'(y) = alpha K [y]+^(alpha-1)                                   [N/m]
  template <class T>
  JAWARI_HD T curvature(T y_m) const noexcept {
    return touching(y_m, [&](T y) {
      const T g = raise(slope_power_, y);
      return 2 * exponent() / (exponent() + 1) * g * g;
    });
  }

  /// (C4)  psi(y) = sqrt(2 Phi) = psi' y 2/(alpha+1)                        [sqrt(J)]
  template <class T>
  JAWARI_HD T psi(T y_m) const noexcept {
    return psi_pair(y_m).value;
  }
  template <class T>
  JAWARI_HD PsiOf<T> psi_pair(T y_m) const noexcept {
    const T slope = psi_slope(y_m);
    return {slope * y_m * (2 / (exponent() + 1)), slope};
  }

  /// (C5)  psi' = sqrt(K (alpha+1)/2) y^((alpha-1)/2), and 0 at touch.  DB19 (26) as printed is 0/0 there.  [sqrt(J)/m]
  template <class T>
  JAWARI_HD T psi_slope(T y_m) const noexcept {
    return touching(y_m, [&](T y) { return raise(slope_power_, y); });
  }

  template <class T>
  JAWARI_HD T depth(T y_m) const noexcept {
    return y_m;
  }
  template <class T>
  JAWARI_HD AnchorOf<T> anchor(T y_m) const noexcept {
    const T F = force(y_m);
    return {y_m, F, F * y_m / (exponent() + 1)};
  }

  /// (C6)  [Phi(y+r) - Phi(y)]/r.  The plain difference is off by 5e-11 at r/y = 1e-6, and Newton then never
  /// settles (the energy does not show it): below |r/y| = 0.1 the binomial series is used.
  template <class T>
  JAWARI_HD QuotientOf<T> mean_force(const AnchorOf<T>& a, T r_m) const noexcept {
    const T end = a.y + r_m;
    const auto outside = a.y <= surface_m, leaves = end <= surface_m, wide = outside || abs(r_m) > 0.1 * a.y;
    T value(0), slope(0);
    if (const auto ends = !outside && leaves; any_lane(ends)) {
      value = select(ends, -a.potential / r_m, value);
      slope = select(ends, a.potential / (r_m * r_m), slope);
    }
    if (const auto far = !leaves && wide; any_lane(far)) {
      const AnchorOf<T> b = anchor(end);
      const T mean = (b.potential - a.potential) / r_m;
      value = select(far, mean, value);
      slope = select(far, (b.force - mean) / r_m, slope);
    }
    if (const auto near = !leaves && !wide; any_lane(near)) {
      const T x = r_m / a.y;
      T term(1), sum(1), rise(0);  // ((1+x)^(alpha+1) - 1) / ((alpha+1) x) and its derivative
      for (int j = 1; j <= 15; ++j) {
        term = term * ((exponent() + 1 - j) / (j + 1));
        rise = rise + j * term;  // term is c_j x^{j-1} here
        term = term * x;
        sum = sum + term;
      }
      value = select(near, a.force * sum, value);
      slope = select(near, a.force / a.y * rise, slope);
    }
    return {value, slope};
  }

  /// The same law with another stiffness, exactly.
  PowerLawOf with_stiffness(P stiffness) const requires std::constructible_from<Table, P, P> {
    PowerLawOf law(*this);
    if (!same(stiffness, params_.stiffness)) {
      law.params_.stiffness = stiffness;
      law.slope_power_ = slope(law.params_);
    }
    law.built_ = law.params_.stiffness;
    return law;
  }
  /// The same law with `weight` times the stiffness: from stiffness per length to stiffness per point.
  PowerLawOf weighted(P weight) const requires std::constructible_from<Table, P, P> {
    return with_stiffness(params_.stiffness * weight);
  }
  /// The law as it was made, with so many times its stiffness: of the factor alone, whatever the stiffness is now.
  PowerLawOf stiffened(P factor) const requires std::constructible_from<Table, P, P> {
    PowerLawOf law(*this);
    law.params_.stiffness = built_ * factor;
    law.slope_power_ = slope(law.params_);
    return law;
  }
  /// The law on the tables of this one, which must stay: a hundred bytes by value instead of sixteen thousand.
  auto view() const noexcept requires requires(const Table& t) { t.view(); }
  { return on(force_power_.view(), slope_power_.view()); }
  /// The law on other tables of the same powers: those that were copied to a device.
  template <class Other>
  JAWARI_HD PowerLawOf<P, Other> on(const Other& force_power, const Other& slope_power) const noexcept {
    return PowerLawOf<P, Other>(params_, built_, force_power, slope_power);
  }
  const Table& force_power() const noexcept { return force_power_; }
  const Table& slope_power() const noexcept { return slope_power_; }

 private:
  template <class, class>
  friend class PowerLawOf;
  JAWARI_HD PowerLawOf(const Params& p, P built, const Table& force_power, const Table& slope_power) noexcept
      : params_(p), built_(built), force_power_(force_power), slope_power_(slope_power) {}
  template <class Other>
  JAWARI_HD PowerLawOf(const Other& p, P built, const Table& force_power, const Table& slope_power) noexcept
      : PowerLawOf(Params{p.stiffness, p.exponent}, built, force_power, slope_power) {}

  template <class T, class Formula>
  JAWARI_HD static T touching(T y, Formula formula) noexcept {
    const auto inside = y > surface_m;
    if (!maybe_any(inside)) return T(0);
    return select(inside, T(formula(y)), T(0));  // the values of lanes outside are not used
  }

  static Table slope(const Params& p) {  // (C5)
    return Table((p.exponent - 1) / 2, sqrt(p.stiffness * (p.exponent + 1) / 2));
  }

  Params params_;
  P built_;
  Table force_power_, slope_power_;
};

using PowerLaw = PowerLawOf<double>;
using PowerLawView = PowerLawOf<double, PowerView>;
static_assert(ContactLaw<PowerLaw> && LawFunctions<PowerLawView>);

}  // namespace jawari
