// SPDX-License-Identifier: MIT
// The fused string kernel on the string of DB19, Fig. 8, over its barrier (219 points, 44.1 kHz), plucked and plucked again
// every half second; beside it what others would write, and the yardstick of what the core can do.
#include "jawari/kernel/string_kernel.h"

#include <cmath>
#include <string>
#include <vector>

#include "jawari/kernel/match.h"
#include "report.h"
#include "textbook.h"
#include "yardstick.h"

namespace jawari::bench {
namespace {

using Arithmetic = StringKernel::Arithmetic;
constexpr std::size_t visit = 64;  // samples per call, as an engine would

struct Setup {
  std::string scheme = "quadratised";
  double K = 5e6, alpha = 1.4;         // per point
  double level_m = 0, curve = 1;       // barrier: level - curve (1e-4 + 1e-4 x + 1e-3 x^2)
  double sigma0 = 0, sigma1 = 0;
  Arithmetic arithmetic = Arithmetic::fused;
  int intervals = 220;
  double rate_hz = 44100;
  bool short_string = false;           // 138 points of thin steel at 48 kHz
};

StringData data(const Setup& s) {
  if (s.short_string) {
    StringData thin = round_string(0.68, 12.1, 2e-4, 7850, 2e11);
    thin.stretching_N = 0;
    return thin;
  }
  return {.length_m = 1, .tension_N = 500, .density_kg_m = 0.063, .bending_N_m2 = 0.009817477042468105,
          .stretching_N = 0, .sigma0_1_s = s.sigma0, .sigma1_m2_s = s.sigma1};
}
double barrier_m(const Setup& s, double x) { return s.level_m - s.curve * (1e-4 + 1e-4 * x + 1e-3 * x * x); }
/// DB19's pulse of 1 ms at 0.3 L.
double pulse_N(std::size_t n, double dt_s) {
  const double t = static_cast<double>(n) * dt_s;
  return t < 1e-3 ? 5 * (1 - std::cos(2 * M_PI * t / 1e-3)) : 0;
}

/// Half a second of sound, again and again: contacts come and go as they do in the piece.
struct Player {
  std::unique_ptr<StringKernel> kernel;
  std::vector<double> force, u, d;
  StringGrid::Spread at;
  std::size_t n = 0, length = 22016;

  explicit Player(const Setup& s) {
    const double dt_s = 1 / (s.short_string ? 48000.0 : s.rate_hz);
    const StringGrid body(data(s), {.intervals = s.short_string ? 139 : s.intervals}, dt_s);
    std::vector<double> offset;
    for (std::size_t i = 0; i < body.nodes(); ++i) offset.push_back(barrier_m(s, body.position_m(i)));
    const Choice law{"power", {{"stiffness", s.K}, {"exponent", s.alpha}}}, scheme{s.scheme};
    kernel = kernel::match(body, {law, scheme, s.short_string ? body.spacing_m() : 1, 0, -1, offset}, s.arithmetic);
    u.resize(body.nodes()), d.resize(body.nodes());
    if (s.short_string)
      for (std::size_t i = 0; i < u.size(); ++i) {  // plucked by 2 mm
        const double x = body.position_m(i) / 0.68;
        u[i] = 2e-3 * (x < 0.3 ? x / 0.3 : (1 - x) / 0.7);
      }
    else
      for (std::size_t i = 0; i < visit; ++i) force.push_back(pulse_N(i, dt_s));
    at = {s.short_string ? 0u : static_cast<std::size_t>(0.3 * s.intervals) - 1, 1, {1}};
    kernel->place(u, d), n = 0;
  }
  void play() {
    if (n == length) kernel->place(u, d), n = 0;
    const StringDrive drive{at, force.data()};
    if (n == 0 && !force.empty()) kernel->run(visit, std::span(&drive, 1));
    else kernel->run(visit);
    n += visit;
  }
};

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
      before.swap(now), now.swap(next);
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
  add("quadratised, five times the rate", {.intervals = 515, .rate_hz = 220500});
  add("quadratised, five times the rate, nothing touches", {.level_m = -1, .intervals = 515, .rate_hz = 220500});
  add("quadratised, all touches", {.K = 1, .level_m = 0.1});
  add("quadratised, nothing touches, sigma_0 and sigma_1", {.level_m = -1, .sigma0 = 0.5, .sigma1 = 5e-4});
  add("quadratised, nothing touches, sigma_0", {.level_m = -1, .sigma0 = 0.5});
  for (const double K : {1e6, 1e8, 1e10, 1e12, 1e14})
    add("bounded, all touches, K " + std::to_string(std::lround(std::log10(K))), {.scheme = "bounded", .K = K, .level_m = 0.1});
  std::vector<Goal> goals{
      {"quadratised against the textbook", "textbook, std::pow at every point", "quadratised", 8},
      {"the same in float", "textbook, std::pow at every point", "quadratised, float", 14},
      {"contact-free in float against its yardstick", "yardstick, float", "quadratised, float, nothing touches", 1 / 1.15},
      {"contact-free against the yardstick", "yardstick, double", "quadratised, nothing touches", 1 / 1.1},
      {"none touching against all", "quadratised, all touches", "quadratised, nothing touches", 1, 7.5},
      {"lossless against lossy", "quadratised, nothing touches, sigma_0 and sigma_1", "quadratised, nothing touches", 1, 1.5},
      {"two-point against 20 iterations everywhere", "20 Newton iterations at every point", "two-point", 70},
      {"quadratised against the same", "20 Newton iterations at every point", "quadratised", 250},
      {"stiffness 1e14 against 1e6", "bounded, all touches, K 14", "bounded, all touches, K 6", 0.95, 1.05}};
  for (const auto& [level, word] : {std::pair{-1e-3, "-1 mm"}, {-1e-6, "-1 um"}})
    for (const std::string scheme : {"two-point", "quadratised", "bounded", "secant-1"})
      add(scheme + ", 138 points, flat barrier at " + word + ", per sample",
          {.scheme = scheme, .K = 1e10, .alpha = 1.3, .level_m = level, .curve = 0, .short_string = true});
  return goals;
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  const auto goals = jawari::bench::add_all();
  return jawari::bench::run(argc, argv, "point and step", goals);
}
