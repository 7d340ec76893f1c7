// SPDX-License-Identifier: MIT
#include "jawari/body/band.h"

#include <Eigen/Dense>
#include <random>

#include "support/golden.h"

namespace jawari {
namespace {

struct Pair {
  Band band;
  Eigen::MatrixXd dense;
};
/// Random diagonal, dominant enough to be positive definite; with one or two side bands, or none.
Pair random_band(int n, double side, double far, std::mt19937_64& random) {
  std::uniform_real_distribution<double> u(0.5, 3);
  std::vector<double> diagonal;
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    diagonal.push_back(2 * (std::abs(side) + std::abs(far)) + u(random));
    dense(i, i) = diagonal.back();
    if (i > 0) dense(i, i - 1) = dense(i - 1, i) = side;
    if (i > 1) dense(i, i - 2) = dense(i - 2, i) = far;
  }
  return {Band(diagonal, side, far), dense};
}

TEST(Band, AppliesSolvesAndInvertsAsTheDenseMatrixDoes) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> u(-1, 1);
  for (const int n : {1, 2, 3, 4, 7, 60})
    for (const auto& [side, far] : {std::pair{0.0, 0.0}, {-1.3, 0.0}, {0.4, 0.0}, {-4.0, 1.0}, {1.5, 0.7}})
      for (const bool slopes : {false, true}) {
        auto [band, dense] = random_band(n, side, far, random);
        Eigen::VectorXd x(n), out(n), extra = Eigen::VectorXd::Zero(n);
        for (int i = 0; i < n; ++i) {
          x[i] = u(random);
          if (slopes && i % 3 == 1) extra[i] = 1e6 * (1 + u(random));
        }
        const auto length = static_cast<std::size_t>(n);
        band.apply({x.data(), length}, {out.data(), length});
        EXPECT_LE((out - dense * x).norm(), 1e-14 * (1 + dense.norm())) << n;

        const Eigen::MatrixXd whole = dense + Eigen::MatrixXd(extra.asDiagonal()), inverse = whole.inverse();
        band.factor(slopes ? std::span<const double>{extra.data(), length} : std::span<const double>{});
        Eigen::VectorXd y = x;
        band.solve({y.data(), length});
        EXPECT_LE((whole * y - x).norm(), 1e-13 * x.norm()) << n << ' ' << side << ' ' << far;
        std::vector<double> own(length);
        band.inverse_diagonal(own);
        for (int i = 0; i < n; ++i)
          EXPECT_TRUE(test::close(own[static_cast<std::size_t>(i)], inverse(i, i), 1e-12)) << n << ' ' << i;
        EXPECT_EQ(band.diagonal(), side == 0 && far == 0);
      }
}

}  // namespace
}  // namespace jawari
