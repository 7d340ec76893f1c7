// SPDX-License-Identifier: MIT
// PAR11's approximations of the rebound to any order n, with mu = 1 (v_out depends on mu v alone):
//   v_out ~ sum_1^n a_j U^j                                                                       (R1)   PAR11 (30)
//   v_out ~ -(1 - sum_0^n b_j U^j e^(-2U)),   a = b c in the sense of series, c_j = (-2)^j/j! (R2)   PAR11 (7), (38)
// The a_j come from the differential form of (6), w w' (1 + U) = U (1 + w): with s = w^2 = sum s_k U^k
//   (k+1) s_(k+1) = 2 ([k = 1] + a_(k-1)) - k s_k,   s_(k+1) = sum a_i a_(k+1-i)                  (R3)
// (R2) is exact to order n at U = 0 and tends to -1 for large U; between them more terms do not help
// (docs/theory/impact.md).
#pragma once
#include <vector>

namespace jawari::exact {

class ReboundSeries {
 public:
  /// order >= 1, at most `highest`.
  explicit ReboundSeries(int order = 4);
  static constexpr int highest = 30;

  int order() const noexcept { return static_cast<int>(b_.size()) - 1; }
  double a(int j) const { return a_.at(static_cast<std::size_t>(j)); }  ///< j = 1..n
  double b(int j) const { return b_.at(static_cast<std::size_t>(j)); }  ///< j = 0..n
  double local(double mu_v) const noexcept;                             ///< |v_out|/v_in by (R1)
  double restitution(double mu_v) const noexcept;  ///< |v_out|/v_in by (R2); order 4: restitution_approximate

 private:
  std::vector<double> a_, b_;
};

}  // namespace jawari::exact
