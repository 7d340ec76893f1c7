// SPDX-License-Identifier: MIT
#include "jawari/body/band.h"

#include <utility>

namespace jawari {

Band::Band(std::vector<double> diagonal, double side, double far)
    : diag_(std::move(diagonal)),
      pivot_(diag_.size()),
      lower_(diag_.size()),
      lower2_(diag_.size()),
      side_(side),
      far_(far) {}

void Band::change(double middle, double ends, double side, double far) noexcept {
  for (double& x : diag_) x = middle;
  diag_.front() = diag_.back() = ends;
  side_ = side;
  far_ = far;
}

void Band::apply(std::span<const double> x, std::span<double> out) const noexcept {
  const std::size_t n = diag_.size();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = diag_[i] * x[i];
    if (i > 0) sum += side_ * x[i - 1];
    if (i + 1 < n) sum += side_ * x[i + 1];
    if (far_ != 0) {
      if (i > 1) sum += far_ * x[i - 2];
      if (i + 2 < n) sum += far_ * x[i + 2];
    }
    out[i] = sum;
  }
}

double Band::row(std::size_t i, std::span<const double> x) const noexcept {
  const std::size_t n = diag_.size();
  double sum = diag_[i] * x[i];
  if (i > 0) sum += side_ * x[i - 1];
  if (i + 1 < n) sum += side_ * x[i + 1];
  if (i > 1) sum += far_ * x[i - 2];
  if (i + 2 < n) sum += far_ * x[i + 2];
  return sum;
}

void Band::factor(std::span<const double> extra) noexcept {
  const std::size_t n = diag_.size();
  for (std::size_t i = 0; i < n; ++i) {
    double pivot = diag_[i] + (extra.empty() ? 0 : extra[i]);
    lower2_[i] = i > 1 ? far_ / pivot_[i - 2] : 0;
    double side = i > 0 ? side_ : 0;
    if (i > 1) side -= lower2_[i] * pivot_[i - 2] * lower_[i - 1];
    lower_[i] = i > 0 ? side / pivot_[i - 1] : 0;
    if (i > 0) pivot -= lower_[i] * lower_[i] * pivot_[i - 1];
    if (i > 1) pivot -= lower2_[i] * lower2_[i] * pivot_[i - 2];
    pivot_[i] = pivot;
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
  for (std::size_t i = 1; i < n; ++i) {
    x[i] -= lower_[i] * x[i - 1];
    if (i > 1) x[i] -= lower2_[i] * x[i - 2];
  }
  for (std::size_t i = n; i-- > 0;) {
    x[i] /= pivot_[i];
    if (i + 1 < n) x[i] -= lower_[i + 1] * x[i + 1];
    if (i + 2 < n) x[i] -= lower2_[i + 2] * x[i + 2];
  }
}

}  // namespace jawari
