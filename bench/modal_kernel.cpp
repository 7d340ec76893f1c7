// SPDX-License-Identifier: MIT
// Modal kernels on the string of DB19, Fig. 8, over its barrier (142 modes, 222 points; 127 modes, points j L/128),
// plucked and plucked again every half second; beside them what others would write with Eigen, the grid kernel, and the
// yardstick.
#include "jawari/kernel/modal_kernel.h"

#include <cmath>
#include <string>
#include <vector>

#include "jawari/body/string_data.h"
#include "modal_textbook.h"
#include "player.h"
#include "report.h"
#include "yardstick.h"

namespace jawari::bench {
namespace {

constexpr double dt_s = 1 / 44100.0, stiffness = 5e6 * 220, alpha = 1.4;  // per metre
constexpr std::size_t length = 22016;

enum class At { sines, points, one };
struct Modal {
  std::string scheme = "quadratised";
  At at = At::sines;
  std::size_t modes = 127, points = 127, strings = 1;
  Arithmetic arithmetic = Arithmetic::fused;
  Stepping stepping = Stepping::leapfrog;
  double level_m = 0, sigma0 = 0;
  std::size_t resting = 0;  ///< of the strings
};

StringData string_of(const Modal& s, std::size_t i) {
  StringData d = data({});
  d.tension_N *= 1 + 0.01 * static_cast<double>(i);
  d.sigma0_1_s = s.sigma0;
  return d;
}
double place_m(const Modal& s, std::size_t j) {
  return s.at == At::one ? 0.5 : static_cast<double>(j + 1) / static_cast<double>(s.points + 1);
}

void kernel(benchmark::State& state, const Modal& s) {
  std::vector<std::unique_ptr<ModalBody>> bodies;
  std::vector<const ModalBody*> all;
  std::vector<ModalKernel::Barrier> barriers;
  const auto names = kernel::schemes();
  const auto scheme = static_cast<KernelScheme>(std::find(names.begin(), names.end(), s.scheme) - names.begin());
  for (std::size_t i = 0; i < s.strings; ++i) {
    const StringData d = string_of(s, i);
    std::vector<std::vector<double>> rows;
    ModalKernel::Barrier b{
        .offset_m = {}, .law = PowerLaw({stiffness / static_cast<double>(s.points + 1), alpha}), .scheme = scheme};
    for (std::size_t j = 0; j < s.points; ++j) {
      const double x = place_m(s, j);
      b.offset_m.push_back(barrier_m({}, x) + s.level_m);
      if (s.at != At::sines) rows.push_back(d.shape({StringTap::point, x}, s.modes));
    }
    rows.push_back(d.shape({StringTap::point, 0.3 + 0.01 * static_cast<double>(i)}, s.modes));
    bodies.push_back(std::make_unique<ModalBody>(d.modes(1e300, s.modes), rows, dt_s, s.stepping, s.at == At::sines));
    all.push_back(bodies.back().get());
    barriers.push_back(b);
  }
  const auto k = s.strings == 1 ? ModalKernel::make(*all[0], barriers[0], s.arithmetic)
                                : ModalKernel::make(all, barriers, s.arithmetic);
  std::vector<double> force, zero(s.modes);
  for (std::size_t n = 0; n < visit; ++n) force.push_back(pulse_N(n, dt_s));
  std::vector<ModalDrive> drives;
  for (std::size_t i = 0; i < s.strings; ++i) drives.push_back({all[i]->taps() - 1, force.data(), i});
  const std::size_t active = s.strings - s.resting;
  for (std::size_t i = active; i < s.strings; ++i) k->set_active(i, false);
  const auto play = [&] {
    for (std::size_t i = 0; i < active; ++i) k->place(zero, zero, i);
    k->run(visit, drives);
    for (std::size_t n = visit; n < length; n += visit) k->run(visit);
  };
  play();
  for (auto _ : state) play();
  double e = 0;
  for (std::size_t i = 0; i < active; ++i) e += k->stored(i).total() + k->contact_J(i) + k->lost_J(i);
  if (!std::isfinite(e) || k->record().unsettled > 0) state.SkipWithError("not a string");
  if (s.level_m == 0 && k->record().touching_steps == 0) state.SkipWithError("never touched");
  items(state, static_cast<double>(length * active));
}

void by_hand(benchmark::State& state, ModalTextbook::Solve solve, const Modal& s, std::size_t steps) {
  const StringData d = string_of(s, 0);
  ModalTextbook t;
  const auto modes = static_cast<Eigen::Index>(s.modes), points = static_cast<Eigen::Index>(s.points);
  t.Phi.resize(points, modes);
  t.w2.resize(modes);
  t.drive.resize(modes);
  t.barrier.resize(points);
  for (Eigen::Index j = 0; j < points; ++j) {
    const double x = place_m(s, static_cast<std::size_t>(j));
    t.barrier[j] = barrier_m({}, x);
    for (Eigen::Index p = 0; p < modes; ++p) t.Phi(j, p) = std::sin(M_PI * static_cast<double>(p + 1) * x);
  }
  for (Eigen::Index p = 0; p < modes; ++p) {
    const double w = d.omega(static_cast<int>(p) + 1) * dt_s;
    t.w2[p] = w * w;
    t.drive[p] = std::sin(M_PI * static_cast<double>(p + 1) * 0.3);
  }
  t.Gram = t.Phi * t.Phi.transpose();
  t.C = dt_s * dt_s / (d.density_kg_m / 2);
  const double K = stiffness / static_cast<double>(s.points + 1);
  t.scale = std::sqrt(K * (alpha + 1) / 2);
  t.power = (alpha - 1) / 2;
  double e = 0, drift = 0;
  for (auto _ : state) {
    t.q.setZero(modes);
    t.before.setZero(modes);
    t.psi.setZero(points);
    for (std::size_t n = 0; n < steps; ++n) {
      t.step(solve, n < visit ? pulse_N(n, dt_s) : 0);
      if (n == visit) e = t.energy_free_J(dt_s);
    }
    drift = std::abs(t.energy_free_J(dt_s) + t.psi.squaredNorm() / 2 - e) / e;
  }
  if (!(drift < 1e-10)) state.SkipWithError("not a string");
  items(state, static_cast<double>(steps));
}
void grid(benchmark::State& state) {
  Player p({});
  for (auto _ : state)
    for (std::size_t i = 0; i < p.length / visit; ++i) p.play();
  items(state, static_cast<double>(p.length));
}
void yardstick(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(yardstick_double(1 << 20));
  items(state, 1 << 20);
}

std::vector<Goal> add_all() {
  const auto add = [](const std::string& name, const Modal& s) {
    benchmark::RegisterBenchmark(name.c_str(), [s](benchmark::State& state) { kernel(state, s); });
  };
  const auto add_by_hand = [](const std::string& name, ModalTextbook::Solve solve, const Modal& s, std::size_t steps) {
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { by_hand(state, solve, s, steps); });
  };
  const Modal points{.at = At::points, .modes = 142, .points = 222}, one{.at = At::one, .modes = 142, .points = 1};
  benchmark::RegisterBenchmark("yardstick (per point)", yardstick);
  benchmark::RegisterBenchmark("grid kernel, 219 points", grid);
  add_by_hand("by hand, 222 points, Cholesky of all modes", ModalTextbook::Solve::modes, points, 4416);
  add_by_hand("by hand, 222 points, Cholesky on touching points", ModalTextbook::Solve::touching, points, length);
  add_by_hand("by hand, 127 points, Cholesky on touching points", ModalTextbook::Solve::touching, {}, length);
  add_by_hand("by hand, one point", ModalTextbook::Solve::one_point, one, length);
  add("222 points, touching only", points);
  Modal s = points;
  s.scheme = "two-point";
  add("222 points, touching only, two-point", s);
  s.scheme = "landing-two-point";
  add("222 points, touching only, landing", s);
  s = points;
  s.arithmetic = Arithmetic::as_double;
  add("222 points, touching only, as double", s);
  add("one point", one);
  s = one;
  s.level_m = -1;
  add("one point, nothing touches", s);
  s = one;
  s.sigma0 = 0.5;
  add("one point, sigma_0", s);
  add("127 points, one string", {});
  for (const std::size_t n : {2u, 4u, 8u, 16u}) add("127 points, " + std::to_string(n) + " strings", {.strings = n});
  for (const std::string scheme : {"bounded", "secant-1", "two-point", "landing-two-point"})
    add("127 points, 8 strings, " + scheme, {.scheme = scheme, .strings = 8});
  add("127 points, 8 strings, nothing touches", {.strings = 8, .level_m = -1});
  add("127 points, 8 strings, sigma_0", {.strings = 8, .sigma0 = 0.5});
  add("127 points, 8 strings, as double", {.strings = 8, .arithmetic = Arithmetic::as_double});
  add("143 points, 8 strings", {.modes = 143, .points = 143, .strings = 8, .stepping = Stepping::constant});
  std::vector<Goal> goals;
  for (const auto& [arithmetic, how] : {std::pair{Arithmetic::fused, ""}, {Arithmetic::as_double, ", as double"}})
    for (const double level : {0.0, -1.0}) {
      s = {.scheme = "two-point", .arithmetic = arithmetic, .level_m = level};
      const std::string name = std::string("two-point") + (level == 0 ? "" : ", nothing touches") + how;
      add(name + ", one string", s);
      s.strings = 8;
      add(name + ", 8 strings", s);
      s.resting = 7;
      add(name + ", one of 8 active", s);
      // One string alone goes along the lanes in everything but its transforms, and a vector of which one is active
      // costs as much as a full one.
      goals.push_back({name + ": one of eight against one alone", name + ", one string", name + ", 8 strings", 1});
      goals.push_back(
          {name + ": one active of eight against one alone", name + ", one string", name + ", one of 8 active", 0.25});
    }
  const std::string cholesky = "by hand, 222 points, Cholesky on touching points";
  const std::vector<Goal> others{
      {"transform against Cholesky on touching points", cholesky, "127 points, 8 strings", 10},
      {"one string alone against the same", cholesky, "127 points, one string", 10},
      {"transform against the grid kernel", "127 points, 8 strings", "grid kernel, 219 points", 0, 4},
      {"the same 127 points by hand", "by hand, 127 points, Cholesky on touching points", "127 points, 8 strings", 5},
      {"any points against Cholesky by hand", cholesky, "222 points, touching only", 1.3},
      {"one point against Sherman-Morrison by hand", "by hand, one point", "one point", 1.5}};
  goals.insert(goals.begin(), others.begin(), others.end());
  return goals;
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  const auto goals = jawari::bench::add_all();
  return jawari::bench::run(argc, argv, "string and step", goals);
}
