// SPDX-License-Identifier: MIT
// Runs a system from start to end: collects the sound, hands every reading to whoever listens.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "jawari/engine/system.h"

namespace jawari {

/// Listens to the readings of a run, one row per time step (trace files, the report).
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void begin(const std::vector<std::string>& channels, double rate_hz, std::int64_t steps) = 0;
  virtual void row(double time_s, std::span<const double> values) = 0;
  virtual void after_step(const System& /*system*/) {}  ///< after every step, at what a row does not hold
  /// 0: every step.  n: after the first and every n-th step from there on; what lies between is played in blocks, by
  /// kernels where there are any.
  virtual std::int64_t every() const noexcept { return 0; }
  virtual void end() {}
};

struct Run {
  std::vector<double> sound;                ///< sum of the pickups, one value per step taken
  std::vector<std::vector<double>> tracks;  ///< every pickup by itself, where there are several
  std::int64_t steps = 0;                   ///< steps taken; fewer than asked for after a failure or a stop
  double cpu_s = 0;                         ///< thread CPU time of the steps and readings
  bool stopped = false;                     ///< by `go_on`
};

/// `go_on` is asked every few hundredths of a second at least, with the number of steps done; false stops the run.
/// Stops by itself when the system has failed: what is kept ends with the step before the failing one, and is finite.
Run run(System& system, std::int64_t steps, std::span<RowSink* const> sinks = {},
        const std::function<bool(std::int64_t done)>& go_on = {});

/// CPU time of this thread [s].
double thread_cpu_s();

/// Keeps readings for drawing: all of them up to a limit, beyond it the smallest and largest of every bucket.
class MinMaxRecorder final : public RowSink {
 public:
  explicit MinMaxRecorder(std::int64_t limit = 60000) : limit_(limit) {}
  void begin(const std::vector<std::string>& channels, double rate_hz, std::int64_t steps) override;
  void row(double time_s, std::span<const double> values) override;
  void end() override;

  std::vector<std::string> channels;
  std::vector<std::vector<float>> data;  ///< per channel
  double step_s = 0;                     ///< time between two entries of data
  bool min_max = false;                  ///< data are pairs (smallest, largest)

 private:
  void flush();
  std::int64_t limit_, bucket_ = 1, filled_ = 0;
  std::vector<float> least_, most_;
  std::vector<char> least_first_;
};

}  // namespace jawari
