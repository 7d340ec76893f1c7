// SPDX-License-Identifier: MIT
// Centroid and third-octave levels of sounds whose spectra are known.
#include "jawari/engine/timbre.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jawari {
namespace {

struct Tone {
  double hz, amplitude, phase = 0;
};
std::vector<double> sound(const std::vector<Tone>& tones, double rate_hz, double seconds = 0.4) {
  std::vector<double> x(static_cast<std::size_t>(rate_hz * seconds));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (const auto& t : tones)
      x[i] += t.amplitude * std::sin(2 * M_PI * t.hz * static_cast<double>(i) / rate_hz + t.phase);
  return x;
}
TimbreDistance distance(const Timbre& a, const Timbre& b) { return timbre_distance({&a, 1}, {&b, 1}); }

TEST(Timbre, CentroidIsWeightedByPower) {
  const Timbre t = timbre(sound({{500, 1}, {2000, 0.5}}, 44100), 44100);
  ASSERT_EQ(t.windows.size(), 7u);
  for (const auto& w : t.windows) {
    EXPECT_NEAR(w.centroid_hz, (500 * 1 + 2000 * 0.25) / 1.25, 0.5);
    EXPECT_NEAR(w.power, (1 + 0.25) / 2, 1e-3);
    EXPECT_NEAR(w.power_in[6], 0.5, 1e-3);     // 500 Hz
    EXPECT_NEAR(w.power_in[12], 0.125, 1e-3);  // 2 kHz
    EXPECT_NEAR(w.power_in[9], 0, 1e-8);       // 1 kHz: nothing
  }
}

TEST(Timbre, IsTheSameAtEveryRateAndWithoutAConstant) {
  const std::vector<Tone> tones{{150, 1}, {900, 0.3, 1}, {4000, 0.1, 2}};
  const Timbre one = timbre(sound(tones, 44100), 44100);
  auto moved = sound(tones, 4 * 44100);
  for (double& x : moved) x += 5;
  const TimbreDistance d = distance(timbre(moved, 4 * 44100), one);
  EXPECT_TRUE(d.known() && d.good());
  EXPECT_LT(d.centroid, 1e-3);
  EXPECT_LT(d.level_dB, 0.02);
}

TEST(Timbre, MeasuresLevelAndBrightness) {
  // One of twenty bands is 6.02 dB louder: rms 6.02 / sqrt(20).
  const auto soft = timbre(sound({{500, 1}, {2000, 0.1}}, 44100), 44100);
  const auto loud = timbre(sound({{500, 1}, {2000, 0.2}}, 44100), 44100);
  const TimbreDistance d = distance(loud, soft);
  const double before = (500 + 2000 * 0.01) / 1.01, after = (500 + 2000 * 0.04) / 1.04;
  EXPECT_NEAR(d.level_dB, 6.0206 / std::sqrt(20.0), 0.03);
  EXPECT_NEAR(d.centroid, after / before - 1, 1e-3);
  EXPECT_NEAR(d.brighter, after / before - 1, 1e-3);
  EXPECT_NEAR(distance(soft, loud).brighter, before / after - 1, 1e-3);
}

TEST(Timbre, EmptyBandsAreEqual) {
  // 80 and 100 dB below the loudest band: 20 dB apart, and both below the floor of 60 dB.
  const auto a = timbre(sound({{500, 1}, {5000, 1e-4}}, 44100), 44100);
  const auto b = timbre(sound({{500, 1}, {5000, 1e-5}}, 44100), 44100);
  EXPECT_LT(distance(a, b).level_dB, 1e-3);
  // One below the floor, the other 20 dB above it: 20 dB in one of twenty bands.
  const auto c = timbre(sound({{500, 1}, {5000, 1e-2}}, 44100), 44100);
  EXPECT_NEAR(distance(c, b).level_dB, 20 / std::sqrt(20.0), 0.1);
}

TEST(Timbre, StartsAreAveragedBeforeTheyAreCompared) {
  const Timbre low = timbre(sound({{500, 1}, {2000, 0.1}}, 44100), 44100);
  const Timbre high = timbre(sound({{500, 1}, {2000, 0.4}}, 44100), 44100);
  const Timbre middle = timbre(sound({{500, 1}, {2000, 0.2}}, 44100), 44100);
  const Timbre both[] = {low, high};
  EXPECT_LT(timbre_distance(both, {&middle, 1}).level_dB, 0.01);  // the mean level in dB is that of the middle
  EXPECT_LT(timbre_distance(both, both).centroid, 1e-12);
}

TEST(Timbre, WhatIsSilentOrShortHasNone) {
  const Timbre some = timbre(sound({{500, 1}}, 44100), 44100);
  const Timbre none = timbre(std::vector<double>(17640, 0.0), 44100);
  const Timbre brief = timbre(sound({{500, 1}}, 44100, 0.04), 44100);
  EXPECT_TRUE(brief.windows.empty());
  for (const auto& d : {distance(some, none), distance(some, brief), distance(brief, some), timbre_distance({}, {})})
    EXPECT_FALSE(d.known() || d.good());
  EXPECT_EQ(timbre(sound({{500, 1}}, 44100, 0.06), 44100).windows.size(), 1u);
  EXPECT_TRUE(distance(none, some).known());  // silence where there should be sound is a distance
  EXPECT_FALSE(distance(none, some).good());
}

TEST(Timbre, RatesBelowUsualAreComparedUpToTheirOwnEnd) {
  EXPECT_EQ(timbre_limit_hz(44100, 96000), 18000);
  EXPECT_NEAR(timbre_limit_hz(22050, 44100), 9000, 1e-9);
  const double limit = timbre_limit_hz(22050, 44100);
  const auto full = timbre(sound({{500, 1}, {10000, 1}}, 44100), 44100, limit);
  const auto half = timbre(sound({{500, 1}}, 22050), 22050, limit);
  EXPECT_LT(distance(half, full).centroid, 1e-3);
  EXPECT_LT(distance(half, full).level_dB, 1e-2);
}

}  // namespace
}  // namespace jawari
