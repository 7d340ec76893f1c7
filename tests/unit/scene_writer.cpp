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
#include "support/golden.h"

namespace jawari {
namespace {

std::vector<std::string> scene_files() {
  std::vector<std::string> list;
  for (const auto& e : std::filesystem::directory_iterator(JAWARI_SOURCE_DIR "/scenes"))
    if (e.path().extension() == ".toml") list.push_back(e.path().string());
  std::sort(list.begin(), list.end());
  return list;
}
/// Every reading of the first steps, and the sound.
struct Keep final : RowSink {
  std::vector<double> all;
  void begin(const std::vector<std::string>&, double, long) override {}
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
  s.title = "quotes \" and \\ and \n lines", s.duration_s = 0.05, s.gravity_m_s2 = 0.1 + 0.2, s.rate_hz = 48000;
  s.masses = {{.name = "hammer", .mass_kg = 0.01, .position_m = -1.0 / 3e3, .velocity_m_s = 2, .spring_N_m = 10, .damper_N_s_m = 0.1,
               .load_N = -0.5, .stepping = Stepping::midpoint}};
  StringSpec grid{.name = "grid", .length_m = 0.7, .tension_N = 100, .density_kg_m = 1e-3, .bending_N_m2 = 1e-4};
  grid.op = GridOperator::gamma, grid.gamma = 0.3, grid.centred_loss = true, grid.sigma0_1_s = 1, grid.intervals = 60;
  grid.stretching_N = 1e5, grid.tension_modulation = true;
  grid.start = {.shape = StartShape::bump, .position_m = 0.2, .height_m = 1e-3, .width_m = 0.1};
  StringSpec modal{.name = "modal", .length_m = 0.5, .frequency_hz = 220, .radius_m = 3e-4};
  modal.method = StringMethod::modes, modal.stepping = Stepping::exact, modal.bandwidth = 0.5;
  modal.decay = {{200, 3}, {3000, 0.5}};
  modal.start = {.shape = StartShape::profile, .x_m = {0.1, 0.3}, .u_m = {1e-3, -1e-3}};
  s.strings = {grid, modal};
  BarrierSpec points{.name = "frets", .string = "modal", .above = true, .shape = BarrierShape::points};
  points.x_m = {0.11, 0.22}, points.heights_m = {1e-4, 2e-4};
  points.law = {"hunt-crossley", {{"stiffness", 1e6}, {"exponent", 1.7}, {"mu", 0.1}}};
  points.scheme = Choice{"secant-2"};
  BarrierSpec profile{.name = "bridge", .string = "grid", .shape = BarrierShape::profile, .x_m = {0, 0.3, 0.7}};
  profile.heights_m = {-1e-3, -5e-4, -1e-3}, profile.per_length = true, profile.from_m = 0.1, profile.to_m = 0.6;
  profile.law = {"power", {{"stiffness", 1e9}, {"exponent", 1.3}}};
  BarrierSpec curve{.name = "curve", .string = "modal", .shape = BarrierShape::polynomial, .coefficients = {-2e-3, 1e-3, 1e-2}};
  curve.law = {"power", {{"stiffness", 1e5}, {"exponent", 2}}}, curve.points = 12;
  s.barriers = {points, profile, curve};
  s.contacts = {{.bodies = {"hammer", "grid"}, .height_m = 1e-4, .position_m = 0.31, .law = {"tabulated", {{"max_m", 1e-3}}, {0, 1, 4, 9}},
                 .scheme = Choice{"three-point"}},
                {.name = "stop", .bodies = {"hammer", "wall"}, .height_m = 5e-3,
                 .law = {"power", {{"stiffness", 1e7}, {"exponent", 1.5}}}, .scheme = Choice{"taylor", {{"s", 1.25}}}}};
  s.contacts[1].scheme = Choice{"quadratised"};
  s.excitations = {{.body = "hammer", .type = SignalType::sine, .amplitude_N = 3, .frequency_hz = 50, .start_s = 0.001},
                   {.body = "grid", .position_m = 0.2, .type = SignalType::samples, .amplitude_N = 2, .samples_N = {1, 2, -1.5}}};
  s.pickups = {{.name = "out", .of = "grid", .quantity = Quantity::velocity, .position_m = 0.6, .gain = 0.5},
               {.of = "stop", .quantity = Quantity::force}, {.of = "modal", .quantity = Quantity::nut_force}};
  expect_round_trip(s);
}

TEST(SceneWriter, FunctionsAreRefused) {
  Scene s;
  s.strings = {{.name = "s"}};
  s.strings[0].start.shape = StartShape::function;
  EXPECT_THROW(scene_text(s), Refusal);
}

/// What the reader takes, from its own sentence about a key it does not know.
std::set<std::string> keys_read(const std::string& text) {
  try {
    parse_scene(text, "x");
  } catch (const Refusal& r) {
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
  const std::map<std::string, std::string> needed{
      {"mass", "name = \"m\"\nmass_kg = 1.0\n"},
      {"string", "name = \"s\"\nlength_m = 1.0\n"},
      {"barrier", "string = \"s\"\nshape = \"flat\"\n" + law},
      {"contact", "bodies = [\"a\", \"b\"]\n" + law},
      {"excitation", "body = \"m\"\n"},
      {"pickup", "of = \"m\"\n"}};
  std::set<std::string> kinds;
  for (const auto& table : scene_keys()) {
    if (!table.repeated) continue;
    kinds.insert(std::string(table.name));
    ASSERT_TRUE(needed.contains(std::string(table.name))) << "say here what [[" << table.name << "]] needs";
    std::set<std::string> listed;
    for (const auto& k : table.keys) listed.insert(std::string(k.name));
    auto read = keys_read(fmt::format("duration_s = 1.0\n[[{}]]\n{}xyzzy = 1\n", table.name, needed.at(std::string(table.name))));
    for (const auto* sometimes : {"file", "position_m"})  // of some shapes only
      if (table.name == "barrier" && listed.contains(sometimes)) read.insert(sometimes);
    EXPECT_EQ(listed, read) << table.name;
  }
  auto whole = keys_read("duration_s = 1.0\nxyzzy = 1\n");
  EXPECT_EQ(whole.erase("schema"), 1u);
  for (const auto& k : scene_keys()[0].keys) EXPECT_EQ(whole.erase(std::string(k.name)), 1u) << k.name;
  EXPECT_EQ(whole, kinds);  // every [[part]] the reader knows is described
}

}  // namespace
}  // namespace jawari
