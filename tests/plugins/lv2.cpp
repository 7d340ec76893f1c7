// SPDX-License-Identifier: MIT
// The LV2 plug-ins in a host made with lilv: what the bundle says of them, the samples of the instrument bit for bit,
// any blocks, no allocation while they play, and states that come back.
#include <gtest/gtest.h>
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/atom/forge.h>
#include <lv2/midi/midi.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "jawari/instrument/midi_input.h"
#include "plugins/core/open_instrument.h"
#include "plugins/core/plugin_core.h"
#include "plugins/lv2/lv2_ports.h"
#include "plugins/offline.h"
#include "support/counted_memory.h"

namespace {
std::atomic<bool> strict{false};
std::atomic<long> allocated{0};
void note() noexcept {
  if (strict) ++allocated;
}
}  // namespace
namespace jawari {
namespace {

using namespace plugin;

struct World {
  LilvWorld* world = lilv_world_new();
  World() {
    LilvNode* bundle = lilv_new_file_uri(world, nullptr, JAWARI_LV2 "/");
    lilv_world_load_specifications(world);
    lilv_world_load_bundle(world, bundle);
    lilv_node_free(bundle);
  }
  ~World() { lilv_world_free(world); }
  const LilvPlugin* find(const std::string& uri) const {
    LilvNode* node = lilv_new_uri(world, uri.c_str());
    const LilvPlugin* plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), node);
    lilv_node_free(node);
    return plugin;
  }
};

struct Urids {
  std::vector<std::string> names;
  LV2_URID_Map map = {this, [](void* self, const char* uri) -> LV2_URID {
                        auto& n = static_cast<Urids*>(self)->names;
                        for (std::size_t i = 0; i < n.size(); ++i)
                          if (n[i] == uri) return static_cast<LV2_URID>(i + 1);
                        n.emplace_back(uri);
                        return static_cast<LV2_URID>(n.size());
                      }};
  LV2_Feature feature = {LV2_URID__map, &map};
  LV2_URID operator()(const char* uri) { return map.map(map.handle, uri); }
};

struct Message {
  std::uint32_t frame;
  std::array<std::uint8_t, 3> bytes;
};

class Host {
 public:
  Host(const World& world, const std::string& uri) : plugin_(world.find(uri)) {
    if (!plugin_) throw std::runtime_error(uri + " is not in the bundle");
    const LV2_Feature* features[] = {&urids_.feature, nullptr};
    instance_ = lilv_plugin_instantiate(plugin_, 48000, features);
    if (!instance_) throw std::runtime_error(uri + " does not start");
    const std::uint32_t ports = lilv_plugin_get_num_ports(plugin_);
    values_.resize(ports);
    std::vector<float> least(ports), most(ports);
    lilv_plugin_get_port_ranges_float(plugin_, least.data(), most.data(), values_.data());
    for (std::uint32_t i = lv2_latency; i < ports; ++i) lilv_instance_connect_port(instance_, i, &values_[i]);
    lilv_instance_connect_port(instance_, lv2_midi, atoms_.data());
    lilv_instance_activate(instance_);
  }
  ~Host() { lilv_instance_free(instance_); }
  std::vector<float>& values() { return values_; }
  void activate_again() {
    lilv_instance_deactivate(instance_);
    lilv_instance_activate(instance_);
  }

  /// Messages count from the start; into both channels, one after the other.
  std::vector<std::vector<float>> play(const std::vector<Message>& score, std::size_t frames, std::size_t block) {
    std::vector<std::vector<float>> out(2, std::vector<float>(frames));
    std::size_t next = 0;
    for (std::size_t at = 0; at < frames; at += block) {
      const std::size_t n = std::min(block, frames - at);
      LV2_Atom_Forge forge;
      lv2_atom_forge_init(&forge, &urids_.map);
      lv2_atom_forge_set_buffer(&forge, reinterpret_cast<std::uint8_t*>(atoms_.data()), 8 * atoms_.size());
      LV2_Atom_Forge_Frame frame;
      lv2_atom_forge_sequence_head(&forge, &frame, 0);
      for (; next < score.size() && score[next].frame < at + n; ++next) {
        lv2_atom_forge_frame_time(&forge, score[next].frame - static_cast<std::int64_t>(at));
        lv2_atom_forge_atom(&forge, 3, urids_(LV2_MIDI__MidiEvent));
        lv2_atom_forge_write(&forge, score[next].bytes.data(), 3);
      }
      lv2_atom_forge_pop(&forge, &frame);
      lilv_instance_connect_port(instance_, lv2_left, &out[0][at]);
      lilv_instance_connect_port(instance_, lv2_right, &out[1][at]);
      strict = true;
      lilv_instance_run(instance_, static_cast<std::uint32_t>(n));
      strict = false;
    }
    return out;
  }

  std::string save() {
    std::string text;
    struct To {
      std::string* text;
      LV2_URID string;
    } to{&text, urids_(LV2_ATOM__String)};
    const auto* state =
        static_cast<const LV2_State_Interface*>(lilv_instance_get_extension_data(instance_, LV2_STATE__interface));
    const auto store = [](LV2_State_Handle handle, std::uint32_t, const void* value, std::size_t size,
                          std::uint32_t type, std::uint32_t) {
      auto* t = static_cast<To*>(handle);
      if (type != t->string) return LV2_STATE_ERR_BAD_TYPE;
      t->text->assign(static_cast<const char*>(value), size - 1);
      return LV2_STATE_SUCCESS;
    };
    EXPECT_EQ(state->save(lilv_instance_get_handle(instance_), store, &to, 0, nullptr), LV2_STATE_SUCCESS);
    return text;
  }
  LV2_State_Status load(const std::string& text) {
    struct From {
      const std::string* text;
      LV2_URID string;
    } from{&text, urids_(LV2_ATOM__String)};
    const auto* state =
        static_cast<const LV2_State_Interface*>(lilv_instance_get_extension_data(instance_, LV2_STATE__interface));
    const auto retrieve = [](LV2_State_Handle handle, std::uint32_t, std::size_t* size, std::uint32_t* type,
                             std::uint32_t* flags) -> const void* {
      auto* f = static_cast<From*>(handle);
      *size = f->text->size() + 1;
      *type = f->string;
      *flags = LV2_STATE_IS_POD;
      return f->text->c_str();
    };
    return state->restore(lilv_instance_get_handle(instance_), retrieve, &from, 0, nullptr);
  }

 private:
  const LilvPlugin* plugin_;
  LilvInstance* instance_ = nullptr;
  Urids urids_;
  std::vector<float> values_;
  std::vector<std::uint64_t> atoms_ = std::vector<std::uint64_t>(4096);
};

std::vector<Message> tune(int key) {
  std::vector<Message> score;
  for (int i = 0; i < 10; ++i) {
    const auto pitch = static_cast<std::uint8_t>(key + i * 5 % 12);
    const auto at = static_cast<std::uint32_t>(700 * i + 13);
    score.push_back({at, {0x90, pitch, static_cast<std::uint8_t>(40 + 8 * i)}});
    if (i == 4) score.push_back({at + 5, {0xe0, 0, 80}});
    score.push_back({at + 600, {0x80, pitch, 64}});
  }
  return score;
}
std::vector<std::vector<float>> of_the_instrument(const std::string& preset, const std::vector<Message>& score,
                                                  std::size_t frames) {
  const auto instrument = open_instrument(preset, 48000);
  std::vector<std::vector<float>> sound(2, std::vector<float>(frames));
  std::vector<NoteEvent> events;
  MidiInput midi;
  for (const Message& m : score) {
    NoteEvent e;
    if (midi.read(m.bytes, m.frame, e)) events.push_back(e);
  }
  float* out[] = {sound[0].data(), sound[1].data()};
  instrument->process(out, frames, events);
  return sound;
}
double peak(const std::vector<std::vector<float>>& sound) {
  float most = 0;
  for (const auto& channel : sound)
    for (const float x : channel) most = std::max(most, std::abs(x));
  return static_cast<double>(most);
}

TEST(Lv2, EveryPresetIsThereWithItsControls) {
  const World world;
  EXPECT_EQ(lilv_plugins_size(lilv_world_get_all_plugins(world.world)), presets().size());
  for (std::size_t i = 0; i < presets().size(); ++i) {
    const LilvPlugin* plugin = world.find(lv2_uri(presets()[i].name));
    ASSERT_TRUE(plugin) << presets()[i].name;
    EXPECT_TRUE(lilv_plugin_verify(plugin)) << presets()[i].name;
    const PluginCore core(i);
    ASSERT_EQ(lilv_plugin_get_num_ports(plugin), lv2_first_control + core.control_count() + core.inputs());
    for (std::size_t k = 0; k < core.control_count(); ++k) {
      const LilvPort* port = lilv_plugin_get_port_by_index(plugin, lv2_first_control + static_cast<std::uint32_t>(k));
      LilvNode* name = lilv_port_get_name(plugin, port);
      EXPECT_EQ(core.control(k).name, lilv_node_as_string(name));
      lilv_node_free(name);
    }
  }
}

TEST(Lv2, EqualsTheInstrumentInAnyBlocks) {
  const World world;
  for (const char* preset : {"Sitar", "Piano strings", "Drums"}) {
    const auto score = tune(49);
    const auto want = of_the_instrument(preset, score, 9600);
    EXPECT_GT(peak(want), 1e-3) << preset;
    for (const std::size_t block : {64u, 1u, 1000u, 4096u}) {
      if (block == 1 && std::string(preset) != "Piano strings") continue;
      Host host(world, lv2_uri(preset));
      allocated = 0;
      const auto got = host.play(score, 9600, block);
      EXPECT_EQ(allocated, 0) << preset << block;
      for (int c = 0; c < 2; ++c) EXPECT_EQ(got[c], want[c]) << preset << block;
    }
  }
}

/// A score, note by note, gives what it gives offline.
TEST(Lv2, EqualsAScoreThatIsRendered) {
  const World world;
  std::vector<Message> score;
  for (const test::ScoreNote& n : test::score_notes())
    score.push_back(
        {n.frame,
         {static_cast<std::uint8_t>(n.velocity ? 0x90 : 0x80), n.key, n.velocity ? n.velocity : std::uint8_t{64}}});
  for (std::size_t preset = 0; preset < presets().size(); ++preset) {
    const auto name = presets()[preset].name;
    if (name != "Sitar" && name != "Marimba" && name != "Felt piano") continue;
    const auto want = test::rendered_offline(preset);
    Host host(world, lv2_uri(name));
    const auto got = host.play(score, test::score_frames, 347);
    EXPECT_GT(peak(got), 1e-2) << name;
    EXPECT_EQ(got, want) << name;
  }
}

TEST(Lv2, PortsTurnTheControls) {
  const World world;
  Host plain(world, "urn:jawari:sitar");
  Host turned(world, "urn:jawari:sitar");
  turned.values()[lv2_first_control] = 0.05f;
  const auto a = plain.play(tune(49), 9600, 64);
  EXPECT_NE(a, turned.play(tune(49), 9600, 64));
  Host off(world, "urn:jawari:sitar");
  off.values()[lv2_enabled] = 0;
  off.play({}, 1000, 64);  // it fades within 20 ms
  EXPECT_EQ(peak(off.play(tune(49), 9600, 64)), 0);
  Host wild(world, "urn:jawari:sitar");
  for (std::size_t i = lv2_level; i < wild.values().size(); ++i) wild.values()[i] = i % 2 ? NAN : 1e30f;
  for (const auto& channel : wild.play(tune(49), 9600, 64))
    for (const float x : channel) ASSERT_TRUE(std::isfinite(x));
}

/// As sessions are opened: the state is restored, and ports have the values that were saved beside it.
TEST(Lv2, LevelAndBypassOfAStateAreHeard) {
  const World world;
  const auto score = tune(49);
  const auto want = of_the_instrument("Sitar", score, 9600);
  const double gain = std::pow(10, -6 / 20.0);
  for (const bool activated_before : {true, false}) {
    Host one(world, "urn:jawari:sitar"), two(world, "urn:jawari:sitar"), off(world, "urn:jawari:sitar");
    one.values()[lv2_level] = -6;
    off.values()[lv2_enabled] = 0;
    for (Host* host : {&one, &off}) host->play({}, 64, 64);
    two.play({}, 64, 64);
    EXPECT_EQ(two.load(one.save()), LV2_STATE_SUCCESS);
    two.values() = one.values();
    if (!activated_before) two.activate_again();
    two.play({}, 4800, 64);  // until it has faded in
    const auto soft = two.play(score, 9600, 64);
    for (std::size_t i = 0; i < 9600; ++i)
      ASSERT_NEAR(soft[0][i], gain * static_cast<double>(want[0][i]), 1e-7 * std::abs(want[0][i])) << i;
    EXPECT_EQ(two.load(off.save()), LV2_STATE_SUCCESS);
    two.values() = off.values();
    two.play({}, 4800, 64);
    EXPECT_EQ(peak(two.play(score, 9600, 64)), 0);
  }
}

TEST(Lv2, StateComesBack) {
  const World world;
  Host one(world, "urn:jawari:sitar");
  one.values()[lv2_first_control] = 0.02f;
  one.play({}, 64, 64);
  const std::string state = one.save();
  Host two(world, "urn:jawari:sitar");
  EXPECT_EQ(two.load(state), LV2_STATE_SUCCESS);
  EXPECT_EQ(two.save(), state);
  EXPECT_NE(two.load("jawari-state 9\n"), LV2_STATE_SUCCESS);
  EXPECT_NE(two.load(""), LV2_STATE_SUCCESS);
  EXPECT_EQ(two.save(), state);
  two.values() = one.values();
  EXPECT_GT(peak(two.play(tune(49), 9600, 64)), 1e-3);
}

}  // namespace
}  // namespace jawari
