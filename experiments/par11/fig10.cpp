// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "par11/par11.h"

namespace jawari::experiments::par11_items {
namespace {

double timing(const char* name, const exact::Impact& i) {
  const ContactSamples s = rigs::thrown(name, i);
  Deviation d;
  add_timing(i, s, std::string_view(name).find("hybrid") == std::string_view::npos, d);
  return d.time_x;
}

void run(Record& record) {
  const exact::Impact i = rigs::par11_case2();
  parameters(record, i);
  const ContactSamples plain = rigs::thrown("heun", i), corrected = rigs::thrown("heun+hybrid+approximate", i);
  Plot& phase = record.plot("(a) Phase portraits, Heun", {"compression", "µm"}, {"velocity", "m/s"});
  phase.curves = {exact_phase(i, "exact, (3)"), phase_curve("Heun", plain), phase_curve("Heun, corrected", corrected)};
  phase.x.from = -4;
  Plot& energy = record.plot("(b) Energy over velocity, Heun", {"velocity, out of the wall", "m/s"}, {"energy", "µJ"});
  energy.curves = {exact_energy(i), energy_curve("Heun", i, plain), energy_curve("Heun, corrected", i, corrected)};
  phase.caption = energy.caption = "Every dot is a sample.";

  const Deviation a = deviation(i, plain);
  const Deviation from_fine = rigs::converged_deviation(i, corrected);
  record.said("IV-B1, the corrected energy is right: deviation (27) from RK4 at 64 times the rate", from_fine.H,
              at_most(0.01), "%");
  record.said("IV-B1, the corrected position is right: deviation (28) from RK4 at 64 times the rate", from_fine.x,
              at_most(3e-3), "%");
  record.said("IV-B1, plain Heun does not: deviation (27)", a.H, at_least(20), "%");
  record.said("IV-A2, the hybrid computation alone does not touch the rebound: its error",
              std::abs(deviation(i, rigs::thrown("heun+position", i)).v_out), between(0.5, 2), "%");
  record.said("IV-A2, the constraint alone does not touch the contact: deviation (27) over that of plain Heun",
              deviation(i, rigs::thrown("heun+rebound+approximate", i)).H / a.H, near(1, 1e-12));
  record.said("and outwards: its velocity", corrected.v_m_s.back(), near(exact::outbound_velocity(i), 2e-4), "m/s");

  record.refuted(
      "abstract, corrections make the simulation more accurate: largest error of x(t), corrected over plain Heun",
      std::nullopt, timing("heun+hybrid", i) / timing("heun", i), at_least(4),
      "from 5 % to 28 % of the largest compression: the samples lie on the right curve at the wrong times");
  record.refuted("IV-D, corrected Verlet is at least as good as RK4: largest error of x(t), corrected Verlet over RK4",
                 std::nullopt, timing("verlet+hybrid", i) / timing("rk4", i), at_least(20), "true of the energy only");
  record.said("IV-D, of the energy it is true: rebound error of corrected Verlet over that of RK4",
              std::abs(deviation(i, rigs::thrown("verlet+hybrid+approximate", i)).v_out /
                       deviation(i, rigs::thrown("rk4", i)).v_out),
              at_most(0.2));
  record.watched("ours, RK4 projected on the invariant: largest error of x(t) over that of RK4",
                 timing("rk4+projected", i) / timing("rk4", i), at_most(1));

  Plot& time = record.plot("The motion in time", {"time", "samples"}, {"compression", "µm"});
  Curve exact_motion{"exact", {}, {}};
  for (int n = 0; n <= 240; ++n) {
    exact_motion.x.push_back(n / 40.0);
    exact_motion.y.push_back(1e6 * std::max(0.0, exact::motion(i, n / 40.0 / rigs::par11_rate_hz).x_m));
  }
  time.curves.push_back(std::move(exact_motion));
  for (const char* name : {"heun", "heun+hybrid+approximate", "rk4+projected"}) {
    const ContactSamples s = rigs::thrown(name, i);
    Curve c{name, {}, {}, Curve::both};
    for (std::size_t n = 0; n < s.x_m.size(); ++n) {
      c.x.push_back(static_cast<double>(n));
      c.y.push_back(1e6 * std::max(0.0, s.x_m[n]));
    }
    time.curves.push_back(std::move(c));
  }
  time.caption = "The corrected samples stay on the exact curve of the phase plane, but arrive late.";
  today_waveform(record, i,
                 {"heun", "verlet", "rk4", "heun+hybrid+approximate", "verlet+hybrid+approximate",
                  "rk4+hybrid+approximate", "rk4+projected", "symplectic-4+projected"});
}

}  // namespace

const Experiment fig10{
    "par11-fig10",
    "PAR11",
    "Fig. 10",
    "Hard impact: Heun with and without corrections",
    "Even at six samples the corrected simulation lies on the exact curves of phase plane and energy, where plain Heun "
    "is far off.",
    "Phase plane and energy as in the paper, and the motion in time, where the correction costs more than it brings.",
    run};

}  // namespace jawari::experiments::par11_items
