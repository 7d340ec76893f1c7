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

}  // namespace
}  // namespace jawari
