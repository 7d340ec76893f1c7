// SPDX-License-Identifier: MIT
// Spectra and spectrograms of sounds that are known.
#include "jawari/io/spectrum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "support/sound.h"

namespace jawari {
namespace {

using test::sound;
double sine(double t_s, double f_hz) { return test::sine(f_hz * t_s); }

std::size_t loudest(const std::vector<float>& level) {
  return static_cast<std::size_t>(std::max_element(level.begin(), level.end()) - level.begin());
}
/// Loudest line within 2 % of a frequency.
float near(const Spectrum& s, double f_hz) {
  float most = Spectrum::floor_dB;
  for (std::size_t i = 0; i < s.level_dB.size(); ++i)
    if (std::abs(s.frequency_hz[i] / f_hz - 1) < 0.02) most = std::max(most, s.level_dB[i]);
  return most;
}
void expect_numbers(const std::vector<float>& values, float from, float to) {
  for (const float x : values) ASSERT_TRUE(x >= from && x <= to) << x;  // false for NaN
}
void expect_sane(const Spectrum& s, double rate_hz) {
  ASSERT_EQ(s.frequency_hz.size(), s.level_dB.size());
  EXPECT_LE(s.level_dB.size(), 4096u);
  EXPECT_TRUE(std::is_sorted(s.frequency_hz.begin(), s.frequency_hz.end(), std::less_equal<>{})) << "strictly rising";
  expect_numbers(s.frequency_hz, 1e-30f, static_cast<float>(rate_hz / 2 * (1 + 1e-6)));
  expect_numbers(s.level_dB, Spectrum::floor_dB, 0);
}
void expect_sane(const Spectrogram& s) {
  EXPECT_LE(s.columns.size(), 1000u);
  EXPECT_LE(s.frequency_hz.size(), 300u);
  EXPECT_TRUE(std::is_sorted(s.frequency_hz.begin(), s.frequency_hz.end()));
  for (const auto& c : s.columns) {
    ASSERT_EQ(c.size(), s.frequency_hz.size());
    expect_numbers(c, Spectrogram::floor_dB, 0);
  }
}

TEST(Spectrum, SineHasItsPeakAtItsFrequency) {
  for (const double rate : {8000.0, 44100.0, 192000.0})
    for (const double f : {55.0, 441.3, 3000.7}) {
      const auto s = spectrum(sound(1, rate, [&](double t) { return 0.3 * sine(t, f); }), rate);
      expect_sane(s, rate);
      const std::size_t k = loudest(s.level_dB);
      EXPECT_NEAR(s.frequency_hz[k], f, 0.5) << "lines lie 0.5 Hz apart or less, at " << rate;
      EXPECT_EQ(s.level_dB[k], 0.0f);
      EXPECT_LT(near(s, f * 1.5), -80) << "side lobes of a Hann window";
    }
}

TEST(Spectrum, PartialsSixtyDecibelsApartAreBothSeen) {
  // Zero padding samples a Hann line to 0.4 dB or better.
  const auto s = spectrum(sound(2, 44100, [](double t) { return sine(t, 220) + 1e-3 * sine(t, 9900); }), 44100);
  expect_sane(s, 44100);
  EXPECT_NEAR(near(s, 220), 0, 1e-6);
  EXPECT_NEAR(near(s, 9900), -60, 0.5);
  EXPECT_LT(near(s, 4000), -100);
}

TEST(Spectrum, TakesTheLoudestSecondsOfALongSound) {
  const double rate = 8000;
  const auto s =
      spectrum(sound(40, rate, [](double t) { return t > 30 && t < 36 ? sine(t, 1000) : 0.01 * sine(t, 300); }), rate);
  EXPECT_NEAR(s.frequency_hz[loudest(s.level_dB)], 1000, 1);
  EXPECT_LT(near(s, 300), -39);
}

TEST(Spectrum, SilenceConstantsAndBrokenSamplesGiveNumbers) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(spectrum({}, 44100).level_dB.empty());
  EXPECT_TRUE(spectrogram({}, 44100).columns.empty());
  for (const double level : {0.0, 0.7, 1e-310})
    for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{5000}}) {
      std::vector<double> flat(n, level);
      for (std::size_t i = 0; i < n; i += 3) flat[i] *= 1 - 1e-16;  // rounding is no sound
      const auto s = spectrum(flat, 44100);
      expect_sane(s, 44100);
      EXPECT_EQ(s.level_dB[loudest(s.level_dB)], Spectrum::floor_dB) << "a constant of " << level << " is silent";
      const auto g = spectrogram(flat, 44100);
      expect_sane(g);
      for (const auto& c : g.columns) EXPECT_EQ(c[loudest(c)], Spectrogram::floor_dB);
    }
  auto broken = sound(0.5, 44100, [](double t) { return 1e300 * sine(t, 440); });
  broken[100] = nan;
  broken[5000] = inf;
  broken[5001] = -inf;
  const auto s = spectrum(broken, 44100);
  expect_sane(s, 44100);
  EXPECT_NEAR(s.frequency_hz[loudest(s.level_dB)], 440, 1);
  expect_sane(spectrogram(broken, 44100));
}

TEST(Spectrum, ShortSoundsAndOddRatesWork) {
  for (const double rate : {1.0, 100.0, 44100.0, 1e7})
    for (std::size_t n = 1; n < 200; n += 7) {
      const auto x = sound(static_cast<double>(n) / rate, rate, [&](double t) { return sine(t, rate / 8); });
      expect_sane(spectrum(x, rate), rate);
      expect_sane(spectrogram(x, rate));
    }
  const auto s = spectrum(sound(64.0 / 44100, 44100, [](double t) { return sine(t, 44100 / 8.0); }), 44100);
  EXPECT_NEAR(s.frequency_hz[loudest(s.level_dB)], 44100 / 8.0, 44100 / 128.0);
}

TEST(Spectrogram, FollowsATone) {
  const double rate = 44100;
  // 500 Hz, then after one second 2 kHz, 40 dB lower.
  const auto g =
      spectrogram(sound(2, rate, [](double t) { return t < 1 ? sine(t, 500) : 0.01 * sine(t, 2000); }), rate);
  expect_sane(g);
  EXPECT_NEAR(g.step_s * static_cast<double>(g.columns.size()), 2, 1e-9);
  const double row = g.frequency_hz[1] / g.frequency_hz[0];
  const auto at = [&](double t_s) -> const std::vector<float>& {
    return g.columns[static_cast<std::size_t>(t_s / g.step_s)];
  };
  EXPECT_NEAR(std::log(g.frequency_hz[loudest(at(0.5))] / 500), 0, std::log(row));
  EXPECT_NEAR(std::log(g.frequency_hz[loudest(at(1.5))] / 2000), 0, std::log(row));
  EXPECT_NEAR(at(0.5)[loudest(at(0.5))], 0, 0.5);
  EXPECT_NEAR(at(1.5)[loudest(at(1.5))], -40, 0.5);
}

TEST(Spectrogram, NoClickIsMissedInALongSound) {
  const double rate = 8000;
  auto x = sound(600, rate, [](double) { return 0.0; });
  x[1234567] = 1;
  const auto g = spectrogram(x, rate);
  expect_sane(g);
  const auto column = static_cast<std::size_t>(1234567 / rate / g.step_s);
  EXPECT_GT(g.columns[column][loudest(g.columns[column])], -6);
}

}  // namespace
}  // namespace jawari
