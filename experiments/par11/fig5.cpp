// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
    p.x.push_back(s->x());
    p.v.push_back(s->v());
    p.v_max = std::max(p.v_max, s->v());
    p.x_max = std::max(p.x_max, s->x());
  } while (s->x() > 0);
  p.v_out = -std::sqrt(s->v() * s->v() - 2 * load_N / i.mass_kg * s->x());  // back to the wall, along the free flight
  return p;
}
/// |v| without load at a compression, on the way in or out.
double unloaded(const exact::Impact& i, double x_m, bool inwards) {
  double a = 0, b = inwards ? i.speed_m_s : exact::outbound_velocity(i);  // x(a) is the largest compression
  for (int k = 0; k < 60; ++k) {
    const double c = (a + b) / 2;
    (exact::compression(i, c) > x_m ? a : b) = c;
  }
  return std::abs(a);
}
struct Compared {
  double inwards = 1e9;  ///< smallest |v| - |v without load| on the way in, at equal compression [m/s]
  double crossing = 0;   ///< compression below which the mass is slower on the way out, of x_max
};
Compared compared(const exact::Impact& i, const Pressed& p) {
  Compared c;
  const double x_max = exact::max_compression(i);
  for (std::size_t n = 1; n + 1 < p.x.size(); ++n) {
    if (p.x[n] > 0.999 * x_max) continue;
    const double v = unloaded(i, p.x[n], p.v[n] > 0);
    if (p.v[n] > 0)
      c.inwards = std::min(c.inwards, p.v[n] - v);
    else if (-p.v[n] < v)
      c.crossing = std::max(c.crossing, p.x[n] / x_max);
  }
  return c;
}

void run(Record& record) {
  const exact::Impact i = rigs::par11_figure1(0.5);
  const double g = 9.81, fine = 64 * rigs::par11_rate_hz, mg = i.mass_kg * g;
  parameters(record, i);
  record.parameter("loads", "0, 0.5, 1, 2, 4 times m g");
  record.parameter("simulated with", "RK4 at 64 times 44.1 kHz");
  Plot& whole = record.plot("Phase portraits under a constant load", {"compression", "µm"}, {"velocity", "m/s"});
  whole.curves.push_back(exact_phase(i, "no load"));
  double fastest = 1e9, deepest = 1e9, slowest = 1e9;
  Compared all;
  Pressed weight;
  for (const double times : {0.5, 1.0, 2.0, 4.0}) {
    const Pressed p = pressed("rk4", i, times * mg, fine);
    Curve c{fmt::format("{:g} m g", times), {}, p.v};
    for (const double x : p.x) c.x.push_back(1e6 * x);
    whole.curves.push_back(std::move(c));
    fastest = std::min(fastest, p.v_max - i.speed_m_s);
    deepest = std::min(deepest, p.x_max / exact::max_compression(i) - 1);
    slowest = std::min(slowest, 1 - p.v_out / exact::outbound_velocity(i));
    const Compared at = compared(i, p);
    all.inwards = std::min(all.inwards, at.inwards);
    all.crossing = std::max(all.crossing, at.crossing);
    if (times == 1) weight = p;
  }
  Plot& detail = record.plot("Detail: the turning point", {"compression", "µm", false, 138, 156},
                             {"velocity", "m/s", false, -0.15, 0.15});
  detail.curves = whole.curves;
  detail.caption =
      "The deeper it gets, the later it turns: near the turning point a loaded mass is the faster one on the way out, "
      "too.";

  const Pressed printed = pressed("rk4", i, -mg, fine);
  const std::string sign =
      "read m a = -f + f_e; with m a + f_e = -f as in (21) a positive f_e pulls the mass off the wall";
  record.erratum("the velocity first exceeds v_in: smallest excess", std::nullopt, fastest, at_least(1e-5), sign,
                 "m/s");
  record.erratum("faster on the way in than without load, at equal compression: smallest excess", std::nullopt,
                 all.inwards, at_least(0), sign, "m/s");
  record.erratum("all leave slower than without load: smallest 1 - |v_out|/|v_out without load|", std::nullopt, slowest,
                 at_least(1e-3), sign);
  record.erratum("all compress more than (4) says: smallest excess", std::nullopt, deepest, at_least(2e-3), sign);
  record.watched("v_out under m g", weight.v_out, near(-0.42739, 1e-5), "m/s");
  record.erratum("with the sign as printed, largest velocity over v_in", std::nullopt, printed.v_max / i.speed_m_s,
                 near(1, 1e-12), "text and figure have it above 1");
  record.erratum("with the sign as printed, largest compression over (4)", std::nullopt,
                 printed.x_max / exact::max_compression(i), at_most(1 - 1e-4), "text and figure have it above 1");
  record.refuted("slower than without load on the way out: up to which compression, of x_max", std::nullopt,
                 all.crossing, between(0.2, 0.5),
                 "true of its later part only: nearer to the turning point, which lies deeper, a loaded mass is faster "
                 "at equal compression");
  const double x_eq = exact::rest_compression(i, mg);
  record.erratum("below (22), where the mass rests under m g", -std::pow(mg, 1 / i.exponent) / i.stiffness * 1e6,
                 1e6 * x_eq, near(4.5826, 1e-3), "printed -f_e^(1/alpha)/k; right is (f_e/k)^(1/alpha)", "µm");
  record.said("acceleration there, of g", rigs::mass_of(i, mg).acceleration(x_eq, 0) / g, rounding(1e-12));

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

const Experiment fig5{"par11-fig5",
                      "PAR11",
                      "Fig. 5",
                      "An impact under a constant load",
                      "A force into the wall that stays on during contact speeds the mass up at first, compresses the "
                      "contact more than the closed form says and "
                      "makes it leave more slowly. No closed form is known.",
                      "Simulated phase portraits for four loads and none, whole and near the turning point. Two signs "
                      "in the paper's equations had to be turned.",
                      run};

}  // namespace jawari::experiments::par11_items
