// SPDX-License-Identifier: MIT
// Goals of whole instruments.  They are times on a Neoverse-N1; on another core they are scaled by the time that
// Csound's prepiano takes there over the 1516 ns that it takes on the N1 or, without Csound, by the yardstick.
#pragma once
#include <string>
#include <vector>

#include "csound.h"
#include "report.h"

namespace jawari::bench {

struct TimeGoal {
  double must_ns = 0, reach_ns = 0;  ///< per frame on a Neoverse-N1; 0: none
};
constexpr TimeGoal times_real_time(double must, double reach, double rate_hz) {
  return {1e9 / (must * rate_hz), 1e9 / (reach * rate_hz)};
}

class Scale {
 public:
  void round() { csound_.round(); }
  /// How much longer than on a Neoverse-N1.
  double value(const Row& yardstick) const;
  std::string sentence(const Row& yardstick) const;
  const CsoundTime& csound() const { return csound_; }

 private:
  CsoundTime csound_;
};

/// "name, of its goal": met from 1 on.
Verdict verdict(const std::string& name, double ns, const TimeGoal& goal, double scale);

}  // namespace jawari::bench
