// SPDX-License-Identifier: MIT
// From N steps per sample to one: a linear-phase low-pass of 72 N + 1 coefficients (sinc under a Kaiser window), flat
// to 0.45 of the sample rate, more than 100 dB down from 0.55 on.  Written here and not taken from libsamplerate
// because every output must be the same sum in the same order whatever the block: a stream resampler fed in other
// portions rounds otherwise.  The delay is 36 samples less N - 1 steps.
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

/// A whole signal, with the delay taken away.
std::vector<double> decimated(std::span<const double> signal, std::size_t factor);

}  // namespace jawari
