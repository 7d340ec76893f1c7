// SPDX-License-Identifier: MIT
// How far the sound of a scene is from converged: the scene at its own rate, at twice and at half that, compared by
// what is heard (engine/timbre.h).  Numbers of modes and points that the scene gives for strings grow with the rate.
// Bars, plates and membranes with a number of modes are also tried with twice the bandwidth, at twice the rate. With d2
// the distance to twice the rate, dh that of half the rate to the own one, and a ratio r = d2/dh between 1/8 and 1/2,
//   distance to converged  =  d2 (1 + r + r^2 + ...)  =  d2 / (1 - r)     centroid
//                          =  d2                                          levels: they scatter by a dB at any rate
// Two starts that differ by 1e-6 are averaged, and what they differ by (chaos) is taken off d2 and dh in squares.
// Bounded: 0.4 s from the first motion on, less where that is much work; about 11 times the work of that piece (20 with
// more modes).
#pragma once
#include <cstdint>
#include <functional>

#include "jawari/engine/monitor.h"
#include "jawari/engine/scene.h"
#include "jawari/engine/timbre.h"

namespace jawari {

struct Convergence {
  static constexpr double most_s = 0.4;
  double step_rate_hz = 0, oversample = 1;  ///< of the scene; step rate: oversample times rate_hz
  double from_s = 0, to_s = 0;              ///< what was tried of the scene
  TimbreDistance finer;                     ///< of the scene to itself at twice the rate, without chaos
  TimbreDistance coarser;   ///< of half the rate to the scene, without chaos; not known: refused at half
  TimbreDistance wider;     ///< at twice the rate: of the scene's modes to twice their bandwidth; not known: none given
  TimbreDistance left;      ///< estimate: of the scene to the converged sound
  double times_wanted = 1;  ///< of the rate, for `left` to be good: 1, 2, 4 or 8
  bool stopped = false;     ///< by `go_on`
  bool known() const noexcept { return left.known(); }
  bool wide() const noexcept { return !wider.known() || wider.good(); }  ///< enough modes, as far as known
  bool good() const noexcept { return left.good() && wide(); }
};

/// `go_on` is asked during the runs with the share of the work done; false ends early.  Throws InputError.
Convergence converge(const Scene& scene, const std::function<bool(double)>& go_on = {});

/// In one sentence: how far from converged, and what to change.  A note if it is good, otherwise a warning.
Verdict say(const Convergence& convergence);

}  // namespace jawari
