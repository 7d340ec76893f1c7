// SPDX-License-Identifier: MIT
// What all couplings ask of one contact point, on any number type: whether it may touch in this step, and what its
// statistics are made of.
#pragma once
#include "jawari/core/number.h"
#include "jawari/core/port.h"

namespace jawari {

/// Whether a point touches now, did a step ago, or will if no contact pushes.  Schemes that store something take part
/// anyway.
template <class Law, class T>
JAWARI_HD inline auto may_touch(const Law& law, const PortOf<T>& p) noexcept {
  const T before = p.y - p.d;
  return law.touches(p.y) || law.touches(before) || law.touches(before + p.s_free);
}

/// The same for laws that push where y > 0, as a number: above 0 where the point may touch.
template <class T>
JAWARI_HD inline T largest_depth(const T& y, const T& d, const T& s_free) noexcept {
  const T before = y - d;
  return max_fast(max_fast(y, before), before + s_free);
}

/// Compressions of a step: at its middle, at its end, and half a step after its middle [m].
template <class T>
struct StepDepths {
  T now, next, half;
};
template <class T>
JAWARI_HD inline StepDepths<T> step_depths(const PortOf<T>& p, const T& s) noexcept {
  const T next = p.y - p.d + s;
  return {p.y, next, p.y + (next - p.y) / 2};
}

}  // namespace jawari
