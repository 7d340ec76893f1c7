// SPDX-License-Identifier: MIT
// Every law with every scheme that serves it on dual numbers: the value has the bits of double, and the derivatives
// with respect to all parameters are those of differences of long-double runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "jawari/scheme/list.h"
#include "support/number_runs.h"

namespace jawari {
namespace {

using test::Parameter;
using test::Problem;

constexpr double dt_s = 1 / 44100.0;
constexpr int steps = 200;

/// Schemes that serve one exponent or no loss get what they serve.
template <class S>
Problem<double> problem(double start_speed) {
  Problem<double> p{{2e6, 1.5, 0.6, 7e-4, 0.01, start_speed}};
  if constexpr (requires { S::only_exponent; }) p[Parameter::exponent] = S::only_exponent;
  if constexpr (requires { S::only_exponent; }) p[Parameter::stiffness] = S::only_exponent == 1 ? 5e4 : 2e12;
  return p;
}

template <class S, class MakeLaw, class T>
test::Motion<T> moved(const Problem<T>& p, double y_m) {
  return test::run<S>(MakeLaw::make(p), p[Parameter::mass], p[Parameter::speed], y_m, dt_s, steps);
}

/// What is left out of a derivative, by the words of scheme/impact_adapted.h; and what a law does not have.
template <class S, class MakeLaw>
bool has_no_derivative(Parameter by) {
  if (by == Parameter::mu)
    return MakeLaw::name != test::MakeHuntCrossley::name && MakeLaw::name != test::MakeTabulated::name;
  if (by == Parameter::gap) return MakeLaw::name != test::MakeCentreLimited::name;
  if (by == Parameter::exponent) return MakeLaw::name == test::MakeTabulated::name || requires {
      S::own_stiffness;
    };
  return false;
}

template <class MakeLaw>
void expect_derivatives_of_differences() {
  using Law = decltype(MakeLaw::make(Problem<double>()));
  const auto each = [&]<std::size_t i>() {
    using D = std::tuple_element_t<i, SchemesOf<double>>;
    using W = std::tuple_element_t<i, SchemesOf<long double>>;
    using S = std::tuple_element_t<i, SchemesOf<Dual>>;
    constexpr bool lossy = std::is_same_v<MakeLaw, test::MakeHuntCrossley>;
    if constexpr (serves<D, Law>() && !(lossy && requires { D::only_elastic; })) {
      for (const double speed : {0.7, 2.3}) {
        const Problem<double> p = problem<D>(speed);
        const double y_m = -3.3e-6, size_m = 1e-3;
        const auto wanted = moved<D, MakeLaw>(p, y_m);
        ASSERT_TRUE(wanted.settled) << D::facts.name;
        ASSERT_TRUE(wanted.touched) << D::facts.name;
        for (const Parameter by : test::parameters) {
          if (has_no_derivative<D, MakeLaw>(by)) continue;
          SCOPED_TRACE(std::string(MakeLaw::name) + ", " + std::string(D::facts.name) + ", speed " +
                       std::to_string(speed) + ", by " +
                       std::string(test::parameter_names[static_cast<std::size_t>(by)]));
          Problem<Dual> dual = p.template as<Dual>();
          dual[by].d = 1;
          const auto m = moved<S, MakeLaw>(dual, y_m);
          EXPECT_EQ(m.y.v, wanted.y);  // the same bits
          EXPECT_EQ(m.d.v, wanted.d);
          EXPECT_EQ(m.lost.v, wanted.lost);
          const long double h = 2e-8L * p[by];
          const auto at = [&](int k) {
            Problem<long double> other = p.template as<long double>();
            other[by] += k * h;
            return moved<W, MakeLaw>(other, y_m);
          };
          const auto a = at(1), b = at(-1), c = at(2), e = at(-2);
          const auto slope = [&](auto of) {
            return static_cast<double>((8 * (of(a) - of(b)) - (of(c) - of(e))) / (12 * h));
          };
          const double scale = std::max(size_m / p[by], std::abs(m.y.d));
          EXPECT_NEAR(m.y.d, slope([](const auto& x) { return x.y; }), 1e-9 * scale);
          EXPECT_NEAR(m.d.d, slope([](const auto& x) { return x.d; }), 1e-9 * scale);
          EXPECT_NEAR(m.lost.d, slope([](const auto& x) { return x.lost; }), 1e-9 / p[by]);
        }
      }
    }
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) { (each.template operator()<i>(), ...); }
  (std::make_index_sequence<std::tuple_size_v<SchemesOf<double>>>());
}

TEST(DualSchemes, PowerLaw) { expect_derivatives_of_differences<test::MakePowerLaw>(); }
TEST(DualSchemes, HuntCrossley) { expect_derivatives_of_differences<test::MakeHuntCrossley>(); }
TEST(DualSchemes, OddPower) { expect_derivatives_of_differences<test::MakeOddPower>(); }
TEST(DualSchemes, CentreLimited) { expect_derivatives_of_differences<test::MakeCentreLimited>(); }
TEST(DualSchemes, Tabulated) { expect_derivatives_of_differences<test::MakeTabulated>(); }

/// A law on the tables of another one moves with the same bits.
TEST(DualSchemes, ALawOnTablesElsewhereIsTheSame) {
  const HuntCrossley law({2e6, 1.5, 0.6});
  const auto owning = test::run<GuardedTwoPoint>(law, 0.01, 2.3, -3.3e-6, dt_s, steps);
  const auto viewing = test::run<GuardedTwoPoint>(law.view(), 0.01, 2.3, -3.3e-6, dt_s, steps);
  EXPECT_EQ(owning.y, viewing.y);
  EXPECT_EQ(owning.d, viewing.d);
  EXPECT_EQ(owning.lost, viewing.lost);
  EXPECT_LE(sizeof(HuntCrossleyView), 150u);
  EXPECT_TRUE(std::is_trivially_copyable_v<HuntCrossleyView>);
  const CentreLimited rattle({2e6, 2.5, 7e-4});
  const OddPower odd({2e6, 2.5});
  const std::vector<double> forces{0, 1, 5, 7};
  const Tabulated table(forces, 1e-3, 0.1);
  const Power power(2.3, 0.7);
  for (const double y : {-2e-3, -1e-200, 0.0, 3e-4, 5e-300, 1e300, 2e-3}) {
    EXPECT_EQ(rattle.view().force(y), rattle.force(y));
    EXPECT_EQ(odd.view().psi(y), odd.psi(y));
    EXPECT_EQ(table.view().potential(y), table.potential(y));
    if (y >= 0) {
      EXPECT_EQ(power.view()(y), power(y));
    }
  }
}

/// s = s_free - q (k s^3): the derivatives of the root by the formula of the implicit function.
TEST(DualSchemes, ARootFollowsItsParameters) {
  const double q = 0.3, k = 2, s_free = 1.7;
  const auto solve = [](Dual free_, Dual q_, Dual k_) {
    Dual s = 0;
    Outcome out;
    const auto respond = [&](Dual trial) {
      return ResponseOf<Dual>{-k_ * trial * trial * trial, -3 * k_ * trial * trial};
    };
    const Dual f = newton_bracketed(respond, free_, q_, s, out);
    EXPECT_TRUE(out.settled);
    EXPECT_NEAR(s.v, free_.v + q_.v * f.v, 1e-15);
    EXPECT_NEAR(s.d, free_.d + q_.d * f.v + q_.v * f.d, 1e-15);
    return s;
  };
  const double s = solve(s_free, q, k).v, slope = 1 + 3 * q * k * s * s;
  EXPECT_NEAR(solve({s_free, 1}, q, k).d, 1 / slope, 1e-15);
  EXPECT_NEAR(solve(s_free, {q, 1}, k).d, -k * s * s * s / slope, 1e-15);
  EXPECT_NEAR(solve(s_free, q, {k, 1}).d, -q * s * s * s / slope, 1e-15);
}

}  // namespace
}  // namespace jawari
