// SPDX-License-Identifier: MIT
// DB19 Fig. 4: the string and a point barrier, snapshots at 44.1 kHz.
#include <fmt/format.h>

#include <algorithm>

#include "db19/db19.h"
#include "db19/strings.h"
#include "jawari/contact/power_law.h"

namespace jawari::experiments::paper_db19 {
namespace {

using namespace rigs;

/// Energy of the string at rest above or inside a barrier at this height.
double energy_at_rest(double barrier_m) {
  StringProblem p = problem(iterative_grid, {.times = 20});  // the start is right to second order
  p.barrier = [=](double) { return barrier_m; };
  return make_rig(p).energy();
}
double first_contact(const Story& s) {
  const auto at =
      std::find_if(s.contact_J.begin(), s.contact_J.end(), [](double e) { return e > 0; }) - s.contact_J.begin();
  return s.t_s.at(static_cast<std::size_t>(at));
}

void run(Record& record) {
  const Setting setting{.seconds = 0.0301, .snapshots_s = instants()};
  note_parameters(record, setting);
  const Story it = tell(iterative_grid, setting), psi = tell(psi_grid, setting), modes = tell(psi_modes, setting);
  const StringProblem p = problem(iterative_grid, setting);
  const PowerLaw law({setting.stiffness, 1.4});

  // Direction first: a push of the wrong sign only mirrors the motion, and the energy would not tell.
  const double up = plateau_m(p);
  for (const Story* s : {&it, &psi, &modes})
    record.watched(s->label + ": mid-point at 5 ms, pushed up, by the momentum over 2 sqrt(T rho)", s->shapes_m[0][100],
                   within(up, 0.03), "m");
  record.said("modes: distance from the iterative grid, output over 30 ms; 2 if mirrored", distance(modes, it),
              between(0.03, 0.07));
  record.said("quadratised grid: distance from the iterative grid, output over 30 ms", distance(psi, it),
              between(0.003, 0.009));
  for (const Story* s : {&it, &psi, &modes})
    record.watched(s->label + ": deepest compression, so the barrier holds the string", s->deepest_m,
                   within(6.4e-5, 0.04), "m");
  for (const Story* s : {&it, &psi, &modes})
    record.watched(s->label + ": largest force on the string, upwards; K eta^alpha there", s->push_N,
                   within(law.force(s->deepest_m), 0.06), "N");
  record.watched("quadratised grid: largest force downwards (psi below zero) over that upwards",
                 psi.pull_N / psi.push_N, near(0.0166, 5e-4));

  record.erratum("quadratised grid: energy account", std::nullopt, psi.imbalance, rounding(2e-12),
                 "(50) prints -g psi and forgets the push; with eta = b - u it is +g psi + I F. As printed the string "
                 "is drawn in and blows up.");
  record.erratum("quadratised modes: energy account", std::nullopt, modes.imbalance, rounding(2e-12),
                 "(53), (57), (59) have the signs of force, psi g and Q_p wrong: all three are subtracted on the left "
                 "side. The force alone would only mirror the motion.");
  record.erratum(
      "energy of the string at rest with b = +0.1 mm", std::nullopt, energy_at_rest(1e-4),
      within(law.potential(1e-4), 1e-3),
      "The caption prints b = 1e-4 m, which puts the string at rest 0.1 mm inside the barrier; Fig. 8 has the minus.",
      "J");
  record.watched("energy of the string at rest with b = -0.1 mm: free", energy_at_rest(-1e-4), near(0, 0), "J");
  const StringData steel = round_string(1, 500, 5e-4, 7850, 2e11);
  record.watched("E I from the printed E and r over the one used", p.string.bending_N_m2 / steel.bending_N_m2,
                 near(1, 1e-12));
  record.open("linear density of a steel string of this radius", 0.063, steel.density_kg_m, within(6.17e-3, 2e-3),
              "The printed density is ten times that of a round steel string of r = 0.5 mm; we use it as printed.",
              "kg/m");
  record.open("first contact, iterative grid", std::nullopt, 1e3 * first_contact(it), between(13.3, 13.7),
              "Where the push acts (x_F), its t0 and direction, and the instants of the snapshots are not given; ours "
              "are 0.3 L, 0, upwards.",
              "ms");
  draw_snapshots(record, {it, psi, modes}, setting);

  const auto shape_error = [&](const Story& s) {
    double off = 0, size = 0;
    for (std::size_t i = 0; i < grid_points().size(); ++i) {
      const double a = s.shapes_m.back()[i], b = converged().shapes_m.back()[i];
      off += (a - b) * (a - b);
      size += b * b;
    }
    return std::sqrt(off / size);
  };
  record.today(fmt::format("{} Compared: the whole shape at 25 ms.", converged_text), rows(setting, shape_error));
}

}  // namespace

const Experiment fig4{
    "db19-fig4",
    "DB19",
    "Fig. 4",
    "A string falls onto one point",
    "Snapshots of a stiff string before, during and after it meets a point barrier at its middle. The iterative "
    "scheme, the non-iterative one on a grid and the one in modes agree but for small differences.",
    "Six instants; the dot is the barrier. The string is pushed up at 0.3 L, its reflection comes back from above and "
    "is stopped at -0.1 mm. Grid and modes differ by 5 %, which is the dispersion of the grid; the two grid schemes by "
    "0.5 %.",
    run};

}  // namespace jawari::experiments::paper_db19
