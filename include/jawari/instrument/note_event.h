// SPDX-License-Identifier: MIT
// What an instrument is told while it plays: plain numbers, so that events fit queues between threads.  Channels are
// those of MIDI, 0 to 15; key and note_id select notes, and -1 selects all of them, as in CLAP.
#pragma once
#include <cstdint>
#include <string_view>

namespace jawari {

struct NoteEvent {
  enum Type : std::uint8_t {
    note_on,            ///< value: velocity, 0 to 1
    note_off,           ///< value: speed of the release, 0 to 1
    note_cut,           ///< silenced within 4 ms
    tuning,             ///< of notes: semitones added to the key
    pressure,           ///< of notes, or of a channel with key and note_id -1: 0 to 1
    timbre,             ///< likewise: 0 to 1
    volume,             ///< likewise: factor, 0 to 4
    pan,                ///< likewise: 0 left, 0.5 as built, 1 right
    expression,         ///< likewise: factor, 0 to 1
    vibrato,            ///< likewise: 0 to 1 of half a semitone at 5.5 Hz
    bend,               ///< of a channel: -1 to 1 of its bend range
    bend_range,         ///< of a channel: semitones of a full bend
    pedal,              ///< of a channel: 0 dampers on the strings, 1 lifted
    sostenuto,          ///< of a channel: from 0.5 on, notes held now go on until it is below
    legato,             ///< of a channel: from 0.5 on, a note that overlaps another one takes over its voice
    mpe_zone,           ///< of channel 0 or 15: number of member channels, 0 ends the zone
    reset_controllers,  ///< of a channel
    notes_off,          ///< of a channel: all keys up
    sound_off,          ///< of a channel: all notes are cut
    panic,              ///< everything is cut, controllers and pedals go back
    control,            ///< index: number of the control; value: its value
    modulation,         ///< of a control of notes, or of all with key and note_id -1: added to its value
  };
  static constexpr int types = modulation + 1;
  std::uint32_t frame = 0;  ///< after the start of the call of process()
  Type type = note_on;
  std::int8_t channel = 0;    ///< -1: all
  std::uint16_t index = 0;    ///< of a control
  std::int32_t note_id = -1;  ///< chosen by the host; -1: none, or any
  double key = -1;            ///< 60: middle C; also between semitones
  double value = 0;
};

}  // namespace jawari
