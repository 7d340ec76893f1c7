// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "par11/par11.h"

namespace jawari::experiments::par11_items {
namespace {

void run(Record& record) {
  parameters(record, rigs::par11_figure1(4));
  record.parameter("speeds at touch", "0.5, 1, 2, 4 m/s");
  Plot& plot = record.plot("Force over compression", {"compression", "µm"}, {"force", "N"});
  double area_off = 0, least = 1e9, early = 1e9;
  for (const double v_in : {0.5, 1.0, 2.0, 4.0}) {
    const exact::Impact i = rigs::par11_figure1(v_in);
    Curve c{fmt::format("{:g} m/s", v_in), {}, {}};
    double work = 0, x_before = 0, f_before = 0, peak = 0, v_at_peak = 0;
    const auto grid = velocities(i, 4000);
    for (const double v : grid) {
      const double x = exact::compression(i, v), f = exact::force(i, v);
      work += (f + f_before) / 2 * (x - x_before);
      x_before = x;
      f_before = f;
      c.x.push_back(1e6 * x);
      c.y.push_back(f);
      least = std::min(least, f);
      if (f > peak) {
        peak = f;
        v_at_peak = v;
      }
    }
    area_off = std::max(area_off, std::abs(work / -exact::energy_change(i) - 1));
    early = std::min(early, v_at_peak / v_in);
    plot.curves.push_back(std::move(c));
  }
  Curve elastic{"without loss", {}, {}, Curve::dashed};
  const exact::Impact fast = rigs::par11_figure1(4);
  for (int n = 0; n <= 200; ++n) {
    const double x = exact::max_compression(fast) * n / 200;
    elastic.x.push_back(1e6 * x);
    elastic.y.push_back(fast.stiffness * std::pow(x, fast.exponent));
  }
  plot.curves.push_back(std::move(elastic));
  plot.caption = "Every loop is run through clockwise; its area is the energy lost.";

  record.said("below (18), area of the loop against the energy lost: largest relative difference", area_off,
              at_most(1e-7));
  record.said("loops close at zero and the force never pulls: smallest force", least, rounding(1e-9), "N");
  record.said("the force peaks before the compression does: smallest velocity at the peak over v_in", early,
              between(0.1, 0.3));

  // the energy lost in a simulated contact: what the area of its loop is
  const exact::Impact i = rigs::par11_figure1(0.5);
  std::vector<Today> rows;
  for (const char* name : {"am1", "verlet", "heun", "rk4", "two-variable", "two-point", "invariant", "rk4+projected"}) {
    const double v = rigs::leaving_velocity(name, i), lost = i.mass_kg / 2 * (i.speed_m_s * i.speed_m_s - v * v);
    rows.push_back({name, std::abs(lost / -exact::energy_change(i) - 1), rigs::contact_cost_ns(name, i)});
  }
  record.today("0.5 m/s at 44.1 kHz; closed form (1e-14); error: of the energy lost in one impact", rows);
}

}  // namespace

const Experiment fig2{"par11-fig2",
                      "PAR11",
                      "Fig. 2",
                      "Force over compression: loops around the elastic curve",
                      "Loss opens the force-compression curve to a loop about that of the elastic contact; the area of "
                      "the loop is the energy lost.",
                      "Loops for four speeds from the closed forms, with the elastic curve; the area of each is "
                      "integrated and compared with the loss.",
                      run};

}  // namespace jawari::experiments::par11_items
