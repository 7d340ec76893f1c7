// SPDX-License-Identifier: MIT
// What runs.  A scene compiles into a System; rendering, tracing and comparing know nothing else.
// step() is for the audio thread: it never allocates, locks or throws.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "jawari/couple/contact_record.h"
#include "jawari/engine/ledger.h"

namespace jawari {

struct ContactReport {
  std::string name, law, scheme;
  ContactRecord record;
  double energy_bound_m = 0;  ///< compression that would store the largest energy of the run; 0: not defined
  bool half_step_bound = false;  ///< the bound holds for the half-step compression (two-point family)
};

class System {
 public:
  virtual ~System() = default;
  virtual void step() noexcept = 0;  ///< from t_n to t_{n+1}; afterwards the readings are those of t_n
  virtual const Ledger& ledger() const noexcept = 0;
  virtual bool failed() const noexcept = 0;  ///< a solve did not settle or a number is not finite: stop here
  virtual std::vector<ContactReport> contacts() const = 0;
  virtual double sound() const noexcept = 0;  ///< sum of the pickups at t_n

  /// Names of what can be traced, with units ("ball.displacement_m"), and their values at t_n in the same order.
  const std::vector<std::string>& channels() const noexcept { return channels_; }
  virtual void read(std::span<double> row) const noexcept = 0;

  double time_s() const noexcept { return static_cast<double>(steps_ - 1) * dt_; }  ///< t_n of the readings
  double dt_s() const noexcept { return dt_; }
  long steps() const noexcept { return steps_; }  ///< steps taken

 protected:
  std::vector<std::string> channels_;
  double dt_ = 0;
  long steps_ = 0;
};

}  // namespace jawari
