// SPDX-License-Identifier: MIT
// The samples of every shipped scene, as one number each: FNV-1a of 64 bits over the doubles of all pickups in the first 0.3 s.
// The same on every target, with every compiler and C library, and for kernels "off" and "exact".  After a change that is meant to
// change samples:  JAWARI_WRITE_HASHES=1 build/.../test-samples --gtest_filter='SampleHashes*'  writes the table anew.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <fstream>

#include "jawari/engine/compile.h"
#include "jawari/engine/world.h"
#include "jawari/io/scene_file.h"
#include "support/effort.h"
#include "support/golden.h"
#include "support/scene_files.h"

namespace jawari {
namespace {

std::string hash_of(const Scene& scene, Kernels kernels) {
  const auto world = compile_world(scene, kernels);
  const auto steps = static_cast<std::int64_t>(std::min(scene.duration_s, 0.3) * step_rate_hz(scene));
  std::vector<std::vector<double>> tracks(world->tracks(), std::vector<double>(static_cast<std::size_t>(steps)));
  std::vector<double*> to;
  for (auto& t : tracks) to.push_back(t.data());
  world->audit_every(0);
  if (world->play(steps, to.data()) != steps || world->failed()) return "stopped";
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const auto& track : tracks)
    for (const double x : track) {
      if (!std::isfinite(x)) return "not finite";
      const auto bits = std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x);  // kernels may turn the sign of zero
      for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (bits >> (8 * byte) & 0xff)) * 0x100000001b3u;
    }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

TEST(SampleHashes, ShippedScenesPlayTheSameSamplesEverywhere) {
  if (test::sanitized) GTEST_SKIP() << "thirty times slower, and the samples are those of the other build";
  const char* write = std::getenv("JAWARI_WRITE_HASHES");
  const std::string path = JAWARI_SOURCE_DIR "/tests/golden/values/sample_hashes.json";
  nlohmann::json found = nlohmann::json::object();
  const nlohmann::json wanted = write ? found : test::golden("sample_hashes.json");
  for (const auto& file : test::scene_files()) {
    const std::string name = std::filesystem::path(file).stem().string();
    const Scene scene = read_scene(file).scene;
    found[name] = hash_of(scene, Kernels::exact);
    EXPECT_EQ(found[name], hash_of(scene, Kernels::off)) << name << ": kernels exact and off differ";
    if (!write) {
      EXPECT_EQ(found[name], wanted.value(name, "missing")) << name;
    }
  }
  EXPECT_GE(found.size(), 19u);
  if (write) std::ofstream(path) << found.dump(2) << "\n";
}

/// Every instruction set that this processor has and the kernels were compiled for.
TEST(SampleHashes, AreThoseOfEveryInstructionSet) {
  if (test::sanitized) GTEST_SKIP() << "compiled for one instruction set";
  const nlohmann::json wanted = test::golden("sample_hashes.json");
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
    for (const auto& file : test::scene_files()) {
      const std::string name = std::filesystem::path(file).stem().string();
      EXPECT_EQ(hash_of(read_scene(file).scene, Kernels::exact), wanted.value(name, "missing")) << name << ", " << hwy::TargetName(target);
    }
  }
  use(0);
  EXPECT_GE(tried, 1);
}

}  // namespace
}  // namespace jawari
