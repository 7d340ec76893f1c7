// SPDX-License-Identifier: MIT
#include "jawari/core/power.h"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "support/golden.h"

namespace jawari {
namespace {

using Exact = boost::multiprecision::cpp_bin_float_50;

/// Largest relative error over log-uniform arguments from the smallest denormal to the largest double.
double worst_error(double exponent, int samples) {
  const Power power(exponent);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> wide(-1074, 1024), audio(-60, 5);
  test::Extremes error;
  for (int i = 0; i < samples; ++i) {
    const double x = std::exp2(i % 2 ? wide(random) : audio(random));
    if (!(x > 0) || std::isinf(x)) continue;
    const Exact wanted = pow(Exact(x), Exact(exponent));
    if (wanted < std::numeric_limits<double>::min() || wanted > std::numeric_limits<double>::max()) continue;
    error.add(std::abs(static_cast<double>((Exact(power(x)) - wanted) / wanted)));
  }
  return error.most();
}

TEST(Power, IsAccurateWhereverTheResultIsNormal) {
  for (const double p : {0.05, 0.15, 0.25, 0.5, 0.65, 1.0, 1.1, 1.3, 1.5, 2.0, 2.3, 3.0, 4.0, 5.0, 7.5, 13.0, 14.0})
    EXPECT_LE(worst_error(p, 4000), p <= 8 ? 2e-15 : 7e-15) << "exponent " << p;  // required: 1e-14
}

/// (W3) as lanes of floats would take it.
float single(const Power& power, float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const float m = std::bit_cast<float>((bits & 0x007fffff) | 0x3f800000);
  return power.evaluate_single(m - 1.5f, std::bit_cast<float>(power.single_scales()[bits >> 23 & 0xff]));
}

TEST(Power, IsAccurateInFloat) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> wide(-126, 127);
  for (const double p : {0.0, 0.05, 0.15, 0.25, 0.5, 0.75, 1.0, 1.3, 1.5, 2.3, 3.0, 4.5, 5.5, 6.0}) {
    const Power power(p, 7.5);
    test::Extremes error;
    for (int i = 0; i < 100000; ++i) {
      const auto x = static_cast<float>(std::exp2(wide(random)));
      const double wanted = power(x);
      if (wanted > 1e-36 && wanted < 1e37) error.add(std::abs(single(power, x) / wanted - 1));
    }
    EXPECT_LE(error.most(), p <= 3 ? 5e-7 : 3e-6) << "exponent " << p;
  }
  const Power power(0.15), steep(7);
  for (const float x : {0.0f, 1e-40f, std::numeric_limits<float>::infinity()})
    EXPECT_TRUE(std::isnan(single(power, x))) << x;
  EXPECT_TRUE(std::isnan(single(steep, 1))) << "not served";
}

TEST(Power, KnowsItsLimits) {
  const Power square(2), sqrt(0.5), constant(0);
  EXPECT_EQ(square(0), 0);
  EXPECT_EQ(constant(0), 1);
  EXPECT_EQ(constant(3.5), 1);
  EXPECT_TRUE(std::isnan(sqrt(-1)));
  EXPECT_TRUE(std::isnan(square(std::nan(""))));
  EXPECT_TRUE(std::isinf(square(1e300)));
  EXPECT_EQ(square(1e-300), 0);
  EXPECT_TRUE(std::isinf(sqrt(std::numeric_limits<double>::infinity())));
  EXPECT_TRUE(test::close(sqrt(5e-324), std::sqrt(5e-324), 1e-14));
}

TEST(Power, CarriesAFactor) {
  for (const double p : {0.0, 0.15, 1.0, 2.3})
    for (const double factor : {1e-9, 0.75, 3e12}) {
      const Power scaled(p, factor), plain(p);
      for (const double x : {1e-90, 1e-9, 0.3, 1.0, 7.0, 1e20})
        EXPECT_TRUE(test::close(scaled(x), factor * plain(x), 1e-15)) << p << " " << factor << " " << x;
      EXPECT_EQ(scaled(0), p == 0 ? factor : 0);
    }
}

TEST(Power, RefusesExponentsItIsNotMadeFor) {
  EXPECT_THROW(Power(-0.1), std::domain_error);
  EXPECT_THROW(Power(14.1), std::domain_error);
  EXPECT_THROW(Power(std::nan("")), std::domain_error);
}

/// Neighbouring cells of the table must meet: a jump would be a jump of the contact force.
TEST(Power, RisesThroughEveryCellBoundary) {
  const Power power(1.3);
  for (int j = 0; j <= 256; ++j) {
    const double x = 1 + j / 256.0, below = std::nextafter(x, 0);
    EXPECT_LE(power(below), power(x) * (1 + 4e-16)) << "cell " << j;
    EXPECT_TRUE(test::close(power(below), power(x), 1e-15)) << "cell " << j;
  }
}

}  // namespace
}  // namespace jawari
