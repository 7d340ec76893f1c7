// SPDX-License-Identifier: MIT
// B14 without contact: grid sizes, every frequency of every operator, the pulse of Fig. 2, the Duffing frequency of
// tension modulation.  Values of string_golden.json.
#include <boost/math/special_functions/ellint_1.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/golden.h"
#include "support/string_rig.h"

namespace jawari {
namespace {

using namespace test;
constexpr double pi = std::numbers::pi, dt_s = 1 / 44100.0;

const nlohmann::json& file() {
  static const auto all = golden("string_golden.json");
  return all;
}
StringData linear_string() {
  StringData s = b14_string(5e-4);
  s.stretching_N = 0;
  return s;
}
double cents(double f, double of) { return 1200 * std::log2(f / of); }

struct Operator {
  const char *column, *wide;
  GridOptions choice;
};
const Operator operators[] = {{"cents_default", "default", {}},
                              {"cents_optimal", "optimal", {.op = GridOperator::optimal}},
                              {"cents_unc_N0", "unc_N0", {.op = GridOperator::unconditional, .intervals = 104}},
                              {"cents_unc_Nstar", nullptr, {.op = GridOperator::unconditional, .intervals = 83}},
                              {"cents_unc_N1000", nullptr, {.op = GridOperator::unconditional, .intervals = 1000}},
                              {"cents_optimal_gamma_at_actual_h",
                               nullptr,
                               {.op = GridOperator::gamma, .gamma = -0.5859695146405934, .intervals = 83}}};

TEST(StringGolden, GridsOfB14HaveTheirSizes) {
  const auto& g = file().at("b14_linear");
  const StringData s = linear_string();
  const OptimalGrid best = optimal_grid(s, dt_s);
  EXPECT_TRUE(close(best.gamma, g.at("gamma_star"), 1e-12));
  EXPECT_TRUE(close(best.spacing_m, g.at("h_star"), 1e-12));
  EXPECT_TRUE(close(smallest_spacing(s, dt_s, 0), g.at("h_min_gamma0"), 1e-12));
  EXPECT_TRUE(close(smallest_spacing(s, dt_s, best.gamma), g.at("h_min_at_gamma_star_corrected"), 1e-12));
  EXPECT_EQ(plan_grid(s, {}, dt_s).intervals, g.at("N0").get<int>());
  const GridPlan plan = plan_grid(s, {.op = GridOperator::optimal}, dt_s);
  EXPECT_EQ(plan.intervals, g.at("N_star").get<int>());
  EXPECT_TRUE(close(plan.gamma, g.at("gamma_star"), 1e-12));
  // gamma of (22) where the rounded spacing is the limit: h_min(gamma) = L/83
  EXPECT_TRUE(close(smallest_spacing(s, dt_s, g.at("gamma_at_actual_h")), 0.8 / 83, 1e-12));
}

TEST(StringGolden, EveryModeOfEveryOperatorIsDetunedAsTabulated) {
  const auto& g = file().at("b14_linear").at("table");
  const StringData s = linear_string();
  for (const auto& o : operators) {
    const GridPlan plan = plan_grid(s, o.choice, dt_s);
    ASSERT_EQ(g.at(o.column).size(), 30u);
    for (int p = 1; p <= 30; ++p) {
      const auto i = static_cast<std::size_t>(p - 1);
      const double exact = s.omega(p) / (2 * pi), f = grid_frequency_hz(s, o.choice, plan, dt_s, p);
      EXPECT_TRUE(close(exact, g.at("exact_hz").at(i), 1e-12));
      EXPECT_TRUE(close(cents(f, exact), g.at(o.column).at(i), 0, 1e-6)) << o.column << " mode " << p;
    }
  }
}

TEST(StringGolden, TheWholeBandIsDetunedAsTabulated) {
  const auto& g = file().at("b14_linear").at("wideband");
  const StringData s = linear_string();
  for (const auto& o : operators) {
    if (!o.wide) continue;
    const GridPlan plan = plan_grid(s, o.choice, dt_s);
    double worst10 = 0, worst20 = 0;
    for (int p = 1; p < plan.intervals; ++p) {
      const double exact = s.omega(p) / (2 * pi),
                   off = std::abs(cents(grid_frequency_hz(s, o.choice, plan, dt_s, p), exact));
      if (exact < 1e4) worst10 = std::max(worst10, off);
      if (exact < 2e4) worst20 = std::max(worst20, off);
    }
    const auto& e = g.at(o.wide);
    EXPECT_EQ(plan.intervals - 1, e.at("modes").get<int>());
    EXPECT_TRUE(close(worst10, e.at("worst_cents_below_10kHz"), 0, 1e-6)) << o.wide;
    EXPECT_TRUE(close(worst20, e.at("worst_cents_below_20kHz"), 0, 1e-6)) << o.wide;
    EXPECT_TRUE(close(grid_frequency_hz(s, o.choice, plan, dt_s, plan.intervals - 1), e.at("highest_mode_hz"), 1e-10))
        << o.wide;
  }
}

/// One mode, started exactly, is cos(2 pi f n k) with the f of the table: the formula describes what runs.
TEST(StringGolden, ModesRunAtTheFrequenciesOfTheTable) {
  const StringData s = linear_string();
  for (const auto& o : operators)
    for (const int p : {1, 7, 30}) {
      const double w = 2 * pi * grid_frequency_hz(s, o.choice, plan_grid(s, o.choice, dt_s), dt_s, p);
      StringGrid body(s, o.choice, dt_s);
      std::vector<double> u(body.nodes()), d(body.nodes());
      for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = std::sin(p * pi * body.position_m(i) / s.length_m);
        d[i] = 2 * std::pow(std::sin(w * dt_s / 2), 2) * u[i];
      }
      body.place(u, d);  // u(0) and u(0) - u(-k) = (1 - cos w k) u(0)
      Extremes off;
      for (int n = 1; n <= 2000; ++n) {
        body.predict();
        body.advance();
        const double wanted = std::cos(w * n * dt_s);
        for (std::size_t i = 0; i < u.size(); ++i) off.add(std::abs(body.w[i] - wanted * u[i]));
      }
      // Rounding of u moves the frequency by eps EI/h^4; in the file 2e-12 at most, on 83 and 104 intervals.
      EXPECT_LE(off.most(), 2e-12 * std::max(1.0, std::pow(body.spacing_m() / 0.00767, -4) / 100))
          << o.column << " mode " << p;
    }
}

double raised_cosine(double x) { return std::abs(x - 0.4) < 0.05 ? 0.5 * (1 + std::cos(2 * pi * (x - 0.4) / 0.1)) : 0; }

/// 2/L int raised_cosine sin(beta x) dx, in closed form.
double pulse_coefficient(double beta, double length) {
  const double w = 0.1, a = 2 * pi / w;
  const auto sinc = [&](double b) { return b == 0 ? w / 2 : std::sin(b * w / 2) / b; };
  return 2 / length * std::sin(beta * 0.4) * (sinc(beta) + (sinc(a + beta) + sinc(a - beta)) / 2);
}

TEST(StringGolden, ThePulseOfFigure2ArrivesWithTheTabulatedError) {
  const auto& g = file().at("b14_fig2").at("rel_l2_error");
  const StringData s = linear_string();
  for (const std::string name : {"default", "optimal", "unc", "default_384k", "optimal_384k"}) {
    const double rate = name.ends_with("384k") ? 384e3 : 44100, k = 1 / rate;
    GridOptions choice;
    if (name.starts_with("optimal")) choice.op = GridOperator::optimal;
    if (name == "unc") choice = {.op = GridOperator::unconditional, .intervals = 104};
    StringGrid body(s, choice, k);
    const std::size_t n = body.nodes();
    std::vector<double> u(n), d(n);
    for (std::size_t i = 0; i < n; ++i) u[i] = raised_cosine(body.position_m(i));
    const auto second = [n](const std::vector<double>& x) {
      std::vector<double> y(n);
      for (std::size_t i = 0; i < n; ++i) y[i] = (i + 1 < n ? x[i + 1] : 0) - 2 * x[i] + (i > 0 ? x[i - 1] : 0);
      return y;
    };
    const double h = body.spacing_m(), half = k * k / (2 * s.density_kg_m);
    const auto curve = second(u), twice = second(curve);
    for (std::size_t i = 0; i < n; ++i) {
      d[i] = half * (s.tension_N / (h * h) * curve[i] - s.bending_N_m2 / std::pow(h, 4) * twice[i]);
      u[i] += d[i];
    }
    body.place(u, d);
    const long steps = std::lround(file().at("b14_fig2").at("t").get<double>() * rate);
    for (long i = 1; i < steps; ++i) {
      body.predict();
      body.advance();
    }
    std::vector<double> now(n), wanted(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      now[i] = body.w[i];
      for (int p = 1; p <= 2000; ++p)
        wanted[i] += pulse_coefficient(s.wave_number(p), s.length_m) *
                     std::cos(s.omega(p) * static_cast<double>(steps) * k) *
                     std::sin(s.wave_number(p) * body.position_m(i));
    }
    EXPECT_TRUE(close(distance(now, wanted), g.at(name), 1e-6)) << name;
  }
}

/// Frequency from the times of upward zero crossings, over whole periods.
template <class Next>
double frequency(double dt, long steps, Next&& next) {
  double before = next(), first = -1, last = 0;
  long crossings = 0;
  for (long n = 1; n < steps; ++n) {
    const double now = next();
    if (before < 0 && now >= 0) {
      last = (static_cast<double>(n - 1) + before / (before - now)) * dt;
      if (first < 0) first = last;
      ++crossings;
    }
    before = now;
  }
  return static_cast<double>(crossings - 1) / (last - first);
}

TEST(StringGolden, TensionModulationHasTheDuffingFrequency) {
  const auto& g = file().at("b14_kirchhoff").at("duffing_single_mode_5mm").at("44100");
  const StringData s = b14_string(1e-4);
  const double a = 5e-3, beta = s.wave_number(1), w2 = s.omega(1) * s.omega(1);
  const double c = s.stretching_N * std::pow(beta, 4) / (4 * s.density_kg_m) * a * a;  // q'' + w^2 q + c/a^2 q^3 = 0
  const double exact = std::sqrt(w2 + c) / (4 * boost::math::ellint_1(std::sqrt(c / (2 * (w2 + c)))));
  EXPECT_TRUE(close(exact, g.at("f_exact"), 1e-12));
  EXPECT_TRUE(close(cents(exact, s.omega(1) / (2 * pi)), g.at("cents_above_linear"), 1e-9));
  const int wanted = file().at("b14_kirchhoff").at("N");
  for (const GridOptions& choice :
       {GridOptions{}, {.op = GridOperator::optimal}, {.op = GridOperator::optimal, .intervals = wanted}}) {
    StringGrid body(s, choice, dt_s);
    std::vector<double> u(body.nodes()), v(body.nodes(), 0.0);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = a * std::sin(pi * body.position_m(i) / s.length_m);
    body.release(u, v);
    const double f = frequency(dt_s, 44100, [&] {
      body.predict();
      body.advance();
      return body.w[20];
    });
    EXPECT_LE(std::abs(cents(f, exact)), 0.05) << body.nodes();
    if (choice.intervals == wanted) {
      EXPECT_TRUE(close(cents(f, exact), g.at("cents"), 0, 2e-3));
    }
  }
}

}  // namespace
}  // namespace jawari
