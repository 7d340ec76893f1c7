// SPDX-License-Identifier: MIT
// Forces on bodies: constant, sine, pulse, given samples, sound that comes in.  Plain data; part of scene.h.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jawari/engine/body_scene.h"
#include "jawari/engine/schema.h"

namespace jawari {

enum class SignalType { constant, sine, pulse, samples, input };
inline constexpr std::string_view signal_names[] = {"constant", "sine", "pulse", "file", "input"};
struct ExcitationSpec {
  std::string body = {};
  double position_m = 0;  ///< on a string or bar
  std::optional<Location> at = {};
  SignalType type = SignalType::constant;
  double amplitude_N = 0, frequency_hz = 0, start_s = 0, duration_s = 0;  ///< duration 0: until the end
  /// Type samples: one value per time step, from start_s on.  Type input: what comes in from the start of the scene on,
  /// in place of what the engine is given; set by set_input() (engine/sound_input.h).
  std::vector<double> samples_N = {};
  int channel = 1;  ///< type input: of the sound that comes in
};
template <class V, Is<ExcitationSpec> S>
void visit(V& v, S& s) {
  v.reference({"body", "The name of the body that the force pushes.", required_key}, Refers::body, s.body);
  v.word({"type", signal_names, "constant", "How the force goes over time."}, s.type);
  v.along({"position_m", "x", "m", at_least(0), at_most(1e6), 0.0, "Where along a string or bar the force acts."},
          s.position_m, s.body);
  double amplitude_N = s.type == SignalType::samples ? 1 : s.amplitude_N;  // samples are multiplied already
  v.number(
      {"amplitude_N", "F", "N", at_least(-1e12), at_most(1e12), 1.0,
       "The force, or the peak of a sine or pulse; factor of the values of a file; for \"input\" the force of full "
       "scale."},
      amplitude_N);
  if constexpr (V::reads) s.amplitude_N = amplitude_N;
  v.number({"frequency_hz", "f", "Hz", at_least(0), at_most(1e8), 0.0, "Frequency of a sine."}, s.frequency_hz);
  v.number({"start_s", "", "s", at_least(0), at_most(86400), 0.0, "When the force begins."}, s.start_s);
  v.number({"duration_s", "", "s", at_least(0), at_most(86400), 0.0, "How long the force acts; 0: until the end."},
           s.duration_s);
  v.integer(
      {"channel", "", "", at_least(1), at_most(2), 1.0, "For type \"input\": the channel of the sound that comes in."},
      s.channel);
  v.location(location_key, s.at, s.body);
  v.samples(
      {"samples_N", "N", -1e12, 1e12, "For type \"file\" without a file: one value per time step, times amplitude_N."},
      {"file", "For type \"file\": one value per line, or a sound file at the rate of the time steps."}, s.samples_N);
}
/// Multiplies the samples by the amplitude, which is 1 then.  Throws InputError.
void complete(ExcitationSpec& spec, const Given& given);

}  // namespace jawari
