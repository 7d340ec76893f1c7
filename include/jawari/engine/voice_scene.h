// SPDX-License-Identifier: MIT
// Scores: what a note means for a scene.  A voice is a string of the scene with everything attached to it (hammer,
// barrier, preparations, pickups); perform() makes one copy per pitch, or a few that are retuned and stolen, and turns
// notes into events.  Plain data; part of scene.h.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace jawari {

struct Scene;

/// One message of a score, as MIDI has them; keys are note numbers (60: middle C), also between semitones.
struct ScoreEvent {
  enum Kind { note_on, note_off, bend, pressure, timbre, pedal };
  double time_s = 0;
  Kind kind = note_on;
  int channel = 0;
  double key = 60;
  double value = 0;  ///< speed of the key, pressure, timbre, pedal: 0 to 1; bend: -1 to 1
};

/// A parameter of the voice that follows pressure or timbre: "thread.height_m" from 0 to 1.
struct Follow {
  std::string target = {}, parameter = {};
  double from = 0, to = 0;
};
struct VoiceSpec {
  std::string string = {};              ///< what is tuned
  std::string strike = {}, pluck = {};  ///< its hammer, or its plectrum
  double voices = 0;                    ///< 0: a string for every pitch of the score
  double soft = 0, loud = 0;  ///< speed of the hammer [m/s] or depth of the plectrum [m] at the softest, loudest key
  double damping_1_s = 25;    ///< once the key is up and the pedal too
  double bend_semitones = 2;  ///< of a full bend
  double tail_s = 2;          ///< after the last note
  double spread = 0;          ///< pickups from left to right over the range of the score: 0 to 1
  double length_exponent = 0, radius_exponent = 0, mass_exponent = 0, stiffness_exponent = 0, decay_exponent = 0;
  std::optional<Follow> pressure = {}, timbre = {};
};

/// The scene with its voices and events, as long as the score.  Throws InputError.
Scene perform(const Scene& scene, const VoiceSpec& voice, std::vector<ScoreEvent> score);

double frequency_of_key(double key) noexcept;  ///< equal temperament, A4 = 440 Hz
std::string name_of_key(double key);           ///< "C4", "F#3"
std::optional<double> key_of_name(std::string_view name);

}  // namespace jawari
