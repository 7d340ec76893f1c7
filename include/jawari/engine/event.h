// SPDX-License-Identifier: MIT
// What can be told to a running world, by numbers alone: trivially copyable, so it fits a queue between threads.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "jawari/engine/event_scene.h"

namespace jawari {

struct Event {
  EventType type = EventType::set;
  std::uint32_t target = 0;  ///< index of a body; for set: of a parameter
  double value = 0;          ///< see EventSpec
  double duration_s = 0;
};

}  // namespace jawari
