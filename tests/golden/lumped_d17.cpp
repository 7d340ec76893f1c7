// SPDX-License-Identifier: MIT
// Roots of the quadratic scheme of D17: its discriminant in three forms, where it is real (Figure 2), and the choice
// of s that never fails.  Values of lumped_golden.json.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "jawari/contact/centre_limited.h"
#include "jawari/contact/odd_power.h"
#include "jawari/scheme/taylor.h"
#include "support/chapter.h"
#include "support/rig.h"

namespace jawari {
namespace {

using namespace test;

/// Uniform and log-uniform numbers from raw bits: the same on every system.
class Dice {
 public:
  double uniform(double from, double to) { return from + (to - from) * static_cast<double>(bits_() >> 11) * 0x1p-53; }
  double decades(double from, double to) { return std::pow(10, uniform(from, to)); }

 private:
  std::mt19937_64 bits_{2017};
};

/// P_{a,b} of D17 (6), expanded about the first index.
template <class Law>
double expanded(const Law& law, double s, double at, double to) {
  return law.potential(at) + s * (to - at) * law.force(at) + s / 2 * (to - at) * (to - at) * law.curvature(at);
}

struct Discriminant {
  double as_printed, scale;  // B^2 - 4 A C of (16), and the size of its terms
  double by_library;         // 4 [s^2 phi'^2 + 2 A (h - phi)]
};
template <class Law>
Discriminant discriminant(const Law& law, double s, double mass, double k, double u, double d) {
  const double c = mass / (k * k), A = c + s * law.curvature(u);
  const double B = -2 * c * d + 2 * s * law.force(u) - 2 * s * d * law.curvature(u);
  const double C = 2 * expanded(law, s, u, u - d) - 2 * expanded(law, s, u - d, u);
  TypedMass<Law, TaylorStrict> m{law, TaylorStrict({s}), mass, k};
  m.place(u, d);
  m.solve();
  return {B * B - 4 * A * C, B * B + std::abs(4 * A * C), 4 * m.last.square};
}

/// A law takes long to build and little to scale: one exponent serves a batch of stiffnesses.
struct Laws {
  explicit Laws(double exponent) : odd({1, exponent}), one_sided({1, exponent}), gap({1, exponent, 0.3}) {}
  OddPower odd;
  PowerLaw one_sided;
  CentreLimited gap;

  /// visit(law) for the i-th of the three, with stiffness K
  template <class Visit>
  auto with(int i, double K, Visit visit) const {
    return i % 3 == 0 ? visit(odd.weighted(K)) : i % 3 == 1 ? visit(one_sided.weighted(K)) : visit(gap.weighted(K));
  }
};

GOLDEN_TEST(D17Golden, DiscriminantIsAnEnergyBalance, "D17.identity.") {
  Dice dice;
  Extremes mismatch;
  for (int batch = 0; batch < 60; ++batch) {
    const Laws laws(dice.uniform(1, 4));
    for (int i = 0; i < 50; ++i) {
      const double K = dice.decades(-2, 2), s = dice.uniform(0.1, 5), k = dice.decades(-1, 1);
      const double u = dice.uniform(-2, 2), d = dice.uniform(-2, 2);
      mismatch.add(laws.with(i, K, [&](const auto& law) {
        if (law.potential(u) == 0 && law.potential(u - d) == 0) return 0.0;  // nothing to solve: the library does not
        const Discriminant x = discriminant(law, s, 1, k, u, d);
        return std::abs(x.as_printed - x.by_library) / x.scale;
      }));
    }
  }
  golden.check("delta_energy_form.max_rel_mismatch", mismatch.most());
}

/// Exponent 1, entering: printed right, as Delta/4M^2 with A for A/M.
GOLDEN_TEST(D17Golden, DiscriminantWhileEnteringIsAsPrinted, "D17.case3_printed.") {
  Dice dice;
  Extremes mismatch;
  const PowerLaw unit({1, 1});
  for (int i = 0; i < 3000; ++i) {
    const double M = dice.decades(-1, 1), K = dice.decades(-1, 1), k = dice.decades(-1, 1), s = dice.uniform(0.5, 3);
    const double u = dice.uniform(0.01, 1), before = -dice.uniform(0.01, 1), q = K / M, A = 1 / (k * k) + s * q;
    const double terms[] = {A / (k * k) * before * before, u * u / (k * k * k * k), u * u * (s - 1) * A * q,
                            -2 / (k * k) * A * u * before};
    double sum = 0, scale = 0;
    for (const double t : terms) {
      sum += t;
      scale += std::abs(t);
    }
    const double exact = discriminant(unit.weighted(K), s, M, k, u, u - before).by_library / (4 * M * M);
    mismatch.add(std::abs(sum - exact) / scale);
  }
  golden.check("max_rel_mismatch", mismatch.most());
}

/// Exponent 1, inside: K~ s^2 should read K~^2 s^2, and A k (K~/2 - s K~) should read A k (K~ - 2 s K~).
GOLDEN_TEST(D17Golden, DiscriminantInsideAfterTwoCorrections, "D17.case4_") {
  Dice dice;
  Extremes mismatch, as_printed;
  const PowerLaw unit({1, 1});
  for (int i = 0; i < 3000; ++i) {
    const double M = dice.decades(-1, 1), K = dice.decades(-1, 1), k = dice.decades(-1, 1), s = dice.uniform(0.5, 3);
    const double u = dice.uniform(0.01, 1), before = dice.uniform(0.01, 1), q = K / M, A = 1 / (k * k) + s * q;
    const double rate = (u - before) / k, mean = (u + before) / 2;
    const auto case4 = [&](double first, double second) {
      const double terms[] = {first * s * s * before * before, rate * rate / (k * k), -2 * s / k * q * before * rate,
                              -2 * A * k * second * mean * rate};
      double sum = 0, scale = 0;
      for (const double t : terms) {
        sum += t;
        scale += std::abs(t);
      }
      return std::pair{sum, scale};
    };
    const double exact = discriminant(unit.weighted(K), s, M, k, u, u - before).by_library / (4 * M * M);
    const auto [right, scale] = case4(q * q, q - 2 * s * q);
    const auto [printed, unused] = case4(q, q / 2 - s * q);
    mismatch.add(std::abs(right - exact) / scale);
    as_printed.add(std::abs(printed - exact) / scale);
  }
  golden.check("fixed.max_rel_mismatch", mismatch.most());
  golden.check("printed_is_wrong", as_printed.most() > 0.1 ? 1 : 0);
}

struct Flight {
  int first_complex = 0;  // 0: never
  Extremes discriminant;
};
template <class Law>
Flight fly(const Law& law, double s, double mass, double k, double u0, double v0, int steps) {
  TypedMass<Law, TaylorStrict> m{law, TaylorStrict({s}), mass, k};
  m.place(u0 + k * v0, k * v0);
  Flight out;
  for (int n = 1; n <= steps; ++n) {
    if (!m.step()) {
      out.first_complex = n;
      return out;
    }
    out.discriminant.add(4 * m.last.square);
  }
  return out;
}

GOLDEN_TEST(D17Golden, ComputabilityOfFigure2, "D17.fig2.") {
  for (const int v0 : {1, 20})
    for (const std::string s : {"0.5", "1", "3"})
      for (int i = 1; i <= 4; ++i)
        for (int alpha = 1; alpha <= 13; alpha += 2) {
          const std::string cell = fmt::format("v{}.s{}.k{}.a{}", v0, s, i, alpha);
          if (golden.wanted(cell + ".complex")[0] < 0) {
            golden.expect_marked(cell + ".complex", "fragile");
            continue;
          }
          const double k = std::ldexp(1, i - 2) / std::sqrt(1e3);
          const Flight f = fly(OddPower({1e3, static_cast<double>(alpha)}), std::stod(s), 1, k, -1e-3, v0, 2000);
          golden.check(cell + ".complex", f.first_complex > 0);
          if (golden.has(cell + ".first_complex")) golden.check(cell + ".first_complex", f.first_complex);
          if (golden.has(cell + ".min_disc")) golden.check(cell + ".min_disc", f.discriminant.least());
        }
}

double s_of(const std::string& name, double alpha) { return name == "s*" ? 2 * alpha / (alpha + 1) : std::stod(name); }

/// Thrown from outside, or from the point of no force: real for s >= s* and for every s >= 2.
GOLDEN_TEST(D17Golden, RandomThrowsAreRealFromTwoOn, "D17.complex_fraction.random.") {
  for (const std::string name : {"0.5", "1", "1.5", "2", "3", "s*"}) {
    Dice dice;
    int failed = 0;
    for (int batch = 0; batch < 50; ++batch) {
      const double alpha = dice.uniform(1, 4), s = s_of(name, alpha);
      const Laws laws(alpha);
      for (int i = 0; i < 30; ++i) {
        const double start = i % 2 == 0 ? 0 : -dice.uniform(0, 1);
        failed += laws.with(i % 2, dice.decades(-3, 3),
                            [&](const auto& law) { return fly(law, s, 1, 1, start, 1, 60).first_complex > 0; });
      }
    }
    const bool must_be_zero = name == "2" || name == "3" || name == "s*";
    if (must_be_zero) {
      golden.check("s=" + name, failed / 1500.0);
    } else {
      golden.expect_marked("s=" + name, "informative");
      EXPECT_GT(failed, 0) << "s = " << name;  // the fraction depends on the dice, that there is one does not
    }
  }
}

/// From any state at all only s* is safe.
GOLDEN_TEST(D17Golden, OnlySStarIsRealInEveryState, "D17.complex_states.") {
  for (const std::string name : {"s*", "2", "3"}) {
    Dice dice;
    int failed = 0;
    for (int batch = 0; batch < 50; ++batch) {
      const double alpha = dice.uniform(1, 4), s = s_of(name, alpha);
      const Laws laws(alpha);
      for (int i = 0; i < 100; ++i) {
        const double K = dice.decades(-3, 3), u = dice.uniform(-2, 2), d = dice.uniform(-2, 2);
        failed += laws.with(i, K, [&](const auto& law) {
          TypedMass<std::decay_t<decltype(law)>, TaylorStrict> m{law, TaylorStrict({s}), 1, 1};
          m.place(u, d);
          return !m.step();
        });
      }
    }
    if (name == "s*") {
      golden.check("s=" + name, failed);
    } else {
      golden.expect_marked("s=" + name, "informative");
      EXPECT_GT(failed, 0) << "s = " << name;
    }
  }
}

TEST(LumpedGolden, EveryKeyBelongsToOneTest) {
  ASSERT_EQ(Chapter::entries().size(), 795u);
  for (const auto& [key, entry] : Chapter::entries().items()) {
    const auto claimed = std::count_if(Chapter::claims().begin(), Chapter::claims().end(),
                                       [&](const std::string& prefix) { return key.starts_with(prefix); });
    EXPECT_EQ(claimed, 1) << key;
  }
}

}  // namespace
}  // namespace jawari
