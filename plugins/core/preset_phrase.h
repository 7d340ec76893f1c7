// SPDX-License-Identifier: MIT
// What presets are measured with: twelve notes over the middle 70 % of their keys, 0.25 s apart and 0.4 s long, in an
// order and with velocities (0.45 to 0.85) that jump; four seconds in blocks of 64 frames.  Levels, loads and tests
// speak of this phrase.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "jawari/instrument.h"

namespace jawari::plugin {

constexpr double preset_level_LUFS = -23;  // EBU R 128

struct PhraseSound {
  std::vector<std::vector<double>> channels;  // of 4 s
};
/// The frames of events count from the start.
std::vector<NoteEvent> phrase(const Instrument& instrument);
/// Three keys of the middle, at once, from the first frame.
std::vector<NoteEvent> chord(const Instrument& instrument, double velocity);
/// `around` calls what it is given, once per block: to measure.
PhraseSound play_phrase(Instrument& instrument, const std::function<void(const std::function<void()>&)>& around = {});

}  // namespace jawari::plugin
