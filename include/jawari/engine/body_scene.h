// SPDX-License-Identifier: MIT
// What a scene says about bodies other than masses and strings: bars, membranes, plates, tables of modes, and points
// that are moved by hand.  Plain data in SI units; part of scene.h.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "jawari/body/shapes.h"
#include "jawari/body/string_data.h"

namespace jawari {

/// Where on a body: x along a string or bar, x and y on a surface, or a named point of a table of modes.
struct Location {
  double x_m = 0, y_m = 0;
  std::string point = {};
};

struct BarSpec {
  std::string name = {};
  double length_m = 0, width_m = 0, thickness_m = 0;
  double density_kg_m3 = 0, young_Pa = 0;
  double sigma0_1_s = 0, sigma1_m2_s = 0;
  std::vector<DecayTime> decay = {};  ///< two decay times instead
  double modes = 0, bandwidth = 0.9;
  Ends ends = Ends::free;
};
struct MembraneSpec {
  std::string name = {};
  double radius_m = 0, width_m = 0, height_m = 0;  ///< a circle, or a rectangle
  double tension_N_m = 0, frequency_hz = 0;        ///< one of them
  double density_kg_m2 = 0;
  double sigma0_1_s = 0, sigma1_m2_s = 0;
  std::vector<DecayTime> decay = {};
  double modes = 0, bandwidth = 0.9;
};
struct PlateSpec {
  std::string name = {};
  double radius_m = 0, width_m = 0, height_m = 0;  ///< a clamped circle, or a rectangle on supports
  double thickness_m = 0, density_kg_m3 = 7850, young_Pa = 2e11, poisson = 0.3;
  double sigma0_1_s = 0, sigma1_m2_s = 0;
  std::vector<DecayTime> decay = {};
  double modes = 0, bandwidth = 0.9;
};
/// A measured object or a soundboard.
struct ModalSpec {
  std::string name = {};
  std::vector<double> frequencies_hz = {}, decay_s = {}, masses_kg = {};  ///< one per mode; decay: time for 60 dB
  std::vector<std::pair<std::string, std::vector<double>>> points = {};   ///< name, and the shape of every mode there
};
/// A point that is moved: by `move` events, or by a file.
struct HandSpec {
  std::string name = {};
  double height_m = 0;
  std::vector<double> samples_m = {};  ///< added to height, one value per time step
};

ModeTable mode_table(const BarSpec& spec, double rate_hz);  ///< throw InputError naming the field
ModeTable mode_table(const MembraneSpec& spec, double rate_hz);
ModeTable mode_table(const PlateSpec& spec, double rate_hz);
ModeTable mode_table(const ModalSpec& spec, double rate_hz);

}  // namespace jawari
