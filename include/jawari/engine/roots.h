// SPDX-License-Identifier: MIT
// D17's check of the time step: whether the Taylor schemes of a scene have real roots (impact/real_roots.h).
#pragma once
#include <string>
#include <vector>

#include "jawari/engine/scene.h"
#include "jawari/engine/system.h"

namespace jawari {

struct RootCheck {
  std::string contact;
  std::string sentence;
  double share = 0;   ///< of the phases of entry, with a complex root
  bool ends = false;  ///< the scheme does not raise s: the run would end there
};
/// One per contact of masses with a scheme "taylor", "taylor-strict" or "taylor-star", in their order, at the speed of
/// all the energy that the scene starts with.  `system`: the scene compiled, before its first step.
std::vector<RootCheck> check_roots(const Scene& scene, const System& system);

}  // namespace jawari
