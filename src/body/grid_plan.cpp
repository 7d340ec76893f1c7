// SPDX-License-Identifier: MIT
// How fine a grid may be, and what it makes of the string's frequencies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jawari/body/string_grid.h"
#include "jawari/core/elementary.h"
#include "jawari/core/param.h"

namespace jawari {

/// (S5)
double smallest_spacing(const StringData& s, double k, double gamma) {
  const double a = s.tension_N * k * k / s.density_kg_m, g = 1 + gamma;
  return std::sqrt((a + std::sqrt(a * a + 16 * s.bending_N_m2 * g * k * k / s.density_kg_m)) / (2 * g));
}

/// (S6)
double smallest_explicit_spacing(const StringData& s, double k) {
  const double a = s.tension_N * k * k / s.density_kg_m + 4 * s.sigma1_m2_s * k;
  return std::sqrt((a + std::sqrt(a * a + 16 * s.bending_N_m2 * k * k / s.density_kg_m)) / 2);
}

/// (S7)
OptimalGrid optimal_grid(const StringData& s, double k) {
  const double pi = std::numbers::pi, c2 = s.tension_N * k * k / s.density_kg_m;
  const double a = 4 * s.bending_N_m2 * s.density_kg_m * pi * pi / (s.tension_N * s.tension_N * k * k);
  const double h2 = c2 * (std::sqrt(1 + a) + 1) / 2;  // B14 (22), rationalised: also for EI = 0
  return {-1 + c2 / h2 + 4 * s.bending_N_m2 * k * k / (s.density_kg_m * h2 * h2), std::sqrt(h2)};
}

GridPlan plan_grid(const StringData& s, const GridOptions& choice, double k) {
  const bool explicit_step = choice.op == GridOperator::explicit_;
  double gamma = choice.op == GridOperator::gamma ? choice.gamma : 0;
  if (!(gamma > -1 && gamma <= 1e3))
    throw not_allowed("gamma", "gamma", fmt::format("{:g}", gamma), "lie in (-1, 1000]");
  double least =
      explicit_step && !choice.centred_loss ? smallest_explicit_spacing(s, k) : smallest_spacing(s, k, gamma);
  if (choice.op == GridOperator::optimal) {
    const OptimalGrid best = optimal_grid(s, k);
    gamma = best.gamma;
    least = best.spacing_m;
  }
  const double margin = s.stretching_N > 0 ? 0.9 : 1;
  const double most = std::floor(s.length_m / least * (1 + 1e-12));
  const bool bound = choice.op != GridOperator::unconditional;
  const double wanted = choice.intervals > 0 ? choice.intervals : std::floor(margin * s.length_m / least * (1 + 1e-12));
  if (bound && wanted > most)
    throw not_allowed("intervals", "intervals", fmt::format("{}", choice.intervals),
                      fmt::format("be at most {:g} for a stable string at {:g} Hz", most, 1 / k));
  const bool enough = wanted >= 4;  // false when it is not a number, too
  if (!enough && choice.intervals > 0)
    throw not_allowed("intervals", "intervals", fmt::format("{}", choice.intervals), "be at least 4");
  if (!enough)
    throw InputError(
        "rate_hz",
        fmt::format("rate_hz is {:g}, which leaves {:g} grid intervals for the string, but it needs at least 4", 1 / k,
                    wanted),
        fmt::format("{:g}", 1 / k), "leave at least 4 grid intervals for the string");
  if (wanted > 1e6)
    throw InputError("rate_hz",
                     fmt::format("rate_hz is {:g}, which gives the string {:g} grid intervals, but at most 1e+06 "
                                 "are allowed",
                                 1 / k, wanted),
                     fmt::format("{:g}", 1 / k), "give the string at most 1e+06 grid intervals");
  return {gamma, static_cast<int>(wanted)};
}

/// (S8)
double grid_frequency_hz(const StringData& s, const GridOptions& choice, const GridPlan& plan, double k, int p) {
  const double h = s.length_m / plan.intervals, sine = elementary::sin(p * std::numbers::pi / (2 * plan.intervals));
  const double D = 4 * sine * sine;  // eigenvalue of -D
  const double P = k * k / s.density_kg_m * (s.tension_N / (h * h) * D + s.bending_N_m2 / (h * h * h * h) * D * D);
  const double x = choice.op == GridOperator::unconditional ? P / (1 + P / 4) : P / (1 + plan.gamma / 4 * D);
  return elementary::asin(std::sqrt(std::min(x / 4, 1.0))) / (std::numbers::pi * k);  // 4 sin^2(w k/2) = x
}

}  // namespace jawari
