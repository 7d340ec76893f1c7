// SPDX-License-Identifier: MIT
// From N steps per sample to one, and back: a linear-phase low-pass of 72 N + 1 coefficients (sinc under a Kaiser
// window), flat to 0.45 of the sample rate, more than 100 dB down from 0.55 on.  Written here and not taken from
// libsamplerate because every output must be the same sum in the same order whatever the block: a stream resampler fed
// in other portions rounds otherwise.  The delay is 36 samples less N - 1 steps.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "jawari/core/archive.h"

namespace jawari {

class Decimator {
 public:
  explicit Decimator(std::size_t factor);                               ///< 1: passes through, without delay
  std::size_t delay() const noexcept { return factor_ == 1 ? 0 : 36; }  ///< in samples
  void push(double x) noexcept;                                         ///< one time step
  double value() const noexcept;                                        ///< the sample, after `factor` steps
  void archive(Archive& a) noexcept {
    a.index(at_, weight_.size() - 1);
    a(past_);
  }

 private:
  std::size_t factor_, at_ = 0;
  std::vector<double> weight_, past_;  // past_ twice in a row: a window is always contiguous
};

/// From a sample to N steps: zeros between the samples, and the same low-pass.
class Interpolator {
 public:
  explicit Interpolator(std::size_t factor);                            ///< 1: passes through, without delay
  std::size_t delay() const noexcept { return factor_ == 1 ? 0 : 36; }  ///< in samples
  void push(double x, double* steps) noexcept;                          ///< one sample; writes `factor` steps
  bool silent() const noexcept { return silent_ >= 2 * delay(); }       ///< zeros alone have come for so long
  void archive(Archive& a) noexcept { a(past_, silent_); }

 private:
  std::size_t factor_, silent_ = 0;    // samples
  std::vector<double> weight_, past_;  // past_: the newest first
};

/// A whole signal, with the delay taken away.
std::vector<double> interpolated(std::span<const double> signal, std::size_t factor);
/// A whole signal at another rate: at every instant the sum of its samples under the same low-pass, at the lower rate.
std::vector<double> at_other_rate(std::span<const double> signal, double from_hz, double to_hz);
/// A whole signal, with the delay taken away.
std::vector<double> decimated(std::span<const double> signal, std::size_t factor);

}  // namespace jawari
