// SPDX-License-Identifier: MIT
// What a page changes of a scene before it opens it: nothing happens by itself, and strings begin as a hand holds them.
#pragma once
#include <cstddef>
#include <cstdint>

#include "jawari/engine/scene.h"

/// How a string begins: pulled up in one place (count 0), or with displacements and velocities at `count` places that
/// divide it evenly; v_m_s may be null.
struct jawari_web_start {
  const char* string;
  std::uint32_t count;
  const double* u_m;
  const double* v_m_s;
  double position_m, height_m;
};

namespace jawari::web {

/// No events but what is set at the beginning, no patterns, no breakpoints; strings and hammers begin at rest.  What
/// these would have moved may still be moved.  Throws InputError.
void without_events(Scene& scene);
/// A string that the scene has no more is passed over; one that is to be pulled must be there, or InputError is thrown.
void begin(Scene& scene, const jawari_web_start& start);

}  // namespace jawari::web
