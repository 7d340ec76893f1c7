// SPDX-License-Identifier: MIT
// A scene is plain data in SI units: what there is, how it begins, what is heard.  Scene files (io/scene_file.h), C++
// and every other face fill it; compile() (engine/compile.h) checks it and builds what runs.
// Heights and positions count upwards.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "jawari/body/modal.h"
#include "jawari/engine/body_scene.h"
#include "jawari/engine/gesture_scene.h"
#include "jawari/engine/limits.h"
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
};

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
};
inline constexpr std::string_view wall = "wall";       ///< the name of a fixed barrier
inline constexpr std::string_view automatic = "auto";  ///< a scheme chosen by compile()

enum class SignalType { constant, sine, pulse, samples };
inline constexpr std::string_view signal_names[] = {"constant", "sine", "pulse", "file"};
struct ExcitationSpec {
  std::string body = {};
  double position_m = 0;  ///< on a string or bar
  std::optional<Location> at = {};
  SignalType type = SignalType::constant;
  double amplitude_N = 0, frequency_hz = 0, start_s = 0, duration_s = 0;  ///< duration 0: until the end
  std::vector<double> samples_N = {};  ///< type samples: one value per time step, from start_s on
};

/// bridge-force and nut-force: of a string on its supports at x = L and x = 0, upwards.
enum class Quantity { displacement, velocity, acceleration, force, bridge_force, nut_force };
inline constexpr std::string_view quantity_names[] = {"displacement", "velocity",     "acceleration",
                                                      "force",        "bridge-force", "nut-force"};
struct PickupSpec {
  std::string name = {};                   ///< of its channel in traces; by default made of the rest
  std::string of = {};                     ///< a body, contact or barrier
  Quantity quantity = Quantity::velocity;  ///< of a contact or barrier: force only
  double position_m = 0;                   ///< on a string or bar
  std::optional<Location> at = {};
  double gain = 1;
  double pan = 0;  ///< in stereo: -1 left, 1 right
};

enum class Quality { draft, standard, high };  ///< engine/quality.h
inline constexpr std::string_view quality_names[] = {"draft", "standard", "high"};

struct Scene {
  std::string title = {};
  double rate_hz = 44100, duration_s = 1;
  double gravity_m_s2 = 0;              ///< pulls every mass down
  double oversample = 0;                ///< time steps per sample: 1, 2, 4 or 8; 0: what `quality` chose
  std::optional<Quality> quality = {};  ///< set by use_quality(); absent: draft
  double quality_steps = 1;             ///< time steps per sample that use_quality() chose
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
  std::optional<VoiceSpec> voice = {};  ///< what notes play, until perform()
  std::vector<ScoreEvent> notes = {};   ///< of the scene itself
  std::vector<ExcitationSpec> excitations = {};
  Limits limits = {};                    ///< of what compile() may spend
  std::vector<PickupSpec> pickups = {};  ///< none: bridge force of every string, or the force of every contact
};

inline double steps_per_sample(const Scene& scene) {
  return scene.oversample > 0 ? scene.oversample : scene.quality_steps;
}
inline double step_rate_hz(const Scene& scene) { return scene.rate_hz * steps_per_sample(scene); }

std::string contact_name(const ContactSpec& contact);  ///< its own, or "lower-upper"
std::string barrier_name(const BarrierSpec& barrier);  ///< its own, or "string-barrier"
std::string connection_name(const ConnectionSpec& connection);
std::string friction_name(const FrictionSpec& friction);

void use_scheme(Scene& scene, const SchemeSpec& scheme);  ///< for every contact and barrier, those of gestures included
std::vector<LawSpec> laws_of(const Scene& scene);         ///< of all these

/// A number of a specification, with what it may be: read, checked, documented from here.
template <class Spec>
struct Field {
  Param param;
  double Spec::*member;
};
inline constexpr Field<Scene> scene_fields[] = {
    {{"rate_hz", "fs", "Hz", at_least(100), at_most(1e8), 44100.0, "sample rate"}, &Scene::rate_hz},
    {{"duration_s", "", "s", above(0), at_most(86400), required, "length"}, &Scene::duration_s},
    {{"gravity_m_s2", "g", "m/s2", at_least(-1e6), at_most(1e6), 0.0, "pulls every mass down"}, &Scene::gravity_m_s2},
    {{"oversample", "", "", at_least(1), at_most(8), 0.0,
      "time steps per sample: 1, 2, 4 or 8; by default chosen by quality"},
     &Scene::oversample}};
inline constexpr Field<MassSpec> mass_fields[] = {
    {{"mass_kg", "m", "kg", at_least(1e-12), at_most(1e12), required, "mass"}, &MassSpec::mass_kg},
    {{"position_m", "u", "m", at_least(-1e9), at_most(1e9), 0.0, "height at the start"}, &MassSpec::position_m},
    {{"velocity_m_s", "v", "m/s", at_least(-1e6), at_most(1e6), 0.0, "velocity at the start, upwards"},
     &MassSpec::velocity_m_s},
    {{"spring_N_m", "k", "N/m", at_least(0), at_most(1e15), 0.0, "spring to the ground"}, &MassSpec::spring_N_m},
    {{"rest_m", "", "m", at_least(-1e9), at_most(1e9), 0.0, "where the spring is relaxed"}, &MassSpec::rest_m},
    {{"damper_N_s_m", "c", "N s/m", at_least(0), at_most(1e12), 0.0, "damper to the ground"}, &MassSpec::damper_N_s_m},
    {{"load_N", "", "N", at_least(-1e12), at_most(1e12), 0.0, "constant force, upwards"}, &MassSpec::load_N}};
/// A value equal to its default counts as not given: it may lie outside the range.
inline constexpr Field<StringSpec> string_fields[] = {
    {{"length_m", "L", "m", above(0), at_most(1e4), required, "length between the supports"}, &StringSpec::length_m},
    {{"tension_N", "T", "N", above(0), at_most(1e9), 0.0, "tension; or give frequency_hz"}, &StringSpec::tension_N},
    {{"frequency_hz", "f1", "Hz", above(0), at_most(1e6), 0.0, "lowest frequency; sets the tension"},
     &StringSpec::frequency_hz},
    {{"highest_hz", "", "Hz", above(0), at_most(1e6), 0.0, "lowest frequency up to which events may tune it"},
     &StringSpec::highest_hz},
    {{"radius_m", "r", "m", above(0), at_most(1), 0.0, "of a solid round string"}, &StringSpec::radius_m},
    {{"density_kg_m3", "", "kg/m3", above(0), at_most(1e5), 7850.0, "of its material (steel)"},
     &StringSpec::density_kg_m3},
    {{"young_Pa", "E", "Pa", at_least(0), at_most(1e13), 2e11, "Young's modulus of its material (steel)"},
     &StringSpec::young_Pa},
    {{"density_kg_m", "rho", "kg/m", above(0), at_most(1e3), 0.0, "mass per length, instead of a radius"},
     &StringSpec::density_kg_m},
    {{"bending_N_m2", "EI", "N m2", at_least(0), at_most(1e6), 0.0, "bending stiffness, with density_kg_m"},
     &StringSpec::bending_N_m2},
    {{"stretching_N", "EA", "N", at_least(0), at_most(1e12), 0.0, "stretching stiffness, with density_kg_m"},
     &StringSpec::stretching_N},
    {{"sigma0_1_s", "sigma0", "1/s", at_least(0), at_most(1e6), 0.0, "loss alike at all frequencies"},
     &StringSpec::sigma0_1_s},
    {{"sigma1_m2_s", "sigma1", "m2/s", at_least(0), at_most(1e3), 0.0, "loss that grows with frequency"},
     &StringSpec::sigma1_m2_s},
    {{"gamma", "gamma", "", above(-1), at_most(1000), 0.0, "of operator \"gamma\""}, &StringSpec::gamma},
    {{"intervals", "N", "", at_least(4), at_most(1e6), 0.0, "of the grid; by default as many as stability allows"},
     &StringSpec::intervals},
    {{"modes", "P", "", at_least(1), at_most(1e5), 0.0, "number of modes; by default up to bandwidth"},
     &StringSpec::modes},
    {{"bandwidth", "", "", above(0), at_most(0.999), 0.9, "highest mode over half the sample rate"},
     &StringSpec::bandwidth}};
inline constexpr Field<StartSpec> start_fields[] = {
    {{"position_m", "x", "m", at_least(0), at_most(1e4), 0.0, "apex of a pluck, middle of a bump or strike"},
     &StartSpec::position_m},
    {{"height_m", "", "m", at_least(-1e3), at_most(1e3), 0.0, "of a pluck, bump or mode"}, &StartSpec::height_m},
    {{"width_m", "", "m", above(0), at_most(1e4), 0.0, "of a bump or strike"}, &StartSpec::width_m},
    {{"velocity_m_s", "", "m/s", at_least(-1e6), at_most(1e6), 0.0, "of a strike"}, &StartSpec::velocity_m_s},
    {{"number", "", "", at_least(1), at_most(1e5), 1.0, "of a mode"}, &StartSpec::number}};
inline constexpr Field<BarrierSpec> barrier_fields[] = {
    {{"height_m", "b", "m", at_least(-1e3), at_most(1e3), 0.0, "of a flat barrier, the vertex of a parabola, points"},
     &BarrierSpec::height_m},
    {{"centre_m", "", "m", at_least(-1e4), at_most(1e4), 0.0, "where the vertex of a parabola is"},
     &BarrierSpec::centre_m},
    {{"curvature_1_m", "", "1/m", at_least(-1e6), at_most(1e6), 0.0, "of a parabola, at its vertex"},
     &BarrierSpec::curvature_1_m},
    {{"from_m", "", "m", at_least(0), at_most(1e4), 0.0, "where the barrier begins"}, &BarrierSpec::from_m},
    {{"to_m", "", "m", above(0), at_most(1e4), 0.0, "where it ends; by default where the string does"},
     &BarrierSpec::to_m},
    {{"points", "", "", at_least(1), at_most(1e5), 0.0, "of contact over the whole string, for method \"modes\""},
     &BarrierSpec::points},
    {{"points_per_cell", "", "", at_least(1), at_most(2), 0.0,
      "contact points per mode or interval; by default 2 with landing-two-point up to 64 points, else 1"},
     &BarrierSpec::points_per_cell}};
inline constexpr Field<ContactSpec> contact_fields[] = {
    {{"height_m", "h", "m", at_least(-1e9), at_most(1e9), 0.0,
      "where the wall is; between two bodies the distance at which they touch"},
     &ContactSpec::height_m},
    {{"position_m", "x", "m", at_least(0), at_most(1e6), 0.0, "on a string"}, &ContactSpec::position_m}};
inline constexpr Field<ExcitationSpec> excitation_fields[] = {
    {{"position_m", "x", "m", at_least(0), at_most(1e6), 0.0, "where on a string"}, &ExcitationSpec::position_m},
    {{"amplitude_N", "F", "N", at_least(-1e12), at_most(1e12), 1.0, "force; peak of a sine or pulse"},
     &ExcitationSpec::amplitude_N},
    {{"frequency_hz", "f", "Hz", at_least(0), at_most(1e8), 0.0, "of a sine"}, &ExcitationSpec::frequency_hz},
    {{"start_s", "", "s", at_least(0), at_most(86400), 0.0, "when it begins"}, &ExcitationSpec::start_s},
    {{"duration_s", "", "s", at_least(0), at_most(86400), 0.0, "how long; 0: until the end"},
     &ExcitationSpec::duration_s}};
inline constexpr Field<PickupSpec> pickup_fields[] = {
    {{"position_m", "x", "m", at_least(0), at_most(1e6), 0.0, "where on a string"}, &PickupSpec::position_m},
    {{"gain", "", "", at_least(-1e12), at_most(1e12), 1.0, "factor"}, &PickupSpec::gain},
    {{"pan", "", "", at_least(-1), at_most(1), 0.0, "in stereo: -1 left, 0 middle, 1 right"}, &PickupSpec::pan}};

}  // namespace jawari

#include "jawari/engine/more_fields.h"  // of the bodies and gestures
