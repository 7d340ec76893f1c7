// SPDX-License-Identifier: MIT
#include "jawari/contact/tabulated.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

void check_forces(std::span<const double> F) {
  const auto refuse = [](const std::string& sentence) { throw Refusal("law.force_N", sentence); };
  if (F.size() < 3 || F.size() > 1000001)
    refuse(fmt::format("law.force_N holds {} values, but must hold 3 to 1000001", F.size()));
  if (F[0] != 0) refuse(fmt::format("law.force_N begins with {:g}, but must begin with 0, at the surface", F[0]));
  for (std::size_t i = 1; i < F.size(); ++i)
    if (!(F[i] >= F[i - 1] && F[i] <= 1e30))
      refuse(fmt::format("law.force_N has {:g} after {:g}, but must be finite and never fall", F[i], F[i - 1]));
  if (!(F.back() > 0)) refuse("law.force_N holds zeros only, but must end above 0");
}

/// Slope in the middle of three values: harmonic mean of both differences, so that nothing overshoots.
double slope_between(double left, double right) { return left * right > 0 ? 2 * left * right / (left + right) : 0; }
/// At an end: the parabola through three values, kept from falling and from overshooting.
double slope_at_end(double near, double far) {
  return std::clamp((3 * near - far) / 2, 0.0, 3 * near);
}

}  // namespace

Tabulated::Tabulated(std::span<const double> F, double max_m, double mu) : mu_(mu) {
  check_forces(F);
  const std::size_t n = F.size() - 1;
  per_m_ = static_cast<double>(n) / max_m, last_ = static_cast<double>(n);
  const double h = max_m / static_cast<double>(n);
  std::vector<double> rise(n), slope(n + 1);
  for (std::size_t i = 0; i < n; ++i) rise[i] = (F[i + 1] - F[i]) / h;
  slope[0] = slope_at_end(rise[0], rise[1]), slope[n] = slope_at_end(rise[n - 1], rise[n - 2]);
  for (std::size_t i = 1; i < n; ++i) slope[i] = slope_between(rise[i - 1], rise[i]);
  std::vector<Piece> pieces;
  double energy = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double c2 = (3 * rise[i] - 2 * slope[i] - slope[i + 1]) / h, c3 = (slope[i] + slope[i + 1] - 2 * rise[i]) / (h * h);
    pieces.push_back({F[i], slope[i], c2, c3, energy});
    energy += h * (F[i] + h * (slope[i] / 2 + h * (c2 / 3 + h * (c3 / 4))));
    if (F[i + 1] == 0) surface_ = border(i + 1);
  }
  pieces.push_back({F[n], slope[n], 0, 0, energy});
  pieces_ = std::make_shared<const std::vector<Piece>>(std::move(pieces));
  exponent_ = std::clamp(max_m * F[n] / energy - 1, 1.0, 13.0);
  stiffness_ = F[n] / elementary::pow(max_m, exponent_);
}

Quotient Tabulated::within(const Piece& p, double a, double b) noexcept {
  return {p.c0 + p.c1 * (a + b) / 2 + p.c2 * (a * a + a * b + b * b) / 3 + p.c3 * ((a + b) * (a * a + b * b)) / 4,
          p.c1 / 2 + p.c2 * (a + 2 * b) / 3 + p.c3 * (a * a + 2 * a * b + 3 * b * b) / 4};
}

Quotient Tabulated::mean_force(const Anchor& a, double r_m) const noexcept {
  const double end = a.y + r_m;
  if (!touches(a.y) && !touches(end)) return {0, 0};
  const double low = std::max(std::min(a.y, end), surface_), high = std::max(a.y, end);
  const std::size_t i = index(low), j = index(high);
  if (i == j && std::min(a.y, end) >= surface_) {
    const Quotient q = within((*pieces_)[i], a.y - border(i), end - border(i));
    return {weight_ * q.value, weight_ * q.slope};
  }
  const auto integral = [&](std::size_t piece, double from, double to) {  // in one cubic
    const double x = from - border(piece), y = to - border(piece);
    return (y - x) * within((*pieces_)[piece], x, y).value;
  };
  double work = integral(i, low, i == j ? high : border(i + 1));
  if (i != j) work += (*pieces_)[j].before - (*pieces_)[i + 1].before + integral(j, border(j), high);
  const double value = weight_ * work / (high - std::min(a.y, end));  // over the step as it was rounded
  // A step too small for a difference of forces: F' is continuous inside, and the mean has half of it.
  const bool inside = touches(a.y) && touches(end);
  const double slope = inside && size(r_m) * per_m_ < 1e-6 ? curvature(end) / 2 : (force(end) - value) / r_m;
  return {value, slope > 0 ? slope : 0};  // it never falls; less is rounding
}

}  // namespace jawari
