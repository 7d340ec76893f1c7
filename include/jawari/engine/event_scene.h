// SPDX-License-Identifier: MIT
// What a scene says about what happens when.
#pragma once
#include <string>
#include <string_view>

#include "jawari/engine/schema.h"

namespace jawari {

/// What happens when.
enum class EventType : unsigned char { strike, pluck, press, release, damp, move, retune, set };
inline constexpr std::string_view event_names[] = {"strike", "pluck", "press",  "release",
                                                   "damp",   "move",  "retune", "set"};
/// What the value of an event is, by kind: its key in files, unit and range.  release takes none: its name is empty.
inline constexpr Param event_values[] = {
    {"velocity_m_s", "v", "m/s", above(0), at_most(1e4), required,
     "strike: speed with which it is thrown at its target."},
    {"depth_m", "", "m", above(0), at_most(1), required, "pluck, press: how far it goes beyond the body at rest."},
    {"depth_m", "", "m", above(0), at_most(1), required, "pluck, press: how far it goes beyond the body at rest."},
    {"", "", "", at_least(0), at_most(0), 0.0, ""},
    {"damping_1_s", "", "1/s", at_least(0), at_most(1e5), required, "damp: decay added to every mode."},
    {"height_m", "", "m", at_least(-1e3), at_most(1e3), required, "move: the height to which it goes."},
    {"frequency_hz", "", "Hz", at_least(1e-6), at_most(1e6), required,
     "retune: lowest frequency of a string; of another body the factor of all its frequencies."},
    {"value", "", "", at_least(-1e25), at_most(1e25), required, "set: the new value of the parameter."}};
constexpr const Param& event_value(EventType type) { return event_values[static_cast<std::size_t>(type)]; }
struct EventSpec {
  double time_s = 0;
  EventType type = EventType::strike;
  std::string target = {};     ///< a body; for set: the thing that owns the parameter
  std::string parameter = {};  ///< set only
  double value = 0;  ///< strike: speed; pluck, press: depth; move: height; retune: Hz; damp: added decay; set: value
  double duration_s = 0;  ///< of the movement or change
  double beat = 0;        ///< of the scene's tempo; time_s is added
  std::string from = {};  ///< the part that stands for it: "pattern[0]"; empty: itself
};
template <class V, Is<EventSpec> S>
void visit(V& v, S& s) {
  v.word({"do", event_names, {}, "What happens.", required_key}, s.type);
  v.reference(
      {"target", "The name of the body to which it happens; for set, of what owns the parameter.", required_key},
      s.type == EventType::set ? Refers::owner : Refers::body, s.target);
  v.number({"time_s", "t", "s", at_least(0), at_most(86400), 0.0, "When it happens."}, s.time_s);
  v.number({"beat", "", "", at_least(0), at_most(1e6), 0.0, "The beat at which it happens; time_s is added."}, s.beat);
  v.number({"duration_s", "", "s", at_least(0), at_most(86400), 0.0, "How long the movement or change takes."},
           s.duration_s);
  v.event_value(s);
  v.text({"parameter", "For set: the name of a parameter that may change."}, s.parameter);
}
/// Throws InputError: a parameter goes with set.
void complete(EventSpec& spec, const Given& given);

}  // namespace jawari
