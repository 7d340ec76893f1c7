// SPDX-License-Identifier: MIT
// D17's check of the time step for real roots.
#include "jawari/impact/real_roots.h"

#include <gtest/gtest.h>

#include <cmath>

#include "jawari/engine/compile.h"
#include "jawari/engine/roots.h"

namespace jawari {
namespace {

Scene thrown(const SchemeSpec& scheme, double rate_hz = 44100) {
  Scene s;
  s.rate_hz = rate_hz;
  s.duration_s = 0.1;
  s.masses = {{.name = "ball", .mass_kg = 1, .position_m = -0.5, .velocity_m_s = 20}};
  s.contacts = {{.bodies = {"ball", "wall"},
                 .height_m = 0.1,
                 .law = {"power", {{"stiffness", 5e9}, {"exponent", 1.3}}},
                 .scheme = scheme}};
  return s;
}
RootCheck checked(const Scene& s) {
  const auto system = compile(s);
  const auto list = check_roots(s, *system);
  return list.size() == 1 ? list[0] : RootCheck{"", "", std::nan("")};
}

/// (T7): kappa (1 - s)(1 + s kappa) <= 1.
TEST(RealRoots, ExponentOneHasTheLimitOfTheFirstStepInside) {
  for (const double s : {0.5, 0.75, 0.9}) {
    const double a = s * (1 - s), exact = (-(1 - s) + std::sqrt((1 - s) * (1 - s) + 4 * a)) / (2 * a);
    EXPECT_NEAR(largest_real_kappa(1, s) / exact, 1, 1e-5) << s;
  }
  EXPECT_NEAR(largest_real_kappa(1, 0.5), std::sqrt(5.0) - 1, 1e-5);
}
TEST(RealRoots, TheSafeWeightIsRealAtEveryTimeStep) {
  for (const double exponent : {1.0, 1.3, 2.0, 4.0, 8.0})
    for (double kappa = 1e-4; kappa < 1e9; kappa *= 7)
      EXPECT_EQ(complex_share(exponent, kappa, safe_weight(exponent), 64), 0) << exponent << " " << kappa;
}
/// D17 Fig. 4: 8.5 % and 2 % of the phases, as simulated with taylor-strict (experiment d17-fig4).
TEST(RealRoots, SharesAreThoseOfTheScheme) {
  const auto kappa = [](double rate_hz) { return taylor_stiffness(5e9, 1.3, 1, 20, 1 / rate_hz); };
  EXPECT_NEAR(complex_share(1.3, kappa(44100), 0.5, 1000), 0.085, 0.006);
  EXPECT_NEAR(complex_share(1.3, kappa(88200), 0.5, 1000), 0.02, 0.006);
  EXPECT_NEAR(complex_share(1.3, kappa(44100), 1, 1000), 0, 0);
}
TEST(RealRoots, CheckSaysWhichContactsMayMeetAComplexRoot) {
  const RootCheck strict = checked(thrown({"taylor-strict", {{"s", 0.5}}}));
  EXPECT_TRUE(strict.ends);
  EXPECT_NEAR(strict.share, 0.085, 0.01);
  EXPECT_EQ(strict.contact, "ball-wall");
  EXPECT_NE(strict.sentence.find("the run would end there"), std::string::npos) << strict.sentence;
  EXPECT_NE(strict.sentence.find("never complex with s = 1.13"), std::string::npos) << strict.sentence;
  const RootCheck raised = checked(thrown({"taylor", {}}));
  EXPECT_FALSE(raised.ends);
  EXPECT_NEAR(raised.share, 0.085, 0.01);
  const RootCheck star = checked(thrown({"taylor-star", {}}));
  EXPECT_EQ(star.share, 0);
  EXPECT_NE(star.sentence.find("real at every time step"), std::string::npos) << star.sentence;
  Scene other = thrown({"two-point", {}});
  EXPECT_TRUE(check_roots(other, *compile(other)).empty());
}

}  // namespace
}  // namespace jawari
