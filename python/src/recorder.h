// SPDX-License-Identifier: MIT
// Keeps what was asked for of a run in memory that arrays can share: readings by channel (time last), shapes of strings
// and forces of barriers (time first, points last).  Memory is taken once, at the start, and written once.
#pragma once
#include <memory>

#include "jawari/engine/run.h"

namespace jawari::python {

struct RecordOptions {
  bool trace = true;             ///< every channel
  std::int64_t state_every = 0;  ///< shapes of strings every so many steps; 0: none
  std::int64_t maps_every = 0;   ///< forces of barriers, the largest since the last row; 0: none
};

/// Rows of numbers, not set to zero before they are written.
struct Block {
  std::unique_ptr<double[]> data;
  std::size_t rows = 0, columns = 0;
  Block(std::size_t r, std::size_t c) : data(new double[r * c]), rows(r), columns(c) {}
};

class Recorder final : public RowSink {
 public:
  Recorder(const System& system, const RecordOptions& options, std::int64_t steps);
  void begin(const std::vector<std::string>&, double, std::int64_t) override {}
  void rows(const RowBlock& block) override;
  void after_step(const System& system) override;
  std::int64_t next_reading(std::int64_t done) const noexcept override;
  bool wants_channels() const noexcept override { return trace != nullptr; }
  bool wants_forces() const noexcept override { return !forces.empty(); }
  bool wanted() const noexcept { return trace || options_.state_every > 0 || options_.maps_every > 0; }

  std::shared_ptr<Block> trace;                        ///< [channel][step]
  std::vector<std::shared_ptr<Block>> shapes, forces;  ///< per string, per barrier: [row][point]
  std::int64_t steps = 0, shape_rows = 0, force_rows = 0;

 private:
  RecordOptions options_;
};

}  // namespace jawari::python
