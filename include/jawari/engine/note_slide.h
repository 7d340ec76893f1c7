// SPDX-License-Identifier: MIT
// The way of a finger that slides along the string with every note.
#pragma once
#include <string>
#include <vector>

#include "jawari/engine/gesture_scene.h"

namespace jawari {

struct NoteSlide {
  std::string finger;
  double toward = 1;            ///< -1: from above
  std::vector<PathPoint> path;  ///< times count from the start of the note
};

}  // namespace jawari
