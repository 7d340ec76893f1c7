// SPDX-License-Identifier: MIT
// 1024 independent masses, 10 g at 10 Hz and 44.1 kHz, thrown at a soft barrier at rest with 0.8 to 1.2 m/s: phases
// part soon, and a tenth of all steps is in contact (230 at a time).
#include "jawari/kernel/mass_batch.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "jawari/couple/alone.h"
#include "jawari/scheme/quadratised.h"
#include "report.h"
#include "textbook.h"

namespace jawari::bench {
namespace {

constexpr std::size_t count = 1024, steps = 441;  // per iteration: a fifth of a bounce
constexpr double dt_s = 1 / 44100.0, stiffness = 2.2e4, exponent = 1.3;
const double half = std::sin(std::numbers::pi * 10 * dt_s);
const MassBatch::Mass one{4 * half * half, dt_s * dt_s / 0.01, 0};

double start_step(std::size_t i) { return dt_s * (0.8 + 0.4 * static_cast<double>(i * 37 % count) / count); }

void kernel(benchmark::State& state, MassBatch::Rounding rounding) {
  MassBatch batch(PowerLaw({stiffness, exponent}), std::vector(count, one), rounding);
  for (std::size_t i = 0; i < count; ++i) batch.place(i, -1e-9, start_step(i));
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
void readable(benchmark::State& state) {
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
        const double f = solve_alone(scheme, law, t, port, s, out);
        scheme.finish(law, t, s, psi);
        m.d = free + one.C * f, m.u += m.d, m.psi = psi.psi;
      }
  };
  run(20 * steps);
  for (auto _ : state) run(steps);
  items(state, count * steps);
}

constexpr char by_the_book[] = "textbook: std::pow, a division, one mass after another";
constexpr char shortest[] = "textbook, shortest form", fused[] = "MassBatch", single[] = "MassBatch, float";
BENCHMARK_CAPTURE(by_hand, textbook, textbook)->Name(by_the_book);
BENCHMARK_CAPTURE(by_hand, shortest, textbook_short)->Name(shortest);
BENCHMARK_CAPTURE(by_hand, side_by_side, textbook_side_by_side)->Name("textbook, one step after another");
BENCHMARK(readable)->Name("readable path: law, scheme, solve_alone");
BENCHMARK_CAPTURE(kernel, as_double, MassBatch::Rounding::as_double)->Name("MassBatch, rounding as double");
BENCHMARK_CAPTURE(kernel, fused, MassBatch::Rounding::fused)->Name(fused);
BENCHMARK_CAPTURE(kernel, single, MassBatch::Rounding::single)->Name(single);

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari::bench;
  return run(argc, argv, "mass and step",
             {{"MassBatch against the textbook", by_the_book, fused, 18},
              {"the same in float", by_the_book, single, 40},
              {"MassBatch against its shortest form", shortest, fused, 13}});
}
