// SPDX-License-Identifier: MIT
// What a scene may cost to set up.  A scene that would need more is refused before it starts, with the number.
#pragma once

namespace jawari {

struct Limits {
  double memory_MB = 1500;
  double setup_s = 40;       ///< estimated, on one core of a usual machine
  double release_m_s = 1e6;  ///< speed that a contact compressed at the start may give to its bodies
  double stiffness = 1e12;   ///< slope of a contact met at 1 m/s, times time step squared over mass
};

}  // namespace jawari
