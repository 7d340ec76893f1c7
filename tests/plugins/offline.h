// SPDX-License-Identifier: MIT
// Notes for plug-ins, and what a score of them gives offline, as `jawari render --midi --gain 1 --quality draft`
// computes it.  Hosts of tests/hosts/hosts.py play the same keys, at frames of their own.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "jawari/engine/engine.h"
#include "jawari/engine/quality.h"
#include "jawari/io/midi_file.h"
#include "jawari/io/scene_file.h"
#include "plugins/core/plugin_core.h"

namespace jawari::test {

struct ScoreNote {
  std::uint32_t frame;
  std::uint8_t key, velocity;  ///< velocity 0: up
};
/// They begin and end at any frames: hosts of the tests take time exactly.  `lower`: semitones, for presets of low
/// keys.
inline std::vector<ScoreNote> score_notes(int lower = 0) {
  std::vector<ScoreNote> notes{{640, 49, 90},  {6433, 56, 64}, {10880, 49, 0},  {13121, 61, 127},
                               {19200, 56, 0}, {26880, 61, 0}, {27583, 52, 40}, {38400, 52, 0}};
  for (ScoreNote& n : notes) n.key = static_cast<std::uint8_t>(n.key - lower);
  return notes;
}
constexpr std::size_t score_frames = 48000;

/// As a MIDI file: a tick per frame, 48,000 in a second.
inline std::string score_file(int lower) {
  const auto variable = [](std::uint32_t n) {
    std::string out(1, static_cast<char>(n & 127));
    while (n >>= 7) out.insert(out.begin(), static_cast<char>((n & 127) | 128));
    return out;
  };
  const auto number = [](std::uint32_t n, int bytes) {
    std::string out;
    while (bytes-- > 0) out += static_cast<char>(n >> (8 * bytes) & 255);
    return out;
  };
  std::string track = number(0x00ff5103, 4) + number(500000, 3);  // half a second per beat
  std::uint32_t at = 0;
  for (const ScoreNote& n : score_notes(lower)) {
    track += variable(n.frame - at);
    track += {static_cast<char>(n.velocity ? 0x90 : 0x80), static_cast<char>(n.key),
              static_cast<char>(n.velocity ? n.velocity : 64)};
    at = n.frame;
  }
  track += number(0x00ff2f00, 4);
  return "MThd" + number(6, 4) + number(0, 2) + number(1, 2) + number(24000, 2) + "MTrk" +
         number(static_cast<std::uint32_t>(track.size()), 4) + track;
}

/// Both channels.
inline std::vector<std::vector<float>> rendered_offline(std::size_t preset, int lower = 0) {
  Scene scene = perform(parse_scene(plugin::presets()[preset].text, "preset").scene, parse_midi(score_file(lower)));
  use_quality(scene, Quality::draft);
  Engine engine(scene, {2, 1, Kernels::exact});
  std::vector<std::vector<float>> sound(2, std::vector<float>(score_frames));
  for (std::size_t at = 0; at < score_frames; at += 480) {
    float* out[] = {&sound[0][at], &sound[1][at]};
    engine.process(out, 480);
  }
  return sound;
}

}  // namespace jawari::test
