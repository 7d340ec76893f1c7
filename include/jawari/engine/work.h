// SPDX-License-Identifier: MIT
// What a run costs, before it begins: the memory of its sound, and the time of a step where many contact points are
// one another.  Set-up has a budget of its own (Limits).
#pragma once
#include "jawari/engine/scene.h"
#include "jawari/engine/system.h"

namespace jawari {

/// Throws InputError naming duration_s if the sound of all pickups would not fit into the memory limit of the scene.
void check_length(const Scene& scene, const System& system);

/// Contact points that are coupled within a step, at most: they are solved with a dense matrix.
double dense_points(const Scene& scene);
/// CPU time of a step in which all of them touch, at most; most steps take far less.
double dense_step_s(double points);
/// A run that may take longer because of them is announced by doubts() [s].
inline constexpr double announced_s = 20;

}  // namespace jawari
