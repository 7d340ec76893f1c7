// SPDX-License-Identifier: MIT
// Standard MIDI Files, through libsmf: notes, bends, pressure (channel and key), CC74, sustain pedal.
#pragma once
#include <string>
#include <vector>

#include "jawari/engine/voice_scene.h"

namespace jawari {

/// By time, in seconds after the tempo map.  Throws Refusal: no MIDI file, broken, empty.
std::vector<ScoreEvent> read_midi(const std::string& path);

}  // namespace jawari
