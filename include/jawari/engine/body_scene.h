// SPDX-License-Identifier: MIT
// What a scene says about bodies other than masses and strings: bars, membranes, plates, tables of modes, and points
// that are moved by hand.  Plain data in SI units; part of scene.h.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "jawari/body/shapes.h"
#include "jawari/body/string_data.h"
#include "jawari/engine/schema.h"

namespace jawari {

/// Where on a body: x along a string or bar, x and y on a surface, or a named point of a table of modes.
struct Location {
  double x_m = 0, y_m = 0;
  std::string point = {};
  bool operator==(const Location&) const = default;
};

inline constexpr Param bandwidth_param{
    "bandwidth", "", "", above(0), at_most(0.999), 0.9, "Frequency of the highest mode over half the sample rate."};
template <class V, class S>
void visit_losses(V& v, S& s) {
  v.number({"sigma0_1_s", "sigma0", "1/s", at_least(0), at_most(1e6), 0.0, "Decay rate that all frequencies share."},
           s.sigma0_1_s);
  v.number({"sigma1_m2_s", "sigma1", "m2/s", at_least(0), at_most(1e3), 0.0,
            "Decay that grows with frequency: with the square of the wave number."},
           s.sigma1_m2_s);
}
/// Throws InputError unless there are two of either, or none.
std::vector<DecayTime> decay_times(const std::vector<double>& times_s, const std::vector<double>& frequencies_hz);
/// Two decay times, which files say as two lists.
template <class V, class S>
void visit_decay(V& v, S& s) {
  std::vector<double> times, frequencies;
  for (const DecayTime& d : s.decay) {
    times.push_back(d.seconds);
    frequencies.push_back(d.frequency_hz);
  }
  v.list({"decay_s", "s", 1e-9, 1e9,
          "Two times in which the sound decays by 60 dB, instead of sigma0_1_s and sigma1_m2_s."},
         times);
  v.list({"decay_hz", "Hz", 1e-6, 1e9, "The two frequencies, rising, at which decay_s holds."}, frequencies);
  if constexpr (V::reads) v.assign([&] { s.decay = decay_times(times, frequencies); });
}
/// What bodies made of modes have in common, after their own numbers.
template <class V, class S>
void visit_modes(V& v, S& s) {
  visit_losses(v, s);
  v.integer({"modes", "P", "", at_least(1), at_most(20000), 0.0, "Number of modes; by default all up to bandwidth."},
            s.modes);
  v.number(bandwidth_param, s.bandwidth);
  visit_decay(v, s);
}

inline constexpr std::string_view side_names[] = {"below", "above"};  ///< of a string or body
inline constexpr KeyInfo body_name_key{"name", "The name by which other parts refer to it.", required_key};

struct BarSpec {
  std::string name = {};
  double length_m = 0, width_m = 0, thickness_m = 0;
  double density_kg_m3 = 0, young_Pa = 0;
  double sigma0_1_s = 0, sigma1_m2_s = 0;
  std::vector<DecayTime> decay = {};  ///< two decay times instead
  int modes = 0;
  double bandwidth = 0.9;
  Ends ends = Ends::free;
};
template <class V, Is<BarSpec> S>
void visit(V& v, S& s) {
  v.name(body_name_key, s.name);
  v.number({"length_m", "L", "m", above(0), at_most(1e3), required, "Length of the bar."}, s.length_m);
  v.number({"width_m", "", "m", above(0), at_most(1e2), required, "Width of the bar, across the motion."}, s.width_m);
  v.number(
      {"thickness_m", "", "m", above(0), at_most(10), required, "Thickness of the bar, in the direction of motion."},
      s.thickness_m);
  v.number({"density_kg_m3", "", "kg/m3", above(0), at_most(1e5), required, "Density of the bar's material."},
           s.density_kg_m3);
  v.number({"young_Pa", "E", "Pa", above(0), at_most(1e13), required, "Young's modulus of the bar's material."},
           s.young_Pa);
  visit_modes(v, s);
  v.word({"ends", ends_names, "free", "How the two ends of the bar are held."}, s.ends);
}

struct MembraneSpec {
  std::string name = {};
  double radius_m = 0, width_m = 0, height_m = 0;  ///< a circle, or a rectangle
  double tension_N_m = 0, frequency_hz = 0;        ///< one of them
  double density_kg_m2 = 0;
  double sigma0_1_s = 0, sigma1_m2_s = 0;
  std::vector<DecayTime> decay = {};
  int modes = 0;
  double bandwidth = 0.9;
};
template <class V, class S>
void visit_outline(V& v, S& s, std::string_view circle, std::string_view across, std::string_view along) {
  v.number({"radius_m", "R", "m", above(0), at_most(1e2), 0.0, circle}, s.radius_m);
  v.number({"width_m", "", "m", above(0), at_most(1e2), 0.0, across}, s.width_m);
  v.number({"height_m", "", "m", above(0), at_most(1e2), 0.0, along}, s.height_m);
}
template <class V, Is<MembraneSpec> S>
void visit(V& v, S& s) {
  v.name(body_name_key, s.name);
  visit_outline(v, s, "Radius of a circular membrane.", "Width of a rectangular membrane, along x.",
                "Height of a rectangular membrane, along y.");
  v.number({"tension_N_m", "T", "N/m", above(0), at_most(1e9), 0.0, "Tension per length; give it or frequency_hz."},
           s.tension_N_m);
  v.number({"frequency_hz", "f1", "Hz", above(0), at_most(1e5), 0.0,
            "Lowest frequency of the membrane; the tension follows from it."},
           s.frequency_hz);
  v.number({"density_kg_m2", "", "kg/m2", above(0), at_most(1e4), required, "Mass of the membrane per area."},
           s.density_kg_m2);
  visit_modes(v, s);
}

struct PlateSpec {
  std::string name = {};
  double radius_m = 0, width_m = 0, height_m = 0;  ///< a clamped circle, or a rectangle on supports
  double thickness_m = 0, density_kg_m3 = 7850, young_Pa = 2e11, poisson = 0.3;
  double sigma0_1_s = 0, sigma1_m2_s = 0;
  std::vector<DecayTime> decay = {};
  int modes = 0;
  double bandwidth = 0.9;
};
template <class V, Is<PlateSpec> S>
void visit(V& v, S& s) {
  v.name(body_name_key, s.name);
  visit_outline(v, s, "Radius of a circular plate, clamped at its edge.",
                "Width of a rectangular plate on supports, along x.",
                "Height of a rectangular plate on supports, along y.");
  v.number({"thickness_m", "h", "m", above(0), at_most(10), required, "Thickness of the plate."}, s.thickness_m);
  v.number({"density_kg_m3", "", "kg/m3", above(0), at_most(1e5), 7850.0,
            "Density of the plate's material; the default is steel."},
           s.density_kg_m3);
  v.number({"young_Pa", "E", "Pa", above(0), at_most(1e13), 2e11,
            "Young's modulus of the plate's material; the default is steel."},
           s.young_Pa);
  v.number({"poisson", "nu", "", at_least(0), below(0.5), 0.3, "Poisson's ratio of the plate's material."}, s.poisson);
  visit_modes(v, s);
}

/// A measured object or a soundboard.
struct ModalSpec {
  std::string name = {};
  std::vector<double> frequencies_hz = {}, decay_s = {}, masses_kg = {};  ///< one per mode; decay: time for 60 dB
  std::vector<std::pair<std::string, std::vector<double>>> points = {};   ///< name, and the shape of every mode there
};
template <class V, Is<ModalSpec> S>
void visit(V& v, S& s) {
  v.name(body_name_key, s.name);
  v.list({"frequencies_hz", "Hz", 0, 1e9, "Frequencies of the modes."}, s.frequencies_hz);
  v.list({"decay_s", "s", 1e-6, 1e9, "Time in which each mode decays by 60 dB."}, s.decay_s);
  v.list({"masses_kg", "kg", 1e-12, 1e12, "Mass of each mode."}, s.masses_kg);
  v.shapes({"points", "Named points of the body, and the shape of every mode there.", required_key}, s.points);
}

/// A point that is moved: by `move` events, or by a file.
struct HandSpec {
  std::string name = {};
  double height_m = 0;
  std::vector<double> samples_m = {};  ///< added to height, one value per time step
};
template <class V, Is<HandSpec> S>
void visit(V& v, S& s) {
  v.name(body_name_key, s.name);
  v.number({"height_m", "", "m", at_least(-1e3), at_most(1e3), 0.0, "Height of the hand at the start."}, s.height_m);
  v.samples({"samples_m", "m", -1e3, 1e3, "Motion of the hand: added to its height, one value per time step."},
            {"file", "The same from a file: one value per line, or a sound file at the rate of the time steps."},
            s.samples_m);
}

ModeTable mode_table(const BarSpec& spec, double rate_hz);  ///< throw InputError naming the key
ModeTable mode_table(const MembraneSpec& spec, double rate_hz);
ModeTable mode_table(const PlateSpec& spec, double rate_hz);
ModeTable mode_table(const ModalSpec& spec, double rate_hz);

/// A body made of modes, as the compiler takes it.
struct TableBody {
  std::string_view kind;
  ModeTable table;
  std::vector<Place> picture;  ///< where it is drawn; none: not at all
  bool surface = false;        ///< its picture has two dimensions
  Location usual = {};         ///< where it is heard if the scene does not say
  std::vector<std::pair<std::string, std::vector<double>>> points = {};  ///< if there are any, no other places
};
TableBody table_body(const BarSpec& spec, double rate_hz);  ///< throw InputError naming the key
TableBody table_body(const MembraneSpec& spec, double rate_hz);
TableBody table_body(const PlateSpec& spec, double rate_hz);
TableBody table_body(const ModalSpec& spec, double rate_hz);

}  // namespace jawari
