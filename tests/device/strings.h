// SPDX-License-Identifier: MIT
// Strings over barriers for tests of warps, and the reference path to compare with.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jawari/engine/scene.h"
#include "warp/string_job.h"

namespace jawari::test {

/// The string of DB19 over a parabola, plucked so high; one pickup.
Scene curved_barrier(const std::string& scheme, double height_m);

struct ReferenceRun {
  std::vector<std::vector<double>> sound;  ///< per pickup
  std::vector<double> u;                   ///< of the first string, after the last step
  std::size_t nodes = 0;
  double lost_J = 0, drift = 0;
  std::vector<warp::LineSums> lines;  ///< per contact
};
/// By World::step(), no kernel.
ReferenceRun play_reference(const Scene& scene, std::int64_t steps);

struct PlayedStrings {
  std::vector<std::vector<std::vector<double>>> sound;  ///< [string][pickup][step]
  std::vector<std::vector<std::vector<double>>> u;      ///< [string][row][node]
  std::vector<warp::StringProgress> progress;
  std::vector<warp::LaneSums> sums;
};
/// One string of one group for each scene; all of one scheme, shape and number of pickups.
PlayedStrings play_strings(warp::StringRunner& runner, const std::vector<Scene>& scenes, std::int64_t steps,
                           warp::Precision precision, int snapshot_stride = 0, bool accounts = true);

/// A CUDA device; null, with a sentence, where there is none.  Fails where the component was built and cannot be used:
/// the test must then be an error.
struct CudaForTest {
  std::unique_ptr<warp::StringRunner> runner;
  std::string why;
  bool fails = false;
};
CudaForTest cuda_for_test();

}  // namespace jawari::test
