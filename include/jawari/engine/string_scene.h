// SPDX-License-Identifier: MIT
// What a scene says about strings and the barriers they meet.  Plain data in SI units; part of scene.h.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jawari/body/choices.h"
#include "jawari/engine/body_scene.h"
#include "jawari/engine/schema.h"
#include "jawari/registry.h"

namespace jawari {

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
  int number = 1;                          ///< of a mode
  std::vector<double> x_m = {}, u_m = {};  ///< profile, straight between its points; zero at the supports
  std::function<double(double x_m)> displacement = {}, velocity = {};  ///< function
};

template <class V, Is<StartSpec> S>
void visit(V& v, S& s) {
  v.word({"shape", start_names, {}, "What the string looks like at the start.", required_key}, s.shape);
  v.number({"position_m", "x", "m", at_least(0), at_most(1e4), 0.0,
            "Where the apex of a pluck, or the middle of a bump or strike, is along the string."},
           s.position_m);
  v.number({"height_m", "", "m", at_least(-1e3), at_most(1e3), 0.0, "How high a pluck, bump or mode is."}, s.height_m);
  v.number({"width_m", "", "m", above(0), at_most(1e4), 0.0, "How wide a bump or strike is."}, s.width_m);
  v.number({"velocity_m_s", "", "m/s", at_least(-1e6), at_most(1e6), 0.0, "How fast the middle of a strike moves."},
           s.velocity_m_s);
  v.integer({"number", "", "", at_least(1), at_most(1e5), 1.0, "Which mode the string starts in; 1 is the lowest."},
            s.number);
  v.list({"x_m", "m", 0, 1e4, "For shape \"file\" without a file: positions, rising."}, s.x_m);
  v.list({"u_m", "m", -1e3, 1e3, "For shape \"file\" without a file: heights at x_m, straight between them."}, s.u_m);
  v.curve_file({"file", "For shape \"file\": a file with two columns, x and height in metres."},
               s.shape == StartShape::profile, s.x_m, s.u_m);
}

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
  double gamma = 0;                           ///< grid
  int intervals = 0;                          ///< grid; 0: as many as stability allows
  bool centred_loss = false;                  ///< grid
  bool nearest_node = false;                  ///< grid: places between nodes are the nearest node
  Stepping stepping = Stepping::constant;     ///< modes
  int modes = 0;                              ///< modes; 0: up to `bandwidth` of Nyquist
  double bandwidth = 0.9;
  StartSpec start = {};
};

/// Shape of a barrier: where its surface is.
/// point: how files say a list of one point.
enum class BarrierShape { flat, parabola, polynomial, points, profile, point, function };
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
  int points = 0;                                 ///< modes: contact points at j L/(points + 1); 0: as many as modes
  int points_per_cell = 0;  ///< 1 or 2; 0: two with landing where that is not too many (compile.cpp)
  LawSpec law = {};
  bool per_length = false;  ///< law.stiffness is per length, N/m^(exponent+1); otherwise per point, N/m^exponent
  std::optional<SchemeSpec> scheme =
      {};  ///< if absent landing-two-point, or two-point where the law is a table or has two sides
  std::vector<double> range_m = {};  ///< least and largest shift along the string; none: it stays where it is
  bool moves_alone() const noexcept { return pointwise() && x_m.size() == 1; }  ///< one point: a position is its shift

  bool pointwise() const noexcept { return shape == BarrierShape::points || shape == BarrierShape::point; }
  double height_at(double x_m) const;  ///< of the surface; not for points
};

/// What the other method takes is refused, and not written.
template <class V, Is<StringSpec> S>
void visit(V& v, S& s) {
  const bool grid = s.method != StringMethod::modes;
  v.name({"name", "The name by which other parts refer to the string.", required_key}, s.name);
  v.number({"length_m", "L", "m", above(0), at_most(1e4), required, "Length between the two supports."}, s.length_m);
  v.number({"tension_N", "T", "N", above(0), at_most(1e9), 0.0, "Tension of the string; give it or frequency_hz."},
           s.tension_N);
  v.number({"frequency_hz", "f1", "Hz", above(0), at_most(1e6), 0.0,
            "Lowest frequency of the string; the tension follows from it."},
           s.frequency_hz);
  v.number({"highest_hz", "", "Hz", above(0), at_most(1e6), 0.0,
            "The highest pitch that events may tune the string to; by default its own."},
           s.highest_hz);
  v.number({"radius_m", "r", "m", above(0), at_most(1), 0.0,
            "Radius of a solid round string; density_kg_m3 and young_Pa go with it."},
           s.radius_m);
  v.number({"density_kg_m3", "", "kg/m3", above(0), at_most(1e5), 7850.0,
            "Density of the string's material; the default is steel."},
           s.density_kg_m3);
  v.number({"young_Pa", "E", "Pa", at_least(0), at_most(1e13), 2e11,
            "Young's modulus of the string's material; the default is steel."},
           s.young_Pa);
  v.number({"density_kg_m", "rho", "kg/m", above(0), at_most(1e3), 0.0, "Mass per length, instead of a radius."},
           s.density_kg_m);
  v.number({"bending_N_m2", "EI", "N m2", at_least(0), at_most(1e6), 0.0, "Bending stiffness; goes with density_kg_m."},
           s.bending_N_m2);
  v.number({"stretching_N", "EA", "N", at_least(0), at_most(1e12), 0.0,
            "Stretching stiffness; goes with density_kg_m and tension_modulation."},
           s.stretching_N);
  visit_losses(v, s);
  if (v.relevant(grid)) {
    v.number({"gamma", "gamma", "", above(-1), at_most(1000), 0.0, "Parameter of the grid operator \"gamma\"."},
             s.gamma);
    v.integer({"intervals", "N", "", at_least(4), at_most(1e6), 0.0,
               "Number of intervals of the grid; by default as many as stability allows."},
              s.intervals);
  }
  if (v.relevant(!grid)) {
    v.integer({"modes", "P", "", at_least(1), at_most(1e5), 0.0, "Number of modes; by default all up to bandwidth."},
              s.modes);
    v.number(bandwidth_param, s.bandwidth);
  }
  visit_decay(v, s);
  v.flag({"tension_modulation", "Whether the string gets tighter as it stretches: a twang at large swings."},
         s.tension_modulation);
  v.word({"method", string_method_names, "auto",
          "How the string is computed: on a grid, by exact modes, or by the better of the two for this string."},
         s.method);
  if (v.relevant(grid)) {
    v.word({"operator", grid_operator_names, "explicit", "Which finite differences the grid uses."}, s.op);
    v.word({"loss", grid_loss_names, "explicit", "How the grid steps the loss sigma1_m2_s."}, s.centred_loss);
    v.word(
        {"spreading", grid_spreading_names, "cubic", "How a place between two nodes of the grid is read and pushed."},
        s.nearest_node);
  }
  if (v.relevant(!grid)) v.word({"stepping", stepping_names, "constant", "How the modes are stepped."}, s.stepping);
  v.table({"start", "How the string begins; without it the string is at rest."}, s.start,
          s.start.shape != StartShape::rest);
}

template <class V, Is<BarrierSpec> S>
void visit(V& v, S& s) {
  v.name({"name", "The name of the barrier; by default the name of the string and \"-barrier\"."}, s.name);
  v.reference({"string", "The name of the string that meets the barrier.", required_key}, Refers::string, s.string);
  v.reference({"on", "The name of a mass or hand that carries the barrier; without it the barrier stands still."},
              Refers::carrier, s.on);
  v.word({"side", side_names, "below", "Where the barrier is, seen from the string."}, s.above);
  v.word({"shape", barrier_names, {}, "Where the surface of the barrier is.", required_key}, s.shape);
  v.number({"height_m", "b", "m", at_least(-1e3), at_most(1e3), 0.0,
            "Height of a flat barrier, of the vertex of a parabola, or of points, over the string at rest."},
           s.height_m);
  v.along({"centre_m", "", "m", at_least(-1e4), at_most(1e4), 0.0, "Where the vertex of a parabola is."}, s.centre_m,
          s.string);
  v.number({"curvature_1_m", "", "1/m", at_least(-1e6), at_most(1e6), 0.0, "Curvature of a parabola at its vertex."},
           s.curvature_1_m);
  v.along({"from_m", "", "m", at_least(0), at_most(1e4), 0.0, "Where the barrier begins along the string."}, s.from_m,
          s.string);
  v.along({"to_m", "", "m", above(0), at_most(1e4), 0.0,
           "Where the barrier ends along the string; by default where the string does."},
          s.to_m, s.string);
  v.integer({"points", "", "", at_least(1), at_most(1e5), 0.0,
             "Number of contact points over the whole string; goes with method \"modes\"."},
            s.points);
  v.integer(
      {"points_per_cell", "", "", at_least(1), at_most(2), 0.0,
       "Contact points per mode or interval, 1 or 2; by default 2 with landing-two-point up to 64 points, else 1."},
      s.points_per_cell);
  v.list({"coefficients", "", -1e12, 1e12, "Coefficients of a polynomial in x, beginning with the constant."},
         s.coefficients);
  v.positions({"positions_m", "m", -1e4, 1e4, "Positions of points, or of a curve that is not read from a file."},
              s.x_m, s.string);
  v.list({"heights_m", "m", -1e3, 1e3, "Heights at these positions, where they differ."}, s.heights_m);
  v.only_position(
      {"position_m", "x", "m", above(0), at_most(1e4), 0.0, "Position of the one point of shape \"point\"."},
      s.shape == BarrierShape::point, s.x_m, s.string);
  v.positions({"shift_range_m", "m", -1e4, 1e4,
               "Least and largest shift_m along the string that events and controls may give it while it sounds; of a "
               "point position_m counts."},
              s.range_m, s.string);
  v.curve_file({"file", "For shape \"file\": a file with two columns, x and height in metres."},
               s.shape == BarrierShape::profile, s.x_m, s.heights_m);
  v.law_along(law_along_key, s.law, s.per_length);
  v.scheme(scheme_key, s.scheme);
}

/// What a text that gives these keys means: operator, loss, ... ask for a grid.  Throw InputError.
void complete(StringSpec& spec, const Given& given);
void complete(StartSpec& spec, const Given& given);
void complete(BarrierSpec& spec, const Given& given);

StringData string_data(const StringSpec& spec);  ///< throws InputError naming the field

}  // namespace jawari
