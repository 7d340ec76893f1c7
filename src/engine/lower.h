// SPDX-License-Identifier: MIT
// Gestures and preparations spelled out: hammers become masses with a contact, fingers hands with a contact, frets and
// threads barriers of one point, snares strings along a membrane.
#pragma once
#include "jawari/engine/scene.h"

namespace jawari {

/// Who a hammer, plectrum or finger is at home with: the body's name, the contact's name, which way it presses.
struct GestureTarget {
  std::string body, contact;
  double toward = 1, away_m = 0;
  bool waits = false;  ///< a hammer that is not thrown at the start: gravity acts on it from its first strike on
};
struct Lowered {
  Scene scene;
  std::vector<GestureTarget> targets;
};
Lowered lower_scene(const Scene& scene);  ///< throws InputError naming the field of the gesture

}  // namespace jawari
