// SPDX-License-Identifier: MIT
#include "jawari/engine/capacity.h"

#include "jawari/core/param.h"
#include "support/golden.h"

namespace jawari {
namespace {

Scene buzzing() {
  Scene s;
  StringSpec string{.name = "string", .length_m = 0.65, .tension_N = 60};
  string.density_kg_m = 2e-3;
  BarrierSpec barrier{.string = "string"};
  barrier.shape = BarrierShape::polynomial;
  barrier.coefficients = {-1e-3};
  barrier.law = {"power", {{"stiffness", 1e9}, {"exponent", 1.3}}};
  s.strings = {string};
  s.barriers = {barrier};
  return s;
}

TEST(Capacity, FinerTimeStepsPlayLess) {
  Scene s = buzzing();
  const auto base = capacity(s, {"bounded", "two-point"}, 0.05);
  s.rate_hz *= 4;
  const auto fine = capacity(s, {"bounded", "two-point"}, 0.05);
  ASSERT_EQ(base.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(base[i].failure.empty()) << base[i].failure;
    EXPECT_GT(base[i].real_time, 0);
    EXPECT_TRUE(test::close(base[i].real_time * base[i].ns_per_step, 1e9 / buzzing().rate_hz, 1e-12));
    EXPECT_GT(base[i].real_time, 2 * fine[i].real_time) << "four times the steps, four times the nodes";
  }
}

TEST(Capacity, CountsEveryTimeStepOfASample) {
  Scene s = buzzing();
  s.oversample = 4;
  const auto all = capacity(s, {"bounded"}, 0.05);
  EXPECT_TRUE(test::close(all[0].real_time * all[0].ns_per_step, 1e9 / (4 * s.rate_hz), 1e-12));
  EXPECT_LE(all[0].at_worst, all[0].real_time);
  EXPECT_GT(all[0].at_worst, 0);
}

TEST(Capacity, ChangesTheSchemeOfGesturesToo) {
  Scene s = buzzing();
  s.barriers.clear();
  HammerSpec hammer;
  hammer.name = "h";
  hammer.target = "string";
  hammer.at.x_m = 0.1;
  hammer.mass_kg = 0.004;
  hammer.velocity_m_s = 2;
  hammer.law = {"power", {{"stiffness", 1e7}, {"exponent", 2.3}}};
  s.hammers = {hammer};
  ASSERT_EQ(laws_of(s).size(), 1u);
  const auto all = capacity(s, {"bounded", "cubic"}, 0.01);
  EXPECT_TRUE(all[0].failure.empty()) << all[0].failure;
  EXPECT_NE(all[1].failure.find("cubic"), std::string::npos) << "the hammer kept its own scheme";
}

TEST(Capacity, SaysWhatDoesNotFitAndStopsWhenTold) {
  const auto all = capacity(buzzing(), {"bounded", "cubic"}, 0.01);
  EXPECT_TRUE(all[0].failure.empty());
  EXPECT_NE(all[1].failure.find("cubic"), std::string::npos) << all[1].failure;
  EXPECT_EQ(all[1].real_time, 0);
  EXPECT_EQ(capacity(buzzing(), {"bounded"}, 0.01, [](double) { return false; })[0].real_time, 0);
  Scene broken = buzzing();
  broken.rate_hz = -1;
  EXPECT_THROW(capacity(broken, {"bounded"}, 0.01), InputError);
}

}  // namespace
}  // namespace jawari
