// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "par11/par11.h"

namespace jawari::experiments::par11_items {
namespace {

/// v of every sample of a run from (x, v) inside the contact until x <= 0.
std::vector<double> velocities_from(const exact::Impact& impact, double x_m, double v_m_s) {
  const auto s = rigs::stepper_of("rk4", impact, 64 * rigs::par11_rate_hz);
  s->start(x_m, v_m_s);
  std::vector<double> v{v_m_s};
  do {
    s->step();
    v.push_back(s->v());
  } while (s->x() > 0);
  return v;
}

void run(Record& record) {
  parameters(record, rigs::par11_figure1(4));
  record.parameter("speeds at touch", "0.5, 1, 2, 4 m/s");
  Plot& plot = record.plot("Phase portraits", {"compression", "µm"}, {"velocity", "m/s"});
  double steepest = -1e9, ratio = 0, stray = 0, lowest = 0;
  for (const double v_in : {0.5, 1.0, 2.0, 4.0}) {
    const exact::Impact i = rigs::par11_figure1(v_in);
    Curve c = exact_phase(i, fmt::format("{:g} m/s", v_in));
    c.x.insert(c.x.begin(), -200);
    c.y.insert(c.y.begin(), v_in);  // free motion before and after
    c.x.push_back(-200);
    c.y.push_back(exact::outbound_velocity(i));
    plot.curves.push_back(std::move(c));
    const ContactSamples s = rigs::thrown("rk4", i, 64 * rigs::par11_rate_hz);
    for (std::size_t n = 2; n <= s.exit(); ++n) steepest = std::max(steepest, s.v_m_s[n] - s.v_m_s[n - 1]);
    for (const double v : s.v_m_s) lowest = std::min(lowest, v);
    stray = std::max(stray, deviation(i, s).x);
    ratio = std::max(ratio, -exact::outbound_velocity(i) / v_in);
  }
  plot.curves.push_back({"limit -1/mu", {-200, 1000}, {-2, -2}, Curve::dashed});
  plot.caption = "Contact to the right of zero, free motion to the left; time runs from top to bottom.";

  record.said("(3) against simulation (RK4 at 64 times 44.1 kHz): largest deviation of x", stray, at_most(0.05), "%");
  record.said("v falls at every step of contact: largest change of v", steepest, at_most(-5e-11), "m/s");
  record.said("every mass leaves slower than it came: largest |v_out|/v_in", ratio, between(0, 1 - 1e-6));
  const auto gap = [](double v) { return exact::outbound_velocity(rigs::par11_figure1(v)) + 2; };
  record.said("v_out tends to -1/mu: distance to it at 4 m/s over that at 0.5 m/s", gap(4) / gap(0.5), between(0, 0.3));
  record.said("v_out at 100 m/s, with -1/mu = -2 m/s", exact::outbound_velocity(rigs::par11_figure1(100)),
              near(-2, 1e-9), "m/s");
  record.said("no trajectory from above crosses -1/mu: lowest velocity", lowest, between(-2, -1.5), "m/s");
  const auto below = velocities_from(rigs::par11_figure1(4), 3e-4, -2.5);
  record.said("none from below does: highest velocity of a mass started at -2.5 m/s",
              *std::max_element(below.begin(), below.end()), between(-2.5, -2), "m/s");
  const exact::Impact slow = rigs::par11_figure1(0.5);
  const auto fine = rigs::thrown("rk4", slow, 64 * rigs::par11_rate_hz).x_m;
  record.said("(4) against the same simulation: x_max over the largest x at 0.5 m/s",
              exact::max_compression(slow) / *std::max_element(fine.begin(), fine.end()), near(1, 1e-6));
  today_waveform(record, rigs::par11_figure1(4), usual_schemes());
}

}  // namespace

const Experiment fig1{
    "par11-fig1",
    "PAR11",
    "Fig. 1",
    "Phase portraits of lossy impacts",
    "A mass always leaves more slowly than it came. However fast it comes, it never leaves faster than 1/mu; the line "
    "v = -1/mu "
    "separates two regions that no motion crosses.",
    "Closed form (3) for four speeds with the limiting velocity; claims are checked by simulation on both sides of it.",
    run};

}  // namespace jawari::experiments::par11_items
