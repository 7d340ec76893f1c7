// SPDX-License-Identifier: MIT
// DB19 section 3: a stiff string, pushed up for 1 ms, falls onto a barrier below it: one point (Figs. 4 to 7) or all
// along (Fig. 8).  Where the paper is silent: x_F = 0.3 L, t0 = 0, force upwards; K is the stiffness of every point.
#pragma once
#include <string>
#include <vector>

#include "experiment.h"
#include "support/string_rig.h"

namespace jawari::experiments::paper_db19 {

struct Method {
  std::string label, scheme;
  bool modal;
};
inline const Method iterative_grid{"iterative, grid (41)", "three-point", false};
inline const Method psi_grid{"quadratised, grid (46)", "quadratised", false};
inline const Method psi_modes{"quadratised, modes (57)", "quadratised", true};
inline const Method iterative_modes{"iterative, modes", "three-point", true};

struct Setting {
  int times = 1;
  bool along = false, density = false;  ///< density: K per length, so K h at every point
  double stiffness = 5e6;
  double seconds = 0.05;
  std::vector<double> snapshots_s = {};
};
rigs::StringProblem problem(const Method& method, const Setting& setting);
/// Our choice today: exact modes below 0.9 of Nyquist with uncoupled points, two-point or secant-2.
rigs::StringProblem modern(const std::string& scheme, const Setting& setting);

struct Story {
  std::string label;
  double dt_s = 0;
  std::vector<double> t_s = {}, out_m = {};                                            ///< after every step
  std::vector<double> kinetic_J = {}, potential_J = {}, contact_J = {}, total_J = {};  ///< half a step before
  std::vector<std::vector<double>> shapes_m = {};  ///< one per snapshot, at the points of grid_points()
  double H = 0, drift = 0, imbalance = 0;  ///< energy after the push; its relative change from then on; of the account
  double deepest_m = 0, push_N = 0,
         pull_N = 0;  ///< of one point: compression, force upwards, force downwards (both >= 0)
  int newton = 0, most_points = 0;
  double ns_per_step = 0;
  double at(const std::vector<double>& series, double seconds) const;
};
Story tell(std::string label, const rigs::StringProblem& p, const Setting& setting);
Story tell(const Method& method, const Setting& setting);
const std::vector<double>& grid_points();  ///< x of the snapshots [m]

/// Relative L2 distance over the first `seconds`, at the instants of 44.1 kHz.
double distance(const std::vector<double>& a, int times_a, const std::vector<double>& b, int times_b,
                double seconds = 0.03);
double distance(const Story& a, const Story& b, double seconds = 0.03);
/// The same of the collision energies, which live half a step before their samples; rate of b an even multiple of that
/// of a.
double contact_distance(const Story& a, const Story& b, double seconds = 0.03);
/// The paper's three schemes and ours for the point barrier: error by `error`, cost per step.
template <class Error>
std::vector<Today> rows(const Setting& setting, Error&& error) {
  std::vector<Today> out;
  const auto add = [&](const Story& s) { out.push_back({s.label, error(s), s.ns_per_step}); };
  for (const auto& m : {iterative_grid, psi_grid, psi_modes}) add(tell(m, setting));
  add(tell("secant-2, modes \"constant\" (fixed cost)", modern("secant-2", setting), setting));
  add(tell("two-point, modes \"constant\" (default)", modern("two-point", setting), setting));
  return out;
}
/// The point barrier, converged: two-point in modes that end at omega k = 2, 20 times the rate.  4e-6 from the paper's
/// iterative scheme in modes at 64 times the rate.  Computed once.
const Story& converged();
inline constexpr const char* converged_text =
    "Converged run over 30 ms: modes below omega k = 2 with two-point at 882 kHz; the iterative scheme in modes at 2.8 "
    "MHz agrees to 4e-6.";
/// Instants of the snapshots: samples of 44.1 kHz near 5, 12, 14.5, 16, 18.8 and 25 ms.
const std::vector<double>& instants();

/// Displacement behind the first front: momentum of the push over 2 rho c [m], for a string without stiffness.
double plateau_m(const rigs::StringProblem& p);

/// Modes are drawn dashed: where schemes agree, the grid shows through.
Curve curve(const Story& s, std::vector<double> x, std::vector<double> y);
void note_parameters(Record& record, const Setting& setting);
void draw_energies(Record& record, const std::vector<Story>& stories);
void draw_snapshots(Record& record, const std::vector<Story>& stories, const Setting& setting);

}  // namespace jawari::experiments::paper_db19
