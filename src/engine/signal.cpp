// SPDX-License-Identifier: MIT
#include "jawari/engine/signal.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "jawari/core/elementary.h"

namespace jawari {

Signal::Signal(const ExcitationSpec& spec, double dt_s)
    : type_(spec.type),
      amplitude_(spec.amplitude_N),
      first_(std::llround(spec.start_s / dt_s)),
      samples_(spec.samples_N) {
  const double turn = 2 * std::numbers::pi * spec.frequency_hz * dt_s;
  turn_re_ = elementary::cos(turn), turn_im_ = elementary::sin(turn);
  last_ = spec.duration_s > 0 ? first_ + std::max<std::int64_t>(1, std::llround(spec.duration_s / dt_s))
                              : std::numeric_limits<std::int64_t>::max();
  if (type_ == SignalType::pulse) {
    const double length = spec.duration_s / dt_s, late = static_cast<double>(first_) - spec.start_s / dt_s;
    for (double t = late; t < length; ++t)
      samples_.push_back(t < 0 ? 0 : amplitude_ / 2 * (1 - elementary::cos(2 * std::numbers::pi * t / length)));
  }
  if (type_ == SignalType::pulse || type_ == SignalType::samples) last_ = first_ + static_cast<std::int64_t>(samples_.size());
}

double Signal::next() noexcept {
  const bool outside = silent();
  const std::int64_t n = step_++;
  if (outside) return 0;
  if (type_ == SignalType::constant) return amplitude_;
  if (type_ != SignalType::sine) return samples_[static_cast<std::size_t>(n - first_)];
  const double value = amplitude_ * im_, re = re_ * turn_re_ - im_ * turn_im_, im = re_ * turn_im_ + im_ * turn_re_;
  const double norm = (3 - (re * re + im * im)) / 2;  // keeps the phasor on the unit circle
  re_ = re * norm, im_ = im * norm;
  return value;
}

}  // namespace jawari
