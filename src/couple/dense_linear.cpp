// SPDX-License-Identifier: MIT
// (K9) Ports whose lines stay the same from step to step: the inverse is kept.
#include <algorithm>
#include <cmath>

#include "couple/factor_lanes.h"
#include "jawari/couple/dense.h"

namespace jawari {
namespace {

/// Largest eigenvalue of I + D Q D, which is its condition, or a bound of it: an inverse loses up to three digits.
constexpr double stiffest = 1000;

}  // namespace

bool DenseCompliance::keep_inverse() {
  if (sparse()) return false;  // there a solve is less than a product with an inverse
  inverse_.reset(new double[n_ * n_]);
  return true;
}

bool DenseCompliance::solve_linear(std::span<const double> f, std::span<const double> b, std::span<double> s) noexcept {
  for (std::size_t i = 0; i < m_; ++i) {
    active_[i] = static_cast<std::uint32_t>(i);
    root_[i] = std::sqrt(-b[i]);
  }
  factor(m_);
  if (inverted_ != m_) invert();
  if (too_stiff_) return false;
  for (std::size_t i = 0; i < m_; ++i) known_[i] = f[i] / root_[i];
  std::fill_n(z_.begin(), m_, 0.0);
  symmetric_times(inverse_.get(), m_, known_.data(), z_.data());
  for (std::size_t i = 0; i < m_; ++i) phi_[i] = root_[i] * z_[i];
  place(s);  // not s_free + (phi - f)/b, which has the rounding of a static force
  return true;
}

/// (I + D Q D)^-1, column by column.
void DenseCompliance::invert() noexcept {
  double trace = 1;
  for (std::size_t i = 0; i < m_; ++i) trace += root_[i] * chosen_[i * stride_ + i] * root_[i];
  too_stiff_ = !(trace <= stiffest);
  for (std::size_t i = 0; i < m_ && !too_stiff_; ++i) {
    std::fill_n(z_.begin(), m_, 0.0);
    z_[i] = 1;
    solve(m_);
    std::copy_n(z_.begin(), m_, &inverse_[i * m_]);
  }
  inverted_ = m_;
}

}  // namespace jawari
