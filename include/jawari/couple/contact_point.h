// SPDX-License-Identifier: MIT
// What all couplings ask of one contact point, on any number type: whether it may touch in this step, and what its
// statistics are made of.
#pragma once
#include "jawari/core/number.h"
#include "jawari/core/port.h"

namespace jawari {

/// Where a point is now, was a step ago, and will be if no contact pushes [m].
template <class T>
struct FreePlaces {
  T now, before, after;
  JAWARI_HD FreePlaces(const T& y, const T& d, const T& s_free) noexcept
      : now(y), before(y - d), after(before + s_free) {}
};
/// Whether a point touches in one of these places.  Schemes that store something take part anyway.
template <class Law, class T>
JAWARI_HD inline auto may_touch(const Law& law, const PortOf<T>& p) noexcept {
  const FreePlaces<T> at(p.y, p.d, p.s_free);
  return law.touches(at.now) || law.touches(at.before) || law.touches(at.after);
}
/// The same for laws that push where y > 0, as a number: above 0 where the point may touch.
template <class T>
JAWARI_HD inline T largest_depth(const T& y, const T& d, const T& s_free) noexcept {
  const FreePlaces<T> at(y, d, s_free);
  return max_fast(max_fast(at.now, at.before), at.after);
}

/// Extremes of the steps of a contact: compressions at samples and between them [m], forces [N].  A number that is NaN
/// changes none.
template <class T>
struct ContactExtremes {
  T deepest, deepest_half, strongest;
  JAWARI_HD void step(const T& depth, const T& half, const T& force) noexcept {
    deepest = max_fast(depth, deepest);
    deepest_half = max_fast(half, deepest_half);
    strongest = max_fast(T(abs(force)), strongest);
  }
};
/// Steps with a force, and contacts that have ended: of a step that touches or not, after one that did or not.
template <class Count>
JAWARI_HD inline void count_step(bool touches, bool did, Count& touching_steps, Count& ended) noexcept {
  if (touches)
    touching_steps += 1;
  else if (did)
    ended += 1;
}
/// A contact that has lasted so many samples ends.
template <class Samples>
JAWARI_HD inline void count_ended(const Samples& samples, Samples& shortest, Samples& longest) noexcept {
  if (samples < shortest) shortest = samples;
  if (samples > longest) longest = samples;
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
