// SPDX-License-Identifier: MIT
// A power law with loss as plain bytes: what a device copies, and reads where it lies.  The formulas are those of
// contact/hunt_crossley.h and core/power.h on these tables; without loss it is the power law, bit for bit.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "jawari/contact/hunt_crossley.h"
#include "warp/single.h"

namespace jawari::warp {

/// Tables of (W1).
struct PowerTables {
  double exponent;
  std::uint64_t first, count;
  double coefficients[5];
  PowerNode nodes[Power::node_count];
  double scales[Power::most_scales];

  void fill(const Power& power) noexcept {
    exponent = power.exponent();
    first = power.first_biased_exponent();
    count = power.scale_count();
    for (std::size_t i = 0; i < 5; ++i) coefficients[i] = power.coefficients()[i];
    for (std::size_t i = 0; i < Power::node_count; ++i) nodes[i] = power.nodes()[i];
    for (std::size_t i = 0; i < Power::most_scales; ++i) scales[i] = power.scales()[i];
  }
  JAWARI_HD PowerView view() const noexcept { return {exponent, first, count, coefficients, nodes, scales}; }
};

/// Tables of (W3).
struct SinglePowerTables {
  float coefficients[7];
  float scales[256];

  void fill(const Power& power) noexcept {
    for (std::size_t i = 0; i < 7; ++i) coefficients[i] = power.single_coefficients()[4 * i];
    for (std::size_t i = 0; i < 256; ++i) scales[i] = std::bit_cast<float>(power.single_scales()[i]);
    scales[0] = scales[1];  // zero and denormal arguments
  }
};

class SinglePowerView : public PowerFormulas<SinglePowerView> {
 public:
  JAWARI_HD explicit SinglePowerView(const SinglePowerTables& tables) noexcept : tables_(&tables) {}
  JAWARI_HD Single operator()(Single x) const noexcept {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x.v);
    const float m = std::bit_cast<float>((bits & 0x007fffffu) | 0x3f800000u);
    const float* c = tables_->coefficients;
    return this->evaluate_single(Single::of(m - 1.5f), Single::of(tables_->scales[(bits >> 23) & 0xff]),
                                 [c](std::size_t i) { return Single::of(c[i]); });
  }

 private:
  const SinglePowerTables* tables_;
};
JAWARI_HD inline Single raise(const SinglePowerView& power, Single x) noexcept { return power(x); }

template <class T>
struct LawTables;

template <>
struct LawTables<double> {
  double stiffness, exponent, mu;
  PowerTables force, slope;

  using Elastic = PowerLawOf<double, PowerView>;
  JAWARI_HD HuntCrossleyOf<double, PowerView> law() const noexcept {
    return {Elastic({stiffness, exponent}, force.view(), slope.view()), mu};
  }
};

template <>
struct LawTables<Single> {
  Single stiffness, exponent, mu;
  SinglePowerTables force, slope;

  using Elastic = PowerLawOf<Single, SinglePowerView>;
  JAWARI_HD HuntCrossleyOf<Single, SinglePowerView> law() const noexcept {
    return {Elastic({stiffness, exponent}, SinglePowerView(force), SinglePowerView(slope)), mu};
  }
};

template <class T>
void fill(LawTables<T>& tables, const PowerLaw& law, double mu) noexcept {
  tables.stiffness = T(law.stiffness());
  tables.exponent = T(law.exponent());
  tables.mu = T(mu);
  tables.force.fill(law.force_power());
  tables.slope.fill(law.slope_power());
}

template <class T>
using LawOf = std::remove_cvref_t<decltype(std::declval<LawTables<T>>().law())>;
static_assert(LawFunctions<LawOf<double>> && LawFunctions<LawOf<Single>>);

}  // namespace jawari::warp
