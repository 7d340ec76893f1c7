// SPDX-License-Identifier: MIT
// What every benchmark program does: run what is registered, repeated and interleaved, print the best and the median
// CPU time per item as a Markdown table, then the ratios against their goals.
// CPU time of the thread, not wall time: other jobs may share the machine.  Ratios within one run only: clocks and
// throttles move between runs.
#pragma once
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace jawari::bench {

struct Goal {
  std::string what, slow, fast;  ///< names of two benchmarks
  double at_least;               ///< slow/fast
  double at_most = 1e300;
};

/// Each benchmark sets counters["items"] to what one iteration does.  `--check` makes a missed goal an error: 1.
int run(int argc, char** argv, const std::string& item, const std::vector<Goal>& goals);

inline void items(benchmark::State& state, double count) { state.counters["items"] = count; }

}  // namespace jawari::bench
