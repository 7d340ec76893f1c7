// SPDX-License-Identifier: MIT
// A control of an instrument, as front ends show it: [[control]] of a scene, engine/voice_scene.h.
#pragma once
#include <string>

namespace jawari {

struct ControlInfo {
  std::string name, text, unit;
  double least = 0, most = 1, usual = 0;
};

}  // namespace jawari
