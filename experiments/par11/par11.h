// SPDX-License-Identifier: MIT
// Papetti, Avanzini, Rocchesso, "Numerical Methods for a Nonlinear Impact Model", 2011: its tables and figures, and
// what they share.  Errata and conventions: docs/theory/impact.md.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "experiment.h"
#include "support/impact_rig.h"

namespace jawari::experiments::par11_items {

extern const Experiment table1, table2a, table2b, table3a, table3b, table4a, table4b;
extern const Experiment fig1, fig2, fig3, fig4, fig5, fig6, fig7, fig8, fig9, fig10, fig11, fig12;

inline constexpr std::array<const char*, 4> methods = {"am1", "verlet", "heun", "rk4"};
inline constexpr std::array<const char*, 4> labels = {"AM1", "Verlet", "Heun", "RK4"};

/// Errors of the four methods over one impact, in percent.
struct Errors {
  std::array<double, 4> x, v, H;
};
/// approximate: relative to (7) instead of the zero of (6).
Errors measured(const exact::Impact& impact, bool approximate);
/// Printed and ours side by side.
void show(Record& record, const std::string& title, const Errors& printed, const Errors& ours);

void parameters(Record& record, const exact::Impact& impact);
/// H over v, the axis of v turned round as in the paper, in microjoules; the exit sample included.
Curve energy_curve(const std::string& label, const exact::Impact& impact, const ContactSamples& samples);
Curve exact_energy(const exact::Impact& impact);
/// v over x, x in micrometres.
Curve phase_curve(const std::string& label, const ContactSamples& samples);
Curve exact_phase(const exact::Impact& impact, const std::string& label);
/// Velocities from v_in to v_out, dense towards both ends, where x(v) is steep.
std::vector<double> velocities(const exact::Impact& impact, int count = 400);

/// The paper's schemes and ours on one impact: largest error of x over the contact, of x_max, and CPU time.
void today_waveform(Record& record, const exact::Impact& impact, const std::vector<std::string>& schemes);
/// What is listed where there is nothing to add: the four methods, the paper's cure, ours.
std::vector<std::string> usual_schemes();

}  // namespace jawari::experiments::par11_items
