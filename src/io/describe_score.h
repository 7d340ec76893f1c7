// SPDX-License-Identifier: MIT
// What [voice], [[note]] and [midi] hold; see describe.h.  Notes and MIDI files are events once a scene is read, so a
// writer of scenes meets the voice alone.
#pragma once
#include "describe.h"

namespace jawari {

inline constexpr Param follow_from{"from", "", "", at_least(-1e25), at_most(1e25), required, "value at 0"};
inline constexpr Param follow_to{"to", "", "", at_least(-1e25), at_most(1e25), required, "value at 1"};

template <class V>
void describe(V& v, const Follow& s) {
  v.text("target", s.target, "the name of a contact, barrier or body", required_key);
  v.text("parameter", s.parameter, "what of it changes", required_key);
  v.number(follow_from, s.from);
  v.number(follow_to, s.to);
}
template <class V>
void describe(V& v, const VoiceSpec& s) {
  v.text("string", s.string, "the string that notes play", required_key);
  v.text("strike", s.strike, "its hammer; or pluck");
  v.text("pluck", s.pluck, "its plectrum");
  v.template numbers<VoiceSpec>(voice_fields, s);
  if (s.pressure || v.lists())
    v.table("pressure", s.pressure.value_or(Follow{}),
            "{ target, parameter, from, to }: what follows the pressure of a key");
  if (s.timbre || v.lists()) v.table("timbre", s.timbre.value_or(Follow{}), "the same for controller 74");
}

/// A note as a file says it; the reader makes two events of it.
struct NoteKeys {};
template <class V>
void describe(V& v, const NoteKeys&) {
  v.number({"time_s", "t", "s", at_least(0), at_most(86400), 0.0, "when"}, 0);
  v.number({"duration_s", "", "s", above(0), at_most(86400), 1.0, "how long the key is down"}, 0);
  v.text("pitch", {}, "\"C4\", \"F#3\", or a MIDI number", required_key);
  v.number({"velocity", "", "", at_least(0), at_most(1), 0.7, "how hard"}, 0);
}
struct MidiKeys {};
template <class V>
void describe(V& v, const MidiKeys&) {
  v.text("file", {}, "a Standard MIDI File, relative to the scene", required_key);
}

}  // namespace jawari
