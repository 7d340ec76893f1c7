// SPDX-License-Identifier: MIT
// Every shipped scene as a piece of a gallery: it begins without a jump, has no DC, fades, is as loud as the others,
// and all that it contains is touched.  Scenes that take longer than a second or two to play are played in a soak
// (JAWARI_SOAK=1).
#include <set>

#include "ear.h"
#include "jawari/io/audio_file.h"
#include "jawari/io/loudness.h"
#include "support/effort.h"
#include "support/scene_files.h"

namespace jawari {
namespace {

class Gallery : public testing::TestWithParam<std::string> {};

double level_dB(double amplitude) { return 20 * std::log10(amplitude); }

TEST_P(Gallery, BeginsAndEndsInSilenceIsAsLoudAsTheOthersAndTouchesAllItHas) {
  const std::string name = GetParam();
  const std::set<std::string> quick{"ball",   "marble",       "marble-bar",    "marble-glass", "marble-plate",
                                    "bridge", "bridge-modes", "prepared-keys", "mbira"};
  if (!test::soak() && (test::sanitized || !quick.contains(name))) GTEST_SKIP() << "in a soak";
  const Scene scene = test::scene_file(name);
  const auto world = compile_world(scene);
  const auto played = run(*world, step_count(scene));
  ASSERT_FALSE(world->failed());
  const auto channels =
      mix(played, world->pickups(), ChannelChoice::as_panned, static_cast<std::size_t>(steps_per_sample(scene)));
  const AudioFacts facts = audio_facts(channels, scene.rate_hz);
  ASSERT_GT(facts.peak, 0);

  // A string that starts plucked pushes its bridge at once, and for a while to one side.
  const bool starts_plucked = name == "bridge" || name == "bridge-modes";
  const auto last = static_cast<std::size_t>(0.01 * scene.rate_hz);
  for (const auto& c : channels) {
    ASSERT_GT(c.size(), last);
    double mean = 0, end = 0;
    for (const double x : c) mean += x / static_cast<double>(c.size());
    for (std::size_t n = c.size() - last; n < c.size(); ++n) end = std::max(end, std::abs(c[n]));
    if (!starts_plucked) {
      EXPECT_LE(std::abs(c[0]), 1e-4 * facts.peak);
      if (name != "ball") {  // one push of a wall, and nothing else
        EXPECT_LE(std::abs(mean), 1e-3 * facts.peak);
      }
    }
    EXPECT_LE(end, 1e-3 * facts.peak);
  }
  if (name != "ball" &&
      name != "marble") {  // clicks of a force: shorter than a block, or with a higher crest than music
    auto heard = channels;
    for (auto& c : heard)
      for (double& x : c) x *= facts.gain;
    const auto loud = loudness_LUFS(heard, scene.rate_hz);
    ASSERT_TRUE(loud.has_value());
    EXPECT_NEAR(*loud, -23, 3);
    EXPECT_LE(level_dB(facts.gain * facts.peak), -1 + 1e-9);
  }
  for (const auto& c : world->contacts())
    if (c.law != "spring") {
      EXPECT_GT(c.record.impacts, 0u) << c.name << " is never touched";
    }
}
std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const auto& file : test::scene_files()) list.push_back(std::filesystem::path(file).stem().string());
  return list;
}
INSTANTIATE_TEST_SUITE_P(Scenes, Gallery, testing::ValuesIn(names()), [](const auto& scene) {
  std::string name = scene.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace jawari
