// SPDX-License-Identifier: MIT
#include "jawari/engine/decimate.h"

#include <cmath>
#include <numbers>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

/// Modified Bessel function I0, by its series.
double bessel_i0(double x) {
  double term = 1, sum = 1;
  for (int k = 1; term > 1e-17 * sum; ++k) {
    term *= (x / 2 / k) * (x / 2 / k);
    sum += term;
  }
  return sum;
}

}  // namespace

Decimator::Decimator(std::size_t factor) : factor_(factor) {
  if (factor == 1) {
    weight_ = {1};
    past_.assign(2, 0);
    return;
  }
  const std::size_t half = 36 * factor;
  constexpr double beta = 10.06;  // 100 dB
  double sum = 0;
  for (std::size_t i = 0; i <= 2 * half; ++i) {
    const double t = static_cast<double>(i) - static_cast<double>(half),
                 x = std::numbers::pi * t / static_cast<double>(factor);
    const double edge = t / static_cast<double>(half);
    weight_.push_back((t == 0 ? 1 : elementary::sin(x) / x) * bessel_i0(beta * std::sqrt(1 - edge * edge)));
    sum += weight_.back();
  }
  for (double& w : weight_) w /= sum;
  past_.assign(2 * weight_.size(), 0);
}

void Decimator::push(double x) noexcept {
  past_[at_] = past_[at_ + weight_.size()] = x;
  at_ = at_ + 1 == weight_.size() ? 0 : at_ + 1;
}

double Decimator::value() const noexcept {
  const double* window = &past_[at_];  // oldest first; the weights are symmetric
  double sum = 0;
  for (std::size_t i = 0; i < weight_.size(); ++i) sum += weight_[i] * window[i];
  return sum;
}

std::vector<double> decimated(std::span<const double> signal, std::size_t factor) {
  if (factor == 1) return {signal.begin(), signal.end()};
  Decimator d(factor);
  std::vector<double> out;
  const std::size_t frames = signal.size() / factor, lead = d.delay() * factor;
  for (std::size_t at = 0; out.size() < frames; ++at) {
    d.push(at < signal.size() ? signal[at] : 0);
    if (at >= lead && (at - lead) % factor == 0) out.push_back(d.value());  // centred on step at - lead
  }
  return out;
}

}  // namespace jawari
