// SPDX-License-Identifier: MIT
// A scene that is written and read again is the same scene; the keys that are listed are those that are read.
#include "jawari/io/scene_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "jawari/engine/run.h"
#include "jawari/io/scene_file.h"
#include "jawari/io/scene_keys.h"
#include "support/bar.h"
#include "support/golden.h"
#include "support/scene_files.h"

namespace jawari {
namespace {

using test::scene_files;
/// Every reading of the first steps, and the sound.
struct Keep final : RowSink {
  std::vector<double> all;
  void begin(const std::vector<std::string>&, double, std::int64_t) override {}
  void row(double, std::span<const double> v) override { all.insert(all.end(), v.begin(), v.end()); }
};
std::vector<double> readings(const Scene& scene) {
  const auto system = compile(scene);
  Keep keep;
  RowSink* sinks[] = {&keep};
  const Run r = run(*system, std::min(step_count(scene), 4000L), sinks);
  keep.all.insert(keep.all.end(), r.sound.begin(), r.sound.end());
  return keep.all;
}
void expect_round_trip(const Scene& scene) {
  const std::string text = scene_text(scene);
  SCOPED_TRACE(text);
  const Scene again = parse_scene(text, "again").scene;
  EXPECT_EQ(scene_text(again), text);
  const auto a = readings(scene), b = readings(again);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i], b[i]) << i;  // also fails on NaN
  EXPECT_TRUE(std::any_of(a.begin(), a.end(), [](double x) { return x != 0; }));
}

TEST(SceneWriter, EverySceneOfTheRepositoryIsTheSameAfterwards) {
  const auto files = scene_files();
  ASSERT_GE(files.size(), 4u);
  for (const auto& path : files) {
    SCOPED_TRACE(path);
    expect_round_trip(read_scene(path).scene);
  }
}

TEST(SceneWriter, EveryKindOfValueIsTheSameAfterwards) {
  Scene s;
  s.title = "quotes \" and \\ and \n lines";
  s.duration_s = 0.05;
  s.gravity_m_s2 = 0.1 + 0.2;
  s.rate_hz = 48000;
  s.masses = {{.name = "hammer",
               .mass_kg = 0.01,
               .position_m = -1.0 / 3e3,
               .velocity_m_s = 2,
               .spring_N_m = 10,
               .damper_N_s_m = 0.1,
               .load_N = -0.5,
               .stepping = Stepping::midpoint}};
  StringSpec grid{.name = "grid", .length_m = 0.7, .tension_N = 100, .density_kg_m = 1e-3, .bending_N_m2 = 1e-4};
  grid.op = GridOperator::gamma;
  grid.gamma = 0.3;
  grid.centred_loss = true;
  grid.nearest_node = true;
  grid.sigma0_1_s = 1;
  grid.intervals = 60;
  grid.stretching_N = 1e5;
  grid.tension_modulation = true;
  grid.start = {.shape = StartShape::bump, .position_m = 0.2, .height_m = 1e-3, .width_m = 0.1};
  StringSpec modal{.name = "modal", .length_m = 0.5, .frequency_hz = 220, .radius_m = 3e-4};
  modal.method = StringMethod::modes;
  modal.stepping = Stepping::exact;
  modal.bandwidth = 0.5;
  modal.decay = {{200, 3}, {3000, 0.5}};
  modal.start = {.shape = StartShape::profile, .x_m = {0.1, 0.3}, .u_m = {1e-3, -1e-3}};
  s.strings = {grid, modal};
  BarrierSpec points{.name = "frets", .string = "modal", .above = true, .shape = BarrierShape::points};
  points.x_m = {0.11, 0.22};
  points.heights_m = {1e-4, 2e-4};
  points.law = {"hunt-crossley", {{"stiffness", 1e6}, {"exponent", 1.7}, {"mu", 0.1}}};
  points.scheme = LawSpec{"secant-2"};
  BarrierSpec profile{.name = "bridge", .string = "grid", .shape = BarrierShape::profile, .x_m = {0, 0.3, 0.7}};
  profile.heights_m = {-1e-3, -5e-4, -1e-3};
  profile.per_length = true;
  profile.from_m = 0.1;
  profile.to_m = 0.6;
  profile.law = {"power", {{"stiffness", 1e9}, {"exponent", 1.3}}};
  BarrierSpec curve{
      .name = "curve", .string = "modal", .shape = BarrierShape::polynomial, .coefficients = {-2e-3, 1e-3, 1e-2}};
  curve.law = {"power", {{"stiffness", 1e5}, {"exponent", 2}}};
  curve.points = 12;
  s.barriers = {points, profile, curve};
  s.contacts = {{.bodies = {"hammer", "grid"},
                 .height_m = 1e-4,
                 .position_m = 0.31,
                 .law = {"tabulated", {{"max_m", 1e-3}}, {0, 1, 4, 9}},
                 .scheme = LawSpec{"three-point"}},
                {.name = "stop",
                 .bodies = {"hammer", "wall"},
                 .height_m = 5e-3,
                 .law = {"power", {{"stiffness", 1e7}, {"exponent", 1.5}}},
                 .scheme = LawSpec{"taylor", {{"s", 1.25}}}}};
  s.contacts[1].scheme = LawSpec{"quadratised"};
  s.excitations = {
      {.body = "hammer", .type = SignalType::sine, .amplitude_N = 3, .frequency_hz = 50, .start_s = 0.001},
      {.body = "grid", .position_m = 0.2, .type = SignalType::samples, .amplitude_N = 2, .samples_N = {1, 2, -1.5}}};
  s.pickups = {{.name = "out", .of = "grid", .quantity = Quantity::velocity, .position_m = 0.6, .gain = 0.5},
               {.of = "stop", .quantity = Quantity::force},
               {.of = "modal", .quantity = Quantity::nut_force}};
  expect_round_trip(s);
}

TEST(SceneWriter, EveryBodyAndGestureIsTheSameAfterwards) {
  expect_round_trip(parse_scene(R"(
title = "Everything"
duration_s = 0.05
oversample = 2

[[string]]
name = "string"
length_m = 0.65
frequency_hz = 147
highest_hz = 200
radius_m = 2e-4
decay_s = [5.0, 1.0]
decay_hz = [147, 4000]
start = { shape = "pluck", position_m = 0.2, height_m = 2e-3 }
)" + test::wooden_bar + R"(sigma0_1_s = 4
modes = 12
ends = "clamped-free"
[[membrane]]
name = "drum"
radius_m = 0.15
frequency_hz = 150
density_kg_m2 = 0.26
modes = 40
decay_s = [0.8, 0.2]
decay_hz = [150, 2000]
[[plate]]
name = "plate"
width_m = 0.3
height_m = 0.2
thickness_m = 1e-3
poisson = 0.25
modes = 20
[[modal]]
name = "board"
frequencies_hz = [100.0, 180.5, 333.3]
decay_s = [0.5, 0.4, 0.3]
masses_kg = [0.5, 0.4, 0.6]
points = { bridge = [1.0, 0.5, -0.25], "the ear" = [0.3, 0.2, 0.1] }
[[mass]]
name = "block"
mass_kg = 0.02
spring_N_m = 500
[[hand]]
name = "hand"
height_m = -0.02
samples_m = [0.0, 1e-5, 2e-5, 1e-5]

[[barrier]]
name = "carried"
string = "string"
on = "block"
shape = "point"
position_m = 0.4
height_m = -1e-3
law = { type = "power", stiffness = 1e6, exponent = 1.5 }
[[contact]]
bodies = ["hand", "bar"]
upper_at = 0.1
law = { type = "power", stiffness = 1e5, exponent = 2.0 }
scheme = "auto"
[[contact]]
name = "wires"
bodies = ["plate", "drum"]
height_m = -1e-3
line = { lower_from = [0.05, 0.1], lower_to = [0.25, 0.1], upper_from = [-0.1, 0.0], upper_to = [0.1, 0.0], points = 6 }
law = { type = "power", stiffness_per_m = 1e7, exponent = 1.3 }
[[connection]]
name = "glue"
bodies = ["board", "plate"]
lower_at = "bridge"
upper_at = [0.1, 0.15]
stiffness_N_m = 1e4
damping_N_s_m = 0.5
rest_m = 1e-5
[[friction]]
bodies = ["block", "board"]
upper_at = "the ear"
coefficient = 0.3
normal_N = 0.1
[[hammer]]
name = "mallet"
target = "bar"
position_m = 0.12
mass_kg = 0.02
velocity_m_s = 1.5
law = { type = "hunt-crossley", stiffness = 1e7, exponent = 2.3, mu = 0.2 }
scheme = { type = "two-point" }
[[plectrum]]
name = "pick"
target = "string"
position_m = 0.1
law = { type = "power", stiffness = 1e6, exponent = 1.5 }
[[finger]]
name = "finger"
target = "string"
position_m = 0.5
away_m = 0.01
law = { type = "power", stiffness = 1e5, exponent = 1.5 }
[[rattle]]
name = "rattle"
target = "plate"
at = [0.2, 0.1]
mass_kg = 1e-3
gap_m = 1e-5
law = { type = "power", stiffness = 1e7, exponent = 1.5 }
[[bolt]]
name = "bolt"
target = "string"
position_m = 0.3
mass_kg = 1e-3
damping_N_s_m = 0.1
[[rubber]]
name = "rubber"
target = "board"
at = "the ear"
stiffness_N_m = 100
[[fret]]
name = "fret"
string = "string"
position_m = 0.55
height_m = -2e-3
law = { type = "power", stiffness = 1e7, exponent = 1.3 }
[[thread]]
name = "thread"
string = "string"
position_m = 0.62
law = { type = "hunt-crossley", stiffness = 1e5, exponent = 1.3, mu = 1.0 }
[[snare]]
name = "snare"
target = "drum"
wires = 2
length_m = 0.2
tension_N = 5
density_kg_m = 1e-4
points = 4
law = { type = "power", stiffness = 1e5, exponent = 1.5 }
[[event]]
do = "strike"
target = "mallet"
time_s = 0.02
velocity_m_s = 2.0
[[event]]
do = "press"
target = "finger"
time_s = 0.005
depth_m = 1e-3
duration_s = 0.005
[[event]]
do = "release"
target = "finger"
time_s = 0.03
duration_s = 0.005
[[event]]
do = "move"
target = "hand"
height_m = -0.01
duration_s = 0.01
[[event]]
do = "retune"
target = "string"
time_s = 0.01
frequency_hz = 160
duration_s = 0.01
[[event]]
do = "set"
target = "glue"
parameter = "stiffness"
value = 2e4
time_s = 0.02
[[pickup]]
of = "board"
at = "the ear"
quantity = "velocity"
pan = -0.5
[[pickup]]
of = "drum"
at = [0.05, 0.02]
[[pickup]]
of = "mallet-bar"
gain = 0.01
)",
                                "everything")
                        .scene);
}

TEST(SceneWriter, FunctionsAreRefused) {
  Scene s;
  s.strings = {{.name = "s"}};
  s.strings[0].start.shape = StartShape::function;
  EXPECT_THROW(scene_text(s), InputError);
}

/// What the reader takes, from its own sentence about an unknown key.
std::set<std::string> keys_read(const std::string& text) {
  try {
    parse_scene(text, "x");
  } catch (const InputError& r) {
    const std::string sentence = r.what(), mark = " takes ";
    const auto from = sentence.find(mark);
    if (from == std::string::npos) return {"refused otherwise: " + sentence};
    std::istringstream words(sentence.substr(from + mark.size()));
    std::set<std::string> keys;
    for (std::string word; words >> word && word[0] != '(';) keys.insert(word.substr(0, word.find(',')));
    return keys;
  }
  return {"not refused"};
}

TEST(SceneKeys, AreThoseThatAreRead) {
  const std::string law = "law = { type = \"power\", stiffness = 1.0, exponent = 1.0 }\n";
  const std::string target = "name = \"n\"\ntarget = \"t\"\n";
  const std::map<std::string, std::string> needed{
      {"mass", "name = \"m\"\nmass_kg = 1.0\n"},
      {"string", "name = \"s\"\nlength_m = 1.0\n"},
      {"barrier", "string = \"s\"\nshape = \"flat\"\n" + law},
      {"contact", "bodies = [\"a\", \"b\"]\n" + law},
      {"excitation", "body = \"m\"\n"},
      {"pickup", "of = \"m\"\n"},
      {"bar", "name = \"b\"\nlength_m = 1.0\nwidth_m = 1.0\nthickness_m = 1.0\ndensity_kg_m3 = 1.0\nyoung_Pa = 1.0\n"},
      {"membrane", "name = \"m\"\ndensity_kg_m2 = 1.0\n"},
      {"plate", "name = \"p\"\nthickness_m = 1.0\n"},
      {"modal", "name = \"m\"\npoints = { a = [1.0] }\n"},
      {"hand", "name = \"h\"\n"},
      {"connection", "bodies = [\"a\", \"b\"]\n"},
      {"friction", "bodies = [\"a\", \"b\"]\ncoefficient = 1.0\n"},
      {"hammer", target + "mass_kg = 1.0\n" + law},
      {"plectrum", target + law},
      {"finger", target + law},
      {"rattle", target + "mass_kg = 1.0\n" + law},
      {"bolt", target + "mass_kg = 1.0\n"},
      {"rubber", target},
      {"fret", "name = \"f\"\nstring = \"s\"\nposition_m = 0.1\n" + law},
      {"thread", "name = \"f\"\nstring = \"s\"\nposition_m = 0.1\n" + law},
      {"snare", target + "length_m = 1.0\ntension_N = 1.0\ndensity_kg_m = 1.0\n" + law},
      {"control", "name = \"c\"\ntargets = [{ parameter = \"level\", from = 0.0, to = 1.0 }]\n"},
      {"tempo", "bpm = 60\n"},
      {"pattern", "strokes = [{ do = \"strike\", target = \"m\", velocity_m_s = 1.0 }]\n"},
      {"event", "do = \"set\"\ntarget = \"m\"\nvalue = 1.0\nparameter = \"stiffness\"\n"}};
  std::set<std::string> kinds;
  for (const auto& table : scene_keys()) {
    if (!table.repeated) continue;
    kinds.insert(std::string(table.name));
    ASSERT_TRUE(needed.contains(std::string(table.name))) << "say here what [[" << table.name << "]] needs";
    std::set<std::string> listed;
    for (const auto& k : table.keys) listed.insert(std::string(k.name));
    auto read = keys_read(
        fmt::format("duration_s = 1.0\n[[{}]]\n{}xyzzy = 1\n", table.name, needed.at(std::string(table.name))));
    std::set<std::string> sometimes;  // read in some cases only
    if (table.name == "barrier") sometimes = {"file", "position_m"};
    if (table.name == "event") sometimes = {"velocity_m_s", "depth_m", "damping_1_s", "height_m", "frequency_hz"};
    for (const auto& key : sometimes)
      if (listed.contains(key)) read.insert(key);
    EXPECT_EQ(listed, read) << table.name;
  }
  auto whole = keys_read("duration_s = 1.0\nxyzzy = 1\n");
  EXPECT_EQ(whole.erase("schema"), 1u);
  for (const auto& k : scene_keys()[0].keys) EXPECT_EQ(whole.erase(std::string(k.name)), 1u) << k.name;
  for (const auto* score : {"voice", "note", "midi"})
    EXPECT_EQ(whole.erase(score), 1u);  // turned into events while reading
  EXPECT_EQ(whole, kinds);              // every [[part]] of the reader is described
}

}  // namespace
}  // namespace jawari
