// SPDX-License-Identifier: MIT
// Long double as the number type of laws and schemes: runs whose differences are good for derivatives.
#pragma once
#include <cmath>

#include "jawari/core/power.h"

namespace jawari {

class LongPower {
 public:
  explicit LongPower(long double exponent, long double factor = 1) : exponent_(exponent), factor_(factor) {}
  friend long double raise(const LongPower& power, long double x) noexcept {
    return power.factor_ * std::pow(x, power.exponent_);
  }

 private:
  long double exponent_, factor_;
};
template <>
struct PowerTable<long double> {
  using type = LongPower;
};

}  // namespace jawari
