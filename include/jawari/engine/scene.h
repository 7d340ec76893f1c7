// SPDX-License-Identifier: MIT
// A scene is plain data in SI units: what there is, how it begins, what is heard.  Scene files (io/scene_file.h), C++
// and every other front end fill it; compile() (engine/compile.h) checks it and builds what runs.
// Heights and positions count upwards.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "jawari/body/choices.h"
#include "jawari/engine/body_scene.h"
#include "jawari/engine/event_scene.h"
#include "jawari/engine/excitation_scene.h"
#include "jawari/engine/gesture_scene.h"
#include "jawari/engine/limits.h"
#include "jawari/engine/pattern_scene.h"
#include "jawari/engine/string_scene.h"
#include "jawari/engine/voice_scene.h"
#include "jawari/registry.h"

namespace jawari {

struct MassSpec {
  std::string name = {};
  double mass_kg = 0;
  double position_m = 0, velocity_m_s = 0;
  double spring_N_m = 0, rest_m = 0;  ///< spring to the ground, relaxed at rest_m
  double damper_N_s_m = 0;            ///< damper to the ground
  double load_N = 0;                  ///< constant force, upwards; gravity comes on top
  Stepping stepping = Stepping::exact;
  double most_N = 0;  ///< of a finger that a force presses: the largest; its sign is that of the force
};
template <class V, Is<MassSpec> S>
void visit(V& v, S& s) {
  v.name(body_name_key, s.name);
  v.number({"mass_kg", "m", "kg", at_least(1e-12), at_most(1e12), required, "Mass of the body."}, s.mass_kg);
  v.number({"position_m", "u", "m", at_least(-1e9), at_most(1e9), 0.0, "Height at the start."}, s.position_m);
  v.number({"velocity_m_s", "v", "m/s", at_least(-1e6), at_most(1e6), 0.0, "Velocity at the start, upwards."},
           s.velocity_m_s);
  v.number({"spring_N_m", "k", "N/m", at_least(0), at_most(1e15), 0.0, "Stiffness of a spring to the ground."},
           s.spring_N_m);
  v.number({"rest_m", "", "m", at_least(-1e9), at_most(1e9), 0.0, "Height at which that spring is relaxed."}, s.rest_m);
  v.number({"damper_N_s_m", "c", "N s/m", at_least(0), at_most(1e12), 0.0, "Resistance of a damper to the ground."},
           s.damper_N_s_m);
  v.number({"load_N", "", "N", at_least(-1e12), at_most(1e12), 0.0, "Constant force on the mass, upwards."}, s.load_N);
  v.word({"stepping", stepping_names, "exact", "How spring and damper are stepped."}, s.stepping);
}

struct ContactSpec {
  std::string name = {};                   ///< by default "lower-upper"
  std::array<std::string, 2> bodies = {};  ///< {lower, upper}: they touch when the lower one is above the upper one
  double height_m = 0;                     ///< where the wall is; between two bodies the free distance
  double position_m = 0;                   ///< on a string or bar, where `at` says nothing
  std::array<std::optional<Location>, 2> at = {};
  std::vector<std::array<Location, 2>> line = {};  ///< many points instead of one
  double weight_m = 0;  ///< length of the line that a point stands for; 0: stiffness is per point
  LawSpec law = {};
  std::optional<SchemeSpec> scheme = {};  ///< default_scheme() if absent
  std::vector<double> range_m = {};       ///< of a gesture that moves along the string it touches
};
/// A line of contact points as files say it: straight on either body, from the first to the last.
struct LineEnds {
  std::optional<Location> lower_from = {}, lower_to = {}, upper_from = {}, upper_to = {};
  int points = 0;
  bool operator==(const LineEnds&) const = default;
};
LineEnds ends_of(const std::vector<std::array<Location, 2>>& line);
std::vector<std::array<Location, 2>> points_of(const LineEnds& ends);
double length_per_point(const LineEnds& ends);  ///< of the longer of the two
template <class V, Is<LineEnds> S>
void visit(V& v, S& s) {
  v.integer({"points", "", "", at_least(2), at_most(10000), required, "Number of contact points."}, s.points);
  v.location({"lower_from", "Where the first point is on the lower body."}, s.lower_from, std::string());
  v.location({"lower_to", "Where the last point is on the lower body."}, s.lower_to, std::string());
  v.location({"upper_from", "Where the first point is on the upper body."}, s.upper_from, std::string());
  v.location({"upper_to", "Where the last point is on the upper body."}, s.upper_to, std::string());
}

template <class V, Is<ContactSpec> S>
void visit(V& v, S& s) {
  v.name({"name", "The name of the contact; by default those of its bodies with a \"-\" between."}, s.name);
  v.pair(pair_key, s.bodies);
  v.number({"height_m", "h", "m", at_least(-1e9), at_most(1e9), 0.0,
            "Height of the wall; between two bodies the distance at which they touch."},
           s.height_m);
  v.along({"position_m", "x", "m", at_least(0), at_most(1e6), 0.0, "Where along a string or bar the contact is."},
          s.position_m, s.bodies);
  v.both_locations({"at", "Where the contact is on both bodies: x, [x, y] or the name of a point."}, s.at);
  v.location({"lower_at", "Where the contact is on the lower body."}, s.at[0], s.bodies[0]);
  v.location({"upper_at", "Where the contact is on the upper body."}, s.at[1], s.bodies[1]);
  LineEnds ends = ends_of(s.line);
  bool per_length = s.weight_m > 0;
  v.table({"line", "Many points of contact instead of one, along a straight line on either body."}, ends,
          !s.line.empty());
  v.law_along(law_along_key, s.law, per_length);
  v.scheme(scheme_key, s.scheme);
  if constexpr (V::reads) v.assign([&] { set_line(s, ends, per_length); });
}
/// Throws InputError: a stiffness per length goes with a line.
void set_line(ContactSpec& spec, const LineEnds& ends, bool per_length);
inline constexpr std::string_view wall = "wall";       ///< the name of a fixed barrier
inline constexpr std::string_view automatic = "auto";  ///< a scheme chosen by compile()

/// bridge-force and nut-force: of a string on its supports at x = L and x = 0, upwards.
enum class Quantity { displacement, velocity, acceleration, force, bridge_force, nut_force };
inline constexpr std::string_view quantity_names[] = {"displacement", "velocity",     "acceleration",
                                                      "force",        "bridge-force", "nut-force"};
struct PickupSpec {
  std::string name = {};  ///< of its channel in traces; by default made of the rest
  std::string of = {};    ///< a body, contact or barrier
  /// By default the force of a contact, the bridge force of a string, else velocity.
  std::optional<Quantity> quantity = {};
  double position_m = 0;  ///< on a string or bar
  std::optional<Location> at = {};
  double gain = 1;
  double pan = 0;                    ///< in stereo: -1 left, 1 right
  std::vector<double> range_m = {};  ///< least and largest position on a string; none: it stays where it is
};
template <class V, Is<PickupSpec> S>
void visit(V& v, S& s) {
  v.label({"name", "The name of its channel; by default made of the rest."}, s.name);
  v.reference({"of", "The name of a body, contact or barrier.", required_key}, Refers::source, s.of);
  v.word({"quantity", quantity_names, {}, "What is heard of it; a contact has force only."}, s.quantity);
  v.along({"position_m", "x", "m", at_least(0), at_most(1e6), 0.0, "Where along a string or bar the pickup is."},
          s.position_m, s.of);
  v.number({"gain", "", "", at_least(-1e12), at_most(1e12), 1.0, "Factor of its sound."}, s.gain);
  v.number({"pan", "", "", at_least(-1), at_most(1), 0.0, "Where it is in stereo: -1 left, 0 in the middle, 1 right."},
           s.pan);
  v.positions(range_key, s.range_m, s.of);
  v.location(location_key, s.at, s.of);
}
/// A position that is given is one, also 0.
void complete(PickupSpec& spec, const Given& given);

enum class Quality { draft, standard, high };  ///< engine/quality.h
inline constexpr std::string_view quality_names[] = {"draft", "standard", "high"};

struct Scene {
  std::string title = {};
  double rate_hz = 44100, duration_s = 1;
  double gravity_m_s2 = 0;              ///< pulls every mass down
  int oversample = 0;                   ///< time steps per sample: 1, 2, 4 or 8; 0: what `quality` chose
  std::optional<Quality> quality = {};  ///< set by use_quality(); absent: draft
  int quality_steps = 1;                ///< time steps per sample that use_quality() chose
  std::vector<MassSpec> masses = {};
  std::vector<StringSpec> strings = {};
  std::vector<BarSpec> bars = {};
  std::vector<MembraneSpec> membranes = {};
  std::vector<PlateSpec> plates = {};
  std::vector<ModalSpec> modals = {};
  std::vector<HandSpec> hands = {};
  std::vector<BarrierSpec> barriers = {};
  std::vector<ContactSpec> contacts = {};
  std::vector<ConnectionSpec> connections = {};
  std::vector<FrictionSpec> frictions = {};
  std::vector<HammerSpec> hammers = {};
  std::vector<TouchSpec> plectrums = {}, fingers = {};
  std::vector<RattleSpec> rattles = {};
  std::vector<BoltSpec> bolts = {};
  std::vector<RubberSpec> rubbers = {};
  std::vector<FretSpec> frets = {}, threads = {};
  std::vector<SnareSpec> snares = {};
  std::vector<EventSpec> events = {};
  std::vector<TempoSpec> tempos = {};
  std::vector<PatternSpec> patterns = {};
  std::vector<VoiceSpec> voices = {};      ///< what notes play, until perform()
  std::vector<ControlSpec> controls = {};  ///< of an instrument
  std::vector<ScoreEvent> notes = {};      ///< of the scene itself
  std::vector<ExcitationSpec> excitations = {};
  Limits limits = {};                    ///< of what compile() may spend
  std::vector<PickupSpec> pickups = {};  ///< none: bridge force of every string, or the force of every contact
};

/// The values of the scene itself.
template <class V, Is<Scene> S>
void visit(V& v, S& s) {
  v.text({"title", "The title of reports."}, s.title);
  v.number({"rate_hz", "fs", "Hz", at_least(100), at_most(1e8), 44100.0, "Sample rate of the sound."}, s.rate_hz);
  Param duration{"duration_s", "", "s", above(0), at_most(86400), required, "Length of the scene."};
  if (v.has("voice")) duration.fallback = 4.0;  // a score says how long it is
  v.number(duration, s.duration_s);
  v.number({"gravity_m_s2", "g", "m/s2", at_least(-1e6), at_most(1e6), 0.0, "Acceleration that pulls every mass down."},
           s.gravity_m_s2);
  v.integer({"oversample", "", "", at_least(1), at_most(8), 0.0,
             "Time steps per sample, 1, 2, 4 or 8; by default chosen by quality."},
            s.oversample);
  v.word({"quality",
          quality_names,
          {},
          "How finely the scene is computed; by default standard where it is rendered, draft where it is played."},
         s.quality);
}

/// Calls f(PartKind, list, visitor function) for every kind of part, in the order of a file.
template <class S, class F>
requires Is<S, Scene>
void for_each_part(S& s, F&& f) {
  using enum Role;
  constexpr VisitPart part;
  f(PartKind<body>{"mass", "A point mass, with or without a spring and a damper to the ground."}, s.masses, part);
  f(PartKind<body>{"string", "A stiff string with losses between two supports."}, s.strings, part);
  f(PartKind<joint>{"barrier", "What a string meets along its length, or in points."}, s.barriers, part);
  f(PartKind<body>{"bar", "A bar, made of its modes."}, s.bars, part);
  f(PartKind<body>{"membrane", "A membrane, circle or rectangle, made of its modes."}, s.membranes, part);
  f(PartKind<body>{"plate", "A plate, circle or rectangle, made of its modes."}, s.plates, part);
  f(PartKind<body>{"modal", "A measured object or a soundboard: modes, and their shapes at named points."}, s.modals,
    part);
  f(PartKind<body>{"hand", "A point that is moved, by events or by a list of positions."}, s.hands, part);
  f(PartKind<joint>{"contact", "Where two bodies, or a body and a wall, touch."}, s.contacts, part);
  f(PartKind<joint>{"connection", "A spring with a damper between two bodies, or a body and the wall."}, s.connections,
    part);
  f(PartKind<joint>{"friction", "Dry friction between two bodies that move along one another."}, s.frictions, part);
  f(PartKind<tool>{"hammer", "A mass thrown at a body, with felt between."}, s.hammers, part);
  f(PartKind<tool>{"plectrum", "A point that plucks a body, moved by events."}, s.plectrums, VisitPlectrum{});
  f(PartKind<tool>{"finger", "A point that presses on a body, moved by events."}, s.fingers, VisitFinger{});
  f(PartKind<tool>{"rattle", "A loose piece on a body."}, s.rattles, part);
  f(PartKind<tool>{"bolt", "A mass screwed to a body: a stiff spring and a damper between."}, s.bolts, part);
  f(PartKind<tool>{"rubber", "Rubber, felt or cloth between a body and the frame."}, s.rubbers, part);
  f(PartKind<tool>{"fret", "A fret: a point below a string."}, s.frets, part);
  f(PartKind<tool>{"thread", "A thread: a point below a string."}, s.threads, part);
  f(PartKind<tool>{"snare", "Wires stretched along a membrane."}, s.snares, part);
  f(PartKind<event>{"event", "What happens when."}, s.events, part);
  f(PartKind<event>{"tempo", "How fast the beats of events, notes and patterns go."}, s.tempos, part);
  f(PartKind<event>{"pattern", "Strokes or a chord, repeated, strummed, rolled or scattered."}, s.patterns, part);
  f(PartKind<signal>{"excitation", "A force on a body."}, s.excitations, part);
  f(PartKind<signal>{"pickup", "What is heard."}, s.pickups, part);
  f(PartKind<control>{"control", "What a player turns while an instrument is played."}, s.controls, part);
}
/// The bodies among them.
template <class S, class F>
void for_each_body(S& s, F&& f) {
  for_each_part(s, [&](auto kind, auto& list, auto how) {
    if constexpr (decltype(kind)::role == Role::body) f(kind, list, how);
  });
}

inline int steps_per_sample(const Scene& scene) {
  return scene.oversample > 0 ? scene.oversample : scene.quality_steps;
}
inline double step_rate_hz(const Scene& scene) { return scene.rate_hz * steps_per_sample(scene); }

/// What others call a part: its name, or what it is called by default; empty for events and signals.
template <class Spec>
std::string part_name(const Spec& part) {
  if constexpr (requires { part.name; })
    return part.name;
  else
    return {};
}
std::string part_name(const ContactSpec& contact);
std::string part_name(const BarrierSpec& barrier);
std::string part_name(const ConnectionSpec& connection);
std::string part_name(const FrictionSpec& friction);
std::string part_name(const PickupSpec& pickup);

/// Calls f(part) for every part that brings a contact law: contacts, barriers and gestures.
template <class S, class F>
void for_each_contact_law(S& s, F&& f) {
  for_each_part(s, [&](auto, auto& list, auto) {
    for (auto& part : list)
      if constexpr (requires { part.law; }) f(part);
  });
}
void use_scheme(Scene& scene, const SchemeSpec& scheme);  ///< for every contact and barrier, those of gestures included
std::vector<LawSpec> laws_of(const Scene& scene);         ///< of all these

}  // namespace jawari
