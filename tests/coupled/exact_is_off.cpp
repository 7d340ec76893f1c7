// SPDX-License-Identifier: MIT
// Kernels "exact" give the samples of the reference path, bit for bit, for every number of modes and every size of a
// grid.
#include <array>
#include <string>

#include "coupled/support.h"
#include "support/effort.h"

namespace jawari {
namespace {

using test::scene_of;

struct Tracks {
  std::vector<std::vector<double>> samples;
  std::size_t kernels = 0;
};
Tracks played(const Scene& scene, Kernels kernels) {
  const auto world = compile_world(scene, kernels);
  const std::int64_t steps = step_count(scene);
  Tracks t{{world->pickup_count(), std::vector<double>(static_cast<std::size_t>(steps))}, world->kernel_bodies()};
  for (std::int64_t n = 0; n < steps;) {
    const std::int64_t block = std::min<std::int64_t>(steps - n, 64);
    std::vector<double*> to;
    for (auto& track : t.samples) to.push_back(track.data() + n);
    if (world->play(block, to.data()) != block) {
      ADD_FAILURE() << "stopped near step " << n << ": " << scene.title;
      break;
    }
    n += block;
  }
  return t;
}
/// The same but for the sign of zero; NaN is never the same.  Says how many kernels played.
std::size_t expect_same(const Scene& scene, const std::string& what) {
  const Tracks off = played(scene, Kernels::off), exact = played(scene, Kernels::exact);
  bool moved = false;
  for (std::size_t i = 0; i < off.samples.size(); ++i)
    for (std::size_t n = 0; n < off.samples[i].size(); ++n) {
      moved |= off.samples[i][n] != 0;
      if (!(off.samples[i][n] == exact.samples[i][n])) {
        ADD_FAILURE() << what << ": track " << i << " differs from sample " << n << " on";
        return exact.kernels;
      }
    }
  EXPECT_TRUE(moved) << what << ": nothing moves";
  return exact.kernels;
}

const std::string head = "rate_hz = 48000\nduration_s = 0.0022\n";
std::string string_over_barrier(const std::string& lines, double tilt, const std::string& start) {
  return head + "[[string]]\nname = \"s\"\nlength_m = 0.5\nfrequency_hz = 150\nradius_m = 3e-4\nyoung_Pa = 0\n" +
         lines + "start = { shape = \"" + start + "\", position_m = 0.13, height_m = 2e-3" +
         (start == "bump" ? ", width_m = 0.2" : "") +
         " }\n[[barrier]]\nname = \"b\"\nstring = \"s\"\nshape = \"polynomial\"\ncoefficients = [-1e-5, " +
         std::to_string(tilt) +
         "]\nlaw = { type = \"hunt-crossley\", stiffness_per_m = 2e9, exponent = 1.7, mu = 0.3 }\n"
         "[[pickup]]\nof = \"s\"\nposition_m = 0.1234\nquantity = \"velocity\"\n[[pickup]]\nof = \"b\"\nquantity = "
         "\"force\"\n"
         "[[pickup]]\nof = \"s\"\nquantity = \"bridge-force\"\n";
}

TEST(ExactIsOff, ModesWithABarrierAllAlong) {
  std::size_t kernels = 0;
  const int most = test::sanitized ? 30 : 140;
  for (int modes = 3; modes <= most; ++modes) {  // fewer are refused
    const auto what = std::to_string(modes) + " modes";
    const std::string lines = "method = \"modes\"\nstepping = \"constant\"\nmodes = " + std::to_string(modes) + "\n";
    Scene scene = scene_of(string_over_barrier(lines, 3e-4, "pluck"));
    scene.barriers[0].scheme = LawSpec{"two-point"};
    kernels += expect_same(scene, what);
  }
  EXPECT_GT(kernels, static_cast<std::size_t>(most) * 9 / 10);
}

TEST(ExactIsOff, TwentyTwoModes) {
  Scene scene = read_scene(JAWARI_SOURCE_DIR "/tests/cases/13-modes-exact-is-not-off.toml").scene;
  scene.duration_s = 0.02;
  expect_same(scene, "22 modes");
  scene.barriers[0].scheme = LawSpec{"two-point"};
  expect_same(scene, "22 modes, two-point");
}

TEST(ExactIsOff, ModesOfEverySteppingAndScheme) {
  for (const char* stepping : {"exact", "constant", "leapfrog", "midpoint"})
    for (const char* scheme : {"landing-two-point", "two-point", "secant-1", "bounded", "quadratised"})
      for (const int modes : {3, 4, 7, 11, 15, 16, 22}) {
        const auto what = std::to_string(modes) + " modes, " + stepping + ", " + scheme;
        Scene scene = scene_of(string_over_barrier(
            "method = \"modes\"\nstepping = \"" + std::string(stepping) + "\"\nmodes = " + std::to_string(modes) + "\n",
            3e-4, "pluck"));
        scene.barriers[0].scheme = LawSpec{scheme};
        expect_same(scene, what);
      }
}

/// Every operator, bent and lossy or not, barriers along all of the string and along a part.
TEST(ExactIsOff, StringsOfFewIntervals) {
  std::size_t kernels = 0;
  int turn = 0;
  for (const char* lines : {"", "loss = \"centred\"\n", "operator = \"gamma\"\ngamma = 0.3\n",
                            "operator = \"optimal\"\n", "operator = \"unconditional\"\n"})
    for (int intervals = 3; intervals <= (test::sanitized ? 12 : 40); ++intervals)
      for (const double bending : {0.0, 1e-3}) {
        const char* scheme =
            std::array{"two-point", "secant-2", "quadratised", "bounded"}[static_cast<std::size_t>(turn++ % 4)];
        const auto what =
            std::to_string(intervals) + " intervals, bending " + std::to_string(bending) + ", " + scheme + ", " + lines;
        Scene scene;
        try {
          scene = scene_of(string_over_barrier(std::string(lines) + "intervals = " + std::to_string(intervals) + "\n",
                                               3e-4, "pluck"));
          scene.strings[0].bending_N_m2 = bending;
          scene.strings[0].sigma0_1_s = 2;
          scene.strings[0].sigma1_m2_s = turn % 3 == 0 ? 1e-3 : 0;
          scene.barriers[0].scheme = LawSpec{scheme};
          if (turn % 5 < 2) scene.barriers[0].to_m = 0.2;
          if (turn % 7 < 2) scene.barriers[0].from_m = 0.17;  // one point or two
          compile_world(scene);
        } catch (const InputError&) {
          continue;
        }
        kernels += expect_same(scene, what);
      }
  EXPECT_GT(kernels, test::sanitized ? 20u : 200u);
}

}  // namespace
}  // namespace jawari
