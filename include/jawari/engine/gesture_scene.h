// SPDX-License-Identifier: MIT
// What a scene says about hands and preparations: each is a body or two with a contact, written shortly.  lower_scene()
// spells them out; compile() knows bodies, contacts and connections alone.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "jawari/engine/body_scene.h"
#include "jawari/engine/schema.h"
#include "jawari/registry.h"

namespace jawari {

inline constexpr KeyInfo pair_key{"bodies", "The names of the lower and the upper body; one of them may be \"wall\".",
                                  required_key};
inline constexpr KeyInfo tool_name_key{"name", "The name by which events and other parts refer to it.", required_key};
inline constexpr KeyInfo target_key{"target", "The name of the body that it touches.", required_key};
inline constexpr ListInfo range_key{
    "position_range_m", "m", 0, 1e6,
    "Least and largest position_m that events and controls may give it while it sounds, on a string; by default those "
    "of the scene's events."};

/// A spring with a damper between two bodies, or a body and the wall.
struct ConnectionSpec {
  std::string name = {};  ///< by default "lower-upper"
  std::array<std::string, 2> bodies = {};
  std::array<Location, 2> at = {};
  double stiffness_N_m = 0, damping_N_s_m = 0;
  double rest_m = 0;  ///< lower minus upper where it is relaxed; for the wall: the height
};
template <class V, Is<ConnectionSpec> S>
void visit(V& v, S& s) {
  v.name({"name", "The name of the connection; by default those of its bodies with a \"-\" between."}, s.name);
  v.pair(pair_key, s.bodies);
  v.places(s.at, s.bodies);
  v.number({"stiffness_N_m", "K", "N/m", at_least(0), at_most(1e15), 0.0, "Stiffness of the spring."}, s.stiffness_N_m);
  v.number({"damping_N_s_m", "R", "N s/m", at_least(0), at_most(1e12), 0.0, "Resistance of the damper."},
           s.damping_N_s_m);
  v.number({"rest_m", "", "m", at_least(-1e3), at_most(1e3), 0.0,
            "Height of the lower body over the upper one where the spring is relaxed."},
           s.rest_m);
}

/// Dry friction: two bodies that move along one another.  The normal force is a number, or that of a contact.
struct FrictionSpec {
  std::string name = {};
  std::array<std::string, 2> bodies = {};
  std::array<Location, 2> at = {};
  double coefficient = 0, normal_N = 0;
  std::string normal = {};  ///< a contact or barrier
};
template <class V, Is<FrictionSpec> S>
void visit(V& v, S& s) {
  v.name({"name", "The name of the friction; by default those of its bodies and \"-friction\"."}, s.name);
  v.pair(pair_key, s.bodies);
  v.places(s.at, s.bodies);
  v.number({"coefficient", "theta", "", at_least(0), at_most(1e3), required,
            "Coefficient of friction: friction force over normal force."},
           s.coefficient);
  v.number({"normal_N", "N", "N", at_least(0), at_most(1e9), 0.0, "Normal force; or name a contact with normal."},
           s.normal_N);
  v.reference({"normal", "The name of a contact or barrier whose force presses the bodies together."}, Refers::pressing,
              s.normal);
}

/// A mass thrown at a body (`strike`), with felt between.
struct HammerSpec {
  std::string name = {}, target = {};
  Location at = {};
  bool above = false;  ///< it comes from above
  double mass_kg = 0;
  double velocity_m_s = 0;  ///< above 0: thrown at the start, touching
  LawSpec law = {};
  std::optional<SchemeSpec> scheme = {};
  std::vector<double> range_m = {};  ///< least and largest position on a string; none: it stays where it is
};
template <class V, Is<HammerSpec> S>
void visit(V& v, S& s) {
  v.name(tool_name_key, s.name);
  v.reference(target_key, Refers::body, s.target);
  v.place(s.at, s.target);
  v.word({"side", side_names, "below", "Where the hammer comes from."}, s.above);
  v.number({"mass_kg", "m", "kg", at_least(1e-12), at_most(1e6), required, "Mass of the hammer's head."}, s.mass_kg);
  v.number({"velocity_m_s", "v", "m/s", at_least(0), at_most(1e3), 0.0,
            "Speed with which the hammer is thrown at the start; 0: it waits for a strike."},
           s.velocity_m_s);
  v.positions(range_key, s.range_m, s.target);
  v.law(law_key, s.law);
  v.scheme(scheme_key, s.scheme);
}

/// Where a finger is at a time; straight from one to the next.
struct PathPoint {
  double time_s = 0, beat = 0;
  double position_m = 0, depth_m = 0, force_N = 0;
};
template <class V, Is<PathPoint> S>
void visit(V& v, S& s) {
  v.number({"time_s", "t", "s", at_least(0), at_most(86400), 0.0, "When it is there."}, s.time_s);
  v.number({"beat", "", "", at_least(0), at_most(1e6), 0.0, "The beat at which it is there; time_s is added."}, s.beat);
  v.number({"position_m", "x", "m", at_least(0), at_most(1e6), required, "Where it is along the string."},
           s.position_m);
  v.number({"depth_m", "", "m", at_least(-1), at_most(1), 0.0,
            "How far beyond the string at rest it is pressed; below 0 it is lifted off."},
           s.depth_m);
  v.number({"force_N", "F", "N", at_least(0), at_most(1e6), 0.0, "The force that presses a finger with a mass."},
           s.force_N);
}

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
  std::vector<double> range_m = {};  ///< least and largest position on a string; none: it stays where it is
  std::vector<PathPoint> path = {};  ///< a finger that slides
  double mass_kg = 0;                ///< a finger that is pressed by a force, not held at a depth
  double damper_N_s_m = 0;           ///< of that finger, to the hand
};
inline constexpr Param away_param{
    "away_m", "", "m", above(0), at_most(10), 0.005, "How far from the body at rest it waits."};
struct VisitPlectrum {
  template <class V, Is<TouchSpec> S>
  void operator()(V& v, S& s) const {
    v.name(tool_name_key, s.name);
    v.reference(target_key, Refers::body, s.target);
    v.place(s.at, s.target);
    v.word({"side", side_names, "below", "Where the plectrum comes from."}, s.above);
    v.number(away_param, s.away_m);
    v.positions(range_key, s.range_m, s.target);
    v.law(law_key, s.law);
    v.scheme(scheme_key, s.scheme);
  }
};
struct VisitFinger {
  template <class V, Is<TouchSpec> S>
  void operator()(V& v, S& s) const {
    v.name(tool_name_key, s.name);
    v.reference(target_key, Refers::body, s.target);
    v.place(s.at, s.target);
    v.word({"side", side_names, "above", "Where the finger comes from."}, s.above);
    v.number(away_param, s.away_m);
    v.number(
        {"start_m", "", "m", at_least(0), at_most(1), 0.0, "How deep the finger presses at the start; 0: it waits."},
        s.start_m);
    v.positions(range_key, s.range_m, s.target);
    v.tables({"breakpoints", "How it slides along a string: [{ time_s, position_m, depth_m or force_N }, ...]."},
             s.path);
    v.number({"mass_kg", "m", "kg", at_least(0), at_most(1e3), 0.0,
              "Mass of a finger or slide that a force presses; 0: it is held at a depth."},
             s.mass_kg);
    v.number(
        {"damper_N_s_m", "R", "N s/m", at_least(0), at_most(1e9), 0.0, "Resistance between that mass and the frame."},
        s.damper_N_s_m);
    v.law(law_key, s.law);
    v.scheme(scheme_key, s.scheme);
  }
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
template <class V, Is<RattleSpec> S>
void visit(V& v, S& s) {
  v.name(tool_name_key, s.name);
  v.reference(target_key, Refers::body, s.target);
  v.place(s.at, s.target);
  v.number({"mass_kg", "m", "kg", at_least(1e-12), at_most(1e6), required, "Mass of the loose piece."}, s.mass_kg);
  v.number({"gap_m", "", "m", at_least(0), at_most(1), 0.0, "Half of the piece's play; 0: it lies on the body."},
           s.gap_m);
  v.number({"hold_N", "", "N", at_least(0), at_most(1e6), 0.0,
            "Force that holds the piece to the body: its weight, or a spring."},
           s.hold_N);
  v.law(law_key, s.law);
  v.scheme(scheme_key, s.scheme);
}

/// A mass screwed between the strings: held by a stiff spring and a damper.
struct BoltSpec {
  std::string name = {}, target = {};
  Location at = {};
  double mass_kg = 0, stiffness_N_m = 0, damping_N_s_m = 0;
};
template <class V, Is<BoltSpec> S>
void visit(V& v, S& s) {
  v.name(tool_name_key, s.name);
  v.reference(target_key, Refers::body, s.target);
  v.place(s.at, s.target);
  v.number({"mass_kg", "m", "kg", at_least(1e-12), at_most(1e6), required, "Mass of the bolt."}, s.mass_kg);
  v.number({"stiffness_N_m", "K", "N/m", above(0), at_most(1e12), 1e6, "Stiffness of the bolt's grip."},
           s.stiffness_N_m);
  v.number({"damping_N_s_m", "R", "N s/m", at_least(0), at_most(1e9), 0.0, "Damping of the bolt's grip."},
           s.damping_N_s_m);
}

/// Rubber, felt, cloth between body and frame: a spring and a damper to the wall.
struct RubberSpec {
  std::string name = {}, target = {};
  Location at = {};
  double stiffness_N_m = 0, damping_N_s_m = 0;
};
template <class V, Is<RubberSpec> S>
void visit(V& v, S& s) {
  v.name(tool_name_key, s.name);
  v.reference(target_key, Refers::body, s.target);
  v.place(s.at, s.target);
  v.number({"stiffness_N_m", "K", "N/m", at_least(0), at_most(1e12), 0.0, "Stiffness between body and frame."},
           s.stiffness_N_m);
  v.number({"damping_N_s_m", "R", "N s/m", at_least(0), at_most(1e9), 0.0, "Damping between body and frame."},
           s.damping_N_s_m);
}

/// A fret or a thread: a point below a string.
struct FretSpec {
  std::string name = {}, string = {};
  double position_m = 0, height_m = 0;
  LawSpec law = {};
  std::optional<SchemeSpec> scheme = {};
  std::vector<double> range_m = {};  ///< least and largest position; none: it stays where it is
};
template <class V, Is<FretSpec> S>
void visit(V& v, S& s) {
  v.name(tool_name_key, s.name);
  v.reference({"string", "The name of the string above it.", required_key}, Refers::string, s.string);
  v.along({"position_m", "x", "m", above(0), at_most(1e4), required, "Where it is along the string."}, s.position_m,
          s.string);
  v.number({"height_m", "b", "m", at_least(-1e3), at_most(1e3), 0.0, "Height of its top over the string at rest."},
           s.height_m);
  v.positions(range_key, s.range_m, s.string);
  v.law(law_key, s.law);
  v.scheme(scheme_key, s.scheme);
}

/// Wires stretched along a membrane: strings that meet it at many points.
struct SnareSpec {
  std::string name = {}, target = {};
  int wires = 1;
  double length_m = 0, spacing_m = 0.003;
  double tension_N = 0, density_kg_m = 0, sigma0_1_s = 0;
  int points = 8;
  double gap_m = 0;  ///< between wires and membrane; negative: pressed on
  LawSpec law = {};
  bool per_length = false;  ///< law.stiffness is per length of a wire
  std::optional<SchemeSpec> scheme = {};
};
template <class V, Is<SnareSpec> S>
void visit(V& v, S& s) {
  v.name(tool_name_key, s.name);
  v.reference({"target", "The name of the membrane along which the wires are stretched.", required_key},
              Refers::membrane, s.target);
  v.integer({"wires", "", "", at_least(1), at_most(100), 1.0, "Number of wires."}, s.wires);
  v.number({"length_m", "L", "m", above(0), at_most(1e2), required, "Length of a wire."}, s.length_m);
  v.number({"spacing_m", "", "m", at_least(0), at_most(1), 0.003, "Distance between two wires."}, s.spacing_m);
  v.number({"tension_N", "T", "N", above(0), at_most(1e6), required, "Tension of a wire."}, s.tension_N);
  v.number({"density_kg_m", "rho", "kg/m", above(0), at_most(1e2), required, "Mass per length of a wire."},
           s.density_kg_m);
  v.number({"sigma0_1_s", "sigma0", "1/s", at_least(0), at_most(1e6), 0.0, "Decay rate of a wire."}, s.sigma0_1_s);
  v.integer({"points", "", "", at_least(1), at_most(1000), 8.0, "Number of contact points per wire."}, s.points);
  v.number({"gap_m", "", "m", at_least(-1e-2), at_most(1), 0.0,
            "Distance between wires and membrane; below 0 they are pressed on."},
           s.gap_m);
  v.law_along(law_along_key, s.law, s.per_length);
  v.scheme(scheme_key, s.scheme);
}

}  // namespace jawari
