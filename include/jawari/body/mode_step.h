// SPDX-License-Identifier: MIT
// The step of one mode (M1), in the parts in which a step is found, its energy and its losses (M2): on any number type.
//   change = C f - D u - (1 - E) d,   s = 2 d + change,   d+ = d + change,   u+ = u + d+
// A contact force found later adds C f to the change: mode_pushed.  mode_increment is the same with d+ itself summed
// up, for fused multiply-add.
#pragma once
#include "jawari/core/number.h"

namespace jawari {

/// Which terms of (M1) a mode has.  A term that is zero may be kept: adding it changes no number.
struct ModeTerms {
  bool loss = true, force = true, contact = true;
};

/// Of the increment d, by the mode itself and the forces that are known.  lag = 1 - E.
template <ModeTerms terms = ModeTerms{}, class P, class T>
JAWARI_HD inline T mode_change(const P& lag, const P& D, const P& C, const T& u, const T& d, const T& f) noexcept {
  T change(0);
  if constexpr (terms.force) change = C * f;
  change = change - D * u;
  if constexpr (terms.loss) change = change - lag * d;
  return change;
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
/// d+, where products fuse with the sum: known force f, contact force found later.
template <ModeTerms terms = ModeTerms{}, class P, class T>
JAWARI_HD inline T mode_increment(const P& lag, const P& D, const P& C, const T& u, const T& d, const T& f,
                                  const T& contact) noexcept {
  T next = d - D * u;
  if constexpr (terms.loss) next = next - lag * d;
  if constexpr (terms.force) next = next + C * f;
  if constexpr (terms.contact) next = next + C * contact;
  return next;
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

/// (M2) [J]
template <class P, class T>
JAWARI_HD inline auto mode_kinetic(const P& kinetic, const T& d) noexcept {
  return T(kinetic * d) * d;
}
template <class P, class T>
JAWARI_HD inline auto mode_elastic(const P& elastic, const T& u, const T& d) noexcept {
  const T mean = u - d / 2;
  return T(elastic * mean) * mean;
}
/// Twice the work of a force in a step of double step s.
template <class P, class T>
JAWARI_HD inline auto mode_work(const P& force, const T& s) noexcept {
  return force * s;
}
/// Lost in a step of double step s.
template <class P, class T>
JAWARI_HD inline auto mode_loss(const P& loss, const T& s) noexcept {
  return T(loss * s) * s;
}

}  // namespace jawari
