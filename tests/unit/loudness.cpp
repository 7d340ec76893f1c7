// SPDX-License-Identifier: MIT
// Loudness against the test signals of ITU-R BS.1770-4 and EBU Tech 3341, and the gain that sound files get by it.
#include "jawari/io/loudness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "jawari/io/audio_file.h"

namespace jawari {
namespace {

using Channels = std::vector<std::vector<double>>;

void add_sine(std::vector<double>& signal, double hz, double level_dB, double duration_s, double rate_hz) {
  const auto count = static_cast<std::size_t>(duration_s * rate_hz);
  const double amplitude = std::pow(10, level_dB / 20);
  for (std::size_t n = 0; n < count; ++n)
    signal.push_back(amplitude * std::sin(2 * M_PI * hz * static_cast<double>(n) / rate_hz));
}

TEST(Loudness, ASineOf997HzInOneChannelMeasuresItsPeakLevelLess3) {
  for (const double rate : {44100.0, 48000.0, 96000.0, 192000.0}) {
    Channels one(1);
    add_sine(one[0], 997, 0, 5, rate);
    ASSERT_TRUE(loudness_LUFS(one, rate).has_value());
    EXPECT_NEAR(*loudness_LUFS(one, rate), -3.01, 0.05) << rate;
  }
}
TEST(Loudness, QuietPartsAreGatedAsInTech3341) {
  Channels two(2);
  for (auto& c : two)
    for (const auto& [level, duration] : {std::pair{-36.0, 10.0}, {-23.0, 60.0}, {-36.0, 10.0}})
      add_sine(c, 1000, level, duration, 48000);
  EXPECT_NEAR(loudness_LUFS(two, 48000).value_or(0), -23.0, 0.1);  // case 3
  for (auto& c : two) c.insert(c.end(), 48000 * 20, 0.0);
  EXPECT_NEAR(loudness_LUFS(two, 48000).value_or(0), -23.0, 0.1);  // silence counts for nothing
}
TEST(Loudness, ThereIsNoneOfSilenceAndOfLessThanABlock) {
  EXPECT_FALSE(loudness_LUFS(Channels(1, std::vector<double>(48000, 0.0)), 48000).has_value());
  EXPECT_FALSE(loudness_LUFS(Channels(1, std::vector<double>(19000, 0.5)), 48000).has_value());
  EXPECT_FALSE(loudness_LUFS(Channels(), 48000).has_value());
}

double level_dB(const AudioFacts& f) { return 20 * std::log10(f.gain * f.peak); }
TEST(Loudness, SoundFilesAreEquallyLoudAsFarAsTheirPeaksAllow) {
  for (const double unit : {1e-6, 1.0, 1e5}) {  // of whatever unit
    Channels tone(1), clicks(1, std::vector<double>(96000, 0.0)), brief(1);
    add_sine(tone[0], 997, 0, 2, 48000);
    for (std::size_t n = 0; n < clicks[0].size(); n += 24000) clicks[0][n] = 1;
    add_sine(brief[0], 997, 0, 0.2, 48000);
    for (auto* c : {&tone, &clicks, &brief})
      for (double& x : (*c)[0]) x *= unit;
    EXPECT_NEAR(level_dB(audio_facts(tone, 48000)), -20, 0.05);
    EXPECT_NEAR(level_dB(audio_facts(clicks, 48000)), -1, 1e-9);
    EXPECT_NEAR(level_dB(audio_facts(brief, 48000)), -1, 1e-9);
    EXPECT_EQ(audio_facts(tone, 48000, {.gain = 2.0}).gain, 2.0);
  }
}

}  // namespace
}  // namespace jawari
