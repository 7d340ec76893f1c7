// SPDX-License-Identifier: MIT
// A scene that would need too much memory or time is refused before it starts, with the number; and refusing is quick.
#include <gtest/gtest.h>

#include "jawari/engine/engine.h"
#include "jawari/engine/run.h"
#include "jawari/io/scene_file.h"
#include "support/effort.h"

namespace jawari {
namespace {

const std::string law = "law = { type = \"power\", stiffness = 1e6, exponent = 1.3 }\n";
const std::string big_string =
    "[[string]]\nname = \"s\"\nlength_m = 1.0\nfrequency_hz = 100.0\ndensity_kg_m = 0.01\nmethod = \"modes\"\nmodes = "
    "100000\n";
const std::string big_drum =
    "[[membrane]]\nname = \"d\"\nwidth_m = 1.0\nheight_m = 1.0\nfrequency_hz = 50.0\ndensity_kg_m2 = 0.3\nmodes = "
    "20000\n";

/// Compiling must be refused, with these words, at once: what is refused here would take hours.
void expect_refused(const std::string& text, const std::string& words) {
  const double start = thread_cpu_s();
  try {
    compile(parse_scene(text, "scene"));
    ADD_FAILURE() << "accepted: " << text.substr(0, 200);
  } catch (const InputError& r) {
    EXPECT_NE(std::string(r.what()).find(words), std::string::npos) << std::string(r.what()).substr(0, 400);
  }
  EXPECT_LT(thread_cpu_s() - start, test::bound_s(2)) << text.substr(0, 200);
}

TEST(Limits, OfMemoryAreToldBeforeItIsTaken) {
  const std::string fast = "rate_hz = 1e8\nduration_s = 1.0\n";
  expect_refused(fast + big_string + "[[barrier]]\nstring = \"s\"\nshape = \"flat\"\npoints = 99999\n" + law, "MB");
  expect_refused("duration_s = 1.0\n" + big_drum +
                     "[[mass]]\nname = \"m\"\nmass_kg = 1.0\n[[contact]]\nbodies = [\"m\", \"d\"]\n"
                     "line = { points = 10000, upper_from = [0.1, 0.1], upper_to = [0.9, 0.9] }\n" +
                     law,
                 "MB");
  expect_refused(
      "duration_s = 1.0\n" + big_drum +
          "[[snare]]\nname = \"w\"\ntarget = \"d\"\nwires = 100\npoints = 1000\nlength_m = 0.9\ntension_N = 5.0\n"
          "density_kg_m = 1e-3\n" +
          law,
      "MB");
  expect_refused(fast +
                     "[[mass]]\nname = \"m\"\nmass_kg = 1.0\n[[excitation]]\nbody = \"m\"\ntype = "
                     "\"pulse\"\nduration_s = 86400.0\n",
                 "MB");
  std::string many = fast;
  for (int i = 0; i < 60; ++i) {
    std::string one = big_string;
    many += one.replace(one.find("\"s\""), 3, "\"s" + std::to_string(i) + "\"");
  }
  expect_refused(many, "MB");
}

TEST(Limits, OfTimeAreToldBeforeItIsSpent) {
  const std::string string =
      "rate_hz = 1e7\nduration_s = 1.0\n" + big_string.substr(0, big_string.find("modes = 1")) + "modes = 30000\n";
  expect_refused(string + "[[barrier]]\nstring = \"s\"\nshape = \"flat\"\npoints = 2500\n" + law, "s are allowed");
}

TEST(Limits, CanBeSet) {
  const std::string text =
      "duration_s = 1.0\n[[string]]\nname = \"s\"\nlength_m = 1.0\nfrequency_hz = 100.0\nradius_m = 0.0004\nmethod = "
      "\"modes\"\n";
  Scene scene = parse_scene(text, "scene").scene;
  EXPECT_NO_THROW(compile(scene));
  scene.limits.memory_MB = 0.1;
  EXPECT_THROW(compile(scene), InputError);
}

TEST(Limits, NumbersThatCannotBeComputedWithAreRefused) {
  const std::string head = "duration_s = 1.0\n";
  expect_refused(head + "[[string]]\nname = \"s\"\nlength_m = 1.0\ntension_N = 100.0\nradius_m = 1e-200\n",
                 "cannot be computed with");
  expect_refused(head +
                     "[[membrane]]\nname = \"d\"\nwidth_m = 1e-200\nheight_m = 1e-200\nfrequency_hz = "
                     "1e-300\ndensity_kg_m2 = 1e-300\n",
                 "too small");
  expect_refused(head +
                     "[[bar]]\nname = \"b\"\nlength_m = 1.0\nwidth_m = 1e-200\nthickness_m = 1e-200\ndensity_kg_m3 = "
                     "1000.0\nyoung_Pa = 1e9\n",
                 "too small");
  for (const char* size :
       {"radius_m = 0.41", "width_m = 0.3\nheight_m = 0.2"})  // its stiffness, the cube, is no number
    expect_refused(head + "[[plate]]\nname = \"p\"\n" + size + "\nthickness_m = 9.7e-111\nmodes = 19\n", "too thin");
  expect_refused(head +
                     "[[string]]\nname = \"s\"\nlength_m = 0.01\ntension_N = 1e-9\ndensity_kg_m = 0.001\nbending_N_m2 "
                     "= 1e-3\nhighest_hz = 1e6\n",
                 "bending");
}

TEST(Limits, HoldForFilesAndWords) {
  const std::string head = "duration_s = 1.0\n[[mass]]\nname = \"m\"\nmass_kg = 1.0\n";
  for (const auto* device : {"/dev/zero", "/dev/random", "/dev"})
    expect_refused(head + "[[excitation]]\nbody = \"m\"\ntype = \"file\"\nfile = \"" + device + "\"\n",
                   "not a plain file");
  const std::string name(400000, 'x');
  expect_refused(
      "duration_s = 1.0\n[[mass]]\nname = \"" + name + "\"\nmass_kg = 1.0\n[[excitation]]\nbody = \"" + name + "y\"\n",
      "no such body");
}

TEST(Limits, AFewModesOfALargeBodyAreListedWithoutTheRest) {
  Scene scene =
      parse_scene(
          "duration_s = 1.0\nrate_hz = 192000.0\n[[membrane]]\nname = \"d\"\nradius_m = 0.3\nfrequency_hz = 60.0\n"
          "density_kg_m2 = 0.3\nmodes = 50\n",
          "scene")
          .scene;
  const double start = thread_cpu_s();
  const ModeTable few = mode_table(scene.membranes[0], 192000);
  EXPECT_LT(thread_cpu_s() - start, test::bound_s(1));
  scene.membranes[0].modes = 0;
  const ModeTable all = mode_table(scene.membranes[0], 6000);  // an independent listing: all below a lower limit
  ASSERT_EQ(few.modes.size(), 50u);
  ASSERT_GT(all.modes.size(), 50u);
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(few.modes[i].omega_rad_s, all.modes[i].omega_rad_s);
}

}  // namespace
}  // namespace jawari
