// SPDX-License-Identifier: MIT
// A host for CLAP plug-ins, without a screen: loads one as hosts do, and plays it in any blocks, on the thread that
// made it or on another one.  What the plug-in calls on a thread where it may not is counted.
#pragma once
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "clap/entry.h"
#include "clap/events.h"
#include "clap/ext/audio-ports.h"
#include "clap/ext/gui.h"
#include "clap/ext/latency.h"
#include "clap/ext/note-ports.h"
#include "clap/ext/params.h"
#include "clap/ext/state.h"
#include "clap/ext/thread-check.h"
#include "clap/plugin-factory.h"
#include "plugins/clap/clap_more.h"

namespace jawari::test {

union ClapEvent {
  clap_event_header_t header;
  clap_event_note_t note;
  clap_event_note_expression_t expression;
  clap_event_param_value_t value;
  clap_event_param_mod_t modulation;
  clap_event_param_gesture_t gesture;
  clap_event_midi_t midi;
};
template <class T>
ClapEvent clap_event(T e, std::uint32_t time, std::uint16_t type) {
  e.header = {sizeof(T), time, CLAP_CORE_EVENT_SPACE_ID, type, 0};
  ClapEvent any = {};
  std::memcpy(&any, &e, sizeof e);
  return any;
}
inline ClapEvent clap_note(std::uint32_t time, std::uint16_t type, int key, double velocity, int channel = 0,
                           int id = -1) {
  clap_event_note_t e = {};
  e.note_id = id;
  e.channel = static_cast<std::int16_t>(channel);
  e.key = static_cast<std::int16_t>(key);
  e.velocity = velocity;
  return clap_event(e, time, type);
}
inline ClapEvent clap_param(std::uint32_t time, clap_id id, double value) {
  clap_event_param_value_t e = {};
  e.param_id = id;
  e.note_id = e.port_index = e.channel = e.key = -1;
  e.value = value;
  return clap_event(e, time, CLAP_EVENT_PARAM_VALUE);
}
inline ClapEvent clap_midi(std::uint32_t time, std::uint8_t a, std::uint8_t b, std::uint8_t c) {
  clap_event_midi_t e = {};
  e.data[0] = a;
  e.data[1] = b;
  e.data[2] = c;
  return clap_event(e, time, CLAP_EVENT_MIDI);
}

class ClapHost {
 public:
  explicit ClapHost(const std::string& path) {
    library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error(dlerror());
    entry_ = static_cast<const clap_plugin_entry_t*>(dlsym(library_, "clap_entry"));
    if (!entry_ || !entry_->init(path.c_str())) throw std::runtime_error("no entry");
    factory_ = static_cast<const clap_plugin_factory_t*>(entry_->get_factory(CLAP_PLUGIN_FACTORY_ID));
    host_ = {CLAP_VERSION, this, "test", "jawari", "", "1", extension, restart, request_process, callback};
    descriptor = factory_->get_plugin_descriptor(factory_, 0);
    plugin = factory_->create_plugin(factory_, &host_, descriptor->id);
    if (!plugin || !plugin->init(plugin)) throw std::runtime_error("no plug-in");
    params = get<clap_plugin_params_t>(CLAP_EXT_PARAMS);
    state = get<clap_plugin_state_t>(CLAP_EXT_STATE);
  }
  ~ClapHost() {
    stop();
    plugin->destroy(plugin);
    entry_->deinit();
    dlclose(library_);
  }
  ClapHost(const ClapHost&) = delete;
  ClapHost& operator=(const ClapHost&) = delete;

  template <class T>
  const T* get(const char* id) const {
    return static_cast<const T*>(plugin->get_extension(plugin, id));
  }
  bool start(double rate_hz, std::uint32_t most_frames = 4096) {
    stop();
    active_ = plugin->activate(plugin, rate_hz, 1, most_frames) && plugin->start_processing(plugin);
    return active_;
  }
  void stop() {
    if (!active_) return;
    plugin->stop_processing(plugin);
    plugin->deactivate(plugin);
    active_ = false;
  }
  /// One block; `guard` is called with true before and with false after the plug-in's own code.
  template <class Guard>
  clap_process_status process(float* left, float* right, std::uint32_t frames, const std::vector<ClapEvent>& events,
                              Guard&& guard) {
    events_ = &events;
    ended_count = said_count = 0;
    float* channels[2] = {left, right};
    clap_audio_buffer_t out = {};
    out.data32 = channels;
    out.channel_count = 2;
    const clap_input_events_t in = {this, size, at};
    const clap_output_events_t given = {this, take};
    clap_process_t p = {};
    p.steady_time = -1;
    p.frames_count = frames;
    clap_audio_buffer_t sound = {};
    sound.data32 = const_cast<float**>(sound_in.data());
    sound.channel_count = static_cast<std::uint32_t>(sound_in.size());
    if (!sound_in.empty()) {
      p.audio_inputs = &sound;
      p.audio_inputs_count = 1;
    }
    p.audio_outputs = &out;
    p.audio_outputs_count = 1;
    p.in_events = &in;
    p.out_events = &given;
    audio_ = std::this_thread::get_id();
    guard(true);
    const clap_process_status status = plugin->process(plugin, &p);
    guard(false);
    audio_ = std::thread::id();
    if (std::this_thread::get_id() == main_) idle();
    return status;
  }
  /// What a host does between events of its own: on_main_thread() where it was asked for.
  bool idle() {
    if (!wants_callback_.exchange(false)) return false;
    plugin->on_main_thread(plugin);
    return true;
  }
  /// Parameters outside of process(), as of a plug-in that sleeps or is not active.
  void flush(const std::vector<ClapEvent>& events = {}) {
    events_ = &events;
    said_count = 0;
    const clap_input_events_t in = {this, size, at};
    const clap_output_events_t given = {this, take};
    params->flush(plugin, &in, &given);
  }
  clap_process_status process(float* left, float* right, std::uint32_t frames,
                              const std::vector<ClapEvent>& events = {}) {
    return process(left, right, frames, events, [](bool) {});
  }
  std::string save() const {
    std::string text;
    const clap_ostream_t stream = {&text, [](const clap_ostream_t* s, const void* from, std::uint64_t n) {
                                     n = std::min<std::uint64_t>(n, 1000);  // hosts may take it in parts
                                     static_cast<std::string*>(s->ctx)->append(static_cast<const char*>(from), n);
                                     return static_cast<std::int64_t>(n);
                                   }};
    if (!state->save(plugin, &stream)) throw std::runtime_error("the state was not saved");
    return text;
  }
  bool load(const std::string& text) const {
    struct Reader {
      const std::string& text;
      std::size_t at;
    } reader{text, 0};
    const clap_istream_t stream = {&reader, [](const clap_istream_t* s, void* to, std::uint64_t n) {
                                     auto& r = *static_cast<Reader*>(s->ctx);
                                     n = std::min<std::uint64_t>({n, 700, r.text.size() - r.at});
                                     std::memcpy(to, r.text.data() + r.at, n);
                                     r.at += n;
                                     return static_cast<std::int64_t>(n);
                                   }};
    return state->load(plugin, &stream);
  }

  const clap_plugin_descriptor_t* descriptor = nullptr;
  const clap_plugin_t* plugin = nullptr;
  const clap_plugin_params_t* params = nullptr;
  const clap_plugin_state_t* state = nullptr;
  std::vector<clap_event_note_t> ended = std::vector<clap_event_note_t>(1024);  // of the last block
  std::size_t ended_count = 0;
  std::vector<ClapEvent> said = std::vector<ClapEvent>(1024);  // of parameters, by the last block or flush
  std::size_t said_count = 0;
  int rescans = 0, port_rescans = 0, restarts = 0, latency_changes = 0;
  std::atomic<int> flushes_wanted{0}, processes_wanted{0}, closed{0};
  mutable std::atomic<int> wrong_thread{0};  // calls of the host where they are not allowed
  std::vector<const float*> sound_in;        // of the next block: channels of the input port

 private:
  static ClapHost& of(const clap_host_t* h) { return *static_cast<ClapHost*>(h->host_data); }
  bool in_audio() const { return audio_.load() == std::this_thread::get_id(); }
  bool in_main() const { return main_ == std::this_thread::get_id() && !in_audio(); }
  /// The host, by a function that may be called on the main thread alone.
  static ClapHost& by_main(const clap_host_t* h) {
    if (!of(h).in_main()) ++of(h).wrong_thread;
    return of(h);
  }
  static const void* extension(const clap_host_t*, const char* id) {
    static const clap_host_params_t params = {
        [](const clap_host_t* h, clap_param_rescan_flags) { ++by_main(h).rescans; },
        [](const clap_host_t* h, clap_id, clap_param_clear_flags) { by_main(h); },
        [](const clap_host_t* h) {
          if (of(h).in_audio()) ++of(h).wrong_thread;
          ++of(h).flushes_wanted;
        }};
    static const clap_host_audio_ports_t ports = {
        [](const clap_host_t* h, std::uint32_t) { return by_main(h).plugin != nullptr; },
        [](const clap_host_t* h, std::uint32_t) { ++by_main(h).port_rescans; }};
    static const clap_host_latency_t latency = {[](const clap_host_t* h) { ++by_main(h).latency_changes; }};
    static const clap_host_state_t state = {[](const clap_host_t* h) { by_main(h); }};
    static const jawari_clap_host_voice_info voices = {[](const clap_host_t* h) { by_main(h); }};
    static const clap_host_gui_t gui = {
        [](const clap_host_t*) {}, [](const clap_host_t*, std::uint32_t, std::uint32_t) { return false; },
        [](const clap_host_t*) { return false; }, [](const clap_host_t*) { return false; },
        [](const clap_host_t* h, bool destroyed) { of(h).closed += destroyed; }};
    static const clap_host_thread_check_t threads = {[](const clap_host_t* h) { return of(h).in_main(); },
                                                     [](const clap_host_t* h) { return of(h).in_audio(); }};
    static const struct {
      const char* id;
      const void* extension;
    } all[] = {{CLAP_EXT_PARAMS, &params},       {CLAP_EXT_AUDIO_PORTS, &ports},        {CLAP_EXT_LATENCY, &latency},
               {CLAP_EXT_STATE, &state},         {JAWARI_CLAP_EXT_VOICE_INFO, &voices}, {CLAP_EXT_GUI, &gui},
               {CLAP_EXT_THREAD_CHECK, &threads}};
    for (const auto& e : all)
      if (std::strcmp(id, e.id) == 0) return e.extension;
    return nullptr;
  }
  static void request_process(const clap_host_t* h) { ++of(h).processes_wanted; }
  static void restart(const clap_host_t* h) { ++of(h).restarts; }
  static void callback(const clap_host_t* h) { of(h).wants_callback_ = true; }
  static std::uint32_t size(const clap_input_events_t* list) {
    return static_cast<std::uint32_t>(static_cast<ClapHost*>(list->ctx)->events_->size());
  }
  static const clap_event_header_t* at(const clap_input_events_t* list, std::uint32_t i) {
    return &(*static_cast<ClapHost*>(list->ctx)->events_)[i].header;
  }
  static bool take(const clap_output_events_t* list, const clap_event_header_t* e) {
    auto& host = *static_cast<ClapHost*>(list->ctx);
    if (e->type == CLAP_EVENT_NOTE_END && host.ended_count < host.ended.size()) {
      std::memcpy(&host.ended[host.ended_count++], e, sizeof(clap_event_note_t));
      return true;
    }
    if (e->type == CLAP_EVENT_NOTE_END || e->size > sizeof(ClapEvent) || host.said_count == host.said.size())
      return false;
    std::memcpy(&host.said[host.said_count++], e, e->size);
    return true;
  }

  void* library_ = nullptr;
  const clap_plugin_entry_t* entry_ = nullptr;
  const clap_plugin_factory_t* factory_ = nullptr;
  clap_host_t host_ = {};
  const std::vector<ClapEvent>* events_ = nullptr;
  bool active_ = false;
  std::atomic<bool> wants_callback_{false};
  std::thread::id main_ = std::this_thread::get_id();
  std::atomic<std::thread::id> audio_{};
};

}  // namespace jawari::test
