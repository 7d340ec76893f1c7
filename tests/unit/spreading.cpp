// SPDX-License-Identifier: MIT
// Places between the nodes of a grid at the nearest node, DB19 (40).
#include <gtest/gtest.h>

#include <cmath>

#include "jawari/body/string_grid.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/run.h"
#include "jawari/io/scene_file.h"

namespace jawari {
namespace {

const StringData string{.length_m = 1, .tension_N = 100, .density_kg_m = 5e-3, .bending_N_m2 = 1e-3};
constexpr double dt = 1 / 44100.0;

TEST(NearestNode, IsReadAndPushedAlone) {
  const GridOptions choice{.intervals = 50, .nearest = true};
  for (const auto& [x, node] : {std::pair{0.309, 14}, {0.311, 15}, {0.30, 14}, {0.001, 0}, {0.9999, 48}}) {
    const StringTap taps[] = {{StringTap::point, x}};
    StringGrid grid(string, choice, dt, taps);
    const std::size_t tap = grid.nodes();
    const auto at = grid.at(tap);
    EXPECT_EQ(at.count, 1u) << x;
    EXPECT_EQ(at.first, static_cast<std::size_t>(node)) << x;
    EXPECT_EQ(at.weight[0], 1) << x;
    EXPECT_EQ(grid.receptance(tap, tap),
              grid.receptance(static_cast<std::size_t>(node), static_cast<std::size_t>(node)));
  }
}

/// A scene with a force and a pickup between nodes sounds as one with both on the nodes next to them.
TEST(NearestNode, SceneEqualsOneWithItsPlacesOnNodes) {
  const auto play = [](const std::string& key, double force_m, double pickup_m) {
    const std::string text =
        "duration_s = 0.01\n[[string]]\nname = \"s\"\nlength_m = 1\ntension_N = 100\ndensity_kg_m = 5e-3\n"
        "bending_N_m2 = 1e-3\nmethod = \"grid\"\nintervals = 50\n" +
        key + "[[excitation]]\nbody = \"s\"\nposition_m = " + std::to_string(force_m) +
        "\ntype = \"pulse\"\namplitude_N = 1\nduration_s = 1e-3\n[[pickup]]\nof = \"s\"\n"
        "quantity = \"displacement\"\nposition_m = " +
        std::to_string(pickup_m) + "\n";
    const SceneFile file = parse_scene(text, "scene.toml");
    const auto system = compile(file);
    return run(*system, 441).sound;
  };
  const auto between = play("spreading = \"nearest\"\n", 0.307, 0.771), on = play("", 0.30, 0.78),
             cubic = play("spreading = \"cubic\"\n", 0.307, 0.771);
  EXPECT_EQ(between, on);
  double most = 0, off = 0;
  for (std::size_t n = 0; n < on.size(); ++n) {
    most = std::fmax(most, std::abs(on[n]));
    off = std::fmax(off, std::abs(on[n] - cubic[n]));
  }
  EXPECT_GT(most, 1e-5);
  EXPECT_GT(off, 1e-3 * most) << "the cubic is another place";
}

}  // namespace
}  // namespace jawari
