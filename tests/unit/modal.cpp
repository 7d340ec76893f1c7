// SPDX-License-Identifier: MIT
#include "jawari/body/modal.h"

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <complex>

#include "jawari/body/string_data.h"
#include "jawari/core/param.h"
#include "support/golden.h"

namespace jawari {
namespace {

ModalBody one(const Mode& mode, double dt, Stepping stepping) { return ModalBody({mode}, {{1.0}}, dt, stepping); }

TEST(ExactModes, HaveTheRightPolesFrom8To384kHz) {
  using Long = boost::multiprecision::cpp_bin_float_50;
  for (const double fs : {8000.0, 44100.0, 192000.0, 384000.0})
    for (const auto& [w_share, decay] : {std::pair{1e-4, 0.0}, {0.01, 3.0}, {0.3, 500.0}, {0.9, 20.0}, {1e-3, 2e4}}) {
      const double k = 1 / fs, w = w_share * M_PI * fs;
      const auto c = ModalBody::coeffs({1, w, decay}, k, Stepping::exact);
      // d+ = (1 - lag) d - D u: poles z^2 - (2 - lag - D) z + (1 - lag) = 0, against exp((-s +- sqrt(s^2 - w^2)) k)
      const Long s = decay, root2 = s * s - Long(w) * w;
      const Long sum = root2 < 0 ? 2 * exp(-s * k) * cos(sqrt(-root2) * k)
                                 : exp((-s + sqrt(root2)) * k) + exp((-s - sqrt(root2)) * k);
      const Long product = exp(-2 * s * k);
      SCOPED_TRACE(testing::Message() << fs << " Hz, w " << w << ", decay " << decay);
      EXPECT_TRUE(test::close(c.lag, static_cast<double>(1 - product), 1e-14, 1e-300));
      EXPECT_TRUE(test::close(c.D, static_cast<double>(1 + product - sum), 1e-13));
    }
}

TEST(Modes, EveryIntegratorBalancesItsEnergy) {
  for (const auto stepping : {Stepping::exact, Stepping::constant, Stepping::leapfrog, Stepping::midpoint})
    for (const double decay : {0.0, 10.0, 900.0}) {
      ModalBody b = one({0.01, 2 * M_PI * 400, decay}, 1 / 44100.0, stepping);
      b.set_mode_state(0, 1e-3, 0.5);
      const double start = b.stored().total();
      test::Extremes off;
      for (int n = 0; n < 20000; ++n) {
        b.add_force(0, n < 500 ? 0.01 * std::sin(0.05 * n) : 0);
        b.predict();
        b.advance();
        off.add(std::abs(b.stored().total() + b.lost.value() - b.given.value() - start));
      }
      EXPECT_LE(off.most(), 1e-13 * start) << stepping_names[static_cast<std::size_t>(stepping)] << ' ' << decay;
      EXPECT_GE(b.lost.value(), 0);
    }
}

TEST(Modes, ExactSteppingFollowsTheDampedOscillator) {
  const double w = 2 * M_PI * 3000, s = 40, k = 1 / 44100.0, wd = std::sqrt(w * w - s * s);
  for (const auto stepping : {Stepping::exact, Stepping::constant}) {
    ModalBody b = one({0.02, w, s}, k, stepping);
    b.set_mode_state(0, 1e-3, 2);
    for (int n = 0; n < 4000; ++n) {
      const double t = n * k;
      EXPECT_TRUE(test::close(
          b.w[0], std::exp(-s * t) * (1e-3 * std::cos(wd * t) + (2 + s * 1e-3) / wd * std::sin(wd * t)), 0, 1e-14))
          << n;
      b.predict();
      b.advance();
    }
  }
}

TEST(Modes, FreeFallIsExactAndItsAccountCloses) {
  ModalBody b = one({0.1, 0, 0}, 1e-4, Stepping::exact);
  b.load(0, -0.981, 0);
  b.set_mode_state(0, 10, 3);
  const double start = b.stored().total();
  EXPECT_TRUE(test::close(start, 0.1 * (9 / 2.0 + 9.81 * 10), 1e-4));
  for (int n = 0; n < 100000; ++n) {
    b.predict();
    b.advance();
  }
  EXPECT_TRUE(test::close(b.w[0], 10 + 3 * 10.0 - 9.81 * 100 / 2, 1e-12));
  EXPECT_TRUE(test::close(b.stored().total(), start, 0, 1e-13 * b.stored().kinetic));
}

TEST(Modes, DampedFallReachesItsTerminalSpeed) {
  ModalBody b = one({0.1, 0, 5}, 1e-3, Stepping::exact);  // damper 2 m sigma = 1 N s/m
  b.load(0, 2.0, 0);
  b.set_mode_state(0, 0, 0);
  for (int n = 0; n < 5000; ++n) {
    b.predict();
    b.advance();
  }
  EXPECT_TRUE(test::close(b.s[0] / 2e-3, 2.0, 1e-4));
}

TEST(Modes, ReceptanceIsTheAnswerToAUnitForce) {
  const std::vector<Mode> modes{{0.01, 1000, 3}, {0.02, 5000, 30}, {0.005, 0, 0}};
  ModalBody b(modes, {{1.0, 0.5, -0.2}, {0.3, -1.0, 0.7}}, 1 / 48000.0, Stepping::exact);
  b.predict();
  const double free0 = b.s_free[0], free1 = b.s_free[1];
  b.force[1] = 2.5;
  b.advance();
  EXPECT_TRUE(test::close(b.s[0] - free0, 2.5 * b.receptance(0, 1), 1e-14));
  EXPECT_TRUE(test::close(b.s[1] - free1, 2.5 * b.receptance(1, 1), 1e-14));
  EXPECT_EQ(b.receptance(0, 1), b.receptance(1, 0));
}

/// Modes of a lossy string with taps at every j L/(P+1), by the transform or as rows of a matrix, and one tap more.
class Twins {
  static constexpr std::size_t P = 29;
  static StringData string() {
    return {.length_m = 0.65,
            .tension_N = 60,
            .density_kg_m = 2e-3,
            .bending_N_m2 = 1e-4,
            .stretching_N = 0,
            .sigma0_1_s = 2,
            .sigma1_m2_s = 3e-3};
  }
  static std::vector<std::vector<double>> taps(bool all) {
    std::vector<std::vector<double>> rows;
    for (std::size_t j = 1; j <= P && all; ++j)
      rows.push_back(string().shape(
          {StringTap::point, string().length_m * static_cast<double>(j) / static_cast<double>(P + 1)}, P));
    rows.push_back(string().shape({StringTap::point, 0.123}, P));
    return rows;
  }

 public:
  Twins(Stepping stepping, double modulation)
      : sines(string().modes(1e300, P), taps(false), 1 / 44100.0, stepping, true),
        rows(string().modes(1e300, P), taps(true), 1 / 44100.0, stepping) {
    std::vector<double> l;
    for (int p = 1; l.size() < P; ++p) l.push_back(string().length_m / 2 * std::pow(string().wave_number(p), 2));
    for (ModalBody* b : {&sines, &rows}) {
      for (std::size_t i = 0; i < P; ++i) b->set_mode_state(i, 1e-3 / static_cast<double>(i + 1), 0.3);
      if (modulation > 0) b->modulate(modulation, l);
    }
  }
  ModalBody sines, rows;
};

TEST(SineTaps, AreTheRowsOfTheMatrix) {
  for (const auto stepping : {Stepping::constant, Stepping::exact, Stepping::leapfrog})
    for (const double modulation : {0.0, 1e3}) {
      Twins t(stepping, modulation);
      ASSERT_EQ(t.sines.taps(), t.rows.taps());
      test::Extremes off;
      for (int n = 0; n < 300; ++n) {
        for (ModalBody* b : {&t.sines, &t.rows}) {
          if (n < 50) {
            b->add_force(4, 0.2);
            b->add_force(29, -0.1);
          }
          b->predict();
          b->force[3] = n % 7 == 0 ? 2 : 0;
          b->force[17] = n % 5 == 0 ? -1 : 0;
          b->force[29] = n % 11 == 0 ? 1 : 0;
        }
        for (std::size_t i = 0; i < t.rows.taps(); ++i) off.add(std::abs(t.sines.s_free[i] - t.rows.s_free[i]));
        t.sines.advance();
        t.rows.advance();
        for (std::size_t i = 0; i < t.rows.taps(); ++i) {
          off.add(std::abs(t.sines.w[i] - t.rows.w[i]));
          off.add(std::abs(t.sines.d[i] - t.rows.d[i]));
          off.add(std::abs(t.sines.s[i] - t.rows.s[i]));
        }
      }
      EXPECT_LE(off.most(), 1e-13 * 4e-3)
          << stepping_names[static_cast<std::size_t>(stepping)] << ' ' << modulation;  // of 4 mm
      EXPECT_TRUE(test::close(t.sines.stored().total(), t.rows.stored().total(), 1e-12));
      EXPECT_TRUE(test::close(t.sines.given.value(), t.rows.given.value(), 1e-12));
    }
}

TEST(SineTaps, WithConstantGainAreUncoupled) {
  for (const auto stepping : {Stepping::constant, Stepping::exact})
    for (const double modulation : {0.0, 1e3}) {
      Twins t(stepping, modulation);
      t.sines.predict();
      t.rows.predict();
      const auto free = t.sines.s_free;
      std::vector<double> q;
      for (std::size_t i = 0; i < t.sines.taps(); ++i) {
        q.push_back(t.sines.receptance(i, 11));
        const double own = t.rows.receptance(11, 11);
        EXPECT_TRUE(test::close(q[i], t.rows.receptance(i, 11), 1e-12, 1e-13 * own)) << i;
        EXPECT_TRUE(test::close(q[i], t.sines.receptance(11, i), 1e-12, 1e-13 * own)) << i;
        const bool apart = stepping == Stepping::constant && modulation == 0 && i != 11 && i < 29;
        if (apart) {
          EXPECT_EQ(q[i], 0) << i;
        }
        EXPECT_EQ(t.sines.coupled(i, 11), !apart) << i;
      }
      t.sines.force[11] = 3;
      t.sines.advance();
      for (std::size_t i = 0; i < q.size(); ++i)
        EXPECT_TRUE(test::close(t.sines.s[i] - free[i], 3 * q[i], 1e-11, 1e-16)) << i;
    }
}

TEST(SineTaps, CountsAreMadeOfSmallPrimes) {
  for (const std::size_t most : {3u, 10u, 29u, 142u, 219u, 1000u}) {
    const std::size_t count = ModalBody::good_sine_count(most);
    EXPECT_LE(count, most);
    EXPECT_GE(2 * count, most);
    std::size_t rest = count + 1;
    for (const std::size_t prime : {2u, 3u, 5u})
      while (rest % prime == 0) rest /= prime;
    EXPECT_EQ(rest, 1u) << count;
  }
}

/// (M7) on one mode is the Duffing oscillator q'' + w^2 q + (4 c l^2/m) q^3 = 0: its period by the elliptic integral,
/// its energy without drift.  The grid against the same formula: tests/golden/string_linear.cpp.
TEST(TensionModulation, OfOneModeIsDuffing) {
  const double m = 0.01, w = 2 * M_PI * 247, a = 5e-3, c = 1e6, l = 6, cubic = 4 * c * l * l / m * a * a;
  const double f = std::sqrt(w * w + cubic) / (4 * boost::math::ellint_1(std::sqrt(cubic / (2 * (w * w + cubic)))));
  for (const auto stepping : {Stepping::constant, Stepping::exact, Stepping::leapfrog}) {
    double off[2] = {};
    for (const int fine : {0, 1}) {
      const double k = 1 / (44100.0 * (1 << fine));
      ModalBody b = one({m, w, 0}, k, stepping);
      b.modulate(c, {l});
      b.place(0, a, k * k / 2 * (w * w + cubic) * a);  // from rest: u(-k) = u(k)
      const double start = b.stored().total();
      double before = 0, first = -1, last = 0, drift = 0;
      int count = -1;
      for (int n = 1; n <= 44100 << fine; ++n) {
        before = b.w[0];
        b.predict();
        b.advance();
        drift = std::max(drift, std::abs(b.stored().total() - start));
        if (!(before < 0 && b.w[0] >= 0)) continue;
        last = (n - 1 + before / (before - b.w[0])) * k;
        ++count;
        if (first < 0) first = last;
      }
      EXPECT_LE(drift, 2e-12 * start);
      off[fine] = std::abs(1200 * std::log2(count / (last - first) / f));
    }
    EXPECT_LE(off[0], 1.0) << stepping_names[static_cast<std::size_t>(stepping)];
    EXPECT_TRUE(off[0] / off[1] > 3 && off[0] / off[1] < 5) << off[0] << ' ' << off[1];
  }
}

TEST(Modes, RefuseWhatTheSteppingCannotCarry) {
  EXPECT_THROW(one({1, 2.001 * 1000, 0}, 1e-3, Stepping::leapfrog), InputError);
  EXPECT_THROW(one({1, 3.2 * 1000, 0}, 1e-3, Stepping::exact), InputError);
  EXPECT_NO_THROW(one({1, 1e5, 0}, 1e-3, Stepping::midpoint));
}

/// After forces the taps are s_free + Q f: what all modes show there, to rounding, also when tuned.
TEST(Modes, TapsAfterForcesShowWhatTheModesDo) {
  std::vector<Mode> modes;
  std::vector<std::vector<double>> shape(5, std::vector<double>(40));
  for (std::size_t i = 0; i < 40; ++i) {
    modes.push_back({0.01, 2 * M_PI * 100 * static_cast<double>(i + 1), 3});
    for (std::size_t t = 0; t < 5; ++t) shape[t][i] = std::sin(static_cast<double>((i + 1) * (t + 1)));
  }
  ModalBody b(modes, shape, 1 / 44100.0, Stepping::exact);
  ASSERT_TRUE(b.tap_rules().by_columns);
  b.set_mode_state(3, 1e-3, 0.1);
  for (int n = 0; n < 300; ++n) {
    if (n == 150) b.retune(1.02, 1, 5);
    const std::vector<double> before(b.displacements().begin(), b.displacements().end()),
        step(b.increments().begin(), b.increments().end());
    b.predict();
    if (n % 3 > 0) b.force[1] = std::sin(0.1 * n);
    if (n % 3 > 1) b.force[4] = std::cos(0.2 * n);
    b.advance();
    for (std::size_t t = 0; t < 5; ++t) {
      double s = 0, w = 0, terms = 0;
      for (std::size_t i = 0; i < 40; ++i) {
        s += shape[t][i] * (step[i] + b.increments()[i]);
        w += shape[t][i] * b.displacements()[i];
        terms += std::abs(shape[t][i]) * (std::abs(before[i]) + std::abs(b.displacements()[i]));
      }
      ASSERT_NEAR(b.s[t], s, 1e-14 * terms) << n << ' ' << t;
      ASSERT_NEAR(b.w[t], w, 1e-12 * terms) << n << ' ' << t;
    }
  }
}

}  // namespace
}  // namespace jawari
