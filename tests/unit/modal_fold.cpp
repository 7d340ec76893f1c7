// SPDX-License-Identifier: MIT
// Taps that are alike, summed up together (M10): what they read and push is what their rows say.
#include "body/modal_fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "body/sums.h"
#include "jawari/body/modal.h"
#include "jawari/body/shapes.h"

namespace jawari {
namespace {

struct Drum {
  ModeTable table;
  std::vector<Place> places = {};
  std::size_t folded = 0;  // of the places

  std::vector<std::vector<double>> rows() const {
    std::vector<std::vector<double>> r;
    for (const Place& p : places) r.push_back(table.row(p));
    return r;
  }
};

/// Four wires below a round membrane, a stick and a microphone that lie nowhere in particular.
Drum snare() {
  MembraneData data;
  data.radius_m = 0.127;
  data.tension_N_m = 2000;
  data.density_kg_m2 = 0.26;
  Drum d{membrane_modes(data, 4e4, 500)};
  d.places.push_back({0.04, 0.02});
  for (int wire = 0; wire < 5; ++wire)  // the middle one lies on an axis
    for (int i = 1; i <= 6; ++i) d.places.push_back({0.2 * i / 7 - 0.1, (wire - 2) * 0.01});
  d.places.push_back({-0.03, 0.07});
  d.folded = 30;
  return d;
}
/// A bridge along a plate, and points that are not on it.
Drum board() {
  PlateData data;
  data.width_m = 1.3;
  data.height_m = 0.9;
  data.thickness_m = 0.011;
  data.density_kg_m3 = 400;
  data.young_Pa = 6e9;
  Drum d{plate_modes(data, 5e4, 180)};
  for (int i = 0; i < 40; ++i) d.places.push_back({0.2 + 0.9 * i / 40, 0.25});
  d.places.push_back({0.4, 0.35});
  d.places.push_back({0.71, 0.53});
  d.folded = 40;
  return d;
}
std::vector<double> joined(const std::vector<std::vector<double>>& rows) {
  std::vector<double> all;
  for (const auto& r : rows) all.insert(all.end(), r.begin(), r.end());
  return all;
}
std::vector<double> drawn(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> x(count);
  for (double& y : x) y = normal(random);
  return x;
}

TEST(ModalFold, ReadsAndPushesWhatTheRowsSay) {
  for (const Drum& d : {snare(), board()}) {
    const std::size_t modes = d.table.modes.size(), taps = d.places.size();
    const std::vector<double> before = joined(d.rows());
    std::vector<double> rows = before;
    const auto fold = ModalFold::make(rows, modes);
    ASSERT_TRUE(fold);
    const double largest = std::abs(*std::max_element(before.begin(), before.end()));
    for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_NEAR(rows[i], before[i], 1e-11 * largest) << i;
    std::size_t others = 0;
    for (const auto& run : fold->others()) others += run.count;
    EXPECT_EQ(taps - others, d.folded);
    EXPECT_LT(2 * fold->work(), d.folded * modes);

    std::vector<double> room(fold->room(), 0.0), modal = drawn(modes, 1), read(taps, 7.0), force = drawn(taps, 2);
    for (int turn = 0; turn < 2; ++turn) {  // one does not disturb the other
      fold->read(modal.data(), read.data(), room.data());
      std::size_t unread = 0;
      for (std::size_t t = 0; t < taps; ++t) {
        const bool other = std::any_of(fold->others().begin(), fold->others().end(),
                                       [&](const auto& r) { return t >= r.first && t < r.first + r.count; });
        if (other) {
          EXPECT_EQ(read[t], 7.0);
          ++unread;
        } else {
          EXPECT_NEAR(read[t], dot(&rows[t * modes], modal.data(), modes), 1e-12 * largest * std::sqrt(modes)) << t;
        }
      }
      EXPECT_EQ(unread, others);
      std::vector<double> pushed(modes, 3.0), expected(modes, 0.0);
      std::vector<double> left = force;
      EXPECT_TRUE(fold->gains(force));
      fold->push(left.data(), pushed.data(), room.data());
      for (std::size_t t = 0; t < taps; ++t)
        for (std::size_t i = 0; left[t] == 0 && i < modes; ++i) expected[i] += rows[t * modes + i] * force[t];
      for (std::size_t i = 0; i < modes; ++i) EXPECT_NEAR(pushed[i], expected[i], 1e-12 * largest) << i;
      EXPECT_EQ(static_cast<std::size_t>(std::count(left.begin(), left.end(), 0.0)), d.folded);
    }
    std::vector<double> one(taps, 0.0);
    one[5] = 1;
    EXPECT_FALSE(fold->gains(one));  // a row is less
  }
}

TEST(ModalFold, LeavesRowsAloneThatAreNotAlike) {
  constexpr std::size_t modes = 200, taps = 30;
  std::vector<double> rows = drawn(modes * taps, 3);
  const auto before = rows;
  EXPECT_FALSE(ModalFold::make(rows, modes));
  EXPECT_EQ(rows, before);
  EXPECT_FALSE(ModalFold::make(rows, 20));  // too few modes to gain
}

/// Pushed at many taps or at few, a body moves as one whose taps are summed up one by one, and keeps its energy.
TEST(ModalFold, BodiesMoveAsWithoutIt) {
  for (const Drum& d : {snare(), board()}) {
    constexpr double dt = 1 / 48000.0;
    ModalBody together(d.table.modes, d.rows(), dt, Stepping::midpoint, false, true),
        apart(d.table.modes, d.rows(), dt, Stepping::midpoint);
    ASSERT_TRUE(together.tap_rules().together);
    ASSERT_FALSE(apart.tap_rules().together);
    const std::size_t taps = d.places.size();
    double work = 0, off = 0, size = 0, most = 0;
    for (int n = 0; n < 300; ++n) {
      const std::vector<double> force = drawn(taps, static_cast<unsigned>(n));
      for (ModalBody* b : {&together, &apart}) {
        b->predict();
        for (std::size_t t = 0; t < taps; ++t)
          if (n % 3 == 0 || (n % 3 == 1 && t % 11 == 3)) b->force[t] = force[t];
        b->advance();
      }
      for (std::size_t t = 0; t < taps; ++t) {
        if (n % 3 == 0 || (n % 3 == 1 && t % 11 == 3)) work += force[t] * together.s[t] / 2;
        off = std::max({off, std::abs(together.w[t] - apart.w[t]), std::abs(together.d[t] - apart.d[t])});
        size = std::max(size, std::abs(apart.w[t]));
      }
      most = std::max(most, together.stored().total());
      ASSERT_NEAR(together.stored().total(), work - together.lost.value(), 1e-12 * most) << n;
    }
    EXPECT_GT(size, 0);
    EXPECT_LT(off, 1e-10 * size);
  }
}

}  // namespace
}  // namespace jawari
