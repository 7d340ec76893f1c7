// SPDX-License-Identifier: MIT
// How a job is cut: into waves of strings that the memory of a device has room for, and launches of so many steps.  And
// how the rows of a launch are handed on.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "warp/schemes.h"
#include "warp/string_job.h"

namespace jawari::warp {

/// Of a launch: pinned memory of the host, and enough steps that starting it does not count.
inline constexpr std::size_t block_bytes = std::size_t{256} << 20;
inline constexpr std::int64_t most_launch_steps = 4096, least_launch_steps = 64;
inline constexpr int launch_buffers = 2;

struct WavePlan {
  std::size_t waves = 0, strings = 0;  ///< strings of a wave, at most
  std::int64_t steps = 0;              ///< of a launch, at most
};

inline std::size_t snapshot_columns(const StringJob& job) {
  return static_cast<std::size_t>(job.snapshot_whole ? 2 + state_numbers(job.scheme) : 1);
}

/// room: bytes of the device that are free.
template <class T>
WavePlan plan_waves(const StringJob& job, std::size_t room) {
  const std::size_t sample =
      static_cast<std::size_t>(std::max(job.reads, 1)) * (job.double_sound ? sizeof(double) : sizeof(float));
  const auto slots = static_cast<std::size_t>(job.shape.slots());
  const std::size_t numbers = slots * static_cast<std::size_t>(3 + state_numbers(job.scheme));
  const std::int64_t stride = job.snapshot_stride;
  const auto string_bytes = [&](std::int64_t steps) {
    std::size_t bytes = sizeof(StringProblem<T>) + sizeof(StringProgress) + numbers * sizeof(T) + 512;
    if (job.accounts) bytes += static_cast<std::size_t>(job.shape.width) * sizeof(LaneSums);
    bytes += launch_buffers * sample * static_cast<std::size_t>(steps);
    if (stride > 0)
      bytes += launch_buffers * static_cast<std::size_t>(steps / stride + 1) *
               (snapshot_columns(job) * slots * sizeof(T) + lost_columns * sizeof(double));
    return bytes;
  };
  const std::size_t strings = job.strings.size();
  WavePlan plan;
  plan.steps = std::clamp(static_cast<std::int64_t>(block_bytes / (sample * std::max<std::size_t>(strings, 1))),
                          least_launch_steps, std::min(most_launch_steps, std::max(job.steps, least_launch_steps)));
  if (job.sleep_steps > 0) plan.steps = std::min<std::int64_t>(plan.steps, job.sleep_steps);
  const std::size_t most_bytes = job.memory_bytes > 0 ? std::min(job.memory_bytes, room) : room / 10 * 8;
  const std::size_t fit = std::max<std::size_t>(1, most_bytes / string_bytes(plan.steps));
  const std::size_t pinned =
      std::max<std::size_t>(1, 4 * block_bytes / (sample * static_cast<std::size_t>(plan.steps)));
  const std::size_t most = std::min(fit, pinned);
  plan.waves = (strings + most - 1) / most;
  plan.strings = plan.waves > 0 ? (strings + plan.waves - 1) / plan.waves : 0;
  return plan;
}

/// `rows` rows of the strings first ..., as a launch leaves them.
template <class T>
void hand_on_rows(const StringJob& job, StringSink& sink, std::size_t first, std::size_t count, std::int64_t first_row,
                  int rows, const T* snapshot, const double* lost_J) {
  const auto slots = static_cast<std::size_t>(job.shape.slots());
  const std::size_t numbers = slots * snapshot_columns(job);
  std::vector<double> row(rows > 0 ? numbers : 0);
  for (std::size_t i = 0; i < count; ++i)
    for (int r = 0; r < rows; ++r) {
      const std::size_t at = i * static_cast<std::size_t>(rows) + static_cast<std::size_t>(r);
      const T* const from = snapshot + at * numbers;
      std::transform(from, from + numbers, row.begin(), [](T x) { return static_cast<double>(x); });
      const std::span<const double> all(row), lost(lost_J + at * lost_columns, lost_columns);
      const bool whole = job.snapshot_whole;
      sink.snapshot(first + i, first_row + r,
                    {all.first(slots), whole ? all.subspan(slots, slots) : all.first(0),
                     whole ? all.subspan(2 * slots) : all.first(0), lost[0], lost.subspan(1)});
    }
}

}  // namespace jawari::warp
