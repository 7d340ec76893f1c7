// SPDX-License-Identifier: MIT
// The masses of mass_player.h: the kernel, the reference path, and two common ways to write them.
#include <cmath>
#include <vector>

#include "jawari/couple/single_port.h"
#include "jawari/scheme/quadratised.h"
#include "mass_player.h"
#include "report.h"
#include "textbook.h"

namespace jawari::bench {
namespace {

constexpr std::size_t count = Masses::count, steps = 441;  // per iteration: a fifth of a bounce
constexpr double dt_s = Masses::dt_s, stiffness = Masses::stiffness, exponent = Masses::exponent;
const MassBatch::Mass one = Masses::one();
const auto start_step = Masses::start_step;

void kernel(benchmark::State& state, MassBatch::Rounding rounding) {
  MassBatch batch = Masses::batch(rounding);
  batch.run(20 * steps);
  for (auto _ : state) batch.run(steps);
  items(state, count * steps);
}

void by_hand(benchmark::State& state, void (*run)(const Textbook&, std::span<Mass>, std::size_t)) {
  const Textbook p{one.D, one.C, std::sqrt(stiffness * (exponent + 1) / 2), (exponent - 1) / 2, 0};
  std::vector<Mass> masses(count);
  for (std::size_t i = 0; i < count; ++i) masses[i] = {-1e-9, start_step(i), 0};
  run(p, masses, 20 * steps);
  for (auto _ : state) run(p, masses, steps);
  benchmark::DoNotOptimize(masses.data());
  items(state, count * steps);
}

/// Law, scheme and coupling of the library on double: what the kernel equals bit for bit.
void reference(benchmark::State& state) {
  const PowerLaw law({stiffness, exponent});
  using Scheme = Quadratised<Rule::plain, 1>;
  Scheme scheme;
  scheme.prepare(law, dt_s);
  std::vector<Mass> masses(count);
  for (std::size_t i = 0; i < count; ++i) masses[i] = {-1e-9, start_step(i), 0};
  const auto run = [&](std::size_t n) {
    for (Mass& m : masses)
      for (std::size_t k = 0; k < n; ++k) {
        Scheme::State psi{m.psi};
        const double free = m.d - one.D * m.u;
        const Port port{m.u, m.d, m.d + free, one.C};
        Scheme::Step t = scheme.begin(law, port, psi);
        Outcome out;
        double s = 0;
        const double f = solve_single_port(scheme, law, t, port, s, out);
        scheme.finish(law, t, s, psi);
        m.d = free + one.C * f;
        m.u += m.d;
        m.psi = psi.psi;
      }
  };
  run(20 * steps);
  for (auto _ : state) run(steps);
  items(state, count * steps);
}

constexpr char textbook_name[] = "textbook: std::pow, a division, one mass after another";
constexpr char shortest[] = "textbook, shortest form", fused[] = "MassBatch", single[] = "MassBatch, float";
BENCHMARK_CAPTURE(by_hand, textbook, textbook)->Name(textbook_name);
BENCHMARK_CAPTURE(by_hand, shortest, textbook_short)->Name(shortest);
BENCHMARK_CAPTURE(by_hand, side_by_side, textbook_side_by_side)->Name("textbook, one step after another");
BENCHMARK(reference)->Name("reference path: law, scheme, solve_single_port");
BENCHMARK_CAPTURE(kernel, as_double, MassBatch::Rounding::as_double)->Name("MassBatch, rounding as double");
BENCHMARK_CAPTURE(kernel, fused, MassBatch::Rounding::fused)->Name(fused);
BENCHMARK_CAPTURE(kernel, single, MassBatch::Rounding::single)->Name(single);

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari::bench;
  return run(argc, argv, "mass and step",
             {{"MassBatch against the textbook", textbook_name, fused, 18},
              {"the same in float", textbook_name, single, 40},
              {"MassBatch against its shortest form", shortest, fused, 13}});
}
