// SPDX-License-Identifier: MIT
// DB19 Fig. 6: energies of the string and the point barrier at five times the rate.
#include <algorithm>

#include "db19/db19.h"
#include "db19/strings.h"

namespace jawari::experiments::paper_db19 {
namespace {

double largest(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }

void run(Record& record) {
  const Setting setting{.times = 5}, slow{};
  note_parameters(record, setting);
  const Story it = tell(iterative_grid, setting), psi = tell(psi_grid, setting), modes = tell(psi_modes, setting);
  const Story it1 = tell(iterative_grid, slow), psi1 = tell(psi_grid, slow), modes1 = tell(psi_modes, slow);

  record.said("total energy constant after the push, iterative grid: relative change", it.drift, rounding(1e-12));
  record.said("total energy constant after the push, quadratised grid", psi.drift, rounding(1e-12));
  record.said("total energy constant after the push, quadratised modes", modes.drift, rounding(2e-12));
  record.said("same total energy: modes against grid, relative difference", modes.H / it.H - 1, between(-1e-3, -5e-4));
  const double grids = contact_distance(psi, it), both = contact_distance(modes, it);
  record.said("collision energy over 30 ms, quadratised grid against iterative grid", grids, between(2e-3, 6e-3));
  record.said("the distance of the two grids, 1x over 5x: more consistent", contact_distance(psi1, it1) / grids,
              between(5, 20));
  record.said("collision energy over 30 ms, quadratised modes against iterative grid", both, between(0.03, 0.06));
  record.said("the distance of modes and grid, 1x over 5x: more consistent", contact_distance(modes1, it1) / both,
              between(2, 5));
  record.watched("largest collision energy over H, iterative grid", largest(it.contact_J) / it.H, near(0.0559, 1e-4));
  record.watched("largest collision energy over H, quadratised grid", largest(psi.contact_J) / psi.H,
                 near(0.0558, 1e-4));
  record.watched("largest collision energy over H, quadratised modes", largest(modes.contact_J) / modes.H,
                 near(0.0570, 1e-4));
  record.watched("what stays in psi after the last contact, grid, 1x over 5x",
                 psi1.contact_J.back() / psi.contact_J.back(), between(25, 80));
  record.watched("what stays in psi after the last contact, modes, 1x over 5x",
                 modes1.contact_J.back() / modes.contact_J.back(), between(12, 35));
  record.watched("quadratised grid: deepest compression", psi.deepest_m, within(6.42e-5, 2e-3), "m");
  record.watched("quadratised grid: largest force downwards over that upwards", psi.pull_N / psi.push_N,
                 between(1e-3, 3e-3));
  draw_energies(record, {it, psi, modes});
  record.today(fmt::format("{} Compared: the collision energy over time.", converged_text),
               rows({.times = 5, .seconds = 0.0301}, [](const Story& s) { return contact_distance(s, converged()); }));
}

}  // namespace

const Experiment fig6{
    "db19-fig6",
    "DB19",
    "Fig. 6",
    "Where the energy of the string is, at 220.5 kHz",
    "At five times the rate the energies of the three schemes agree much better: they converge to one solution.",
    "The same energies as before at 220.5 kHz. The collision energies of the two grid schemes now differ by 0.3 %, "
    "those of grid and modes by 4 %: that part is the dispersion of the grid, and shrinks with the grid.",
    run};

}  // namespace jawari::experiments::paper_db19
