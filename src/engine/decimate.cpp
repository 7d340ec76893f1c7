// SPDX-License-Identifier: MIT
#include "jawari/engine/decimate.h"

#include <algorithm>
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

constexpr double kaiser_beta = 10.06;   // 100 dB
constexpr std::size_t half_width = 36;  // samples

/// The low-pass at t samples from its middle, before it is brought to a sum of one.
double low_pass(double t) {
  const double x = std::numbers::pi * t;
  const double edge = t / static_cast<double>(half_width);
  if (!(edge * edge <= 1)) return 0;
  return (t == 0 ? 1 : elementary::sin(x) / x) * bessel_i0(kaiser_beta * std::sqrt(1 - edge * edge));
}

/// At every step, `factor` of them per sample; of sum 1.
std::vector<double> low_pass_weights(std::size_t factor) {
  if (factor == 1) return {1};
  const std::size_t half = half_width * factor;
  std::vector<double> weight;
  double sum = 0;
  for (std::size_t i = 0; i <= 2 * half; ++i) {
    weight.push_back(low_pass((static_cast<double>(i) - static_cast<double>(half)) / static_cast<double>(factor)));
    sum += weight.back();
  }
  for (double& w : weight) w /= sum;
  return weight;
}

}  // namespace

Decimator::Decimator(std::size_t factor) : factor_(factor), weight_(low_pass_weights(factor)) {
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

Interpolator::Interpolator(std::size_t factor) : factor_(factor), weight_(low_pass_weights(factor)) {
  for (double& w : weight_) w *= static_cast<double>(factor);  // of `factor` steps one alone is not zero
  past_.assign(factor == 1 ? 1 : 2 * half_width + 1, 0);
  silent_ = 2 * delay();
}

void Interpolator::push(double x, double* steps) noexcept {
  if (factor_ == 1) {
    steps[0] = x;
    return;
  }
  silent_ = x == 0 ? silent_ + 1 : 0;
  if (silent_ > 2 * delay()) {  // nothing is left of what came before
    silent_ = 2 * delay() + 1;
    std::fill(past_.begin(), past_.end(), 0.0);
    std::fill_n(steps, factor_, 0.0);
    return;
  }
  std::copy_backward(past_.begin(), past_.end() - 1, past_.end());
  past_[0] = x;
  for (std::size_t k = 0; k < factor_; ++k) {
    double sum = 0;
    for (std::size_t j = 0, i = k; i < weight_.size(); ++j, i += factor_) sum += weight_[i] * past_[j];
    steps[k] = sum;
  }
}

std::vector<double> interpolated(std::span<const double> signal, std::size_t factor) {
  if (factor == 1) return {signal.begin(), signal.end()};
  Interpolator filter(factor);
  std::vector<double> steps(factor), out;
  for (std::size_t at = 0; at < signal.size() + filter.delay(); ++at) {
    filter.push(at < signal.size() ? signal[at] : 0, steps.data());
    if (at >= filter.delay()) out.insert(out.end(), steps.begin(), steps.end());
  }
  return out;
}

std::vector<double> at_other_rate(std::span<const double> signal, double from_hz, double to_hz) {
  if (from_hz == to_hz) return {signal.begin(), signal.end()};
  constexpr std::size_t per_sample = 1024;  // values of the low-pass, straight lines between: off by 1e-6
  std::vector<double> table(half_width * per_sample + 2);
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = low_pass(static_cast<double>(i) / static_cast<double>(per_sample)) / bessel_i0(kaiser_beta);
  const double slow = std::min(1.0, to_hz / from_hz);  // samples of the lower rate per sample of the signal
  const double reach = static_cast<double>(half_width) / slow;
  const auto count = static_cast<std::size_t>(std::ceil(static_cast<double>(signal.size()) * to_hz / from_hz));
  std::vector<double> out;
  out.reserve(count);
  for (std::size_t n = 0; n < count; ++n) {
    const double at = static_cast<double>(n) * from_hz / to_hz;
    const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil(at - reach)));
    const auto last =
        static_cast<std::size_t>(std::min(std::floor(at + reach), static_cast<double>(signal.size()) - 1));
    double sum = 0;
    for (std::size_t i = first; i <= last; ++i) {
      const double place = std::abs(static_cast<double>(i) - at) * slow * static_cast<double>(per_sample);
      const auto below = static_cast<std::size_t>(place);
      sum += signal[i] * std::lerp(table[below], table[below + 1], place - static_cast<double>(below));
    }
    out.push_back(slow * sum);
  }
  return out;
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
