// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "par11/par11.h"

namespace jawari::experiments::par11_items {
namespace {

struct Column {
  const char* name;
  std::array<int, 9> operations;  // write, read, +/-, x, :, shift, exp, log, compare
  int total, with_memory;         // as printed
  int sum() const { return std::accumulate(operations.begin() + 2, operations.end(), 0); }
  int everything() const { return std::accumulate(operations.begin(), operations.end(), 0); }
};
constexpr Column columns[] = {{"AM1, per sample", {6, 16, 3, 8, 0, 0, 0, 0, 0}, 11, 33},
                              {"AM1, per Newton step", {10, 33, 8, 11, 1, 0, 1, 0, 4}, 25, 68},
                              {"Verlet", {5, 20, 7, 5, 3, 2, 1, 0, 1}, 19, 44},
                              {"Heun", {5, 21, 8, 5, 3, 3, 1, 0, 1}, 21, 47},
                              {"RK4", {20, 72, 22, 18, 8, 6, 4, 0, 4}, 62, 154}};

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
    s->step(), n += 1;
    const double it = s->settled() ? s->iterations() : std::nan("");
    out.mean += it, out.least = std::min(out.least, it), out.most = std::max(out.most, it);
    out.curve.x.push_back(n / samples), out.curve.y.push_back(it);
  } while (s->x() > 0);
  out.mean /= n;
  return out;
}

void run(Record& record) {
  record.parameter(
      "counted",
      "additions, multiplications, divisions, shifts, powers, logarithms and comparisons of one sample; memory apart");
  Table& table = record.table("Operations per sample as printed, added up again",
                              {"method", "total", "our sum", "with memory", "our sum"});
  for (const auto& c : columns) {
    table.rows.push_back({c.name, fmt::format("{}", c.total), fmt::format("{}", c.sum()),
                          fmt::format("{}", c.with_memory), fmt::format("{}", c.everything())});
    record.printed(fmt::format("Table IV(a), operations, {}", c.name), c.total, c.sum(), near(c.total, 0));
    record.printed(fmt::format("Table IV(a), with memory, {}", c.name), c.with_memory, c.everything(),
                   near(c.with_memory, 0));
  }
  const auto count = [](std::size_t i) { return static_cast<double>(columns[i].sum()); };
  record.said("IV-C, AM1 reaches the cost of RK4 after two Newton steps: ratio of the counts",
              (count(0) + 2 * count(1)) / count(4), near(1, 0.1));

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
              (count(0) + hard.mean * count(1)) / count(4), at_least(1));

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
    "Newton step, whose number "
    "nobody knows beforehand.",
    "The counts added up again, the Newton steps that AM1 needs in the three cases, and measured times beside them.",
    run};

}  // namespace jawari::experiments::par11_items
