// SPDX-License-Identifier: MIT
// Where the energy is over a run, few enough values to draw: the ledger by form, averaged over buckets of time, and the
// accounts of bodies and contacts, read once in every bucket.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "jawari/engine/run.h"

namespace jawari {

class EnergyTrack {
 public:
  static constexpr std::int64_t most_columns = 400;
  void begin(const std::vector<std::string>& channels, double rate_hz, std::int64_t steps);
  void rows(const RowBlock& block);
  void measure(const System& system, std::int64_t step);  ///< after that step
  /// The first step from `step` on after which measure() is to be called.
  std::int64_t next(std::int64_t step) const noexcept { return (step + bucket_ - 1) / bucket_ * bucket_; }
  void end();

  using Curve = std::vector<float>;
  struct Part {
    std::string name;
    bool contact = false;
    Curve stored_J = {}, lost_J = {};
  };
  double step_s = 0;
  std::vector<Curve> forms;  ///< as Ledger::names
  std::vector<Part> parts;   ///< as System::accounts()

 private:
  void flush();
  std::size_t first_ = 0;  // channel of the ledger
  std::int64_t bucket_ = 1, filled_ = 0;
  std::vector<double> sum_;
};

}  // namespace jawari
