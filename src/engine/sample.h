// SPDX-License-Identifier: MIT
// What is handed out as a sample: a normal number or +0.  Which zero a sum ends with depends on its order, and
// subnormal numbers on whether the processor flushes them to zero while it plays: neither is audible, and samples are
// compared bit for bit.
#pragma once
#include <cmath>
#include <limits>

namespace jawari {

inline double normal_or_zero(double sample) noexcept {
  return std::abs(sample) < std::numeric_limits<double>::min() ? 0.0 : sample;  // NaN stays
}

}  // namespace jawari
