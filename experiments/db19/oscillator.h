// SPDX-License-Identifier: MIT
// DB19 section 2: 10 g on a 10 Hz spring, thrown from -0.5 m with 1 m/s at a barrier at 0.2 m.  Figs. 1 to 3 differ in
// the stiffness of the barrier and in the rate.
#pragma once
#include <numbers>
#include <string>
#include <vector>

#include "experiment.h"
#include "support/reference.h"
#include "support/rig.h"

namespace jawari::experiments::paper_db19 {

inline constexpr double u0_m = -0.5, v0_m_s = 1, omega0_rad_s = 2 * std::numbers::pi * 10;

rigs::Problem oscillator(double stiffness);

/// One scheme through `seconds`; samples n = 0 ... of u, of the energies n + 1/2.
struct Ride {
  std::string label;
  double dt_s = 0;
  std::vector<double> t_s = {}, u_m = {}, contact_J = {},
                      variation = {};  ///< variation: (H - H at the start)/H at the start
  double energy_J = 0, drift = 0;
  int iterations = 0;
  double push_N = 0, pull_N = 0;  ///< largest contact force away from the barrier and into it, both >= 0
  double rebound = 0;             ///< velocity at the barrier after the first contact over that before: -1 is elastic
  double locked = 0;              ///< share of the energy left in the contact after the first impact
  double most_locked = 0;         ///< after any impact
  double speed_over_bound = 0;    ///< largest |u^{n+1} - u^n|/k over the bound (22)

  std::size_t at(double seconds) const;
};
Ride ride(std::string label, const rigs::Problem& p, const std::string& scheme, int times, double seconds);
/// The same from given u^1 - u^0.
Ride ride_from(std::string label, const rigs::Problem& p, const std::string& scheme, int times, double seconds,
               double step_m);
/// Largest |a - b| up to `seconds`.
double apart(const Ride& a, const Ride& b, double seconds);
double rms_error(const Ride& a, const rigs::Reference& exact, double seconds);
double largest(const std::vector<double>& x);

void note_parameters(Record& record, const rigs::Problem& p, int times);
/// Displacement, contact energy and energy variation as in the panels of the paper; the windows are ours.
void draw(Record& record, const std::vector<Ride>& rides, const rigs::Reference& exact, double seconds);
/// The paper's schemes and ours at this rate against the exact motion over 0.25 s.
void compare(Record& record, const rigs::Problem& p, const rigs::Reference& exact, int times);

}  // namespace jawari::experiments::paper_db19
