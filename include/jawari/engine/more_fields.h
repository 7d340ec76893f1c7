// SPDX-License-Identifier: MIT
// Tables of numbers of the bodies and gestures of a scene; see Field in scene.h, which includes this.
#pragma once
#include "jawari/engine/scene.h"

namespace jawari {

// What every body made of modes shares.
template <class Spec>
constexpr Field<Spec> sigma0_field{
    {"sigma0_1_s", "sigma0", "1/s", at_least(0), at_most(1e6), 0.0, "loss alike at all frequencies"},
    &Spec::sigma0_1_s};
template <class Spec>
constexpr Field<Spec> sigma1_field{
    {"sigma1_m2_s", "sigma1", "m2/s", at_least(0), at_most(1e3), 0.0, "loss that grows with frequency"},
    &Spec::sigma1_m2_s};
template <class Spec>
constexpr Field<Spec> modes_field{
    {"modes", "P", "", at_least(1), at_most(20000), 0.0, "number of modes; by default up to bandwidth"}, &Spec::modes};
template <class Spec>
constexpr Field<Spec> bandwidth_field{
    {"bandwidth", "", "", above(0), at_most(0.999), 0.9, "highest mode over half the sample rate"}, &Spec::bandwidth};

inline constexpr Field<BarSpec> bar_fields[] = {
    {{"length_m", "L", "m", above(0), at_most(1e3), required, "length"}, &BarSpec::length_m},
    {{"width_m", "", "m", above(0), at_most(1e2), required, "width"}, &BarSpec::width_m},
    {{"thickness_m", "", "m", above(0), at_most(10), required, "thickness, in the direction of motion"},
     &BarSpec::thickness_m},
    {{"density_kg_m3", "", "kg/m3", above(0), at_most(1e5), required, "of its material"}, &BarSpec::density_kg_m3},
    {{"young_Pa", "E", "Pa", above(0), at_most(1e13), required, "Young's modulus of its material"}, &BarSpec::young_Pa},
    sigma0_field<BarSpec>,
    sigma1_field<BarSpec>,
    modes_field<BarSpec>,
    bandwidth_field<BarSpec>};
inline constexpr Field<MembraneSpec> membrane_fields[] = {
    {{"radius_m", "R", "m", above(0), at_most(1e2), 0.0, "of a circle"}, &MembraneSpec::radius_m},
    {{"width_m", "", "m", above(0), at_most(1e2), 0.0, "of a rectangle, along x"}, &MembraneSpec::width_m},
    {{"height_m", "", "m", above(0), at_most(1e2), 0.0, "of a rectangle, along y"}, &MembraneSpec::height_m},
    {{"tension_N_m", "T", "N/m", above(0), at_most(1e9), 0.0, "tension per length; or give frequency_hz"},
     &MembraneSpec::tension_N_m},
    {{"frequency_hz", "f1", "Hz", above(0), at_most(1e5), 0.0, "lowest frequency; sets the tension"},
     &MembraneSpec::frequency_hz},
    {{"density_kg_m2", "", "kg/m2", above(0), at_most(1e4), required, "mass per area"}, &MembraneSpec::density_kg_m2},
    sigma0_field<MembraneSpec>,
    sigma1_field<MembraneSpec>,
    modes_field<MembraneSpec>,
    bandwidth_field<MembraneSpec>};
inline constexpr Field<PlateSpec> plate_fields[] = {
    {{"radius_m", "R", "m", above(0), at_most(1e2), 0.0, "of a circle, clamped"}, &PlateSpec::radius_m},
    {{"width_m", "", "m", above(0), at_most(1e2), 0.0, "of a rectangle on supports, along x"}, &PlateSpec::width_m},
    {{"height_m", "", "m", above(0), at_most(1e2), 0.0, "of a rectangle on supports, along y"}, &PlateSpec::height_m},
    {{"thickness_m", "h", "m", above(0), at_most(10), required, "thickness"}, &PlateSpec::thickness_m},
    {{"density_kg_m3", "", "kg/m3", above(0), at_most(1e5), 7850.0, "of its material (steel)"},
     &PlateSpec::density_kg_m3},
    {{"young_Pa", "E", "Pa", above(0), at_most(1e13), 2e11, "Young's modulus of its material (steel)"},
     &PlateSpec::young_Pa},
    {{"poisson", "nu", "", at_least(0), below(0.5), 0.3, "Poisson's ratio"}, &PlateSpec::poisson},
    sigma0_field<PlateSpec>,
    sigma1_field<PlateSpec>,
    modes_field<PlateSpec>,
    bandwidth_field<PlateSpec>};
inline constexpr Field<HandSpec> hand_fields[] = {
    {{"height_m", "", "m", at_least(-1e3), at_most(1e3), 0.0, "where it is at the start"}, &HandSpec::height_m}};
inline constexpr Field<ConnectionSpec> connection_fields[] = {
    {{"stiffness_N_m", "K", "N/m", at_least(0), at_most(1e15), 0.0, "of the spring"}, &ConnectionSpec::stiffness_N_m},
    {{"damping_N_s_m", "R", "N s/m", at_least(0), at_most(1e12), 0.0, "of the damper"}, &ConnectionSpec::damping_N_s_m},
    {{"rest_m", "", "m", at_least(-1e3), at_most(1e3), 0.0, "lower minus upper body where the spring is relaxed"},
     &ConnectionSpec::rest_m}};
inline constexpr Field<FrictionSpec> friction_fields[] = {
    {{"coefficient", "theta", "", at_least(0), at_most(1e3), required, "friction force over normal force"},
     &FrictionSpec::coefficient},
    {{"normal_N", "N", "N", at_least(0), at_most(1e9), 0.0, "normal force; or name a contact with normal"},
     &FrictionSpec::normal_N}};
inline constexpr Field<HammerSpec> hammer_fields[] = {
    {{"mass_kg", "m", "kg", at_least(1e-12), at_most(1e6), required, "of its head"}, &HammerSpec::mass_kg},
    {{"velocity_m_s", "v", "m/s", at_least(0), at_most(1e3), 0.0, "thrown at the start with this speed; 0: waits"},
     &HammerSpec::velocity_m_s}};
inline constexpr Field<TouchSpec> plectrum_fields[] = {
    {{"away_m", "", "m", above(0), at_most(10), 0.005, "where it waits: this far from the body at rest"},
     &TouchSpec::away_m}};
inline constexpr Field<TouchSpec> finger_fields[] = {
    {{"away_m", "", "m", above(0), at_most(10), 0.005, "where it waits: this far from the body at rest"},
     &TouchSpec::away_m},
    {{"start_m", "", "m", at_least(0), at_most(1), 0.0, "presses this deep at the start"}, &TouchSpec::start_m}};
inline constexpr Field<RattleSpec> rattle_fields[] = {
    {{"mass_kg", "m", "kg", at_least(1e-12), at_most(1e6), required, "of the loose piece"}, &RattleSpec::mass_kg},
    {{"gap_m", "", "m", at_least(0), at_most(1), 0.0, "half of its play; 0: it lies on the body"}, &RattleSpec::gap_m},
    {{"hold_N", "", "N", at_least(0), at_most(1e6), 0.0, "force that holds it to the body: weight, spring"},
     &RattleSpec::hold_N}};
inline constexpr Field<BoltSpec> bolt_fields[] = {
    {{"mass_kg", "m", "kg", at_least(1e-12), at_most(1e6), required, "mass"}, &BoltSpec::mass_kg},
    {{"stiffness_N_m", "K", "N/m", above(0), at_most(1e12), 1e6, "of its grip"}, &BoltSpec::stiffness_N_m},
    {{"damping_N_s_m", "R", "N s/m", at_least(0), at_most(1e9), 0.0, "of its grip"}, &BoltSpec::damping_N_s_m}};
inline constexpr Field<RubberSpec> rubber_fields[] = {
    {{"stiffness_N_m", "K", "N/m", at_least(0), at_most(1e12), 0.0, "to the frame"}, &RubberSpec::stiffness_N_m},
    {{"damping_N_s_m", "R", "N s/m", at_least(0), at_most(1e9), 0.0, "to the frame"}, &RubberSpec::damping_N_s_m}};
inline constexpr Field<FretSpec> fret_fields[] = {
    {{"position_m", "x", "m", above(0), at_most(1e4), required, "where along the string"}, &FretSpec::position_m},
    {{"height_m", "b", "m", at_least(-1e3), at_most(1e3), 0.0, "of its top, over the string at rest"},
     &FretSpec::height_m}};
inline constexpr Field<SnareSpec> snare_fields[] = {
    {{"wires", "", "", at_least(1), at_most(100), 1.0, "how many"}, &SnareSpec::wires},
    {{"length_m", "L", "m", above(0), at_most(1e2), required, "of a wire"}, &SnareSpec::length_m},
    {{"spacing_m", "", "m", at_least(0), at_most(1), 0.003, "between two wires"}, &SnareSpec::spacing_m},
    {{"tension_N", "T", "N", above(0), at_most(1e6), required, "of a wire"}, &SnareSpec::tension_N},
    {{"density_kg_m", "rho", "kg/m", above(0), at_most(1e2), required, "mass per length of a wire"},
     &SnareSpec::density_kg_m},
    {{"sigma0_1_s", "sigma0", "1/s", at_least(0), at_most(1e6), 0.0, "loss of a wire"}, &SnareSpec::sigma0_1_s},
    {{"points", "", "", at_least(1), at_most(1000), 8.0, "of contact per wire"}, &SnareSpec::points},
    {{"gap_m", "", "m", at_least(-1e-2), at_most(1), 0.0, "between wires and membrane; below 0: pressed on"},
     &SnareSpec::gap_m}};
inline constexpr Field<VoiceSpec> voice_fields[] = {
    {{"voices", "", "", at_least(1), at_most(256), 0.0, "how many at once; by default a string for every pitch"},
     &VoiceSpec::voices},
    {{"soft", "", "m/s or m", above(0), at_most(1e3), required, "speed of the hammer or depth of the plectrum at pp"},
     &VoiceSpec::soft},
    {{"loud", "", "m/s or m", above(0), at_most(1e3), required, "the same at ff"}, &VoiceSpec::loud},
    {{"damping_1_s", "", "1/s", at_least(0), at_most(1e5), 25.0, "decay added when the key is up"},
     &VoiceSpec::damping_1_s},
    {{"bend_semitones", "", "", at_least(0), at_most(96), 2.0, "of a full pitch bend; 48 for MPE"},
     &VoiceSpec::bend_semitones},
    {{"tail_s", "", "s", at_least(0), at_most(600), 2.0, "after the last note"}, &VoiceSpec::tail_s},
    {{"spread", "", "", at_least(-1), at_most(1), 0.0, "pickups from left (low) to right (high)"}, &VoiceSpec::spread},
    {{"length_exponent", "", "", at_least(-2), at_most(2), 0.0, "length of a string over its pitch"},
     &VoiceSpec::length_exponent},
    {{"radius_exponent", "", "", at_least(-2), at_most(2), 0.0, "radius of a string over its pitch"},
     &VoiceSpec::radius_exponent},
    {{"mass_exponent", "", "", at_least(-3), at_most(3), 0.0, "mass of the hammer over the pitch"},
     &VoiceSpec::mass_exponent},
    {{"stiffness_exponent", "", "", at_least(-5), at_most(5), 0.0, "stiffness of the hammer over the pitch"},
     &VoiceSpec::stiffness_exponent},
    {{"decay_exponent", "", "", at_least(-3), at_most(3), 0.0, "decay times over the pitch"},
     &VoiceSpec::decay_exponent}};
inline constexpr Field<EventSpec> event_fields[] = {
    {{"time_s", "t", "s", at_least(0), at_most(86400), 0.0, "when"}, &EventSpec::time_s},
    {{"duration_s", "", "s", at_least(0), at_most(86400), 0.0, "how long the movement or change takes"},
     &EventSpec::duration_s}};

}  // namespace jawari
