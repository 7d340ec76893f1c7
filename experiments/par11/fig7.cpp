// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "par11/par11.h"

namespace jawari::experiments::par11_items {
namespace {

void run(Record& record) {
  const exact::Impact i = rigs::par11_case1();
  parameters(record, i);
  Plot& plot = record.plot("Energy over velocity, low loss", {"velocity, out of the wall", "m/s"}, {"energy", "µJ"});
  plot.curves.push_back(exact_energy(i));
  double rise[4], low[4], exit_H[4], dev[4];
  for (std::size_t k = 0; k < 4; ++k) {
    const ContactSamples s = rigs::thrown(methods[k], i);
    const Deviation d = deviation(i, s);
    exit_H[k] = d.exit_H;
    dev[k] = d.H;
    rise[k] = 0;
    low[k] = 0;
    record.printed(fmt::format("Fig. 7, contact time, {}", labels[k]), 19, static_cast<double>(s.exit()), near(19, 0),
                   "samples");
    plot.curves.push_back(energy_curve(labels[k], i, s));
    const auto& c = plot.curves.back();
    for (std::size_t n = 1; n < s.exit();
         ++n) {  // largest rise in contact, and share of samples below the exact energy
      rise[k] = std::max(rise[k], -100e-6 * (c.y[n] - c.y[n - 1]) / exact::energy_change(i));
      if (1e-6 * c.y[n] < exact::hamiltonian(i, s.v_m_s[n])) low[k] += 1 / static_cast<double>(s.exit() - 1);
    }
  }
  plot.caption = "Time runs from left to right; every dot is a sample.";
  record.printed("Fig. 7, contact time, exact", 19, exact::contact_time(i) * rigs::par11_rate_hz, near(19, 0.5),
                 "samples");
  record.said("the energy of Verlet swings: its largest rise from sample to sample, of the loss", rise[1],
              between(10, 20), "%");
  record.said("the energy of Heun swings: its largest rise", rise[2], between(10, 20), "%");
  record.said("Verlet ends with too much energy: excess, of the loss", exit_H[1], between(15, 30), "%");
  record.said("Heun ends with too much energy: excess", exit_H[2], between(15, 30), "%");
  record.said("AM1 loses too much during contact: share of its samples below (20)", low[0], at_least(0.9));
  record.said("AM1 gains at the end: excess", exit_H[0], between(8, 16), "%");
  record.said("RK4 follows (20): deviation (27)", dev[3], at_most(2), "%");
  record.said("RK4 ends nearest to the exact energy: its excess over the least of the others",
              std::abs(exit_H[3]) / std::min({exit_H[0], exit_H[1], exit_H[2]}), at_most(0.5));

  Plot& ours = record.plot("The same with methods that keep the invariant", {"velocity, out of the wall", "m/s"},
                           {"energy", "µJ"});
  ours.curves.push_back(exact_energy(i));
  for (const char* name : {"invariant", "rk4+projected", "two-variable"})
    ours.curves.push_back(energy_curve(name, i, rigs::thrown(name, i)));
  record.watched("ours, invariant: deviation (27)", deviation(i, rigs::thrown("invariant", i)).H, rounding(1e-8), "%");
  today_waveform(record, i, usual_schemes());
}

}  // namespace

const Experiment fig7{"par11-fig7",
                      "PAR11",
                      "Fig. 7",
                      "Low loss: energies of four methods during contact",
                      "With little loss the energy of Verlet and Heun swings during contact and ends too high; AM1 "
                      "loses too much on the way and gains at the "
                      "end; Runge-Kutta stays close.",
                      "Energy at every sample over the velocity, with the exact curve; a second picture shows methods "
                      "that keep the invariant.",
                      run};

}  // namespace jawari::experiments::par11_items
