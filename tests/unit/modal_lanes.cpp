// SPDX-License-Identifier: MIT
// Loops in lanes give the bits of the plain loops, whatever is left beside whole vectors.
#include "body/modal_lanes.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "body/sums.h"

namespace jawari {
namespace {

struct Columns {
  std::vector<double> C, D, lag, loss, u, d, s, change, load, push;
  Columns(std::size_t n, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    for (auto* v : {&C, &D, &lag, &loss, &u, &d, &s, &change, &load, &push})
      for (std::size_t i = 0; i < n; ++i) v->push_back(normal(random));
  }
  modal_lanes::Modes lanes() {
    return {C.size(), C.data(), D.data(), lag.data(), loss.data(), u.data(), d.data(), s.data(), change.data()};
  }
};

TEST(ModalLanes, GiveTheBitsOfPlainLoops) {
  for (unsigned n = 0; n <= 41; ++n) {
    SCOPED_TRACE(n);
    Columns a(n, n);
    Columns b = a;
    modal_lanes::predict(a.lanes(), a.load.data(), a.push.data());
    modal_lanes::push(a.lanes(), a.load.data());
    const double lost = modal_lanes::losses(a.lanes());
    modal_lanes::move(a.lanes());
    const auto energies = modal_lanes::energies(n, a.u.data(), a.d.data(), a.C.data(), a.D.data(), a.lag.data());
    for (std::size_t i = 0; i < n; ++i) {
      b.change[i] = b.C[i] * (b.load[i] + b.push[i]) - b.D[i] * b.u[i] - b.lag[i] * b.d[i];
      b.change[i] += b.load[i] * b.C[i];
      b.s[i] = 2 * b.d[i] + b.change[i];
    }
    const double plainly_lost = sum_of(n, [&](std::size_t i) { return b.loss[i] * b.s[i] * b.s[i]; });
    for (std::size_t i = 0; i < n; ++i) {
      b.d[i] += b.change[i];
      b.u[i] += b.d[i];
    }
    const auto elastic = [&](std::size_t i) {
      const double mean = b.u[i] - b.d[i] / 2;
      return b.D[i] * mean * mean;
    };
    EXPECT_EQ(a.change, b.change);
    EXPECT_EQ(a.s, b.s);
    EXPECT_EQ(a.u, b.u);
    EXPECT_EQ(a.d, b.d);
    EXPECT_EQ(lost, plainly_lost);
    EXPECT_EQ(energies[0], sum_of(n, [&](std::size_t i) { return b.C[i] * b.d[i] * b.d[i]; }));
    EXPECT_EQ(energies[1], sum_of(n, [&](std::size_t i) { return b.lag[i] * elastic(i); }));
    EXPECT_EQ(energies[2], sum_of(n, [&](std::size_t i) { return (1 - b.lag[i]) * elastic(i); }));
    modal_lanes::steps(b.lanes());
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(b.s[i], 2 * b.d[i] + b.change[i]);
    for (std::size_t rows = 0; rows <= 9; ++rows) {  // in one pass as in several
      const Columns matrix(n * 9 + 9, static_cast<unsigned>(rows));
      std::vector<double> to(rows), read(rows), sum(n), modal(n);
      std::vector<const double*> row;
      for (std::size_t r = 0; r < rows; ++r) row.push_back(&matrix.C[r * n]);
      const bool forced = rows % 2 == 0, begun = rows % 3 == 0;
      const std::vector<double> none(n);
      modal_lanes::predict(a.lanes(), forced ? a.load.data() : none.data(), forced ? a.push.data() : none.data());
      modal_lanes::steps(a.lanes());
      modal_lanes::times(matrix.C.data(), rows, n, a.s.data(), read.data());
      modal_lanes::predict_read(b.lanes(), forced ? b.load.data() : nullptr, b.push.data(), matrix.C.data(), rows,
                                to.data());
      EXPECT_EQ(a.change, b.change);
      EXPECT_EQ(a.s, b.s);
      EXPECT_EQ(to, read);
      if (begun) modal = sum = a.load;
      for (std::size_t r = 0; r < rows; ++r) modal_lanes::add_row(row[r], n, matrix.D[r], sum.data());
      if (begun || rows > 0) modal_lanes::push(a.lanes(), sum.data());
      const double several = modal_lanes::losses(a.lanes());
      modal_lanes::move(a.lanes());
      EXPECT_EQ(modal_lanes::advance(b.lanes(), row.data(), matrix.D.data(), rows, modal.data(), begun), several);
      EXPECT_EQ(a.s, b.s);
      EXPECT_EQ(a.u, b.u);
      EXPECT_EQ(a.d, b.d);
    }
  }
}

TEST(ModalLanes, MultiplyMatricesOfAnySize) {
  for (unsigned n = 1; n <= 35; n += 3)
    for (std::size_t rows = 0; rows <= 9; ++rows) {
      const Columns matrix(n * (rows + 1), n), x(n, 7);
      std::vector<double> to(rows), sum = x.C;
      modal_lanes::times(matrix.C.data(), rows, n, x.C.data(), to.data());
      for (std::size_t r = 0; r < rows; ++r) EXPECT_EQ(to[r], dot(&matrix.C[r * n], x.C.data(), n)) << n << ' ' << r;
      modal_lanes::add_row(matrix.D.data(), n, 0.3, sum.data());
      for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(sum[i], x.C[i] + matrix.D[i] * 0.3);
    }
}

}  // namespace
}  // namespace jawari
