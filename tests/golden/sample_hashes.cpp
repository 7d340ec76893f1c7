// SPDX-License-Identifier: MIT
// The samples of every shipped scene and preset and of fifty drawn ones (tests/golden/scenes), as one number each
// (hash.h).  The same on every target, with every compiler and C library, for kernels "off" and "exact", for every
// block size and number of threads. After a change that is meant to change samples:
//   JAWARI_WRITE_HASHES=1 build/.../test-samples --gtest_filter='SampleHashes*'   writes the table anew;
//   JAWARI_DRAW_SCENES=1  and JAWARI_WRITE_HASHES=1                               draws the fifty scenes anew before
//   that.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "golden/drawn_scenes.h"
#include "golden/hash.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/engine.h"
#include "jawari/engine/world.h"
#include "jawari/io/scene_file.h"
#include "support/effort.h"
#include "support/golden.h"
#include "support/scene_files.h"

namespace jawari {
namespace {

using test::hash_of;

/// Of what an engine plays: a channel per pickup, one value per frame.
std::string hash_of_engine(const Scene& scene, int threads) {
  Engine engine(scene, {.channels = 0, .threads = threads, .kernels = Kernels::exact});
  const auto frames = static_cast<std::size_t>(std::min(scene.duration_s, test::hashed_s) * scene.rate_hz);
  test::Tracks tracks(engine.channels(), std::vector<double>(frames));
  std::vector<double*> to(tracks.size());
  constexpr std::size_t block = 300;
  for (std::size_t n = 0; n < frames;) {
    const std::size_t now = std::min(block, frames - n);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = tracks[i].data() + n;
    engine.process(to.data(), now);
    n += now;
  }
  if (engine.failed()) return "failed";
  return hash_of(tracks);
}

std::map<std::string, Scene> shipped_scenes() {
  std::map<std::string, Scene> list;
  for (const auto& file : test::scene_files())
    list[std::filesystem::path(file).stem().string()] = read_scene(file).scene;
  return list;
}
std::map<std::string, Scene> drawn_scenes() {
  std::map<std::string, Scene> list;
  for (const auto& [name, text] : test::stored_scenes()) list[name] = parse_scene(text, name).scene;
  return list;
}

std::map<std::string, Scene> preset_scenes() {
  std::map<std::string, Scene> list;
  for (const auto& file : test::preset_files())
    list["preset-" + std::filesystem::path(file).stem().string()] = test::with_notes(read_scene(file).scene);
  return list;
}

bool draws() { return std::getenv("JAWARI_DRAW_SCENES") != nullptr; }
bool writes() { return std::getenv("JAWARI_WRITE_HASHES") != nullptr; }
const std::string table = "sample_hashes.json";

/// Compares with the table, or writes those of these scenes into it; `mine` selects them by name.
void check(const std::map<std::string, Scene>& scenes, const std::function<bool(const std::string&)>& mine) {
  nlohmann::json all = test::golden(table);
  nlohmann::json others = nlohmann::json::object();
  for (const auto& [name, hash] : all.items()) {
    if (!mine(name)) {
      others[name] = hash;
    } else {
      EXPECT_TRUE(writes() || scenes.contains(name)) << name << " has a hash, but there is no such scene";
    }
  }
  for (const auto& [name, scene] : scenes) {
    const std::string found = hash_of(scene, Kernels::exact);
    others[name] = found;
    EXPECT_EQ(found.size(), 16u) << name << ": " << found;
    EXPECT_EQ(found, hash_of(scene, Kernels::off)) << name << ": kernels exact and off differ";
    if (!writes()) {
      EXPECT_EQ(found, all.value(name, "missing")) << name;
    }
  }
  if (writes()) std::ofstream(JAWARI_SOURCE_DIR "/tests/golden/values/" + table) << others.dump(2) << "\n";
}

bool is_drawn(const std::string& name) { return name.starts_with("drawn-"); }
bool is_preset(const std::string& name) { return name.starts_with("preset-"); }

TEST(SampleHashes, ShippedScenesPlayTheSameSamplesEverywhere) {
  if (test::sanitized) GTEST_SKIP() << "thirty times slower, and the samples are those of the other build";
  const auto scenes = shipped_scenes();
  EXPECT_GE(scenes.size(), 19u);
  check(scenes, [](const std::string& name) { return !is_drawn(name) && !is_preset(name); });
}

TEST(SampleHashes, PresetsPlayTheSameSamplesEverywhere) {
  if (test::sanitized) GTEST_SKIP() << "thirty times slower, and the samples are those of the other build";
  const auto scenes = preset_scenes();
  EXPECT_GE(scenes.size(), 22u);
  std::map<std::string, std::string> heard;
  for (const auto& [name, scene] : scenes) heard[hash_of(scene, Kernels::exact)] = name;
  EXPECT_EQ(heard.size(), scenes.size()) << "some are silent";
  check(scenes, is_preset);
}

TEST(SampleHashes, DrawnScenesPlayTheSameSamplesEverywhere) {
  if (test::sanitized) GTEST_SKIP() << "thirty times slower, and the samples are those of the other build";
  if (draws()) test::store_scenes(test::choose_scenes());
  const auto scenes = drawn_scenes();
  EXPECT_EQ(scenes.size(), test::drawn_count);
  check(scenes, is_drawn);
}

TEST(SampleHashes, DrawnScenesHaveEveryKindOfPart) {
  if (test::sanitized) GTEST_SKIP() << "nothing is played that other tests do not play";
  std::set<std::string> found;
  for (const auto& [name, scene] : drawn_scenes()) {
    found.merge(test::features_of(scene));
    const auto world = compile_world(scene, Kernels::exact);
    hash_of(*world, scene);
    test::add_touched(found, *world);
    if (world->kernel_bodies() > 0) found.insert("kernel");
  }
  for (const auto& needed : test::needed_features())
    EXPECT_TRUE(found.contains(needed)) << "no drawn scene has: " << needed;
}

TEST(SampleHashes, AreThoseOfEveryBlockSize) {
  if (test::sanitized) GTEST_SKIP() << "tests/realtime compares blocks there";
  const nlohmann::json wanted = test::golden(table);
  for (const auto& [name, scene] : drawn_scenes())
    for (const std::int64_t block : {1, 7, 64, 1000})
      EXPECT_EQ(hash_of(scene, Kernels::exact, block), wanted.value(name, "missing"))
          << name << ", blocks of " << block;
}

TEST(SampleHashes, AreThoseOfAnEngineWithOneThreadOrFour) {
  if (test::sanitized) GTEST_SKIP() << "tests/realtime compares threads there";
  const nlohmann::json wanted = test::golden(table);
  for (const auto& [name, scene] : drawn_scenes()) {
    const std::string one = hash_of_engine(scene, 1);
    EXPECT_EQ(one, hash_of_engine(scene, 4)) << name << ": one thread and four";
    if (steps_per_sample(scene) == 1) {  // else filtered
      EXPECT_EQ(one, wanted.value(name, "missing")) << name << ", engine";
    } else {
      EXPECT_EQ(one.size(), 16u) << name << ": " << one;
    }
  }
}

/// Every instruction set that this processor has and the kernels were compiled for.
TEST(SampleHashes, AreThoseOfEveryInstructionSet) {
  if (test::sanitized) GTEST_SKIP() << "compiled for one instruction set";
  const nlohmann::json wanted = test::golden(table);
  auto scenes = shipped_scenes();
  scenes.merge(preset_scenes());
  scenes.merge(drawn_scenes());
  std::int64_t targets = hwy::SupportedTargets();
#if HWY_ARCH_X86
  targets &= HWY_SSSE3 | HWY_AVX2 | HWY_AVX3;
#endif
  const auto use = [](std::int64_t target) {  // 0: the best again
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
  };
  int tried = 0;
  for (; targets != 0; targets &= targets - 1, ++tried) {
    const std::int64_t target = targets & -targets;
    use(target);
    for (const auto& [name, scene] : scenes)
      EXPECT_EQ(hash_of(scene, Kernels::exact), wanted.value(name, "missing"))
          << name << ", " << hwy::TargetName(target);
  }
  use(0);
  EXPECT_GE(tried, 1);
}

}  // namespace
}  // namespace jawari
