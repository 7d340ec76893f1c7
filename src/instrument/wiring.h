// SPDX-License-Identifier: MIT
// Where the voices of an instrument are in its model: what is struck, tuned and damped, what follows pressure and
// timbre, what is heard of each.  Found once, by name.
#pragma once
#include <cstdint>
#include <vector>

#include "jawari/engine/model.h"
#include "jawari/instrument/voices.h"

namespace jawari {

struct VoiceWiring {
  struct Gain {
    std::size_t parameter, pickup;
    double built, pan;
  };
  std::size_t set = 0;
  double key = -1;                               ///< -1: any
  std::size_t tune = no_index, damp = no_index;  ///< parameters
  bool factor = false;                           ///< tune is a factor of pitch_hz
  double pitch_hz = 0;                           ///< while it is tuned as it is built
  double mode_ratio = 1;                         ///< a frequency is that of the lowest mode
  EventType stroke = EventType::strike;
  std::uint32_t struck = 0;  ///< body
  std::size_t pressure = no_index, timbre = no_index;
  std::vector<Gain> gains;
  std::vector<std::size_t> accounts;
};
struct SetWiring {
  VoiceSpec spec;
  std::size_t first = 0, last = 0;  ///< its voices
  bool per_key = false;
  unsigned channels = 0;  ///< a bit for each
  bool takes(int channel, double key) const noexcept {
    return (channels >> channel & 1) != 0 && key > spec.lowest - 0.5 && key < spec.highest + 0.5;
  }
};
struct Wiring {
  std::vector<VoiceWiring> voices;
  std::vector<SetWiring> sets;
};

Wiring find_wiring(const Model& model, const VoicedScene& voiced);  ///< throws InputError

}  // namespace jawari
