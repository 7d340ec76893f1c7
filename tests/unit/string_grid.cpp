// SPDX-License-Identifier: MIT
#include "jawari/body/string_grid.h"

#include <cmath>
#include <numbers>

#include "jawari/core/param.h"
#include "support/golden.h"

namespace jawari {
namespace {

using test::close;
constexpr double pi = std::numbers::pi, dt_s = 1 / 44100.0;

StringData lossy(double stretching_N = 0) {
  return {.length_m = 0.65,
          .tension_N = 60,
          .density_kg_m = 2e-3,
          .bending_N_m2 = 1e-3,
          .stretching_N = stretching_N,
          .sigma0_1_s = 2,
          .sigma1_m2_s = 3e-3};
}
const GridOptions choices[] = {{},
                               {.centred_loss = true},
                               {.op = GridOperator::gamma, .gamma = -0.2},
                               {.op = GridOperator::optimal},
                               {.op = GridOperator::unconditional, .intervals = 60}};
const StringTap between[] = {{StringTap::point, 0.31},
                             {StringTap::point, 0.004},
                             {StringTap::point, 0.6491},
                             {StringTap::left_bridge},
                             {StringTap::right_bridge}};

/// A shape that no symmetry favours, with a last step.
void disturb(StringGrid& body) {
  std::vector<double> u(body.nodes()), d(body.nodes());
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double x = body.position_m(i) / 0.65;
    u[i] = 1e-3 * (std::sin(pi * x) + 0.3 * std::sin(3 * pi * x));
    d[i] = 1e-5 * std::sin(2 * pi * x);
  }
  body.place(u, d);
}

TEST(GridString, ReceptanceIsTheAnswerToAUnitForceAndSymmetric) {
  for (const double stretching : {0.0, 4e4})
    for (const auto& choice : choices) {
      SCOPED_TRACE(std::string(grid_operator_names[static_cast<std::size_t>(choice.op)]) +
                   (stretching > 0 ? ", modulated" : ""));
      StringGrid first(lossy(stretching), choice, dt_s, between);
      const std::size_t n = first.nodes();
      const std::size_t taps[] = {0, 7, n - 1, n, n + 1, n + 2, n + 3, n + 4};
      for (const auto at : taps) {
        StringGrid body(lossy(stretching), choice, dt_s, between);
        disturb(body);
        body.predict();
        const auto free = body.s_free;
        std::vector<double> q;
        for (const auto other : taps) {
          q.push_back(body.receptance(other, at));
          EXPECT_TRUE(close(body.receptance(at, other), q.back(), 1e-11,
                            1e-12 * std::sqrt(body.receptance(at, at) * body.receptance(other, other))));
          EXPECT_TRUE(q.back() == 0 || body.coupled(at, other));
        }
        body.force[at] = 2.5;
        body.advance();
        for (std::size_t i = 0; i < q.size(); ++i)
          EXPECT_TRUE(close(body.s[taps[i]] - free[taps[i]], 2.5 * q[i], 1e-10, 1e-14 * std::abs(free[taps[i]])))
              << at << ' ' << taps[i];
        EXPECT_GT(body.receptance(at, at), 0);
      }
    }
}

TEST(GridString, TapsBetweenNodesReadCubicsExactly) {
  const StringData s = lossy();
  const double L = s.length_m;
  // Away from the supports any cubic; within a spacing of them the odd ones, x (x^2 - L^2) and its mirror image.
  const std::vector<StringTap> taps{
      {StringTap::point, 0.3217}, {StringTap::point, 0.21}, {StringTap::point, 0.003}, {StringTap::point, L - 0.0021}};
  StringGrid body(s, {}, dt_s, taps);
  const std::size_t n = body.nodes();
  const auto expect = [&](auto&& f, std::initializer_list<std::size_t> which) {
    std::vector<double> u(n), none(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) u[i] = f(body.position_m(i));
    body.place(u, none);
    for (const auto t : which) EXPECT_TRUE(close(body.w[n + t], f(taps[t].x_m), 1e-13, 1e-15)) << t;
  };
  expect([](double x) { return 1 + x * (2 - x * (3 - 5 * x)); }, {0, 1});
  expect([&](double x) { return x * (x * x - L * L); }, {0, 1, 2});
  expect([&](double x) { return (L - x) * ((L - x) * (L - x) - L * L); }, {0, 1, 3});
  StringGrid on_node(s, {}, dt_s, std::vector<StringTap>{{StringTap::point, body.position_m(12)}});
  disturb(on_node);
  EXPECT_EQ(on_node.w[n], on_node.w[12]);
}

/// T u_x - EI u_xxx of mode p at its ends, to fourth order in h; the same in modes, exactly.
TEST(GridString, BridgesReadTheForceOfAMode) {
  StringData s = lossy();
  for (const int p : {1, 2, 5}) {
    const double beta = s.wave_number(p), pull = beta * (s.tension_N + s.bending_N_m2 * beta * beta);
    double error[2] = {};
    for (const int fine : {0, 1}) {
      StringGrid body(s, {.intervals = 40 << fine}, dt_s / 4,
                      std::vector<StringTap>{{StringTap::left_bridge}, {StringTap::right_bridge}});
      std::vector<double> u(body.nodes()), none(body.nodes(), 0.0);
      for (std::size_t i = 0; i < u.size(); ++i) u[i] = std::sin(beta * body.position_m(i));
      body.place(u, none);
      const double left = body.w[body.nodes()], right = body.w[body.nodes() + 1];
      EXPECT_TRUE(close(right, p % 2 ? left : -left, 1e-10));
      error[fine] = std::abs(left - pull) / pull;
    }
    EXPECT_LE(error[1], 2e-4 * p * p * p * p / 625);
    EXPECT_TRUE(error[0] / error[1] > 12 && error[0] / error[1] < 20) << p << ' ' << error[0] / error[1];
    EXPECT_TRUE(close(s.shape({StringTap::left_bridge}, 6)[static_cast<std::size_t>(p - 1)], pull, 1e-14));
    EXPECT_TRUE(
        close(s.shape({StringTap::right_bridge}, 6)[static_cast<std::size_t>(p - 1)], p % 2 ? pull : -pull, 1e-14));
  }
}

/// From shape and velocity: one mode follows a cos + b sin to second order in k, on a grid that is fixed.
TEST(GridString, ReleaseIsOfSecondOrder) {
  StringData s = lossy();
  s.sigma0_1_s = s.sigma1_m2_s = 0;
  double error[3] = {};
  for (int level = 0; level < 3; ++level) {
    const double k = dt_s / (1 << level);
    StringGrid body(s, {.intervals = 30}, k);
    std::vector<double> u(body.nodes()), v(body.nodes());
    const double D = 4 * std::pow(std::sin(pi / 60), 2), h = body.spacing_m();  // of the grid, continuous in time
    const double w = std::sqrt((s.tension_N / (h * h) * D + s.bending_N_m2 / std::pow(h, 4) * D * D) / s.density_kg_m);
    for (std::size_t i = 0; i < u.size(); ++i) {
      u[i] = std::sin(pi * body.position_m(i) / s.length_m);
      v[i] = 3 * w * u[i];
    }
    body.release(u, v);
    const int steps = 100 << level;
    for (int n = 0; n < steps; ++n) {
      body.predict();
      body.advance();
    }
    const double t = steps * k;
    error[level] = std::abs(body.w[14] - (std::cos(w * t) + 3 * std::sin(w * t)) * u[14]);
  }
  for (int level = 0; level < 2; ++level)
    EXPECT_TRUE(error[level] / error[level + 1] > 3.7 && error[level] / error[level + 1] < 4.3)
        << error[level] / error[level + 1];
}

/// settle(): a constant force is in balance with the shape it holds, so the string must not move.
TEST(GridString, SettledUnderAForceThatBalancesItStaysAtRest) {
  for (const auto& choice : choices) {
    const StringData s = lossy();
    StringGrid body(s, choice, dt_s, between);
    const std::size_t n = body.nodes();
    std::vector<double> u(n), v(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) u[i] = 1e-3 * std::sin(pi * body.position_m(i) / s.length_m);
    body.release(u, v);
    const double h = body.spacing_m(), D = 4 * std::pow(std::sin(pi * h / (2 * s.length_m)), 2);
    const double hold =
        h * (s.tension_N / (h * h) * D + s.bending_N_m2 / std::pow(h, 4) * D * D);  // per node, of the grid
    for (std::size_t i = 0; i < n; ++i) body.force[i] = hold * u[i];
    body.apply_initial_forces();
    EXPECT_EQ(body.force[0], 0);
    for (std::size_t i = 0; i < n; ++i) EXPECT_LE(std::abs(body.d[i]), 1e-16);
    for (int step = 0; step < 50; ++step) {
      body.predict();
      for (std::size_t i = 0; i < n; ++i) body.force[i] = hold * u[i];
      body.advance();
    }
    for (std::size_t i = 0; i < n; ++i) EXPECT_LE(std::abs(body.w[i] - u[i]), 1e-15) << i;
  }
}

TEST(GridString, RefusesWhatIsUnstableOrTooCoarse) {
  const StringData s = lossy();
  const int most = plan_grid(s, {}, dt_s).intervals;
  EXPECT_NO_THROW(StringGrid(s, {.intervals = most}, dt_s));
  EXPECT_THROW(StringGrid(s, {.intervals = most + 1}, dt_s), InputError);
  EXPECT_NO_THROW(StringGrid(s, {.op = GridOperator::unconditional, .intervals = 10 * most}, dt_s));
  EXPECT_THROW(StringGrid(s, {.intervals = 3}, dt_s), InputError);
  EXPECT_THROW(StringGrid(s, {.op = GridOperator::gamma, .gamma = -1}, dt_s), InputError);
  EXPECT_LT(plan_grid(lossy(1e4), {}, dt_s).intervals, most);  // modulation: 3 % fewer
}

}  // namespace
}  // namespace jawari
