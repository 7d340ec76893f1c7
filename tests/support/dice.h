// SPDX-License-Identifier: MIT
// Random numbers of a test, the same for the same seed.
#pragma once
#include <cmath>
#include <random>

namespace jawari::test {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double between(double a, double b) { return std::uniform_real_distribution<>(a, b)(engine_); }
  double spread(double a, double b) { return std::exp(between(std::log(a), std::log(b))); }  ///< as many per decade
  template <class Count>
  Count upto(Count n) {
    return std::uniform_int_distribution<Count>(0, n - 1)(engine_);
  }
  bool often(double p) { return between(0, 1) < p; }

 private:
  std::mt19937 engine_;
};

}  // namespace jawari::test
