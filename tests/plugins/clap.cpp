// SPDX-License-Identifier: MIT
// The CLAP plug-in in a host of our own: what it says of itself, any blocks and rates, any parameters and events,
// states, and no allocation while it plays.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "jawari/instrument.h"
#include "jawari/io/scene_file.h"
#include "plugins/clap_host.h"
#include "plugins/core/open_instrument.h"
#include "plugins/core/plugin_core.h"
#include "plugins/core/plugin_state.h"
#include "plugins/offline.h"
#include "support/counted_memory.h"

namespace {
std::atomic<bool> strict{false};
std::atomic<long> allocated{0};
thread_local bool counts = false;  // of a thread of its own
void note() noexcept {
  if (strict || counts) ++allocated;
}
}  // namespace
namespace jawari {
namespace {

using test::clap_midi;
using test::clap_note;
using test::clap_param;
using test::ClapEvent;
using test::ClapHost;

struct Stereo {
  std::vector<float> left, right;
  explicit Stereo(std::size_t n) : left(n), right(n) {}
  bool operator==(const Stereo& o) const {
    return std::memcmp(left.data(), o.left.data(), 4 * left.size()) == 0 &&
           std::memcmp(right.data(), o.right.data(), 4 * right.size()) == 0;
  }
  float peak() const {
    float most = 0;
    for (std::size_t i = 0; i < left.size(); ++i) most = std::max({most, std::abs(left[i]), std::abs(right[i])});
    return most;
  }
};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  std::uint64_t below(std::uint64_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ % n;
  }
  double unit() { return static_cast<double>(below(1u << 30)) / (1u << 30); }

 private:
  std::uint64_t state_;
};

/// Events at frames from the start, in blocks of any size.
Stereo play(ClapHost& host, std::vector<ClapEvent> score, std::size_t frames, auto&& next_block) {
  Stereo s(frames);
  std::size_t next = 0;
  std::vector<ClapEvent> block;
  for (std::size_t at = 0; at < frames;) {
    const auto n = static_cast<std::uint32_t>(std::min<std::size_t>(next_block(), frames - at));
    block.clear();
    for (; next < score.size() && score[next].header.time < at + n; ++next) {
      block.push_back(score[next]);
      block.back().header.time -= static_cast<std::uint32_t>(at);
    }
    host.process(&s.left[at], &s.right[at], n, block);
    at += n;
  }
  return s;
}

std::vector<ClapEvent> tune() {
  std::vector<ClapEvent> score;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const int key = 45 + static_cast<int>(i * 5 % 12);
    score.push_back(clap_note(300 * i, CLAP_EVENT_NOTE_ON, key, 0.3 + 0.015 * i, 0, static_cast<int>(i)));
    clap_event_note_expression_t e = {};
    e.expression_id = CLAP_NOTE_EXPRESSION_TUNING;
    e.note_id = static_cast<int>(i);
    e.port_index = e.channel = e.key = -1;
    e.value = 0.01 * i;
    score.push_back(test::clap_event(e, 300 * i + 40, CLAP_EVENT_NOTE_EXPRESSION));
    score.push_back(clap_param(300 * i + 100, plugin::first_macro + i % 4, 0.025 * i));
    if (i == 20) score.push_back(clap_param(300 * i + 150, plugin::level, -6));
    if (i == 30) score.push_back(clap_param(300 * i + 150, plugin::tuning, 3));
    score.push_back(clap_note(300 * i + 250, CLAP_EVENT_NOTE_OFF, key, 0.5, 0, static_cast<int>(i)));
  }
  return score;
}

TEST(Clap, SaysWhatItIs) {
  ClapHost host(JAWARI_CLAP);
  EXPECT_STREQ(host.descriptor->id, "org.jawari.instrument");
  const auto* audio = host.get<clap_plugin_audio_ports_t>(CLAP_EXT_AUDIO_PORTS);
  const auto* notes = host.get<clap_plugin_note_ports_t>(CLAP_EXT_NOTE_PORTS);
  ASSERT_TRUE(audio && notes);
  EXPECT_EQ(audio->count(host.plugin, false), 1u);
  EXPECT_EQ(audio->count(host.plugin, true), 0u);
  EXPECT_EQ(notes->count(host.plugin, true), 1u);
  clap_note_port_info_t port = {};
  ASSERT_TRUE(notes->get(host.plugin, 0, true, &port));
  EXPECT_EQ(port.preferred_dialect, static_cast<std::uint32_t>(CLAP_NOTE_DIALECT_CLAP));
  ASSERT_TRUE(host.start(48000));
  jawari_clap_voice_info voices = {};
  const auto* voice_info = host.get<jawari_clap_plugin_voice_info>(JAWARI_CLAP_EXT_VOICE_INFO);
  ASSERT_TRUE(voice_info && voice_info->get(host.plugin, &voices));
  EXPECT_GT(voices.voice_count, 0u);
  EXPECT_GE(voices.voice_capacity, voices.voice_count);
  EXPECT_GT(host.get<jawari_clap_plugin_tail>(JAWARI_CLAP_EXT_TAIL)->get(host.plugin), 0u);
  EXPECT_EQ(host.get<clap_plugin_latency_t>(CLAP_EXT_LATENCY)->get(host.plugin), 0u);
  EXPECT_EQ(host.plugin->get_extension(host.plugin, "no.such.extension"), nullptr);
}

TEST(Clap, ParametersHaveTextsAndRanges) {
  ClapHost host(JAWARI_CLAP);
  std::set<clap_id> ids;
  for (std::uint32_t i = 0; i < host.params->count(host.plugin); ++i) {
    clap_param_info_t info = {};
    ASSERT_TRUE(host.params->get_info(host.plugin, i, &info));
    EXPECT_TRUE(ids.insert(info.id).second);
    EXPECT_LT(info.min_value, info.max_value);
    double value = -1e9;
    ASSERT_TRUE(host.params->get_value(host.plugin, info.id, &value));
    EXPECT_EQ(value, info.default_value) << info.name;
    for (const double share : {0.0, 0.3, 1.0}) {
      double x = info.min_value + share * (info.max_value - info.min_value);
      if (info.flags & CLAP_PARAM_IS_STEPPED) x = std::floor(x);
      char text[64] = {};
      ASSERT_TRUE(host.params->value_to_text(host.plugin, info.id, x, text, sizeof text));
      double back = -1e9;
      ASSERT_TRUE(host.params->text_to_value(host.plugin, info.id, text, &back)) << info.name << ' ' << text;
      EXPECT_NEAR(back, x, 2e-3 * (info.max_value - info.min_value)) << info.name << ' ' << text;
    }
  }
  double value = 0;
  EXPECT_FALSE(host.params->get_value(host.plugin, 9999, &value));
  clap_param_info_t info = {};
  EXPECT_FALSE(host.params->get_info(host.plugin, 9999, &info));
}

TEST(Clap, SameSamplesInAnyBlocks) {
  ClapHost host(JAWARI_CLAP);
  ASSERT_TRUE(host.start(48000));
  const Stereo whole = play(host, tune(), 16000, [] { return 4096; });
  EXPECT_GT(whole.peak(), 0);
  Dice dice(7);
  for (const int kind : {0, 1, 2}) {
    ASSERT_TRUE(host.start(48000));
    double value = 0;
    for (std::uint32_t id : {plugin::level, plugin::tuning}) {  // as at the start
      ASSERT_TRUE(host.params->get_value(host.plugin, id, &value));
    }
    ClapHost fresh(JAWARI_CLAP);
    ASSERT_TRUE(fresh.start(48000));
    const Stereo s = play(fresh, tune(), 16000, [&] {
      return kind == 0 ? std::size_t{64} : kind == 1 ? std::size_t{1} : 1 + dice.below(4096);
    });
    EXPECT_TRUE(s == whole) << kind;
  }
}

TEST(Clap, AnyRate) {
  for (const double rate : {8000.0, 22050.0, 44100.0, 48000.0, 96000.0, 192000.0, 384000.0}) {
    ClapHost host(JAWARI_CLAP);
    ASSERT_TRUE(host.start(rate)) << rate;
    const Stereo s = play(host, {clap_note(10, CLAP_EVENT_NOTE_ON, 48, 0.9)}, static_cast<std::size_t>(rate / 10),
                          [] { return 333; });
    EXPECT_GT(s.peak(), 0) << rate;
    EXPECT_LT(s.peak(), 10) << rate;
  }
}

TEST(Clap, NothingIsAllocatedWhileItPlays) {
  ClapHost host(JAWARI_CLAP);
  ASSERT_TRUE(host.start(48000));
  Stereo s(512);
  Dice dice(3);
  for (int round = 0; round < 60; ++round) {
    std::vector<ClapEvent> events;
    for (int i = 0; i < 30; ++i) {
      const auto time = static_cast<std::uint32_t>(16 * i);
      const int key = 40 + static_cast<int>(dice.below(30));
      if (i % 3 == 0) events.push_back(clap_note(time, CLAP_EVENT_NOTE_ON, key, dice.unit(), 0, i));
      if (i % 3 == 1) events.push_back(clap_note(time, CLAP_EVENT_NOTE_OFF, key, 0.5, 0, i - 1));
      if (i % 3 == 2) events.push_back(clap_param(time, static_cast<clap_id>(dice.below(32)), 12 * dice.unit()));
      if (i == 20) events.push_back(clap_midi(time, 0xb0, 64, 127));
    }
    allocated = 0;
    host.process(s.left.data(), s.right.data(), 512, events, [](bool on) { strict = on; });
    ASSERT_EQ(allocated, 0) << round;
  }
}

TEST(Clap, TenThousandRandomEventsAndParameters) {
  ClapHost host(JAWARI_CLAP);
  ASSERT_TRUE(host.start(44100));
  Dice dice(11);
  Stereo s(4096);
  for (int done = 0; done < 10000;) {
    const auto frames = static_cast<std::uint32_t>(1 + dice.below(dice.below(9) == 0 ? 4096 : 300));
    std::vector<ClapEvent> events;
    for (std::uint64_t n = dice.below(16), time = 0; n > 0; --n) {
      time = std::min<std::uint64_t>(frames - 1, time + dice.below(40));
      const auto t = static_cast<std::uint32_t>(time);
      const double wild = dice.below(20) == 0 ? (dice.below(2) ? NAN : 1e300) : dice.unit();
      switch (dice.below(7)) {
        case 0:
        case 1:
          events.push_back(clap_note(t, static_cast<std::uint16_t>(dice.below(3)),
                                     static_cast<int>(dice.below(140)) - 5, wild, static_cast<int>(dice.below(20)) - 2,
                                     static_cast<int>(dice.below(40)) - 1));
          break;
        case 2:
          events.push_back(clap_param(t, static_cast<clap_id>(dice.below(40)), 20 * wild - 10));
          break;
        case 3: {
          clap_event_note_expression_t e = {};
          e.expression_id = static_cast<clap_note_expression>(dice.below(9));
          e.note_id = static_cast<int>(dice.below(40)) - 1;
          e.port_index = e.channel = e.key = -1;
          e.value = wild;
          events.push_back(test::clap_event(e, t, CLAP_EVENT_NOTE_EXPRESSION));
          break;
        }
        case 4: {
          clap_event_param_mod_t e = {};
          e.param_id = plugin::first_macro + static_cast<clap_id>(dice.below(18));
          e.note_id = static_cast<int>(dice.below(40)) - 1;
          e.port_index = e.channel = e.key = -1;
          e.amount = 2 * wild - 1;
          events.push_back(test::clap_event(e, t, CLAP_EVENT_PARAM_MOD));
          break;
        }
        case 5:
          events.push_back(clap_midi(t, static_cast<std::uint8_t>(0x80 + dice.below(0x40)),
                                     static_cast<std::uint8_t>(dice.below(256)),
                                     static_cast<std::uint8_t>(dice.below(256))));
          break;
        default: {  // an event that is shorter than it says, of another space
          ClapEvent e = clap_note(t, CLAP_EVENT_NOTE_ON, 60, 1);
          (dice.below(2) ? e.header.size : e.header.time) = 16;
          if (e.header.time == 16) e.header.time = t;
          if (dice.below(2)) e.header.space_id = 7;
          events.push_back(e);
        }
      }
    }
    done += static_cast<int>(events.size());
    host.process(s.left.data(), s.right.data(), frames, events);
    for (std::uint32_t i = 0; i < frames; ++i) ASSERT_TRUE(std::isfinite(s.left[i]) && std::isfinite(s.right[i]));
  }
}

TEST(Clap, EveryNoteEndsOnce) {
  ClapHost host(JAWARI_CLAP);
  ASSERT_TRUE(host.start(48000));
  Stereo s(480);
  std::multiset<int> ended;
  int begun = 0;
  for (int block = 0; block < 1500; ++block) {
    std::vector<ClapEvent> events;
    if (block < 40) {
      events.push_back(clap_note(3, CLAP_EVENT_NOTE_ON, 45 + block % 14, 0.8, 0, block));
      events.push_back(clap_note(200, CLAP_EVENT_NOTE_OFF, 45 + block % 14, 0.8, 0, block));
      events.push_back(clap_note(201, CLAP_EVENT_NOTE_ON, 127, 0.8, 0, 1000 + block));  // no voice reaches it
      begun += 2;
    }
    host.process(s.left.data(), s.right.data(), 480, events);
    for (std::size_t i = 0; i < host.ended_count; ++i) ended.insert(host.ended[i].note_id);
    if (static_cast<int>(ended.size()) == begun && block > 50) break;
  }
  EXPECT_EQ(static_cast<int>(ended.size()), begun);
  EXPECT_EQ(std::set<int>(ended.begin(), ended.end()).size(), ended.size());
  clap_process_status status = CLAP_PROCESS_CONTINUE;
  for (int i = 0; i < 500 && status != CLAP_PROCESS_SLEEP; ++i)
    status = host.process(s.left.data(), s.right.data(), 480);
  EXPECT_EQ(status, CLAP_PROCESS_SLEEP);
}

TEST(Clap, StateComesBack) {
  ClapHost one(JAWARI_CLAP);
  ASSERT_TRUE(one.start(48000));
  Stereo s(64);
  one.process(s.left.data(), s.right.data(), 64,
              {clap_param(0, plugin::level, -7.5), clap_param(0, plugin::tuning, 3), clap_param(0, plugin::tonic, 2),
               clap_param(0, plugin::first_macro, 0.3), clap_param(0, plugin::first_macro + 1, 0.9)});
  const std::string state = one.save();
  ClapHost two(JAWARI_CLAP);
  ASSERT_TRUE(two.load(state));
  EXPECT_EQ(two.save(), state);
  EXPECT_GT(two.rescans, 0);
  for (std::uint32_t i = 0; i < one.params->count(one.plugin); ++i) {
    clap_param_info_t info = {};
    one.params->get_info(one.plugin, i, &info);
    double a = 0;
    double b = 1;
    one.params->get_value(one.plugin, info.id, &a);
    two.params->get_value(two.plugin, info.id, &b);
    EXPECT_NEAR(a, b, 1e-12) << info.name;
  }
  ASSERT_TRUE(one.start(48000));
  ASSERT_TRUE(two.start(48000));
  const auto fresh = [] { return 256; };
  EXPECT_TRUE(play(one, tune(), 9600, fresh) == play(two, tune(), 9600, fresh));
  const std::string before = two.save();
  for (std::size_t cut = 0; cut < state.size(); cut += 97) EXPECT_FALSE(two.load(state.substr(0, cut)));
  EXPECT_FALSE(two.load("jawari-state 2\nscene 0\n"));
  EXPECT_EQ(two.save(), before);
}

/// Level and bypass of a state that is loaded while the plug-in is active are heard with the next note.
TEST(Clap, LevelAndBypassOfAStateAreHeard) {
  const auto state = [](double level, double bypass) {
    ClapHost host(JAWARI_CLAP);
    host.flush({clap_param(0, plugin::level, level), clap_param(0, plugin::bypass, bypass)});
    return host.save();
  };
  const auto after = [&](const std::string& text) {
    ClapHost host(JAWARI_CLAP);
    EXPECT_TRUE(host.start(48000));
    Stereo s(4800);
    host.process(s.left.data(), s.right.data(), 4800);
    EXPECT_TRUE(host.load(text));
    host.process(s.left.data(), s.right.data(), 4800, {clap_note(0, CLAP_EVENT_NOTE_ON, 48, 1)});
    return s;
  };
  const Stereo plain = after(state(0, 0)), soft = after(state(-6, 0)), silent = after(state(0, 1));
  const double gain = std::pow(10, -6 / 20.0);
  EXPECT_GT(plain.peak(), 1e-3);
  EXPECT_EQ(silent.peak(), 0);
  for (std::size_t i = 0; i < 4800; ++i)
    ASSERT_NEAR(soft.left[i], gain * static_cast<double>(plain.left[i]), 1e-7 * std::abs(plain.left[i])) << i;
}

TEST(Clap, LoadsWhileItPlaysWithAFade) {
  ClapHost host(JAWARI_CLAP);
  ASSERT_TRUE(host.start(48000));
  Stereo s(4800);
  host.process(s.left.data(), s.right.data(), 4800, {clap_note(0, CLAP_EVENT_NOTE_ON, 48, 1)});
  ASSERT_TRUE(host.load(host.save()));
  host.process(s.left.data(), s.right.data(), 4800);
  float before = 0;
  for (std::size_t i = 0; i < 400; ++i) before = std::max(before, std::abs(s.left[i]));
  EXPECT_GT(before, 0);
  for (std::size_t i = 961; i < 4800; ++i) ASSERT_EQ(s.left[i], 0);
  host.process(s.left.data(), s.right.data(), 4800, {clap_note(0, CLAP_EVENT_NOTE_ON, 48, 1)});
  EXPECT_GT(s.peak(), 0);
}

TEST(Clap, ProgramsArePresets) {
  ClapHost host(JAWARI_CLAP);
  ASSERT_TRUE(host.start(48000));
  Stereo s(256);
  std::set<std::string> states{host.save()};
  for (std::size_t i = 1; i < plugin::presets().size(); ++i) {
    host.process(s.left.data(), s.right.data(), 256, {clap_midi(0, 0xc0, static_cast<std::uint8_t>(i), 0)});
    EXPECT_TRUE(states.insert(host.save()).second) << i;
  }
  const int before = host.rescans;
  host.process(s.left.data(), s.right.data(), 256, {clap_midi(0, 0xc0, 127, 0)});  // none
  EXPECT_EQ(host.rescans, before);
}

TEST(Clap, BypassFades) {
  ClapHost host(JAWARI_CLAP);
  ASSERT_TRUE(host.start(48000));
  Stereo s(4800);
  host.process(s.left.data(), s.right.data(), 4800, {clap_note(0, CLAP_EVENT_NOTE_ON, 48, 1)});
  host.process(s.left.data(), s.right.data(), 4800, {clap_param(100, plugin::bypass, 1)});
  for (std::size_t i = 100 + 960; i < 4800; ++i) ASSERT_EQ(s.left[i], 0);
  EXPECT_GT(s.peak(), 0);
  host.process(s.left.data(), s.right.data(), 4800, {clap_param(0, plugin::bypass, 0)});
  EXPECT_GT(s.peak(), 0);
}

/// The instrument itself gives the same samples as its plug-in.
TEST(Clap, EqualsTheInstrument) {
  Scene scene = parse_scene(plugin::presets()[0].text, "preset").scene;
  scene.rate_hz = 48000;
  Instrument instrument(scene);
  ClapHost host(JAWARI_CLAP);
  ASSERT_TRUE(host.start(48000));
  const Stereo a = play(host,
                        {clap_midi(10, 0x90, 48, 100), clap_midi(500, 0xb0, 64, 127), clap_midi(900, 0x90, 55, 60),
                         clap_midi(2000, 0x80, 48, 64), clap_midi(2100, 0xe0, 0, 80)},
                        9600, [] { return 100; });
  Stereo b(9600);
  float* out[] = {b.left.data(), b.right.data()};
  const auto event = [](std::uint32_t frame, NoteEvent::Type type, double key, double value) {
    NoteEvent e;
    e.frame = frame;
    e.type = type;
    e.key = key;
    e.value = value;
    return e;
  };
  const std::vector<NoteEvent> events{
      event(10, NoteEvent::note_on, 48, 99 / 126.0), event(500, NoteEvent::pedal, -1, 1),
      event(900, NoteEvent::note_on, 55, 59 / 126.0), event(2000, NoteEvent::note_off, 48, 64 / 127.0),
      event(2100, NoteEvent::bend, -1, 0.25)};
  instrument.process(out, 9600, events);
  EXPECT_TRUE(a == b);
  EXPECT_GT(a.peak(), 0);
}

/// A score, note by note, gives what it gives offline.
TEST(Clap, EqualsAScoreThatIsRendered) {
  for (const char* name : {"Sitar", "Marimba", "Felt piano"}) {
    std::size_t preset = 0;
    while (plugin::presets()[preset].name != name) ++preset;
    const auto want = test::rendered_offline(preset);
    ClapHost host(JAWARI_CLAP);
    Stereo chosen(64);
    ASSERT_TRUE(host.start(48000));
    host.process(chosen.left.data(), chosen.right.data(), 64,
                 {clap_midi(0, 0xc0, static_cast<std::uint8_t>(preset), 0)});
    host.stop();
    ASSERT_TRUE(host.start(48000));
    std::vector<ClapEvent> score;
    for (const test::ScoreNote& n : test::score_notes())
      score.push_back(clap_midi(n.frame, n.velocity ? 0x90 : 0x80, n.key, n.velocity ? n.velocity : 64));
    const Stereo got = play(host, score, test::score_frames, [] { return 347; });
    EXPECT_GT(got.peak(), 1e-2) << name;
    EXPECT_EQ(got.left, want[0]) << name;
    EXPECT_EQ(got.right, want[1]) << name;
  }
}

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  for (char part[512]; pipe && std::fgets(part, sizeof part, pipe);) text += part;
  if (pipe) pclose(pipe);
  return text;
}

/// Libraries of the linker's list, those that they need included.
std::set<std::string> libraries_of(const std::string& path) {
  std::set<std::string> names;
  std::istringstream text(output_of("ldd " + path));
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string name;
    if (words >> name) names.insert(name.substr(name.rfind('/') + 1));
  }
  return names;
}

/// The C and C++ libraries, and for the window X11 and Cairo with what these need.
TEST(Clap, NeedsTheLibrariesOfTheWindowAloneAndExportsItsEntryAlone) {
  const std::string symbols = output_of("nm -D --defined-only " JAWARI_CLAP);
  EXPECT_EQ(std::count(symbols.begin(), symbols.end(), '\n'), 1) << symbols;
  EXPECT_NE(symbols.find("clap_entry"), std::string::npos);
  std::set<std::string> may{"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "linux-vdso.so.1"};
  for (const std::string& name : libraries_of(JAWARI_CLAP)) {
    if (name.starts_with("ld-linux")) may.insert(name);
    if (!name.starts_with("libcairo.so") && !name.starts_with("libX11.so")) continue;
    may.insert(name);
    const std::string path = output_of("ldd " JAWARI_CLAP " | sed -n 's,.*" + name + " => \\([^ ]*\\) .*,\\1,p'");
    may.merge(libraries_of(path));
  }
  for (const std::string& name : libraries_of(JAWARI_CLAP)) EXPECT_TRUE(may.contains(name)) << name;
}

/// How the processor rounds and treats tiny numbers, without what it has noticed.
std::uint64_t arithmetic() {
#if defined(__x86_64__)
  return _mm_getcsr() & ~0x3fu;
#elif defined(__aarch64__)
  std::uint64_t fpcr;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  return fpcr;
#else
  return 0;
#endif
}
void flush_tiny_numbers([[maybe_unused]] bool on) {
#if defined(__x86_64__)
  _mm_setcsr(on ? _mm_getcsr() | 0x8040u : _mm_getcsr() & ~0x8040u);
#elif defined(__aarch64__)
  std::uint64_t fpcr;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  asm volatile("msr fpcr, %0" ::"r"(on ? fpcr | (1u << 24) : fpcr & ~std::uint64_t{1u << 24}));
#endif
}

/// Tiny numbers in the sound that comes in, in velocities and in parameters, with hosts that flush them and hosts that
/// do not: the processor computes after the block as before, and what comes out is a number.
TEST(Clap, LeavesTheArithmeticAsItWas) {
  for (const bool flushes : {false, true}) {
    ClapHost host(JAWARI_CLAP);
    std::size_t bridge = 0;
    while (plugin::presets()[bridge].name != "Sitar bridge") ++bridge;
    ASSERT_TRUE(host.start(48000));
    std::vector<float> left(512), right(512), in(512, 1e-40f);
    host.process(left.data(), right.data(), 64, {clap_midi(0, 0xc0, static_cast<std::uint8_t>(bridge), 0)});
    ASSERT_TRUE(host.start(48000));
    for (std::size_t i = 0; i < in.size(); i += 2) in[i] = -1e-42f;
    flush_tiny_numbers(flushes);
    const std::uint64_t before = arithmetic();
    std::uint64_t during = before;
    bool finite = true;
    for (std::uint32_t block = 0; block < 40; ++block) {
      host.sound_in = {in.data()};
      host.process(left.data(), right.data(), 512,
                   {clap_note(0, CLAP_EVENT_NOTE_ON, 50, block % 2 == 0 ? 1e-40 : 1e-310),
                    clap_param(9, plugin::first_macro + block % 4, 1e-40), clap_param(11, plugin::level, -1e-310),
                    clap_note(90, CLAP_EVENT_NOTE_OFF, 50, 1e-40)});
      during = arithmetic();
      if (during != before) break;
      for (const auto* c : {&left, &right})
        for (const float x : *c) finite &= std::isfinite(x);
    }
    flush_tiny_numbers(false);
    EXPECT_EQ(during, before);
    EXPECT_TRUE(finite);
  }
}

/// 10,000 notes on and off, several in most blocks of 1 to 4096 frames: every one ends once, nothing is allocated.
TEST(Clap, TenThousandNoteEvents) {
  ClapHost host(JAWARI_CLAP);
  ASSERT_TRUE(host.start(48000));
  Dice dice(5);
  Stereo s(4096);
  std::vector<std::pair<int, int>> down;  // key and id
  std::vector<int> ended(5000, 0);
  std::vector<ClapEvent> events;
  int begun = 0, events_sent = 0;
  std::uint32_t until = 0;
  while (events_sent < 10000) {
    const auto frames = static_cast<std::uint32_t>(1 + dice.below(dice.below(30) == 0 ? 4096 : 250));
    events.clear();
    for (; until < frames && events_sent < 10000; until += static_cast<std::uint32_t>(dice.below(40)), ++events_sent) {
      const bool last = begun == 5000;
      if (last || (!down.empty() && dice.below(24) < down.size())) {
        const std::size_t i = dice.below(down.size());
        events.push_back(clap_note(until, CLAP_EVENT_NOTE_OFF, down[i].first, dice.unit(), 0, down[i].second));
        down.erase(down.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        const int key = 36 + static_cast<int>(dice.below(25));  // C2 to C4, what the preset plays
        events.push_back(clap_note(until, CLAP_EVENT_NOTE_ON, key, dice.unit(), 0, begun));
        down.emplace_back(key, begun++);
      }
    }
    until -= std::min(until, frames);
    allocated = 0;
    host.process(s.left.data(), s.right.data(), frames, events, [](bool on) { strict = on; });
    ASSERT_EQ(allocated, 0);
    for (std::size_t i = 0; i < host.ended_count; ++i) ++ended[static_cast<std::size_t>(host.ended[i].note_id)];
    for (std::uint32_t i = 0; i < frames; ++i) ASSERT_TRUE(std::isfinite(s.left[i]) && std::isfinite(s.right[i]));
  }
  EXPECT_EQ(begun, 5000);
  EXPECT_TRUE(down.empty());
  clap_process_status status = CLAP_PROCESS_CONTINUE;
  for (int i = 0; i < 300 && status != CLAP_PROCESS_SLEEP; ++i) {
    status = host.process(s.left.data(), s.right.data(), 4096);
    for (std::size_t k = 0; k < host.ended_count; ++k) ++ended[static_cast<std::size_t>(host.ended[k].note_id)];
  }
  EXPECT_EQ(status, CLAP_PROCESS_SLEEP);
  EXPECT_EQ(std::count(ended.begin(), ended.end(), 1), 5000);
}

/// A thread plays while the main one asks, saves, loads and chooses: every call comes where the host allows it, and
/// nothing is allocated in the blocks.
TEST(Clap, PlaysOnAThreadOfItsOwn) {
  ClapHost host(JAWARI_CLAP);
  ASSERT_TRUE(host.start(48000));
  std::atomic<bool> stop{false};
  std::atomic<long> played{0}, bad{0};
  std::atomic<int> program{-1};
  allocated = 0;
  std::thread audio([&] {
    std::vector<float> left(256), right(256);
    std::vector<ClapEvent> events;
    Dice dice(21);
    for (; !stop; ++played) {
      events.clear();
      const auto key = 36 + static_cast<int>(dice.below(40));
      if (played % 8 == 0) events.push_back(clap_note(7, CLAP_EVENT_NOTE_ON, key, dice.unit()));
      if (played % 8 == 5) events.push_back(clap_midi(11, 0xb0, 123, 0));
      events.push_back(clap_param(20, plugin::first_macro + static_cast<clap_id>(dice.below(4)), dice.unit()));
      if (const int p = program.exchange(-1); p >= 0)
        events.push_back(clap_midi(30, 0xc0, static_cast<std::uint8_t>(p), 0));
      host.process(left.data(), right.data(), 1 + static_cast<std::uint32_t>(dice.below(256)), events,
                   [](bool on) { counts = on; });
      for (const auto* c : {&left, &right})
        for (const float x : *c) bad += !std::isfinite(x);
    }
  });
  const auto* voices = host.get<jawari_clap_plugin_voice_info>(JAWARI_CLAP_EXT_VOICE_INFO);
  const auto* tail = host.get<jawari_clap_plugin_tail>(JAWARI_CLAP_EXT_TAIL);
  const auto* latency = host.get<clap_plugin_latency_t>(CLAP_EXT_LATENCY);
  std::string state = host.save();
  int main_calls = 0;
  for (int round = 0; round < 24; ++round) {
    if (round % 3 == 0) program = round / 3 * 2;
    if (round % 3 == 1) state = host.save();
    if (round % 3 == 2) {
      EXPECT_TRUE(host.load(state));
    }
    for (std::uint32_t i = 0; i < host.params->count(host.plugin); ++i) {
      clap_param_info_t info = {};
      EXPECT_TRUE(host.params->get_info(host.plugin, i, &info));
      double x = 0;
      EXPECT_TRUE(host.params->get_value(host.plugin, info.id, &x));
      char text[64];
      EXPECT_TRUE(host.params->value_to_text(host.plugin, info.id, x, text, sizeof text));
    }
    jawari_clap_voice_info about = {};
    EXPECT_TRUE(voices->get(host.plugin, &about));
    EXPECT_GT(tail->get(host.plugin), 0u);
    EXPECT_LT(latency->get(host.plugin), 1000u);
    for (const long from = played; played < from + 12;) {
      main_calls += host.idle();
      std::this_thread::yield();
    }
  }
  stop = true;
  audio.join();
  EXPECT_EQ(allocated, 0);
  EXPECT_EQ(bad, 0);
  EXPECT_EQ(host.wrong_thread, 0);
  EXPECT_GT(main_calls, 0);
  EXPECT_GT(host.rescans, 8);
}

TEST(PluginState, OlderAndDamagedOnes) {
  plugin::PluginState s;
  s.preset = "A\nB";
  s.scene = "title = \"x\"\n";
  s.tuning = "sitar";
  s.values = {{"level_dB", -3.25}};
  s.controls = {{"bridge height", 0.1}};
  const plugin::PluginState back = plugin::parse_state(plugin::state_text(s));
  EXPECT_EQ(back.preset, "A B");
  EXPECT_EQ(back.scene, s.scene);
  EXPECT_EQ(back.values, s.values);
  EXPECT_EQ(back.controls, s.controls);
  EXPECT_EQ(plugin::parse_state("jawari-state 1\nsomething new 1 2 3\nscene 2\nab").scene, "ab");
  for (const char* bad : {"", "x", "jawari-state", "jawari-state 0\nscene 0\n", "jawari-state 1\n",
                          "jawari-state 1\nscene 5\nab", "jawari-state 1\nvalue x nan\nscene 0\n",
                          "jawari-state 1\nscene -1\n", "jawari-state 1\ncontrol 1e999 x\nscene 0\n"})
    EXPECT_THROW(plugin::parse_state(bad), InputError) << bad;
}

/// A program change to a preset that takes sound: the port comes at the next activation.
TEST(Clap, HasAnInputWhereThePresetTakesSound) {
  ClapHost host(JAWARI_CLAP);
  const auto* ports = host.get<clap_plugin_audio_ports_t>(CLAP_EXT_AUDIO_PORTS);
  std::size_t snare = 0;
  while (plugin::presets()[snare].name != "Snare bed") ++snare;
  EXPECT_EQ(ports->count(host.plugin, true), 0u);
  ASSERT_TRUE(host.start(48000));
  std::vector<float> left(4800), right(4800), in(4800, 0.0f);
  host.process(left.data(), right.data(), 64, {clap_midi(0, 0xc0, static_cast<std::uint8_t>(snare), 0)});
  EXPECT_EQ(host.restarts, 1);
  EXPECT_EQ(ports->count(host.plugin, true), 0u);
  ASSERT_TRUE(host.start(48000));
  EXPECT_EQ(host.port_rescans, 1);
  ASSERT_EQ(ports->count(host.plugin, true), 1u);
  clap_audio_port_info_t info = {};
  ASSERT_TRUE(ports->get(host.plugin, 0, true, &info));
  EXPECT_EQ(info.channel_count, 1u);
  EXPECT_STREQ(info.port_type, CLAP_PORT_MONO);
  EXPECT_FALSE(ports->get(host.plugin, 1, true, &info));
  for (std::size_t i = 0; i < in.size(); i += 480) in[i] = 1;
  const auto instrument = plugin::open_instrument("Snare bed", 48000);
  std::vector<float> want_left(4800), want_right(4800);
  float* want[] = {want_left.data(), want_right.data()};
  const float* sound[] = {in.data()};
  instrument->process(want, 4800, {}, sound);
  long allocations = 0;
  for (std::size_t at = 0; at < 4800; at += 96) {
    host.sound_in = {&in[at]};
    host.process(&left[at], &right[at], 96, {}, [&](bool on) {
      if (on) allocated = 0;
      strict = on;
      if (!on) allocations += allocated;
    });
  }
  EXPECT_EQ(allocations, 0);
  EXPECT_EQ(left, want_left);
  EXPECT_EQ(right, want_right);
  EXPECT_GT(*std::max_element(left.begin(), left.end()), 1e-3f);
}

}  // namespace
}  // namespace jawari
