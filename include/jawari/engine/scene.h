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
  Choice law = {};
  std::optional<Choice> scheme = {};       ///< default_scheme() if absent
};
inline constexpr std::string_view wall = "wall";  ///< the name of a fixed barrier

enum class SignalType { constant, sine, pulse, samples };
inline constexpr std::string_view signal_names[] = {"constant", "sine", "pulse", "file"};
struct ExcitationSpec {
  std::string body = {};
  SignalType type = SignalType::constant;
  double amplitude_N = 0, frequency_hz = 0, start_s = 0, duration_s = 0;  ///< duration 0: until the end
  std::vector<double> samples_N = {};  ///< type samples: one value per time step, from start_s on
};

enum class Quantity { displacement, velocity, acceleration, force };
inline constexpr std::string_view quantity_names[] = {"displacement", "velocity", "acceleration", "force"};
struct PickupSpec {
  std::string of = {};                      ///< a body or a contact
  Quantity quantity = Quantity::velocity;   ///< of a contact: force only
  double gain = 1;
};

struct Scene {
  std::string title = {};
  double rate_hz = 44100, duration_s = 1;
  double gravity_m_s2 = 0;  ///< pulls every mass down
  std::vector<MassSpec> masses = {};
  std::vector<ContactSpec> contacts = {};
  std::vector<ExcitationSpec> excitations = {};
  std::vector<PickupSpec> pickups = {};  ///< none: the force of every contact
};

/// A number of a specification, with what it may be: read, checked, documented from here.
template <class Spec>
struct Field {
  Param param;
  double Spec::*member;
};
inline constexpr Field<Scene> scene_fields[] = {
    {{"rate_hz", "fs", "Hz", at_least(100), at_most(1e8), 44100.0, "sample rate"}, &Scene::rate_hz},
    {{"duration_s", "", "s", above(0), at_most(86400), required, "length"}, &Scene::duration_s},
    {{"gravity_m_s2", "g", "m/s2", at_least(-1e6), at_most(1e6), 0.0, "pulls every mass down"}, &Scene::gravity_m_s2}};
inline constexpr Field<MassSpec> mass_fields[] = {
    {{"mass_kg", "m", "kg", above(0), at_most(1e12), required, "mass"}, &MassSpec::mass_kg},
    {{"position_m", "u", "m", at_least(-1e9), at_most(1e9), 0.0, "height at the start"}, &MassSpec::position_m},
    {{"velocity_m_s", "v", "m/s", at_least(-1e6), at_most(1e6), 0.0, "velocity at the start, upwards"},
     &MassSpec::velocity_m_s},
    {{"spring_N_m", "k", "N/m", at_least(0), at_most(1e15), 0.0, "spring to the ground"}, &MassSpec::spring_N_m},
    {{"rest_m", "", "m", at_least(-1e9), at_most(1e9), 0.0, "where the spring is relaxed"}, &MassSpec::rest_m},
    {{"damper_N_s_m", "c", "N s/m", at_least(0), at_most(1e12), 0.0, "damper to the ground"}, &MassSpec::damper_N_s_m},
    {{"load_N", "", "N", at_least(-1e12), at_most(1e12), 0.0, "constant force, upwards"}, &MassSpec::load_N}};
inline constexpr Field<ContactSpec> contact_fields[] = {
    {{"height_m", "h", "m", at_least(-1e9), at_most(1e9), 0.0,
      "where the wall is; between two bodies the distance at which they touch"},
     &ContactSpec::height_m}};
inline constexpr Field<ExcitationSpec> excitation_fields[] = {
    {{"amplitude_N", "F", "N", at_least(-1e12), at_most(1e12), 1.0, "force; peak of a sine or pulse"},
     &ExcitationSpec::amplitude_N},
    {{"frequency_hz", "f", "Hz", at_least(0), at_most(1e8), 0.0, "of a sine"}, &ExcitationSpec::frequency_hz},
    {{"start_s", "", "s", at_least(0), at_most(86400), 0.0, "when it begins"}, &ExcitationSpec::start_s},
    {{"duration_s", "", "s", at_least(0), at_most(86400), 0.0, "how long; 0: until the end"},
     &ExcitationSpec::duration_s}};
inline constexpr Field<PickupSpec> pickup_fields[] = {
    {{"gain", "", "", at_least(-1e12), at_most(1e12), 1.0, "factor"}, &PickupSpec::gain}};

}  // namespace jawari
