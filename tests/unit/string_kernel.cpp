// SPDX-License-Identifier: MIT
// The string kernel against the reference path (StringGrid, Line, World): the same bits without fused multiply-add, the
// same step to 4 ulp of its largest term with it.  All schemes, losses and arithmetics; none is left out.
#include "jawari/kernel/string_kernel.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "experiments/support/string_rig.h"
#include "jawari/contact/hunt_crossley.h"
#include "jawari/scheme/quadratised.h"
#include "support/golden.h"
#include "support/secant_step.h"
#include "support/string_pair.h"

namespace jawari {
namespace {

using rigs::StringProblem;
using rigs::StringRig;
using test::all_cases, test::Arithmetic, test::Case, test::close, test::enough, test::height, test::looks, test::Pair,
    test::pi, test::same, test::smallest_secant_step, test::steps;

TEST(StringKernel, EqualsTheReferencePathBitForBit) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.name());
    Pair p(c, Arithmetic::as_double);
    ASSERT_TRUE(p.kernel);
    for (int n = 0; n < steps; ++n) {
      p.step();
      p.kernel->run(1);
      ASSERT_TRUE(same(p)) << "after step " << n + 1;
    }
    EXPECT_GE(p.line->record.touching_steps, 2u);
    const ContactRecord a = p.kernel->record(), b = p.line->record;
    EXPECT_EQ(a.touching_steps, b.touching_steps);
    EXPECT_EQ(a.largest_force_N, b.largest_force_N);
    EXPECT_EQ(a.deepest_m, b.deepest_m);
    EXPECT_EQ(a.deepest_half_m, b.deepest_half_m);
    EXPECT_EQ(a.impacts, b.impacts);
    EXPECT_EQ(a.shortest, b.shortest);
    EXPECT_EQ(a.longest, b.longest);
    EXPECT_TRUE(a.fewest_true_samples == b.fewest_true_samples ||
                close(a.fewest_true_samples, b.fewest_true_samples, 1e-14));
    EXPECT_EQ(a.unsettled, b.unsettled);
    EXPECT_EQ(a.most_iterations, b.most_iterations);
    EXPECT_TRUE(close(a.largest_left_J, b.largest_left_J, 1e-14));
    EXPECT_EQ(p.kernel->contact_J(), p.line->stored());
    EXPECT_EQ(p.kernel->stored().total(), p.string->stored().total());
    EXPECT_TRUE(close(p.kernel->lost_J(), p.string->lost.value(), 1e-12));
    EXPECT_TRUE(close(p.kernel->lost_in_contact_J(), p.line->lost.value(), 1e-12));
    EXPECT_TRUE(close(p.kernel->landed_J(), p.line->landed.value(), 1e-12));
    EXPECT_EQ(p.kernel->landed_J() > 0, c.scheme == "landing-two-point");
  }
}

/// (LD4) Nodes that land with their neighbours keep their bounce: the same nodes in the kernel, and not the motion
/// without it.
TEST(StringKernel, LandsTogetherAsTheReferencePath) {
  for (const Arithmetic arithmetic : {Arithmetic::as_double, Arithmetic::fused, Arithmetic::single})
    for (const bool lossy : {false, true}) {
      const bool exact = arithmetic == Arithmetic::as_double;
      const Case c{.scheme = "landing-two-point",
                   .law = lossy ? "hunt-crossley" : "power",
                   .sigma0 = lossy ? 1.5 : 0,
                   .slap = true};
      SCOPED_TRACE(c.name());
      Pair p(c, arithmetic), apart(c, arithmetic);
      apart.line->together = 0;
      kernel::take(*apart.kernel, *apart.string, apart.line.get());
      test::Extremes off;
      std::vector<double> u(p.n), d(p.n);
      for (int n = 0; n < 30; ++n) {
        p.step();
        p.kernel->run(1);
        apart.kernel->run(1);
        if (exact) {
          ASSERT_TRUE(same(p)) << n;
        }
        p.kernel->read(u, d);
        for (std::size_t i = 0; i < p.n; ++i) off.add(std::abs(u[i] - p.string->w[i]));
      }
      EXPECT_LT(off.most(), arithmetic == Arithmetic::single ? 1e-7 : 1e-12);
      EXPECT_GT(p.line->landed.value(), 0);
      EXPECT_TRUE(close(p.kernel->landed_J(), p.line->landed.value(), arithmetic == Arithmetic::single ? 1e-2 : 1e-9));
      EXPECT_LT(p.kernel->landed_J(), 0.9 * apart.kernel->landed_J());
      std::vector<double> before = p.line->landed_at;
      kernel::give(*p.kernel, *p.string, p.line.get());
      EXPECT_EQ(p.line->clock, 30);
      const double off_by = exact ? 0 : arithmetic == Arithmetic::single ? 1e-2 : 1e-9;
      for (std::size_t i = 0; i < p.n; ++i)
        if (before[i] > 0) {
          EXPECT_NEAR(p.line->landed_at[i], before[i], off_by) << i;
        }
    }
}

/// From equal states, 4 ulp of the largest term that a node's step is summed from.  The secant of psi and the
/// difference quotient of the potential are differences over s: there the energies over s are terms, too.  And the
/// secant is evaluated where its first pass would end, so that the rounding there comes back through the slope of the
/// force.
TEST(StringKernel, FusedStepIsTheReadableStepToFourUlp) {
  test::Extremes d_off, u_off;
  for (const Case& c : all_cases()) {
    Pair p(c, Arithmetic::fused);
    ASSERT_TRUE(p.kernel) << c.name();
    const GridNumbers a = p.string->numbers();
    const HuntCrossley law({c.stiffness * p.string->spacing_m(), c.exponent, c.law == "power" ? 0 : 0.7});
    for (int n = 0; n < steps; ++n) {
      kernel::take(*p.kernel, *p.string, p.line.get());
      p.kernel->run(1);
      const std::vector<double> before = p.string->w, increment = p.string->d;
      const bool quotient = c.scheme.find("secant") == 0 || c.scheme.find("point") != std::string::npos;
      std::vector<double> energy(p.n);
      for (std::size_t i = 0; i < p.n; ++i) energy[i] = p.line->stored(i);
      p.step();
      std::vector<double> u(p.n), d(p.n);
      p.kernel->read(u, d);
      const auto at = [&](const std::vector<double>& x, std::size_t i, std::size_t off) {  // largest within two nodes
        double most = 0;
        for (std::size_t j = i > off ? i - off : 0; j <= std::min(i + off, p.n - 1); ++j)
          most = std::max(most, std::abs(x[j]));
        return most;
      };
      for (std::size_t i = 0; i < p.n; ++i) {
        const double q = p.line->port[i].q, b = -p.line->phi[i] * q;
        const double over = c.scheme == "secant-1"   ? smallest_secant_step<2>(law, p.line->port[i], energy[i])
                            : c.scheme == "secant-2" ? smallest_secant_step<3>(law, p.line->port[i], energy[i])
                                                     : std::abs(p.string->s[i]);
        const double ends = quotient ? q * 4 * (energy[i] + p.line->stored(i)) / over : 0;
        const double slope = c.scheme.find("secant") == 0
                                 ? q * p.line->slope_at(p.line->port[i].y - p.line->port[i].d + p.line->port[i].s_free)
                                 : 0;
        const double term = (1 + slope) * std::max({ends, (2 * a.tension + 6 * a.bending) * at(before, i, 2),
                                                    (1 + 4 * a.s1) * at(increment, i, 1),
                                                    std::abs(p.line->port[i].s_free), std::abs(b)});
        d_off.add(std::abs(d[i] - p.string->d[i]) / (0x1p-52 * term));
        u_off.add(std::abs(u[i] - p.string->w[i]) / (0x1p-52 * std::max(term, std::abs(before[i]))));
      }
    }
    EXPECT_LE(d_off.most(), 4) << c.name();
    EXPECT_LE(u_off.most(), 4) << c.name();
    if (d_off.most() > 4) break;
  }
  RecordProperty("d_ulp", std::to_string(d_off.most()));
}

TEST(StringKernel, BalancesTheEnergyOverFiveSeconds) {
  for (const auto scheme : kernel::schemes())
    for (const Arithmetic arithmetic : {Arithmetic::fused, Arithmetic::as_double})
      for (const double sigma : {0.0, 0.2}) {
        const Case c{.scheme = std::string(scheme),
                     .law = sigma > 0 ? "hunt-crossley" : "power",
                     .sigma0 = sigma,
                     .sigma1 = sigma * 1e-3};
        Pair p(c, arithmetic);
        const double start = p.kernel_energy();
        test::Extremes off;
        for (int look = 0; look < looks; ++look) {
          p.kernel->run(1002);
          off.add(std::abs(p.kernel_energy() + p.kernel->lost_J() + p.kernel->lost_in_contact_J() - start) / start);
        }
        EXPECT_LT(off.most(), 1e-11) << c.name() << (arithmetic == Arithmetic::fused ? ", fused" : "");
        EXPECT_GT(p.kernel->record().touching_steps, enough);
        RecordProperty(
            std::string(scheme) + (sigma > 0 ? " lossy" : "") + (arithmetic == Arithmetic::fused ? " fused" : ""),
            std::to_string(off.most() * 1e12));
      }
}

/// Where rounding matters most: many steps, small angles.  Fused double gives up two levels there in time.
TEST(StringKernel, BalancesTheEnergyOfSlowStringsToo) {
  struct Slow {
    const char* name;
    double rate_hz, tension_N, bending;
  };
  for (const Slow& slow : {Slow{"five times the rate", 220500, 60, 1e-3},
                           {"90 Hz", 44100, 27.4, 1e-5},
                           {"44 Hz", 44100, 6.6, 1e-5},
                           {"36 Hz", 44100, 4.4, 1e-5},
                           {"30 Hz", 44100, 3, 1e-5}})
    for (const std::string scheme : {"quadratised", "bounded", "two-point"})
      for (const Arithmetic arithmetic : {Arithmetic::fused, Arithmetic::single}) {
        const bool single = arithmetic == Arithmetic::single;
        SCOPED_TRACE(std::string(slow.name) + ", " + scheme + (single ? ", float" : ""));
        const StringData data{.length_m = 0.65,
                              .tension_N = slow.tension_N,
                              .density_kg_m = 2e-3,
                              .bending_N_m2 = slow.bending,
                              .stretching_N = 0,
                              .sigma0_1_s = 0,
                              .sigma1_m2_s = 0};
        const StringGrid string(data, {}, 1 / slow.rate_hz);
        const std::size_t n = string.nodes();
        std::vector<double> offset(n), u(n), d(n);
        for (std::size_t i = 0; i < n; ++i) {
          const double x = string.position_m(i);
          offset[i] = height(x);
          u[i] = 2e-3 * std::sin(pi * x / 0.65);
        }
        const LawSpec law{"power", {{"stiffness", single ? 1e8 : 1e9}, {"exponent", 1.3}}};
        const auto kernel = kernel::match(string, {law, {scheme}, string.spacing_m(), 0, -1, offset}, arithmetic);
        kernel->place(u, d);
        const double start = kernel->stored().total() + kernel->contact_J();
        test::Extremes off;
        for (int look = 0; look < looks; ++look) {
          kernel->run(static_cast<std::size_t>(slow.rate_hz / 44100) * (single ? 200 : 1002));
          off.add(std::abs(kernel->stored().total() + kernel->contact_J() - start) / start);
        }
        EXPECT_LT(off.most(), single ? 1e-3 : 1e-11);
        EXPECT_GT(kernel->record().touching_steps, enough);
        RecordProperty(std::string(slow.name) + " " + scheme + (single ? " float" : ""),
                       std::to_string(off.most() * 1e12));
      }
}

TEST(StringKernel, ResultDoesNotDependOnHowStepsAreGrouped) {
  for (const auto scheme : kernel::schemes())
    for (const Arithmetic arithmetic : {Arithmetic::fused, Arithmetic::as_double}) {
      const Case c{.scheme = std::string(scheme), .sigma0 = 1};
      Pair once(c, arithmetic), often(c, arithmetic);
      once.kernel->run(1000);
      for (const std::size_t steps : {1u, 0u, 7u, 64u, 928u}) often.kernel->run(steps);
      std::vector<double> u(once.n), d(once.n), v(once.n), e(once.n);
      once.kernel->read(u, d);
      often.kernel->read(v, e);
      EXPECT_EQ(u, v);
      EXPECT_EQ(d, e);
    }
}

/// Float in increments: for the ear.  Energy to 1e-3 over a second, and near the double run through the first contact
/// (after 110 steps); later the plain rule, which may stick, makes another motion of any rounding.
TEST(StringKernel, SingleIsGoodForTheEar) {
  for (const auto scheme : kernel::schemes()) {
    const Case c{.scheme = std::string(scheme), .stiffness = 1e8};
    Pair p(c, Arithmetic::single), reference(c, Arithmetic::as_double);
    const double start = reference.kernel_energy();
    test::Extremes off, apart;
    std::vector<double> u(p.n), d(p.n), v(p.n), e(p.n);
    for (int n = 0; n < 15; ++n) {
      p.kernel->run(10);
      reference.kernel->run(10);
      p.kernel->read(u, d);
      reference.kernel->read(v, e);
      for (std::size_t i = 0; i < p.n; ++i) apart.add(std::abs(u[i] - v[i]));
    }
    for (int n = 0; n < 44; ++n) {
      p.kernel->run(1000);
      off.add(std::abs((p.kernel_energy() + p.kernel->lost_in_contact_J()) / start - 1));
    }
    EXPECT_LT(off.most(), 1e-3) << scheme;
    EXPECT_LT(apart.most(), 2e-5) << scheme;
    EXPECT_GT(apart.most(), 1e-12) << scheme << ": this is no float";
    RecordProperty(std::string(scheme), std::to_string(off.most() * 1e6) + " " + std::to_string(apart.most() * 1e9));
  }
}

TEST(StringKernel, PowersOffTheTablesAreNotLost) {
  for (const auto scheme : kernel::schemes()) {
    Case c{.scheme = std::string(scheme)};
    Pair p(c, Arithmetic::as_double);
    std::vector<double> u(p.n), d(p.n);
    for (std::size_t i = 0; i < p.n; ++i) {  // compressions of 1e-90 m and 1e-310 m
      p.offset[i] = 0;
      u[i] = p.sign * (i % 2 ? 1e-90 : 1e-310) * static_cast<double>(i % 3);
      d[i] = 0;
    }
    p.kernel = kernel::match(
        *p.string,
        {{"power", {{"stiffness", 1e9}, {"exponent", 1.3}}}, {c.scheme}, p.string->spacing_m(), 0, p.sign, p.offset},
        Arithmetic::as_double);
    auto fused = kernel::match(
        *p.string,
        {{"power", {{"stiffness", 1e9}, {"exponent", 1.3}}}, {c.scheme}, p.string->spacing_m(), 0, p.sign, p.offset},
        Arithmetic::fused);
    p.string->place(u, d);
    p.string->predict();
    p.fill();
    p.line->start();
    kernel::take(*p.kernel, *p.string, p.line.get());
    kernel::take(*fused, *p.string, p.line.get());
    for (int n = 0; n < 20; ++n) {
      p.step();
      p.kernel->run(1);
      fused->run(1);
    }
    EXPECT_TRUE(same(p)) << scheme;
    fused->read(u, d);
    for (const double x : u) EXPECT_TRUE(std::isfinite(x)) << scheme;
    EXPECT_EQ(p.kernel->record().unsettled, 0u) << scheme;  // what is solved again counts once
    EXPECT_EQ(fused->record().unsettled, 0u) << scheme;
  }
}

/// Floats have no tables above exponent 6: each power goes by double, and what is solved again counts once.
TEST(StringKernel, SingleRaisesLargeExponentsByDouble) {
  for (const auto scheme : {KernelScheme::two_point, KernelScheme::three_point, KernelScheme::secant_2}) {
    Pair p({.scheme = "two-point"}, Arithmetic::as_double);
    const std::vector<double> offset(p.n, 1e-4);  // a flat barrier, slightly above a string at rest
    const auto kernel = StringKernel::make(
        p.string->numbers(), p.n,
        {.sign = -1, .first_node = 0, .offset_m = offset, .law = PowerLaw({1e9, 8}), .mu = 0, .scheme = scheme},
        1 / 44100.0, Arithmetic::single);
    const std::vector<double> rest(p.n, 0.0);
    kernel->place(rest, rest);
    kernel->run(20);
    EXPECT_EQ(kernel->record().unsettled, 0u);
    EXPECT_GT(kernel->record().touching_steps, 0u);
  }
}

}  // namespace
}  // namespace jawari
