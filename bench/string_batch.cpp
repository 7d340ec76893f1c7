// SPDX-License-Identifier: MIT
// Implicit strings: that of DB19, Fig. 8, with sigma_1 centred, with gamma_* and with l_unc, eight of them plucked at
// eight places, in a batch (one string per lane) and through the reference path (scalar elimination), over the barrier
// and without touching it; beside them the explicit kernel and the yardstick.
#include "jawari/kernel/string_batch.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "jawari/couple/island.h"
#include "player.h"
#include "report.h"
#include "yardstick.h"

namespace jawari::bench {
namespace {

constexpr std::size_t length = 8832;  // a fifth of a second

struct Implicit {
  GridOptions grid;
  double sigma1 = 0, level_m = 0;
  std::string scheme = "quadratised";
  StringBatch::Arithmetic arithmetic = StringBatch::Arithmetic::fused;
  std::size_t strings = 8, active = 8;
};

/// One of the eight: its own place, its own strength.
struct Pluck {
  std::unique_ptr<StringGrid> string;
  std::vector<double> offset, zero, force;
  StringGrid::Spread at;

  Pluck(const Implicit& b, std::size_t which) {
    const double dt_s = 1 / 44100.0;
    string = std::make_unique<StringGrid>(data({.sigma1 = b.sigma1}), b.grid, dt_s);
    for (std::size_t i = 0; i < string->nodes(); ++i)
      offset.push_back(barrier_m({.level_m = b.level_m}, string->position_m(i)));
    zero.resize(string->nodes());
    const double x = 0.15 + 0.05 * static_cast<double>(which), strength = 0.6 + 0.1 * static_cast<double>(which);
    at = {static_cast<std::size_t>(x * static_cast<double>(string->nodes())), 1, {1}};
    for (std::size_t i = 0; i < visit; ++i) force.push_back(strength * pulse_N(i, dt_s));
  }
};
const LawSpec law{"power", {{"stiffness", 5e6}, {"exponent", 1.4}}};

void batched(benchmark::State& state, const Implicit& b) {
  const SchemeSpec scheme{b.scheme, {}};
  std::vector<Pluck> plucks;
  std::vector<kernel::LineOptions> lines;
  std::vector<kernel::BatchOptions> choices;
  std::vector<StringBatch::Drive> drives;
  for (std::size_t i = 0; i < b.strings; ++i) plucks.emplace_back(b, i);
  for (const Pluck& p : plucks) lines.push_back({law, scheme, 1, 0, -1, p.offset});
  for (std::size_t i = 0; i < b.strings; ++i) {
    choices.push_back({*plucks[i].string, &lines[i]});
    drives.push_back({{plucks[i].at, plucks[i].force.data()}, i});
  }
  const auto batch = kernel::make_kernel(choices, b.arithmetic);
  for (std::size_t i = b.active; i < b.strings; ++i) batch->set_active(i, false);
  for (auto _ : state) {
    for (std::size_t i = 0; i < b.active; ++i) batch->place(plucks[i].zero, plucks[i].zero, i);
    batch->run(visit, drives);
    for (std::size_t n = visit; n < length; n += visit) batch->run(visit);
  }
  double points = 0;
  for (std::size_t i = 0; i < b.active; ++i) {
    points += static_cast<double>(plucks[i].zero.size());
    const bool touched = batch->record(i).touching_steps > 0;
    if (!(batch->stored(i).total() > 0) || batch->record(i).unsettled > 0 || touched != (b.level_m == 0))
      state.SkipWithError("not a string");
  }
  items(state, static_cast<double>(length) * points);
}

/// As World::step() does it, without the world.
void reference(benchmark::State& state, const Implicit& b) {
  Pluck p(b, 3);
  const std::size_t n = p.zero.size();
  const auto line = make_line(law, {b.scheme, {}}, n, 1 / 44100.0, 1);
  GridCompliance compliance(*p.string, 0, n);
  Island island(compliance, {line.get()});
  for (std::size_t i = 0; i < n; ++i) line->port[i].q = p.string->receptance(i, i);
  const auto fill = [&] {
    for (std::size_t i = 0; i < n; ++i) {
      Port& port = line->port[i];
      port.y = p.offset[i] - p.string->w[i];
      port.d = -p.string->d[i];
      port.s_free = -p.string->s_free[i];
    }
  };
  for (auto _ : state) {
    p.string->place(p.zero, p.zero);
    p.string->predict();
    fill();
    line->start();
    for (std::size_t t = 0; t < length; ++t) {
      if (t < visit) p.string->add_force(p.at.first, p.force[t]);
      p.string->predict();
      fill();
      island.solve();
      for (std::size_t i = 0; i < n; ++i) p.string->force[i] -= line->phi[i];
      p.string->advance();
    }
  }
  if (!(p.string->stored().total() > 0) || (line->record.touching_steps > 0) != (b.level_m == 0))
    state.SkipWithError("not a string");
  items(state, static_cast<double>(length * n));
}

void explicit_kernel(benchmark::State& state, const Setup& s) {
  Player p(s);
  p.length = length;
  for (auto _ : state)
    for (std::size_t i = 0; i < length / visit; ++i) p.play();
  if (!(p.kernel->stored().total() > 0)) state.SkipWithError("not a string");
  items(state, static_cast<double>(length * p.u.size()));
}
void yardstick(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(yardstick_double(1 << 20));
  items(state, 1 << 20);
}

std::vector<Goal> add_all() {
  benchmark::RegisterBenchmark("yardstick, double", yardstick);
  const auto add = [](const std::string& name, auto run, const auto& with) {
    benchmark::RegisterBenchmark(name.c_str(), [run, with](benchmark::State& state) { run(state, with); });
  };
  std::vector<Goal> goals;
  const double free = -1, sigma1 = 5e-4;
  add("explicit kernel, quadratised", explicit_kernel, Setup{.sigma1 = sigma1, .intervals = 219});
  add("explicit kernel, nothing touches", explicit_kernel, Setup{.level_m = free, .sigma1 = sigma1, .intervals = 219});
  const std::pair<std::string, Implicit> operators[] = {
      {"implicit sigma_1", {.grid = {.centred_loss = true, .intervals = 219}, .sigma1 = sigma1}},
      {"gamma_*", {.grid = {.op = GridOperator::optimal}}},
      {"unconditional", {.grid = {.op = GridOperator::unconditional, .intervals = 220}}}};
  for (const auto& [name, with] : operators) {
    Implicit b = with, far = with;
    far.level_m = free;
    add(name + ", reference", reference, b);
    add(name + ", reference, nothing touches", reference, far);
    add(name + ", batch of 8", batched, b);
    add(name + ", batch of 8, nothing touches", batched, far);
    b.arithmetic = StringBatch::Arithmetic::as_double;
    add(name + ", batch of 8, as double", batched, b);
    goals.push_back({name + ", batch against the reference path", name + ", reference", name + ", batch of 8", 5});
    goals.push_back({"the same, nothing touches", name + ", reference, nothing touches",
                     name + ", batch of 8, nothing touches", 5});
  }
  using Arithmetic = StringBatch::Arithmetic;
  for (const auto& [arithmetic, how] : {std::pair{Arithmetic::fused, ""}, {Arithmetic::as_double, ", as double"}})
    for (const double level : {0.0, free}) {
      Implicit b = operators[1].second;
      b.scheme = "two-point";
      b.arithmetic = arithmetic;
      b.level_m = level;
      const std::string name = std::string("gamma_*, two-point") + (level == 0 ? "" : ", nothing touches") + how;
      add(name + ", batch of 8", batched, b);
      b.active = 1;
      add(name + ", one of 8 active", batched, b);
      b.strings = 1;
      add(name + ", one string", batched, b);
      // A vector in which one string touches goes through Newton as a whole, and strings touch at different times.
      goals.push_back({name + ": one of eight against one alone", name + ", one string", name + ", batch of 8",
                       level == 0 ? 1.0 : 3.0});
      goals.push_back(
          {name + ": one active of eight against one alone", name + ", one string", name + ", one of 8 active", 0.6});
    }
  for (const std::string scheme : {"bounded", "secant-1", "two-point"}) {
    Implicit b = operators[0].second;
    b.scheme = scheme;
    add("implicit sigma_1, " + scheme + ", reference", reference, b);
    add("implicit sigma_1, " + scheme + ", batch of 8", batched, b);
  }
  goals.push_back({"implicit sigma_1 against the explicit kernel, nothing touches",
                   "implicit sigma_1, batch of 8, nothing touches", "explicit kernel, nothing touches", 1, 3.5});
  return goals;
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  const auto goals = jawari::bench::add_all();
  return jawari::bench::run(argc, argv, "point and step", goals);
}
