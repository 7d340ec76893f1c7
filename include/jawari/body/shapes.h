// SPDX-License-Identifier: MIT
// Tables of modes of bars, membranes and plates from physical data, and what a point on them reads of every mode.
//   bar       rho A u_tt = -EI u_xxxx                        ends supported, clamped or free                     (B1)
//   membrane  rho u_tt = T Lap u                             rectangle or circle, fixed edge                     (B2)
//   plate     rho h u_tt = -B Lap^2 u, B = E h^3/12(1-nu^2)  rectangle supported, circle clamped                 (B3)
// with losses sigma_0 + sigma_1 beta^2, beta the wave number: as for strings (S2).  Everything here is set-up.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "jawari/body/choices.h"

namespace jawari {

/// A point on a body: along a bar x; on a rectangle x and y; on a circle x and y from its middle.
struct Place {
  double x_m = 0, y_m = 0;
};

/// Modes in the order of frequency, and their shapes.
struct ModeTable {
  std::vector<Mode> modes;
  std::function<double(std::size_t mode, Place place)> shape;
  std::function<bool(Place place)> holds;  ///< whether a place lies on the body

  std::function<std::vector<double>(Place place)> rows = {};  ///< all modes at once, where that is cheaper

  std::vector<double> row(Place place) const {
    if (rows) return rows(place);
    std::vector<double> r(modes.size());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = shape(i, place);
    return r;
  }
};

struct Loss {
  double sigma0_1_s = 0, sigma1_m2_s = 0;
};

enum class Ends { supported, clamped, free, clamped_free };
inline constexpr std::string_view ends_names[] = {"supported", "clamped", "free", "clamped-free"};
struct BarData {
  double length_m = 1, density_kg_m = 1, bending_N_m2 = 1;  ///< mass per length, EI
  Ends ends = Ends::supported;
  Loss loss = {};
};
/// Free bars also move as a whole: two modes of frequency zero come first.
ModeTable bar_modes(const BarData& bar, double omega_limit_rad_s, std::size_t most);

struct MembraneData {
  double width_m = 0, height_m = 0, radius_m = 0;  ///< a rectangle, or a circle if radius > 0
  double tension_N_m = 1, density_kg_m2 = 1;
  Loss loss = {};
};
ModeTable membrane_modes(const MembraneData& membrane, double omega_limit_rad_s, std::size_t most);

struct PlateData {
  double width_m = 0, height_m = 0, radius_m = 0;
  double thickness_m = 1e-3, density_kg_m3 = 7850, young_Pa = 2e11, poisson = 0.3;
  Loss loss = {};
};
ModeTable plate_modes(const PlateData& plate, double omega_limit_rad_s, std::size_t most);

}  // namespace jawari
