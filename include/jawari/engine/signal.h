// SPDX-License-Identifier: MIT
// A force as a function of the time step: constant, sine, raised-cosine pulse (DB19 (31)) or given samples.
// What needs a transcendental function is computed at set-up; the sine turns a phasor, + - * only.
#pragma once
#include <cstdint>
#include <vector>

#include "jawari/engine/scene.h"

namespace jawari {

class Signal {
 public:
  Signal(const ExcitationSpec& spec, double dt_s);
  double next() noexcept;  ///< value of this step, then moves on
  /// Whether it is zero in this step and has not begun or is over: a constant, a sine or a pulse outside its time.
  bool silent() const noexcept { return step_ < first_ || step_ >= last_; }

 private:
  SignalType type_;
  double amplitude_;
  std::int64_t step_ = 0, first_, last_;                      // acts for first_ <= step < last_
  double re_ = 1, im_ = 0, turn_re_ = 1, turn_im_ = 0;  // sine = im_
  std::vector<double> samples_;
};

}  // namespace jawari
