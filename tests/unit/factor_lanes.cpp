// SPDX-License-Identifier: MIT
#include "couple/factor_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace jawari {
namespace {

/// Rows of a factor in lanes, against plain loops, whatever is left beside whole vectors.
TEST(FactorLanes, GiveTheBitsOfPlainLoops) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  constexpr std::size_t n = 41;
  for (const std::size_t first : {std::size_t{0}, std::size_t{3}}) {
    std::vector<double> matrix(n * n), plain(n * n), upper(n * n), row(n);
    for (std::size_t i = first; i < n; ++i)
      for (std::size_t j = first; j <= i; ++j) matrix[i * n + j] = i == j ? 9 : normal(random) / 9;
    for (std::size_t i = first; i < n; ++i) {
      for (std::size_t j = first; j <= i; ++j) {
        double sum = matrix[i * n + j];
        for (std::size_t k = first; k < j; ++k) sum -= plain[i * n + k] * plain[j * n + k];
        plain[i * n + j] = j < i ? sum / plain[j * n + j] : std::sqrt(std::max(sum, 0.5));
      }
      std::copy_n(&matrix[i * n], n, row.begin());
      factor_row(row.data(), upper.data(), n, first, i, 0.5);
      for (std::size_t j = first; j <= i; ++j) {
        ASSERT_EQ(row[j], plain[i * n + j]) << i << ' ' << j;
        ASSERT_EQ(upper[j * n + i], plain[i * n + j]) << i << ' ' << j;
      }
    }
  }
}

TEST(FactorLanes, SolveAsPlainLoopsDo) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  for (std::size_t n = 0; n <= 29; ++n) {
    std::vector<double> lower((n + 1) * (n + 1)), upper(lower.size()), z(n), plain;
    for (std::size_t i = 0; i < n; ++i) {
      z[i] = normal(random);
      for (std::size_t j = 0; j <= i; ++j)
        upper[j * (n + 1) + i] = lower[i * (n + 1) + j] = i == j ? 2 : normal(random) / 9;
    }
    plain = z;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) plain[i] -= lower[i * (n + 1) + k] * plain[k];
      plain[i] /= lower[i * (n + 1) + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      plain[i] /= lower[i * (n + 1) + i];
      for (std::size_t k = 0; k < i; ++k) plain[k] -= lower[i * (n + 1) + k] * plain[i];
    }
    solve_factored(lower.data(), upper.data(), n + 1, n, z.data());
    EXPECT_EQ(z, plain) << n;
    std::vector<double> sum = plain;
    add_scaled(lower.data(), n, 0.3, sum.data());
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(sum[i], plain[i] + lower[i] * 0.3) << n;
  }
}

}  // namespace
}  // namespace jawari
