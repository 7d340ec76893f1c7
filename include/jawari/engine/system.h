// SPDX-License-Identifier: MIT
// What runs.  A scene compiles into a System; rendering, tracing and comparing know nothing else.
// step() is for the audio thread: it never allocates, locks or throws.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "jawari/engine/failure.h"
#include "jawari/engine/readings.h"

namespace jawari {

/// What play() writes for every step beside the pickups; an empty list: nothing.
struct ProbeBuffers {
  std::span<double* const> channels = {};               ///< per channel of the system: a value per step
  std::span<std::vector<double>> largest_force_N = {};  ///< per barrier and point: raised to |force| of every step
  bool empty() const noexcept { return channels.empty() && largest_force_N.empty(); }
};

class System : public Readings {
 public:
  virtual void step() noexcept = 0;  ///< from t_n to t_{n+1}
  /// So many steps at once, by whatever is fastest, and every pickup of each: tracks[pickup][step].  Returns the number
  /// of steps taken: after a failure those before the failing one.  Where probes are given, channels are those of
  /// read() after each step; the first such call may allocate.
  virtual std::int64_t play(std::int64_t steps, double* const* tracks, const ProbeBuffers& probes = {}) noexcept;
  /// The ledger is updated every so many steps; 1 by default, 0: not by step() and play().
  void audit_every(std::int64_t steps) noexcept { audit_every_ = steps; }

  /// A solve did not settle or a number is not finite: stop here.
  bool failed() const noexcept { return static_cast<bool>(failure_); }
  const Failure& failure() const noexcept { return failure_; }
  std::string failure_text() const;             ///< one sentence; empty if it has not failed
  void fail(const Failure& failure) noexcept {  ///< the first one counts
    if (!failure_) failure_ = failure;
  }

 protected:
  Failure failure_;
  std::int64_t audit_every_ = 1;
};

}  // namespace jawari
