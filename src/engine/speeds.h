// SPDX-License-Identifier: MIT
// Forces that are out of all proportion to the body they act on.  Such scenes are legal field by field, but their numbers leave
// no digits for the contacts.
#pragma once
#include "jawari/engine/world.h"

namespace jawari {

/// Throws Refusal: an excitation that pushes its point at more than 1e5 m/s within one time step.  Wood and metal carry waves
/// of at most 2e4 m/s.
void check_speeds(const Scene& scene, const World::Parts& parts);

}  // namespace jawari
