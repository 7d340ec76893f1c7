// SPDX-License-Identifier: MIT
// What follows from one description of every part: counts are whole, input errors are data, single values are set and
// read by their path, and the scene is rendered once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "jawari/engine/engine.h"
#include "jawari/engine/scene_fields.h"
#include "jawari/io/render.h"
#include "jawari/io/scene_file.h"
#include "jawari/io/scene_keys.h"
#include "support/folder.h"

namespace jawari {
namespace {

const std::string bar_text = R"(duration_s = 0.02
[[bar]]
name = "b"
length_m = 0.3
width_m = 0.03
thickness_m = 0.01
density_kg_m3 = 7850
young_Pa = 2e11
)";
const std::string law_text = "law = { type = \"power\", stiffness = 1e6, exponent = 1.5 }\n";

template <class Action>
InputError refused(Action&& action) {
  try {
    action();
  } catch (const InputError& r) {
    return r;
  }
  ADD_FAILURE() << "not refused";
  return {"", ""};
}

TEST(Schema, ARejectionIsData) {
  const InputError r = refused([] { parse_scene(bar_text + "modes = 3.7\n", "s.toml"); });
  EXPECT_EQ(r.path(), "bar[0].modes");
  EXPECT_EQ(r.value(), "3.7");
  EXPECT_EQ(r.allowed(), "be a whole number in [1, 20000]");
  EXPECT_EQ(r.file(), "s.toml");
  EXPECT_EQ(r.line(), 9);
  EXPECT_EQ(r.sentence(), "bar.modes is 3.7, but must be a whole number in [1, 20000]");
  EXPECT_EQ(std::string(r.what()), "s.toml:9: " + r.sentence());
  EXPECT_EQ(parse_scene(bar_text + "modes = 4.0\n", "s.toml").scene.bars.at(0).modes, 4);
}

/// Every count of every part is refused where it is not whole.
TEST(Schema, CountsAreWhole) {
  const std::string start = "[[string]]\nname = \"s\"\nlength_m = 0.7\ntension_N = 50\ndensity_kg_m = 1e-3\n";
  const std::string barrier = "[[barrier]]\nstring = \"s\"\nshape = \"flat\"\nheight_m = -1e-3\n" + law_text;
  const std::string snare =
      "[[snare]]\nname = \"w\"\ntarget = \"d\"\nlength_m = 0.2\ntension_N = 5\ndensity_kg_m = 1e-4\n";
  const std::string drum = "[[membrane]]\nname = \"d\"\nradius_m = 0.1\nfrequency_hz = 100\ndensity_kg_m2 = 0.2\n";
  const std::string plate = "[[plate]]\nname = \"p\"\nradius_m = 0.1\nthickness_m = 1e-3\n";
  const std::string voice = "[voice]\nstring = \"s\"\nstrike = \"h\"\nsoft = 1\nloud = 2\n";
  const std::string mode = "start = { shape = \"mode\", height_m = 1e-3, number = 1.5 }\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {start + "intervals = 10.5\n", "string[0].intervals"},
      {start + "method = \"modes\"\nmodes = 10.5\n", "string[0].modes"},
      {start + mode, "string[0].start.number"},
      {start + barrier + "points = 2.5\n", "barrier[0].points"},
      {start + barrier + "points_per_cell = 1.5\n", "barrier[0].points_per_cell"},
      {drum + snare + law_text + "wires = 1.5\n", "snare[0].wires"},
      {drum + snare + law_text + "points = 1.5\n", "snare[0].points"},
      {drum + "modes = 1.5\n", "membrane[0].modes"},
      {plate + "modes = 1.5\n", "plate[0].modes"},
      {start + voice + "voices = 1.5\n", "voice.voices"},
      {start + "modes = 1e30\nmethod = \"modes\"\n", "string[0].modes"},
  };
  for (const auto& [text, path] : cases) {
    SCOPED_TRACE(path);
    EXPECT_EQ(refused([&, t = &text] { parse_scene("duration_s = 1\n" + *t, "s.toml"); }).path(), path);
  }
  EXPECT_EQ(refused([] { parse_scene("oversample = 1.5\n" + bar_text, "s.toml"); }).path(), "oversample");
  const InputError far = refused([] {  // a count that no int holds
    Scene scene = parse_scene(bar_text, "s.toml").scene;
    set_field(scene, "b.modes", 1e300);
  });
  EXPECT_EQ(far.path(), "b.modes");
  std::size_t counts = 0;
  for (const auto* tables : {&scene_keys(), &score_keys()})
    for (const KeyTable& t : *tables)
      for (const Key& k : t.keys) counts += k.type == Key::integer ? 1 : 0;
  EXPECT_GE(counts, cases.size());
}

TEST(Schema, ValuesAreSetAndReadByTheirPath) {
  const std::string text =
      bar_text + "[[mass]]\nname = \"m.1\"\nmass_kg = 0.1\n[[contact]]\nbodies = [\"b\", \"m.1\"]\nat = 0.1\n" +
      law_text;
  Scene scene = parse_scene(text, "s.toml").scene;
  EXPECT_EQ(get_field(scene, "rate_hz").number(), 44100);
  EXPECT_EQ(get_field(scene, "b.length_m").number(), 0.3);
  EXPECT_EQ(get_field(scene, "bar.b.length_m").number(), 0.3);
  EXPECT_EQ(get_field(scene, "bar[0].length_m").number(), 0.3);
  EXPECT_EQ(get_field(scene, "m.1.mass_kg").number(), 0.1);
  EXPECT_EQ(get_field(scene, "contact[0].law.exponent").number(), 1.5);
  EXPECT_EQ(*get_field(scene, "bar[0].ends").text(), "free");  // the default
  set_field(scene, "b.length_m", 0.4);
  set_field(scene, "b.ends", "clamped");
  set_field(scene, "b.modes", 12);
  set_field(scene, "m.1.mass_kg", 0.2);
  set_field(scene, "contact[0].law.exponent", 2.5);
  set_field(scene, "duration_s", 0.5);
  EXPECT_EQ(scene.bars[0].length_m, 0.4);
  EXPECT_EQ(scene.bars[0].ends, Ends::clamped);
  EXPECT_EQ(scene.bars[0].modes, 12);
  EXPECT_EQ(scene.bars[0].young_Pa, 2e11);  // the rest stays
  EXPECT_EQ(scene.masses[0].mass_kg, 0.2);
  EXPECT_EQ(scene.contacts[0].law.values.at("exponent"), 2.5);
  EXPECT_EQ(scene.contacts[0].law.values.at("stiffness"), 1e6);
  EXPECT_EQ(scene.duration_s, 0.5);
  const InputError wrong = refused([&] { set_field(scene, "b.length_m", -1); });
  EXPECT_EQ(wrong.path(), "b.length_m");
  EXPECT_EQ(wrong.value(), "-1");
  EXPECT_EQ(wrong.allowed(), "lie in (0, 1000] m");
  EXPECT_EQ(scene.bars[0].length_m, 0.4);  // nothing has changed
  for (const char* path : {"b.lenght_m", "c.length_m", "bar[1].length_m", "contact[0].law.type.x", ""})
    EXPECT_THROW(set_field(scene, path, 1), InputError) << path;
  for (const char* path : {"b.lenght_m", "c.length_m", "bar[1].length_m", ""})
    EXPECT_THROW(get_field(scene, path), InputError) << path;
}

TEST(Schema, EveryValueIsReadBackWhereItWasSet) {
  Scene scene = parse_scene(bar_text, "s.toml").scene;
  for (const KeyTable& table : scene_keys()) {
    if (table.name != "bar") continue;
    for (const Key& key : table.keys) {
      if (key.type != Key::number && key.type != Key::integer) continue;
      SCOPED_TRACE(key.name);
      const std::string path = "bar[0]." + std::string(key.name);
      const double value = key.type == Key::integer ? 7 : (key.param.from.value + key.param.to.value) / 2;
      set_field(scene, path, key.type == Key::integer ? Value(7) : Value(value));
      EXPECT_EQ(get_field(scene, path).number(), value);
    }
  }
}

TEST(Engine, RefusesWhatTheCInterfaceRefuses) {
  const Scene scene = parse_scene(bar_text, "s.toml").scene;
  const auto path = [&](int channels, int threads) {
    return refused([&] { Engine(scene, {.channels = channels, .threads = threads}); }).path();
  };
  EXPECT_EQ(path(3, 1), "channels");
  EXPECT_EQ(path(-1, 1), "channels");
  EXPECT_EQ(path(1, 0), "threads");
  EXPECT_EQ(path(1, 65), "threads");
  EXPECT_EQ(Engine(scene, {.channels = 2}).channels(), 2u);
  Engine engine(scene);
  const auto& parameters = engine.world().model().parameters;
  ASSERT_FALSE(parameters.empty());
  for (std::uint32_t i = 0; i < parameters.size(); ++i) {
    const Parameter& p = parameters[i];
    EXPECT_TRUE(engine.send({EventType::set, i, p.most, 0}));
    EXPECT_FALSE(engine.send({EventType::set, i, p.most + std::max(1.0, std::abs(p.most)), 0}));
    EXPECT_FALSE(engine.send({EventType::set, i, p.least - std::max(1.0, std::abs(p.least)), 0}));
  }
}

class Renders : public test::Folder {};

TEST_F(Renders, OnceWhateverIsAskedForAndAtTheRateOfTheScene) {
  SceneFile file = parse_scene(
      bar_text + "[[hammer]]\nname = \"h\"\ntarget = \"b\"\nat = 0.1\nmass_kg = 0.01\nvelocity_m_s = 1\n" + law_text,
      "s.toml");
  file.scene.oversample = 2;
  const auto played = [&](const RenderOptions& options) {
    const auto system = compile(file);
    std::int64_t last = -1;
    bool rises = true;
    Rendering r = render(*system, file.scene, options, [&](std::int64_t done) {
      rises = rises && done >= last;  // a second run would begin again
      last = done;
      return true;
    });
    EXPECT_TRUE(rises);
    EXPECT_EQ(r.run.steps, 1764);
    if (options.report) write_report(path("r.html"), file, *system, r);
    return r.channels(system->pickups(), ChannelChoice::mono);
  };
  const auto plain = played({}), all = played({.trace = path("t.csv"), .report = true});
  ASSERT_EQ(plain.size(), 1u);
  EXPECT_EQ(plain[0].size(), 882u);  // at the rate of the scene
  EXPECT_TRUE(plain == all);
  EXPECT_GT(*std::max_element(plain[0].begin(), plain[0].end()), 0);
  EXPECT_TRUE(std::filesystem::exists(path("r.html")));
  EXPECT_TRUE(std::filesystem::exists(path("t.csv")));
}

}  // namespace
}  // namespace jawari
