// SPDX-License-Identifier: MIT
// What a scene may cost to set up.  A scene that would need more is refused before it starts, with the number.
#pragma once

namespace jawari {

struct Limits {
  double memory_MB = 1500;
  double setup_s = 40;   ///< estimated, on one core of a usual machine
};

}  // namespace jawari
