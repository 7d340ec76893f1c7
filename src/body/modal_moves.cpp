// SPDX-License-Identifier: MIT
// Taps of a modal string that move along it.
#include <memory>
#include <numbers>

#include "jawari/body/modal.h"
#include "jawari/core/elementary.h"
#include "modal_lanes.h"

namespace jawari {

void ModalBody::allow_moves(double length_m) {
  length_m_ = length_m;
  own_shapes_ = std::make_shared<std::vector<double>>(*shapes_);
  shapes_ = own_shapes_;
}

/// Where taps may move, each has shapes of its own.
std::unique_ptr<Body> ModalBody::clone() const {
  auto copy = std::make_unique<ModalBody>(*this);
  if (length_m_ > 0) copy->allow_moves(length_m_);
  return copy;
}

/// sin(p a) from one mode to the next by the turn through a: four products a mode.
void ModalBody::move_tap(std::size_t tap, double x_m) noexcept {
  const std::size_t modes = c_.size();
  double* shape = own_shapes_->data() + (tap - sines_) * modes;
  const elementary::SineCosine turn = elementary::sine_cosine(std::numbers::pi * x_m / length_m_);
  double sine = turn.sine;
  double cosine = turn.cosine;
  for (std::size_t i = 0; i < modes; ++i) {
    shape[i] = sine;
    const double next = sine * turn.cosine + cosine * turn.sine;
    cosine = cosine * turn.cosine - sine * turn.sine;
    sine = next;
  }
  modal_lanes::times(shape, 1, modes, u_.data(), &w[tap]);
  modal_lanes::times(shape, 1, modes, d_.data(), &d[tap]);
  if (still_.empty()) return;
  for (std::size_t k = 0; k < taps(); ++k)
    still_[k * taps() + tap] = still_[tap * taps() + k] = still_receptance(tap, k);
  column_known_[tap] = 1;
}

}  // namespace jawari
