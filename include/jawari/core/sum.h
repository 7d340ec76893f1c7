// SPDX-License-Identifier: MIT
// Compensated sum (Neumaier): energy accounts stay exact to rounding over minutes of sound.
#pragma once
#include "jawari/core/number.h"

namespace jawari {

class Sum {
 public:
  JAWARI_HD void add(double x) noexcept {
    const double t = sum_ + x;
    rest_ += abs(sum_) >= abs(x) ? (sum_ - t) + x : (x - t) + sum_;
    sum_ = t;
  }
  JAWARI_HD double value() const noexcept { return sum_ + rest_; }

 private:
  double sum_ = 0, rest_ = 0;
};

}  // namespace jawari
