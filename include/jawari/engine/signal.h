// SPDX-License-Identifier: MIT
// A force as a function of the time step: constant, sine, raised-cosine pulse (DB19 (31)), given samples or what comes
// in. A constant or a sine that begins or ends with a jump is averaged over the steps on both sides,
//   f_n = f(t_n) int hat(t/dt - n) [start <= t < end] dt/dt,   hat(x) = max(1 - |x|, 0):
// half of it where the jump falls on a step.  The whole force there would act half a step early, to first order.
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
  bool silent() const noexcept {
    return step_ < first_ || step_ >= last_ || (type_ == SignalType::input && input() == 0);
  }
  bool takes_input() const noexcept { return type_ == SignalType::input && samples_.empty(); }
  std::size_t channel() const noexcept { return channel_; }  ///< of what comes in, from 0 on
  /// What comes in in the steps from `first` on, a value per step; nothing comes in in others.
  void take_input(const double* values, std::int64_t first, std::int64_t count) noexcept {
    heard_ = values;
    heard_first_ = first;
    heard_count_ = count;
  }
  void archive(Archive& a) noexcept { a(step_, re_, im_); }
  /// Its constants, for what tells two signals apart.
  template <class Visit>
  void constants(Visit&& visit) const {
    for (const double x :
         {amplitude_, begin_, end_, static_cast<double>(first_), static_cast<double>(last_), turn_re_, turn_im_})
      visit(x);
    if (type_ == SignalType::input) visit(static_cast<double>(channel_));
    for (const double x : samples_) visit(x);
  }

 private:
  double share(std::int64_t step) const noexcept;  // of the force that acts in a step, beside a jump
  double input() const noexcept;                   // in this step

  SignalType type_;
  double amplitude_;
  double begin_ = 0, end_ = 0;                          // of a constant or a sine, in steps
  std::int64_t step_ = 0, first_, last_;                // acts for first_ <= step < last_
  double re_ = 1, im_ = 0, turn_re_ = 1, turn_im_ = 0;  // sine = im_
  std::vector<double> samples_;
  std::size_t channel_ = 0;
  const double* heard_ = nullptr;
  std::int64_t heard_first_ = 0, heard_count_ = 0;
};

}  // namespace jawari
