// SPDX-License-Identifier: MIT
// Where the time of steps goes, for part_shares(): wall time, less what the clock itself takes.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace jawari {

struct StepTimes {
  std::vector<double> body_ns, island_ns;
  double clock_ns = 0;  ///< one measurement of nothing

  static double now_ns() noexcept {
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
};

/// f(), and how long it took is added to the time of a part; times null: f() alone.
template <class F>
inline void timed(StepTimes* times, std::vector<double> StepTimes::*which, std::size_t index, F&& f) noexcept {
  if (!times) return f();
  const double start = StepTimes::now_ns();
  f();
  (times->*which)[index] += StepTimes::now_ns() - start - times->clock_ns;
}

/// The same for parts that are stepped together: those that take part share the time.
template <class TakesPart, class F>
inline void timed_together(StepTimes* times, std::vector<double> StepTimes::*which,
                           const std::vector<std::size_t>& parts, TakesPart&& takes_part, F&& f) noexcept {
  if (!times) return f();
  const double start = StepTimes::now_ns();
  f();
  const double took = StepTimes::now_ns() - start - times->clock_ns;
  const auto count = static_cast<double>(std::count_if(parts.begin(), parts.end(), takes_part));
  for (const auto p : parts)
    if (takes_part(p)) (times->*which)[p] += took / count;
}

}  // namespace jawari
