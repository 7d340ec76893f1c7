// SPDX-License-Identifier: MIT
// core/elementary.h against numbers of 60 digits: every result is the double nearest to the true value.  JAWARI_SOAK=1
// tries 20,000 arguments per line below.
#include "jawari/core/elementary.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/gamma.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "support/effort.h"

namespace jawari {
namespace {

namespace mp = boost::multiprecision;
using Real = mp::number<mp::cpp_bin_float<60>, mp::et_off>;
constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

class Draw {
 public:
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine_); }
  double sign() { return engine_() % 2 == 0 ? 1 : -1; }
  /// 2^a .. 2^b, either sign; what std::exp2 makes of the exponent does not matter here
  double sized(double a, double b) { return sign() * std::exp2(between(a, b)); }

 private:
  std::mt19937_64 engine_{2026};
};
int tries(int quick) { return test::soak() ? 20000 : test::sanitized ? quick / 10 : quick; }

using One = double (*)(double);
void expect_nearest(One f, const std::function<Real(const Real&)>& expected, const std::function<double(Draw&)>& draw,
                    int quick = 500) {
  Draw d;
  for (int i = 0; i < tries(quick); ++i) {
    const double x = draw(d);
    ASSERT_EQ(f(x), static_cast<double>(expected(Real(x)))) << "at " << std::hexfloat << x;
  }
}
using Two = double (*)(double, double);
void expect_nearest(Two f, const std::function<Real(const Real&, const Real&)>& expected,
                    const std::function<double(Draw&)>& first, const std::function<double(Draw&)>& second,
                    int quick = 500) {
  Draw d;
  for (int i = 0; i < tries(quick); ++i) {
    const double x = first(d), y = second(d);
    ASSERT_EQ(f(x, y), static_cast<double>(expected(Real(x), Real(y)))) << "at " << std::hexfloat << x << ", " << y;
  }
}
std::function<double(Draw&)> between(double a, double b) {
  return [=](Draw& d) { return d.between(a, b); };
}
std::function<double(Draw&)> sized(double a, double b) {
  return [=](Draw& d) { return d.sized(a, b); };
}
std::function<double(Draw&)> positive(double a, double b) {
  return [=](Draw& d) { return std::abs(d.sized(a, b)); };
}
bool same(double a, double b) { return (a == b && std::signbit(a) == std::signbit(b)) || (a != a && b != b); }

TEST(Elementary, ExponentialsAreTheNearestDoubles) {
  const auto exp = [](const Real& x) -> Real { return mp::exp(x); };
  expect_nearest(elementary::exp, exp, between(-745, 709.7));
  expect_nearest(elementary::exp, exp, sized(-40, 3));
  expect_nearest(elementary::exp, exp, between(-745.2, -708));  // subnormal
  expect_nearest(
      elementary::exp2, [](const Real& x) -> Real { return mp::exp(x * mp::log(Real(2))); }, between(-1074, 1023));
  const auto expm1 = [](const Real& x) -> Real { return mp::expm1(x); };
  expect_nearest(elementary::expm1, expm1, sized(-50, 2));
  expect_nearest(elementary::expm1, expm1, between(-40, 709));
  expect_nearest(
      elementary::sinh, [](const Real& x) -> Real { return mp::expm1(x) / 2 - mp::expm1(-x) / 2; }, sized(-38, 9));
  expect_nearest(
      elementary::cosh, [](const Real& x) -> Real { return mp::exp(x) / 2 + mp::exp(-x) / 2; }, sized(-20, 9));
}

TEST(Elementary, LogarithmsAndPowersAreTheNearestDoubles) {
  const auto log = [](const Real& x) -> Real { return mp::log(x); };
  expect_nearest(elementary::log, log, positive(-1074, 1023.9));
  expect_nearest(elementary::log, log, between(0.5, 2));
  expect_nearest(elementary::log, log, [](Draw& d) { return 1 + d.sized(-52, -2); });
  const auto log1p = [](const Real& x) -> Real { return mp::log1p(x); };
  expect_nearest(elementary::log1p, log1p, sized(-50, -0.01));
  expect_nearest(elementary::log1p, log1p, positive(-3, 1000));
  expect_nearest(
      elementary::cbrt, [](const Real& x) -> Real { return mp::cbrt(x); }, sized(-1070, 1020));
  const auto pow = [](const Real& x, const Real& y) -> Real { return mp::pow(x, y); };
  expect_nearest(elementary::pow, pow, positive(-30, 30), between(-30, 30));
  expect_nearest(elementary::pow, pow, positive(-30, 30), [](Draw&) { return 1.5; });
  expect_nearest(elementary::pow, pow, positive(-3, 3), [](Draw& d) { return std::floor(d.between(-9, 10)); });
  expect_nearest(
      elementary::pow, pow, [](Draw& d) { return 1 + d.sized(-50, -2); }, between(-500, 500));
  expect_nearest(
      elementary::tgamma, [](const Real& x) -> Real { return boost::math::tgamma(x); }, between(0.01, 10), 20);
  expect_nearest(
      elementary::tgamma, [](const Real& x) -> Real { return boost::math::tgamma(x); }, between(10, 171), 20);
}

TEST(Elementary, SinesAndArcsAreTheNearestDoubles) {
  const auto sin = [](const Real& x) -> Real { return mp::sin(x); };
  const auto cos = [](const Real& x) -> Real { return mp::cos(x); };
  expect_nearest(elementary::sin, sin, sized(-39, 3));
  expect_nearest(elementary::sin, sin, between(-1e6, 1e6));
  expect_nearest(elementary::sin, sin, sized(20, 60));
  expect_nearest(elementary::cos, cos, sized(-20, 3));
  expect_nearest(elementary::cos, cos, sized(3, 60));
  expect_nearest(
      elementary::tan, [](const Real& x) -> Real { return mp::tan(x); }, sized(-38, 30));
  expect_nearest(
      elementary::asin, [](const Real& x) -> Real { return mp::asin(x); }, sized(-38, 0));
  expect_nearest(
      elementary::acos, [](const Real& x) -> Real { return mp::acos(x); }, between(-1, 1));
  expect_nearest(
      elementary::acos, [](const Real& x) -> Real { return mp::acos(x); },
      [](Draw& d) { return 1 - d.between(0, 1e-9); });
  expect_nearest(
      elementary::atan, [](const Real& x) -> Real { return mp::atan(x); }, sized(-38, 70));
  expect_nearest(
      elementary::atan2, [](const Real& y, const Real& x) -> Real { return mp::atan2(y, x); }, sized(-30, 30),
      sized(-30, 30));
  expect_nearest(
      elementary::hypot, [](const Real& x, const Real& y) -> Real { return mp::sqrt(x * x + y * y); }, sized(-30, 30),
      sized(-30, 30));
  expect_nearest(
      elementary::hypot, [](const Real& x, const Real& y) -> Real { return mp::sqrt(x * x + y * y); },
      sized(-1070, -1000), sized(-1070, -1000));
}

/// Arguments whose reduction needs all digits of pi, with numbers of 400 digits.
TEST(Elementary, SinesOfHugeArgumentsAreTheNearestDoubles) {
  using Huge = mp::number<mp::cpp_bin_float<400>, mp::et_off>;
  Draw d;
  const Huge half_pi = boost::math::constants::half_pi<Huge>();
  for (int i = 0; i < tries(40) / 4; ++i) {
    const double x = d.sized(40, 1023);
    const Huge turns = mp::floor(Huge(x) / half_pi + Huge(0.5)), rest = Huge(x) - turns * half_pi;
    const int quadrant = static_cast<int>(static_cast<long long>(mp::fmod(turns, Huge(4))) + 4) % 4;
    const Real r(rest);
    const Real s = quadrant == 0   ? mp::sin(r)
                   : quadrant == 1 ? mp::cos(r)
                   : quadrant == 2 ? Real(-mp::sin(r))
                                   : Real(-mp::cos(r));
    ASSERT_EQ(elementary::sin(x), static_cast<double>(s)) << std::hexfloat << x;
  }
  EXPECT_EQ(elementary::sin(6381956970095103.0 * 0x1p797), 1);  // closest of all to a multiple of pi/2
  EXPECT_EQ(elementary::cos(6381956970095103.0 * 0x1p797), -4.6871659242546277e-19);
}

/// x^1.5 of a square and whole powers may lie exactly between two doubles: the even one is right.
TEST(Elementary, TiesOfPowersGoToTheEven) {
  Draw d;
  for (int i = 0; i < tries(2000); ++i) {
    const double s = std::floor(d.between(1, 500000));
    const mp::cpp_int whole(s), cube = whole * whole * whole;
    const Real exact(cube);
    EXPECT_EQ(elementary::pow(s * s, 1.5), static_cast<double>(exact)) << s;
    EXPECT_EQ(elementary::pow(s, 3), static_cast<double>(exact)) << s;
  }
  EXPECT_EQ(elementary::pow(134217729, 2), 18014398777917440.0);
}

TEST(Elementary, SpecialValues) {
  using namespace elementary;
  for (One f : {One(elementary::exp), One(elementary::exp2), One(elementary::cosh)}) {
    EXPECT_EQ(f(0), 1);
    EXPECT_EQ(f(inf), inf);
    EXPECT_TRUE(same(f(nan), nan));
  }
  for (One f : {One(elementary::expm1), One(elementary::log1p), One(elementary::sinh), One(elementary::sin),
                One(elementary::tan), One(elementary::asin), One(elementary::atan), One(elementary::cbrt)}) {
    for (const double x : {0.0, -0.0, 1e-300, -4e-324})
      EXPECT_TRUE(f == One(elementary::cbrt) && x != 0 ? true : same(f(x), x)) << x;
    EXPECT_TRUE(same(f(nan), nan));
  }
  EXPECT_EQ(elementary::exp(-inf), 0);
  EXPECT_EQ(elementary::exp(710), inf);
  EXPECT_EQ(elementary::exp(-746), 0);
  EXPECT_EQ(elementary::exp2(10), 1024);
  EXPECT_EQ(elementary::exp2(-1074), 4e-324);
  EXPECT_EQ(elementary::expm1(-inf), -1);
  EXPECT_EQ(elementary::expm1(inf), inf);
  EXPECT_EQ(elementary::log(0), -inf);
  EXPECT_EQ(elementary::log(1), 0);
  EXPECT_EQ(elementary::log(inf), inf);
  EXPECT_TRUE(same(elementary::log(-1), nan));
  EXPECT_EQ(elementary::log1p(-1), -inf);
  for (const double x : {inf, -inf, nan}) {
    EXPECT_TRUE(same(elementary::sin(x), nan));
    EXPECT_TRUE(same(elementary::cos(x), nan));
    EXPECT_TRUE(same(elementary::tan(x), nan));
  }
  EXPECT_TRUE(same(elementary::asin(1.0000001), nan));
  EXPECT_EQ(elementary::acos(1), 0);
  EXPECT_EQ(elementary::tgamma(5), 24);
  EXPECT_EQ(elementary::tgamma(172), inf);
  EXPECT_EQ(elementary::hypot(3, 4), 5);
  EXPECT_EQ(elementary::hypot(-inf, nan), inf);
  // pow and atan2 are compared with the C library's, whose special values are those of the standard.
  const double values[] = {0.0, -0.0, 0.5, -0.5, 1, -1, 2, -2, 3, -3, 0.3, 1e300, -1e300, 1e-300, inf, -inf, nan};
  for (const double x : values)
    for (const double y : values) {
      EXPECT_TRUE(same(elementary::pow(x, y), std::pow(x, y))) << x << ", " << y << ": " << elementary::pow(x, y);
      EXPECT_TRUE(same(elementary::atan2(x, y), std::atan2(x, y))) << x << ", " << y << ": " << elementary::atan2(x, y);
    }
}

TEST(Elementary, SinesOfFractionsOfPiAreReducedInWholeNumbers) {
  const Real pi = boost::math::constants::pi<Real>();
  for (const std::int64_t n : {1, 2, 3, 4, 5, 6, 7, 12, 23, 64, 101, 360, 1000}) {
    const auto table = elementary::sine_table(static_cast<std::size_t>(n));
    ASSERT_EQ(table.size(), static_cast<std::size_t>(2 * n));
    for (std::int64_t i = 0; i<2 * n; i += n> 100 ? 7 : 1) {
      const double expected = i % n == 0 ? 0.0 : static_cast<double>(Real(mp::sin(pi * i / n)));
      EXPECT_EQ(elementary::sin_pi(i, n), expected) << i << "/" << n;
      EXPECT_EQ(table[static_cast<std::size_t>(i)], expected) << i << "/" << n;
      EXPECT_EQ(elementary::sin_pi(i - 4 * n, n), expected);
      EXPECT_EQ(elementary::cos_pi(i, n), elementary::sin_pi(2 * i + n, 2 * n));
    }
  }
  EXPECT_EQ(elementary::sin_pi(1, 6), 0.5);
  EXPECT_EQ(elementary::cos_pi(1, 3), 0.5);
}

}  // namespace
}  // namespace jawari
