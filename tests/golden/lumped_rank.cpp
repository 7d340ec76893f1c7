// SPDX-License-Identifier: MIT
// Accuracy of every scheme on the same problems: orders of convergence and the table of errors.  Values of
// lumped_golden.json.  "matched" is the polynomial form of the duration match, for comparison only.
#include <fmt/format.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <map>
#include <numbers>

#include "jawari/contact/odd_power.h"
#include "jawari/scheme/gradient.h"
#include "support/chapter.h"
#include "support/reference.h"
#include "support/rig.h"

namespace jawari {
namespace {

using namespace test;

struct Method {
  LawSpec choice;
  double bias = 0;  // 0, or how many c the duration is matched by: K (1 + bias c (k/tau)^2)^(alpha+1)

  double factor(double alpha, double samples) const {
    return exact::duration_match(alpha, samples, exact::Match::polynomial, bias * exact::duration_bias(alpha));
  }
};
LawSpec taylor(double s) { return {"taylor", {{"s", s}}}; }
const std::map<std::string, Method> methods = {{"quad s=1/2 (adaptive)", {taylor(0.5)}},
                                               {"quad s=1", {taylor(1)}},
                                               {"quad s=3", {taylor(3)}},
                                               {"quad s=s*", {{"taylor-star"}}},
                                               {"three-point", {{"three-point"}}},
                                               {"two-point", {{"two-variable"}}},
                                               {"psi", {{"quadratised"}}},
                                               {"psi reset", {{"reset"}}},
                                               {"two-point matched", {{"two-variable"}, 1}},
                                               {"quad s=1/2 matched", {taylor(0.5), 2.5}},
                                               {"two-point 4th", {{"two-variable-4"}}},
                                               {"verlet", {{"verlet"}}}};

/// 1 kg at 20 m/s, the stiffness such that every exponent goes 8.725e-4 m deep; 12 entry phases.
struct Collision {
  static constexpr double v = 20, x_m = 8.725e-4;
  static constexpr int phases = 12;
  double alpha, K, tau;
  /// Exact samples from the start on, by rate and phase: all schemes share them.
  std::map<double, std::vector<std::vector<double>>> exact_samples;

  Collision(double exponent, const std::vector<double>& rates)
      : alpha(exponent),
        K((alpha + 1) * v * v / (2 * std::pow(x_m, alpha + 1))),
        tau(exact::elastic_contact_time({.mass_kg = 1, .stiffness = K, .exponent = alpha, .speed_m_s = v})) {
    for (const double fs : rates)
      for (int j = 0; j < phases; ++j)
        exact_samples[fs].push_back(Reference(problem(), start(j, fs), v).samples(1 / fs, steps(fs)));
  }
  Problem problem(double factor = 1) const { return {.stiffness = factor * K, .exponent = alpha}; }
  static double start(int phase, double fs) { return -(5 + (phase + 0.5) / phases) * v / fs; }
  std::size_t steps(double fs) const { return static_cast<std::size_t>(2.2 * tau * fs) + 16; }

  struct Error {
    double trajectory, duration;  // rms, over x_m and over tau
  };
  Error error(const Method& method, double fs) const {
    const double k = 1 / fs;
    const auto m = mover(problem(method.factor(alpha, tau / k)), method.choice, k);
    double squares = 0, late = 0;
    int count = 0;
    for (int j = 0; j < phases; ++j) {
      const auto& exact = exact_samples.at(fs)[static_cast<std::size_t>(j)];
      const double u0 = start(j, fs), touch = -u0 / v;
      m->start(u0, v);
      for (std::size_t n = 0; n < exact.size(); ++n, m->step()) {
        const double t = static_cast<double>(n) * k - touch, off = m->u() - exact[n];
        if (t >= 0 && t <= 1.3 * tau) {
          squares += off * off;
          ++count;
        }
      }
      const double delay = static_cast<double>(exact.size()) * k - m->u() / m->v() + u0 / v;
      late += (delay / tau - 1) * (delay / tau - 1);
    }
    EXPECT_TRUE(m->settled());
    return {std::sqrt(squares / count) / x_m, std::sqrt(late / phases)};
  }
};

GOLDEN_TEST(RankGolden, OrdersThroughACollision, "order.collision.") {
  std::vector<double> rates;
  for (int i = 0; i < 6; ++i) rates.push_back(88200.0 * (1 << i));
  for (const double alpha : {1.0, 1.3, 2.0, 3.0}) {
    const Collision collision(alpha, rates);
    for (const auto& [name, method] : methods) {
      std::vector<double> trajectory, duration;
      for (const double fs : rates) {
        const auto e = collision.error(method, fs);
        trajectory.push_back(e.trajectory);
        duration.push_back(e.duration);
      }
      golden.check(fmt::format("alpha{}.{}", alpha, name),
                   {-fitted_slope(rates, trajectory), -fitted_slope(rates, duration)});
    }
  }
}

const std::vector<double> rates = {44100, 88200, 220500, 441000};

GOLDEN_TEST(RankGolden, MassAgainstBarrier, "rank.massbarrier.") {
  const Collision collision(1.3, rates);
  for (const auto& [name, method] : methods) {
    std::vector<double> errors, durations;
    for (const double fs : rates) {
      const auto e = collision.error(method, fs);
      errors.push_back(e.trajectory);
      durations.push_back(e.duration);
    }
    errors.insert(errors.end(), durations.begin(), durations.end());
    golden.check(name, errors);
  }
}

/// The oscillator of DB19 over 0.25 s: rms error over 0.5 m.  tau is the exact duration, spring included.
void check_oscillator(Chapter& golden, double stiffness) {
  Problem p{.mass_kg = 0.01,
            .stiffness = stiffness,
            .exponent = 1.1,
            .omega_rad_s = 2 * std::numbers::pi * 10,
            .barrier_m = 0.2};
  const Reference exact(p, -0.5, 1);
  std::map<std::string, std::vector<double>> errors;
  for (const double fs : rates) {
    const auto count = static_cast<std::size_t>(std::lround(0.25 * fs)) + 1;
    const auto expected = exact.samples(1 / fs, count);
    for (const auto& [name, method] : methods) {
      p.stiffness = stiffness * method.factor(p.exponent, exact.duration() * fs);
      const auto m = mover(p, method.choice, 1 / fs);
      m->start(-0.5, 1);
      std::vector<double> u;
      for (std::size_t n = 0; n < count; ++n, m->step()) u.push_back(m->u());
      EXPECT_TRUE(m->settled());
      errors[name].push_back(rms_difference(u, expected, count) / 0.5);
    }
  }
  for (const auto& [name, e] : errors) golden.check(name, e);
}
GOLDEN_TEST(RankGolden, OscillatorAgainstSoftBarrier, "rank.osc_soft.") { check_oscillator(golden, 5e4); }
GOLDEN_TEST(RankGolden, OscillatorAgainstHardBarrier, "rank.osc_hard.") { check_oscillator(golden, 7e7); }

/// Triple jump of the two-point scheme with any law: its Y and v are y - d/2 and d/h, whatever the sign of h.
struct TripleJump {
  OddPower law;
  TwoPoint scheme{};
  double Y = 0, v = 0;
  void step(double k) {
    const double g = 1 / (2 - std::cbrt(2.0));
    for (const double h : {g * k, (1 - 2 * g) * k, g * k}) {
      const Port p{Y + h * v / 2, h * v, 2 * h * v, h * h};
      scheme.prepare(law, h);
      auto t = scheme.begin(law, p, scheme.start(law, p.y, p.d));
      double s = 0;
      Outcome out;
      solve_single_port(scheme, law, t, p, s, out);
      EXPECT_TRUE(out.settled);
      Y += s / 2;
      v = (s - p.d) / h;
    }
  }
};

/// Cubic oscillator of D17 Figure 6 over 50 ms, against A cn(A sqrt(K) t - K(1/sqrt 2)).
GOLDEN_TEST(RankGolden, OrdersOnTheCubicOscillator, "order.cubic.") {
  const double K = 1e10, v0 = 5, A = std::pow(2 * v0 * v0 / K, 0.25), quarter = boost::math::ellint_1(std::sqrt(0.5));
  const Problem p{.stiffness = K, .exponent = 3, .law = "odd-power"};
  const std::map<std::string, LawSpec> schemes = {
      {"quad s=1/2 (adaptive)", taylor(0.5)}, {"quad s=1", taylor(1)},      {"quad s=3", taylor(3)},
      {"three-point", {"three-point"}},       {"two-point", {"two-point"}}, {"scheme25", {"cubic"}}};
  const std::vector<double> fs_list = {44100, 88200, 176400, 352800};
  std::map<std::string, std::vector<double>> errors;
  for (const double fs : fs_list) {
    const auto count = static_cast<std::size_t>(std::lround(0.05 * fs)) + 1;
    const double W = A * std::sqrt(K) / fs;
    std::vector<double> expected;
    for (std::size_t n = 0; n < count; ++n)
      expected.push_back(A * boost::math::jacobi_cn(std::sqrt(0.5), W * static_cast<double>(n) - quarter));
    for (const auto& [name, choice] : schemes) {
      const bool two = name == "two-point";
      Rig m(p, choice, 1 / fs);
      m.place(two ? v0 / fs / 2 : v0 / fs, v0 / fs);
      std::vector<double> u;
      for (std::size_t n = 0; n < count; ++n, m.step()) u.push_back(two ? m.middle() : m.u());
      EXPECT_TRUE(m.settled());
      errors[name].push_back(rms_difference(u, expected, count));
    }
    TripleJump jump{.law = OddPower({K, 3}), .v = v0};
    std::vector<double> u;
    for (std::size_t n = 0; n < count; ++n, jump.step(1 / fs)) u.push_back(jump.Y);
    errors["two-point 4th"].push_back(rms_difference(u, expected, count));
  }
  for (const auto& [name, e] : errors) golden.check(name, -fitted_slope(fs_list, e));
}

}  // namespace
}  // namespace jawari
