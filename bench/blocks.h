// SPDX-License-Identifier: MIT
// An engine as an audio thread plays it, in blocks of 64 frames.
#pragma once
#include <cstddef>
#include <vector>

#include "jawari/engine/engine.h"
#include "jawari/engine/run.h"

namespace jawari::bench {

inline constexpr std::size_t block = 64;

inline std::size_t block_count(const Scene& scene) {
  return static_cast<std::size_t>(scene.duration_s * scene.rate_hz / block);
}

/// CPU time per frame.  The clock is read twice in all: a reading costs as much as some frames of a mass.
inline double frame_s(Engine& engine, std::size_t blocks) {
  std::vector<double> sound(block);
  double* out[] = {sound.data()};
  const double start = thread_cpu_s();
  for (std::size_t i = 0; i < blocks; ++i) engine.process(out, block);
  return (thread_cpu_s() - start) / static_cast<double>(blocks * block);
}

/// CPU time of every block.
inline std::vector<double> block_times_s(Engine& engine, std::size_t blocks) {
  std::vector<double> sound(block), times(blocks);
  double* out[] = {sound.data()};
  for (double& s : times) {
    const double start = thread_cpu_s();
    engine.process(out, block);
    s = thread_cpu_s() - start;
  }
  return times;
}

}  // namespace jawari::bench
