// SPDX-License-Identifier: MIT
// DB19 section 2: 10 g on a 10 Hz spring against a barrier, soft (K = 5e4) and hard (K = 7e7), exponent 1.1.
// Iterative, two-point, quadratised (psi) and its repair, against the exact motion.  Values of lumped_golden.json.
#include <fmt/format.h>

#include <map>
#include <numbers>

#include "jawari/scheme/gradient.h"
#include "jawari/scheme/quadratised.h"
#include "support/chapter.h"
#include "support/reference.h"
#include "support/rig.h"

namespace jawari {
namespace {

using namespace test;
constexpr double u0 = -0.5, v0 = 1, w0 = 2 * std::numbers::pi * 10;

Problem oscillator(const std::string& kind) {
  return {
      .mass_kg = 0.01, .stiffness = kind == "soft" ? 5e4 : 7e7, .exponent = 1.1, .omega_rad_s = w0, .barrier_m = 0.2};
}
double first_increment(double k) { return k * v0 - k * k * w0 * w0 * u0 / 2; }

struct Run {
  std::vector<double> u;
  double drift = 0;
  int iterations = 0;
};
Run run(const Problem& p, const std::string& scheme, double k, std::size_t steps) {
  const auto m = mover(p, {scheme}, k);
  m->start(u0, v0);
  Run out;
  Extremes energy;
  for (std::size_t n = 0; n <= steps; ++n, m->step()) {
    out.u.push_back(m->u());
    energy.add(m->energy());
  }
  EXPECT_TRUE(m->settled());
  out.drift = (energy.most() - energy.least()) / energy.most();
  if (const auto* rig = dynamic_cast<const Rig*>(m.get())) out.iterations = rig->record().most_iterations;
  return out;
}

/// psi left after each of the first five collisions: read when two samples lie outside.
struct Residue {
  std::vector<double> psi, share;
  double rebound = 0;  // speed at the barrier after the first collision, over the speed before
};
Residue residue(const Problem& p, double k, std::size_t steps) {
  TypedMass<PowerLaw, QuadratisedPlain> m{PowerLaw({p.stiffness, p.exponent}), {}, p.mass_kg, k, w0, p.barrier_m};
  const double d = first_increment(k);
  m.place(u0 + d, d);
  const double H = m.energy(), spring = p.mass_kg * w0 * w0 * p.barrier_m * p.barrier_m / 2;
  Residue out;
  bool touched = false;
  for (std::size_t n = 0; n < steps && out.psi.size() < 5; ++n) {
    m.step();
    const bool outside = m.u <= p.barrier_m && m.u - m.d <= p.barrier_m;
    if (touched && outside) {
      const double psi = m.state.psi;
      if (out.psi.empty()) out.rebound = std::sqrt((H - psi * psi / 2 - spring) / (H - spring));
      out.psi.push_back(psi);
      out.share.push_back(psi * psi / 2 / H);
    }
    touched = m.u > p.barrier_m || (touched && !outside);
  }
  return out;
}

/// u^{n+1} = u^{n-1} + r, as printed: the increment is the difference of two positions and loses eps u/d per step.
template <class S>
double drift_of_positions(const Problem& p, double k, std::size_t steps) {
  TypedMass<PowerLaw, S> m{PowerLaw({p.stiffness, p.exponent}), {}, p.mass_kg, k, w0, p.barrier_m};
  double before = u0, now = u0 + first_increment(k);
  m.place(now, now - before);
  Extremes energy;
  for (std::size_t n = 0; n < steps; ++n) {
    m.u = now;
    m.d = now - before;
    if constexpr (std::is_same_v<S, ThreePoint>) m.state = m.scheme.start(m.law, m.u - m.barrier_m, m.d);
    energy.add(m.energy());
    const double after = before + m.solve();
    before = now;
    now = after;
  }
  return (energy.most() - energy.least()) / energy.most();
}

void check_oscillator(Chapter& golden, const std::string& kind) {
  const Problem p = oscillator(kind);
  const Reference exact(p, u0, v0);
  golden.check("exact",
               {exact.first_contact(), exact.speed(), exact.max_compression(), exact.duration(), exact.period()});
  for (const int fs : {44100, 220500}) {
    const double k = 1.0 / fs;
    const auto at = [&](double t) { return static_cast<std::size_t>(std::lround(t * fs)); };
    const auto steps = at(0.5);
    const auto expected = exact.samples(k, steps + 1);
    const std::string rate = fmt::format("fs{}.", fs);
    const bool sensitive = kind == "hard" && fs == 44100;  // rounding decides psi from the fourth impact on

    std::map<std::string, Run> runs;
    for (const auto& [name, scheme] : {std::pair{"iter", "three-point"},
                                       {"psi", "quadratised"},
                                       {"psireset", "reset"},
                                       {"twopoint", "two-variable"}}) {
      const Run& r = runs[name] = run(p, scheme, k, steps);
      std::vector<double> u, error;
      for (const double t : {0.02, 0.05, 0.1, 0.2}) u.push_back(r.u[at(t)]);
      for (const double t : {0.05, 0.1, 0.25, 0.5}) error.push_back(rms_difference(r.u, expected, at(t) + 1));
      golden.check(rate + name + ".u", u);
      golden.check(rate + name + ".drift", r.drift);
      golden.check(rate + name + ".rms_error", error,
                   sensitive && std::string(name) == "psi" ? Chapter::Noted{{3, {0.15, 0}}} : Chapter::Noted{});
    }
    golden.check(rate + "iter.newton_max_iterations", runs["iter"].iterations);
    golden.check(rate + "iter.drift_position_form", drift_of_positions<ThreePoint>(p, k, steps));
    golden.check(rate + "psi.drift_position_form", drift_of_positions<QuadratisedPlain>(p, k, steps));

    const Residue left = residue(p, k, steps);
    const auto noted = sensitive ? Chapter::Noted{{3, {0, 1e-2}}, {4, {0, 1e-2}}} : Chapter::Noted{};
    golden.check(rate + "psi.psi_residue", left.psi, noted);
    golden.check(rate + "psi.residue_energy_fraction", left.share, noted);
    golden.check(rate + "psi.rebound_speed_ratio", left.rebound);
    std::vector<double> apart;
    for (const double t : {0.1, 0.25, 0.5}) {
      Extremes difference;
      for (std::size_t n = 0; n <= at(t); ++n) difference.add(std::abs(runs["psi"].u[n] - runs["iter"].u[n]));
      apart.push_back(difference.most());
    }
    golden.check(rate + "psi.max_diff_to_iter", apart);
  }
}
GOLDEN_TEST(DB19Golden, SoftBarrier, "DB19.soft.") { check_oscillator(golden, "soft"); }
GOLDEN_TEST(DB19Golden, HardBarrier, "DB19.hard.") { check_oscillator(golden, "hard"); }

}  // namespace
}  // namespace jawari
