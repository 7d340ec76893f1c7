// SPDX-License-Identifier: MIT
// One mode of a ModalBody in registers: a mass on a spring, in a constant load, for kernels that step it in place.
// Rounds as ModalBody does.  Between load() and store() the body's own numbers are old.
//   step:  predict(), then advance() with the force on the tap of the contact
#pragma once
#include <cstddef>

#include "jawari/body/modal.h"

namespace jawari {

class SingleMode {
 public:
  /// Of one mode, without tension modulation; `tap` is where its contact is.
  static bool serves(const ModalBody& body) noexcept { return body.modes() == 1 && !body.receptance_varies(); }
  SingleMode(ModalBody& body, std::size_t tap) noexcept : body_(body), tap_(body.shape(tap, 0)) {}

  void load() noexcept;         ///< numbers and state, from the body
  void store_state() noexcept;  ///< u and d alone: what its energy asks for
  void store() noexcept;        ///< and its taps, as they are after a step

  /// The free double step of the tap, with a force that drives a tap (0: none).
  double predict() noexcept {
    const double pushed = C_ * (load_N_ + push_);
    const double pulled = pushed - D_ * u_;
    change_ = pulled - lag_ * d_;
    return shown(tap_, (d_ + d_) + change_);
  }
  void add_force(std::size_t tap, double force_N) noexcept;  ///< before predict()
  void advance(double force_N) noexcept {
    if (force_N != 0) change_ = change_ + (0 + tap_ * force_N) * C_;
    s_ = (d_ + d_) + change_;
    if (loss_ != 0) body_.lost.add(loss_ * s_ * s_);
    if (pushed_) account_work();
    if (!loaded_) {
      d_ = d_ + change_;
      u_ = u_ + d_;
    } else {
      ModalBody::add(d_, rest_d_, change_);
      ModalBody::add(u_, rest_u_, d_);
    }
  }
  double w() const noexcept { return shown(tap_, u_); }  ///< of the contact's tap
  double d() const noexcept { return shown(tap_, d_); }
  double w_at(std::size_t tap) const noexcept { return shown(body_.shape(tap, 0), u_); }
  double d_at(std::size_t tap) const noexcept { return shown(body_.shape(tap, 0), d_); }
  double s_at(std::size_t tap) const noexcept { return shown(body_.shape(tap, 0), s_); }
  Stored stored() noexcept {
    store_state();
    return body_.stored();
  }

 private:
  static double shown(double shape, double x) noexcept { return 0 + shape * x; }  // as a projection: no -0
  void account_work() noexcept;

  ModalBody& body_;
  double tap_;
  double lag_ = 0, D_ = 0, C_ = 0, loss_ = 0, share_ = 0, load_N_ = 0;
  double u_ = 0, d_ = 0, s_ = 0, change_ = 0, push_ = 0, rest_u_ = 0, rest_d_ = 0;
  bool pushed_ = false, loaded_ = false;
};

}  // namespace jawari
