// SPDX-License-Identifier: MIT
// Smallest and largest of what was added; NaN once is NaN for good (std::max would lose it).
#pragma once
#include <cmath>
#include <limits>

namespace jawari::rigs {

class Range {
 public:
  void add(double x) {
    if (std::isnan(least_)) return;
    if (!(x >= least_)) least_ = x;
    if (!(x <= most_)) most_ = x;
    if (std::isnan(x)) least_ = most_ = x;
  }
  double least() const { return least_; }
  double most() const { return most_; }
  double width() const { return most_ - least_; }

 private:
  double least_ = std::numeric_limits<double>::infinity(), most_ = -least_;
};

}  // namespace jawari::rigs
