// SPDX-License-Identifier: MIT
// Pitches of sounds that are known.
#include "jawari/io/pitch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

#include "support/sound.h"

namespace jawari {
namespace {

using test::sine;
using test::sound;
double cents(double f, double of) { return 1200 * std::log2(f / of); }

/// Every value has a pitch within `most` cents.
void expect_everywhere(const PitchTrack& t, const std::function<double(double)>& f_hz, double most) {
  ASSERT_FALSE(t.frequency_hz.empty());
  ASSERT_EQ(t.frequency_hz.size(), t.clarity.size());
  for (std::size_t i = 0; i < t.frequency_hz.size(); ++i) {
    const double wanted = f_hz(t.start_s + static_cast<double>(i) * t.step_s);
    ASSERT_LE(std::abs(cents(t.frequency_hz[i], wanted)), most)  // false for NaN
        << t.frequency_hz[i] << " Hz instead of " << wanted << " at value " << i;
  }
}

TEST(Pitch, SinesAreFoundToACent) {
  for (const double rate : {44100.0, 48000.0, 96000.0})
    for (const double f : {41.2, 82.41, 110.0, 261.63, 440.0, 1318.5, 2093.0, 4186.0})
      expect_everywhere(
          pitch_track(sound(0.5, rate, [&](double t) { return 0.1 * sine(f * t + 0.13); }), rate),
          [&](double) { return f; }, 1);
}

TEST(Pitch, StringsHaveThePitchOfTheirFundamental) {
  for (const double f : {41.2, 65.41, 110.0, 196.0, 329.63, 987.77})
    for (const bool weak : {false, true}) {  // also where the fundamental is 30 dB below the others
      const auto x = sound(1, 44100, [&](double t) {
        double sum = 0;
        for (int n = 1; n * f < 15000; ++n)
          sum += (n == 1 && weak ? 0.03 : 1.0) * sine(n * f * t + 0.37 * n * n) / n * std::exp(-t * (0.5 + 0.1 * n));
        return sum;
      });
      expect_everywhere(
          pitch_track(x, 44100), [&](double) { return f; }, 1);
      EXPECT_LE(std::abs(cents(pitch_track(x, 44100).usual_hz(), f)), 1);
    }
}

TEST(Pitch, AStiffStringStaysNearItsFundamental) {
  const double f = 110, b = 1e-4;  // inharmonicity of a plain guitar string; partial 10 is 8 cents sharp
  const auto x = sound(1, 44100, [&](double t) {
    double sum = 0;
    for (int n = 1; n <= 30; ++n) sum += sine(n * f * std::sqrt(1 + b * n * n) * t) / n * std::exp(-t * n * 0.3);
    return sum;
  });
  expect_everywhere(
      pitch_track(x, 44100), [&](double) { return f * std::sqrt(1 + b); }, 3);
}

TEST(Pitch, SilenceAndNoiseHaveNone) {
  const auto none = [](const PitchTrack& t) {
    std::size_t found = 0;
    for (const float f : t.frequency_hz) found += !std::isnan(f);
    return found == 0 && t.usual_hz() == 0;
  };
  EXPECT_TRUE(none(pitch_track(std::vector<double>(44100, 0.0), 44100)));
  EXPECT_TRUE(none(pitch_track(std::vector<double>(44100, 0.3), 44100))) << "a constant";
  EXPECT_TRUE(none(pitch_track(std::vector<double>(44100, std::numeric_limits<double>::quiet_NaN()), 44100)));
  EXPECT_TRUE(pitch_track(std::vector<double>(100, 1.0), 44100).frequency_hz.empty()) << "too short";
  EXPECT_TRUE(pitch_track({}, 44100).frequency_hz.empty());
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  EXPECT_TRUE(none(pitch_track(sound(2, 44100, [&](double) { return normal(random); }), 44100)));
}

TEST(Pitch, GlidesAreFollowed) {
  const double from = 110, octaves_s = 0.5;  // half an octave a second
  const auto f = [&](double t) { return from * std::exp2(octaves_s * t); };
  const auto x = sound(2, 44100, [&](double t) {
    const double cycles = from * (std::exp2(octaves_s * t) - 1) / (octaves_s * std::numbers::ln2);
    return sine(cycles) + 0.5 * sine(2 * cycles) + 0.3 * sine(3 * cycles);
  });
  expect_everywhere(pitch_track(x, 44100), f, 5);
}

TEST(Pitch, WhatFollowsAToneIsNotItsPitch) {
  const auto x = sound(2, 44100, [](double t) { return t < 1 ? sine(220 * t) : 0; });
  const auto t = pitch_track(x, 44100);
  for (std::size_t i = 0; i < t.frequency_hz.size(); ++i) {
    const double at = t.start_s + static_cast<double>(i) * t.step_s;
    if (at > 0.9 && at < 1.1) continue;
    EXPECT_TRUE(at < 1 ? std::abs(cents(t.frequency_hz[i], 220)) < 1 : std::isnan(t.frequency_hz[i])) << at;
  }
}

TEST(Pitch, NotesHaveNames) {
  EXPECT_EQ(note_name(nearest_note(440)), "A4");
  EXPECT_EQ(note_name(nearest_note(261.6256)), "C4");
  EXPECT_EQ(note_name(nearest_note(27.5)), "A0");
  EXPECT_EQ(note_name(nearest_note(8.1758)), "C-1");
  EXPECT_EQ(note_name(nearest_note(110 * std::exp2(0.2 / 12))), "A2 +20 ct");
  EXPECT_EQ(note_name(nearest_note(466.16 * std::exp2(-0.4 / 12))), "A♯4 -40 ct");
}

}  // namespace
}  // namespace jawari
