// SPDX-License-Identifier: MIT
// Modes with exact stepping have the string's own frequencies and decays: every mode and rate, in extended precision.
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <numbers>

#include "jawari/body/string_data.h"
#include "support/golden.h"

namespace jawari {
namespace {

using Real = boost::multiprecision::cpp_bin_float_50;

/// What a step keeps of the two motions of a mode, z = exp(s k); as w = 1 - z, so that slow ones keep their digits.
struct Poles {
  bool overdamped;
  Real decay, frequency;  // underdamped: s = -decay +- i frequency
  Real slow, fast;        // overdamped: w of both
};
/// d+ = (1 - lag) d - D u has the poles w^2 - (lag + D) w + D = 0.
Poles played(const ModalBody::Coeffs& c, double dt_s) {
  const Real lag = c.lag, D = c.D, half = (lag + D) / 2, root2 = half * half - D, k = dt_s;
  if (root2 >= 0) return {true, 0, 0, D / (half + sqrt(root2)), half + sqrt(root2)};
  return {false, -log(1 - lag) / (2 * k), atan2(sqrt(-root2), Real(1 - half)) / k, 0, 0};  // |z|^2 = 1 - lag
}
Poles wanted(const Mode& m, double dt_s) {
  const Real s = m.decay_1_s, w = m.omega_rad_s, d2 = (w - s) * (w + s), k = dt_s;
  if (d2 > 0) return {false, s, sqrt(d2), 0, 0};
  const Real slow = w * w / (s + sqrt(-d2));
  return {true, 0, 0, -expm1(-slow * k), -expm1(-(2 * s - slow) * k)};
}

struct Worst {
  test::Extremes off;
  int modes = 0, overdamped = 0;
};
/// Relative errors of frequency and decay.  Overdamped: of what either motion loses in a step, which for a slow one is
/// its decay; a fast one decays within the step, and exp(-30) has no digits beside 1.
Worst worst(const StringData& string, double rate_hz) {
  Worst all;
  const double k = 1 / rate_hz;
  const auto add = [&](const Real& play, const Real& want) {
    all.off.add(static_cast<double>(abs(play - want) / want));
  };
  for (const Mode& m : string.modes(std::numbers::pi * 0.9999 / k, 100000)) {
    const Poles want = wanted(m, k);
    for (const auto stepping : {Stepping::exact, Stepping::constant}) {
      const Poles play = played(ModalBody::coeffs(m, k, stepping), k);
      EXPECT_EQ(play.overdamped, want.overdamped) << rate_hz << " Hz, w " << m.omega_rad_s;
      if (want.overdamped) {
        add(play.slow, want.slow);
        add(play.fast, want.fast);
      } else {
        add(play.frequency, want.frequency);
        add(play.decay, want.decay);
      }
    }
    ++all.modes;
    all.overdamped += want.overdamped;
  }
  return all;
}

TEST(ExactModes, AreTheStringsOwnFrom8To384kHz) {
  const StringData steel{.length_m = 0.65,
                         .tension_N = 80,
                         .density_kg_m = 2e-3,
                         .bending_N_m2 = 1e-3,
                         .stretching_N = 0,
                         .sigma0_1_s = 0.5,
                         .sigma1_m2_s = 2e-3};
  const StringData bass{.length_m = 2,
                        .tension_N = 1000,
                        .density_kg_m = 0.1,
                        .bending_N_m2 = 0.5,
                        .stretching_N = 0,
                        .sigma0_1_s = 1e-3,
                        .sigma1_m2_s = 0.05};
  const StringData felt{.length_m = 0.4,
                        .tension_N = 20,
                        .density_kg_m = 5e-3,
                        .bending_N_m2 = 1e-6,
                        .stretching_N = 0,
                        .sigma0_1_s = 20,
                        .sigma1_m2_s = 0.3};
  int overdamped = 0;
  for (const double rate : {8000.0, 22050.0, 44100.0, 48000.0, 96000.0, 192000.0, 384000.0})
    for (const StringData* string : {&steel, &bass, &felt}) {
      const Worst all = worst(*string, rate);
      EXPECT_LE(all.off.most(), 1e-11) << rate;
      EXPECT_GE(all.modes, 10) << rate;
      overdamped += all.overdamped;
    }
  EXPECT_GT(overdamped, 100);  // the felt string: its high modes creep
}

}  // namespace
}  // namespace jawari
