// SPDX-License-Identifier: MIT
// What goes in and out of the string kernel: drives, listeners, contacts solved elsewhere, new constants, its accounts,
// and where it detects contacts.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "jawari/contact/hunt_crossley.h"
#include "jawari/kernel/string_kernel.h"
#include "jawari/scheme/quadratised.h"
#include "support/golden.h"
#include "support/string_pair.h"

namespace jawari {
namespace {

using test::Arithmetic, test::Case, test::close, test::enough, test::Pair, test::pi, test::same, test::steps;

/// A pulse at a tap between nodes, and two taps that listen: as push(), w - d and s of the reference path.
TEST(StringKernel, DrivesAndListensAsTheReferencePath) {
  for (const auto scheme : kernel::schemes()) {
    const Case c{.scheme = std::string(scheme), .sigma0 = 1, .sigma1 = 1e-3};
    Pair p(c, Arithmetic::as_double);
    std::vector<double> zero(p.n), force, heard(200), moved(200), bent(200), felt(200);
    for (int i = 0; i < 200; ++i) force.push_back(i < 120 ? -3 * (1 - std::cos(2 * pi * i / 60)) : 0);
    p.string->place(zero, zero);
    p.string->predict();
    p.fill();
    p.line->start();
    kernel::take(*p.kernel, *p.string, p.line.get());
    const double start = p.energy();
    const StringDrive drive{p.string->at(p.n), force.data()};
    const StringListener listeners[] = {{p.string->at(p.n + 1), StringListener::displacement, heard.data()},
                                        {p.string->at(p.n + 1), StringListener::second_difference, bent.data()},
                                        {{}, StringListener::force, felt.data()},
                                        {p.string->at(p.n + 1), StringListener::double_step, moved.data()}};
    p.kernel->run(200, std::span(&drive, 1), listeners);
    for (std::size_t n = 0; n < 200; ++n) {
      p.string->add_force(p.n, force[n]);
      p.step();
      ASSERT_EQ(heard[n], p.string->w[p.n + 1] - p.string->d[p.n + 1]) << n;
      ASSERT_EQ(moved[n], p.string->s[p.n + 1]) << n;
      ASSERT_EQ(bent[n], 2 * p.string->d[p.n + 1] - p.string->s[p.n + 1]) << n;
      double sum = 0;
      for (const double phi : p.line->phi) sum += phi;
      ASSERT_EQ(felt[n], sum) << n;
    }
    EXPECT_TRUE(same(p));
    EXPECT_GT(p.line->record.touching_steps, 0u);
    EXPECT_TRUE(close(p.kernel->given_J(), p.string->given.value(), 1e-12));
    EXPECT_TRUE(close(p.kernel_energy() + p.kernel->lost_J() + p.kernel->lost_in_contact_J(),
                      start + p.kernel->given_J(), 1e-12));
  }
}

/// What left the string through the barrier is what the barrier has got: two accounts, each from numbers of its own.
TEST(StringKernel, WhatTheContactTakesIsWhatItHasGot) {
  for (const auto scheme : kernel::schemes())
    for (const Arithmetic arithmetic : {Arithmetic::fused, Arithmetic::as_double})
      for (const std::string law : {"power", "hunt-crossley"}) {
        SCOPED_TRACE(std::string(scheme) + " " + law);
        Pair p({.scheme = std::string(scheme), .law = law, .sigma0 = 1, .sigma1 = 1e-3}, arithmetic);
        const double start = p.kernel->stored().total(), held = p.kernel->contact_J();
        double most = 0;
        for (int n = 0; n < steps; ++n) {
          p.kernel->run(n % 2 ? 3 : 1);
          const double got = p.kernel->contact_J() + p.kernel->lost_in_contact_J() - held, taken = p.kernel->taken_J();
          ASSERT_LE(std::abs(taken - got), 1e-12 * start) << n;
          ASSERT_LE(std::abs(p.kernel->stored().total() + p.kernel->lost_J() + taken - start), 1e-12 * start) << n;
          most = std::max(most, taken);
        }
        EXPECT_GT(most, 1e-3 * start);
      }
}

/// A contact solved elsewhere, at a tap between nodes, beside a drive at the same tap: as predict(), force and
/// advance().
TEST(StringKernel, IsPushedByContactsSolvedElsewhere) {
  for (const auto scheme : kernel::schemes())
    for (const auto& [s0, s1] : {std::pair{0.0, 0.0}, {1.0, 1e-3}}) {
      SCOPED_TRACE(std::string(scheme) + " " + std::to_string(s0));
      Pair p({.scheme = std::string(scheme), .sigma0 = s0, .sigma1 = s1}, Arithmetic::as_double);
      for (std::size_t i = 0; i < p.n / 3; ++i) p.offset[i] = -1;  // the barrier is elsewhere
      p.kernel->set_offset(p.offset);
      p.string->predict();
      p.fill();
      p.line->start();
      kernel::take(*p.kernel, *p.string, p.line.get());
      const GridNumbers a = p.string->numbers();
      const std::size_t tap = p.n, node = 7;
      const StringGrid::Spread at = p.string->at(tap);
      for (int n = 0; n < steps; ++n) {
        const double signal = n < 50 ? -1.5 : 0, push = n % 70 < 40 ? 0.7 * std::sin(0.1 * n) : 0;
        const StringDrive drive{at, &signal};
        p.string->add_force(tap, signal);
        p.string->predict();
        const StringLook look = p.kernel->look(at, std::span(&drive, 1));
        ASSERT_EQ(look.w, p.string->w[tap]) << n;
        ASSERT_EQ(look.d, p.string->d[tap]) << n;
        ASSERT_EQ(look.s_free, p.string->s_free[tap]) << n;
        std::vector<StringForce> forces;
        for (std::size_t i = 0; i < at.count; ++i)
          forces.push_back({at.first + i, a.q0 * at.weight[i] * push * (1 / (1 + a.s0))});
        forces.push_back({node, a.q0 * push * (1 / (1 + a.s0))});
        forces.push_back({node, 0x1p-30});
        p.kernel->run(1, std::span(&drive, 1), {}, forces);
        p.fill();
        if (p.line->detect()) {
          p.line->begin(false);
          p.line->solve_independent();
          p.line->finish();
        }
        for (std::size_t i = 0; i < p.n; ++i) p.string->force[i] += p.sign * p.line->phi[i];
        p.string->force[tap] = push;
        const double both = forces[at.count].push_m + forces[at.count + 1].push_m;
        ASSERT_FALSE(node >= at.first && node < at.first + at.count);
        const double change = p.string->s_free[node] - 2 * p.string->d[node];  // computed outside, rounded once more
        const double before = p.string->d[node];
        p.string->advance();
        // The reference path has no such entry for one node: put in what the kernel must have found, to its rounding.
        std::vector<double> u(p.n), d(p.n);
        p.kernel->read(u, d);
        ASSERT_TRUE(close(d[node], before + change + both, 1e-13, 1e-18)) << n;
        p.string->d[node] = d[node];
        p.string->w[node] = u[node];
        p.string->read_taps();
        ASSERT_TRUE(same(p)) << n;
      }
      EXPECT_GT(p.line->record.touching_steps, 10u);
      EXPECT_TRUE(close(p.kernel->given_J(), p.string->given.value(), 1e-12));
    }
}

/// A push may put a node into the barrier that would leave by itself again.
TEST(StringKernel, ForcesMayPushIntoTheBarrier) {
  std::uint64_t touching = 0;
  for (const auto scheme : kernel::schemes()) {
    SCOPED_TRACE(scheme);
    Pair p({.scheme = std::string(scheme)}, Arithmetic::as_double);
    const std::vector<double> zero(p.n);
    p.string->place(zero, zero);
    p.string->predict();
    p.fill();
    p.line->start();
    kernel::take(*p.kernel, *p.string, p.line.get());
    const double q = p.string->numbers().q0, push = p.sign * 1.001 * -p.offset[40];
    const StringForce force{40, q * (push / q)};
    for (int n = 0; n < 60; ++n) {
      p.kernel->run(1, {}, {}, n == 0 ? std::span(&force, 1) : std::span<const StringForce>());
      if (n == 0) p.string->force[40] = push / q;
      p.step();
      ASSERT_TRUE(same(p)) << n;
    }
    touching += p.line->record.touching_steps;
  }
  EXPECT_GT(touching, 0u);  // not of schemes that use both ends of the step only
}

/// 40 Hz at 44.1 kHz: half a period is longer than the kernel waits before it tests whether detection is needed.
struct Slow {
  static constexpr double dt_s = 1 / 44100.0, amplitude_m = 2e-3;
  StringGrid grid{{.length_m = 0.65, .tension_N = 40.56, .density_kg_m = 15e-3, .bending_N_m2 = 0, .stretching_N = 0},
                  {.intervals = 400},
                  dt_s};
  std::vector<double> u = std::vector<double>(grid.nodes()), d = u;

  /// Barrier below nodes first to last - 1.
  std::unique_ptr<StringKernel> make(const std::vector<double>& offset, std::size_t first, Arithmetic arithmetic,
                                     KernelScheme scheme = KernelScheme::plain) {
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = amplitude_m * (1 - std::abs(2 * grid.position_m(i) / 0.65 - 1));
    auto k = StringKernel::make(grid.numbers(), grid.nodes(), {-1, first, offset, PowerLaw({1e6, 1.3}), 0, scheme},
                                dt_s, arithmetic);
    k->place(u, d);
    return k;
  }
  void read(const StringKernel& k) { k.read(u, d); }
};

TEST(StringKernel, LooksOnlyWhereTheBarrierIs) {
  Slow part, whole;
  const std::size_t first = 140, count = 90;
  std::vector<double> below(whole.grid.nodes(), -1.0);
  std::fill_n(below.begin() + first, count, -5e-4);
  for (const auto arithmetic : {Arithmetic::fused, Arithmetic::single})
    for (const auto scheme :
         {KernelScheme::plain, KernelScheme::bounded, KernelScheme::secant_1, KernelScheme::two_point}) {
      const auto a = part.make(std::vector<double>(count, -5e-4), first, arithmetic, scheme),
                 b = whole.make(below, 0, arithmetic, scheme);
      for (int n = 0; n < 40; ++n) {
        a->run(64);
        b->run(64);
        part.read(*a);
        whole.read(*b);
        ASSERT_EQ(part.u, whole.u) << n;
        ASSERT_EQ(part.d, whole.d) << n;
      }
      EXPECT_EQ(a->record().touching_steps, b->record().touching_steps);
      EXPECT_GT(a->record().touching_steps, 1000u);
    }
}

/// A string plucked in its middle gets exactly as far as its energy allows (N5).
TEST(StringKernel, LooksWhereEnergyCanReach) {
  for (const auto arithmetic : {Arithmetic::fused, Arithmetic::single})
    for (const double share : {0.5, 0.9, 0.99, 1.5, 100.}) {
      Slow s;
      const auto k = s.make(std::vector<double>(s.grid.nodes(), -share * Slow::amplitude_m), 0, arithmetic);
      double lowest = 0;
      for (int n = 0; n < 480; ++n) {
        k->run(8);
        s.read(*k);
        lowest = std::min(lowest, *std::min_element(s.u.begin(), s.u.end()));
      }
      if (share < 1)
        EXPECT_GT(k->record().touching_steps, 10u) << share;
      else
        EXPECT_NEAR(lowest, -Slow::amplitude_m, 2e-5) << share;
    }
}

TEST(StringKernel, PlaysWithoutBarrier) {
  for (const Arithmetic arithmetic : {Arithmetic::as_double, Arithmetic::fused, Arithmetic::single}) {
    Pair p({.scheme = "bounded", .sigma0 = 1, .sigma1 = 1e-3}, Arithmetic::as_double);
    const auto kernel = StringKernel::make(p.string->numbers(), p.n,
                                           {.sign = -1,
                                            .first_node = 0,
                                            .offset_m = {},
                                            .law = PowerLaw({1e9, 1.3}),
                                            .mu = 0,
                                            .scheme = KernelScheme::two_point},
                                           1 / 44100.0, arithmetic);
    kernel->place({p.string->w.data(), p.n}, {p.string->d.data(), p.n});
    kernel->set_contact({});
    for (int n = 0; n < steps; ++n) {
      p.string->predict();
      p.string->advance();
    }
    kernel->run(steps);
    std::vector<double> u(p.n), d(p.n);
    kernel->read(u, d);
    kernel->read_forces({});
    kernel->read_contact({});
    const double off = arithmetic == Arithmetic::as_double ? 0 : arithmetic == Arithmetic::fused ? 1e-14 : 1e-6;
    for (std::size_t i = 0; i < p.n; ++i) ASSERT_LE(std::abs(u[i] - p.string->w[i]), off) << i;
    EXPECT_EQ(kernel->record().touching_steps, 0u);
    EXPECT_EQ(kernel->taken_J(), 0);
    EXPECT_EQ(kernel->contact_J(), 0);
    EXPECT_TRUE(close(kernel->lost_J(), p.string->lost.value(), arithmetic == Arithmetic::single ? 1e-4 : 1e-12));
  }
}

/// Parameters change while it sounds: tension and loss of the string, where the barrier is, how hard it is.
TEST(StringKernel, TakesNewConstants) {
  for (const auto scheme : kernel::schemes())
    for (const std::string law : {"power", "hunt-crossley"}) {
      SCOPED_TRACE(std::string(scheme) + " " + law);
      Pair p({.scheme = std::string(scheme), .law = law, .sigma0 = 0.5}, Arithmetic::as_double);
      double factor = 1;
      for (int n = 0; n < steps; ++n) {
        p.step();
        p.kernel->run(1);
        ASSERT_TRUE(same(p)) << n;
        if (n % 50 != 40) continue;
        kernel::give(*p.kernel, *p.string, p.line.get());
        const double less = 1 - 1e-3 * n / 50;
        p.string->retune(less, 1, n * 0.01);
        factor *= 0.9;
        p.line->scale_stiffness(factor);
        for (double& x : p.offset) x *= less;
        for (std::size_t i = 0; i < p.n; ++i) p.line->port[i].q = p.string->receptance(i, i);
        p.kernel->set_string(p.string->numbers());
        p.kernel->set_offset(p.offset);
        const PowerLaw same_law = PowerLaw({1e9, 1.3}).weighted(p.string->spacing_m());
        p.kernel->set_law(same_law.stiffened(factor), law == "power" ? 0 : 0.7);
        kernel::take(*p.kernel, *p.string, p.line.get());
      }
      EXPECT_GT(p.line->record.touching_steps, enough);
      EXPECT_EQ(p.kernel->contact_J(), p.line->stored());
      EXPECT_EQ(p.kernel->stored().total(), p.string->stored().total());
    }
  Pair lossy({.scheme = "bounded", .law = "hunt-crossley"}, Arithmetic::as_double),
      p({.scheme = "bounded"}, Arithmetic::as_double);
  p.kernel->set_law(PowerLaw({1e9, 1.3}).weighted(p.string->spacing_m()), 0.7);
  std::swap(lossy.kernel, p.kernel);
  kernel::take(*lossy.kernel, *lossy.string, lossy.line.get());
  for (int n = 0; n < steps; ++n) {
    lossy.step();
    lossy.kernel->run(1);
  }
  EXPECT_TRUE(same(lossy));
  EXPECT_GT(lossy.kernel->lost_in_contact_J(), 0);
}

TEST(StringKernel, WithoutAccountsPlaysTheSameAndGivesNaN) {
  const Case c{.scheme = "bounded", .sigma0 = 1, .sigma1 = 1e-3};
  Pair with(c, Arithmetic::fused), without(c, Arithmetic::fused);
  without.kernel->keep_books(false);
  with.kernel->run(500);
  without.kernel->run(500);
  EXPECT_EQ(with.kernel_energy(), without.kernel_energy());
  EXPECT_GT(with.kernel->lost_J(), 0);
  EXPECT_TRUE(std::isnan(without.kernel->lost_J()));
}

/// Kernel and reference path may take turns at any sample.
TEST(StringKernel, GivesTheStateBack) {
  for (const auto scheme : kernel::schemes()) {
    const Case c{.scheme = std::string(scheme), .sigma0 = 1};
    Pair p(c, Arithmetic::as_double), reference(c, Arithmetic::as_double);
    for (int turn = 0; turn < 30; ++turn) {
      for (int n = 0; n < 13; ++n) p.step();
      kernel::take(*p.kernel, *p.string, p.line.get());
      p.kernel->run(17);
      kernel::give(*p.kernel, *p.string, p.line.get());
      for (int n = 0; n < 30; ++n) reference.step();
    }
    for (std::size_t i = 0; i < p.n; ++i) ASSERT_EQ(p.string->w[i], reference.string->w[i]) << scheme << " " << i;
    EXPECT_EQ(p.line->stored(), reference.line->stored());
    EXPECT_GT(reference.line->record.touching_steps, enough);
    EXPECT_EQ(p.string->w[p.n], reference.string->w[p.n]) << "taps between nodes";
  }
}

TEST(StringKernel, MatchesOnlyWhatItCanPlay) {
  const StringData data{.length_m = 0.65,
                        .tension_N = 60,
                        .density_kg_m = 2e-3,
                        .bending_N_m2 = 1e-3,
                        .stretching_N = 0,
                        .sigma0_1_s = 1,
                        .sigma1_m2_s = 1e-3};
  StringData modulated = data;
  modulated.stretching_N = 1e4;
  const LawSpec law{"power", {{"stiffness", 1e9}, {"exponent", 1.3}}}, odd{"odd-power", law.values};
  const auto matches = [&](const StringData& string, const GridOptions& grid, const LawSpec& l,
                           const std::string& scheme) {
    const StringGrid body(string, grid, 1 / 44100.0);
    const std::vector<double> offset(body.nodes(), -1e-3);
    return kernel::match(body, {l, {scheme}, body.spacing_m(), 0, -1, offset}, Arithmetic::fused) != nullptr;
  };
  EXPECT_TRUE(matches(data, {}, law, "bounded"));
  EXPECT_FALSE(matches(data, {.centred_loss = true}, law, "bounded"));
  EXPECT_FALSE(matches(data, {.op = GridOperator::optimal}, law, "bounded"));
  EXPECT_FALSE(matches(data, {.op = GridOperator::unconditional, .intervals = 60}, law, "bounded"));
  EXPECT_FALSE(matches(modulated, {}, law, "bounded"));
  EXPECT_FALSE(matches(data, {}, odd, "quadratised"));
  EXPECT_FALSE(matches(data, {}, law, "taylor"));
  EXPECT_FALSE(matches(data, {}, law, "matched-two-point"));
}

}  // namespace
}  // namespace jawari
