// SPDX-License-Identifier: MIT
// Reset gives the samples of a fresh engine, and a saved state goes on with the samples of the engine that saved it:
// bit for bit, from the middle of contacts, glides and sleep, for every scene, between kernels and the reference path.
#include <gtest/gtest.h>

#include <cstring>

#include "jawari/c_api.h"
#include "realtime/scenes.h"
#include "support/scene_files.h"

namespace jawari {
namespace {

using Sound = std::vector<double>;

bool same_bits(const Sound& a, const Sound& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}
Sound play(Engine& engine, std::size_t frames) {
  Sound left(frames), right(frames);
  double* out[] = {left.data(), right.data()};
  engine.process(out, frames);
  left.insert(left.end(), right.begin(), right.end());
  return left;
}
/// Everything happens, and some of it is still under way at the end.
Sound play_first(Engine& engine) {
  Sound all;
  for (int round = 0; round < 3; ++round) {
    for (const auto& [event, offset] : test::everything(engine.world(), round)) EXPECT_TRUE(engine.send(event, offset));
    const Sound part = play(engine, round == 2 ? 333 : 601);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}
std::vector<std::byte> saved(Engine& engine) {
  std::vector<std::byte> state(engine.state_bytes());
  state.resize(engine.save(state));
  EXPECT_GT(state.size(), sizeof(StateHead));
  return state;
}
double imbalance(const Engine& engine) {
  Snapshot s = engine.make_snapshot();
  engine.snapshot(s);
  return s.ledger.imbalance();
}

void expect_same_after(const Scene& scene, const std::string& name) {
  SCOPED_TRACE(name);
  for (const Kernels kernels : {Kernels::exact, Kernels::off}) {
    Engine plain(scene, {2, 1, kernels}), engine(scene, {2, 1, kernels});
    const Sound before = play_first(engine);
    ASSERT_TRUE(same_bits(before, play_first(plain)));
    const auto state = saved(engine);
    const Sound after = play(engine, 700);
    EXPECT_TRUE(same_bits(after, play(plain, 700))) << "saving has changed the sound";
    for (const Kernels other : {Kernels::exact, Kernels::off}) {
      Engine loaded(scene, {2, 1, other});
      play(loaded, 100);
      ASSERT_EQ(loaded.load(state), StateError::none);
      EXPECT_TRUE(same_bits(after, play(loaded, 700))) << "loaded";
      EXPECT_LE(imbalance(loaded), std::max(1e-9, 2 * imbalance(engine)));
    }
    ASSERT_EQ(plain.load(state), StateError::none);  // where it was before
    EXPECT_TRUE(same_bits(after, play(plain, 700))) << "loaded again";
    engine.reset();
    EXPECT_EQ(engine.failed(), false);
    EXPECT_TRUE(same_bits(before, play_first(engine))) << "reset";
    EXPECT_TRUE(same_bits(after, play(engine, 700))) << "reset, later";
  }
}

TEST(State, GoesOnBitForBit) {
  for (const auto& [name, text] : test::every_feature()) expect_same_after(parse_scene(text, name).scene, name);
}
TEST(State, GoesOnBitForBitInTheScenesOfTheRepository) {
  for (const auto& path : test::scene_files()) {
    SCOPED_TRACE(path);
    Scene scene = read_scene(path).scene;
    scene.quality = {};
    scene.oversample = 1;
    Engine engine(scene, {2}), loaded(scene, {2});
    for (const auto& [event, offset] : test::everything(engine.world(), 0)) EXPECT_TRUE(engine.send(event, offset));
    const Sound before = play(engine, 611);
    ASSERT_EQ(loaded.load(saved(engine)), StateError::none);
    const Sound after = play(engine, 500);
    EXPECT_TRUE(same_bits(after, play(loaded, 500)));
    loaded.reset();
    for (const auto& [event, offset] : test::everything(loaded.world(), 0)) EXPECT_TRUE(loaded.send(event, offset));
    EXPECT_TRUE(same_bits(before, play(loaded, 611)));
    EXPECT_TRUE(same_bits(after, play(loaded, 500)));
  }
}

/// Fused and single precision kernels hand their state over in double: what follows a save is what follows the load.
TEST(State, GoesOnAlikeInFasterKernels) {
  const auto scenes = test::every_feature();
  for (const Kernels kernels : {Kernels::fused, Kernels::single})
    for (std::size_t i = 0; i < 10; ++i) {
      SCOPED_TRACE(scenes[i].name);
      const Scene scene = parse_scene(scenes[i].text, scenes[i].name).scene;
      Engine engine(scene, {2, 1, kernels}), loaded(scene, {2, 1, kernels});
      play_first(engine);
      const auto state = saved(engine);
      ASSERT_EQ(loaded.load(state), StateError::none);
      EXPECT_TRUE(same_bits(play(engine, 1000), play(loaded, 1000)));
    }
}

const char* fading =
    "duration_s = 1.0\n[[string]]\nname = \"s\"\nlength_m = 0.65\nfrequency_hz = 110.0\nradius_m = 0.0004\nsigma0_1_s "
    "= 800.0\n"
    "[[hammer]]\nname = \"hammer\"\ntarget = \"s\"\nposition_m = 0.08\nmass_kg = 0.004\nvelocity_m_s = 1.5\n"
    "law = { type = \"hunt-crossley\", stiffness = 1e7, exponent = 2.3, mu = 0.1 }\n";

TEST(State, OfASleepingGroupWakesAlike) {
  const Scene scene = parse_scene(fading, "scene").scene;
  Engine engine(scene, {2}), loaded(scene, {2});
  const auto hammer = static_cast<std::uint32_t>(engine.world().model().find_body("hammer"));
  play(engine, 20000);
  const Sound silence = play(engine, 100);
  ASSERT_TRUE(std::all_of(silence.begin(), silence.end(), [](double x) { return x == 0; }));  // it sleeps
  ASSERT_EQ(loaded.load(saved(engine)), StateError::none);
  for (Engine* e : {&engine, &loaded}) ASSERT_TRUE(e->send({EventType::strike, hammer, 2, 0}, 50));
  const Sound after = play(engine, 2000);
  EXPECT_TRUE(same_bits(after, play(loaded, 2000)));
  EXPECT_TRUE(std::any_of(after.begin(), after.end(), [](double x) { return x != 0; }));
}

TEST(State, HoldsEventsThatWait) {
  const Scene scene = parse_scene(fading, "scene").scene;
  Engine engine(scene, {2}), loaded(scene, {2});
  const auto hammer = static_cast<std::uint32_t>(engine.world().model().find_body("hammer"));
  play(engine, 3000);
  ASSERT_TRUE(engine.send({EventType::strike, hammer, 2, 0}, 700));
  const auto state = saved(engine);
  ASSERT_EQ(loaded.load(state), StateError::none);
  const Sound after = play(engine, 2000);
  EXPECT_TRUE(same_bits(after, play(loaded, 2000)));
  loaded.reset();  // and removes them
  play(loaded, 3000);
  EXPECT_FALSE(same_bits(after, play(loaded, 2000)));
}

TEST(State, OfAnotherSceneOrDamagedIsRefusedAndChangesNothing) {
  const std::string text = fading;
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    other.replace(other.find(from), from.size(), to);
    return parse_scene(other, "scene").scene;
  };
  Engine engine(parse_scene(text, "scene").scene, {2}), twin(parse_scene(text, "scene").scene, {2});
  play(engine, 500);
  play(twin, 500);
  const auto state = saved(engine);
  for (const Scene& other :
       {changed("110.0", "110.1"), changed("800.0", "801.0"), changed("0.65", "0.66"), changed("0.08", "0.09"),
        changed("2.3", "2.4"), changed("1.5", "1.6"), changed("0.004", "0.005")}) {
    Engine different(other, {2});
    EXPECT_EQ(different.load(state), StateError::other_scene);
  }
  Engine mono(parse_scene(text, "scene").scene, {1});
  EXPECT_EQ(mono.load(state), StateError::other_scene);
  for (std::size_t cut : {std::size_t{0}, std::size_t{10}, state.size() / 2, state.size() - 1})
    EXPECT_NE(engine.load({state.data(), cut}), StateError::none) << cut;
  for (std::size_t at = 0; at < state.size(); at += 1 + at / 7) {
    auto wrong = state;
    wrong[at] ^= std::byte{0x40};
    const StateError error = engine.load(wrong);
    EXPECT_NE(error, StateError::none) << at;
    EXPECT_FALSE(state_sentence(error).empty());
  }
  std::vector<std::byte> small(state.size() - 1);
  EXPECT_EQ(engine.save(small), 0u);
  EXPECT_TRUE(same_bits(play(engine, 500), play(twin, 500)));
}

TEST(State, OfAFailedEngineIsFailed) {
  Engine engine(
      parse_scene(
          "duration_s = 0.1\n[[mass]]\nname = \"ball\"\nmass_kg = 1.0\nposition_m = -0.5\nvelocity_m_s = 20.0\n"
          "[[contact]]\nname = \"hit\"\nbodies = [\"ball\", \"wall\"]\nheight_m = 0.1\nscheme = \"taylor-strict\"\n"
          "law = { type = \"power\", stiffness = 5e9, exponent = 1.3 }\n",
          "scene")
          .scene,
      {2});
  const auto whole = saved(engine);
  play(engine, 4000);
  ASSERT_TRUE(engine.failed());
  const std::string said = engine.failure_text();
  const auto broken = saved(engine);
  engine.reset();
  EXPECT_FALSE(engine.failed());
  ASSERT_EQ(engine.load(broken), StateError::none);
  EXPECT_TRUE(engine.failed());
  EXPECT_EQ(engine.failure_text(), said);
  ASSERT_EQ(engine.load(whole), StateError::none);
  EXPECT_FALSE(engine.failed());
}

}  // namespace
}  // namespace jawari
