// SPDX-License-Identifier: MIT
// Every preset: it plays, in tune where it is tuned, at the level of the others, without an offset; it is silent after
// a panic, and its energy account closes.  plugins/core/preset_phrase.h says what is played.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <set>
#include <thread>

#include "jawari/engine/quality.h"
#include "jawari/instrument.h"
#include "jawari/io/loudness.h"
#include "jawari/io/scene_file.h"
#include "plugins/core/open_instrument.h"
#include "plugins/core/plugin_core.h"
#include "plugins/core/preset_phrase.h"

namespace jawari {
namespace {

using plugin::PhraseSound;
using plugin::presets;

class Presets : public testing::TestWithParam<std::size_t> {
 protected:
  const plugin::Preset& preset() const { return presets()[GetParam()]; }
};

TEST(PresetList, WithNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const auto& p : presets()) names.insert(p.name);
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(JAWARI_SOURCE_DIR "/presets"))
    files += file.path().extension() == ".toml";
  EXPECT_EQ(presets().size(), files);
  EXPECT_GE(presets().size(), 20u);
  EXPECT_EQ(names.size(), presets().size());
}

TEST_P(Presets, AtTheLevelOfTheOthers) {
  const auto instrument = plugin::open_instrument(std::string(preset().name), 48000);
  const PhraseSound s = plugin::play_phrase(*instrument);
  ASSERT_FALSE(instrument->failed()) << instrument->failure_text();
  double peak = 0;
  for (const auto& channel : s.channels) {
    double sum = 0, most = 0;
    for (const double x : channel) {
      ASSERT_TRUE(std::isfinite(x));
      most = std::max(most, std::abs(x));
      sum += x;
    }
    peak = std::max(peak, most);
    EXPECT_LT(std::abs(sum) / static_cast<double>(channel.size()), 0.01 * most);
  }
  EXPECT_LE(peak, 1);
  const auto level = loudness_LUFS(s.channels, 48000);
  ASSERT_TRUE(level.has_value());
  EXPECT_NEAR(*level, plugin::preset_level_LUFS, 1.5);  // hence within 3 dB of one another
  const Ledger& l = instrument->engine().world().ledger();
  EXPECT_LT(l.worst_residual_J, 1e-11 * l.largest_J);
}

TEST_P(Presets, SilentAfterAPanic) {
  const auto instrument = plugin::open_instrument(std::string(preset().name), 48000);
  std::vector<double> left(48000), right(48000);
  double* out[] = {left.data(), right.data()};
  instrument->process(out, 4800, plugin::chord(*instrument, 0.8));
  NoteEvent panic;
  panic.type = NoteEvent::panic;
  instrument->process(out, 48000, {&panic, 1});
  double loud = 0, rest = 0;
  for (std::size_t i = 0; i < 48; ++i) loud = std::max({loud, std::abs(left[i]), std::abs(right[i])});
  for (std::size_t i = 24000; i < 48000; ++i) rest = std::max({rest, std::abs(left[i]), std::abs(right[i])});
  EXPECT_GT(loud, 1e-4);
  EXPECT_LT(rest, 1e-4 * loud);
}

TEST_P(Presets, ControlsDoSomethingOrOther) {  // those that take sound get some
  std::vector<double> sound(9600);
  for (std::size_t i = 0; i < sound.size(); ++i) sound[i] = 0.3 * std::sin(0.02 * static_cast<double>(i));
  for (std::size_t c = 0;; ++c) {
    std::vector<std::vector<double>> sounds;
    for (const bool most : {false, true}) {
      const auto instrument = plugin::open_instrument(std::string(preset().name), 48000);
      EXPECT_GE(instrument->controls().size(), 3u);
      if (c >= instrument->controls().size()) return;
      const ControlInfo& info = instrument->controls()[c];
      EXPECT_FALSE(info.text.empty()) << info.name;
      EXPECT_LE(info.least, info.usual) << info.name;
      EXPECT_LE(info.usual, info.most) << info.name;
      std::vector<NoteEvent> events = plugin::chord(*instrument, 1);
      NoteEvent turn;
      turn.type = NoteEvent::control;
      turn.index = static_cast<std::uint16_t>(c);
      turn.value = most ? info.most : info.least;
      events.insert(events.begin(), turn);
      std::vector<double> left(9600), right(9600);
      double* out[] = {left.data(), right.data()};
      const bool takes_sound = instrument->engine().input().channels() > 0;
      const double* in[] = {sound.data(), sound.data()};
      instrument->process(out, 4800, events, takes_sound ? SoundIn<double>(in) : SoundIn<double>());
      for (auto& e : events) e.type = e.type == NoteEvent::note_on ? NoteEvent::note_off : NoteEvent::bend;
      events[0].channel = 0;
      events[0].value = 1;
      double* rest[] = {left.data() + 4800, right.data() + 4800};
      const double* in_rest[] = {sound.data() + 4800, sound.data() + 4800};
      instrument->process(rest, 4800, events, takes_sound ? SoundIn<double>(in_rest) : SoundIn<double>());
      EXPECT_FALSE(instrument->failed()) << info.name << instrument->failure_text();
      sounds.push_back(left);
    }
    EXPECT_NE(sounds[0], sounds[1]) << c;
  }
}

/// Bursts of a low tone and of noise, a quarter of a second apart: a drum loop.
std::vector<float> drum_loop(std::size_t frames) {
  std::vector<float> sound(frames);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < frames; ++i) {
    const double t = static_cast<double>(i % 12000) / 48000;
    state = state * 1664525u + 1013904223u;
    const double noise = static_cast<double>(state) / 2147483648.0 - 1;
    sound[i] = static_cast<float>(std::exp(-30 * t) *
                                  (i / 12000 % 2 == 0 ? std::sin(2 * std::numbers::pi * 70 * t) : 0.5 * noise));
  }
  return sound;
}
/// Pulses at 120 Hz through two resonances, as of a vowel.
std::vector<float> vowel(std::size_t frames) {
  std::vector<float> sound(frames);
  double past[2][2] = {};
  for (std::size_t i = 0; i < frames; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      const double hz = k == 0 ? 700 : 1200, r = std::exp(-std::numbers::pi * 90 / 48000);
      const double y = (i % 400 == 0 ? 0.5 : 0) + 2 * r * std::cos(2 * std::numbers::pi * hz / 48000) * past[k][0] -
                       r * r * past[k][1];
      past[k][1] = past[k][0];
      past[k][0] = y;
      sum += y;
    }
    sound[i] = static_cast<float>(0.1 * sum);
  }
  return sound;
}
/// Power above a frequency over all power, by a low-pass of first order.
double share_above(const std::vector<float>& sound, double hz) {
  const double a = 1 - std::exp(-2 * std::numbers::pi * hz / 48000);
  double low = 0, above = 0, all = 0;
  for (const float x : sound) {
    low += a * (static_cast<double>(x) - low);
    above += (static_cast<double>(x) - low) * (static_cast<double>(x) - low);
    all += static_cast<double>(x) * static_cast<double>(x);
  }
  return above / all;
}

TEST(PresetsWithInput, ADrumLoopThroughASnareBedAndAVoiceThroughASitarBridge) {
  constexpr std::size_t frames = 48000;
  for (const std::string name : {"Snare bed", "Sitar bridge"}) {
    const bool snare = name == "Snare bed";
    const std::vector<float> sound = snare ? drum_loop(frames) : vowel(frames);
    const auto instrument = plugin::open_instrument(name, 48000);
    ASSERT_EQ(instrument->engine().input().channels(), 1u);
    std::vector<float> left(frames), right(frames);
    float* out[] = {left.data(), right.data()};
    const float* in[] = {sound.data()};
    instrument->process(out, frames, {}, in);
    ASSERT_FALSE(instrument->failed()) << instrument->failure_text();
    const Ledger& l = instrument->engine().world().ledger();
    EXPECT_LT(l.worst_residual_J, 1e-11 * l.largest_J) << name;
    EXPECT_GT(l.injected_J, 1e-6) << name;
    float peak = 0;
    for (std::size_t i = 0; i < frames; ++i) peak = std::max({peak, std::abs(left[i]), std::abs(right[i])});
    EXPECT_GT(peak, 0.02) << name;
    EXPECT_LT(peak, 1) << name;
    // It rattles and buzzes: the first burst of the loop is low, and so is the vowel.
    const auto begin = [](const std::vector<float>& all) {
      return std::vector<float>(all.begin(), all.begin() + 12000);
    };
    EXPECT_GT(share_above(begin(left), 3000), 2 * share_above(begin(sound), 3000)) << name;
    for (const ContactReport& c : instrument->engine().world().contacts()) {
      const bool of_keys = c.name.find("baj") != std::string::npos || c.name.find("stick") != std::string::npos;
      EXPECT_TRUE(of_keys || c.record.impacts > 10) << name << ": " << c.name;
    }
  }
}

/// Kept by the first version; its scene is not that of the preset of its name any more.
TEST(PluginState, OfTheFirstVersionLoads) {
  std::ifstream file(JAWARI_SOURCE_DIR "/tests/plugins/states/tanpura-1.state", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  ASSERT_FALSE(text.empty());
  plugin::PluginCore core(3);
  core.activate(48000);
  core.load_state(text);
  EXPECT_EQ(text.substr(text.size() - core.scene_text().size()), core.scene_text());
  const auto value = [&](std::uint32_t id) { return core.value(*core.find_parameter(id)); };
  EXPECT_EQ(value(plugin::level), -6.5);
  EXPECT_EQ(value(plugin::tonic), 1);
  EXPECT_EQ(value(plugin::a4_hz), 432);
  EXPECT_EQ(core.value_text(*core.find_parameter(plugin::tuning), value(plugin::tuning)), "sitar");
  ASSERT_EQ(core.control_count(), 3u);
  EXPECT_NEAR(plugin::macro_value(core.control(0), value(plugin::first_macro)), 0.02, 1e-12);
  EXPECT_NEAR(plugin::macro_value(core.control(2), value(plugin::first_macro + 2)), 20, 1e-12);
  plugin::PluginCore again;
  again.load_state(core.save_state());
  EXPECT_EQ(again.save_state(), core.save_state());
}

/// All presets in turn, built by one thread while another one plays: every sample is there, and none jumps.
TEST(PresetSwitch, WhileAnotherThreadPlays) {
  plugin::PluginCore core;
  core.activate(48000);
  std::atomic<bool> stop{false};
  std::atomic<long> played{0};
  double peak = 0;
  bool finite = true;
  std::thread audio([&] {
    std::vector<float> left(64), right(64);
    float* out[] = {left.data(), right.data()};
    for (long block = 0; !stop; ++block) {
      std::vector<plugin::PluginEvent> events;
      if (block % 20 == 0)
        for (const int key : {36, 43, 50, 57, 64}) {
          plugin::PluginEvent e;
          e.event.type = block % 40 == 0 ? NoteEvent::note_on : NoteEvent::note_off;
          e.event.key = key;
          e.event.value = 0.6;
          events.push_back(e);
        }
      core.process(out, 64, events);
      core.clear_ended();
      for (const auto* c : {&left, &right})
        for (const float x : *c) {
          finite &= std::isfinite(x);
          peak = std::max(peak, std::abs(static_cast<double>(x)));
        }
      ++played;
    }
  });
  for (std::size_t i = 1; i <= presets().size(); ++i) {
    core.use_preset(i % presets().size());
    for (const long from = played; played < from + 60;) std::this_thread::yield();  // the fade takes 15 blocks
    core.on_main();
  }
  stop = true;
  audio.join();
  EXPECT_TRUE(finite);
  EXPECT_GT(peak, 1e-3);
  EXPECT_LT(peak, 2);
  EXPECT_EQ(core.preset(), 0u);
}

std::string word(const testing::TestParamInfo<std::size_t>& info) {
  std::string name;
  for (const char c : presets()[info.param].name)
    if (std::isalnum(static_cast<unsigned char>(c))) name += c;
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, Presets, testing::Range<std::size_t>(0, presets().size()), word);

}  // namespace
}  // namespace jawari
