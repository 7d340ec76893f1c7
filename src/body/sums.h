// SPDX-License-Identifier: MIT
// Sums over modes in eight lanes: one chain of additions is bound by latency, eight are not, and they fill a vector of
// any target (src/kernel).  The order is fixed, so every target computes the same bits.
#pragma once
#include <cstddef>

namespace jawari {

/// term(0) + ... + term(n - 1)
template <class Term>
inline double sum_of(std::size_t n, Term&& term) noexcept {
  double a[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::size_t l = 0; l < 8; ++l) a[l] += term(i + l);
  for (std::size_t l = 0; i + l < n; ++l) a[l] += term(i + l);
  return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}
inline double dot(const double* x, const double* y, std::size_t n) noexcept {
  return sum_of(n, [=](std::size_t i) { return x[i] * y[i]; });
}

}  // namespace jawari
