// SPDX-License-Identifier: MIT
// The VST3 plug-in in a host of our own, through GetPluginFactory: what it says of itself, the samples of a score that
// is rendered, parameters, and states that come back.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "plugins/core/plugin_core.h"
#include "plugins/offline.h"
#include "support/counted_memory.h"
#include "travesty/audio_processor.h"
#include "travesty/component.h"
#include "travesty/edit_controller.h"
#include "travesty/factory.h"

namespace {
std::atomic<long> allocated{0};
thread_local bool counts = false;
void note() noexcept {
  if (counts) ++allocated;
}
}  // namespace
namespace jawari {
namespace {

// Objects of the host, as the plug-in sees them: a pointer to a table of functions comes first.
v3_result V3_API no_interface(void*, const v3_tuid, void** to) {
  *to = nullptr;
  return V3_NO_INTERFACE;
}
std::uint32_t V3_API one(void*) { return 1; }

struct Events {
  const v3_event_list_cpp* table = &functions;
  std::vector<v3_event> list;
  static const v3_event_list_cpp functions;
};
const v3_event_list_cpp Events::functions = [] {
  v3_event_list_cpp f = {};
  f.query_interface = no_interface;
  f.ref = f.unref = one;
  f.list.get_event_count = [](void* self) {
    return static_cast<std::uint32_t>(static_cast<Events*>(self)->list.size());
  };
  f.list.get_event = [](void* self, std::int32_t i, v3_event* to) -> v3_result {
    *to = static_cast<Events*>(self)->list[static_cast<std::size_t>(i)];
    return V3_OK;
  };
  f.list.add_event = [](void*, v3_event*) -> v3_result { return V3_NOT_IMPLEMENTED; };
  return f;
}();

/// One value of one parameter, at the first frame.
struct Value {
  const v3_param_value_queue_cpp* table = &functions;
  v3_param_id id = 0;
  double share = 0;
  static const v3_param_value_queue_cpp functions;
};
const v3_param_value_queue_cpp Value::functions = [] {
  v3_param_value_queue_cpp f = {};
  f.query_interface = no_interface;
  f.ref = f.unref = one;
  f.queue.get_param_id = [](void* self) { return static_cast<Value*>(self)->id; };
  f.queue.get_point_count = [](void*) -> std::int32_t { return 1; };
  f.queue.get_point = [](void* self, std::int32_t, std::int32_t* frame, double* share) -> v3_result {
    *frame = 0;
    *share = static_cast<Value*>(self)->share;
    return V3_OK;
  };
  f.queue.add_point = [](void*, std::int32_t, double, std::int32_t*) -> v3_result { return V3_OK; };
  return f;
}();
struct Changes {
  const v3_param_changes_cpp* table = &functions;
  std::vector<Value> list;
  Value said;
  static const v3_param_changes_cpp functions;
};
const v3_param_changes_cpp Changes::functions = [] {
  v3_param_changes_cpp f = {};
  f.query_interface = no_interface;
  f.ref = f.unref = one;
  f.changes.get_param_count = [](void* self) {
    return static_cast<std::int32_t>(static_cast<Changes*>(self)->list.size());
  };
  f.changes.get_param_data = [](void* self, std::int32_t i) {
    return reinterpret_cast<v3_param_value_queue**>(&static_cast<Changes*>(self)->list[static_cast<std::size_t>(i)]);
  };
  f.changes.add_param_data = [](void* self, v3_param_id*, std::int32_t*) {  // what the plug-in says of its values
    return reinterpret_cast<v3_param_value_queue**>(&static_cast<Changes*>(self)->said);
  };
  return f;
}();

struct StreamFunctions : v3_funknown {
  v3_bstream stream;
};
/// Bytes of a state, given and taken in parts.
struct Stream {
  const StreamFunctions* table = &functions;
  std::string bytes;
  std::size_t at = 0;
  static const StreamFunctions functions;
};
const StreamFunctions Stream::functions = [] {
  StreamFunctions f = {};
  f.query_interface = no_interface;
  f.ref = f.unref = one;
  f.stream.read = [](void* self, void* to, std::int32_t n, std::int32_t* done) -> v3_result {
    auto& s = *static_cast<Stream*>(self);
    const std::size_t count = std::min({static_cast<std::size_t>(n), s.bytes.size() - s.at, std::size_t{700}});
    std::memcpy(to, s.bytes.data() + s.at, count);
    s.at += count;
    if (done) *done = static_cast<std::int32_t>(count);
    return V3_OK;
  };
  f.stream.write = [](void* self, void* from, std::int32_t n, std::int32_t* done) -> v3_result {
    static_cast<Stream*>(self)->bytes.append(static_cast<const char*>(from), static_cast<std::size_t>(n));
    if (done) *done = n;
    return V3_OK;
  };
  f.stream.seek = [](void*, std::int64_t, std::int32_t, std::int64_t*) -> v3_result { return V3_NOT_IMPLEMENTED; };
  f.stream.tell = [](void* self, std::int64_t* at) -> v3_result {
    *at = static_cast<std::int64_t>(static_cast<Stream*>(self)->at);
    return V3_OK;
  };
  return f;
}();

std::string text_of(const v3_str_128& from) {
  std::string text;
  for (std::size_t i = 0; i < 128 && from[i]; ++i) text += static_cast<char>(from[i]);
  return text;
}

class Host {
 public:
  Host() {
    library_ = dlopen(JAWARI_VST3, RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error(dlerror());
    const auto enter = reinterpret_cast<bool (*)(void*)>(dlsym(library_, "ModuleEntry"));
    const auto get = reinterpret_cast<v3_plugin_factory** (*)()>(dlsym(library_, "GetPluginFactory"));
    if (!enter || !get || !enter(library_)) throw std::runtime_error("no entry");
    factory_ = get();
    if (v3_cpp_obj(factory_)->get_class_info(factory_, 0, &about) != V3_OK) throw std::runtime_error("no class");
    if (v3_cpp_obj(factory_)->create_instance(factory_, about.class_id, v3_component_iid,
                                              reinterpret_cast<void**>(&component_)) != V3_OK)
      throw std::runtime_error("no component");
    if (v3_cpp_obj_initialize(component_, nullptr) != V3_OK ||
        v3_cpp_obj_query_interface(component_, v3_audio_processor_iid, &processor_) != V3_OK ||
        v3_cpp_obj_query_interface(component_, v3_edit_controller_iid, &controller_) != V3_OK)
      throw std::runtime_error("no processor or controller");
    v3_cpp_obj_initialize(controller_, nullptr);
  }
  ~Host() {
    stop();
    v3_cpp_obj_terminate(controller_);
    v3_cpp_obj_unref(controller_);
    v3_cpp_obj_unref(processor_);
    v3_cpp_obj_terminate(component_);
    v3_cpp_obj_unref(component_);
    v3_cpp_obj_unref(factory_);
    reinterpret_cast<bool (*)()>(dlsym(library_, "ModuleExit"))();
    dlclose(library_);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  int buses(int type, int direction) const {
    return v3_cpp_obj(component_)->get_bus_count(component_, type, direction);
  }
  void start() {
    v3_process_setup setup = {V3_REALTIME, V3_SAMPLE_32, 4096, 48000};
    EXPECT_EQ(v3_cpp_obj(processor_)->setup_processing(processor_, &setup), V3_OK);
    EXPECT_EQ(v3_cpp_obj(component_)->activate_bus(component_, V3_AUDIO, V3_OUTPUT, 0, true), V3_OK);
    EXPECT_EQ(v3_cpp_obj(component_)->set_active(component_, true), V3_OK);
    EXPECT_EQ(v3_cpp_obj(processor_)->set_processing(processor_, true), V3_OK);
    active_ = true;
  }
  void stop() {
    if (!active_) return;
    v3_cpp_obj(processor_)->set_processing(processor_, false);
    v3_cpp_obj(component_)->set_active(component_, false);
    active_ = false;
  }
  /// Frames of the score count from the start.
  std::vector<std::vector<float>> play(const std::vector<test::ScoreNote>& score, std::size_t frames,
                                       std::size_t block) {
    std::vector<std::vector<float>> out(2, std::vector<float>(frames));
    Events events;
    Changes said;
    std::size_t next = 0;
    for (std::size_t at = 0; at < frames; at += block) {
      const std::size_t n = std::min(block, frames - at);
      events.list.clear();
      for (; next < score.size() && score[next].frame < at + n; ++next) {
        v3_event e = {};
        e.sample_offset = static_cast<std::int32_t>(score[next].frame - at);
        const auto pitch = static_cast<std::int16_t>(score[next].key);
        // DPF rounds down when it makes MIDI of it.
        const auto velocity = (static_cast<float>(score[next].velocity ? score[next].velocity : 64) + 0.5f) / 127;
        e.type = score[next].velocity ? V3_EVENT_NOTE_ON : V3_EVENT_NOTE_OFF;
        if (e.type == V3_EVENT_NOTE_ON)
          e.note_on = {0, pitch, 0, velocity, 0, -1};
        else
          e.note_off = {0, pitch, velocity, -1, 0};
        events.list.push_back(e);
      }
      float* outs[] = {&out[0][at], &out[1][at]};
      v3_audio_bus_buffers outputs = {};
      outputs.num_channels = 2;
      outputs.channel_buffers_32 = outs;
      v3_process_data data = {};
      data.nframes = static_cast<std::int32_t>(n);
      data.num_output_buses = 1;
      data.outputs = &outputs;
      data.input_params = reinterpret_cast<v3_param_changes**>(&changes);
      data.output_params = reinterpret_cast<v3_param_changes**>(&said);
      data.input_events = reinterpret_cast<v3_event_list**>(&events);
      counts = true;
      const v3_result result = v3_cpp_obj(processor_)->process(processor_, &data);
      counts = false;
      EXPECT_EQ(result, V3_OK);
      changes.list.clear();
    }
    return out;
  }
  std::map<std::string, v3_param_info> parameters() const {
    std::map<std::string, v3_param_info> all;
    for (int i = 0; i < v3_cpp_obj(controller_)->get_parameter_count(controller_); ++i) {
      v3_param_info info = {};
      EXPECT_EQ(v3_cpp_obj(controller_)->get_parameter_info(controller_, i, &info), V3_OK);
      all[text_of(info.title)] = info;
    }
    return all;
  }
  std::string value_text(const v3_param_info& info, double share) const {
    v3_str_128 text = {};
    EXPECT_EQ(v3_cpp_obj(controller_)->get_parameter_string_for_value(controller_, info.param_id, share, text), V3_OK);
    return text_of(text);
  }
  double plain(const v3_param_info& info, double share) const {
    return v3_cpp_obj(controller_)->normalised_parameter_to_plain(controller_, info.param_id, share);
  }
  double share(const v3_param_info& info) const {
    return v3_cpp_obj(controller_)->get_parameter_normalised(controller_, info.param_id);
  }
  void turn(const v3_param_info& info, double to) { changes.list.push_back({&Value::functions, info.param_id, to}); }
  std::string save() {
    Stream stream;
    EXPECT_EQ(v3_cpp_obj(component_)->get_state(component_, reinterpret_cast<v3_bstream**>(&stream)), V3_OK);
    return stream.bytes;
  }
  void load(const std::string& bytes) {
    Stream stream;
    stream.bytes = bytes;
    EXPECT_EQ(v3_cpp_obj(component_)->set_state(component_, reinterpret_cast<v3_bstream**>(&stream)), V3_OK);
  }

  v3_class_info about = {};
  Changes changes;  // with the next block

 private:
  void* library_ = nullptr;
  v3_plugin_factory** factory_ = nullptr;
  v3_component** component_ = nullptr;
  v3_audio_processor** processor_ = nullptr;
  v3_edit_controller** controller_ = nullptr;
  bool active_ = false;
};

float peak(const std::vector<std::vector<float>>& sound) {
  float most = 0;
  for (const auto& channel : sound)
    for (const float x : channel) most = std::max(most, std::abs(x));
  return most;
}

TEST(Vst3, SaysWhatItIs) {
  Host host;
  EXPECT_STREQ(host.about.name, "jawari");
  EXPECT_STREQ(host.about.category, "Audio Module Class");
  EXPECT_EQ(host.buses(V3_AUDIO, V3_OUTPUT), 1);
  EXPECT_EQ(host.buses(V3_EVENT, V3_INPUT), 1);
}

TEST(Vst3, ParametersHaveNamesUnitsAndRanges) {
  Host host;
  const auto all = host.parameters();
  const plugin::PluginCore core;
  for (const std::uint32_t id : {plugin::level, plugin::tuning, plugin::tonic, plugin::a4_hz}) {
    const std::size_t index = *core.find_parameter(id);
    const auto want = core.parameter(index);
    ASSERT_TRUE(all.contains(want.name)) << want.name;
    const auto& info = all.at(want.name);
    EXPECT_NEAR(host.plain(info, 0), want.least, 1e-6) << want.name;
    EXPECT_NEAR(host.plain(info, 1), want.most, 1e-6) << want.name;
    EXPECT_NEAR(host.plain(info, info.default_normalised_value), want.usual, 1e-4) << want.name;
    EXPECT_EQ(text_of(info.units), id == plugin::level ? "dB" : id == plugin::a4_hz ? "Hz" : "");
    if (id == plugin::tuning || id == plugin::tonic) {
      EXPECT_EQ(host.value_text(info, 0), core.value_text(index, 0));
      EXPECT_EQ(host.value_text(info, 1), core.value_text(index, want.most));
    }
  }
  for (std::size_t n = 1; n <= plugin::macros; ++n) EXPECT_TRUE(all.contains("Control " + std::to_string(n))) << n;
}

/// A score, note by note, gives what it gives offline.
TEST(Vst3, EqualsAScoreThatIsRendered) {
  const auto want = test::rendered_offline(0, 12);
  for (const std::size_t block : {347u, 4096u}) {
    Host host;
    host.start();
    allocated = 0;
    const auto got = host.play(test::score_notes(12), test::score_frames, block);
    EXPECT_EQ(allocated, 0);
    EXPECT_GT(peak(got), 1e-2f);
    for (std::size_t i = 0; i < test::score_frames; ++i) {
      ASSERT_EQ(got[0][i], want[0][i]) << i;
      ASSERT_EQ(got[1][i], want[1][i]) << i;
    }
  }
}

TEST(Vst3, StateComesBackAndIsHeard) {
  Host plain, one, two;
  for (Host* host : {&plain, &one, &two}) host->start();
  const auto all = one.parameters();
  EXPECT_NEAR(one.plain(all.at("Level"), one.share(all.at("Level"))), 0, 1e-5);
  one.turn(all.at("Level"), 54.0 / 72);  // -6 dB
  one.turn(all.at("Control 1"), 0.25);
  one.turn(all.at("Tuning"), 1.0 / (all.at("Tuning").step_count));
  one.play({}, 4800, 64);
  const std::string state = one.save();
  two.load(state);
  EXPECT_NEAR(two.plain(all.at("Level"), two.share(all.at("Level"))), -6, 1e-5);
  EXPECT_NEAR(two.share(all.at("Control 1")), 0.25, 1e-6);
  two.play({}, 4800, 64);  // until it has faded in
  const auto a = one.play(test::score_notes(12), 24000, 256), b = two.play(test::score_notes(12), 24000, 256);
  EXPECT_GT(peak(a), 1e-2f);
  EXPECT_LT(peak(a), 0.7f * peak(plain.play(test::score_notes(12), 24000, 256)));
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace jawari
