// SPDX-License-Identifier: MIT
#include "bessel.h"

#include <algorithm>
#include <cmath>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

/// (x/2)^m/m! sum of (sign x^2/4)^k m!/(k! (m+k)!): below x = 1 nothing cancels.
double series(int m, double x, double sign) {
  double term = 1;
  for (int k = 1; k <= m; ++k) term *= x / 2 / k;
  double all = term;
  for (int k = 1; k < 12; ++k) {
    term *= sign * x * x / 4 / (k * (static_cast<double>(m) + k));
    all += term;
  }
  return all;
}

/// From order `top` down; sign -1: J, 1: I.  `norm` scales the orders: what they sum up to is 1.
BesselPair downward(int m, double x, int top, double sign) {
  constexpr double large = 0x1p400, shrink = 0x1p-400;
  double above = 0, here = 1, norm = 0;
  BesselPair result{0, 0};
  for (int k = top; k >= 0; --k) {  // `here` is of order k
    if (k == m) result.here = here;
    if (k == m + 1) result.next = here;
    if (k == 0)
      norm += here;
    else if (sign > 0 || k % 2 == 0)
      norm += 2 * here;
    const double below = 2 * k / x * here + sign * above;
    above = here;
    here = below;
    if (std::abs(here) > large) {
      for (double* v : {&above, &here, &norm, &result.here, &result.next}) *v *= shrink;
    }
  }
  return {result.here / norm, result.next / norm};
}

}  // namespace

BesselPair bessel_j(int m, double x) {
  if (x < 1) return {series(m, x, -1), series(m + 1, x, -1)};
  const double reach = std::max<double>(m, x);
  return downward(m, x, static_cast<int>(reach + 13.5 * elementary::cbrt(reach)) + 20, -1);
}

BesselPair scaled_bessel_i(int m, double x) {
  if (x < 1) {
    const double scale = elementary::exp(-x);
    return {scale * series(m, x, 1), scale * series(m + 1, x, 1)};
  }
  return downward(m, x, m + static_cast<int>(std::sqrt(100 * x)) + 30, 1);
}

double BesselZeros::operator()(int m, int n) {
  const auto order = static_cast<std::size_t>(m), count = static_cast<std::size_t>(n);
  if (zero_.size() <= order) zero_.resize(order + 1);
  std::vector<double>& found = zero_[order];
  while (found.size() < count) {
    // Zeros are more than 3 apart, the first lies above m; the sign there is known.
    const double sign = found.size() % 2 == 0 ? 1 : -1;
    double low = found.empty() ? m : found.back() + 1, high = low + 1.5;
    for (; sign * bessel_j(m, high).here > 0; high += 1.5) low = high;
    double x = (low + high) / 2;
    for (int i = 0; i < 60; ++i) {  // Newton inside the bracket
      const BesselPair j = bessel_j(m, x);
      (sign * j.here > 0 ? low : high) = x;
      const double step = j.here / (m / x * j.here - j.next), to = x - step;
      const double old = x;
      x = to > low && to < high ? to : (low + high) / 2;
      if (std::abs(x - old) <= 4e-16 * x) break;
    }
    found.push_back(x);
  }
  return found[count - 1];
}

}  // namespace jawari
