// SPDX-License-Identifier: MIT
// Hunt-Crossley: the power law with a loss that grows with the force, F(y) (1 + mu dy/dt).  PAR11 (1).
// The elastic part is inherited; schemes read the loss factor and make it passive.  Restitution depends on mu times
// the speed alone, never on stiffness, exponent or mass (PAR11 (6)).
#pragma once
#include "jawari/contact/power_law.h"

namespace jawari {

template <class P, class Table = PowerOf<P>>
class HuntCrossleyOf : public PowerLawOf<P, Table> {
 public:
  using Elastic = PowerLawOf<P, Table>;
  static constexpr std::string_view name = "hunt-crossley";
  struct Params {
    P stiffness = P(1e9);  ///< K      [N/m^alpha]
    P exponent = P(1.5);   ///< alpha  [-], >= 1
    P mu = P(0.5);         ///< loss factor [s/m], >= 0
  };
  static constexpr Param table[] = {
      Elastic::table[0],
      Elastic::table[1],
      {"mu", "mu", "s/m", at_least(0), at_most(1e6), required, "Loss factor; 0 is elastic."}};

  explicit HuntCrossleyOf(const Params& p) : Elastic({p.stiffness, p.exponent}), mu_(p.mu) {}
  JAWARI_HD HuntCrossleyOf(const Elastic& elastic, P mu) noexcept : Elastic(elastic), mu_(mu) {}
  JAWARI_HD P loss_factor() const noexcept { return mu_; }
  HuntCrossleyOf with_stiffness(P stiffness) const requires std::constructible_from<Table, P, P> {
    return {Elastic::with_stiffness(stiffness), mu_};
  }
  HuntCrossleyOf weighted(P weight) const requires std::constructible_from<Table, P, P> {
    return {Elastic::weighted(weight), mu_};
  }
  HuntCrossleyOf stiffened(P factor) const requires std::constructible_from<Table, P, P> {
    return {Elastic::stiffened(factor), mu_};
  }
  /// As PowerLawOf::view().
  auto view() const noexcept requires requires(const Table& t) { t.view(); }
  { return HuntCrossleyOf<P, typename Table::View>(Elastic::view(), mu_); }

 private:
  P mu_;
};

using HuntCrossley = HuntCrossleyOf<double>;
using HuntCrossleyView = HuntCrossleyOf<double, PowerView>;
static_assert(ContactLaw<HuntCrossley> && LawFunctions<HuntCrossleyView>);

}  // namespace jawari
