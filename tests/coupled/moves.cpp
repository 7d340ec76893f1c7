// SPDX-License-Identifier: MIT
// What moves along a string while it sounds: threads, bridges, plectra, pickups, fingers that slide.  The hand does the
// work of its force and no more, accounts stay closed, nothing clicks, and the pitch is that of the place.
#include <fmt/format.h>

#include "jawari/engine/engine.h"
#include "support.h"

namespace jawari {
namespace {

const std::vector<std::string> methods = {"method = \"grid\"",
                                          "method = \"grid\"\noperator = \"optimal\"",
                                          "method = \"grid\"\noperator = \"unconditional\"\nintervals = 120",
                                          "method = \"modes\"\nmodes = 60",
                                          "method = \"modes\"\nmodes = 60\nstepping = \"exact\"",
                                          "method = \"modes\"\nmodes = 40\ntension_modulation = true",
                                          "method = \"grid\"\noperator = \"optimal\"\ntension_modulation = true"};

std::string string_of(const std::string& method, bool loss = true) {
  return "rate_hz = 44100\nduration_s = 0.4\n[[string]]\nname = \"s\"\nlength_m = 0.65\nfrequency_hz = 110.0\n"
         "radius_m = 0.0004\nstart = { shape = \"pluck\", position_m = 0.3, height_m = 0.001 }\n" +
         std::string(loss ? "decay_s = [8.0, 2.0]\ndecay_hz = [110.0, 2000.0]\n" : "") + method + "\n";
}
const std::string thread =
    "[[thread]]\nname = \"t\"\nstring = \"s\"\nposition_m = 0.05\nheight_m = 1e-5\n"
    "law = { type = \"power\", stiffness = 1e6, exponent = 1.5 }\n";
std::string set(const std::string& target, const std::string& parameter, double time_s, double value, double over_s) {
  return fmt::format(
      "[[event]]\ndo = \"set\"\ntarget = \"{}\"\nparameter = \"{}\"\ntime_s = {}\nvalue = {}\nduration_s = {}\n",
      target, parameter, time_s, value, over_s);
}
const std::string thread_moves = set("t", "position_m", 0.05, 0.12, 0.1) + set("t", "position_m", 0.2, 0.02, 0.02) +
                                 set("t", "height_m", 0.21, 3e-5, 0.05) + set("t", "position_m", 0.3, 0.06, 0);

TEST(Moves, OfAThreadKeepAccountsClosed) {
  for (const auto& method : methods) {
    SCOPED_TRACE(method);
    const auto p = test::play(string_of(method) + thread + thread_moves);
    EXPECT_LE(p.world->ledger().imbalance(), 1e-11);
    EXPECT_LE(test::worst_account(*p.world), 1e-11);
    EXPECT_NE(p.world->ledger().injected_J, 0);
    EXPECT_EQ(p.world->parameter(p.world->model().find_parameter("t.position_m")), 0.06);
  }
}

TEST(Moves, OfABridgeAndItsPointsKeepAccountsClosed) {
  const std::string law = "law = { type = \"power\", stiffness_per_m = 1e8, exponent = 1.5 }\n";
  const std::string bridge =
      "[[barrier]]\nname = \"b\"\nstring = \"s\"\nshape = \"parabola\"\ncentre_m = 0.02\nheight_m = 1e-5\n"
      "curvature_1_m = 0.4\nto_m = 0.06\n" +
      law;
  const std::string points =
      "[[barrier]]\nname = \"b\"\nstring = \"s\"\nshape = \"points\"\npositions_m = [0.02, 0.05, 0.09]\nheight_m = "
      "1e-5\n"
      "law = { type = \"power\", stiffness = 1e6, exponent = 1.5 }\n";
  for (const auto& method : methods)
    for (const auto& barrier : {bridge, points}) {
      SCOPED_TRACE(method + barrier);
      const auto p = test::play(string_of(method) + barrier + set("b", "shift_m", 0.05, 0.015, 0.1) +
                                set("b", "shift_m", 0.2, -0.01, 0.03) + set("b", "height_m", 0.21, 2e-5, 0.1));
      EXPECT_LE(p.world->ledger().imbalance(), 1e-11);
      EXPECT_LE(test::worst_account(*p.world), 1e-11);
      EXPECT_NE(p.world->ledger().injected_J, 0);
    }
}

/// Steps a world, and reads force, place and shape.
class Steps {
 public:
  explicit Steps(const std::string& text)
      : world_(compile_world(test::scene_of(text))), row_(world_->channels().size()) {
    u_.resize(world_->shapes()[0].x_m.size());
    position_ = world_->model().find_parameter("t.position_m");
  }
  World& world() { return *world_; }
  double position() const { return world_->parameter(position_); }
  double force() {
    world_->read(row_);
    for (std::size_t i = 0; i < row_.size(); ++i)
      if (world_->channels()[i] == "t.force_N") return row_[i];
    ADD_FAILURE();
    return 0;
  }
  /// Of the drawn shape.  A cubic through nodes is at most 4/3 as steep as the chords between them.
  double steepest() {
    world_->read_shape(0, u_);
    double most = 0;
    const auto& x = world_->shapes()[0].x_m;
    for (std::size_t i = 1; i < u_.size(); ++i)
      most = std::max(most, std::abs((u_[i] - u_[i - 1]) / (x[i] - x[i - 1])));
    return 4.0 / 3 * most;
  }

 private:
  std::unique_ptr<World> world_;
  std::vector<double> row_, u_;
  std::size_t position_;
};

/// The hand pushes the contact along the string: force times slope times way, in every single step.
TEST(Moves, DoTheWorkOfTheHandAndNoMore) {
  for (const auto& method : {methods[0], methods[1], methods[3]}) {
    SCOPED_TRACE(method);
    Steps s(string_of(method, false) + thread + set("t", "position_m", 0.01, 0.12, 0.1) +
            set("t", "position_m", 0.12, 0.03, 0.01));
    double before = s.position(), steep = s.steepest(), last_way = 0, sum = 0;
    for (int n = 0; n < 8000; ++n) {
      const double injected = s.world().ledger().injected_J;
      s.world().step();
      const double now_steep = s.steepest();
      const double now = s.position();
      const double work = std::abs(s.world().ledger().injected_J - injected);
      const double way = std::abs(now - before);
      // Half of what the place gains in this step and in the one before.
      const double most = std::abs(s.force()) * std::max(steep, now_steep) * std::max(way, last_way);
      ASSERT_LE(work, most * (1 + 1e-6) + 1e-13 * s.world().ledger().largest_J) << n;
      last_way = way;
      before = now;
      steep = now_steep;
      sum += work;
    }
    EXPECT_GT(sum, 1e-4 * s.world().ledger().start_J);  // it does work
    EXPECT_LE(s.world().ledger().imbalance(), 1e-11);
  }
}

TEST(Moves, EnergyFallsButForTheWork) {
  for (const auto& method : methods) {
    SCOPED_TRACE(method);
    Steps s(string_of(method) + thread + thread_moves);
    double before = s.world().ledger().stored_J() - s.world().ledger().injected_J;
    for (int n = 0; n < 15000; ++n) {
      s.world().step();
      const Ledger& l = s.world().ledger();
      const double now = l.stored_J() - l.injected_J;
      ASSERT_LE(now, before + 1e-12 * l.largest_J) << n;
      before = now;
    }
  }
}

const std::string finger_law = "law = { type = \"hunt-crossley\", stiffness = 1e6, exponent = 1.3, mu = 2.0 }\n";
std::string finger(const std::string& path, const std::string& more = "") {
  return "[[finger]]\nname = \"f\"\ntarget = \"s\"\n" + more + "breakpoints = [" + path + "]\n" + finger_law;
}
const std::string heard =
    "[[pickup]]\nof = \"s\"\nname = \"ear\"\nposition_m = 0.61\nquantity = \"velocity\"\n[[plectrum]]\nname = \"p\"\n"
    "target = \"s\"\nposition_m = 0.57\nlaw = { type = \"power\", stiffness = 1e6, exponent = 1.5 }\n";

/// The strongest partial near that of the part between finger and far end.
double pitch(const std::string& text, double from_s, double to_s, double about_hz) {
  Scene scene = test::scene_of(text);
  scene.duration_s = to_s;
  const auto p = test::play(scene);
  EXPECT_LE(p.world->ledger().imbalance(), 1e-11);
  const auto at = [&](double s) { return p.sound.begin() + static_cast<std::ptrdiff_t>(s * scene.rate_hz); };
  return test::pitch_near({at(from_s), at(to_s)}, scene.rate_hz, about_hz, 0.05);
}

TEST(Moves, AFingerThatHasSlidGivesThePitchOfTheShorterString) {
  const std::string plucks = "[[event]]\ndo = \"pluck\"\ntarget = \"p\"\ntime_s = 0.62\ndepth_m = 2e-3\n";
  for (const auto& method : {methods[0], methods[1], methods[3]}) {
    SCOPED_TRACE(method);
    const std::string silent = string_of(method);
    const std::string rest = silent.substr(0, silent.find("start = ")) + silent.substr(silent.find("decay_s"));
    const auto fixed = [&](double x) {
      return pitch(rest + heard + plucks + finger(fmt::format("{{ position_m = {}, depth_m = 3e-3 }}", x)), 0.7, 1.4,
                   110 * 0.65 / (0.65 - x));
    };
    const double slid =
        pitch(rest + heard + plucks +
                  finger("{ position_m = 0.2, depth_m = 3e-3 }, { time_s = 0.1, position_m = 0.2, depth_m "
                         "= 3e-3 }, { time_s = 0.6, position_m = 0.3, depth_m = 3e-3 }"),
              0.7, 1.4, 110 * 0.65 / 0.35);
    const double there = fixed(0.3), before = fixed(0.2);
    EXPECT_LE(std::abs(test::cents(slid, there)), 3) << slid << ' ' << there;
    EXPECT_NEAR(test::cents(there, before), test::cents(0.45, 0.35), 20);  // as the lengths
    EXPECT_NEAR(test::cents(there, 110 * 0.65 / 0.35), 0, 25);
  }
}

double largest_jump(const std::vector<double>& x, double from_s, double to_s) {
  double most = 0;
  for (auto i = static_cast<std::size_t>(from_s * 44100); i < static_cast<std::size_t>(to_s * 44100); ++i)
    most = std::max(most, std::abs(x[i + 1] - x[i]));
  return most;
}

/// No jump above the largest of the same sound where nothing moves.
TEST(Moves, DoNotClick) {
  const std::string path =
      "{ position_m = 0.25, depth_m = 3e-3 }, { time_s = 0.2, position_m = 0.25, depth_m = 3e-3 }, "
      "{ time_s = 0.35, position_m = 0.3, depth_m = 3e-3 }";
  const std::string stays = "{ position_m = 0.25, depth_m = 3e-3 }";
  for (const auto& method : methods) {
    SCOPED_TRACE(method);
    const std::string ear = "[[pickup]]\nof = \"s\"\nname = \"ear\"\nposition_m = 0.5\nquantity = \"velocity\"\n";
    const auto moves = test::play(string_of(method) + ear + set("ear", "position_m", 0.22, 0.55, 0.05) + finger(path));
    const auto still = test::play(string_of(method) + ear + finger(stays));
    EXPECT_LE(largest_jump(moves.sound, 0.19, 0.39), 1.5 * largest_jump(still.sound, 0.1, 0.39));
    EXPECT_LE(moves.world->ledger().imbalance(), 1e-11);
    EXPECT_LE(test::worst_account(*moves.world), 1e-11);
  }
}

TEST(Moves, AFingerUnderAForceStaysWhereTheForceAsks) {
  for (const auto& method : {methods[0], methods[3]}) {
    SCOPED_TRACE(method);
    Scene scene =
        test::scene_of(string_of(method) +
                       finger("{ position_m = 0.2, force_N = 0.5 }, { time_s = 0.3, position_m = 0.3, force_N = 1.0 }, "
                              "{ time_s = 1.0, position_m = 0.3, force_N = 1.0 }",
                              "mass_kg = 0.01\ndamper_N_s_m = 1.0\n"));
    scene.duration_s = 1.5;
    const auto p = test::play(scene);
    EXPECT_LE(p.world->ledger().imbalance(), 1e-11);
    EXPECT_LE(test::worst_account(*p.world), 1e-11);
    // At rest the string bends under 1 N at 0.3 m by F a (L - a)/(T L), or a little less where bending resists.
    const StringData s = string_data(scene.strings[0]);
    const double bent = 0.3 * 0.35 / (s.tension_N * 0.65);
    EXPECT_NEAR(p.channels.of("f.displacement_m").back(), -bent, 0.04 * bent);
    EXPECT_NEAR(p.channels.of("f-s.force_N").back(), 1.0, 0.05);
  }
}

/// As it is without kernels, in blocks of any size, and where a pickup or a plectrum is moved between strokes.
TEST(Moves, KernelsAndBlocksGiveTheSameSamples) {
  for (const auto& method : methods) {
    SCOPED_TRACE(method);
    const std::string text = string_of(method) + thread + thread_moves + heard +
                             set("ear", "position_m", 0.1, 0.4, 0.1) + set("p", "position_m", 0.05, 0.5, 0) +
                             "[[event]]\ndo = \"pluck\"\ntarget = \"p\"\ntime_s = 0.1\ndepth_m = 1e-3\n";
    const Scene scene = test::scene_of(text);
    const auto plain = compile_world(scene, Kernels::off);
    const std::vector<double> expected = run(*plain, step_count(scene)).sound;
    EXPECT_EQ(run(*compile_world(scene), step_count(scene)).sound, expected);
    Engine engine(scene, {1, 1});
    std::vector<double> sound(expected.size());
    for (std::size_t at = 0, n = 1; at < sound.size(); at += n, n = n * 7 % 1021) {
      n = std::min(n, sound.size() - at);
      double* out[] = {sound.data() + at};
      engine.process(out, n);
    }
    EXPECT_EQ(sound, expected);
  }
}

/// A pickup hears at the end of its way what one that is built there hears.
TEST(Moves, APickupHearsWhereItIs) {
  for (const auto& method : methods) {
    SCOPED_TRACE(method);
    const auto ear = [](double x) {
      return fmt::format("[[pickup]]\nof = \"s\"\nname = \"ear\"\nposition_m = {}\nquantity = \"velocity\"\n", x);
    };
    const auto moved = test::play(string_of(method) + ear(0.1) + set("ear", "position_m", 0.1, 0.4, 0.1));
    const auto there = test::play(string_of(method) + ear(0.4));
    double most = 0, off = 0;
    for (std::size_t i = 10000; i < there.sound.size(); ++i) {
      most = std::max(most, std::abs(there.sound[i]));
      off = std::max(off, std::abs(moved.sound[i] - there.sound[i]));
    }
    EXPECT_LE(off, 1e-10 * most);
  }
}

TEST(Moves, WhatMayNotMoveIsSaid) {
  const auto said = [&](const std::string& text) {
    try {
      compile_world(test::scene_of(string_of(methods[0]) + text));
    } catch (const InputError& r) {
      return r.path() + ": " + r.sentence();
    }
    return std::string("allowed");
  };
  EXPECT_EQ(
      said(thread + set("t", "position_m", 0, 0.7, 0)),
      "thread[0].position_range_m: position_range_m goes from 0.05 to 0.7 m, but must lie on the string \"s\", in "
      "(0, 0.65) m");
  EXPECT_EQ(said(thread + "position_range_m = [0.2]\n"),
            "thread[0].position_range_m: position_range_m must be two numbers that rise, the least and the largest");
  EXPECT_EQ(said(finger("{ position_m = 0.1, force_N = 1 }")),
            "finger[0].breakpoints[0].force_N: finger.breakpoints.force_N goes with mass_kg; without a mass it is held "
            "at depth_m");
  EXPECT_EQ(said(finger("{ time_s = 1, position_m = 0.1 }, { time_s = 1, position_m = 0.2 }")),
            "finger[0].breakpoints[1].time_s: finger.breakpoints.time_s is 1 after 1, but times must rise");
  EXPECT_EQ(said("[[membrane]]\nname = \"d\"\nradius_m = 0.1\nfrequency_hz = 100\ndensity_kg_m2 = 0.2\nmodes = "
                 "20\n[[hammer]]\nname = "
                 "\"h\"\ntarget = \"d\"\nat = [0.01, 0]\nmass_kg = 0.01\nposition_range_m = [0, 0.05]\n" +
                 finger_law),
            "hammer[0].position_range_m: position_m of \"h-d\" may change on a string alone; it touches no string");
}

}  // namespace
}  // namespace jawari
