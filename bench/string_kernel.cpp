// SPDX-License-Identifier: MIT
// The fused string kernel on the string of DB19, Fig. 8, over its barrier (219 points, 44.1 kHz), plucked and plucked
// again every half second; beside it what others would write, and the yardstick of what the core can do.
#include "jawari/kernel/string_kernel.h"

#include <cmath>
#include <string>
#include <vector>

#include "player.h"
#include "report.h"
#include "textbook.h"
#include "yardstick.h"

namespace jawari::bench {
namespace {

void fused(benchmark::State& state, const Setup& s) {
  Player p(s);
  for (std::size_t i = 0; i < p.length / visit; ++i) p.play();
  for (auto _ : state) {
    for (std::size_t i = 0; i < p.length / visit; ++i) p.play();
  }
  const double e = p.kernel->stored().total() + p.kernel->contact_J();
  if (!std::isfinite(e) || p.kernel->record().unsettled > 0) state.SkipWithError("not a string");
  items(state, static_cast<double>(p.length) * (s.short_string ? 1 : static_cast<double>(p.u.size())));
}

struct ByHand {
  static constexpr int intervals = 220;
  double h = 1.0 / intervals, dt_s = 1 / 44100.0, rho = 0.063;
  double lam = dt_s * dt_s * 500 / (rho * h * h), mu = dt_s * dt_s * 0.009817477042468105 / (rho * h * h * h * h);
  double a0 = 2 - 2 * lam - 6 * mu, a1 = lam + 4 * mu, a2 = -mu, C = dt_s * dt_s / (rho * h), K = 5e6, alpha = 1.4;
  std::vector<double> barrier, now, before, next, psi;

  ByHand() {
    for (auto* v : {&barrier, &now, &before, &next, &psi}) v->assign(intervals + 3, 0.0);
    for (std::size_t i = 0; i < barrier.size(); ++i) barrier[i] = barrier_m({}, h * (static_cast<double>(i) - 1));
  }
  template <class Step>
  void play(std::size_t steps, Step step) {
    for (auto* v : {&now, &before, &next, &psi}) v->assign(intervals + 3, 0.0);
    for (std::size_t n = 0; n < steps; ++n) {
      step();
      if (n < 64) next[67] += C * pulse_N(n, dt_s);
      before.swap(now);
      now.swap(next);
    }
  }
};
using StringStep = void (*)(const TextbookString&, std::span<const double>, std::span<const double>,
                            std::span<const double>, std::span<double>, std::span<double>);
void by_hand(benchmark::State& state, StringStep step) {
  ByHand b;
  const TextbookString p{b.a0, b.a1, b.a2, b.C, std::sqrt(b.K * (b.alpha + 1) / 2), (b.alpha - 1) / 2};
  for (auto _ : state) b.play(22016, [&] { step(p, b.barrier, b.now, b.before, b.next, b.psi); });
  if (!(std::abs(b.now[111]) < 1e-2 && std::abs(b.now[111]) > 0)) state.SkipWithError("not a string");
  items(state, 22016.0 * (ByHand::intervals - 1));
}
void newton_by_hand(benchmark::State& state) {
  ByHand b;
  const NewtonString p{b.a0, b.a1, b.a2, b.C, b.K, b.alpha};
  for (auto _ : state) b.play(4400, [&] { newton_string(p, b.barrier, b.now, b.before, b.next); });
  if (!(std::abs(b.now[111]) < 1e-2 && std::abs(b.now[111]) > 0)) state.SkipWithError("not a string");
  items(state, 4400.0 * (ByHand::intervals - 1));
}
void yardstick(benchmark::State& state, double (*run)(std::size_t)) {
  for (auto _ : state) benchmark::DoNotOptimize(run(1 << 20));
  items(state, 1 << 20);
}

std::vector<Goal> add_all() {
  const auto add = [](const std::string& name, const Setup& s) {
    benchmark::RegisterBenchmark(name.c_str(), [s](benchmark::State& state) { fused(state, s); });
  };
  benchmark::RegisterBenchmark("yardstick, double", yardstick, yardstick_double);
  benchmark::RegisterBenchmark("yardstick, float", yardstick, yardstick_float);
  benchmark::RegisterBenchmark("textbook, std::pow at every point", by_hand, textbook_string_by_the_letter);
  benchmark::RegisterBenchmark("textbook, std::pow where it touches", by_hand, textbook_string);
  benchmark::RegisterBenchmark("20 Newton iterations at every point", newton_by_hand);
  for (const auto scheme : kernel::schemes()) add(std::string(scheme), {.scheme = std::string(scheme)});
  for (const std::string scheme : {"quadratised", "bounded", "two-point"})
    add(scheme + ", float", {.scheme = scheme, .arithmetic = Arithmetic::single});
  add("quadratised, float, nothing touches", {.level_m = -1, .arithmetic = Arithmetic::single});
  add("quadratised, as double", {.arithmetic = Arithmetic::as_double});
  add("two-point, as double", {.scheme = "two-point", .arithmetic = Arithmetic::as_double});
  add("quadratised, nothing touches", {.level_m = -1});
  add("quadratised, nothing touches, but energy could", {.level_m = -1e-3});
  add("quadratised, five times the rate", {.intervals = 515, .rate_hz = 220500});
  add("quadratised, five times the rate, nothing touches", {.level_m = -1, .intervals = 515, .rate_hz = 220500});
  add("quadratised, all touches", {.K = 1, .level_m = 0.1});
  add("quadratised, nothing touches, sigma_0 and sigma_1", {.level_m = -1, .sigma0 = 0.5, .sigma1 = 5e-4});
  add("the same without accounts", {.level_m = -1, .sigma0 = 0.5, .sigma1 = 5e-4, .accounts = false});
  add("quadratised, nothing touches, sigma_0", {.level_m = -1, .sigma0 = 0.5});
  // A stiffer barrier is touched at fewer points and for a shorter time, so the same piece gets cheaper.  What
  // stiffness itself costs is compared where every point is in the contact path in every step: the string wound over
  // its barrier. There secant-1 touches everywhere, always; the other two rattle on stiff barriers, a quarter of the
  // points being off in a step: every contact that begins or ends is noted, and units without an event, which are
  // cheaper, get rare.
  const std::pair<double, std::string> stiffness[] = {{1e6, "1e6"}, {1e10, "1e10"}, {1e14, "1e14"}};
  const std::string fixed_cost[] = {"quadratised", "bounded", "secant-1"};
  for (const auto& [K, word] : stiffness) {
    add("bounded, K " + word, {.scheme = "bounded", .K = K});
    for (const auto& scheme : fixed_cost)
      add(scheme + ", wound over the barrier, K " + word, {.scheme = scheme, .K = K, .wound = true});
  }
  std::vector<Goal> goals{
      {"quadratised against the textbook", "textbook, std::pow at every point", "quadratised", 8},
      {"the same in float", "textbook, std::pow at every point", "quadratised, float", 14},
      {"contact-free in float against its yardstick", "yardstick, float", "quadratised, float, nothing touches",
       1 / 1.15},
      {"contact-free against the yardstick", "yardstick, double", "quadratised, nothing touches", 1 / 1.1},
      {"the same with detection", "yardstick, double", "quadratised, nothing touches, but energy could", 1 / 1.1},
      {"none touching against all", "quadratised, all touches", "quadratised, nothing touches", 1, 7.5},
      {"lossless against lossy, without accounts", "the same without accounts", "quadratised, nothing touches", 1, 1.5},
      {"two-point against 20 iterations everywhere", "20 Newton iterations at every point", "two-point", 70},
      {"quadratised against the same", "20 Newton iterations at every point", "quadratised", 250}};
  for (const auto& [K, word] : {stiffness[1], stiffness[2]}) {
    const std::string wound = "secant-1, wound over the barrier, K ";
    goals.push_back({"secant-1, stiffness " + word + " against 1e6", wound + word, wound + "1e6", 0.95, 1.05});
    goals.push_back(
        {"bounded as played, stiffness " + word + " against 1e6", "bounded, K " + word, "bounded, K 1e6", 0, 1.05});
  }
  for (const auto& [level, word] : {std::pair{-1e-3, "-1 mm"}, {-1e-6, "-1 um"}})
    for (const std::string scheme : {"two-point", "quadratised", "bounded", "secant-1"})
      add(scheme + ", 138 points, flat barrier at " + word + ", per sample",
          {.scheme = scheme, .K = 1e10, .alpha = 1.3, .level_m = level, .curve = 0, .short_string = true});
  // So many ns on a core whose yardstick reads 0.67 ns.
  const auto within = [&](const std::string& scheme, const std::string& level, double ns) {
    goals.push_back({scheme + ", 138 points, barrier at " + level + ", in yardsticks",
                     scheme + ", 138 points, flat barrier at " + level + ", per sample", "yardstick, double", 0,
                     ns / 0.67});
  };
  within("two-point", "-1 mm", 500);
  within("two-point", "-1 um", 2500);
  within("bounded", "-1 mm", 250);
  within("bounded", "-1 um", 700);
  return goals;
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  const auto goals = jawari::bench::add_all();
  return jawari::bench::run(argc, argv, "point and step", goals);
}
