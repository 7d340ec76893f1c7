// SPDX-License-Identifier: MIT
// The engine in an audio thread: blocks of 64 frames at 48 kHz, ledger included.  Two questions: how many times
// faster than real time, and how much longer than the median block the worst one takes.
// Worst: every block is played several times from the same start, and its least time counts: what is left is the work
// of the block, not that of other programs.  Fixed-cost schemes must stay within 3 times the median (goal); iterative
// ones are shown beside them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "blocks.h"
#include "report.h"
#include "scenes.h"

namespace jawari::bench {
namespace {

void play(benchmark::State& state, const Scene& scene) {
  Engine engine(scene);
  std::vector<double> sound(block);
  double* out[] = {sound.data()};
  for (auto _ : state) {
    engine.process(out, block);
    benchmark::DoNotOptimize(sound.data());
  }
  if (engine.failed()) state.SkipWithError("failed");
  items(state, block);
}

struct Blocks {
  double median_us, worst_us, real_time;
};
Blocks blocks(const Scene& scene, std::size_t count, int rounds) {
  std::vector<double> least(count, std::numeric_limits<double>::max());
  for (int r = 0; r < rounds; ++r) {
    Engine engine(scene);
    const auto times = block_times_s(engine, count);
    for (std::size_t i = 0; i < count; ++i) least[i] = std::min(least[i], times[i]);
    if (engine.failed()) std::abort();
  }
  double sum = 0;
  for (const double t : least) sum += t;
  std::sort(least.begin() + 1, least.end());  // the first one warms up
  return {1e6 * least[count / 2], 1e6 * least.back(), static_cast<double>(count * block) / scene.rate_hz / sum};
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari::bench;
  const auto scenes = engine_scenes();
  for (const auto& s : scenes) benchmark::RegisterBenchmark(s.name.c_str(), play, s.scene);
  const Flags flags = take_flags(argc, argv);
  Findings found = measure(argc, argv, "frame", {});
  fmt::print(
      "\n| blocks of {} frames | times real time | median, us | worst, us | worst/median "
      "|\n|---|---:|---:|---:|---:|\n",
      block);
  for (const auto& s : scenes) {
    const Blocks b = blocks(s.scene, 1500, 7);
    const double ratio = b.worst_us / b.median_us;
    fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.2f} |\n", s.name, b.real_time, b.median_us, b.worst_us, ratio);
    if (s.fixed_cost) found.verdicts.push_back({"worst block against the median: " + s.name, ratio, 0, 3});
  }
  return conclude(found, flags);
}
