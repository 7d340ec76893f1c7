// SPDX-License-Identifier: MIT
// Parameters of a plug-in while it plays: values that come with a state or from a window, and those that are set while
// another instrument waits or fades in.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "plugins/core/plugin_core.h"
#include "plugins/core/preset_phrase.h"

namespace jawari {
namespace {

using plugin::PluginCore;
using plugin::PluginEvent;

constexpr std::size_t fade = 960;  // frames
const double gain = std::pow(10, -6 / 20.0);

std::vector<float> play(PluginCore& core, std::size_t frames, const std::vector<PluginEvent>& events = {}) {
  std::vector<float> left(frames), right(frames);
  float* out[] = {left.data(), right.data()};
  core.process(out, frames, events);
  core.clear_ended();
  return left;
}
std::vector<PluginEvent> chord(PluginCore& core) {
  std::vector<PluginEvent> events;
  for (const NoteEvent& e : plugin::chord(core.playing(), 0.9)) events.push_back({PluginEvent::note, e});
  return events;
}
PluginEvent turn(std::size_t index, double value, std::uint32_t frame = 0) {
  PluginEvent e;
  e.kind = PluginEvent::parameter;
  e.parameter_id = PluginCore::parameter_id(index);
  e.value = value;
  e.event.frame = frame;
  return e;
}
float peak(const std::vector<float>& sound, std::size_t from = 0) {
  float most = 0;
  for (std::size_t i = from; i < sound.size(); ++i) most = std::max(most, std::abs(sound[i]));
  return most;
}
std::string state_with(double level_dB, bool bypassed) {
  PluginCore core;
  core.set_value(plugin::level, level_dB);
  core.set_value(plugin::bypass, bypassed ? 1 : 0);
  return core.save_state();
}
double control_value(const PluginCore& core, std::size_t control) {
  return plugin::macro_value(core.control(control), core.value(PluginCore::first_macro_index + control));
}

/// A state that is loaded while nothing sounds is heard as saved from the first note on.
TEST(PluginParameters, LevelOfALoadedStateIsThatOfTheNextNote) {
  PluginCore plain, loaded;
  for (PluginCore* core : {&plain, &loaded}) {
    core->activate(48000);
    play(*core, 64);
    core->load_state(state_with(core == &loaded ? -6 : 0, false));
  }
  const auto a = play(plain, 4800, chord(plain)), b = play(loaded, 4800, chord(loaded));
  EXPECT_GT(peak(a), 1e-3f);
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(b[i], gain * static_cast<double>(a[i]), 1e-7 * std::abs(a[i])) << i;
}

TEST(PluginParameters, LevelOfAStateThatIsLoadedWhileItSoundsGlides) {
  PluginCore plain, loaded;
  for (PluginCore* core : {&plain, &loaded}) {
    core->activate(48000);
    play(*core, 9600, chord(*core));
    core->load_state(state_with(core == &loaded ? -6 : 0, false));
  }
  const auto held = [](PluginCore& core) { return play(core, 4800, chord(core)); };
  const auto a = held(plain), b = held(loaded);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double share = std::min(1.0, static_cast<double>(i + 1) / fade);
    ASSERT_NEAR(b[i], (1 + share * (gain - 1)) * static_cast<double>(a[i]), 1e-6 * std::abs(a[i])) << i;
  }
}

TEST(PluginParameters, BypassOfALoadedStateSilences) {
  PluginCore core;
  core.activate(48000);
  play(core, 9600, chord(core));
  core.load_state(state_with(0, true));
  EXPECT_EQ(peak(play(core, 9600, chord(core)), fade), 0);
  core.load_state(state_with(0, false));
  play(core, 4800);
  EXPECT_GT(peak(play(core, 9600, chord(core)), fade), 1e-3f);
}

TEST(PluginParameters, AfterAResetTheGainIsThatOfTheParameters) {
  PluginCore plain, loaded;
  for (PluginCore* core : {&plain, &loaded}) {
    core->activate(48000);
    core->load_state(state_with(core == &loaded ? -6 : 0, false));
    play(*core, 4800);
    core->on_main();
    core->set_value(plugin::level, core == &loaded ? -6 : 0);
    core->reset();
  }
  PluginCore changed;
  changed.activate(48000);
  changed.set_value(plugin::level, -6);
  changed.reset();
  const auto a = play(plain, 4800, chord(plain));
  for (PluginCore* core : {&loaded, &changed}) {
    const auto b = play(*core, 4800, chord(*core));
    for (std::size_t i = 0; i < a.size(); ++i)
      ASSERT_NEAR(b[i], gain * static_cast<double>(a[i]), 1e-7 * std::abs(a[i])) << i;
  }
}

/// A control that is turned in the first block after an exchange is one of the new instrument, in its range.
TEST(PluginParameters, ControlsAreThoseOfTheInstrumentThatTakesOver) {
  for (const std::size_t next : {1u, 3u, 13u}) {
    PluginCore core;
    core.activate(48000);
    play(core, 64);
    core.use_preset(next);
    std::vector<PluginEvent> events;
    for (std::size_t c = 0; c < core.control_count(); ++c) events.push_back(turn(core.first_macro_index + c, 0.9));
    play(core, 64, events);
    for (std::size_t c = 0; c < core.control_count(); ++c)
      EXPECT_EQ(core.playing().control(c), plugin::macro_value(core.control(c), 0.9)) << core.control(c).name;
  }
}

/// While an instrument waits for another one to fade, what is turned reaches the one that plays, and it later.
TEST(PluginParameters, WhatIsTurnedWhileAnInstrumentWaitsReachesIt) {
  PluginCore core;
  core.activate(48000);
  play(core, 64);
  core.use_preset(3);
  play(core, 64);  // which fades in
  core.use_preset(4);
  play(core, 64, {turn(core.first_macro_index, 0.8), turn(plugin::tonic, 5)});
  core.set_value(PluginCore::first_macro_index + 1, 0.7);
  for (int i = 0; i < 40; ++i) {
    play(core, 64);
    core.on_main();
  }
  EXPECT_EQ(core.value(PluginCore::first_macro_index), 0.8);
  EXPECT_EQ(core.value(PluginCore::first_macro_index + 1), 0.7);
  ASSERT_EQ(core.playing().controls().size(), core.control_count());
  for (std::size_t c = 0; c < core.control_count(); ++c)
    EXPECT_EQ(core.playing().control(c), control_value(core, c)) << core.control(c).name;
}

/// What hosts ask of a scene that has been loaded is said at once, not after the next block.
TEST(PluginParameters, FactsAreThoseOfTheScene) {
  std::size_t different = 0;
  PluginCore core;
  core.activate(48000);
  for (const std::size_t i : {1u, 3u, 9u, 17u}) {
    const std::size_t before = core.voices();
    core.use_preset(i);
    PluginCore fresh(i);
    fresh.activate(48000);
    EXPECT_EQ(core.voices(), fresh.playing().voices()) << plugin::presets()[i].name;
    EXPECT_EQ(core.tail_s(), fresh.playing().tail_s());
    EXPECT_EQ(core.latency(), fresh.latency());
    different += core.voices() != before;
  }
  EXPECT_EQ(different, 4u);
}

TEST(PluginParameters, RangesAreThoseThatAreShown) {
  PluginCore core;
  for (std::size_t i = 0; i < core.parameter_count(); ++i) {
    const auto info = core.parameter(i);
    core.set_value(i, 1e9);
    EXPECT_EQ(core.value(i), info.most) << info.name;
    core.set_value(i, -1e9);
    EXPECT_EQ(core.value(i), info.least) << info.name;
    core.set_value(i, NAN);
    EXPECT_EQ(core.value(i), info.least) << info.name;
  }
}

/// Other threads may ask and set while one plays.
TEST(PluginParameters, AreSetAndAskedWhileAnotherThreadPlays) {
  PluginCore core;
  core.activate(48000);
  std::atomic<bool> stop{false};
  std::atomic<long> played{0};
  bool finite = true;
  std::thread audio([&] {
    for (; !stop; ++played) {
      for (const float x : play(core, 64, played % 50 == 0 ? chord(core) : std::vector<PluginEvent>{}))
        finite &= std::isfinite(x);
    }
  });
  std::size_t voices = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    if (i % 12 == 0) core.use_preset(i / 12);
    core.set_value(i % PluginCore::parameters, static_cast<double>(i % 7) / 7);
    voices += core.voices() + core.latency() + static_cast<std::size_t>(core.tail_s());
    for (const long from = played; played < from + 5;) std::this_thread::yield();
    core.on_main();
  }
  for (int i = 0; i < 100; ++i) {  // until the last one has faded in
    for (const long from = played; played < from + 5;) std::this_thread::yield();
    core.on_main();
  }
  stop = true;
  audio.join();
  EXPECT_TRUE(finite);
  EXPECT_GT(voices, 0u);
  for (std::size_t c = 0; c < core.control_count(); ++c)
    EXPECT_EQ(core.playing().control(c), control_value(core, c)) << core.control(c).name;
}

}  // namespace
}  // namespace jawari
