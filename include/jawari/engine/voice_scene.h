// SPDX-License-Identifier: MIT
// Scores: what a note means for a scene.  A voice is a string of the scene with everything attached to it (hammer,
// barrier, preparations, pickups); perform() makes one copy per pitch, or a few that are retuned and stolen, and turns
// notes into events.  Plain data; part of scene.h.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "jawari/engine/schema.h"

namespace jawari {

struct Scene;

/// One message of a score, as MIDI has them; keys are note numbers (60: middle C), also between semitones.
struct ScoreEvent {
  enum Kind {
    note_on,
    note_off,
    bend,
    pressure,
    timbre,
    pedal,
    key_pressure,
    sostenuto,
    legato,
    volume,
    pan,
    expression,
    vibrato,
    bend_range,
    mpe_zone,
    notes_off,
    sound_off,
    reset_controllers
  };
  static constexpr std::size_t kinds = reset_controllers + 1;
  double time_s = 0;
  Kind kind = note_on;
  int channel = 0;
  double key = 60;
  double value = 0;  ///< as that of NoteEvent (jawari/instrument/note_event.h)
};

/// A parameter of the voice that follows pressure or timbre: "thread.height_m" from 0 to 1.
struct Follow {
  std::string target = {}, parameter = {};
  double from = 0, to = 0;
};
template <class V, Is<Follow> S>
void visit(V& v, S& s) {
  v.reference({"target", "The name of a contact, barrier or body of the voice.", required_key}, Refers::owner,
              s.target);
  v.text({"parameter", "The name of its parameter that follows.", required_key}, s.parameter);
  v.number({"from", "", "", at_least(-1e25), at_most(1e25), required, "Value of the parameter at 0."}, s.from);
  v.number({"to", "", "", at_least(-1e25), at_most(1e25), required, "Value of the parameter at 1."}, s.to);
}
struct VoiceSpec {
  std::string string = {}, body = {};   ///< what is tuned: a string, or any body
  std::string strike = {}, pluck = {};  ///< its hammer (of a mass: the mass itself), or its plectrum
  double lowest = -1, highest = -1;     ///< keys that it plays; -1: those of range_of()
  std::vector<double> channels = {};    ///< MIDI channels that it plays, 1 to 16; none: all
  bool untuned = false;                 ///< every key plays it as it is built
  double pitch_hz = 0;                  ///< what is heard as its pitch as it is built; 0: its lowest mode
  bool legato = false;                  ///< a note that overlaps another one takes over its voice
  int voices = 0;                       ///< 0: one for every key, or for every pitch of a score
  double soft = 0, loud = 0;  ///< speed of the hammer [m/s] or depth of the plectrum [m] at the softest, loudest key
  double damping_1_s = 25;    ///< once the key is up and the pedal too
  double bend_semitones = 2;  ///< of a full bend
  double tail_s = 2;          ///< after the last note
  double spread = 0;          ///< pickups from left to right over the range of the score: 0 to 1
  double length_exponent = 0, radius_exponent = 0, mass_exponent = 0, stiffness_exponent = 0, decay_exponent = 0;
  std::optional<Follow> pressure = {}, timbre = {};
};
template <class V, Is<VoiceSpec> S>
void visit(V& v, S& s) {
  v.reference({"string", "The name of the string that notes play, with all that is attached to it; or give body."},
              Refers::string, s.string);
  v.reference({"body", "The name of the body that notes play, of any kind, with all that is attached to it."},
              Refers::body, s.body);
  v.reference(
      {"strike", "The name of the hammer that notes throw, or of the body where that is a mass; or give pluck."},
      Refers::body, s.strike);
  v.reference({"pluck", "The name of the plectrum with which notes pluck."}, Refers::plectrum, s.pluck);
  v.integer({"voices", "", "", at_least(1), at_most(256), 0.0,
             "Number of notes that sound at once; by default there is one for every key."},
            s.voices);
  v.pitch({"lowest",
           "The lowest key that it plays; by default \"C2\", with voices an octave below the pitch of the body. Scores "
           "may go beyond."},
          s.lowest);
  v.pitch({"highest",
           "The highest key that it plays; by default \"C7\", with voices an octave above the pitch of the body."},
          s.highest);
  v.list({"channels", "", 1, 16, "MIDI channels that it plays; by default all."}, s.channels);
  v.flag({"untuned", "Every key plays it as it is built: for drums."}, s.untuned);
  v.number({"pitch_hz", "", "Hz", above(0), at_most(1e5), 0.0,
            "What is heard as its pitch as it is built; by default the frequency of its lowest mode."},
           s.pitch_hz);
  v.flag({"legato", "A note that overlaps another one takes over its voice, without a new stroke."}, s.legato);
  v.number({"soft", "", "m/s or m", above(0), at_most(1e3), required,
            "Speed of the hammer or depth of the plectrum of the softest note."},
           s.soft);
  v.number({"loud", "", "m/s or m", above(0), at_most(1e3), required,
            "Speed of the hammer or depth of the plectrum of the loudest note."},
           s.loud);
  v.number({"damping_1_s", "", "1/s", at_least(0), at_most(1e5), 25.0, "Decay added to the string when the key is up."},
           s.damping_1_s);
  v.number({"bend_semitones", "", "", at_least(0), at_most(96), 2.0, "Semitones of a full pitch bend; 48 for MPE."},
           s.bend_semitones);
  v.number({"tail_s", "", "s", at_least(0), at_most(600), 2.0, "How long the scene goes on after the last note."},
           s.tail_s);
  v.number({"spread", "", "", at_least(-1), at_most(1), 0.0,
            "How far pickups are spread in stereo, from left (low notes) to right (high notes)."},
           s.spread);
  v.number({"length_exponent", "", "", at_least(-2), at_most(2), 0.0,
            "How the length of a string follows its pitch: with pitch to this power."},
           s.length_exponent);
  v.number({"radius_exponent", "", "", at_least(-2), at_most(2), 0.0,
            "How the radius of a string follows its pitch: with pitch to this power."},
           s.radius_exponent);
  v.number({"mass_exponent", "", "", at_least(-3), at_most(3), 0.0,
            "How the mass of the hammer follows the pitch: with pitch to this power."},
           s.mass_exponent);
  v.number({"stiffness_exponent", "", "", at_least(-5), at_most(5), 0.0,
            "How the stiffness of the hammer follows the pitch: with pitch to this power."},
           s.stiffness_exponent);
  v.number({"decay_exponent", "", "", at_least(-3), at_most(3), 0.0,
            "How decay times follow the pitch: with pitch to this power."},
           s.decay_exponent);
  v.optional_table({"pressure", "What follows the pressure of a key: { target, parameter, from, to }."}, s.pressure);
  v.optional_table({"timbre", "What follows MIDI controller 74, likewise."}, s.timbre);
}

/// The body that notes play.
inline const std::string& body_of(const VoiceSpec& s) { return s.body.empty() ? s.string : s.body; }

/// A parameter that follows a control.
struct ControlTarget {
  std::string parameter = {};  ///< "bridge.height_m", of every voice that has it; "voice.loud"; "level"
  double from = 0, to = 1;
  double curve = 1;  ///< value = from + (to - from) x^curve, x from 0 to 1; 0: in equal ratios
};
template <class V, Is<ControlTarget> S>
void visit(V& v, S& s) {
  v.text({"parameter",
          "What follows: a parameter such as \"bridge.height_m\", of all voices; \"voice.soft\", \"voice.loud\", "
          "\"voice.damping_1_s\" or \"voice.bend_semitones\"; or \"level\", the factor of the whole.",
          required_key},
         s.parameter);
  v.number({"from", "", "", at_least(-1e25), at_most(1e25), required, "Its value where the control is least."}, s.from);
  v.number({"to", "", "", at_least(-1e25), at_most(1e25), required, "Its value where the control is most."}, s.to);
  v.number({"curve", "", "", at_least(0), at_most(20), 1.0,
            "How it goes from one to the other: with the control to this power; 0: in equal ratios."},
           s.curve);
}
/// What a player turns.
struct ControlSpec {
  std::string name = {}, text = {}, unit = {};
  double least = 0, most = 1, usual = 0.5;
  double glide_s = 0.02;  ///< in which the parameters follow
  std::vector<ControlTarget> targets = {};
};
template <class V, Is<ControlSpec> S>
void visit(V& v, S& s) {
  v.text({"name", "What the control is called.", required_key}, s.name);
  v.text({"text", "What it does, in a sentence."}, s.text);
  v.text({"unit", "The unit of its value."}, s.unit);
  v.number({"least", "", "", at_least(-1e12), at_most(1e12), 0.0, "Its least value."}, s.least);
  v.number({"most", "", "", at_least(-1e12), at_most(1e12), 1.0, "Its largest value."}, s.most);
  v.number({"default", "", "", at_least(-1e12), at_most(1e12), 0.5, "Its value at the start."}, s.usual);
  v.number({"glide_s", "", "s", at_least(0), at_most(10), 0.02, "How long the parameters take to follow."}, s.glide_s);
  v.tables({"targets", "What follows it: [{ parameter, from, to, curve }, ...].", required_key}, s.targets);
}
/// Throws InputError.
void complete(ControlSpec& spec, const Given& given);

/// A note as files say it: two messages of a score.
struct NoteSpec {
  double time_s = 0, duration_s = 1;
  double key = 60;
  double velocity = 0.7;
  double beat = 0, duration_beats = 0;
};
template <class V, Is<NoteSpec> S>
void visit(V& v, S& s) {
  v.number({"time_s", "t", "s", at_least(0), at_most(86400), 0.0, "When the key goes down."}, s.time_s);
  v.number({"beat", "", "", at_least(0), at_most(1e6), 0.0, "The beat at which it goes down; time_s is added."},
           s.beat);
  v.number({"duration_s", "", "s", above(0), at_most(86400), 1.0, "How long the key is down."}, s.duration_s);
  v.number({"duration_beats", "", "", at_least(0), at_most(1e6), 0.0, "The same in beats, in place of duration_s."},
           s.duration_beats);
  v.pitch({"pitch", "The note: \"C4\", \"F#3\", or a MIDI number.", required_key}, s.key);
  v.number({"velocity", "", "", at_least(0), at_most(1), 0.7, "How hard the key is struck."}, s.velocity);
}
/// The score of a scene that is in a file of its own.
struct MidiSpec {
  std::string file = {};
};
template <class V, Is<MidiSpec> S>
void visit(V& v, S& s) {
  v.text({"file", "The path of a Standard MIDI File, relative to the scene.", required_key}, s.file);
}

/// The scene with its voices and events, as long as the score.  Throws InputError.
Scene perform(const Scene& scene, std::vector<ScoreEvent> score);
/// With that voice in place of its own.
Scene perform(const Scene& scene, const VoiceSpec& voice, std::vector<ScoreEvent> score);

double frequency_of_key(double key) noexcept;  ///< equal temperament, A4 = 440 Hz
std::string name_of_key(double key);           ///< "C4", "F#3"
std::optional<double> key_of_name(std::string_view name);

}  // namespace jawari
