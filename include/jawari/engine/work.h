// SPDX-License-Identifier: MIT
// What a run costs, before it begins: the memory of its sound, and the time of a step where many contact points feel
// one another.  Set-up has a budget of its own (Limits).
#pragma once
#include "jawari/engine/scene.h"
#include "jawari/engine/system.h"

namespace jawari {

/// Throws Refusal naming duration_s if the sound of all pickups would not fit into the memory limit of the scene.
void check_length(const Scene& scene, const System& system);

/// Points of contact that feel one another within a step, at most: they are solved with a dense matrix.
double dense_points(const Scene& scene);
/// CPU time of a step in which all of them touch, by an estimate good to a factor of three or so.
double dense_step_s(double points);

}  // namespace jawari
