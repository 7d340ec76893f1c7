// SPDX-License-Identifier: MIT
#include "jawari/engine/capacity.h"

#include <algorithm>

#include "jawari/core/param.h"
#include "jawari/engine/part_shares.h"
#include "jawari/io/scene_file.h"
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

/// Strings of a scene that are plucked one after another and fade within a fifth of a second.
Scene one_after_another(int strings, const std::string& more = "") {
  std::string text = "rate_hz = 44100\nduration_s = 1\n";
  for (int i = 0; i < strings; ++i)
    text += "[[string]]\nname = \"s" + std::to_string(i) +
            "\"\nlength_m = 0.65\nfrequency_hz = 220\nradius_m = 3e-4\nsigma0_1_s = 60\n" + more +
            "[[barrier]]\nstring = \"s" + std::to_string(i) +
            "\"\nshape = \"flat\"\nheight_m = -0.5\nlaw = { type = \"power\", stiffness_per_m = 1e9, exponent = 1.3 }\n"
            "scheme = \"two-point\"\n[[excitation]]\nbody = \"s" +
            std::to_string(i) +
            "\"\nposition_m = 0.2\ntype = \"pulse\"\namplitude_N = 1\nduration_s = 2e-3\nstart_s = " +
            std::to_string(0.1 + 0.05 * i + (i == 0 ? 0.5 : 0)) + "\n";
  return parse_scene(text, "test").scene;
}

TEST(Capacity, TheBusiestStretchIsWhereMostPartsSound) {
  // The first string sounds from 0.6 s on, the others from 0.15 and 0.2 s on.
  const Scene scene = one_after_another(3);
  const double from_s = busiest_s(scene, 0.1);
  EXPECT_GT(from_s, 0.1);
  EXPECT_LT(from_s, 0.2);
  EXPECT_EQ(busiest_s(scene, 10), 0) << "longer than the scene";
  EXPECT_EQ(busiest_s(scene, 0.1, Kernels::exact, [](double) { return false; }), 0);
}

double share_of(const PartShares& shares, const std::string& name) {
  double ns = 0;
  for (const PartShare& p : shares.parts)
    if (p.name.starts_with(name)) ns += p.ns_per_step;
  return ns;
}

TEST(Capacity, SharesBeginWhereTheyAreAskedTo) {
  const Scene scene = one_after_another(2);
  const PartShares early = part_shares(scene, 0.05, Kernels::exact, {}, 0.03);
  EXPECT_EQ(share_of(early, "s0"), 0) << "it sleeps";
  EXPECT_EQ(share_of(early, "s1"), 0) << "it sleeps";
  const PartShares later = part_shares(scene, 0.05, Kernels::exact, {}, 0.62);
  EXPECT_GT(share_of(later, "s0"), 0);
}

TEST(Capacity, StringsThatShareAKernelShareItsTime) {
  const Scene scene = one_after_another(4, "method = \"grid\"\noperator = \"optimal\"\n");
  const PartShares shares = part_shares(scene, 0.1, Kernels::exact, {}, 0.16);
  ASSERT_GE(shares.parts.size(), 4u);
  EXPECT_GT(share_of(shares, "s1"), 0);
  EXPECT_GT(share_of(shares, "s2"), 0);
  EXPECT_EQ(share_of(shares, "s0"), 0) << "it sleeps";
  // The third begins later than the second and takes no part before.
  EXPECT_GE(share_of(shares, "s1"), share_of(shares, "s2"));
}

}  // namespace
}  // namespace jawari
