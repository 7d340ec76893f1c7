// SPDX-License-Identifier: MIT
// Symmetric positive definite matrix with one or two side bands of constant value and an arbitrary diagonal: what an
// implicit string and the slopes of its contacts make.  L D L^T without pivoting; factor O(n), solve O(n).
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace jawari {

class Band {
 public:
  Band() = default;
  Band(std::vector<double> diagonal, double side, double far);

  /// Other values, same size: `middle` on the diagonal, other values at its two ends.
  void change(double middle, double first, double last, double side, double far) noexcept;
  bool diagonal() const noexcept { return side_ == 0 && far_ == 0; }
  void apply(std::span<const double> x, std::span<double> out) const noexcept;  ///< out = A x
  double at(std::size_t i) const noexcept { return diag_[i]; }                  ///< A(i, i)
  double row(std::size_t i, std::span<const double> x) const noexcept;          ///< (A x)(i)
  void factor(std::span<const double> extra) noexcept;                          ///< A + diag(extra); empty: A itself
  void solve(std::span<double> x) const noexcept;                               ///< with the last factor
  void inverse_diagonal(std::span<double> z) const noexcept;                    ///< of the last factor's inverse; O(n)

 private:
  std::vector<double> diag_, pivot_, lower_, lower2_;  // L has lower_[i] at (i, i-1), lower2_[i] at (i, i-2)
  double side_ = 0, far_ = 0;
};

}  // namespace jawari
