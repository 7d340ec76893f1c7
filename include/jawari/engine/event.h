// SPDX-License-Identifier: MIT
// What can be told to a running world, by numbers alone: trivially copyable, so it fits a queue between threads.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "jawari/engine/gesture_scene.h"

namespace jawari {

struct Event {
  EventType type = EventType::set;
  std::uint32_t target = 0;  ///< index of a body; for set: of a parameter
  double value = 0;          ///< see EventSpec
  double duration_s = 0;
};

/// A number that may change while a world runs, by `set` (and retune, damp).
struct Knob {
  std::string name;  ///< "string.frequency_hz", "bridge.stiffness"
  std::string_view unit, text;
  double least = 0, most = 0, value = 0;
};

}  // namespace jawari
