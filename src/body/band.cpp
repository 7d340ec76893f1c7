// SPDX-License-Identifier: MIT
#include "jawari/body/band.h"

#include <algorithm>
#include <utility>

#include "jawari/body/band_step.h"

namespace jawari {

Band::Band(std::vector<double> diagonal, double side, double far)
    : diag_(std::move(diagonal)),
      pivot_(diag_.size()),
      lower_(diag_.size()),
      lower2_(diag_.size()),
      side_(side),
      far_(far) {}

void Band::change(double middle, double first, double last, double side, double far) noexcept {
  for (double& x : diag_) x = middle;
  diag_.front() = first;
  diag_.back() = last;
  side_ = side;
  far_ = far;
}

void Band::apply(std::span<const double> x, std::span<double> out) const noexcept {
  const std::size_t n = diag_.size();
  std::size_t i = 0;
  for (; i < std::min<std::size_t>(n, 2); ++i) out[i] = row(i, x);
  if (far_ != 0)
    for (; i + 2 < n; ++i)
      out[i] = band_times<true, false>(diag_[i], side_, far_, x[i - 2], x[i - 1], x[i], x[i + 1], x[i + 2]);
  else
    for (; i + 2 < n; ++i)
      out[i] = band_times<false, false>(diag_[i], side_, far_, x[i - 2], x[i - 1], x[i], x[i + 1], x[i + 2]);
  for (; i < n; ++i) out[i] = row(i, x);
}

double Band::row(std::size_t i, std::span<const double> x) const noexcept {
  const std::size_t n = diag_.size();
  return band_times<true, false>(diag_[i], side_, far_, i > 1 ? x[i - 2] : 0, i > 0 ? x[i - 1] : 0, x[i],
                                 i + 1 < n ? x[i + 1] : 0, i + 2 < n ? x[i + 2] : 0);
}

void Band::factor(std::span<const double> extra) noexcept {
  const std::size_t n = diag_.size();
  BandFactor<true, false, double> factor;
  for (std::size_t i = 0; i < n; ++i) {
    factor.next(i, diag_[i] + (extra.empty() ? 0 : extra[i]), side_, far_, lower_[i], lower2_[i]);
    pivot_[i] = factor.pivot;
  }
}

/// Takahashi's recurrence: of Z = A^-1 only the band is needed, from the last row upwards.
void Band::inverse_diagonal(std::span<double> z) const noexcept {
  const std::size_t n = diag_.size();
  double next = 0, next2 = 0, beside = 0;  // Z(i+1, i+1), Z(i+2, i+2), Z(i+2, i+1)
  for (std::size_t i = n; i-- > 0;) {
    const double l1 = i + 1 < n ? lower_[i + 1] : 0, l2 = i + 2 < n ? lower2_[i + 2] : 0;
    const double one = -l1 * next - l2 * beside, two = -l1 * beside - l2 * next2;  // Z(i+1, i), Z(i+2, i)
    z[i] = 1 / pivot_[i] - l1 * one - l2 * two;
    next2 = next;
    next = z[i];
    beside = one;
  }
}

void Band::solve(std::span<double> x) const noexcept {
  const std::size_t n = diag_.size();
  if (diagonal()) {
    for (std::size_t i = 0; i < n; ++i) x[i] /= pivot_[i];
    return;
  }
  double next = 0, next2 = 0;  // one and two nodes before
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = band_eliminate<true, false>(x[i], lower_[i], next, lower2_[i], next2);
    next2 = next;
    next = x[i];
  }
  next = next2 = 0;
  for (std::size_t i = n; i-- > 0;) {
    const double lower = i + 1 < n ? lower_[i + 1] : 0, lower2 = i + 2 < n ? lower2_[i + 2] : 0;
    x[i] = band_substitute<true, false>(x[i], pivot_[i], lower, next, lower2, next2);
    next2 = next;
    next = x[i];
  }
}

}  // namespace jawari
