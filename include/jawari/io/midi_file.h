// SPDX-License-Identifier: MIT
// Standard MIDI Files (RP-001): notes, bends, pressure (channel and key), CC74, sustain pedal, tempo.  Formats 0 and 1,
// ticks per quarter or SMPTE frames, running status; system exclusive messages, escapes (0xF7), other meta events and
// unknown chunks are passed over.  Format 2 holds pieces without a common time and is refused.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "jawari/engine/voice_scene.h"
#include "jawari/io/input_file.h"

namespace jawari {

/// By time, in seconds after the tempo map.  Throw InputError with the byte where the file is wrong.
std::vector<ScoreEvent> parse_midi(std::string_view bytes, std::string_view name = "midi");
/// `below`: a folder that the file may not lie outside of; empty: anywhere.
std::vector<ScoreEvent> read_midi(const std::string& path, const std::string& below = {});
std::vector<ScoreEvent> read_midi(const Sources& sources, const std::string& name);  ///< named in a scene

}  // namespace jawari
