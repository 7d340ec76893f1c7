// SPDX-License-Identifier: MIT
// What a scene compiles into: all that no time step changes.  Tables of bodies, contacts, islands, groups, parameters
// and events, a catalogue of names and shapes, and the instance as it is at t = 0.  A model is immutable: any number of
// runs, on any threads, share one.  Whatever can be refused is refused while it is built (compile.h).
//   island   contacts that are solved together: points that are not coupled, a line along one implicit or modulated
//            string (its own band), or dense.  Found from the receptances of the bodies, never assumed from their type
//   group    bodies that no contact joins with others: they never need one another, so a block may be played group by
//            group, on any number of threads, with the same samples
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jawari/engine/event_queue.h"
#include "jawari/engine/kernels.h"
#include "jawari/engine/scene.h"
#include "jawari/engine/system.h"

namespace jawari {

struct Instance;

inline constexpr std::size_t no_index = static_cast<std::size_t>(-1);

/// One side of a contact: y of point i += sign w[at(i)] of the body, force on the body += sign phi.
struct Side {
  std::size_t body, tap;
  double sign;
  std::size_t stride = 1;  ///< 0: all points meet the same tap
  std::size_t at(std::size_t point) const noexcept { return tap + stride * point; }
};

enum class Joint { contact, spring, friction };
enum class BodyKind { mass, string, modes, hand };

struct Reading {  ///< a channel of the trace
  std::string name;
  std::size_t tap;
  Quantity quantity;
};

struct BodyInfo {
  std::string name;
  double origin_m = 0;  ///< displacement shown = w + origin
  std::vector<Reading> readings = {};
  BodyKind kind = BodyKind::mass;
  double frequency_hz = 0, bending_share = 0;     ///< of its lowest mode, for retune; 0: it has none
  std::size_t target_contact = no_index;          ///< hammer, plectrum, finger: the contact with its target
  double approach_sign = 1, rest_distance_m = 0;  ///< hand: which way it presses, where it waits
  double most_N = 0;                              ///< finger that a force presses: the largest, with its sign; else 0
};

/// A contact whose points move along a string, or the shape of a barrier that does.
struct SlideInfo {
  std::string parameter = {};                     ///< "thread.position_m", "bridge.shift_m"
  double least = 0, most = 0, start = 0;          ///< of the parameter
  std::size_t side = no_index;                    ///< whose taps move; no_index: it stays, or its shape moves
  std::vector<double> x_m = {};                   ///< of the points, at `start`
  std::shared_ptr<const BarrierSpec> shape = {};  ///< that moves over points that stay
  bool moves() const noexcept { return !parameter.empty(); }
};

struct ContactInfo {
  std::string name, law;
  std::string scheme, why = {};                         ///< why: the reason for the choice of scheme "auto"
  std::string fallback_scheme = {}, fallback_why = {};  ///< "auto": what it changes to when contacts turn out shorter
  std::vector<Side> sides;                              ///< one or two
  LawSpec law_spec = {};  ///< the law as the scene has it, and a factor on its stiffness: for kernels
  double weight = 1;
  double exponent = 0;  ///< of one point, for the penetration bound
  bool half_step = false, couples = true;
  bool on_string = false;      ///< a string against a barrier
  double points_per_cell = 0;  ///< along a string, side by side; 0: points anywhere
  Joint joint = Joint::contact;
  std::size_t normal = no_index;                ///< friction: the contact whose force presses
  double height_sign = 0, built_stiffness = 0;  ///< what events may change; sign 0: no height
  double lowest_m = -1e3, highest_m = 1e3;
  double stiffest = 1e9;  ///< factor of the built stiffness that events may reach
  SlideInfo slide = {};
};

struct DriveInfo {
  std::string name;
  std::size_t body, tap;
  double largest = 1e12;  ///< amplitude that events may set
};

struct Pickup {
  std::string name;
  bool contact;
  std::size_t index, tap;
  Quantity quantity;
  double gain, pan = 0;
  double least_m = 0, most_m = 0, start_m = 0;  ///< where it may be along a string; most 0: it stays
};

struct Drawing {  ///< how a body is read for a picture: nodes from the first tap on, or mode shapes at the points
  ShapeInfo view;
  std::size_t body;
  std::vector<std::vector<double>> modes = {};  ///< [point][mode]; empty: inner points are the first taps
};
struct DrawnBarrier {
  BarrierInfo view;
  std::size_t contact;
};

struct IslandInfo {
  std::vector<std::size_t> contacts;
  bool together = false;  ///< its points are coupled
  bool varies = false;    ///< its receptances change in every step
};

enum class ParameterKind {
  frequency,
  tuning,
  damping,
  stiffness,
  height,
  coefficient,
  normal,
  gain,
  amplitude,
  position,
  listening,
  force
};
/// A number that may change during a run, by `set` (and retune, damp).
struct Parameter {
  std::string name;  ///< "string.frequency_hz", "bridge.stiffness"
  std::string_view unit, text;
  double least = 0, most = 0, start = 0;
  ParameterKind kind = ParameterKind::gain;
  std::size_t index = 0;  ///< of the body, contact, pickup or drive
  std::size_t group = 0;
};

struct GroupInfo {
  std::vector<std::size_t> bodies, islands, drives, pickups, contacts, parameters;
  std::vector<TimedEvent> events;  ///< of the scene, by time
};

struct Model {
  double dt_s = 0;
  double rate_hz = 0;  ///< of samples; a sample takes so many time steps
  double steps_per_sample = 1;
  Kernels kernels = Kernels::exact;
  std::vector<BodyInfo> bodies;
  std::vector<ContactInfo> contacts;
  std::vector<DriveInfo> drives;
  std::vector<Pickup> pickups;
  std::vector<Drawing> drawings;
  std::vector<DrawnBarrier> barriers;
  std::vector<IslandInfo> islands;
  std::vector<GroupInfo> groups;
  std::vector<std::size_t> group_of_body;
  std::vector<Parameter> parameters;
  std::vector<std::string> channels;  ///< of a trace, with units
  std::size_t inputs = 0;             ///< channels of sound that comes in
  std::shared_ptr<const Instance> start;
  std::uint64_t fingerprint = 0;  ///< tells models apart whose states do not fit each other

  std::size_t group_of_contact(std::size_t contact) const noexcept {
    return group_of_body[contacts[contact].sides[0].body];
  }
  std::size_t accounts() const noexcept { return bodies.size() + contacts.size(); }
  std::size_t find_body(std::string_view name) const noexcept;  ///< no_index if there is none
  std::size_t find_parameter(std::string_view name) const noexcept;
  bool meets(std::size_t contact, std::size_t body) const noexcept;  ///< the body is one of its sides
  bool taps_move(std::size_t body) const noexcept;                   ///< contacts or pickups may move along it
  /// Whether a body takes events of this type, or there is such a parameter.
  bool serves(EventType type, std::size_t target) const noexcept;
  bool takes(const Event& event) const noexcept;  ///< it serves, and value and duration make sense
};

}  // namespace jawari
