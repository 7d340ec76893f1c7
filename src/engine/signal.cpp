// SPDX-License-Identifier: MIT
#include "jawari/engine/signal.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

constexpr double never = 1e18;  // steps

/// An instant in steps; one that was meant to fall on a step falls on it.
double in_steps(double time_s, double dt_s) {
  const double steps = time_s / dt_s, nearest = std::round(steps);
  return std::abs(steps - nearest) < 1e-6 ? nearest : steps;
}
/// int_{-inf}^x hat
double hat_before(double x) noexcept {
  if (x <= -1) return 0;
  if (x >= 1) return 1;
  return x < 0 ? (1 + x) * (1 + x) / 2 : 1 - (1 - x) * (1 - x) / 2;
}

}  // namespace

Signal::Signal(const ExcitationSpec& spec, double dt_s)
    : type_(spec.type),
      amplitude_(spec.amplitude_N),
      first_(std::llround(spec.start_s / dt_s)),
      last_(std::numeric_limits<std::int64_t>::max()),
      samples_(spec.samples_N),
      channel_(static_cast<std::size_t>(spec.channel - 1)) {
  if (type_ == SignalType::pulse) {
    const double length = spec.duration_s / dt_s, late = static_cast<double>(first_) - spec.start_s / dt_s;
    for (double t = late; t < length; ++t)
      samples_.push_back(t < 0 ? 0 : amplitude_ / 2 * (1 - elementary::cos(2 * std::numbers::pi * t / length)));
  }
  if (type_ == SignalType::pulse || type_ == SignalType::samples) {
    last_ = first_ + static_cast<std::int64_t>(samples_.size());
    return;
  }
  if (type_ == SignalType::input) {
    if (spec.duration_s > 0) last_ = first_ + std::llround(spec.duration_s / dt_s);
    return;
  }
  begin_ = in_steps(spec.start_s, dt_s);
  end_ = spec.duration_s > 0 ? in_steps(spec.start_s + spec.duration_s, dt_s) : never;
  first_ = static_cast<std::int64_t>(std::floor(begin_));
  if (end_ < never) last_ = static_cast<std::int64_t>(std::ceil(end_)) + 1;
  const double turn = 2 * std::numbers::pi * spec.frequency_hz * dt_s,
               phase = turn * (static_cast<double>(first_) - begin_);
  re_ = elementary::cos(phase);
  im_ = elementary::sin(phase);
  turn_re_ = elementary::cos(turn);
  turn_im_ = elementary::sin(turn);
}

double Signal::share(std::int64_t step) const noexcept {
  if (step > first_ + 1 && step < last_ - 2) return 1;
  const double n = static_cast<double>(step);
  return hat_before(n - begin_) - hat_before(n - end_);
}

double Signal::input() const noexcept {
  if (!samples_.empty()) return step_ < std::ssize(samples_) ? samples_[static_cast<std::size_t>(step_)] : 0;
  const std::int64_t n = step_ - heard_first_;
  return n >= 0 && n < heard_count_ ? heard_[n] : 0;
}

double Signal::next() noexcept {
  const bool outside = silent();
  const double heard = type_ == SignalType::input ? input() : 0;
  const std::int64_t n = step_++;
  if (outside) return 0;
  if (type_ == SignalType::input) return amplitude_ * heard;
  if (type_ == SignalType::constant) return amplitude_ * share(n);
  if (type_ != SignalType::sine) return samples_[static_cast<std::size_t>(n - first_)];
  const double value = amplitude_ * im_ * share(n), re = re_ * turn_re_ - im_ * turn_im_,
               im = re_ * turn_im_ + im_ * turn_re_;
  const double norm = (3 - (re * re + im * im)) / 2;  // keeps the phasor on the unit circle
  re_ = re * norm;
  im_ = im * norm;
  return value;
}

}  // namespace jawari
