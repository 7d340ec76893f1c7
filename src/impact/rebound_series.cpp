// SPDX-License-Identifier: MIT
#include "jawari/impact/rebound_series.h"

#include <algorithm>

#include "jawari/core/elementary.h"

namespace jawari::exact {

ReboundSeries::ReboundSeries(int order) {
  const auto n = static_cast<std::size_t>(std::clamp(order, 1, highest));
  std::vector<double> s(n + 2, 0.0);  // (R3) of w^2
  a_.assign(n + 1, 0.0);
  for (std::size_t k = 1; k <= n; ++k) {
    const double at = static_cast<double>(k);
    s[k + 1] = (2 * ((k == 1 ? 1 : 0) + a_[k - 1]) - at * s[k]) / (at + 1);
    double known = 0;
    for (std::size_t i = 2; i < k; ++i) known += a_[i] * a_[k + 1 - i];
    a_[k] = k == 1 ? -1 : -(s[k + 1] - known) / 2;
  }
  b_.assign(n + 1, 0.0);
  b_[0] = 1;
  for (std::size_t j = 1; j <= n; ++j) {  // (38), from l = j - 1 down, c_(j-l) on the way
    double c = 1;
    b_[j] = a_[j];
    for (std::size_t l = j; l-- > 0;) {
      c *= -2 / static_cast<double>(j - l);
      b_[j] -= b_[l] * c;
    }
  }
}

double ReboundSeries::local(double U) const noexcept {
  double sum = 0;
  for (std::size_t j = a_.size(); j-- > 1;) sum = sum * U + a_[j];
  return -sum;
}

/// (1 - P e^(-2U))/U; below U = 1 as e P - Q with e = (1 - e^(-2U))/U and Q = (P - 1)/U, which does not cancel.
double ReboundSeries::restitution(double U) const noexcept {
  double Q = 0;
  for (std::size_t j = b_.size(); j-- > 1;) Q = Q * U + b_[j];
  const double P = 1 + U * Q;
  if (U > 1) return (1 - P * elementary::exp(-2 * U)) / U;
  const double e = U == 0 ? 2 : -elementary::expm1(-2 * U) / U;
  return e * P - Q;
}

}  // namespace jawari::exact
