// SPDX-License-Identifier: MIT
// A model is immutable: runs of it share nothing that steps change.  A state is a value that moves between runs of one
// model.
#include <gtest/gtest.h>

#include <thread>

#include "jawari/engine/compile.h"
#include "jawari/engine/world.h"
#include "realtime/scenes.h"
#include "support/effort.h"
#include "support/scene_files.h"

namespace jawari {
namespace {

using Sound = std::vector<double>;

Sound play(World& world, std::int64_t steps) {
  std::vector<Sound> tracks(world.pickup_count(), Sound(static_cast<std::size_t>(steps)));
  std::vector<double*> to;
  for (auto& t : tracks) to.push_back(t.data());
  EXPECT_EQ(world.play(steps, to.data()), steps);
  Sound all;
  for (const auto& t : tracks) all.insert(all.end(), t.begin(), t.end());
  return all;
}

Scene scene_of_file(const std::string& name) { return read_scene(JAWARI_SOURCE_DIR "/scenes/" + name + ".toml").scene; }
const char* const names[] = {"bridge-modes", "bridge", "guitar", "piano", "snare-drum", "marble-plate", "slap-bass"};

TEST(Model, TwoThreadsRunTwoStatesOfOne) {
  for (const auto* name : names) {
    SCOPED_TRACE(name);
    const auto model = compile_model(scene_of_file(name));
    constexpr std::int64_t steps = 1500;
    World alone(model);
    const Sound wanted = play(alone, steps);
    Sound heard[2];
    {
      std::jthread threads[2];
      for (int i = 0; i < 2; ++i)
        threads[i] = std::jthread([&, i] {
          World world(model);
          heard[i] = play(world, steps);
        });
    }
    EXPECT_EQ(heard[0], wanted);
    EXPECT_EQ(heard[1], wanted);
    World later(model);  // the model is what it was
    EXPECT_EQ(play(later, steps), wanted);
  }
}

TEST(Model, EnginesShareOne) {
  const auto model = compile_model(scene_of_file("piano"));
  Engine first(model), second(model), fresh(scene_of_file("piano"));
  Sound a(700), b(700), c(700);
  for (auto* one : {&a, &b, &c}) {
    double* out[] = {one->data()};
    (one == &a ? first : one == &b ? second : fresh).process(out, one->size());
  }
  EXPECT_EQ(a, b);
  EXPECT_EQ(a, c);
}

TEST(State, IsAValueThatMovesBetweenRuns) {
  for (const auto* name : names) {
    SCOPED_TRACE(name);
    const auto model = compile_model(scene_of_file(name));
    World world(model), other(model);
    play(world, 700);
    const State state = world.state();
    const State copy = state;
    const Sound wanted = play(world, 600);
    play(other, 100);
    ASSERT_EQ(other.load(copy), StateError::none);
    EXPECT_EQ(other.steps(), 700);
    EXPECT_EQ(play(other, 600), wanted);
    EXPECT_EQ(other.ledger().values(), world.ledger().values());
    world.load(state);
    EXPECT_EQ(play(world, 600), wanted);
    world.reset();
    World fresh(model);
    EXPECT_EQ(world.steps(), 0);
    EXPECT_EQ(play(world, 600), play(fresh, 600));
  }
}

TEST(State, OfAnotherModelIsRefused) {
  World piano(compile_model(scene_of_file("piano"))), bridge(compile_model(scene_of_file("bridge")));
  play(piano, 300);
  const Sound wanted = [&] {
    World fresh(compile_model(scene_of_file("piano")));
    play(fresh, 300);
    return play(fresh, 300);
  }();
  const StateError error = piano.load(bridge.state());
  EXPECT_EQ(error, StateError::other_scene);
  EXPECT_NE(state_sentence(error).find("another scene"), std::string_view::npos);
  EXPECT_EQ(play(piano, 300), wanted);
  State broken = piano.state();
  broken.bytes[broken.bytes.size() / 2] ^= std::byte{1};
  EXPECT_EQ(piano.load(broken), StateError::damaged);
  broken.bytes.resize(10);
  EXPECT_EQ(piano.load(broken), StateError::no_state);
}

TEST(State, OfASchemeThatMayChangeIsRefusedByOneThatMayNot) {
  const std::string text =
      "rate_hz = 44100\nduration_s = 0.1\n[[mass]]\nname = \"m\"\nmass_kg = 0.01\nposition_m = 0.001\nvelocity_m_s = "
      "-1\n"
      "[[contact]]\nbodies = [\"wall\", \"m\"]\nlaw = { type = \"power\", stiffness = 1e5, exponent = 1.5 }\nscheme = "
      "\"";
  World changing(compile_model(parse_scene(text + "auto\"\n", "auto.toml").scene));
  ASSERT_EQ(changing.contacts()[0].scheme, "secant-2");
  World fixed(compile_model(parse_scene(text + "secant-2\"\n", "fixed.toml").scene));
  play(fixed, 50);
  EXPECT_EQ(fixed.load(changing.state()), StateError::other_scene);
  EXPECT_EQ(fixed.steps(), 50);  // it is what it was
}

/// A chord of implicit strings shares a kernel; each has events of its own, goes to sleep by itself and is retuned,
/// stiffened and moved by itself.  The samples are those of the reference path, in every block size.
std::string chord(int strings) {
  std::string text = "rate_hz = 44100\nduration_s = 0.25\n";
  for (int i = 0; i < strings; ++i) {
    const std::string s = "s" + std::to_string(i), b = "b" + std::to_string(i);
    text += "[[string]]\nname = \"" + s + "\"\nlength_m = " + std::to_string(0.4 + 0.03 * i) +
            "\nfrequency_hz = " + std::to_string(150 + 40 * i) + "\nhighest_hz = " + std::to_string(400 + 80 * i) +
            "\nradius_m = 3e-4\nsigma0_1_s = " + (i % 3 == 1 ? "900" : "2") +
            "\noperator = \"optimal\"\nstart = { shape = \"pluck\", position_m = 0.11, height_m = 2e-3 }\n"
            "[[barrier]]\nname = \"" +
            b + "\"\nstring = \"" + s +
            "\"\nshape = \"flat\"\nheight_m = -2e-4\n"
            "law = { type = \"power\", stiffness_per_m = " +
            (i % 2 ? "1e9" : "3e9") +
            ", exponent = 1.5 }\nscheme = \"two-point\"\n"
            "[[pickup]]\nof = \"" +
            s + "\"\nquantity = \"bridge-force\"\n[[pickup]]\nof = \"" + b + "\"\nquantity = \"force\"\n";
    const std::string at = std::to_string(0.01 + 0.013 * i);
    if (i % 4 == 0)
      text += "[[event]]\ndo = \"retune\"\ntarget = \"" + s + "\"\ntime_s = " + at +
              "\nfrequency_hz = " + std::to_string(170 + 40 * i) + "\nduration_s = 0.02\n";
    if (i % 4 == 1)
      text += "[[event]]\ndo = \"set\"\ntarget = \"" + b + "\"\nparameter = \"stiffness\"\ntime_s = " + at +
              "\nvalue = 2e9\n";
    if (i % 4 == 2)
      text += "[[event]]\ndo = \"set\"\ntarget = \"" + b + "\"\nparameter = \"height_m\"\ntime_s = " + at +
              "\nvalue = -1e-4\nduration_s = 0.03\n";
    if (i % 4 == 3)
      text += "[[event]]\ndo = \"damp\"\ntarget = \"" + s + "\"\ntime_s = " + at + "\ndamping_1_s = 300\n";
  }
  return text;
}

TEST(Units, AChordOfImplicitStringsSharesAKernel) {
  const Scene scene = parse_scene(chord(11), "chord.toml").scene;
  const std::int64_t steps = test::sanitized ? 2000 : step_count(scene);
  const auto reference = compile_world(scene, Kernels::off);
  EXPECT_EQ(reference->units().count(), 11u);
  const Sound wanted = play(*reference, steps);
  for (const std::int64_t block : {std::int64_t{7}, std::int64_t{64}, steps}) {
    const auto world = compile_world(scene);
    EXPECT_EQ(world->units().count(), 2u);  // eight, and three
    EXPECT_EQ(world->kernel_bodies(), 11u);
    std::vector<Sound> tracks(world->pickup_count(), Sound(static_cast<std::size_t>(steps)));
    for (std::int64_t n = 0; n < steps; n += block) {
      std::vector<double*> to;
      for (auto& t : tracks) to.push_back(t.data() + n);
      const std::int64_t now = std::min(block, steps - n);
      ASSERT_EQ(world->play(now, to.data()), now);
    }
    Sound all;
    for (const auto& t : tracks) all.insert(all.end(), t.begin(), t.end());
    EXPECT_TRUE(all == wanted) << "blocks of " << block;
    for (const auto& account : world->accounts())
      EXPECT_LT(std::abs(account.residual_J), 1e-11 * world->ledger().largest_J) << account.name;
  }
  const auto model = compile_model(scene);
  for (const auto& [threads, units] : {std::pair(1u, 2u), std::pair(2u, 2u), std::pair(3u, 3u), std::pair(11u, 3u)})
    EXPECT_EQ(World(model, threads).units().count(), units) << threads;  // never fewer than four strings
  Engine one(scene, {0, 1}), three(scene, {0, 3});
  const auto frames = std::min<std::size_t>(static_cast<std::size_t>(steps), 6000);
  std::vector<Sound> left(one.channels(), Sound(frames)), right(one.channels(), Sound(frames));
  std::vector<double*> a, b;
  for (auto& t : left) a.push_back(t.data());
  for (auto& t : right) b.push_back(t.data());
  one.process(a.data(), frames);
  three.process(b.data(), frames);
  EXPECT_TRUE(left == right);
  for (std::size_t c = 0; c < left.size(); ++c)
    EXPECT_TRUE(std::equal(left[c].begin(), left[c].end(), wanted.begin() + static_cast<std::ptrdiff_t>(c) * steps))
        << c;
}

}  // namespace
}  // namespace jawari
