// SPDX-License-Identifier: MIT
// Sums over modes in eight lanes: a chain of additions waits for itself, eight do not, and they fill a vector of any
// target (src/kernel).  The order is fixed, so every target computes the same bits.
#pragma once
#include <array>
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
/// The same for several sums at once: add(i, l) adds the terms of i to lane l of each.
template <std::size_t count, class Add>
inline std::array<double, count> sums_of(std::size_t n, Add&& add) noexcept {
  double a[count][8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::size_t l = 0; l < 8; ++l) add(i + l, l, a);
  for (std::size_t l = 0; i + l < n; ++l) add(i + l, l, a);
  std::array<double, count> sums;
  for (std::size_t k = 0; k < count; ++k)
    sums[k] = ((a[k][0] + a[k][1]) + (a[k][2] + a[k][3])) + ((a[k][4] + a[k][5]) + (a[k][6] + a[k][7]));
  return sums;
}
inline double dot(const double* x, const double* y, std::size_t n) noexcept {
  return sum_of(n, [=](std::size_t i) { return x[i] * y[i]; });
}

}  // namespace jawari
