// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "par11/par11.h"

namespace jawari::experiments::par11_items {
namespace {

/// Largest error of the rebound speed over 16 instants of touch, for a contact of so many samples [%].
double rebound_error(const char* method, double samples) {
  exact::Impact i = rigs::par11_case2();
  i.stiffness *= std::pow(exact::contact_time(i) * rigs::par11_rate_hz / samples, i.exponent + 1);
  double worst = 0;
  for (int j = 0; j < 16; ++j) {
    const auto s = rigs::stepper_of(method, i);
    const double start = -(j + 0.5) / 16 * i.speed_m_s / rigs::par11_rate_hz;
    worst = std::max(worst, std::abs(deviation(i, record_contact(*s, i.speed_m_s, start, 1000)).v_out));
  }
  return worst;
}

void run(Record& record) {
  const exact::Impact i = rigs::par11_case2();
  parameters(record, i);
  Plot& phase = record.plot("(a) Phase portraits", {"compression", "µm"}, {"velocity", "m/s"});
  Plot& energy = record.plot("(b) Energy over velocity", {"velocity, out of the wall", "m/s"}, {"energy", "µJ"});
  phase.curves.push_back(exact_phase(i, "exact, (3)"));
  energy.curves.push_back(exact_energy(i));
  double x[4], H[4], v[4];
  for (std::size_t k = 0; k < 4; ++k) {
    const ContactSamples s = rigs::thrown(methods[k], i);
    const Deviation d = deviation(i, s);
    x[k] = d.x;
    H[k] = d.H;
    v[k] = std::abs(d.v_out);
    phase.curves.push_back(phase_curve(labels[k], s));
    energy.curves.push_back(energy_curve(labels[k], i, s));
    record.printed(fmt::format("Fig. 8, contact time, {}", labels[k]), 6, static_cast<double>(s.exit()), near(6, 0),
                   "samples");
  }
  phase.x.from = -4;
  phase.caption = energy.caption = "Every dot is a sample; in (b) time runs from left to right.";
  record.printed("Fig. 8, contact time, exact", 6, exact::contact_time(i) * rigs::par11_rate_hz, near(6, 0.5),
                 "samples");
  const auto best = [](const double* e) { return e[3] / std::min({e[0], e[1], e[2]}); };
  record.said("all but RK4 stray in x: RK4 over the best of the others", best(x), at_most(0.2));
  record.said("all but RK4 stray in H: RK4 over the best of the others", best(H), at_most(0.2));
  record.said("all but RK4 miss v_out: RK4 over the best of the others", best(v), at_most(0.2));

  Plot& limit = record.plot("Rebound of ever shorter contacts", {"contact time", "samples", true},
                            {"largest error of v_out", "%", true, 1e-2, 1e3});
  limit.caption = "Stiffness is raised until the contact lasts as long; largest error over 16 instants of touch.";
  double growth = 1e9, invariant = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    Curve c{labels[k], {}, {}, Curve::both};
    for (const double n : {2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 20.0}) {
      c.x.push_back(n);
      c.y.push_back(rebound_error(methods[k], n));
    }
    growth = std::min(growth, c.y[2] / c.y[6]);
    limit.curves.push_back(std::move(c));
  }
  for (const double n : {2.0, 3.0, 4.0}) invariant = std::max(invariant, rebound_error("invariant", n));
  record.said("III-B2, errors rise steeply below four samples: at 3 over at 8 samples, least of the four", growth,
              at_least(4));
  record.watched("ours, invariant: largest error of v_out at 2, 3 and 4 samples", invariant, rounding(1e-8), "%");
  auto schemes = usual_schemes();
  schemes.push_back("guarded-two-point");  // softens what is too short: keeps the rebound (Table IIb), not the waveform
  today_waveform(record, i, schemes);
  record.reference +=
      "; guarded-two-point makes contacts as short as this one softer to keep the rebound, so that their waveform is "
      "another";
}

}  // namespace

const Experiment fig8{
    "par11-fig8",
    "PAR11",
    "Fig. 8",
    "A hard impact of six samples",
    "Over six samples all methods but Runge-Kutta leave the exact curves visibly, in the phase plane and in energy. "
    "Below four samples none "
    "can be relied on.",
    "Samples of the four methods with the exact curves, and the error of the rebound as contacts get shorter.",
    run};

}  // namespace jawari::experiments::par11_items
