// SPDX-License-Identifier: MIT
// Strings for warps as the host has them, and what plays them: a device (src/cuda), or warps that are emulated (tests).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jawari/core/device_array.h"
#include "warp/string_problem.h"

namespace jawari::warp {

/// A power law with loss, by its numbers; stiffness of one point.
struct LawNumbers {
  double stiffness = 0, exponent = 1, mu = 0;
  auto operator<=>(const LawNumbers&) const = default;
};

/// One string of one run, as its model begins.  line[i].law is an index into laws.
struct PackedString {
  StringNumbers<double> numbers = {};
  std::vector<LawNumbers> laws = {};
  std::vector<StringRead<double>> reads = {};
  std::vector<double> u = {}, d = {}, offset = {};  ///< per node
  std::vector<double> state = {};                   ///< per node, of the scheme
  StringEnergyFactors energy = {};
  int scheme = 0;
  double dt_s = 0;
};

enum class Precision { exact, fused, single };
inline constexpr int precision_count = 3;

/// How many nodes a lane has, and how many lanes a string.
struct StringShape {
  int per_lane = 0, width = 0;
  int slots() const noexcept { return per_lane * width; }
  bool operator==(const StringShape&) const = default;
};
inline constexpr StringShape string_shapes[] = {{7, 8}, {7, 16}, {14, 16}, {14, 32}};
inline constexpr int most_nodes = 448;
/// The smallest that has room; the nodes must not be more than most_nodes.
inline StringShape shape_for(int nodes) {
  for (const StringShape& s : string_shapes)
    if (nodes <= s.slots()) return s;
  return {};
}

/// Strings of one scheme, one shape, one time step and one number of reads.
struct StringJob {
  std::span<const PackedString> strings;
  StringShape shape = {};
  Precision precision = Precision::exact;
  int scheme = 0, reads = 0;
  double dt_s = 0;
  std::int64_t steps = 0;
  bool accounts = false;
  bool double_sound = false;
  int snapshot_stride = 0;       ///< in steps; 0: none
  bool snapshot_whole = false;   ///< u, d and states instead of u alone
  DeviceArray* stays = nullptr;  ///< the sound goes there and not to the sink; of the type that double_sound says
  std::span<const std::size_t> rows = {};  ///< of it, per string and read
  int sleep_steps = 0;                     ///< strings fall silent at multiples of so many steps; 0: never
  double silent_J = 0;                     ///< where they hold less than this
  std::size_t memory_bytes = 0;            ///< at most so much of the device; 0: most of what is free
};
/// So many of `most` steps from `done` on that strings can fall silent after them.
inline std::int64_t steps_to_silence(const StringJob& job, std::int64_t done, std::int64_t most) {
  return job.sleep_steps > 0 ? std::min<std::int64_t>(most, job.sleep_steps - done % job.sleep_steps) : most;
}

/// The state of a string; d and states where the whole is asked for.  lost_J is NaN from where it failed on.
struct StringSnapshot {
  std::span<const double> u, d, states;
  double lost_J;
  std::span<const double> lost_in_contact_J;  ///< per line
};

/// Where what is played goes.  Called from one thread, block after block; what a pointer shows is gone after the call.
class StringSink {
 public:
  virtual ~StringSink() = default;
  /// Steps first_step ... of the strings first ...: [string][read][step].  One of the two pointers.
  virtual void sound(std::size_t first, std::size_t count, std::int64_t first_step, int steps, const float* samples,
                     const double* samples_double) = 0;
  /// Row after row, the first after snapshot_stride steps.
  virtual void snapshot(std::size_t string, std::int64_t row, const StringSnapshot& snapshot) = 0;
  virtual void end(std::size_t string, const StringProgress& progress, const LaneSums& sums) = 0;
  virtual bool go_on() { return true; }  ///< asked after every block
};

/// What the last job took, and what its kernel uses of a device.
struct StringTiming {
  double kernel_s = 0, play_s = 0, total_s = 0;  ///< play: kernels, copies and what the sink does
  int registers = 0, local_bytes = 0, shared_bytes = 0, warps_per_processor = 0, launches = 0, waves = 0;
};

class StringRunner {
 public:
  virtual ~StringRunner() = default;
  virtual std::string name() const = 0;
  virtual StringTiming timing() const { return {}; }
  virtual bool serves(int scheme, Precision precision) const = 0;
  /// For sound that stays on the device.  Throws std::runtime_error.
  virtual std::shared_ptr<DeviceArray> allocate(std::size_t rows, std::size_t columns, bool is_double) = 0;
  /// Empty, or a sentence that says what went wrong.
  virtual std::string play(const StringJob& job, StringSink& sink) = 0;
};

}  // namespace jawari::warp
