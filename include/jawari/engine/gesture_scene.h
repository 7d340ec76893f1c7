// SPDX-License-Identifier: MIT
// What a scene says about hands and preparations: each is a body or two with a contact, written shortly.  lower_scene()
// spells them out; compile() knows bodies, contacts and connections alone.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "jawari/engine/body_scene.h"
#include "jawari/registry.h"

namespace jawari {

/// A spring with a damper between two bodies, or a body and the wall.
struct ConnectionSpec {
  std::string name = {};  ///< by default "lower-upper"
  std::array<std::string, 2> bodies = {};
  std::array<Location, 2> at = {};
  double stiffness_N_m = 0, damping_N_s_m = 0;
  double rest_m = 0;  ///< lower minus upper where it is relaxed; for the wall: the height
};
/// Dry friction: two bodies that move along one another.  The normal force is a number, or that of a contact.
struct FrictionSpec {
  std::string name = {};
  std::array<std::string, 2> bodies = {};
  std::array<Location, 2> at = {};
  double coefficient = 0, normal_N = 0;
  std::string normal = {};  ///< a contact or barrier
};

/// A mass thrown at a body (`strike`), with felt between.
struct HammerSpec {
  std::string name = {}, target = {};
  Location at = {};
  bool above = false;  ///< it comes from above
  double mass_kg = 0;
  double velocity_m_s = 0;  ///< above 0: thrown at the start, touching
  LawSpec law = {};
  std::optional<SchemeSpec> scheme = {};
};
/// A point moved by hand against a body: a plectrum from below (`pluck`), a finger from above (`press`, `release`,
/// `damp`).
struct TouchSpec {
  std::string name = {}, target = {};
  Location at = {};
  bool above = false;
  double away_m = 0.005;  ///< where it waits: this far from the body at rest
  double start_m = 0;     ///< a finger that presses at the start: how deep
  LawSpec law = {};
  std::optional<SchemeSpec> scheme = {};
};
/// A loose piece on a body: a mass that rests on it or has play between two stops.
struct RattleSpec {
  std::string name = {}, target = {};
  Location at = {};
  double mass_kg = 0, gap_m = 0;  ///< half of the play; 0: it lies on the body, held by `hold_N`
  double hold_N = 0;              ///< force towards the body: its weight, a spring
  LawSpec law = {};
  std::optional<SchemeSpec> scheme = {};
};
/// A mass screwed between the strings: held by a stiff spring and a damper.
struct BoltSpec {
  std::string name = {}, target = {};
  Location at = {};
  double mass_kg = 0, stiffness_N_m = 0, damping_N_s_m = 0;
};
/// Rubber, felt, cloth between body and frame: a spring and a damper to the wall.
struct RubberSpec {
  std::string name = {}, target = {};
  Location at = {};
  double stiffness_N_m = 0, damping_N_s_m = 0;
};
/// A fret or a thread: a point below a string.
struct FretSpec {
  std::string name = {}, string = {};
  double position_m = 0, height_m = 0;
  LawSpec law = {};
  std::optional<SchemeSpec> scheme = {};
};
/// Wires stretched along a membrane: strings that meet it at many points.
struct SnareSpec {
  std::string name = {}, target = {};
  double wires = 1, length_m = 0, spacing_m = 0.003;
  double tension_N = 0, density_kg_m = 0, sigma0_1_s = 0;
  double points = 8;
  double gap_m = 0;  ///< between wires and membrane; negative: pressed on
  LawSpec law = {};
  std::optional<SchemeSpec> scheme = {};
};

/// What happens when.
enum class EventType : unsigned char { strike, pluck, press, release, damp, move, retune, set };
inline constexpr std::string_view event_names[] = {"strike", "pluck", "press",  "release",
                                                   "damp",   "move",  "retune", "set"};
/// The key of a scene file that holds the value of an event, by kind.
inline constexpr std::string_view event_value_keys[] = {"velocity_m_s", "depth_m",  "depth_m",      "",
                                                        "damping_1_s",  "height_m", "frequency_hz", "value"};
struct EventSpec {
  double time_s = 0;
  EventType type = EventType::strike;
  std::string target = {};     ///< a body; for set: the thing that owns the parameter
  std::string parameter = {};  ///< set only
  double value = 0;  ///< strike: speed; pluck, press: depth; move: height; retune: Hz; damp: added decay; set: value
  double duration_s = 0;  ///< of the movement or change
};

}  // namespace jawari
