// SPDX-License-Identifier: MIT
// What is legal in a scene, but surely not meant: a barrier that nothing can reach, a pluck as wide as the string is
// long, a voice that no note plays.
#pragma once
#include <string>
#include <vector>

#include "jawari/engine/scene.h"
#include "jawari/engine/system.h"

namespace jawari {

/// One sentence each.  `system`: the scene compiled, before its first step.
std::vector<std::string> doubts(const Scene& scene, const System& system);

}  // namespace jawari
