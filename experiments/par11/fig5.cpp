// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "par11/par11.h"

namespace jawari::experiments::par11_items {
namespace {

struct Pressed {
  std::vector<double> x, v;  // up to the first sample out of contact
  double v_max = 0, x_max = 0, v_out = 0;
};
Pressed pressed(const char* name, const exact::Impact& i, double load_N, double rate_hz) {
  const auto s = rigs::stepper_of(name, i, rate_hz, load_N);
  s->start(0, i.speed_m_s);
  Pressed p{{0}, {i.speed_m_s}, i.speed_m_s};
  do {
    s->step();
    p.x.push_back(s->x()), p.v.push_back(s->v());
    p.v_max = std::max(p.v_max, s->v()), p.x_max = std::max(p.x_max, s->x());
  } while (s->x() > 0);
  p.v_out = -std::sqrt(s->v() * s->v() - 2 * load_N / i.mass_kg * s->x());  // back to the wall, along the free flight
  return p;
}
/// Smallest of |v| - |v(x)| without load over the way in (or out), at equal x.
double margin(const exact::Impact& i, const Pressed& p, bool inwards) {
  double least = 1e9;
  std::size_t turn = 0;
  while (p.v[turn] > 0) ++turn;
  for (std::size_t n = inwards ? 1 : turn; n < (inwards ? turn : p.x.size() - 1); ++n) {
    if (p.x[n] > 0.98 * exact::max_compression(i)) continue;
    double a = inwards ? 0 : exact::outbound_velocity(i), b = inwards ? i.speed_m_s : 0;  // v with x(v) = x_n
    for (int k = 0; k < 60; ++k) {
      const double c = (a + b) / 2;
      ((exact::compression(i, c) > p.x[n]) == inwards ? a : b) = c;
    }
    least = std::min(least, inwards ? p.v[n] - a : std::abs(a) - std::abs(p.v[n]));
  }
  return least;
}

void run(Record& record) {
  const exact::Impact i = rigs::par11_figure1(0.5);
  const double g = 9.81, fine = 64 * rigs::par11_rate_hz, mg = i.mass_kg * g;
  parameters(record, i);
  record.parameter("loads", "0, 0.5, 1, 2, 4 times m g");
  record.parameter("simulated with", "RK4 at 64 times 44.1 kHz");
  Plot& whole = record.plot("Phase portraits under a constant load", {"compression", "µm"}, {"velocity", "m/s"});
  whole.curves.push_back(exact_phase(i, "no load"));
  double fastest = 1e9, deepest = 1e9, slowest = 1e9, inwards = 1e9, outwards = 1e9;
  Pressed weight;
  for (const double times : {0.5, 1.0, 2.0, 4.0}) {
    const Pressed p = pressed("rk4", i, times * mg, fine);
    Curve c{fmt::format("{:g} m g", times), {}, p.v};
    for (const double x : p.x) c.x.push_back(1e6 * x);
    whole.curves.push_back(std::move(c));
    fastest = std::min(fastest, p.v_max - i.speed_m_s), deepest = std::min(deepest, p.x_max / exact::max_compression(i) - 1);
    slowest = std::min(slowest, 1 - p.v_out / exact::outbound_velocity(i));
    inwards = std::min(inwards, margin(i, p, true)), outwards = std::min(outwards, margin(i, p, false));
    if (times == 1) weight = p;
  }
  Plot& detail = record.plot("Detail: the turning point", {"compression", "µm", false, 138, 156}, {"velocity", "m/s", false, -0.15, 0.15});
  detail.curves = whole.curves;

  record.said("the velocity first exceeds v_in: smallest excess", fastest, at_least(1e-6), "m/s");
  record.said("faster on the way in than without load, at equal compression: smallest excess", inwards, at_least(0), "m/s");
  record.said("slower on the way out: smallest difference", outwards, at_least(0), "m/s");
  record.said("all leave slower than without load: smallest 1 - |v_out|/|v_out| without load", slowest, at_least(1e-4));
  record.said("all compress more than (4) says: smallest excess", deepest, at_least(1e-4));
  record.said("v_out under m g", weight.v_out, near(-0.42739, 1e-5), "m/s");

  const Pressed printed = pressed("rk4", i, -mg, fine);
  record.erratum("(21), sign of f_e: largest velocity over v_in, under m g", weight.v_max / i.speed_m_s, printed.v_max / i.speed_m_s, near(1, 1e-12),
                 "with m a + f_e = -f as printed a positive f_e pulls the mass away and v never exceeds v_in; text and figure need m a = -f + f_e");
  record.erratum("(21), sign of f_e: largest compression over (4)", weight.x_max / exact::max_compression(i), printed.x_max / exact::max_compression(i), at_most(1 - 1e-4),
                 "with the printed sign the compression is smaller than (4), against the text");
  const double x_eq = std::pow(mg / i.stiffness, 1 / i.exponent);
  record.erratum("below (22), where the mass rests under m g", -std::pow(mg, 1 / i.exponent) / i.stiffness * 1e6, 1e6 * x_eq, near(4.5826, 1e-3),
                 "printed -f_e^(1/alpha)/k; right is (f_e/k)^(1/alpha)", "µm");
  record.said("acceleration there, of g", rigs::mass_of(i, mg).acceleration(x_eq, 0) / g, near(0, 1e-12));

  const double right = pressed("rk4", i, mg, 512 * rigs::par11_rate_hz).v_out;
  std::vector<Today> rows;
  for (const char* name : {"am1", "verlet", "heun", "rk4", "two-variable", "invariant", "symplectic-4"}) {
    const auto s = rigs::stepper_of(name, i, rigs::par11_rate_hz, mg);
    const double ns = rigs::ns_per_step(20000, [&, n = 0]() mutable {
      if (n++ % 42 == 0) s->start(0, i.speed_m_s);
      s->step();
    });
    rows.push_back({name, std::abs(pressed(name, i, mg, rigs::par11_rate_hz).v_out / right - 1), ns});
  }
  record.today("load m g, 44.1 kHz; RK4 at 512 times the rate (1e-9); error: of the rebound speed", rows);
}

}  // namespace

const Experiment fig5{
    "par11-fig5", "PAR11", "Fig. 5", "An impact under a constant load",
    "A force into the wall that stays on during contact speeds the mass up at first, compresses the contact more than the closed form says and "
    "makes it leave more slowly. No closed form is known.",
    "Simulated phase portraits for four loads and none, whole and near the turning point. Two signs in the paper's equations had to be turned.", run};

}  // namespace jawari::experiments::par11_items
