// SPDX-License-Identifier: MIT
// The scene files that version 0.1 shipped, as they were written (tests/golden/scenes-0.1): they load, are checked,
// compile and play.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "jawari/engine/compile.h"
#include "jawari/engine/quality.h"
#include "jawari/engine/run.h"
#include "jawari/io/scene_file.h"

namespace jawari {
namespace {

namespace fs = std::filesystem;

class OldScenes : public testing::TestWithParam<std::string> {};

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const auto& entry : fs::directory_iterator(JAWARI_SOURCE_DIR "/tests/golden/scenes-0.1"))
    if (entry.path().extension() == ".toml") list.push_back(entry.path().stem().string());
  std::sort(list.begin(), list.end());
  return list;
}

TEST(OldSceneFiles, AreAllThere) { EXPECT_EQ(names().size(), 21u); }

TEST_P(OldScenes, LoadCompileAndPlay) {
  SceneFile file = read_scene(JAWARI_SOURCE_DIR "/tests/golden/scenes-0.1/" + GetParam() + ".toml");
  use_quality(file.scene, Quality::draft);
  const auto system = compile(file);
  EXPECT_GT(system->pickup_count(), 0u);
  const auto played = jawari::run(*system, 400);
  EXPECT_FALSE(system->failed());
  for (const double x : played.sound) ASSERT_TRUE(std::isfinite(x));
  EXPECT_LT(system->ledger().imbalance(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Of01, OldScenes, testing::ValuesIn(names()), [](const auto& scene) {
  std::string name = scene.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace jawari
