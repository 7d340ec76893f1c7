// SPDX-License-Identifier: MIT
// Dry friction: sticks exactly, slips as it should, never adds energy.
#include "support.h"

namespace jawari {
namespace {

using test::close;
using test::play;

TEST(Friction, ASlidingMassStopsWhereTheTextbookSays) {
  // v^2 / 2 theta g: decelerates evenly, then stays for good.
  const double v = 1.2, N = 0.5, theta = 0.3, m = 0.1, a = theta * N / m;
  const auto p = play(
      "rate_hz = 48000\nduration_s = 1.5\n[[mass]]\nname = \"sledge\"\nmass_kg = 0.1\nvelocity_m_s = 1.2\n"
      "[[friction]]\nbodies = [\"sledge\", \"wall\"]\ncoefficient = 0.3\nnormal_N = 0.5\n");
  const auto &x = p.channels.of("sledge.displacement_m"), &u = p.channels.of("sledge.velocity_m_s");
  const double stop = v / a;
  EXPECT_TRUE(close(x.back(), v * v / (2 * a), 1e-4)) << x.back();
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double t = static_cast<double>(n) / 48000;
    if (t < stop - 1e-3) {
      ASSERT_TRUE(close(u[n], v - a * t, 0, 1e-4)) << t;
    }
    if (t > stop + 1e-3) {
      ASSERT_EQ(u[n], 0.0) << t;
      ASSERT_TRUE(close(x[n], x.back(), 0, 1e-15));  // two samples may take turns in the last place
    }
  }
  EXPECT_LE(p.world->ledger().imbalance(), 1e-12);
  EXPECT_TRUE(close(p.world->ledger().dissipated_J, p.world->ledger().start_J, 1e-12));
  EXPECT_TRUE(close(p.world->ledger().dissipated_J, 0.5 * m * v * v, 1e-4));
}

TEST(Friction, StaysPutBelowTheLimitAndMovesAboveIt) {
  const auto pulled = [](double force) {
    return play(
        "rate_hz = 48000\nduration_s = 0.2\n[[mass]]\nname = \"m\"\nmass_kg = 0.1\nload_N = " + std::to_string(force) +
        "\n[[friction]]\nbodies = [\"m\", \"wall\"]\ncoefficient = 0.5\nnormal_N = 2\n");
  };
  const auto below = pulled(0.999), above = pulled(1.1);
  for (const double x : below.channels.of("m.displacement_m")) ASSERT_TRUE(close(x, 0, 0, 1e-18)) << x;
  EXPECT_TRUE(close(above.channels.of("m.displacement_m").back(), 0.5 * 0.1 / 0.1 * 0.04, 1e-3));
  EXPECT_LE(above.world->ledger().imbalance(), 1e-12);
}

TEST(Friction, PressedByAContactItFollowsThatForce) {
  // A mass lies on the wall under its weight; the same mass slides (second body): theta m g stops it.
  const auto p = play(
      "rate_hz = 48000\nduration_s = 0.6\ngravity_m_s2 = 0\n"
      "[[mass]]\nname = \"up\"\nmass_kg = 0.1\nload_N = -0.981\n"
      "[[mass]]\nname = \"along\"\nmass_kg = 0.1\nvelocity_m_s = 1.0\n"
      "[[contact]]\nname = \"ground\"\nbodies = [\"wall\", \"up\"]\nlaw = { type = \"hunt-crossley\", stiffness = 1e5, "
      "exponent = 1, mu = 50 }\nscheme = \"two-point\"\n"
      "[[friction]]\nbodies = [\"along\", \"wall\"]\ncoefficient = 0.4\nnormal = \"ground\"\n");
  const double a = 0.4 * 9.81;
  EXPECT_TRUE(close(p.channels.of("along.displacement_m").back(), 1 / (2 * a), 2e-2))
      << p.channels.of("along.displacement_m").back();
  EXPECT_EQ(p.channels.of("along.velocity_m_s").back(), 0.0);
  EXPECT_LE(p.world->ledger().imbalance(), 1e-12);
}

TEST(Friction, BetweenBodiesOfOneIslandItSticksToRoundingAndLosesOnly) {
  // Two masses rub, one of them also hits a wall and hangs on a spring: one island of three ports.
  const auto p = play(
      "rate_hz = 48000\nduration_s = 1\n[[mass]]\nname = \"a\"\nmass_kg = 0.05\nposition_m = 0.01\n"
      "[[mass]]\nname = \"b\"\nmass_kg = 0.02\n"
      "[[connection]]\nbodies = [\"a\", \"wall\"]\nstiffness_N_m = 3000\n"
      "[[contact]]\nbodies = [\"wall\", \"a\"]\nheight_m = -0.006\nlaw = { type = \"power\", stiffness = 1e7, exponent "
      "= 1.5 }\nscheme = \"two-point\"\n"
      "[[friction]]\nname = \"rub\"\nbodies = [\"a\", \"b\"]\ncoefficient = 1\nnormal_N = 1.2\n");
  EXPECT_LE(p.world->ledger().imbalance(), 1e-11);
  EXPECT_LE(test::worst_account(*p.world), 1e-11);
  const auto &va = p.channels.of("a.velocity_m_s"), &vb = p.channels.of("b.velocity_m_s"),
             &lost = p.channels.of("ledger.dissipated_J");
  long stuck = 0;
  for (std::size_t n = 1; n < va.size(); ++n) {
    ASSERT_GE(lost[n], lost[n - 1] - 1e-16) << n;
    if (std::abs(va[n] - vb[n]) < 1e-12) ++stuck;
  }
  EXPECT_GT(stuck, 1000);               // they swing together in the end
  EXPECT_LT(stuck, 47000);              // and not at the start
  EXPECT_GT(lost.back(), 0.01 * 0.15);  // of the 0.15 J in the spring
}

}  // namespace
}  // namespace jawari
