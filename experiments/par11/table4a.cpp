// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "par11/counted_methods.h"
#include "par11/par11.h"

namespace jawari::experiments::par11_items {
namespace {

struct Method {
  const char *name, *library;
  int published, ours;  // operations of a sample without memory: Table IV(a), and counted here
  void (CountedMass::*step)();
};
constexpr Method explicit_methods[] = {{"Verlet", "verlet", 19, 21, &CountedMass::verlet},
                                       {"Heun", "heun", 21, 18, &CountedMass::heun},
                                       {"RK4", "rk4", 62, 65, &CountedMass::rk4}};

/// Operations of a sample in contact and in free motion, counted while it runs, and how far it is from the library's.
struct Cost {
  rigs::Operations touching, free;
  double off = 0;
};
Cost counted_cost(const Method& method) {
  const exact::Impact i = rigs::par11_case2();
  CountedMass mass(i, rigs::par11_rate_hz);
  const ContactSamples library = rigs::thrown(method.library, i);
  Cost cost;
  mass.start(-1, i.speed_m_s);
  cost.free = rigs::counted([&] { (mass.*method.step)(); });
  mass.start(0, i.speed_m_s);
  for (std::size_t n = 1; n < library.x_m.size(); ++n) {
    const auto done = rigs::counted([&] { (mass.*method.step)(); });
    if (n == library.x_m.size() / 2) cost.touching = done;  // all evaluations of the force are in contact
    cost.off = std::max(cost.off, std::abs(mass.x() - library.x_m[n]) / exact::max_compression(i));
    cost.off = std::max(cost.off, std::abs(mass.v() - library.v_m_s[n]) / i.speed_m_s);
  }
  return cost;
}

/// AM1 by the K-method: operations of a sample apart from Newton's, and of one Newton step in contact.
struct ImplicitCost {
  rigs::Operations sample, newton;
  double off = 0;
};
ImplicitCost counted_am1() {
  const exact::Impact i = rigs::par11_case2();
  CountedMass mass(i, rigs::par11_rate_hz);
  const ContactSamples library = rigs::thrown("am1", i);
  ImplicitCost cost;
  mass.start(0, i.speed_m_s);
  for (std::size_t n = 1; n < library.x_m.size(); ++n) {
    cost.sample = rigs::counted([&] { mass.am1_sample(); });
    for (int step = 0; step < 50; ++step) {
      const auto done = rigs::counted([&] { mass.am1_newton(); });
      if (step == 0 && n == library.x_m.size() / 2) cost.newton = done;
    }
    const auto last = rigs::counted([&] { mass.am1_finish(); });
    cost.sample.add += last.add;
    cost.sample.multiply += last.multiply;
    cost.off = std::max(cost.off, std::abs(mass.x() - library.x_m[n]) / exact::max_compression(i));
    cost.off = std::max(cost.off, std::abs(mass.v() - library.v_m_s[n]) / i.speed_m_s);
  }
  return cost;
}

struct Newton {
  double mean = 0, least = 1e9, most = 0;
  Curve curve;
};
/// Newton steps of AM1 at every sample of a contact.
Newton newton_steps(const std::string& label, const exact::Impact& impact) {
  Newton out;
  out.curve = {label, {}, {}, Curve::both};
  const auto s = rigs::stepper_of("am1", impact);
  const double samples = exact::contact_time(impact) * rigs::par11_rate_hz;
  s->start(0, impact.speed_m_s);
  double n = 0;
  do {
    s->step();
    n += 1;
    const double it = s->settled() ? s->iterations() : std::nan("");
    out.mean += it;
    out.least = std::min(out.least, it);
    out.most = std::max(out.most, it);
    out.curve.x.push_back(n / samples);
    out.curve.y.push_back(it);
  } while (s->x() > 0);
  out.mean /= n;
  return out;
}

void run(Record& record) {
  record.parameter(
      "counted",
      "additions, multiplications, divisions, shifts, powers, logarithms and comparisons of one sample; memory apart");
  record.parameter("coded", "(23)-(26) as printed, with the sign of the force mended; case 2, middle of the contact");
  Table& table = record.table("Operations per sample, counted while the methods run",
                              {"method", "published", "ours", "+ -", "x", ":", "shift", "power", "compare"});
  const std::string choice =
      "how the formulas were coded is not said; ours are coded as printed and counted while they run, and their "
      "samples are those of the library";
  const auto row = [&](const char* name, int published, int ours, const rigs::Operations& o) {
    table.rows.push_back({name, fmt::format("{}", published), fmt::format("{}", o.total()), fmt::format("{}", o.add),
                          fmt::format("{}", o.multiply), fmt::format("{}", o.divide), fmt::format("{}", o.shift),
                          fmt::format("{}", o.power), fmt::format("{}", o.compare)});
    record.open(fmt::format("Table IV(a), operations, {}", name), published, static_cast<double>(o.total()),
                near(ours, 0), choice);
  };
  const ImplicitCost am1 = counted_am1();
  row("AM1, per sample", 11, 10, am1.sample);
  row("AM1, per Newton step", 25, 21, am1.newton);
  double off = am1.off, rk4 = 0;
  for (const Method& method : explicit_methods) {
    const Cost cost = counted_cost(method);
    row(method.name, method.published, method.ours, cost.touching);
    off = std::max(off, cost.off);
    rk4 = static_cast<double>(cost.touching.total());
  }
  record.watched("the counted methods against the library's: largest difference of x and v", off, rounding(1e-11));
  const auto count = [](const rigs::Operations& o) { return static_cast<double>(o.total()); };
  record.said("IV-C, AM1 reaches the cost of RK4 after two Newton steps: ratio of the counts",
              (count(am1.sample) + 2 * count(am1.newton)) / rk4, between(0.75, 1.25));

  Plot& plot =
      record.plot("Newton steps of AM1 during contact", {"time over contact time"}, {"Newton steps", "", false, 0});
  plot.caption = "Solved to rounding; a looser tolerance takes off one or two.";
  const Newton soft = newton_steps("soft", rigs::par11_noncritical()),
               low = newton_steps("case 1", rigs::par11_case1()), hard = newton_steps("case 2", rigs::par11_case2());
  plot.curves = {soft.curve, low.curve, hard.curve};
  plot.curves[0].style = Curve::line;
  record.said("IV-C, the number of Newton steps cannot be foretold: most less fewest over the three cases",
              std::max({soft.most, low.most, hard.most}) - std::min({soft.least, low.least, hard.least}), at_least(2));
  record.said("IV-C, AM1 costs more than RK4: counts with the mean number of Newton steps of case 2",
              (count(am1.sample) + hard.mean * count(am1.newton)) / rk4, between(1, 3));

  today_waveform(record, rigs::par11_case2(),
                 {"am1", "verlet", "heun", "rk4", "two-point", "secant-2", "invariant", "symplectic-verlet",
                  "symplectic-4", "rk4+projected"});
}

}  // namespace

const Experiment table4a{
    "par11-table4a",
    "PAR11",
    "Table IVa",
    "What the four integrators cost",
    "Operations of one sample: Verlet and Heun about twenty, Runge-Kutta 62; AM1 eleven and another 25 for every "
    "Newton step, whose number is not known beforehand.",
    "Operations counted while the methods run, the Newton steps that AM1 needs in the three cases, and measured times "
    "beside them.",
    run};

}  // namespace jawari::experiments::par11_items
