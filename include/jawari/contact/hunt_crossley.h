// SPDX-License-Identifier: MIT
// Hunt-Crossley: the power law with a loss that grows with the force, F(y) (1 + mu dy/dt).  PAR11 (1).
// The elastic part is inherited; schemes read the loss factor and make it passive.  Restitution depends on mu times
// the speed alone, never on stiffness, exponent or mass (PAR11 (6)).
#pragma once
#include "jawari/contact/power_law.h"

namespace jawari {

class HuntCrossley : public PowerLaw {
 public:
  static constexpr std::string_view name = "hunt-crossley";
  struct Params {
    double stiffness = 1e9;  ///< K      [N/m^alpha]
    double exponent = 1.5;   ///< alpha  [-], >= 1
    double mu = 0.5;         ///< loss factor [s/m], >= 0
  };
  static constexpr Param table[] = {
      PowerLaw::table[0], PowerLaw::table[1],
      {"mu", "mu", "s/m", at_least(0), at_most(1e6), required, "loss factor; 0: elastic"}};

  explicit HuntCrossley(const Params& p) : PowerLaw({p.stiffness, p.exponent}), mu_(p.mu) {}
  double loss_factor() const noexcept { return mu_; }
  HuntCrossley weighted(double weight) const { return {PowerLaw::weighted(weight), mu_}; }
  HuntCrossley stiffened(double factor) const { return {PowerLaw::stiffened(factor), mu_}; }

 private:
  HuntCrossley(const PowerLaw& elastic, double mu) : PowerLaw(elastic), mu_(mu) {}
  double mu_;
};
static_assert(ContactLaw<HuntCrossley>);

}  // namespace jawari
