// SPDX-License-Identifier: MIT
#include "jawari/body/shapes.h"

#include <numbers>

#include "support/golden.h"

namespace jawari {
namespace {

using test::close;
constexpr double pi = std::numbers::pi;

/// Integral of shape_i shape_j times a density, by the midpoint rule over a square or a line.
double overlap(const ModeTable& t, std::size_t i, std::size_t j, double size, bool plane, bool round) {
  const int n = plane ? 150 : 4000;
  const double h = size / n, from = round ? -size / 2 : 0;
  double sum = 0;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < (plane ? n : 1); ++b) {
      const Place p{from + (a + 0.5) * h, plane ? from + (b + 0.5) * h : 0};
      if (t.holds(p)) sum += t.shape(i, p) * t.shape(j, p) * (plane ? h * h : h);
    }
  return sum;
}
void expect_orthogonal(const ModeTable& t, double density, double size, bool plane, bool round, double tolerance) {
  ASSERT_GE(t.modes.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      EXPECT_TRUE(close(density * overlap(t, i, j, size, plane, round), i == j ? t.modes[i].mass_kg : 0, 0,
                        tolerance * t.modes[0].mass_kg))
          << i << " " << j;
  for (std::size_t i = 1; i < t.modes.size(); ++i) EXPECT_LE(t.modes[i - 1].omega_rad_s, t.modes[i].omega_rad_s);
}

TEST(Bars, HaveTheFrequenciesOfTheTextbook) {
  const BarData bar{.length_m = 0.5, .density_kg_m = 0.3, .bending_N_m2 = 2};
  const double unit = std::sqrt(2 / 0.3) / (0.5 * 0.5);
  const auto at = [&](Ends ends, std::size_t mode) {
    BarData b = bar;
    b.ends = ends;
    return bar_modes(b, 1e9, 12).modes[mode].omega_rad_s / unit;
  };
  EXPECT_TRUE(close(at(Ends::supported, 0), pi * pi, 1e-14));
  EXPECT_TRUE(close(at(Ends::clamped, 0), 22.373285448061, 1e-12));
  EXPECT_TRUE(close(at(Ends::clamped, 1), 7.853204624095838 * 7.853204624095838, 1e-13));
  EXPECT_TRUE(close(at(Ends::free, 2), 22.373285448061, 1e-12));
  EXPECT_EQ(at(Ends::free, 1), 0);
  EXPECT_TRUE(close(at(Ends::clamped_free, 0), 3.516015268500, 1e-12));
  EXPECT_TRUE(close(at(Ends::clamped_free, 1), 22.034491564670, 1e-12));
}

/// Of a strip 1e9 times as long as wide, half a thousand million modes lie below twice the lowest frequency.
TEST(Membranes, OfAnyWidthListTheirLowestModes) {
  const MembraneData strip{.width_m = 1e-9, .height_m = 1, .tension_N_m = 1, .density_kg_m2 = 1};
  const ModeTable t = membrane_modes(strip, 2 * pi * 1e9, 9);
  ASSERT_EQ(t.modes.size(), 9u);
  for (std::size_t n = 0; n < 9; ++n)
    EXPECT_TRUE(close(t.modes[n].omega_rad_s, pi * std::hypot(1e9, static_cast<double>(n + 1)), 1e-15)) << n;
  EXPECT_TRUE(close(t.shape(8, {0.5e-9, 0.5}), 1, 1e-9));
  EXPECT_TRUE(close(t.shape(7, {0.5e-9, 0.5}), 0, 0, 1e-9));
}

/// Whatever the number, the first are the same.
TEST(Membranes, ListTheSameModesWhateverIsAskedFor) {
  const MembraneData board{.width_m = 0.31, .height_m = 0.17, .tension_N_m = 400, .density_kg_m2 = 0.3};
  const ModeTable all = membrane_modes(board, 1e4, 100000);
  ASSERT_GT(all.modes.size(), 100u);
  for (const std::size_t most : {1u, 2u, 7u, 50u, 99u}) {
    const ModeTable some = membrane_modes(board, 1e4, most);
    ASSERT_EQ(some.modes.size(), most);
    for (std::size_t i = 0; i < most; ++i) {
      EXPECT_EQ(some.modes[i].omega_rad_s, all.modes[i].omega_rad_s);
      EXPECT_EQ(some.shape(i, {0.1, 0.07}), all.shape(i, {0.1, 0.07}));
    }
  }
}

TEST(Bars, HaveOrthogonalShapesUpToHighModes) {
  for (const auto ends : {Ends::supported, Ends::clamped, Ends::free, Ends::clamped_free}) {
    const auto t = bar_modes({.length_m = 0.5, .density_kg_m = 0.3, .bending_N_m2 = 2, .ends = ends}, 1e12, 60);
    expect_orthogonal(t, 0.3, 0.5, false, false, 1e-5);
    EXPECT_TRUE(close(0.3 * overlap(t, 55, 55, 0.5, false, false), t.modes[55].mass_kg, 1e-2));  // no exponential lost
    const double edge = ends == Ends::free ? 2 : 0;
    EXPECT_TRUE(close(std::abs(t.shape(55, {0, 0})), edge, 0, 1e-9));
    EXPECT_TRUE(close(std::abs(t.shape(55, {0.5, 0})), ends == Ends::clamped_free ? 2 : edge, 0, 1e-9));
  }
}

TEST(Membranes, RectangleAndCircle) {
  const auto square =
      membrane_modes({.width_m = 0.4, .height_m = 0.3, .tension_N_m = 800, .density_kg_m2 = 0.25}, 1e4, 40);
  EXPECT_TRUE(close(square.modes[0].omega_rad_s, pi * std::sqrt(800 / 0.25 * (1 / 0.16 + 1 / 0.09)), 1e-14));
  const auto drum = membrane_modes({.radius_m = 0.2, .tension_N_m = 800, .density_kg_m2 = 0.25}, 1e4, 40);
  const double c = std::sqrt(800 / 0.25);
  EXPECT_TRUE(close(drum.modes[0].omega_rad_s, 2.404825557695773 * c / 0.2, 1e-13));
  EXPECT_TRUE(close(drum.modes[1].omega_rad_s, 3.831705970207512 * c / 0.2, 1e-13));
  EXPECT_EQ(drum.modes[1].omega_rad_s, drum.modes[2].omega_rad_s);  // a pair
  expect_orthogonal(drum, 0.25, 0.4, true, true, 1e-2);
  EXPECT_FALSE(drum.holds({0.19, 0.19}));
}

TEST(Plates, RectangleSupportedAndCircleClamped) {
  const PlateData data{.width_m = 0.3, .height_m = 0.2, .thickness_m = 2e-3};
  const double kappa = std::sqrt(2e11 * 4e-6 / (12 * 7850 * (1 - 0.09)));
  EXPECT_TRUE(close(plate_modes(data, 1e6, 20).modes[0].omega_rad_s, kappa * pi * pi * (1 / 0.09 + 1 / 0.04), 1e-13));
  const auto disc = plate_modes({.radius_m = 0.15, .thickness_m = 2e-3}, 1e5, 30);
  EXPECT_TRUE(close(disc.modes[0].omega_rad_s, kappa * 10.21582615 / 0.0225, 1e-8));
  EXPECT_TRUE(close(disc.modes[1].omega_rad_s, kappa * 21.26040 / 0.0225, 1e-5));
  expect_orthogonal(disc, 7850 * 2e-3, 0.3, true, true, 1e-2);
}

TEST(Bodies, LossesGrowWithTheWaveNumber) {
  const auto t = bar_modes({.length_m = 0.5, .density_kg_m = 0.3, .bending_N_m2 = 2, .loss = {1, 1e-3}}, 1e9, 5);
  for (int n = 1; n <= 5; ++n)
    EXPECT_TRUE(close(t.modes[static_cast<std::size_t>(n - 1)].decay_1_s, 1 + 1e-3 * std::pow(n * pi / 0.5, 2), 1e-13));
}

}  // namespace
}  // namespace jawari
