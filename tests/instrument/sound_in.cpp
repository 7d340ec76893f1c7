// SPDX-License-Identifier: MIT
// Sound that comes in pushes bodies: sample by sample, whatever the block, with its work in the account.
#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "instrument/support.h"
#include "jawari/engine/quality.h"
#include "jawari/engine/run.h"
#include "jawari/engine/sound_input.h"

namespace jawari {
namespace {

using namespace test;

constexpr std::size_t length = 12000;

/// A string over a bridge, plucked at the start, and a head beside it; `signals`: what pushes them.
std::string pushed_text(const std::string& signals, const std::string& more = "") {
  return more +
         "duration_s = 0.25\nrate_hz = 48000\n"
         "[[string]]\nname = \"s\"\nlength_m = 0.65\nfrequency_hz = 110.0\nradius_m = 0.0004\nmethod = \"modes\"\n"
         "bandwidth = 0.3\ndecay_s = [1.0, 0.3]\ndecay_hz = [110.0, 2000.0]\n"
         "[[barrier]]\nname = \"bridge\"\nstring = \"s\"\nshape = \"parabola\"\nheight_m = 0\ncentre_m = 0.0\n"
         "curvature_1_m = 0.5\nto_m = 0.03\nlaw = { type = \"hunt-crossley\", stiffness_per_m = 1e9, exponent = 1.5, "
         "mu = 2 }\n"
         "[[membrane]]\nname = \"head\"\nradius_m = 0.15\nfrequency_hz = 131\ndensity_kg_m2 = 0.3\ndecay_s = [0.3, "
         "0.08]\n"
         "decay_hz = [131, 3000]\nmodes = 20\n"
         "[[mass]]\nname = \"ball\"\nmass_kg = 0.01\n"
         "[[pickup]]\nof = \"s\"\nposition_m = 0.1\nquantity = \"velocity\"\n"
         "[[pickup]]\nof = \"head\"\nat = [0.03, 0.05]\nquantity = \"velocity\"\n"
         "[[pickup]]\nof = \"ball\"\nquantity = \"velocity\"\n" +
         signals;
}
const std::string inputs =
    "[[excitation]]\nbody = \"s\"\ntype = \"input\"\nposition_m = 0.2\namplitude_N = 2\n"
    "[[excitation]]\nbody = \"head\"\ntype = \"input\"\nat = [0.0, 0.06]\namplitude_N = 5\nchannel = 2\n"
    "[[excitation]]\nbody = \"ball\"\ntype = \"input\"\namplitude_N = 3\n";
Scene pushed(const std::string& signals = inputs, const std::string& more = "") {
  return parse_scene(pushed_text(signals, more), "pushed").scene;
}

/// Two channels that have nothing to do with one another, silent for a while at either end.
std::vector<std::vector<double>> noise() {
  std::vector<std::vector<double>> channels(2, std::vector<double>(length));
  std::uint32_t state = 7;
  for (auto& c : channels)
    for (std::size_t i = 200; i < length - 5000; ++i) {
      state = state * 1664525u + 1013904223u;
      c[i] = static_cast<double>(state) / 4294967296.0 - 0.5;
    }
  return channels;
}

using Channels = std::vector<std::vector<double>>;
/// In blocks; an empty `in` is no sound.
std::vector<double> play_engine(Engine& engine, const Channels& in, auto&& next_block) {
  std::vector<double> out(length);
  for (std::size_t at = 0; at < length;) {
    const std::size_t n = std::min<std::size_t>(next_block(), length - at);
    std::vector<const double*> sound;
    for (const auto& c : in) sound.push_back(&c[at]);
    double* to[] = {&out[at]};
    engine.process(to, n, sound);
    at += n;
  }
  return out;
}
std::vector<double> play_engine(Engine& engine, const Channels& in) {
  return play_engine(engine, in, [] { return 64; });
}
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}
double peak_of(const std::vector<double>& a) {
  double most = 0;
  for (const double x : a) most = std::max(most, std::abs(x));
  return most;
}

TEST(SoundIn, TheSameSamplesForEveryBlockAndThread) {
  for (const std::string more : {"", "oversample = 4\n"}) {
    const Scene scene = pushed(inputs, more);
    Engine engine(scene);
    EXPECT_EQ(engine.input().channels(), 2u);
    EXPECT_EQ(engine.input().delay(), more.empty() ? 0u : 36u);
    const auto whole = play_engine(engine, noise(), [] { return length; });
    EXPECT_GT(peak_of(whole), 1e-3);
    EXPECT_EQ(engine.input().replaced(), 0u);
    for (const std::size_t block : {1u, 17u, 256u, 1000u}) {
      engine.reset();
      EXPECT_TRUE(same_bits(play_engine(engine, noise(), [&] { return block; }), whole)) << block;
    }
    Engine threads(scene, {.threads = 2});
    EXPECT_TRUE(same_bits(play_engine(threads, noise(), [] { return 480; }), whole));
    const Ledger& l = engine.world().ledger();
    EXPECT_GT(l.injected_J, 1e-6);
    EXPECT_LT(l.worst_residual_J, 1e-11 * l.largest_J);
    for (const Account& a : engine.world().accounts()) EXPECT_LT(std::abs(a.residual_J), 1e-11 * l.largest_J) << a.name;
  }
}

TEST(SoundIn, AnImpulseIsAForceOfTheSameImpulse) {
  Channels one(1, std::vector<double>(length));
  one[0][1000] = 0.75;
  Engine input(
      pushed("[[excitation]]\nbody = \"s\"\ntype = \"input\"\nposition_m = 0.2\namplitude_N = 2\n"
             "[[excitation]]\nbody = \"ball\"\ntype = \"input\"\namplitude_N = 2\n"));
  const std::string at = "start_s = 0.020833333333333333\ntype = \"file\"\namplitude_N = 2\nsamples_N = [0.75]\n";
  Engine force(
      pushed("[[excitation]]\nbody = \"s\"\nposition_m = 0.2\n" + at + "[[excitation]]\nbody = \"ball\"\n" + at));
  EXPECT_TRUE(same_bits(play_engine(input, one), play_engine(force, {})));
  double seen = 0;  // a free mass keeps the speed F dt / m
  const World& world = input.world();
  std::vector<double> pickups(world.pickup_count());
  input.sync();
  world.read_pickups(pickups);
  seen = pickups[2];
  EXPECT_NEAR(seen, 2 * 0.75 / 48000 / 0.01, 1e-12);
}

TEST(SoundIn, SilenceIsNoSound) {
  const std::string plucked = "[[event]]\ndo = \"set\"\ntarget = \"bridge\"\nparameter = \"height_m\"\nvalue = 1e-4\n";
  Engine engine(pushed(inputs + plucked));
  Engine without(pushed(plucked));
  const auto quiet = play_engine(without, {});
  EXPECT_GT(peak_of(quiet), 0);
  EXPECT_TRUE(same_bits(play_engine(engine, {}), quiet));
  engine.reset();
  EXPECT_TRUE(same_bits(play_engine(engine, Channels(2, std::vector<double>(length))), quiet));
  EXPECT_EQ(without.input().channels(), 0u);
}

TEST(SoundIn, WhatIsNoNumberIsSilenceAndCounted) {
  Channels bad = noise(), good = bad;
  const double inf = std::numeric_limits<double>::infinity();
  bad[0][500] = std::nan("");
  bad[1][501] = inf;
  bad[1][502] = -inf;
  bad[0][503] = 1e30;
  bad[0][504] = -17;
  good[0][500] = good[1][501] = good[1][502] = 0;
  good[0][503] = 16;
  good[0][504] = -16;
  Engine a(pushed()), b(pushed());
  EXPECT_TRUE(same_bits(play_engine(a, bad), play_engine(b, good)));
  EXPECT_EQ(a.input().replaced(), 5u);
  EXPECT_EQ(b.input().replaced(), 0u);
}

TEST(SoundIn, ChannelsAreMixedOrShared) {
  const Channels two = noise();
  Channels mean(1, std::vector<double>(length));
  for (std::size_t i = 0; i < length; ++i) mean[0][i] = (two[0][i] + two[1][i]) / 2;
  const std::string one = "[[excitation]]\nbody = \"ball\"\ntype = \"input\"\namplitude_N = 3\n";
  Engine a(pushed(one)), b(pushed(one));
  EXPECT_TRUE(same_bits(play_engine(a, two), play_engine(b, mean)));
  Engine c(pushed()), d(pushed());
  EXPECT_TRUE(same_bits(play_engine(c, {two[0]}), play_engine(d, {two[0], two[0]})));
}

TEST(SoundIn, ARunFromStartToEndIsTheSame) {
  Scene scene = pushed();
  Engine live(scene);
  const auto heard = play_engine(live, noise());
  set_input(scene, noise());
  const auto system = compile(scene);
  const auto played = jawari::run(*system, length);
  EXPECT_TRUE(same_bits(played.sound, heard));
  Scene fine = pushed(inputs, "oversample = 4\n");
  Engine late(fine);
  const auto delayed = play_engine(late, noise());
  set_input(fine, noise());
  Engine whole(fine);
  EXPECT_EQ(whole.input().channels(), 0u);
  const auto at_once = play_engine(whole, {});
  const double peak = peak_of(at_once);
  for (std::size_t i = 36; i < length; ++i) ASSERT_NEAR(delayed[i], at_once[i - 36], 1e-12 * peak) << i;
}

TEST(SoundIn, BodiesSleepUntilItComes) {
  Engine engine(pushed("[[excitation]]\nbody = \"head\"\ntype = \"input\"\nat = [0.0, 0.06]\namplitude_N = 5\n"));
  std::vector<double> out(4800), click(4800);
  click[17] = 1;
  double* to[] = {out.data()};
  const double* in[] = {click.data()};
  engine.process(to, 4800);
  EXPECT_TRUE(engine.silent());
  engine.process(to, 4800, in);
  EXPECT_FALSE(engine.silent());
  EXPECT_EQ(peak_of({out.begin(), out.begin() + 17}), 0);
  EXPECT_GT(peak_of(out), 0);
  for (int i = 0; i < 200 && !engine.silent(); ++i) engine.process(to, 4800);
  EXPECT_TRUE(engine.silent());
}

TEST(SoundIn, SavedAndLoadedInTheMiddle) {
  const Channels sound = noise();
  for (const std::string more : {"", "oversample = 2\n"}) {
    const Scene scene = pushed(inputs, more);
    Engine a(scene), b(scene);
    std::vector<double> one(3000), two(3000);
    double *to_a[] = {one.data()}, *to_b[] = {two.data()};
    const auto from = [&](std::size_t at) { return std::vector<const double*>{&sound[0][at], &sound[1][at]}; };
    a.process(to_a, 3000, from(0));
    std::vector<std::byte> state(a.state_bytes());
    state.resize(a.save(state));
    b.process(to_b, 100, from(2000));  // something else
    ASSERT_EQ(b.load(state), StateError::none);
    a.process(to_a, 3000, from(3000));
    b.process(to_b, 3000, from(3000));
    EXPECT_TRUE(same_bits(one, two));
    EXPECT_GT(peak_of(one), 0);
  }
}

TEST(SoundIn, ActsWhileTheSceneSaysSo) {
  Engine engine(
      pushed("[[excitation]]\nbody = \"ball\"\ntype = \"input\"\namplitude_N = 2\nstart_s = 0.01\n"
             "duration_s = 0.02\n"));
  play_engine(engine, Channels(1, std::vector<double>(length, 0.5)));
  std::vector<double> pickups(3);
  engine.sync();
  engine.world().read_pickups(pickups);
  EXPECT_NEAR(pickups[2], 0.5 * 2 * 0.02 / 0.01, 1e-9);
}

TEST(SoundIn, BesideNotesInAnyBlocks) {
  const Scene scene = struck(
      "voices = 4\n[[excitation]]\nbody = \"s\"\ntype = \"input\"\nposition_m = 0.1\n"
      "amplitude_N = 1\n[[control]]\nname = \"Input\"\nleast = 0\nmost = 4\ndefault = 1\n"
      "targets = [{ parameter = \"s-signal.amplitude\", from = 0, to = 4 }]\n");
  const std::vector<NoteEvent> score{on(0, 60),    on(700, 64),  off(3000, 60), say(3000, NoteEvent::control, 2.0),
                                     on(5003, 55), on(5003, 67), on(6000, 69)};
  const auto sound = noise();
  Instrument instrument(scene);
  EXPECT_EQ(instrument.engine().input().channels(), 1u);
  const auto play_in = [&](auto&& next_block, bool hears) {
    instrument.reset();
    Sound s{std::vector<double>(length), std::vector<double>(length)};
    std::size_t next = 0;
    for (std::size_t at = 0; at < length;) {
      const std::size_t n = std::min<std::size_t>(next_block(), length - at);
      std::vector<NoteEvent> block;
      for (; next < score.size() && score[next].frame < at + n; ++next) {
        block.push_back(score[next]);
        block.back().frame -= static_cast<std::uint32_t>(at);
      }
      double* out[] = {&s.left[at], &s.right[at]};
      const double* in[] = {&sound[0][at], &sound[1][at]};
      instrument.process(out, n, block, SoundIn<double>(in, hears ? 2 : 0));
      at += n;
    }
    EXPECT_FALSE(instrument.failed()) << instrument.failure_text();
    return s;
  };
  const Sound whole = play_in([] { return length; }, true);
  for (const std::size_t block : {1u, 64u, 999u}) EXPECT_TRUE(play_in([&] { return block; }, true) == whole) << block;
  EXPECT_LT(imbalance(instrument), 1e-11);
  EXPECT_FALSE(play_in([] { return 64; }, false) == whole);
}

TEST(SoundIn, InSinglePrecisionAndInPlace) {
  const auto sound = noise();
  std::vector<float> in(length), out(length), both(length);
  for (std::size_t i = 0; i < length; ++i) both[i] = in[i] = static_cast<float>(sound[0][i]);
  Engine a(pushed()), b(pushed());
  float* to[] = {out.data()};
  const float* from[] = {in.data()};
  a.process(to, length, from);
  float* place[] = {both.data()};
  const float* same[] = {both.data()};
  b.process(place, length, same);
  EXPECT_EQ(out, both);
  EXPECT_NE(out, in);
}

TEST(SoundIn, RefusesWhatMakesNoSense) {
  const auto refused = [](const std::string& signals) -> std::string {
    try {
      Engine engine(pushed(signals));
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const std::string head = "[[excitation]]\nbody = \"ball\"\n";
  EXPECT_NE(refused(head + "type = \"input\"\nchannel = 3\n").find("channel"), std::string::npos);
  EXPECT_NE(refused(head + "type = \"sine\"\nfrequency_hz = 100\nchannel = 2\n").find("channel"), std::string::npos);
  EXPECT_NE(refused(head + "type = \"input\"\namplitude_N = 1e11\n").find("1.6e+12 N push"), std::string::npos);
  EXPECT_NE(refused(head + "type = \"input\"\nsamples_N = [1]\n").find("file"), std::string::npos);
  EXPECT_EQ(refused(head + "type = \"input\"\n"), "");
  Scene none = pushed("");
  EXPECT_THROW(set_input(none, noise()), InputError);
  Scene some = pushed();
  EXPECT_THROW(set_input(some, {}), InputError);
}

TEST(OtherRates, AToneStaysThatTone) {
  const auto tone = [](double rate_hz, std::size_t n) {
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(2 * std::numbers::pi * 1000 * static_cast<double>(i) / rate_hz);
    return x;
  };
  for (const auto& [from, to] :
       {std::pair{44100.0, 48000.0}, {48000.0, 44100.0}, {48000.0, 96000.0}, {96000.0, 22050.0}}) {
    const auto n = static_cast<std::size_t>(from / 4);
    const auto other = at_other_rate(tone(from, n), from, to);
    const auto want = tone(to, other.size());
    EXPECT_NEAR(static_cast<double>(other.size()), to / 4, 1);
    for (std::size_t i = other.size() / 5; i < other.size() * 4 / 5; ++i) ASSERT_NEAR(other[i], want[i], 2e-5) << i;
  }
  const auto steps = interpolated(tone(48000, 12000), 4);
  const auto want = tone(4 * 48000, steps.size());
  ASSERT_EQ(steps.size(), 48000u);
  for (std::size_t i = 10000; i < 38000; ++i) ASSERT_NEAR(steps[i], want[i], 2e-5) << i;
}

}  // namespace
}  // namespace jawari
