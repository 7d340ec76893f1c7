// SPDX-License-Identifier: MIT
// (K9) Springs alone: f = f_0 + b (s - s_free) with f_0 = f(s_free) and s = s_free + Q f, so with D = |b|^1/2
//   f = D (I + D Q D)^-1 D^-1 f_0
// The matrix stays until Q or a spring changes.
#include <algorithm>

#include "jawari/couple/connection.h"
#include "jawari/couple/dense.h"
#include "jawari/couple/island.h"

namespace jawari {

void Island::keep_springs() {
  while (springs_ < lines_.size() && dynamic_cast<const SpringLine*>(lines_[springs_])) ++springs_;
  if (springs_ > 0 && (!dense_ || !dense_->keep_inverse())) springs_ = 0;
}

bool Island::springs_alone() const noexcept {
  if (springs_ == 0) return false;
  for (std::size_t i = springs_; i < lines_.size(); ++i)
    if (!lines_[i]->taking_part.empty()) return false;
  return true;
}

bool Island::solve_springs(Outcome& out) noexcept {
  free_steps();
  compliance_.start(s_);
  ask();
  if (!std::all_of(b_.begin(), b_.end(), [](double b) { return b < 0; })) return false;
  if (!dense_->solve_linear(f_, b_, s_)) return false;
  compliance_.forces(phi_);
  ++out.passes;
  out.settled = finite();
  if (!out.settled) free_steps();  // reported, and not handed on
  return true;
}

}  // namespace jawari
