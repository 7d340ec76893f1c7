// SPDX-License-Identifier: MIT
// Where the voices of an instrument are in its model: what is struck, tuned and damped, what follows pressure and
// timbre, what is heard of each.  Found once, by name.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "jawari/engine/model.h"
#include "jawari/instrument/voices.h"

namespace jawari {

/// What a finger does, so long after the start of a note.
struct SlideStep {
  double after_s = 0;
  Event event;
};
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
  struct Followed {
    std::size_t parameter = no_index;
    double factor = 1;  ///< built_factor()
  };
  std::array<Followed, 2> follows;  ///< pressure, timbre
  std::vector<Gain> gains;
  std::vector<std::size_t> accounts;
  std::vector<SlideStep> slides;  ///< by time
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

/// What a voice was built with over what the scene says: the stiffness of hammers and positions along the body follow
/// the pitch of its key.
double built_factor(const Model& model, std::size_t parameter, const VoiceParts& parts) noexcept;
/// Within what a parameter may be, but for rounding.
bool may_be(const Parameter& parameter, double value) noexcept;
Wiring find_wiring(const Model& model, const VoicedScene& voiced);  ///< throws InputError

}  // namespace jawari
