// SPDX-License-Identifier: MIT
// Every law: potential, force, psi and the stable difference quotient against one another and against long arithmetic.
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <random>

#include "jawari/contact/centre_limited.h"
#include "jawari/contact/hunt_crossley.h"
#include "jawari/contact/odd_power.h"
#include "jawari/contact/scaled.h"
#include "support/golden.h"

namespace jawari {
namespace {

using Exact = boost::multiprecision::cpp_bin_float_50;

template <class Law>
Law make(double stiffness, double exponent);
template <>
PowerLaw make(double K, double a) {
  return PowerLaw({K, a});
}
template <>
HuntCrossley make(double K, double a) {
  return HuntCrossley({K, a, 0.5});
}
template <>
OddPower make(double K, double a) {
  return OddPower({K, a});
}
template <>
CentreLimited make(double K, double a) {
  return CentreLimited({K, a, 1e-3});
}

/// Phi in long arithmetic, and the side on which y lies.
template <class Law>
Exact potential(const Law& law, Exact y) {
  Exact depth = y;
  if constexpr (Law::sides == Sides::both) depth = abs(y);
  if constexpr (Law::sides == Sides::gap) depth = abs(y) - Exact(law.gap());
  if (depth <= 0) return 0;
  return Exact(law.stiffness()) / Exact(law.exponent() + 1) * pow(depth, Exact(law.exponent()) + 1);
}

template <class Law>
double depth_of(const Law& law, double y) {
  if constexpr (Law::sides == Sides::gap) return std::abs(y) - law.gap();
  return std::abs(y);
}

template <class Law>
class Laws : public testing::Test {};
using All = testing::Types<PowerLaw, HuntCrossley, OddPower, CentreLimited>;
TYPED_TEST_SUITE(Laws, All);

TYPED_TEST(Laws, PotentialForceAndPsiBelongTogether) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> depth(-7, -1), exponents(1, 4);
  for (int i = 0; i < 300; ++i) {
    const auto law = make<TypeParam>(1e6, i % 4 == 0 ? 1.0 : exponents(random));
    const double y = (i % 2 ? 1 : -1) * std::pow(10, depth(random));
    SCOPED_TRACE(testing::Message() << "y " << y << ", exponent " << law.exponent());
    const double phi = law.potential(y), psi = law.psi(y), F = law.force(y);
    EXPECT_TRUE(test::close(phi, static_cast<double>(potential(law, y)), 1e-13));
    EXPECT_TRUE(test::close(psi * psi / 2, phi, 1e-14));
    EXPECT_TRUE(test::close(psi * law.psi_slope(y), F, 1e-14, 1e-300));  // F = psi psi'
    EXPECT_GE(law.psi_slope(y), 0);
    EXPECT_EQ(law.touches(y), phi > 0);
    if (!law.touches(y)) {
      EXPECT_EQ(F, 0);
      EXPECT_EQ(law.curvature(y), 0);
      EXPECT_EQ(law.psi_slope(y), 0);
      continue;
    }
    const double h = 1e-4 * depth_of(law, y);
    EXPECT_TRUE(test::close(F, (law.potential(y + h) - law.potential(y - h)) / (2 * h), 1e-6));
    EXPECT_TRUE(test::close(law.curvature(y), (law.force(y + h) - law.force(y - h)) / (2 * h), 1e-6));
  }
}

/// (C6) against 50 digits: also for steps of 1e-15 of the compression, across the surface and across the gap.
TYPED_TEST(Laws, MeanForceIsExactForAnyStep) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> depth(-6, -2), step(-17, 0.5), exponents(1, 4);
  for (int i = 0; i < 2000; ++i) {
    const auto law = make<TypeParam>(1e6, i % 4 == 0 ? 1.0 : exponents(random));
    const double y = (i % 2 ? 1 : -1) * std::pow(10, depth(random));
    const double r = (i % 3 ? 1 : -1) * std::pow(10, step(random)) * std::abs(y), end = y + r;
    if (end == y) continue;
    const double moved = end - y;  // what the two end points really are apart
    const Exact wanted = (potential(law, end) - potential(law, y)) / Exact(moved);
    const double scale = std::max(std::abs(law.force(y)), std::abs(law.force(end)));
    const Quotient m = law.mean_force(law.anchor(y), moved);
    EXPECT_TRUE(test::close(m.value, static_cast<double>(wanted), 4e-14, 2e-14 * scale)) << "y " << y << " r " << moved;
    EXPECT_GE(m.slope, 0) << "y " << y << " r " << moved;  // Phi is convex: the response falls (P2)
  }
}

TYPED_TEST(Laws, MeanForceOfNoStepIsTheForce) {
  const auto law = make<TypeParam>(1e6, 1.3);
  for (const double y : {-2e-3, 0.0, 1e-9, 2e-3}) {
    EXPECT_TRUE(test::close(law.mean_force(law.anchor(y), 0.0).value, law.force(y), 1e-15)) << y;
    EXPECT_TRUE(test::close(law.mean_force(law.anchor(y), 0.0).slope, law.curvature(y) / 2, 1e-12)) << y;
  }
}

TYPED_TEST(Laws, SlopeOfTheMeanForceIsItsDerivative) {
  const auto law = make<TypeParam>(1e6, 1.7);
  for (const double y : {-3e-3, -1e-4, 5e-4, 3e-3})
    for (const double r : {-7e-3, -1e-4, 3e-5, 8e-3}) {
      const Anchor a = law.anchor(y);
      const double h = 1e-6 * std::abs(r);
      const double wanted = (law.mean_force(a, r + h).value - law.mean_force(a, r - h).value) / (2 * h);
      EXPECT_TRUE(test::close(law.mean_force(a, r).slope, wanted, 1e-5, 1e-6 * law.stiffness() * 1e-3))
          << y << ' ' << r;
    }
}

TYPED_TEST(Laws, WeightAndScaleMultiplyTheStiffness) {
  const auto law = make<TypeParam>(1e6, 1.3);
  const auto heavy = law.weighted(7);
  const Scaled seen(law, 7);
  for (const double y : {-2e-3, 1e-5, 2e-3}) {
    EXPECT_TRUE(test::close(heavy.force(y), 7 * law.force(y), 1e-15));
    EXPECT_TRUE(test::close(seen.force(y), heavy.force(y), 1e-15));
    EXPECT_TRUE(test::close(seen.psi_slope(y), heavy.psi_slope(y), 1e-15));
    EXPECT_TRUE(test::close(seen.potential(y), heavy.potential(y), 1e-15));
    EXPECT_TRUE(
        test::close(seen.mean_force(seen.anchor(y), 1e-5).value, heavy.mean_force(heavy.anchor(y), 1e-5).value, 1e-14));
  }
  EXPECT_EQ(heavy.loss_factor(), law.loss_factor());
}

TEST(PowerLaw, SlopeOfPsiIsZeroAtTouchForEveryExponent) {
  for (const double a : {1.0, 1.3, 3.0}) EXPECT_EQ(PowerLaw({1e9, a}).psi_slope(0.0), 0) << a;
  EXPECT_TRUE(test::close(PowerLaw({1e9, 1}).psi_slope(1e-12), std::sqrt(1e9), 1e-15));
}

TEST(HuntCrossley, IsThePowerLawWithALossFactor) {
  const HuntCrossley lossy({1e7, 1.5, 0.25});
  const PowerLaw elastic({1e7, 1.5});
  EXPECT_EQ(lossy.loss_factor(), 0.25);
  EXPECT_EQ(lossy.force(1e-3), elastic.force(1e-3));
}

}  // namespace
}  // namespace jawari
