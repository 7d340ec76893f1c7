// SPDX-License-Identifier: MIT
// Comparisons: gestures are compared too, the reference is bounded by nodes and modes; pickups of what gestures bring.
#include "jawari/engine/compare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "jawari/engine/run.h"
#include "jawari/io/scene_file.h"
#include "jawari/io/scene_keys.h"
#include "jawari/io/scene_writer.h"
#include "support/bar.h"
#include "support/effort.h"

namespace jawari {
namespace {

const std::string string = R"(
schema = 1
duration_s = 0.02
[[string]]
name = "s"
length_m = 0.65
frequency_hz = 110
radius_m = 3e-4
decay_s = [5.0, 1.0]
decay_hz = [110, 4000]
)";
const std::string law = "law = { type = \"power\", stiffness = 1e8, exponent = 1.5 }\n";
const std::string bar_and_hammer = R"(
schema = 1
duration_s = 0.01
)" + test::wooden_bar + R"(modes = 12
[[hammer]]
name = "mallet"
target = "bar"
position_m = 0.12
mass_kg = 0.02
velocity_m_s = 1.5
)" + law;

Scene scene(const std::string& text) { return parse_scene(text, "test").scene; }

TEST(Compare, ChangesTheSchemesOfGestures) {
  const Comparison c = compare(scene(bar_and_hammer), {"two-point", "quadratised"}, {1});
  ASSERT_EQ(c.entries.size(), 2u);
  EXPECT_TRUE(c.entries[0].error > 0 && c.entries[1].error > 0);
  EXPECT_NE(c.entries[0].error, c.entries[1].error);  // the same digits would mean that nothing was compared
  EXPECT_NE(c.entries[0].iterations, c.entries[1].iterations);
}

TEST(Compare, OffersSchemesThatFitEveryGesture) {
  const auto names = comparable_schemes(scene(bar_and_hammer));
  ASSERT_GE(names.size(), 3u);
  EXPECT_NE(std::find(names.begin(), names.end(), "two-point"), names.end());
  EXPECT_EQ(
      comparable_schemes(scene(string + "[[fret]]\nname = \"f\"\nstring = \"s\"\nposition_m = 0.3\n" + law)).front(),
      "two-point");
  EXPECT_THROW(compare(scene(bar_and_hammer), {"two-point-linear"}, {1}), InputError);  // the law of the hammer counts
}

TEST(Compare, RefusesASceneInWhichNothingTouches) {
  EXPECT_THROW(compare(scene(string), {"two-point"}, {1}), InputError);
}

/// 20 ms of a string with a hammer and a fret: its modes double with the rate, the points that are drawn do not.
TEST(Compare, BoundsItsWorkByNodesAndModes) {
  const Scene s =
      scene(string + "[[hammer]]\nname = \"h\"\ntarget = \"s\"\nposition_m = 0.1\nmass_kg = 3e-3\nvelocity_m_s = 2\n" +
            law + "[[fret]]\nname = \"f\"\nstring = \"s\"\nposition_m = 0.3\nheight_m = -1e-3\n" + law);
  const double start = thread_cpu_s();
  const Comparison c = compare(s, {"two-point"}, {1});
  const double seconds = thread_cpu_s() - start;
  ASSERT_EQ(c.entries.size(), 1u);
  EXPECT_TRUE(std::isfinite(c.entries[0].error));
  EXPECT_LT(seconds, test::bound_s(20));  // ten minutes were not enough once
}

TEST(Compare, SaysWhatIsTooLong) {
  Scene s = scene(bar_and_hammer);
  s.duration_s = 80000;
  try {
    compare(s, {"two-point"}, {1024});
    FAIL();
  } catch (const InputError& r) {
    EXPECT_EQ(r.path(), "duration_s");
    EXPECT_NE(std::string(r.what()).find("duration_s is 80000"), std::string::npos) << r.what();
  }
}

TEST(Pickups, OfWhatGesturesBringHearTheForce) {
  const std::string bolt = string + "[[bolt]]\nname = \"bolt\"\ntarget = \"s\"\nposition_m = 0.2\nmass_kg = 1e-3\n";
  EXPECT_EQ(scene(bolt + "[[pickup]]\nof = \"bolt-grip\"\n").pickups.at(0).quantity, Quantity::force);
  EXPECT_EQ(scene(bolt + "[[pickup]]\nof = \"bolt\"\n").pickups.at(0).quantity, Quantity::velocity);
  EXPECT_EQ(scene(bolt + "[[pickup]]\nof = \"s\"\n").pickups.at(0).quantity, Quantity::bridge_force);
  const auto snare = [](const std::string& wires, const std::string& of) {
    return scene(
               "duration_s = 0.01\n[[membrane]]\nname = \"drum\"\nradius_m = 0.15\nfrequency_hz = 150\ndensity_kg_m2 = "
               "0.26\nmodes = 40\n"
               "[[snare]]\nname = \"wire\"\ntarget = \"drum\"\nwires = " +
               wires + "\nlength_m = 0.2\ntension_N = 5\ndensity_kg_m = 1e-4\npoints = 4\n" + law +
               "[[pickup]]\nof = \"" + of + "\"\n")
        .pickups.at(0)
        .quantity;
  };
  EXPECT_EQ(snare("1", "wire-drum"), Quantity::force);
  EXPECT_EQ(snare("2", "wire-2-drum"), Quantity::force);
  const Scene heard = scene(bolt + "[[pickup]]\nof = \"bolt-grip\"\n");
  EXPECT_NO_THROW(compile(heard));
}

TEST(SceneWriter, KeepsTheVoiceOfAnInstrument) {
  const Scene s =
      parse_scene(string + "[[hammer]]\nname = \"h\"\ntarget = \"s\"\nposition_m = 0.1\nmass_kg = 3e-3\n" + law +
                      "[voice]\nstring = \"s\"\nstrike = \"h\"\nsoft = 0.5\nloud = 4.0\n"
                      "pressure = { target = \"h-s\", parameter = \"stiffness\", from = 1e8, to = 1e9 }\n",
                  "test")
          .scene;
  const std::string text = scene_text(s);
  const Scene again = scene(text);
  ASSERT_TRUE((again.voices.size() == 1)) << text;
  EXPECT_EQ(again.voices[0].loud, 4.0);
  ASSERT_TRUE(again.voices[0].pressure.has_value());
  EXPECT_EQ(again.voices[0].pressure->to, 1e9);
  EXPECT_EQ(scene_text(again), text);
}

TEST(SceneKeys, OfScoresAreThoseThatAreRead) {
  for (const auto& table : score_keys())
    for (const auto& key : table.keys) EXPECT_FALSE(key.name.empty()) << table.name;
  ASSERT_GE(score_keys().size(), 3u);
  EXPECT_EQ(score_keys()[0].name, "voice");
  EXPECT_EQ(score_keys()[1].name, "note");
  EXPECT_EQ(score_keys()[2].name, "midi");
}

}  // namespace
}  // namespace jawari
