// SPDX-License-Identifier: MIT
// The numbers that README.md quotes.
#include "jawari/engine/compare.h"
#include "jawari/io/scene_file.h"
#include "support/golden.h"

namespace jawari {
namespace {

TEST(Readme, NumbersOfTheHardImpactHold) {
  const auto scene = read_scene(JAWARI_SOURCE_DIR "/scenes/ball.toml").scene;
  const auto result = compare(scene, {"quadratised", "two-point", "matched-two-point"}, {1});
  EXPECT_TRUE(test::close(result.entries[0].error, 0.02, 0.1));
  EXPECT_TRUE(test::close(result.entries[1].error, 0.0003, 0.1));
  EXPECT_TRUE(test::close(result.entries[2].error, 0.0000022, 0.1));
  for (const auto& e : result.entries) EXPECT_LE(e.imbalance, 1e-15) << e.scheme;
}

}  // namespace
}  // namespace jawari
