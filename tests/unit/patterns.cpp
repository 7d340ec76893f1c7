// SPDX-License-Identifier: MIT
// Patterns of a score stand for exactly the events that they say: copies written out by hand give the same samples.
#include <fmt/format.h>

#include <numeric>

#include "coupled/support.h"
#include "jawari/io/scene_writer.h"

namespace jawari {
namespace {

const std::string strings = R"(rate_hz = 44100
duration_s = 0.4
[[string]]
name = "low"
length_m = 0.6
frequency_hz = 220
density_kg_m = 1e-3
sigma0_1_s = 1.0
[[string]]
name = "high"
length_m = 0.6
frequency_hz = 330
density_kg_m = 1e-3
sigma0_1_s = 1.0
[[hammer]]
name = "a"
target = "low"
position_m = 0.1
mass_kg = 0.003
law = { type = "hunt-crossley", stiffness = 1e8, exponent = 2.3, mu = 0.2 }
[[hammer]]
name = "b"
target = "high"
position_m = 0.12
mass_kg = 0.003
law = { type = "hunt-crossley", stiffness = 1e8, exponent = 2.3, mu = 0.2 }
)";
const std::string both = R"(
strokes = [{ do = "strike", target = "a", velocity_m_s = 2.0 }, { do = "strike", target = "b", velocity_m_s = 1.0 }]
)";
const std::string one = R"(
strokes = [{ do = "strike", target = "a", velocity_m_s = 2.0 }]
)";

std::vector<EventSpec> events(const std::string& pattern) {
  return played_events(test::scene_of(strings + "[[pattern]]\n" + pattern));
}
struct Stroke {
  double time_s;
  std::string target;
  double value;
};
void expect_events(const std::vector<EventSpec>& list, const std::vector<Stroke>& expected) {
  ASSERT_EQ(list.size(), expected.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_DOUBLE_EQ(list[i].time_s, expected[i].time_s) << i;
    EXPECT_EQ(list[i].target, expected[i].target) << i;
    EXPECT_DOUBLE_EQ(list[i].value, expected[i].value) << i;
  }
}

TEST(Patterns, RepeatsAndStrumsAreTheStatedEvents) {
  expect_events(events("time_s = 0.5\nrepeat = { times = 3, every_s = 0.25 }" + one),
                {{0.5, "a", 2}, {0.75, "a", 2}, {1.0, "a", 2}});
  expect_events(events("strum = { over_s = 0.1, direction = \"down\" }" + both), {{0, "b", 1}, {0.1, "a", 2}});
  expect_events(
      events("repeat = { times = 2, every_s = 1 }\nstrum = { over_s = 0.1, direction = \"alternate\" }" + both),
      {{0, "a", 2}, {0.1, "b", 1}, {1, "b", 1}, {1.1, "a", 2}});
}

TEST(Patterns, RollsGetFasterByARatioAndGrow) {
  expect_events(events("roll = { strokes = 4, every_s = 0.4, ratio = 0.5, growth = 2.5 }" + one),
                {{0, "a", 2}, {0.4, "a", 3}, {0.6, "a", 4}, {0.7, "a", 5}});
  expect_events(events("roll = { strokes = 3, every_s = 0.1, in_turn = true }" + both),
                {{0, "a", 2}, {0.1, "b", 1}, {0.2, "a", 2}});
}

TEST(Patterns, BeatsFollowTheTempo) {
  const std::string tempo = "[[tempo]]\nbpm = 120\n[[tempo]]\nbeat = 4\nbpm = 60\n";
  const Scene steps =
      test::scene_of(strings + tempo + "[[event]]\ndo = \"strike\"\ntarget = \"b\"\nvelocity_m_s = 1\n" +
                     "beat = 5\ntime_s = 0.25\n[[pattern]]\nbeat = 3\nrepeat = { times = 3, every_beats = 1 }" + one);
  expect_events(played_events(steps), {{3.25, "b", 1}, {1.5, "a", 2}, {2, "a", 2}, {3, "a", 2}});
  // Where the tempo glides: the integral of 60/bpm over the beats, by Simpson's rule.
  const std::vector<TempoSpec> glide = {{1, 90, true}, {9, 150, false}};
  for (const double beat : {0.5, 1.0, 3.7, 9.0, 11.0}) {
    const auto beat_s = [](double b) { return 60 / (b < 1 ? 90 : b < 9 ? 90 + 60 * (b - 1) / 8 : 150); };
    double sum = 0;
    const int n = 20000;
    for (int i = 0; i < n; ++i) {
      const double x = beat * i / n, h = beat / n;
      sum += h / 6 * (beat_s(x) + 4 * beat_s(x + h / 2) + beat_s(x + h));
    }
    EXPECT_NEAR(time_of_beat(glide, beat), sum, 1e-5) << beat;
  }
}

double mean_of(const std::vector<double>& list) {
  return std::accumulate(list.begin(), list.end(), 0.0) / static_cast<double>(list.size());
}
/// Drawn evenly within +-width: ends are reached, the mean is 0 and the mean square width^2/3, each to five times what
/// so many draws make probable.
void expect_even(const std::vector<double>& list, double width) {
  const double n = static_cast<double>(list.size());
  double largest = 0, squares = 0;
  for (const double x : list) {
    largest = std::max(largest, std::abs(x));
    squares += x * x / n;
  }
  EXPECT_LE(largest, width * (1 + 1e-9));
  EXPECT_GE(largest, 0.99 * width);
  EXPECT_NEAR(mean_of(list), 0, 5 * width / std::sqrt(3 * n));
  EXPECT_NEAR(squares, width * width / 3, 5 * width * width * std::sqrt(4.0 / 45 / n));
}

TEST(Patterns, TheSpreadHasTheStatedWidth) {
  const std::string pattern = "time_s = 1\nrepeat = { times = 4000, every_s = 1 }\n" + one;
  const auto list = events(pattern + "spread = { time_s = 0.02, place_m = 0.01, force = 0.3, seed = 7 }\n");
  ASSERT_EQ(list.size(), 8000u);
  std::vector<double> time, place, force;
  for (std::size_t i = 0; i < list.size(); i += 2) {
    EXPECT_EQ(list[i].parameter, "position_m");
    EXPECT_EQ(list[i].time_s, list[i + 1].time_s);
    place.push_back(list[i].value - 0.1);
    time.push_back(list[i + 1].time_s - 1 - static_cast<double>(i / 2));
    force.push_back(list[i + 1].value / 2 - 1);
  }
  expect_even(time, 0.02);
  expect_even(place, 0.01);
  expect_even(force, 0.3);
}

TEST(Patterns, TheSameSeedDrawsTheSameEvents) {
  const auto with_seed = [&](int seed) {
    return events("cluster = { strokes = 20, over_s = 0.3 }" + both +
                  fmt::format("spread = {{ time_s = 0.01, force = 0.2, seed = {} }}\n", seed));
  };
  const auto a = with_seed(3), b = with_seed(3), c = with_seed(4);
  ASSERT_EQ(a.size(), 20u);
  std::size_t differ = 0, second = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].time_s, b[i].time_s);
    EXPECT_EQ(a[i].value, b[i].value);
    EXPECT_EQ(a[i].target, b[i].target);
    EXPECT_GE(a[i].time_s, 0);
    EXPECT_LE(a[i].time_s, 0.31);
    differ += a[i].time_s != c[i].time_s;
    second += a[i].target == "b";
  }
  EXPECT_EQ(differ, 20u);
  EXPECT_GE(second, 4u);  // 10 of 20 in the mean
  EXPECT_LE(second, 16u);
}

/// What a pattern draws is the same on every machine: the first numbers of splitmix64 from seed 1.
TEST(Patterns, AreDrawnBySplitmix64) {
  const auto list = events("time_s = 1" + one + "spread = { time_s = 0.5, seed = 1 }\n");
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].time_s, 1 + 0.5 * (2 * (static_cast<double>(0x910a2dec89025cc1u >> 11) * 0x1p-53) - 1));
}

TEST(Patterns, ACopyWrittenOutByHandGivesTheSameSamples) {
  const std::string pattern =
      "[[tempo]]\nbpm = 240\n[[pattern]]\nbeat = 0.1\nrepeat = { times = 3, every_beats = 0.5 }\nstrum = { over_s = "
      "0.01 }" +
      both;
  std::string by_hand;
  for (const double beat : {0.1, 0.6, 1.1})
    for (const bool second : {false, true})
      by_hand += fmt::format("[[event]]\ntime_s = {}\ndo = \"strike\"\ntarget = \"{}\"\nvelocity_m_s = {}\n",
                             beat * 0.25 + (second ? 0.01 : 0.0), second ? "b" : "a", second ? 1 : 2);
  const auto x = test::play(strings + pattern), y = test::play(strings + by_hand);
  ASSERT_GT(*std::max_element(x.sound.begin(), x.sound.end()), 0.01);
  EXPECT_EQ(x.sound, y.sound);
}

TEST(Patterns, DrawnEventsWrittenOutGiveTheSameSamples) {
  Scene scene = test::scene_of(strings + "[[pattern]]\nroll = { strokes = 12, every_s = 0.04, ratio = 0.9 }" + both +
                               "spread = { time_s = 0.005, place_m = 0.01, force = 0.4, seed = 11 }\n");
  const auto x = test::play(scene);
  Scene read = test::scene_of(scene_text(scene));  // through the text of the scene
  EXPECT_EQ(test::play(read).sound, x.sound);
  scene.events = played_events(scene);
  scene.patterns.clear();
  EXPECT_EQ(test::play(test::scene_of(scene_text(scene))).sound, x.sound);
}

TEST(Patterns, ChordsPlayTheNotesOfTheVoice) {
  const std::string voice =
      strings + "[voice]\nstring = \"low\"\nstrike = \"a\"\nsoft = 0.5\nloud = 4.0\ntail_s = 0.1\n";
  const std::string chord =
      "[[tempo]]\nbpm = 120\n[[pattern]]\ntime_s = 0.01\nrepeat = { times = 2, every_beats = 0.5 }\nstrum = { over_s = "
      "0.02 }\n"
      "chord = [{ pitch = \"A3\", duration_beats = 0.25 }, { pitch = \"E4\", duration_s = 0.125, velocity = 0.5 }]\n";
  std::string by_hand;
  for (const double at : {0.01, 0.26}) {
    by_hand += fmt::format("[[note]]\ntime_s = {}\nduration_s = 0.125\npitch = \"A3\"\n", at);
    by_hand += fmt::format("[[note]]\ntime_s = {}\nduration_s = 0.125\npitch = \"E4\"\nvelocity = 0.5\n", at + 0.02);
  }
  const auto x = test::play(voice + chord), y = test::play(voice + by_hand);
  ASSERT_GT(x.sound.size(), 20000u);
  EXPECT_EQ(x.sound, y.sound);
}

TEST(Patterns, WhatIsWrongIsSaidWithItsPlace) {
  const auto said = [&](const std::string& text) {
    try {
      compile_world(test::scene_of(strings + text));
    } catch (const InputError& r) {
      return r.path() + ": " + r.sentence();
    }
    return std::string("allowed");
  };
  EXPECT_EQ(said("[[pattern]]\n" + one), "allowed");
  EXPECT_EQ(said("[[pattern]]\ntime_s = 1\n"),
            "pattern[0].strokes: pattern.strokes is missing; a pattern has strokes, a chord or both");
  EXPECT_EQ(said("[[pattern]]\nrepeat = { times = 2.5 }" + one),
            "pattern[0].repeat.times: repeat.times is 2.5, but must be a whole number in [1, 10000]");
  EXPECT_EQ(said("[[pattern]]\nroll = { every_s = 1 }" + one),
            "pattern[0].roll.strokes: roll.strokes is missing; it must lie in [1, 10000]");
  EXPECT_EQ(
      said("[[pattern]]\nstrum = { direction = \"left\" }" + one),
      "pattern[0].strum.direction: strum.direction is \"left\", but must be one of \"up\", \"down\", \"alternate\"");
  EXPECT_EQ(said("[[pattern]]\nroll = { strokes = 2 }\ncluster = { strokes = 2 }" + one),
            "pattern[0].cluster: pattern.cluster goes with a pattern that has no roll");
  EXPECT_EQ(said("[[pattern]]\nbeat = 2" + one),
            "pattern[0].beat: beat is 2, but the scene has no [[tempo]] that says how long a beat is");
  EXPECT_EQ(said("[[tempo]]\nbeat = 2\nbpm = 60\n[[tempo]]\nbeat = 2\nbpm = 70\n"),
            "tempo[1].beat: tempo.beat is 2 after 2, but beats must rise from tempo to tempo");
  EXPECT_EQ(said("[[pattern]]\nstrokes = [{ do = \"strike\", target = \"c\", velocity_m_s = 1 }]\n"),
            "pattern[0].strokes[0].target: pattern.strokes.target is \"c\", but there is no such body (did you mean "
            "\"a\"?)");
  EXPECT_EQ(said("[[pattern]]\nrepeat = { times = 10000 }\nroll = { strokes = 10000 }" + one),
            "pattern[0].repeat.times: pattern makes 1e+08 strokes, but at most 100000 are allowed");
  EXPECT_EQ(said("[[pattern]]\nchord = [{ pitch = \"C4\" }]\n"),
            "note: note is given, but no [voice] says what a note plays");
}

}  // namespace
}  // namespace jawari
