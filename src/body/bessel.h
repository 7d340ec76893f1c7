// SPDX-License-Identifier: MIT
// Bessel functions of whole order for modes of circles: J_m, and I_m scaled by e^-x.  Miller's recurrence from above,
// normed by J_0 + 2 J_2 + 2 J_4 + ... = 1 and I_0 + 2 I_1 + 2 I_2 + ... = e^x: + - * / alone.  Errors of some 1e-16 of
// the largest order.
#pragma once
#include <vector>

namespace jawari {

struct BesselPair {
  double here, next;  ///< of orders m and m + 1
};
BesselPair bessel_j(int m, double x);         ///< x >= 0
BesselPair scaled_bessel_i(int m, double x);  ///< e^-x I_m(x), x >= 0

/// Positive zeros of J_m, n = 1, 2, ..., found in turn and kept.
class BesselZeros {
 public:
  double operator()(int m, int n);

 private:
  std::vector<std::vector<double>> zero_;  // [m][n - 1]
};

}  // namespace jawari
