// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "par11/par11.h"

namespace jawari::experiments::par11_items {
namespace {

void run(Record& record) {
  const exact::Impact i = rigs::par11_noncritical();
  parameters(record, i);
  Plot& phase = record.plot("(a) Phase portraits", {"compression", "µm", false, 0, 6500}, {"velocity", "m/s"});
  Plot& energy = record.plot("(b) Energy over velocity", {"velocity, out of the wall", "m/s"}, {"energy", "µJ"});
  phase.curves.push_back(exact_phase(i, "exact, (3)"));
  energy.curves.push_back(exact_energy(i));
  double x = 0, H = 0, tip = 0, exit = 0, apart = 0, sign = -1e9;
  for (std::size_t k = 0; k < 4; ++k) {
    const ContactSamples s = rigs::thrown(methods[k], i);
    const Deviation d = deviation(i, s);
    x = std::max(x, d.x);
    H = std::max(H, d.H);
    exit = std::max(exit, std::abs(d.v_out));
    const double deepest = *std::max_element(s.x_m.begin(), s.x_m.end());
    tip = std::max(tip, std::abs(deepest / exact::max_compression(i) - 1) * 100);
    apart = std::max(apart, std::abs(static_cast<double>(s.exit()) - exact::contact_time(i) * rigs::par11_rate_hz));
    sign = std::max(sign, s.v_m_s.back());
    Curve p = phase_curve(labels[k], s), e = energy_curve(labels[k], i, s);
    p.style = e.style = Curve::dashed;
    phase.curves.push_back(std::move(p));
    energy.curves.push_back(std::move(e));
  }
  const double x_max = 1e6 * exact::max_compression(i), v_out = exact::outbound_velocity(i),
               H0 = energy.curves[0].y.front(), H_end = energy.curves[0].y.back();
  phase.curves.push_back({"x_max by (4)", {x_max, x_max}, {-0.5, 0.5}, Curve::dashed});
  phase.curves.push_back({"v_out by (6)", {0, x_max}, {v_out, v_out}, Curve::dashed});
  energy.curves.push_back({"before", {-0.5, -v_out}, {H0, H0}, Curve::dashed});
  energy.curves.push_back({"after", {-0.5, -v_out}, {H_end, H_end}, Curve::dashed});
  phase.caption = energy.caption = "All curves lie on one another.";

  record.said("(a) all four lie on (3): largest deviation of x", x, at_most(0.5), "%");
  record.said("(a) all four reach x_max: largest difference", tip, at_most(0.01), "%");
  record.said("(a) all four leave with v_out: largest difference", exit, at_most(1e-4), "%");
  record.said("(a) all four leave outwards: largest velocity at the end", sign, near(v_out, 1e-5), "m/s");
  record.said("(b) all four lie on (20): largest deviation of H", H, at_most(0.1), "%");
  record.watched("contact extends over many samples: exact", exact::contact_time(i) * rigs::par11_rate_hz,
                 near(1659.2, 0.05), "samples");
  record.said("contact extends over many samples: largest difference of the four", apart, at_most(1), "samples");
  today_waveform(record, i, usual_schemes());
}

}  // namespace

const Experiment fig6{
    "par11-fig6",
    "PAR11",
    "Fig. 6",
    "A soft impact: all methods agree",
    "When an impact lasts many samples, the four methods and the exact curves cannot be told apart, in the phase plane "
    "and in energy.",
    "The exact curves with all four simulations on top of them, and the levels that the closed forms give.",
    run};

}  // namespace jawari::experiments::par11_items
