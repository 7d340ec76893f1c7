// SPDX-License-Identifier: MIT
#include "jawari/body/modal.h"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <complex>

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
      const Long sum = root2 < 0 ? 2 * exp(-s * k) * cos(sqrt(-root2) * k) : exp((-s + sqrt(root2)) * k) + exp((-s - sqrt(root2)) * k);
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
      b.throw_mode(0, 1e-3, 0.5);
      const double start = b.stored().total();
      test::Extremes off;
      for (int n = 0; n < 20000; ++n) {
        b.push(0, n < 500 ? 0.01 * std::sin(0.05 * n) : 0);
        b.predict(), b.advance();
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
    b.throw_mode(0, 1e-3, 2);
    for (int n = 0; n < 4000; ++n) {
      const double t = n * k;
      EXPECT_TRUE(test::close(b.w[0], std::exp(-s * t) * (1e-3 * std::cos(wd * t) + (2 + s * 1e-3) / wd * std::sin(wd * t)), 0, 1e-14)) << n;
      b.predict(), b.advance();
    }
  }
}

TEST(Modes, FreeFallIsExactAndItsAccountCloses) {
  ModalBody b = one({0.1, 0, 0}, 1e-4, Stepping::exact);
  b.load(0, -0.981, 0);
  b.throw_mode(0, 10, 3);
  const double start = b.stored().total();
  EXPECT_TRUE(test::close(start, 0.1 * (9 / 2.0 + 9.81 * 10), 1e-4));
  for (int n = 0; n < 100000; ++n) b.predict(), b.advance();
  EXPECT_TRUE(test::close(b.w[0], 10 + 3 * 10.0 - 9.81 * 100 / 2, 1e-12));
  EXPECT_TRUE(test::close(b.stored().total(), start, 0, 1e-13 * b.stored().kinetic));
}

TEST(Modes, DampedFallReachesItsTerminalSpeed) {
  ModalBody b = one({0.1, 0, 5}, 1e-3, Stepping::exact);  // damper 2 m sigma = 1 N s/m
  b.load(0, 2.0, 0);
  b.throw_mode(0, 0, 0);
  for (int n = 0; n < 5000; ++n) b.predict(), b.advance();
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

TEST(Modes, RefuseWhatTheSteppingCannotCarry) {
  EXPECT_THROW(one({1, 2.001 * 1000, 0}, 1e-3, Stepping::leapfrog), Refusal);
  EXPECT_THROW(one({1, 3.2 * 1000, 0}, 1e-3, Stepping::exact), Refusal);
  EXPECT_NO_THROW(one({1, 1e5, 0}, 1e-3, Stepping::midpoint));
}

}  // namespace
}  // namespace jawari
