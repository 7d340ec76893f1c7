// SPDX-License-Identifier: MIT
// jawari as LV2 plug-ins, one for every preset, so that hosts show the names, units and ranges of its controls.
// Translation alone; what they do is in plugins/core.  The files that describe them are written by lv2_describe.cpp.
#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/core/lv2.h>
#include <lv2/midi/midi.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jawari/instrument/midi_input.h"
#include "lv2_ports.h"

namespace jawari::plugin {
namespace {

constexpr std::size_t most_ports = lv2_first_control + macros + SoundInput::most_channels;
constexpr float not_told = std::numeric_limits<float>::quiet_NaN();

struct Plugin {
  Plugin(std::size_t preset, double rate_hz) : core(preset, rate_hz) {}
  PluginCore core;
  MidiInput midi;
  std::vector<std::string> controls;  // of the ports
  std::size_t inputs = 0;             // ports of sound that comes in
  std::vector<ControlInfo> playing;   // of the scene
  std::array<int, macros> reaches;    // which of them a port turns; -1: there is none of its name
  std::array<const void*, most_ports> ports = {};
  std::array<float, most_ports> told = {};
  std::vector<PluginEvent> events = std::vector<PluginEvent>(1024);
  LV2_URID midi_event = 0, text = 0, state = 0;

  const float* value(std::uint32_t port) const noexcept { return static_cast<const float*>(ports[port]); }
  float* audio(std::uint32_t port) const noexcept { return static_cast<float*>(const_cast<void*>(ports[port])); }
  /// What comes in; null: nothing is connected.
  const float* sound(std::size_t input) const noexcept {
    return value(lv2_first_input(controls.size()) + static_cast<std::uint32_t>(input));
  }
  void find_controls() {
    reaches.fill(-1);
    playing.clear();
    for (std::size_t k = 0; k < core.control_count(); ++k) {
      playing.push_back(core.control(k));
      for (std::size_t i = 0; i < controls.size(); ++i)
        if (playing[k].name == controls[i]) reaches[i] = static_cast<int>(k);
    }
    told.fill(not_told);
  }
};

Plugin& of(LV2_Handle handle) noexcept { return *static_cast<Plugin*>(handle); }

LV2_Handle instantiate(const LV2_Descriptor* descriptor, double rate_hz, const char*,
                       const LV2_Feature* const* features) {
  const LV2_URID_Map* map = nullptr;
  for (; features && *features; ++features)
    if (std::strcmp((*features)->URI, LV2_URID__map) == 0) map = static_cast<const LV2_URID_Map*>((*features)->data);
  if (!map) return nullptr;
  try {
    std::size_t preset = 0;
    while (preset + 1 < presets().size() && lv2_uri(presets()[preset].name) != descriptor->URI) ++preset;
    auto p = std::make_unique<Plugin>(preset, rate_hz);
    for (std::size_t i = 0; i < p->core.control_count(); ++i) p->controls.push_back(p->core.control(i).name);
    p->inputs = p->core.inputs();
    p->midi_event = map->map(map->handle, LV2_MIDI__MidiEvent);
    p->text = map->map(map->handle, LV2_ATOM__String);
    p->state = map->map(map->handle, lv2_state_uri);
    p->core.activate(rate_hz);
    p->find_controls();
    return p.release();
  } catch (...) {
    return nullptr;
  }
}
void cleanup(LV2_Handle handle) { delete &of(handle); }
void connect_port(LV2_Handle handle, std::uint32_t port, void* data) {
  if (port < most_ports) of(handle).ports[port] = data;
}
void activate(LV2_Handle handle) {
  Plugin& p = of(handle);
  p.midi = {};
  p.core.reset();
  p.told.fill(not_told);
}

/// Ports are in single precision: the usual value is meant where theirs is the nearest to it.
double share(const ControlInfo& c, double x) noexcept {
  return share_of(c, static_cast<float>(x) == static_cast<float>(c.usual) ? c.usual : x);
}

/// What the ports say now, where it is not what they said before, at the first frame.
std::size_t read_ports(Plugin& p) noexcept {
  std::size_t n = 0;
  const auto tell = [&](std::uint32_t port, std::uint32_t id, auto&& convert) {
    if (!p.ports[port]) return;
    const float x = *p.value(port);
    if (x == p.told[port] || !std::isfinite(x)) return;
    p.told[port] = x;
    p.events[n] = {};
    p.events[n].kind = PluginEvent::parameter;
    p.events[n].parameter_id = id;
    p.events[n++].value = convert(static_cast<double>(x));
  };
  const auto same = [](double x) { return x; };
  tell(lv2_level, level, same);
  tell(lv2_enabled, bypass, [](double x) { return x > 0 ? 0.0 : 1.0; });
  tell(lv2_tuning, tuning, same);
  tell(lv2_tonic, tonic, same);
  tell(lv2_a4, a4_hz, same);
  for (std::uint32_t i = 0; i < p.controls.size(); ++i)
    if (p.reaches[i] >= 0)
      tell(lv2_first_control + i, first_macro + static_cast<std::uint32_t>(p.reaches[i]),
           [&](double x) { return share(p.playing[static_cast<std::size_t>(p.reaches[i])], x); });
  return n;
}

void run(LV2_Handle handle, std::uint32_t frames) {
  Plugin& p = of(handle);
  if (!p.audio(lv2_left) || !p.audio(lv2_right)) return;
  if (p.ports[lv2_latency]) *p.audio(lv2_latency) = static_cast<float>(p.core.latency());
  std::size_t n = read_ports(p);
  std::uint32_t done = 0;
  const auto play = [&](std::uint32_t to) {
    for (std::size_t i = 0; i < n; ++i) p.events[i].event.frame = std::max(p.events[i].event.frame, done) - done;
    float* out[] = {p.audio(lv2_left) + done, p.audio(lv2_right) + done};
    std::array<const float*, SoundInput::most_channels> in = {};
    std::size_t sounds = 0;
    for (; sounds < p.inputs && p.sound(sounds); ++sounds) in[sounds] = p.sound(sounds) + done;
    p.core.process(out, to - done, {p.events.data(), n}, {in.data(), sounds});
    done = to;
    n = 0;
  };
  if (const auto* list = static_cast<const LV2_Atom_Sequence*>(p.ports[lv2_midi]))
    for (const LV2_Atom_Event* e = lv2_atom_sequence_begin(&list->body);
         !lv2_atom_sequence_is_end(&list->body, list->atom.size, e); e = lv2_atom_sequence_next(e)) {
      if (e->body.type != p.midi_event || e->body.size == 0) continue;
      const auto frame = static_cast<std::uint32_t>(std::clamp<std::int64_t>(e->time.frames, done, frames));
      if (n == p.events.size()) play(frame);
      PluginEvent& event = p.events[n];
      event = {};
      event.event.frame = frame;
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(e + 1);
      if (p.midi.read({bytes, e->body.size}, frame, event.event)) ++n;
    }
  play(frames);
  p.core.clear_ended();
}

LV2_State_Status save(LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle to, std::uint32_t,
                      const LV2_Feature* const*) {
  try {
    const Plugin& p = of(handle);
    const std::string state = p.core.save_state();
    return store(to, p.state, state.c_str(), state.size() + 1, p.text, LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
  } catch (...) {
    return LV2_STATE_ERR_UNKNOWN;
  }
}
LV2_State_Status restore(LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from, std::uint32_t,
                         const LV2_Feature* const*) {
  try {
    Plugin& p = of(handle);
    std::size_t size = 0;
    std::uint32_t type = 0, flags = 0;
    const auto* text = static_cast<const char*>(retrieve(from, p.state, &size, &type, &flags));
    if (!text) return LV2_STATE_ERR_NO_PROPERTY;
    if (type != p.text || size == 0) return LV2_STATE_ERR_BAD_TYPE;
    p.core.load_state({text, text[size - 1] == 0 ? size - 1 : size});
    p.find_controls();
    return LV2_STATE_SUCCESS;
  } catch (...) {
    return LV2_STATE_ERR_UNKNOWN;
  }
}
const void* extension_data(const char* uri) {
  static constexpr LV2_State_Interface state = {save, restore};
  return std::strcmp(uri, LV2_STATE__interface) == 0 ? &state : nullptr;
}

/// Made once, when the library is first asked.
struct Descriptors {
  std::vector<std::string> uris;
  std::vector<LV2_Descriptor> list;
  Descriptors() {
    for (const Preset& preset : presets()) uris.push_back(lv2_uri(preset.name));
    for (const auto& uri : uris)
      list.push_back({uri.c_str(), instantiate, connect_port, activate, run, nullptr, cleanup, extension_data});
  }
};

}  // namespace
}  // namespace jawari::plugin

LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(std::uint32_t index) {
  try {
    static const jawari::plugin::Descriptors all;
    return index < all.list.size() ? &all.list[index] : nullptr;
  } catch (...) {
    return nullptr;
  }
}
