// SPDX-License-Identifier: MIT
// The discriminant of D17 (18) along motions and in random states, and as the paper prints it for exponent 1.
#pragma once
#include <cmath>
#include <random>

#include "jawari/contact/centre_limited.h"
#include "jawari/contact/odd_power.h"
#include "jawari/scheme/taylor.h"
#include "support/range.h"
#include "support/rig.h"

namespace jawari::experiments::paper_d17 {

struct Flight {
  int first_complex = 0;  ///< step, 0: never
  rigs::Range discriminant;
};
/// The scheme as printed from (u^1, d = u^1 - u^0); a complex root ends the run.
template <class Law>
Flight fly(const Law& law, double s, double dt_s, double u1_m, double d_m, int steps) {
  rigs::TypedMass<Law, TaylorStrict> m{law, TaylorStrict({s}), 1, dt_s};
  m.place(u1_m, d_m);
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
/// Delta of the library at one state: 4 [s^2 phi'^2 + 2 A (h - phi)]
template <class Law>
double discriminant(const Law& law, double s, double mass_kg, double dt_s, double u_m, double d_m) {
  rigs::TypedMass<Law, TaylorStrict> m{law, TaylorStrict({s}), mass_kg, dt_s};
  m.place(u_m, d_m);
  m.solve();
  return 4 * m.last.square;
}
/// The energy that real roots need at u: phi - s^2 phi'^2/2A.
template <class Law>
double energy_needed(const Law& law, double s, double dt_s, double u_m) {
  const double A = 1 / (dt_s * dt_s) + s * law.curvature(u_m);
  return law.potential(u_m) - s * s * law.force(u_m) * law.force(u_m) / (2 * A);
}

/// Numbers from raw bits: the same on every system.
class Dice {
 public:
  double uniform(double from, double to) { return from + (to - from) * static_cast<double>(bits_() >> 11) * 0x1p-53; }
  double decades(double from, double to) { return std::pow(10, uniform(from, to)); }

 private:
  std::mt19937_64 bits_{2017};
};

inline double s_star(double exponent) { return 2 * exponent / (exponent + 1); }

/// Share of 1500 random problems, thrown from outside the force or from its zero, that meet a complex root in 60 steps.
/// s = 0 stands for s*.
inline double complex_throws(double s) {
  Dice dice;
  int failed = 0;
  for (int batch = 0; batch < 50; ++batch) {
    const double a = dice.uniform(1, 4);
    const OddPower odd({1, a});
    const PowerLaw one({1, a});
    for (int i = 0; i < 30; ++i) {
      const double start = i % 2 == 0 ? 0 : -dice.uniform(0, 1), K = dice.decades(-3, 3), with = s > 0 ? s : s_star(a);
      failed += (i % 2 == 0 ? fly(odd.weighted(K), with, 1, start + 1, 1, 60)
                            : fly(one.weighted(K), with, 1, start + 1, 1, 60))
                    .first_complex > 0;
    }
  }
  return failed / 1500.0;
}
/// Of 5000 arbitrary states (u, d), inside or outside, of all three laws: how many have complex roots.
inline int complex_states(double s) {
  Dice dice;
  int failed = 0;
  for (int batch = 0; batch < 50; ++batch) {
    const double a = dice.uniform(1, 4), with = s > 0 ? s : s_star(a);
    const OddPower odd({1, a});
    const PowerLaw one({1, a});
    const CentreLimited gap({1, a, 0.3});
    for (int i = 0; i < 100; ++i) {
      const double K = dice.decades(-3, 3), u = dice.uniform(-2, 2), d = dice.uniform(-2, 2);
      const Flight f = i % 3 == 0   ? fly(odd.weighted(K), with, 1, u, d, 1)
                       : i % 3 == 1 ? fly(one.weighted(K), with, 1, u, d, 1)
                                    : fly(gap.weighted(K), with, 1, u, d, 1);
      failed += f.first_complex > 0;
    }
  }
  return failed;
}

/// Exponent 1: worst distance between printed formulas and the discriminant, over the size of their terms.
struct PrintedForms {
  double case3 = 0, case4 = 0, case4_corrected = 0;
};
inline PrintedForms printed_forms() {
  Dice dice;
  const PowerLaw unit({1, 1});
  rigs::Range entering, printed, corrected;
  for (int i = 0; i < 2000; ++i) {
    const double M = dice.decades(-1, 1), K = dice.decades(-1, 1), k = dice.decades(-1, 1), s = dice.uniform(0.5, 3);
    const double u = dice.uniform(0.01, 1), v = dice.uniform(0.01, 1), q = K / M, A = 1 / (k * k) + s * q;
    const auto off = [&](double before, std::initializer_list<double> terms) {
      double sum = 0, size = 0;
      for (const double t : terms) {
        sum += t;
        size += std::abs(t);
      }
      return std::abs(sum - discriminant(unit.weighted(K), s, M, k, u, u - before) / (4 * M * M)) / size;
    };
    entering.add(
        off(-v, {A / (k * k) * v * v, u * u / (k * k * k * k), u * u * (s - 1) * A * q, 2 / (k * k) * A * u * v}));
    const double rate = (u - v) / k, mean = (u + v) / 2;
    const auto case4 = [&](double first, double second) {
      return off(v, {first * s * s * v * v, rate * rate / (k * k), -2 * s / k * q * v * rate,
                     -2 * A * k * second * mean * rate});
    };
    printed.add(case4(q, q / 2 - s * q));
    corrected.add(case4(q * q, q - 2 * s * q));
  }
  return {entering.most(), printed.most(), corrected.most()};
}

}  // namespace jawari::experiments::paper_d17
