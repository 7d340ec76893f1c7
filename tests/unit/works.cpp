// SPDX-License-Identifier: MIT
// The scenes of the benchmarks (bench/works.h) are read and compiled, so that they stay scenes.
#include "../../bench/works.h"

#include <gtest/gtest.h>

#include "jawari/engine/compile.h"
#include "jawari/engine/world.h"
#include "jawari/io/scene_file.h"

namespace jawari {
namespace {

TEST(Works, AreScenesThatPlay) {
  std::size_t masses = 0;
  for (const auto& work : bench::all_works()) {
    SCOPED_TRACE(work.name);
    const Scene scene = parse_scene(work.text, work.name).scene;
    EXPECT_GT(work.must_ns, work.reach_ns);
    EXPECT_GT(work.reach_ns, 0);
    masses = std::max(masses, scene.masses.size());
    if (work.name.ends_with(", 32") || work.name.ends_with(", 256") || work.name.ends_with("on a board"))
      continue;  // as the smaller ones, and slow to open
    const auto world = compile_world(scene);
    std::vector<std::vector<double>> sound(world->pickup_count(), std::vector<double>(64));
    std::vector<double*> tracks;
    for (auto& t : sound) tracks.push_back(t.data());
    EXPECT_EQ(world->play(64, tracks.data()), 64) << world->failure_text();
  }
  EXPECT_EQ(masses, 256u);
}

}  // namespace
}  // namespace jawari
