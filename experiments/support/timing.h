// SPDX-License-Identifier: MIT
// Cost of a run in thread CPU time, and distances between motions.
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

#include "jawari/engine/run.h"

namespace jawari::rigs {

/// Mean CPU time of one call of `step` [ns], over `steps` calls.
template <class Step>
double ns_per_step(long steps, Step&& step) {
  const double start = thread_cpu_s();
  for (long n = 0; n < steps; ++n) step();
  return 1e9 * (thread_cpu_s() - start) / static_cast<double>(steps);
}

/// sqrt(sum (a - b)^2 / sum b^2) over the samples of a; b may be `every` times finer.
inline double relative_distance(const std::vector<double>& a, const std::vector<double>& b, std::size_t every = 1) {
  double off = 0, size = 0;
  for (std::size_t i = 0; i < a.size() && i * every < b.size(); ++i) {
    off += (a[i] - b[i * every]) * (a[i] - b[i * every]);
    size += b[i * every] * b[i * every];
  }
  return std::sqrt(off / size);
}

}  // namespace jawari::rigs
