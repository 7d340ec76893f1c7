// SPDX-License-Identifier: MIT
// How much one time step of a scene computes, from its nodes, modes and contact points: for bounds on long work.
#pragma once
#include "lower.h"

namespace jawari {

/// Numbers touched per time step, roughly: nodes of grids, modes times the points that are read and pushed, and the
/// dense systems of contact points on bodies made of modes.  Throws InputError where a string cannot be built.
double step_work(const LoweredScene& lowered);

}  // namespace jawari
