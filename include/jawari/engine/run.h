// SPDX-License-Identifier: MIT
// Runs a system from start to end: collects the sound and passes the readings to sinks.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "jawari/engine/system.h"

namespace jawari {

/// Readings of some steps, in their order: channels[c][n] is channel c at t_n.
struct RowBlock {
  std::int64_t first = 0, steps = 0;  ///< number of the first step, from 0 at the start of the system
  double dt_s = 0;
  std::span<double* const> channels = {};
  std::span<const std::vector<double>> largest_force_N = {};  ///< per barrier and point: of all these steps
  double time_s(std::int64_t n) const noexcept { return static_cast<double>(first + n) * dt_s; }
};

/// Receives the readings of a run (trace files, the report): rows of channels, and the system itself where it asks.
class RowSink {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  virtual ~RowSink() = default;
  virtual void begin(const std::vector<std::string>& channels, double rate_hz, std::int64_t steps) = 0;
  /// One time step.
  virtual void row(double /*time_s*/, std::span<const double> /*values*/) {}
  /// Steps that were played at once; by default one row after another.
  virtual void rows(const RowBlock& block);
  /// After a step, for what rows do not hold: shapes, accounts.
  virtual void after_step(const System& /*system*/) {}
  /// After how many steps, more than the `done` ones, after_step() comes next.  Blocks end there, so sinks that need
  /// rows alone say `never`.
  virtual std::int64_t next_reading(std::int64_t done) const noexcept { return done + 1; }
  virtual bool wants_channels() const noexcept { return true; }  ///< RowBlock::channels
  virtual bool wants_forces() const noexcept { return false; }   ///< RowBlock::largest_force_N
  /// 0: every step.  n: row() and after_step() come after the first and every n-th step from there on, and not between.
  virtual std::int64_t every() const noexcept { return 0; }
  virtual void end() {}

 private:
  std::vector<double> row_;  // of rows()
};

struct Run {
  std::vector<double> sound;                ///< sum of the pickups, one value per step taken
  std::vector<std::vector<double>> tracks;  ///< every pickup by itself, where there are several
  std::int64_t steps = 0;                   ///< steps taken; fewer than asked for after a failure or a stop
  double cpu_s = 0;                         ///< thread CPU time of the steps and readings
  bool stopped = false;                     ///< by `go_on`
};

/// `go_on` is asked after every 256 steps at most, with the number of steps done; false stops the run.
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
  void rows(const RowBlock& block) override;
  std::int64_t next_reading(std::int64_t) const noexcept override { return never; }
  void end() override;

  std::vector<std::string> channels;
  std::vector<std::vector<float>> data;  ///< per channel
  double step_s = 0;                     ///< time between two entries of data
  bool min_max = false;                  ///< data are pairs (smallest, largest)

 private:
  void add(std::span<const double* const> channels, std::int64_t first, std::int64_t steps);
  void flush();
  std::int64_t limit_, bucket_ = 1, filled_ = 0;
  std::vector<float> least_, most_;
  std::vector<char> least_first_;
};

}  // namespace jawari
