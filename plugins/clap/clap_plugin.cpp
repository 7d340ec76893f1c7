// SPDX-License-Identifier: MIT
// jawari as a CLAP plug-in: one instrument, a note port, a stereo port, and one for sound that comes in where it takes
// any.  Translation alone; what it does is in plugins/core.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../core/plugin_core.h"
#include "clap/entry.h"
#include "clap/events.h"
#include "clap/ext/audio-ports.h"
#include "clap/ext/gui.h"
#include "clap/ext/latency.h"
#include "clap/ext/note-ports.h"
#include "clap/ext/params.h"
#include "clap/ext/state.h"
#include "clap/plugin-factory.h"
#include "clap_events.h"
#include "clap_more.h"
#include "jawari/instrument/midi_input.h"
#ifdef JAWARI_WINDOW
#include "../window/plugin_window.h"
#endif

namespace jawari::plugin {
namespace {

constexpr std::uint64_t most_state_bytes = 64u << 20;

void put_text(std::string_view text, char* to, std::size_t size) noexcept {
  const std::size_t n = std::min(text.size(), size - 1);
  std::memcpy(to, text.data(), n);
  to[n] = 0;
}

struct Plugin {
  clap_plugin_t clap = {};
  const clap_host_t* host = nullptr;
  PluginCore core;
  MidiInput midi;
  std::vector<PluginEvent> events = std::vector<PluginEvent>(1024);
  std::size_t inputs = core.inputs();  // channels of the port that the host knows; 0: there is none
  std::size_t latency = 0;             // likewise
#ifdef JAWARI_WINDOW
  const clap_host_params_t* host_params = nullptr;  // extensions of the host
  const clap_host_gui_t* host_gui = nullptr;
  PluginWindow window{core, {[this] { host->request_callback(host); }, [this] { ask_for_changes(); }}};
#endif

  static Plugin& of(const clap_plugin_t* p) { return *static_cast<Plugin*>(p->plugin_data); }
  template <class T>
  const T* host_extension(const char* id) const {
    return static_cast<const T*>(host->get_extension(host, id));
  }
#ifdef JAWARI_WINDOW
  /// By process(), if it sleeps, or by params_flush().
  void ask_for_changes() const noexcept {
    if (host_params && host_params->request_flush) host_params->request_flush(host);
    if (host->request_process) host->request_process(host);
  }
#endif
  /// Ports may change while nothing plays.
  void tell_ports() {
    if (core.active() || std::exchange(inputs, core.inputs()) == core.inputs()) return;
    if (const auto* ports = host_extension<clap_host_audio_ports_t>(CLAP_EXT_AUDIO_PORTS); ports && ports->rescan)
      ports->rescan(host, CLAP_AUDIO_PORTS_RESCAN_LIST);
  }
  /// After another scene: names, values, ports and the number of voices are not what they were.
  void tell_host() {
#ifdef JAWARI_WINDOW
    window.update();
#endif
    tell_ports();
    if (core.active() && (inputs != core.inputs() || latency != core.latency())) host->request_restart(host);
    if (const auto* params = host_extension<clap_host_params_t>(CLAP_EXT_PARAMS); params && params->rescan)
      params->rescan(host, CLAP_PARAM_RESCAN_INFO | CLAP_PARAM_RESCAN_VALUES | CLAP_PARAM_RESCAN_TEXT);
    if (const auto* voices = host_extension<jawari_clap_host_voice_info>(JAWARI_CLAP_EXT_VOICE_INFO);
        voices && voices->changed)
      voices->changed(host);
    if (const auto* state = host_extension<clap_host_state_t>(CLAP_EXT_STATE); state && state->mark_dirty)
      state->mark_dirty(host);
  }
};

/// Nothing that is thrown crosses into a host.
template <class Action>
bool guarded(Action&& action) noexcept {
  try {
    return action();
  } catch (...) {
    return false;
  }
}

// Life

bool CLAP_ABI init([[maybe_unused]] const clap_plugin_t* p) {
#ifdef JAWARI_WINDOW
  Plugin& plugin = Plugin::of(p);
  plugin.host_params = plugin.host_extension<clap_host_params_t>(CLAP_EXT_PARAMS);
  plugin.host_gui = plugin.host_extension<clap_host_gui_t>(CLAP_EXT_GUI);
#endif
  return true;
}
void CLAP_ABI destroy(const clap_plugin_t* p) { delete &Plugin::of(p); }
bool CLAP_ABI activate(const clap_plugin_t* p, double rate_hz, std::uint32_t, std::uint32_t) {
  return guarded([&] {
    Plugin& plugin = Plugin::of(p);
    plugin.core.activate(rate_hz);
    if (std::exchange(plugin.latency, plugin.core.latency()) == plugin.core.latency()) return true;
    if (const auto* delay = plugin.host_extension<clap_host_latency_t>(CLAP_EXT_LATENCY); delay && delay->changed)
      delay->changed(plugin.host);
    return true;
  });
}
void CLAP_ABI deactivate(const clap_plugin_t* p) {
  Plugin::of(p).core.deactivate();
  Plugin::of(p).tell_ports();
}
bool CLAP_ABI start_processing(const clap_plugin_t*) { return true; }
void CLAP_ABI stop_processing(const clap_plugin_t*) {}
void CLAP_ABI reset(const clap_plugin_t* p) {
  Plugin::of(p).midi = {};
  Plugin::of(p).core.reset();
}
void CLAP_ABI on_main_thread(const clap_plugin_t* p) {
  Plugin& plugin = Plugin::of(p);
  guarded([&] {
    bool changed = plugin.core.on_main();
#ifdef JAWARI_WINDOW
    if (const auto preset = plugin.window.take_preset()) {
      plugin.core.use_preset(*preset);
      changed = true;
    }
#endif
    if (changed) plugin.tell_host();
#ifdef JAWARI_WINDOW
    if (plugin.window.take_closed() && plugin.host_gui && plugin.host_gui->closed)
      plugin.host_gui->closed(plugin.host, true);
#endif
    return true;
  });
}

// Sound

void tell_ended(Plugin& plugin, const clap_output_events_t* out, std::uint32_t frame) noexcept {
  if (out && out->try_push)
    for (const NoteEvent& e : plugin.core.ended()) {
      const clap_event_note_t end = note_end(e, frame);
      out->try_push(out, &end.header);
    }
  plugin.core.clear_ended();
}

#ifdef JAWARI_WINDOW
/// What has been turned in the window; the host hears of it.
void read_window(Plugin& plugin, const clap_output_events_t* out) noexcept {
  const auto say = [&](const auto& event) {
    if (out && out->try_push) out->try_push(out, &event.header);
  };
  while (const auto change = plugin.window.take_change()) {
    const std::uint32_t id = PluginCore::parameter_id(change->parameter);
    if (change->kind != PluginWindow::Change::value) {
      say(gesture_said(id, change->kind == PluginWindow::Change::begin));
      continue;
    }
    plugin.core.set_value(change->parameter, change->to);
    say(parameter_said(id, change->to));
  }
}
#endif

clap_process_status CLAP_ABI process(const clap_plugin_t* p, const clap_process_t* process) {
  Plugin& plugin = Plugin::of(p);
  if (!plugin.core.active() || process->audio_outputs_count < 1 || !process->audio_outputs[0].data32)
    return CLAP_PROCESS_ERROR;
  clap_audio_buffer_t& output = process->audio_outputs[0];
  if (output.channel_count < 2) return CLAP_PROCESS_ERROR;
  const clap_audio_buffer_t* input = process->audio_inputs_count > 0 ? &process->audio_inputs[0] : nullptr;
  const std::size_t sounds =
      input && input->data32 ? std::min<std::size_t>(input->channel_count, SoundInput::most_channels) : 0;
  const std::uint32_t frames = process->frames_count;
  const std::uint32_t count = process->in_events ? process->in_events->size(process->in_events) : 0;
  std::uint32_t done = 0;
  std::size_t n = 0;
#ifdef JAWARI_WINDOW
  read_window(plugin, process->out_events);
#endif
  const auto play = [&](std::uint32_t to) {
    for (std::size_t i = 0; i < n; ++i)
      plugin.events[i].event.frame = std::max(plugin.events[i].event.frame, done) - done;
    float* out[] = {output.data32[0] + done, output.data32[1] + done};
    std::array<const float*, SoundInput::most_channels> in = {};
    for (std::size_t c = 0; c < sounds; ++c) in[c] = input->data32[c] + done;
    plugin.core.process(out, to - done, {plugin.events.data(), n}, {in.data(), sounds});
    done = to;
    n = 0;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const clap_event_header_t* header = process->in_events->get(process->in_events, i);
    if (!header) continue;
    if (n == plugin.events.size()) play(std::min(std::max(plugin.events[n - 1].event.frame, done), frames));
    if (read_event(*header, plugin.midi, plugin.events[n])) ++n;
  }
  play(frames);
  output.constant_mask = 0;
#ifdef JAWARI_WINDOW
  plugin.window.feed().show(plugin.core.playing(), frames);
#endif
  tell_ended(plugin, process->out_events, frames > 0 ? frames - 1 : 0);
  if (plugin.core.wants_main()) plugin.host->request_callback(plugin.host);
#ifdef JAWARI_WINDOW
  if (plugin.window.waits()) return CLAP_PROCESS_CONTINUE;
#endif
  return plugin.core.silent() ? CLAP_PROCESS_SLEEP : CLAP_PROCESS_CONTINUE;
}

// Parameters

std::uint32_t CLAP_ABI params_count(const clap_plugin_t* p) {
  return static_cast<std::uint32_t>(Plugin::of(p).core.parameter_count());
}
bool CLAP_ABI params_info(const clap_plugin_t* p, std::uint32_t index, clap_param_info_t* info) {
  return guarded([&] {
    const PluginCore& core = Plugin::of(p).core;
    if (index >= core.parameter_count()) return false;
    const ParameterInfo about = core.parameter(index);
    *info = {};
    info->id = about.id;
    info->flags = CLAP_PARAM_IS_AUTOMATABLE;
    if (about.stepped) info->flags |= CLAP_PARAM_IS_STEPPED;
    if (about.hidden) info->flags |= CLAP_PARAM_IS_HIDDEN;
    if (about.id == bypass) info->flags |= CLAP_PARAM_IS_BYPASS;
    if (about.id >= first_macro)
      info->flags |= CLAP_PARAM_IS_MODULATABLE | CLAP_PARAM_IS_MODULATABLE_PER_NOTE_ID |
                     CLAP_PARAM_IS_MODULATABLE_PER_KEY | CLAP_PARAM_IS_MODULATABLE_PER_CHANNEL;
    put_text(about.name, info->name, sizeof info->name);
    put_text(about.id >= first_macro ? "Scene" : about.id >= tuning ? "Tuning" : "", info->module, sizeof info->module);
    info->min_value = about.least;
    info->max_value = about.most;
    info->default_value = about.usual;
    return true;
  });
}
bool CLAP_ABI params_value(const clap_plugin_t* p, clap_id id, double* value) {
  const auto index = Plugin::of(p).core.find_parameter(id);
  if (!index || !value) return false;
  *value = Plugin::of(p).core.value(*index);
  return true;
}
bool CLAP_ABI params_text(const clap_plugin_t* p, clap_id id, double value, char* to, std::uint32_t size) {
  return guarded([&] {
    const auto index = Plugin::of(p).core.find_parameter(id);
    if (!index || !to || size == 0) return false;
    put_text(Plugin::of(p).core.value_text(*index, value), to, size);
    return true;
  });
}
bool CLAP_ABI params_value_of(const clap_plugin_t* p, clap_id id, const char* text, double* value) {
  return guarded([&] {
    const auto index = Plugin::of(p).core.find_parameter(id);
    if (!index || !text || !value) return false;
    const auto x = Plugin::of(p).core.value_of_text(*index, text);
    if (x) *value = *x;
    return x.has_value();
  });
}
void CLAP_ABI params_flush(const clap_plugin_t* p, const clap_input_events_t* in,
                           [[maybe_unused]] const clap_output_events_t* out) {
  Plugin& plugin = Plugin::of(p);
  PluginEvent event;
  for (std::uint32_t i = 0; in && i < in->size(in); ++i) {
    const clap_event_header_t* header = in->get(in, i);
    if (!header || !read_event(*header, plugin.midi, event) || event.kind != PluginEvent::parameter) continue;
    if (const auto index = plugin.core.find_parameter(event.parameter_id)) plugin.core.set_value(*index, event.value);
  }
#ifdef JAWARI_WINDOW
  read_window(plugin, out);
#endif
}

// State

bool CLAP_ABI save(const clap_plugin_t* p, const clap_ostream_t* stream) {
  return guarded([&] {
    const std::string text = Plugin::of(p).core.save_state();
    for (std::size_t at = 0; at < text.size();) {
      const std::int64_t n = stream->write(stream, text.data() + at, text.size() - at);
      if (n <= 0) return false;
      at += static_cast<std::size_t>(n);
    }
    return true;
  });
}
bool CLAP_ABI load(const clap_plugin_t* p, const clap_istream_t* stream) {
  return guarded([&] {
    std::string text;
    char part[4096];
    for (;;) {
      const std::int64_t n = stream->read(stream, part, sizeof part);
      if (n < 0 || text.size() > most_state_bytes) return false;
      if (n == 0) break;
      text.append(part, static_cast<std::size_t>(n));
    }
    Plugin::of(p).core.load_state(text);
    Plugin::of(p).tell_host();
    return true;
  });
}

// Ports and facts

std::uint32_t CLAP_ABI audio_count(const clap_plugin_t* p, bool is_input) {
  return !is_input || Plugin::of(p).inputs > 0 ? 1 : 0;
}
bool CLAP_ABI audio_info(const clap_plugin_t* p, std::uint32_t index, bool is_input, clap_audio_port_info_t* info) {
  if (index >= audio_count(p, is_input)) return false;
  *info = {};
  info->id = is_input ? 1 : 0;
  put_text(is_input ? "In" : "Out", info->name, sizeof info->name);
  info->flags = CLAP_AUDIO_PORT_IS_MAIN;
  info->channel_count = is_input ? static_cast<std::uint32_t>(Plugin::of(p).inputs) : 2;
  info->port_type = info->channel_count == 1 ? CLAP_PORT_MONO : CLAP_PORT_STEREO;
  info->in_place_pair = CLAP_INVALID_ID;
  return true;
}
std::uint32_t CLAP_ABI note_count(const clap_plugin_t*, bool is_input) { return is_input ? 1 : 0; }
bool CLAP_ABI note_info(const clap_plugin_t*, std::uint32_t index, bool is_input, clap_note_port_info_t* info) {
  if (!is_input || index > 0) return false;
  *info = {};
  info->id = 0;
  info->supported_dialects = CLAP_NOTE_DIALECT_CLAP | CLAP_NOTE_DIALECT_MIDI | CLAP_NOTE_DIALECT_MIDI_MPE;
  info->preferred_dialect = CLAP_NOTE_DIALECT_CLAP;
  put_text("Notes", info->name, sizeof info->name);
  return true;
}
std::uint32_t CLAP_ABI latency(const clap_plugin_t* p) {
  return static_cast<std::uint32_t>(Plugin::of(p).core.latency());
}
std::uint32_t CLAP_ABI tail(const clap_plugin_t* p) {
  const PluginCore& core = Plugin::of(p).core;
  return static_cast<std::uint32_t>(std::min(core.tail_s() * core.rate_hz(), 2e9));
}
bool CLAP_ABI voice_info(const clap_plugin_t* p, jawari_clap_voice_info* info) {
  const auto voices = static_cast<std::uint32_t>(Plugin::of(p).core.voices());
  *info = {voices, voices, JAWARI_CLAP_VOICES_OVERLAP};
  return voices > 0;
}
bool CLAP_ABI hard_realtime(const clap_plugin_t*) { return false; }
bool CLAP_ABI render_mode(const clap_plugin_t*, std::int32_t) { return true; }  // the same samples either way

#ifdef JAWARI_WINDOW
// The window

bool CLAP_ABI gui_api(const clap_plugin_t*, const char* api, bool floating) {
  return floating || (api && std::strcmp(api, CLAP_WINDOW_API_X11) == 0);
}
bool CLAP_ABI gui_preferred(const clap_plugin_t*, const char** api, bool* floating) {
  *api = CLAP_WINDOW_API_X11;
  *floating = false;
  return true;
}
bool CLAP_ABI gui_create(const clap_plugin_t* p, const char* api, bool floating) {
  return guarded([&] {
    if (!gui_api(p, api, floating)) return false;
    return !floating || Plugin::of(p).window.open(0);
  });
}
void CLAP_ABI gui_destroy(const clap_plugin_t* p) { Plugin::of(p).window.close(); }
bool CLAP_ABI gui_scale(const clap_plugin_t*, double) { return false; }
bool CLAP_ABI gui_size(const clap_plugin_t*, std::uint32_t* width, std::uint32_t* height) {
  *width = window_width;
  *height = window_height;
  return true;
}
bool CLAP_ABI gui_can_resize(const clap_plugin_t*) { return false; }
bool CLAP_ABI gui_hints(const clap_plugin_t*, clap_gui_resize_hints_t*) { return false; }
bool CLAP_ABI gui_adjust(const clap_plugin_t* p, std::uint32_t* width, std::uint32_t* height) {
  return gui_size(p, width, height);
}
bool CLAP_ABI gui_set_size(const clap_plugin_t*, std::uint32_t width, std::uint32_t height) {
  return width == window_width && height == window_height;
}
bool CLAP_ABI gui_parent(const clap_plugin_t* p, const clap_window_t* parent) {
  return guarded([&] {
    if (!parent || std::strcmp(parent->api, CLAP_WINDOW_API_X11) != 0) return false;
    return Plugin::of(p).window.open(parent->x11);
  });
}
bool CLAP_ABI gui_transient(const clap_plugin_t*, const clap_window_t*) { return false; }
void CLAP_ABI gui_title(const clap_plugin_t*, const char*) {}
bool CLAP_ABI gui_show(const clap_plugin_t* p) {
  Plugin::of(p).window.show(true);
  return Plugin::of(p).window.is_open();
}
bool CLAP_ABI gui_hide(const clap_plugin_t* p) {
  Plugin::of(p).window.show(false);
  return true;
}
#endif

const void* CLAP_ABI get_extension(const clap_plugin_t*, const char* id) {
  static constexpr clap_plugin_params_t params = {params_count, params_info,     params_value,
                                                  params_text,  params_value_of, params_flush};
  static constexpr clap_plugin_state_t state = {save, load};
  static constexpr clap_plugin_audio_ports_t audio = {audio_count, audio_info};
  static constexpr clap_plugin_note_ports_t notes = {note_count, note_info};
  static constexpr clap_plugin_latency_t delay = {latency};
  static constexpr jawari_clap_plugin_tail rest = {tail};
  static constexpr jawari_clap_plugin_voice_info voices = {voice_info};
  static constexpr jawari_clap_plugin_render render = {hard_realtime, render_mode};
#ifdef JAWARI_WINDOW
  static constexpr clap_plugin_gui_t gui = {gui_api,    gui_preferred,  gui_create, gui_destroy, gui_scale,
                                            gui_size,   gui_can_resize, gui_hints,  gui_adjust,  gui_set_size,
                                            gui_parent, gui_transient,  gui_title,  gui_show,    gui_hide};
#endif
  const struct {
    const char* id;
    const void* extension;
  } all[] = {{CLAP_EXT_PARAMS, &params},
             {CLAP_EXT_STATE, &state},
             {CLAP_EXT_AUDIO_PORTS, &audio},
             {CLAP_EXT_NOTE_PORTS, &notes},
             {CLAP_EXT_LATENCY, &delay},
#ifdef JAWARI_WINDOW
             {CLAP_EXT_GUI, &gui},
#endif
             {JAWARI_CLAP_EXT_TAIL, &rest},
             {JAWARI_CLAP_EXT_VOICE_INFO, &voices},
             {JAWARI_CLAP_EXT_RENDER, &render}};
  for (const auto& e : all)
    if (std::strcmp(e.id, id) == 0) return e.extension;
  return nullptr;
}

// The factory

const char* const features[] = {CLAP_PLUGIN_FEATURE_INSTRUMENT, CLAP_PLUGIN_FEATURE_SYNTHESIZER,
                                CLAP_PLUGIN_FEATURE_STEREO, nullptr};
const clap_plugin_descriptor_t descriptor = {CLAP_VERSION_INIT,
                                             "org.jawari.instrument",
                                             "jawari",
                                             "jawari",
                                             "",
                                             "",
                                             "",
                                             JAWARI_VERSION,
                                             "Strings, bars, plates and hammers that collide, with an energy account",
                                             const_cast<const char**>(features)};

std::uint32_t CLAP_ABI plugin_count(const clap_plugin_factory_t*) { return 1; }
const clap_plugin_descriptor_t* CLAP_ABI plugin_descriptor(const clap_plugin_factory_t*, std::uint32_t index) {
  return index == 0 ? &descriptor : nullptr;
}
const clap_plugin_t* CLAP_ABI create(const clap_plugin_factory_t*, const clap_host_t* host, const char* id) {
  if (!host || !id || !clap_version_is_compatible(host->clap_version) || std::strcmp(id, descriptor.id) != 0)
    return nullptr;
  try {
    auto plugin = std::make_unique<Plugin>();
    plugin->host = host;
    plugin->clap = {&descriptor,      plugin.get(),    init,  destroy, activate,      deactivate,
                    start_processing, stop_processing, reset, process, get_extension, on_main_thread};
    return &plugin.release()->clap;
  } catch (...) {
    return nullptr;
  }
}

const clap_plugin_factory_t factory = {plugin_count, plugin_descriptor, create};

bool CLAP_ABI entry_init(const char*) { return true; }
void CLAP_ABI entry_deinit() {}
const void* CLAP_ABI get_factory(const char* id) {
  return std::strcmp(id, CLAP_PLUGIN_FACTORY_ID) == 0 ? &factory : nullptr;
}

}  // namespace
}  // namespace jawari::plugin

extern "C" CLAP_EXPORT const clap_plugin_entry_t clap_entry = {
    CLAP_VERSION_INIT, jawari::plugin::entry_init, jawari::plugin::entry_deinit, jawari::plugin::get_factory};
