// SPDX-License-Identifier: MIT
// quality: time steps per sample and string methods chosen by a word, unless the scene gives them.
#include "jawari/engine/quality.h"

#include <gtest/gtest.h>

#include "jawari/engine/compile.h"
#include "jawari/engine/run.h"
#include "jawari/io/scene_file.h"
#include "jawari/io/scene_writer.h"

namespace jawari {
namespace {

const std::string plucked = R"(
duration_s = 0.1
string = [{ name = "s", length_m = 0.8, frequency_hz = 110, radius_m = 2e-4, sigma0_1_s = 1, start = { shape = "pluck", position_m = 0.25, height_m = 3e-3 } }]
barrier = [{ string = "s", shape = "flat", height_m = -1e-3, from_m = 0.7, law = { type = "power", stiffness_per_m = 1e10, exponent = 1.3 } }]
)";
const std::string bouncing = R"(
duration_s = 0.1
mass = [{ name = "m", mass_kg = 0.01, velocity_m_s = 1 }]
contact = [{ bodies = ["m", "wall"], height_m = 1e-3, law = { type = "power", stiffness = 1e9, exponent = 1.5 } }]
)";
Scene read(const std::string& text) { return parse_scene(text, "scene").scene; }
double steps(const std::string& text, Quality quality) {
  Scene s = read(text);
  use_quality(s, quality);
  return steps_per_sample(s);
}

TEST(Quality, TouchedStringsAreComputedAtHigherRates) {
  EXPECT_EQ(steps_per_sample(read(plucked)), 1);
  EXPECT_EQ(steps(plucked, Quality::draft), 1);
  EXPECT_EQ(steps(plucked, Quality::standard), 2);
  EXPECT_EQ(steps(plucked, Quality::high), 4);
}

TEST(Quality, ARateThatIsHighEnoughNeedsNoOversampling) {
  EXPECT_EQ(steps("rate_hz = 96000\n" + plucked, Quality::standard), 1);
  EXPECT_EQ(steps("rate_hz = 96000\n" + plucked, Quality::high), 2);
  EXPECT_EQ(steps("rate_hz = 8000\n" + plucked, Quality::high), 8);  // as far as it goes
}

TEST(Quality, MassesAloneAreRightAtOneStepPerSample) {
  EXPECT_EQ(steps(bouncing, Quality::standard), 1);
  EXPECT_EQ(steps(bouncing, Quality::high), 4);
}

TEST(Quality, AnExplicitOversampleStands) {
  EXPECT_EQ(steps("oversample = 1\n" + plucked, Quality::high), 1);
  EXPECT_EQ(steps("oversample = 8\n" + plucked, Quality::draft), 8);
}

TEST(Quality, StringsWithoutAMethodAreExactBeyondDraft) {
  const auto points = [](Quality quality, StringMethod method) {
    Scene s = read(plucked);
    s.strings[0].method = method;
    use_quality(s, quality);
    return compile(s)->shapes()[0].x_m.size();
  };
  const auto chosen = [&](Quality quality) { return points(quality, StringMethod::automatic); };
  EXPECT_EQ(chosen(Quality::draft), points(Quality::draft, StringMethod::grid));
  EXPECT_EQ(chosen(Quality::standard), points(Quality::standard, StringMethod::modes));
  EXPECT_EQ(chosen(Quality::high), points(Quality::high, StringMethod::modes));
  EXPECT_NE(chosen(Quality::standard), points(Quality::standard, StringMethod::grid));
}

TEST(Quality, IsAKeyOfAScene) {
  const Scene s = read("quality = \"high\"\n" + plucked);
  EXPECT_EQ(steps_per_sample(s), 4);
  EXPECT_EQ(step_count(s), 4 * 4410);
  EXPECT_EQ(quality_of(s, std::nullopt, Quality::standard), Quality::high);
  EXPECT_EQ(quality_of(s, Quality::draft, Quality::standard), Quality::draft);
  EXPECT_EQ(quality_of(read(plucked), std::nullopt, Quality::standard), Quality::standard);
  const Scene again = read(scene_text(s));
  EXPECT_EQ(again.quality, Quality::high);
  EXPECT_EQ(again.oversample, 0);
  EXPECT_EQ(scene_text(again), scene_text(s));
  try {
    read("quality = \"fine\"\n" + plucked);
    FAIL();
  } catch (const InputError& r) {
    EXPECT_EQ(r.field(), "quality");
    for (const char* word : {"fine", "draft", "standard", "high"})
      EXPECT_NE(std::string(r.what()).find(word), std::string::npos) << r.what();
  }
}

TEST(Quality, ListsWithAValuePerStepFollowAndReturn) {
  const std::string driven =
      plucked + "excitation = [{ body = \"s\", position_m = 0.3, type = \"file\", samples_N = [1, 2, 3] }]\n";
  Scene s = read("quality = \"standard\"\n" + driven);
  EXPECT_EQ(s.excitations[0].samples_N, (std::vector<double>{1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(read(scene_text(s)).excitations[0].samples_N, s.excitations[0].samples_N);
  use_quality(s, Quality::high);
  EXPECT_EQ(s.excitations[0].samples_N.size(), 12u);
  use_quality(s, Quality::draft);
  EXPECT_EQ(s.excitations[0].samples_N, (std::vector<double>{1, 2, 3}));
}

TEST(Quality, SaysWhatItDoes) {
  Scene s = read(plucked);
  use_quality(s, Quality::standard);
  EXPECT_EQ(quality_text(s), "standard quality, 2 time steps per sample");
  s.oversample = 1;
  EXPECT_EQ(quality_text(s), "one time step per sample");
}

}  // namespace
}  // namespace jawari
