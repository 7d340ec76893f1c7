// SPDX-License-Identifier: MIT
#include "jawari/impact/real_roots.h"

#include <cmath>
#include <limits>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

/// Steps of D17 (17) with the constant energy 1/2 from the first sample inside, at depth e with d = 1, to the first
/// outside; (T6) in every one.
bool complex_root(double exponent, double kappa, double s, double e) noexcept {
  constexpr int longest = 4000;  // a contact takes some kappa^(-1/(alpha+1)) steps
  double d = 1;
  for (int n = 0; n < longest && e > 0; ++n) {
    const double F = kappa * elementary::pow(e, exponent), phi = F * e / (exponent + 1), bend = exponent * F / e;
    const double A = 1 + s * bend, square = s * s * F * F + 2 * A * (0.5 - phi);
    if (square < -1e-13 * (s * s * F * F + 2 * A * (0.5 + phi))) return true;  // less is rounding
    const double w = (-s * F + (A * d - s * F > 0 ? 1 : -1) * std::sqrt(std::fmax(square, 0))) / A;
    e += w;
    d = w;
  }
  return false;
}

}  // namespace

double taylor_stiffness(double K, double exponent, double mass_kg, double v, double dt_s) noexcept {
  return dt_s * dt_s * K * elementary::pow(v * dt_s, exponent - 1) / mass_kg;
}

double complex_share(double exponent, double kappa, double s, int phases) noexcept {
  int count = 0;
  for (int j = 0; j < phases; ++j) count += complex_root(exponent, kappa, s, (j + 1.0) / phases);
  return static_cast<double>(count) / phases;
}

double largest_real_kappa(double exponent, double s) noexcept {
  if (s == safe_weight(exponent)) return std::numeric_limits<double>::infinity();
  constexpr double soft = 1e-4, hard = 1e12, step = 1.25;
  double real = 0;
  for (double kappa = soft; kappa < hard; kappa *= step) {
    if (complex_share(exponent, kappa, s, 64) > 0) break;
    real = kappa;
  }
  if (real * step >= hard) return std::numeric_limits<double>::infinity();
  if (real == 0) return 0;
  double low = real, high = real * step;
  for (int i = 0; i < 20; ++i) {
    const double middle = (low + high) / 2;
    (complex_share(exponent, middle, s) > 0 ? high : low) = middle;
  }
  return low;
}

}  // namespace jawari
