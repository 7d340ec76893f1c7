// SPDX-License-Identifier: MIT
// The program that a warp of a GPU runs (src/warp), on emulated warps, against the reference path: the same samples,
// bit for bit, for every scheme and law that is served.
#include <gtest/gtest.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "device/emulated_warp.h"
#include "device/strings.h"
#include "engine/open_device.h"
#include "engine/pack_strings.h"
#include "jawari/body/string_grid.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/instance.h"
#include "warp/schemes.h"

namespace jawari {
namespace {

using namespace test;

std::string scheme_name(int scheme) {
  std::string name;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    ((scheme == static_cast<int>(i) ? void(name = warp::WarpScheme<static_cast<int>(i), double>::facts.name) : void()),
     ...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(warp::scheme_count)>());
  return name;
}

enum class On { emulated, cuda };
constexpr const char* on_names[] = {"Emulated", "Cuda"};

/// Without a device the runner is null, and the test is skipped.
CudaForTest runner_on(On where) {
  return where == On::emulated ? CudaForTest{emulated_runner(), "", false} : cuda_for_test();
}

class EveryScheme : public ::testing::TestWithParam<std::tuple<On, int>> {
 protected:
  void SetUp() override {
    CudaForTest found = runner_on(std::get<0>(GetParam()));
    ASSERT_FALSE(found.fails) << found.why;
    runner_ = std::move(found.runner);
    if (!runner_) GTEST_SKIP() << found.why;
    if (!runner_->serves(std::get<1>(GetParam()), warp::Precision::exact)) GTEST_SKIP() << "not built";
  }
  std::string scheme() const { return scheme_name(std::get<1>(GetParam())); }
  std::unique_ptr<warp::StringRunner> runner_;
};

/// The warp and the reference path play the same batch.
void expect_same_samples(warp::StringRunner& runner, const std::vector<Scene>& scenes, std::int64_t steps) {
  const PlayedStrings played = play_strings(runner, scenes, steps, warp::Precision::exact);
  const PlayedStrings sound_alone = play_strings(runner, scenes, steps, warp::Precision::exact, 0, false);
  ASSERT_EQ(played.sound.size(), scenes.size());
  EXPECT_EQ(sound_alone.sound, played.sound);
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const ReferenceRun reference = play_reference(scenes[i], steps);
    ASSERT_EQ(played.sound[i].size(), reference.sound.size());
    for (std::size_t p = 0; p < reference.sound.size(); ++p) {
      double largest = 0;
      for (std::size_t n = 0; n < static_cast<std::size_t>(steps); ++n) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(played.sound[i][p][n]),
                  std::bit_cast<std::uint64_t>(reference.sound[p][n]))
            << "string " << i << ", pickup " << p << ", step " << n << ": " << played.sound[i][p][n] << " instead of "
            << reference.sound[p][n];
        largest = std::max(largest, std::abs(reference.sound[p][n]));
      }
      EXPECT_GT(largest, 0) << "pickup " << p << " hears nothing";
    }
    EXPECT_NEAR(played.sums[i].lost_J, reference.lost_J, 1e-12 * std::abs(reference.lost_J) + 1e-30) << "string " << i;
    for (std::size_t line = 0; line < reference.lines.size(); ++line) {
      const warp::LineSums& a = played.sums[i].line[line];
      const warp::LineSums& b = reference.lines[line];
      EXPECT_GT(b.touching_steps, 50) << "string " << i << " hardly touches line " << line;
      EXPECT_EQ(a.touching_steps, b.touching_steps) << "string " << i << ", line " << line;
      EXPECT_EQ(a.impacts, b.impacts) << "string " << i << ", line " << line;
      EXPECT_EQ(a.largest_force_N, b.largest_force_N) << "string " << i << ", line " << line;
      EXPECT_NEAR(a.lost_J, b.lost_J, 1e-12 * std::abs(b.lost_J) + 1e-30) << "string " << i << ", line " << line;
    }
  }
}

TEST_P(EveryScheme, OfAPlainStringHasTheSamplesOfTheReferencePath) {
  std::vector<Scene> scenes;
  for (const double height_m : {1e-3, 2e-3, 0.5e-3}) scenes.push_back(curved_barrier(scheme(), height_m));
  expect_same_samples(*runner_, scenes, 600);
}

TEST_P(EveryScheme, WithLossesHasTheSamplesOfTheReferencePath) {
  std::vector<Scene> scenes;
  for (const double mu : {0.0, 0.5, 3.0}) {
    Scene s = curved_barrier(scheme(), 1.5e-3);
    s.strings[0].sigma0_1_s = 2;
    s.strings[0].sigma1_m2_s = 1e-3;
    s.barriers[0].law = {"hunt-crossley", {{"stiffness", 1e8}, {"exponent", 1.7}, {"mu", mu}}};
    scenes.push_back(s);
  }
  expect_same_samples(*runner_, scenes, 600);
}

TEST_P(EveryScheme, OfShortStringsHasTheSamplesOfTheReferencePath) {  // several in a warp, each with a law of its own
  for (const int intervals : {40, 57, 100}) {
    std::vector<Scene> scenes;
    for (int i = 0; i < 5; ++i) {
      Scene s = curved_barrier(scheme(), 1e-3 + 2e-4 * i);
      s.strings[0].intervals = intervals;
      s.barriers[0].law = {"power", {{"stiffness", 1e7 * (i + 1)}, {"exponent", 1.2 + 0.3 * i}}};
      s.barriers[0].from_m = 0.1 * i;
      scenes.push_back(s);
    }
    expect_same_samples(*runner_, scenes, 400);
  }
}

TEST_P(EveryScheme, BetweenTwoBarriersHasTheSamplesOfTheReferencePath) {  // one below, one above, on other nodes
  Scene s = curved_barrier(scheme(), 2e-3);
  s.barriers[0].to_m = 0.45;
  BarrierSpec above = s.barriers[0];
  above.name = "above";
  above.above = true;
  above.height_m = 3e-4;
  above.curvature_1_m = 0.01;
  above.from_m = 0.5;
  above.to_m = 1;
  above.law.values["stiffness"] = 3e8;
  s.barriers.push_back(above);
  s.pickups.push_back({"push", "above", Quantity::force});
  s.pickups.push_back({"under", "string-barrier", Quantity::force});
  expect_same_samples(*runner_, {s}, 600);
}

INSTANTIATE_TEST_SUITE_P(Warp, EveryScheme,
                         ::testing::Combine(::testing::Values(On::emulated, On::cuda),
                                            ::testing::Range(0, warp::scheme_count)),
                         [](const auto& test) {
                           std::string name = on_names[static_cast<int>(std::get<0>(test.param))];
                           for (const char c : scheme_name(std::get<1>(test.param)))
                             if (std::isalnum(static_cast<unsigned char>(c))) name += c;
                           return name;
                         });

class Device : public ::testing::TestWithParam<On> {
 protected:
  void SetUp() override {
    CudaForTest found = runner_on(GetParam());
    ASSERT_FALSE(found.fails) << found.why;
    runner_ = std::move(found.runner);
    if (!runner_) GTEST_SKIP() << found.why;
  }
  std::unique_ptr<warp::StringRunner> runner_;
};
INSTANTIATE_TEST_SUITE_P(Warp, Device, ::testing::Values(On::emulated, On::cuda),
                         [](const auto& test) { return on_names[static_cast<int>(test.param)]; });

TEST_P(Device, EveryQuantityHasTheSamplesOfTheReferencePath) {
  Scene s = curved_barrier("bounded", 1e-3);
  for (const Quantity q : {Quantity::displacement, Quantity::velocity, Quantity::acceleration})
    for (const double x : {0.001, 0.2113, 0.5, 0.999})
      s.pickups.push_back({std::to_string(s.pickups.size()), "string", q, x});
  s.pickups.push_back({"bridge", "string", Quantity::bridge_force});
  s.pickups.push_back({"nut", "string", Quantity::nut_force});
  expect_same_samples(*runner_, {s, s}, 300);
}

TEST_P(Device, SnapshotsAreTheStateOfTheReferencePath) {
  Scene s = curved_barrier("two-point", 1e-3);
  const PlayedStrings played = play_strings(*runner_, {s}, 500, warp::Precision::exact, 70);
  ASSERT_EQ(played.u[0].size(), 7u);
  for (std::size_t row = 0; row < 7; ++row) {
    const ReferenceRun reference = play_reference(s, static_cast<std::int64_t>(70 * (row + 1)));
    ASSERT_GE(played.u[0][row].size(), reference.nodes);
    for (std::size_t i = 0; i < reference.nodes; ++i)
      EXPECT_EQ(played.u[0][row][i], reference.u[i]) << row << ", " << i;
  }
}

TEST_P(Device, InFloat32StaysNearTheReferencePath) {
  Scene s = curved_barrier("bounded", 1e-3);
  const std::int64_t steps = 200;
  const PlayedStrings played = play_strings(*runner_, {s}, steps, warp::Precision::single);
  const ReferenceRun reference = play_reference(s, steps);
  double worst = 0, largest = 0;
  for (std::size_t n = 0; n < static_cast<std::size_t>(steps); ++n) {
    worst = std::max(worst, std::abs(played.sound[0][0][n] - reference.sound[0][n]));
    largest = std::max(largest, std::abs(reference.sound[0][n]));
  }
  EXPECT_LT(worst, 1e-2 * largest);
  EXPECT_GT(worst, 0);
}

TEST(PackedStrings, HaveSupportedEnds) {
  const auto model = compile_model(curved_barrier("bounded", 1e-3));
  EXPECT_EQ(pack_strings(*model, false).why, "");
  const auto& built = static_cast<const StringGrid&>(*model->start->bodies[0].body);
  const StringData data{1, 500, 6e-3};
  for (const bool left : {false, true}) {
    auto instance = std::make_shared<Instance>(*model->start);
    GridOptions choice;
    (left ? choice.left : choice.right) = StringEnd::clamped();
    instance->bodies[0].body = std::make_unique<StringGrid>(data, choice, built.dt_s());
    Model other = *model;
    other.start = instance;
    EXPECT_EQ(pack_strings(other, false).why, "an end of \"string\" is clamped, but only supported ends are served");
  }
}

}  // namespace
}  // namespace jawari
