// SPDX-License-Identifier: MIT
// A scene once more: at another rate, or with a start that differs by next to nothing.
#pragma once
#include "jawari/engine/scene.h"

namespace jawari {

/// At `times` the rate, 1/2 or a whole number.  Lists with a value per time step follow: a force is held from sample to
/// sample, a position goes straight.
Scene at_rate(const Scene& scene, double times);
void resample_lists(Scene& scene, double times);  ///< for `times` the time steps; 1 changes nothing
/// The same, and numbers of modes, intervals and points of strings that the scene gives grow with the rate.
Scene at_rate_and_bandwidth(const Scene& scene, double times);
/// Numbers of modes that the scene gives for bars, plates and membranes reach up to `times` the frequency: it grows as
/// the square of the number, as the number, as its square root.
Scene with_more_modes(const Scene& scene, double times);
bool gives_modes(const Scene& scene);  ///< for a bar, plate or membrane
/// What a converged run takes: strings in exact modes where these are the same problem (true: they are), barriers,
/// frets and threads without a scheme by two-point.
bool make_exact(Scene& scene);
/// Heights, speeds, depths and forces that set the scene in motion are multiplied by 1 + share.
Scene nudged(const Scene& scene, double share);
/// When something first moves: 0, unless all waits for an event.
double first_motion_s(const Scene& scene);

}  // namespace jawari
