// SPDX-License-Identifier: MIT
// What a scene says about strings and the barriers they meet.  Plain data in SI units; part of scene.h.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jawari/body/string_grid.h"
#include "jawari/registry.h"

namespace jawari {

inline constexpr std::string_view side_names[] = {"below", "above"};  ///< of a string or body
inline constexpr std::string_view grid_loss_names[] = {"explicit", "centred"};
inline constexpr std::string_view grid_spreading_names[] = {"cubic", "nearest"};

/// How a string begins.
enum class StartShape { rest, pluck, bump, strike, mode, profile, function };
inline constexpr std::string_view start_names[] = {"rest", "pluck", "bump", "strike", "mode", "file"};
struct StartSpec {
  StartShape shape = StartShape::rest;
  double position_m = 0;                   ///< apex of a pluck, middle of a bump or strike
  double height_m = 0;                     ///< of a pluck (triangle), bump (raised cosine) or mode
  double width_m = 0;                      ///< of a bump or strike
  double velocity_m_s = 0;                 ///< of a strike (raised cosine)
  double number = 1;                       ///< of a mode
  std::vector<double> x_m = {}, u_m = {};  ///< profile, straight between its points; zero at the supports
  std::function<double(double x_m)> displacement = {}, velocity = {};  ///< function
};

enum class StringMethod { grid, modes, automatic };  ///< automatic: the better of the two (engine/lower.h)
inline constexpr std::string_view string_method_names[] = {"grid", "modes", "auto"};
struct StringSpec {
  std::string name = {};
  double length_m = 0;
  double tension_N = 0, frequency_hz = 0;  ///< one of them; the other is 0
  double highest_hz = 0;                   ///< up to where events may tune it; 0: not above frequency_hz
  // Either a solid round string...
  double radius_m = 0, density_kg_m3 = 7850, young_Pa = 2e11;
  // ... or per length; radius 0.
  double density_kg_m = 0, bending_N_m2 = 0, stretching_N = 0;
  double sigma0_1_s = 0, sigma1_m2_s = 0;
  std::vector<DecayTime> decay = {};  ///< two decay times instead of sigma0 and sigma1
  bool tension_modulation = false;
  StringMethod method = StringMethod::grid;
  GridOperator op = GridOperator::explicit_;  ///< grid
  double gamma = 0, intervals = 0;            ///< grid; intervals 0: as many as stability allows
  bool centred_loss = false;                  ///< grid
  bool nearest_node = false;                  ///< grid: places between nodes are the nearest node
  Stepping stepping = Stepping::constant;     ///< modes
  double modes = 0;                           ///< modes; 0: up to `bandwidth` of Nyquist
  double bandwidth = 0.9;
  StartSpec start = {};
};

/// Shape of a barrier: where its surface is.
enum class BarrierShape { flat, parabola, polynomial, points, profile, function };
inline constexpr std::string_view barrier_names[] = {"flat", "parabola", "polynomial", "points", "file", "point"};
struct BarrierSpec {
  std::string name = {};    ///< by default "string-barrier"
  std::string string = {};  ///< the string that meets it
  std::string on = {};      ///< a mass or hand that carries it; empty: it stands still
  bool above = false;       ///< it hangs above the string instead of lying below
  BarrierShape shape = BarrierShape::flat;
  double height_m = 0;                     ///< flat: everywhere; parabola: of its vertex; points: of those without own
  double centre_m = 0, curvature_1_m = 0;  ///< parabola: height - curvature/2 (x - centre)^2 (above: +)
  std::vector<double> coefficients = {};   ///< polynomial in x [m], from the constant on
  std::vector<double> x_m = {}, heights_m = {};   ///< points, profile
  std::function<double(double x_m)> height = {};  ///< function
  double from_m = 0, to_m = 0;                    ///< extent; to 0: the end of the string
  double points = 0;                              ///< modes: contact points at j L/(points + 1); 0: as many as modes
  double points_per_cell = 0;  ///< 1 or 2; 0: two with landing where that is not too many (compile.cpp)
  LawSpec law = {};
  bool per_length = false;  ///< law.stiffness is per length, N/m^(exponent+1); otherwise per point, N/m^exponent
  std::optional<SchemeSpec> scheme =
      {};  ///< if absent landing-two-point, or two-point where the law is a table or has two sides

  bool pointwise() const noexcept { return shape == BarrierShape::points; }
  double height_at(double x_m) const;  ///< of the surface; not for points
};

StringData string_data(const StringSpec& spec);  ///< throws InputError naming the field

}  // namespace jawari
