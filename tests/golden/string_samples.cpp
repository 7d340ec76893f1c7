// SPDX-License-Identifier: MIT
// Displacements of strings against barriers, sample by sample: B14 with every operator, DB19 on the grid and in modes.
// Values of string_golden.json, tolerances as stored there.
#include "support/golden.h"
#include "support/string_rig.h"

namespace jawari {
namespace {

using namespace test;

const nlohmann::json& samples() {
  static const auto all = golden("string_golden.json").at("samples");
  return all;
}

/// Steps through the samples of one key; the state after construction is that of n = first.
void expect_samples(StringRig& rig, const std::string& key, long first) {
  const auto& entry = samples().at(key);
  ASSERT_GE(entry.at("samples").size(), 5u);
  for (const auto& sample : entry.at("samples")) {
    while (rig.world->steps() + first < sample.at("n").get<long>()) rig.world->step();
    EXPECT_TRUE(close(rig.out(), sample.at("u"), 0, sample.at("tol"))) << key << ", n = " << sample.at("n");
  }
  EXPECT_FALSE(rig.world->failed());
}

void expect_b14(const std::string& key, const std::string& scheme) {
  const auto& e = samples().at(key);
  StringProblem p{.string = b14_string(1e-4)};
  p.string.sigma0_1_s = e.at("s0");
  p.string.sigma1_m2_s = e.at("s1");
  p.string.stretching_N = e.at("EA");
  if (e.at("op") == "unc")
    p.grid.op = GridOperator::unconditional;
  else if (e.at("gamma") != 0.0)
    p.grid.op = GridOperator::optimal;
  const bool planned = p.grid.op != GridOperator::unconditional && p.string.stretching_N == 0;  // else N is the file's
  p.grid.centred_loss = true;
  p.grid.intervals = planned ? 0 : e.at("N").get<int>();
  p.law = {"power", {{"stiffness", e.at("K")}, {"exponent", e.at("alpha")}}};
  p.scheme = {scheme};
  p.barrier = b14_barrier;
  p.start = triangle;
  p.weight = e.at("h");
  p.out_m = e.at("h").get<double>() * e.at("out_node").get<double>();
  StringRig rig = make_rig(p);
  const auto& grid = static_cast<const StringGrid&>(*rig.body);
  EXPECT_EQ(grid.nodes() + 1, e.at("N").get<std::size_t>()) << key;
  if (p.grid.op == GridOperator::optimal) {
    EXPECT_TRUE(close(grid.gamma(), e.at("gamma"), 1e-12));
  }
  EXPECT_TRUE(close(rig.energy(), e.at("H0"), 1e-13)) << key;
  expect_samples(rig, key, 1);
}

TEST(StringGolden, B14StringsFollowEverySample) {
  expect_b14("b14 optimal newton K1e13", "three-point");
  expect_b14("b14 default scalar K1e13", "three-point");
  expect_b14("b14 unc newton K1e13", "three-point");
  expect_b14("b14 optimal newton K1e13 lossy", "three-point");
  expect_b14("b14 optimal newton K1e13 KC", "three-point");
  expect_b14("b14 default exact alpha1 K1e7", "three-point-linear");
  expect_b14("b14 default psi K1e9", "quadratised");
  expect_b14("b14 optimal psi K1e9 lossy", "quadratised");
}

TEST(StringGolden, Db19StringsFollowEverySample) {
  for (const int times : {1, 5})
    for (const bool along : {false, true})
      for (const std::string method : {"it", "psi", "mod", "modit"}) {
        const auto key = "db19 " + std::string(along ? "dist " : "point ") + std::to_string(times) + "x " + method;
        if (along && method == "modit") continue;  // not in the file
        const bool modal = method.starts_with("mod");
        StringProblem p =
            db19_problem(method == "it" || method == "modit" ? "three-point" : "quadratised", times, modal, along);
        const auto& e = samples().at(key);
        EXPECT_EQ(p.grid.intervals, e.at("N").get<int>());
        EXPECT_EQ(p.modes, e.at("P").get<std::size_t>());
        StringRig rig = make_rig(p);
        expect_samples(rig, key, 0);
        EXPECT_TRUE(close(rig.energy(), e.at("H_after_force"), 2e-12)) << key;
      }
}

}  // namespace
}  // namespace jawari
