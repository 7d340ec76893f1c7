// SPDX-License-Identifier: MIT
#include "jawari/contact/tabulated.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

void check_forces(std::span<const double> F) {
  const auto refuse = [](std::string_view verb, const std::string& value, const std::string& allowed) {
    throw InputError("law.force_N", fmt::format("law.force_N {} {}, but must {}", verb, value, allowed), value,
                     allowed);
  };
  if (F.size() < 3 || F.size() > 1000001) refuse("holds", fmt::format("{} values", F.size()), "hold 3 to 1000001");
  if (F[0] != 0) refuse("begins with", fmt::format("{:g}", F[0]), "begin with 0, at the surface");
  for (std::size_t i = 1; i < F.size(); ++i)
    if (!(F[i] >= F[i - 1] && F[i] <= 1e30))
      refuse("has", fmt::format("{:g} after {:g}", F[i], F[i - 1]), "be finite and never fall");
  if (!(F.back() > 0)) refuse("holds", "zeros only", "end above 0");
}

/// Slope in the middle of three values: harmonic mean of both differences, so that nothing overshoots.
double slope_between(double left, double right) { return left * right > 0 ? 2 * left * right / (left + right) : 0; }
/// At an end: the parabola through three values, kept from falling and from overshooting.
double slope_at_end(double near, double far) { return std::clamp((3 * near - far) / 2, 0.0, 3 * near); }

}  // namespace

FittedForces::FittedForces(std::span<const double> F, double max_m) {
  check_forces(F);
  const std::size_t n = F.size() - 1;
  table.per_m = static_cast<double>(n) / max_m;
  table.last = static_cast<double>(n);
  const double h = max_m / static_cast<double>(n);
  std::vector<double> rise(n), slope(n + 1);
  for (std::size_t i = 0; i < n; ++i) rise[i] = (F[i + 1] - F[i]) / h;
  slope[0] = slope_at_end(rise[0], rise[1]);
  slope[n] = slope_at_end(rise[n - 1], rise[n - 2]);
  for (std::size_t i = 1; i < n; ++i) slope[i] = slope_between(rise[i - 1], rise[i]);
  std::vector<ForceTable::Piece> list;
  double energy = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double c2 = (3 * rise[i] - 2 * slope[i] - slope[i + 1]) / h,
                 c3 = (slope[i] + slope[i + 1] - 2 * rise[i]) / (h * h);
    list.push_back({F[i], slope[i], c2, c3, energy});
    energy += h * (F[i] + h * (slope[i] / 2 + h * (c2 / 3 + h * (c3 / 4))));
    if (F[i + 1] == 0) table.surface = static_cast<double>(i + 1) / table.per_m;
  }
  list.push_back({F[n], slope[n], 0, 0, energy});
  pieces = std::make_shared<const std::vector<ForceTable::Piece>>(std::move(list));
  table.pieces = pieces->data();
  table.exponent = std::clamp(max_m * F[n] / energy - 1, 1.0, 13.0);
  table.stiffness = F[n] / elementary::pow(max_m, table.exponent);
}

}  // namespace jawari
