// SPDX-License-Identifier: MIT
// One mass, one wall: a step of every scheme of the registry, through its contact line as the engine calls it.
//   in contact   a mass on a spring that holds it in the barrier, so that no step is free
//   in flight    the mass far away: contact detection only
#include <cmath>
#include <memory>
#include <set>
#include <string>

#include "jawari/registry.h"
#include "report.h"

namespace jawari::bench {
namespace {

constexpr double dt_s = 1 / 44100.0, mass_kg = 0.01, D = 2e-4;  // (M1) with E = 1; 100 Hz
constexpr double C = dt_s * dt_s / mass_kg;

void step_of(benchmark::State& state, const LawSpec& law, const SchemeSpec& scheme, bool contact) {
  const auto line = make_line(law, scheme, 1, dt_s);
  double rest_m = 2e-3, u_m = 0.8e-3, d_m = 0;  // the wall at 0; both inside
  if (!contact) {
    rest_m = u_m = -1;
    d_m = 1e-9;
  }
  Port& port = line->port[0];
  port = {u_m, d_m, 2 * d_m, C};
  line->start();
  for (auto _ : state) {
    port.y = u_m;
    port.d = d_m;
    port.s_free = 2 * d_m - D * (u_m - rest_m);
    if (line->detect()) {
      line->begin(false);
      line->solve_independent();
      line->finish();
    }
    d_m = line->s[0] - d_m;
    u_m += d_m;
  }
  const double share = static_cast<double>(line->record.touching_steps) / static_cast<double>(state.iterations());
  if (contact ? share < 0.99 : share > 0) state.SkipWithError("not the steps it should time");
  items(state, 1);
}

/// Schemes differ in the laws they serve; each is timed with the first law that it takes.
void add_all() {
  std::set<std::string> seen;
  for (const LawSpec& law : {LawSpec{"power", {{"stiffness", 1e5}, {"exponent", 1.3}}},
                             LawSpec{"power", {{"stiffness", 1e4}, {"exponent", 1}}},
                             LawSpec{"odd-power", {{"stiffness", 1e9}, {"exponent", 3}}}})
    for (const auto name : schemes_for(law)) {
      if (!seen.insert(std::string(name)).second) continue;
      const SchemeSpec scheme{std::string(name)};
      const auto add = [&](const char* where, bool contact) {
        const std::string title = std::string(name) + (law.type == "power" ? ", " : " (" + law.type + "), ") + where;
        benchmark::RegisterBenchmark(title.c_str(), step_of, law, scheme, contact);
      };
      add("in contact", true);
      if (jawari::law(law.type).sides == Sides::one) add("in flight", false);
    }
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  jawari::bench::add_all();
  return jawari::bench::run(argc, argv, "step", {});
}
