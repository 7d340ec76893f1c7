// SPDX-License-Identifier: MIT
#include "jawari/impact/closed_form.h"

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/numeric/odeint.hpp>
#include <cmath>

#include "jawari/impact/advice.h"
#include "support/golden.h"

namespace jawari {
namespace {

using Exact = boost::multiprecision::cpp_bin_float_100;

/// PAR11 (6) in 100 digits: restitution for a given mu v.
double restitution_in_100_digits(double mu_v) {
  const Exact u = mu_v;
  if (mu_v < 1) {
    const Exact wanted = u - log(1 + u);
    Exact x = u * exact::restitution(mu_v);
    for (int i = 0; i < 8; ++i) x -= (-x - log(1 - x) - wanted) * (1 - x) / x;
    return static_cast<double>(x / u);
  }
  const Exact rhs = log(1 + u) - (1 + u);
  Exact p = exp(rhs);
  for (int i = 0; i < 200; ++i) {
    const Exact miss = log(p) - p - rhs;
    p -= miss / (1 / p - 1);
    if (abs(miss) < Exact("1e-80")) break;
  }
  return static_cast<double>((1 - p) / u);
}

TEST(Restitution, IsWithinFourUlpOverTwelveDecades) {
  test::Extremes ulps;
  for (int n = 0; n <= 1200; ++n) {
    const double U = std::pow(10, -9 + n / 100.0), wanted = restitution_in_100_digits(U);
    ulps.add(std::abs(exact::restitution(U) - wanted) / (std::nextafter(wanted, 2) - wanted));
  }
  EXPECT_LE(ulps.most(), 4);
  EXPECT_EQ(exact::restitution(0), 1);
}

TEST(Restitution, AndTheLossFactorAreInverse) {
  for (const auto& [e, mu_v] :
       {std::pair{0.9, 0.166482}, {0.7, 0.634828}, {0.5, 1.432751}, {0.3, 3.087082}, {0.1, 9.998159}})
    EXPECT_TRUE(test::close(exact::mu_v_for_restitution(e), mu_v, 1e-6)) << e;
  for (const double U : {1e-6, 1e-3, 0.1, 1.0, 7.0, 100.0, 900.0})
    EXPECT_TRUE(test::close(exact::mu_v_for_restitution(exact::restitution(U)), U, U < 1e-3 ? 1e-9 : 1e-12)) << U;
  EXPECT_EQ(exact::mu_v_for_restitution(1), 0);
  EXPECT_THROW(exact::mu_v_for_restitution(0), std::domain_error);
  EXPECT_THROW(exact::mu_v_for_restitution(1.1), std::domain_error);
}

/// The differential equation itself, by an independent integrator of order 8.
struct Solved {
  double time, x_max, v_out;
};
Solved solve_ode(const exact::Impact& i) {
  using State = std::array<double, 2>;
  const auto rate = [&](const State& s, State& d, double) {
    const double x = std::max(s[0], 0.0);
    d = {s[1], -i.stiffness / i.mass_kg * std::pow(x, i.exponent) * (1 + i.mu * s[1])};
  };
  boost::numeric::odeint::runge_kutta_fehlberg78<State> method;
  State s{0, i.speed_m_s};
  const double dt = exact::contact_time(i) / 40000;
  double t = 0, x_max = 0;
  State before = s;
  while (s[0] >= 0) {
    before = s;
    method.do_step(rate, s, t, dt);
    t += dt;
    x_max = std::max(x_max, s[0]);
  }
  const double beyond = s[0] / s[1];  // back along the free flight
  return {t - beyond, x_max, s[1]};
}

TEST(ContactTime, MatchesTheDifferentialEquation) {
  for (const double U : {0.0, 0.3, 3.0, 40.0})
    for (const double alpha : {1.0, 1.5, 3.0}) {
      const exact::Impact i{.mass_kg = 0.02, .stiffness = 3e6, .exponent = alpha, .mu = U / 2, .speed_m_s = 2};
      const Solved s = solve_ode(i);
      SCOPED_TRACE(testing::Message() << "mu v " << U << ", exponent " << alpha);
      EXPECT_TRUE(test::close(exact::contact_time(i), s.time, 1e-6));
      EXPECT_TRUE(test::close(exact::max_compression(i), s.x_max, 1e-7));
      EXPECT_TRUE(test::close(exact::outbound_velocity(i), s.v_out, 1e-6));
    }
}

TEST(ContactTime, IsFiniteAndRisesUpToMuVOf1000) {
  double before = 0;
  for (const double U : {0.0, 1e-12, 1e-3, 1.0, 30.0, 200.0, 1000.0}) {
    const double t = exact::contact_time({.mass_kg = 1, .stiffness = 1, .exponent = 1.5, .mu = U, .speed_m_s = 1});
    EXPECT_GE(t, before * (1 - 1e-12)) << U;
    before = t;
  }
  EXPECT_TRUE(std::isinf(exact::contact_time({.speed_m_s = 0})));
}

TEST(ContactTime, OfALinearSpringIsHalfAPeriod) {
  const exact::Impact i{.mass_kg = 2, .stiffness = 50, .exponent = 1, .mu = 0, .speed_m_s = 3};
  EXPECT_TRUE(test::close(exact::contact_time(i), M_PI * std::sqrt(2 / 50.0), 1e-15));
}

TEST(Motion, RunsThroughTheContactAndKeepsTheInvariant) {
  const exact::Impact i{.mass_kg = 0.01, .stiffness = 1e9, .exponent = 1.5, .mu = 0.5, .speed_m_s = 1};
  const double T = exact::contact_time(i);
  for (int n = 1; n < 50; ++n) {
    const double t = T * n / 50, h = 1e-6 * T;
    const auto at = exact::motion(i, t);
    EXPECT_TRUE(test::close(exact::compression(i, at.v_m_s), at.x_m, 1e-10)) << n;
    const double slope = (exact::motion(i, t + h).x_m - exact::motion(i, t - h).x_m) / (2 * h);
    EXPECT_TRUE(test::close(slope, at.v_m_s, 1e-6, 1e-6)) << n;
  }
  EXPECT_TRUE(test::close(exact::motion(i, 0).v_m_s, 1, 1e-15));
  EXPECT_TRUE(test::close(exact::motion(i, 2 * T).v_m_s, exact::outbound_velocity(i), 1e-15));
  EXPECT_TRUE(test::close(exact::motion(i, -1e-3).x_m, -1e-3, 1e-12));
}

TEST(PeakForce, IsTheLargestAlongTheContact) {
  const exact::Impact i{.mass_kg = 0.01, .stiffness = 1e9, .exponent = 1.5, .mu = 2, .speed_m_s = 3};
  double largest = 0;
  for (int n = 0; n <= 4000; ++n) {
    const double v = i.speed_m_s + (exact::outbound_velocity(i) - i.speed_m_s) * n / 4000;
    largest = std::max(largest, exact::force(i, v));
  }
  EXPECT_TRUE(test::close(exact::peak_force(i), largest, 1e-5));
}

TEST(PeakForce, OfAVerySlowImpactIsThatOfAnElasticOne) {
  for (const double v : {1e-4, 1e-8, 1e-12}) {
    const exact::Impact i{.mass_kg = 0.01, .stiffness = 1e9, .exponent = 1.5, .mu = 0.1, .speed_m_s = v};
    const double deepest = std::pow(2.5 * 0.01 * v * v / 2 / 1e9, 0.4);
    EXPECT_TRUE(test::close(exact::peak_force(i), 1e9 * std::pow(deepest, 1.5), 1e-4)) << v;
  }
}

TEST(DurationMatch, IsTheBetaStarOfTheLinearSpring) {  // CW17 (15), (16)
  for (const double N : {2.5, 3.7, 12.0}) {
    const double w = M_PI / N, beta2 = w * w / 4, beta3 = w * w / 2, bias = exact::duration_bias(1);
    const double star2 = (1 - std::cos(w)) / (1 + std::cos(w)), star3 = 1 / std::cos(w) - 1;
    EXPECT_TRUE(test::close(exact::duration_match(1, N, exact::Match::tan, bias), star2 / beta2, 1e-13));
    EXPECT_TRUE(test::close(exact::duration_match(1, N, exact::Match::sec, bias), star3 / beta3, 1e-13));
  }
  EXPECT_EQ(exact::duration_match(1, 0.9, exact::Match::tan, exact::duration_bias(1)),
            0);  // too short for any stiffness
  EXPECT_EQ(exact::duration_match(1, 1.9, exact::Match::sec, exact::duration_bias(1)), 0);
  EXPECT_TRUE(test::close(exact::duration_bias(1 + 1e-7), exact::duration_bias(1 + 1e-5), 1e-5));  // continuous
  EXPECT_TRUE(test::close(exact::duration_bias(3), M_PI / 2, 1e-14));
}

TEST(Advice, FollowsTheNumberOfSamples) {
  exact::Impact hard{.mass_kg = 0.01, .stiffness = 1e13, .exponent = 1.5, .mu = 0.6, .speed_m_s = 3};
  EXPECT_EQ(advise(hard, 44100).scheme, "guarded-two-point");
  hard.mu = 0;
  EXPECT_EQ(advise(hard, 44100).scheme, "two-point");
  const exact::Impact soft{.mass_kg = 0.01, .stiffness = 1e7, .exponent = 1.3, .mu = 0, .speed_m_s = 0.5};
  EXPECT_EQ(advise(soft, 44100).scheme, "matched-two-point");
  EXPECT_TRUE(test::close(advise(soft, 44100).samples_per_contact, 44100 * exact::contact_time(soft), 1e-14));
}

}  // namespace
}  // namespace jawari
