// SPDX-License-Identifier: MIT
// The step of one mode (M1), in the parts in which a step is found: on any number type.
//   change = C f - D u - (1 - E) d,   s = 2 d + change,   d+ = d + change,   u+ = u + d+
// A contact force found later adds C f to the change: mode_pushed.  src/body/modal_lanes.cpp has the same on vectors,
// with the same bits (tests/unit/dual_string.cpp), written by hand: through a vector as a number its loops take three
// times as long.
#pragma once
#include "jawari/core/number.h"

namespace jawari {

/// Of the increment d, by the mode itself and the forces that are known.  lag = 1 - E.
template <class P, class T>
JAWARI_HD inline T mode_change(const P& lag, const P& D, const P& C, const T& u, const T& d, const T& f) noexcept {
  return C * f - D * u - lag * d;
}
template <class P, class T>
JAWARI_HD inline T mode_pushed(const P& C, const T& change, const T& f) noexcept {
  return change + f * C;
}
/// u^{n+1} - u^{n-1}
template <class T>
JAWARI_HD inline T mode_double_step(const T& d, const T& change) noexcept {
  return d + d + change;
}
template <class T>
JAWARI_HD inline void mode_move(const T& change, T& u, T& d) noexcept {
  d = d + change;
  u = u + d;
}
/// All of a step, where every force is known.
template <class P, class T>
JAWARI_HD inline void mode_step(const P& lag, const P& D, const P& C, const T& f, T& u, T& d) noexcept {
  mode_move(T(mode_change(lag, D, C, u, d, f)), u, d);
}

}  // namespace jawari
