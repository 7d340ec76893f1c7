// SPDX-License-Identifier: MIT
// One voice of an instrument: the note that it plays, and what the engine was told of it.
#pragma once
#include <array>
#include <cstdint>

#include "jawari/instrument/note_event.h"
#include "midi_channels.h"
#include "voice_output.h"
#include "wiring.h"

namespace jawari {

/// What of a voice the engine has to be told.
enum VoiceChange : unsigned {
  pitch_change = 1,
  damping_change = 2,
  follow_change = 4,
  gain_change = 8,
  place_change = 16,
  stroke_change = 32
};

/// What is cut fades by 60 dB within 4 ms.
constexpr double fade_decay_1_s = 1727;

struct Voice {
  double key = -1, velocity = 0, release = 0.5;
  double semitones = 0, pressure = 0, timbre = 0, volume = 1, pan = 0.5, expression = 1, vibrato = 0;
  int channel = 0;
  std::int32_t note_id = -1;
  bool open = false;                                           // its end has not been told
  bool used = false, down = false, held = false, cut = false;  // held: by the middle pedal
  std::int64_t since = 0;                                      // of the last change
  std::int64_t began = 0;
  std::int64_t starts = -1;  // when it has faded and the note begins; -1: it has begun
  unsigned changed = 0;
  double glide_s = 0;                                   // of the pitch
  double hz = 0, damping_1_s = 0, gain = 1, moved = 0;  // as the engine was told
  std::array<double, 2> followed = {};                  // likewise: what follows pressure, timbre

  /// An event for notes is one for its note.
  bool plays(const NoteEvent& e) const noexcept {
    if (!used) return false;
    if (e.note_id >= 0 && note_id >= 0) return e.note_id == note_id;
    return (e.channel < 0 || e.channel == channel) && (e.key < 0 || e.key == key);
  }
};

/// A note that is neither held nor on the pedal keeps the pitch it was left with.
inline bool follows_channel(const Voice& v, const MidiChannels& channels) noexcept {
  return !v.cut && (v.down || v.held || channels.damping(v.channel) < 1);
}

/// What a voice holds; 0: it has ended.
inline double energy_J(const VoiceWiring& voice, VoiceOutput& output) noexcept {
  constexpr double silent_J = 1e-20;  // a group that sleeps keeps less than this in what springs hold
  double sum = 0;
  for (const auto a : voice.accounts) sum += output.stored_J(a);
  return sum > silent_J ? sum : 0;
}

}  // namespace jawari
