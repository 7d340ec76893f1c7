// SPDX-License-Identifier: MIT
// jawari as a VST3 plug-in, through DPF.  Translation alone; what it does is in plugins/core.  DPF sets parameters on
// any thread, as PluginCore::set_value() allows.
#include <algorithm>
#include <string>
#include <vector>

#include "../core/plugin_core.h"
#include "DistrhoPlugin.hpp"
#include "jawari/instrument/midi_input.h"

namespace jawari::plugin {
namespace {

constexpr const char* state_key = "jawari";

class Vst3Plugin final : public DISTRHO::Plugin {
 public:
  Vst3Plugin() : DISTRHO::Plugin(parameters(), static_cast<std::uint32_t>(presets().size()), 1), events_(1024) {}

 protected:
  const char* getLabel() const override { return "jawari"; }
  const char* getDescription() const override {
    return "Strings, bars, plates and hammers that collide, with an energy account";
  }
  const char* getMaker() const override { return "jawari"; }
  const char* getLicense() const override { return "MIT"; }
  std::uint32_t getVersion() const override { return d_version(0, 1, 0); }
  std::int64_t getUniqueId() const override { return d_cconst('j', 'a', 'w', 'r'); }

  /// The inputs are there for all presets; those that take no sound do not hear them.
  void initAudioPort(bool input, std::uint32_t index, DISTRHO::AudioPort& port) override {
    Plugin::initAudioPort(input, index, port);
    if (input) port.hints |= DISTRHO::kAudioPortIsSidechain;
  }
  void initParameter(std::uint32_t number, DISTRHO::Parameter& p) override {
    const std::size_t index = index_of(number);
    const ParameterInfo info = core_.parameter(index);
    if (info.id == bypass) {
      p.initDesignation(DISTRHO::kParameterDesignationBypass);
      return;
    }
    const auto n = info.id >= first_macro ? info.id - first_macro + 1 : 0;
    p.hints = DISTRHO::kParameterIsAutomatable;
    if (info.stepped) p.hints |= DISTRHO::kParameterIsInteger;
    const std::string name = n > 0 ? "Control " + std::to_string(n) : info.name;  // presets have other names for it
    p.name = name.c_str();
    static constexpr const char* symbols[] = {"level", "bypass", "tuning", "tonic", "a4_hz"};
    p.symbol = n > 0 ? ("control_" + std::to_string(n)).c_str() : symbols[info.id];
    if (info.id == level) p.unit = "dB";
    if (info.id == a4_hz) p.unit = "Hz";
    p.ranges.min = static_cast<float>(info.least);
    p.ranges.max = static_cast<float>(info.most);
    p.ranges.def = static_cast<float>(n > 0 ? 0.5 : info.usual);
    if (info.id == tuning || info.id == tonic) {
      const auto count = static_cast<std::uint8_t>(info.most - info.least + 1);
      p.enumValues.count = count;
      p.enumValues.restrictedMode = true;
      p.enumValues.values = new DISTRHO::ParameterEnumerationValue[count];
      for (int i = 0; i < count; ++i) {
        p.enumValues.values[i].label = core_.value_text(index, info.least + i).c_str();
        p.enumValues.values[i].value = static_cast<float>(info.least + i);
      }
    }
  }
  void initProgramName(std::uint32_t index, DISTRHO::String& name) override {
    name = std::string(presets()[index].name).c_str();
  }
  void initState(std::uint32_t, DISTRHO::State& state) override {
    state.key = state_key;
    state.label = "Scene and values";
  }

  float getParameterValue(std::uint32_t number) const override {
    return static_cast<float>(core_.value(index_of(number)));
  }
  void setParameterValue(std::uint32_t number, float value) override {
    // A value that single precision does not tell from that of the core stays that of the core.
    if (getParameterValue(number) != value) core_.set_value(index_of(number), static_cast<double>(value));
  }
  void loadProgram(std::uint32_t index) override {
    quietly([&] { core_.use_preset(index); });
  }
  DISTRHO::String getState(const char*) const override {
    try {
      return DISTRHO::String(core_.save_state().c_str());
    } catch (...) {
      return DISTRHO::String();
    }
  }
  void setState(const char* key, const char* value) override {
    if (std::string_view(key) == state_key && *value) quietly([&] { core_.load_state(value); });
  }

  void activate() override {
    quietly([&] { core_.activate(getSampleRate()); });
    midi_ = {};
    tell_latency();
  }
  void deactivate() override { core_.deactivate(); }

  void run(const float** in, float** out, std::uint32_t frames, const DISTRHO::MidiEvent* midi,
           std::uint32_t count) override {
    if (!core_.active()) {
      for (int c = 0; c < 2; ++c) std::fill_n(out[c], frames, 0.0f);
      return;
    }
    tell_latency();  // of a program or state that has been loaded
    std::size_t n = 0;
    std::uint32_t done = 0;
    const auto play = [&](std::uint32_t to) {
      for (std::size_t i = 0; i < n; ++i) events_[i].event.frame = std::max(events_[i].event.frame, done) - done;
      float* at[] = {out[0] + done, out[1] + done};
      const float* sound[] = {in[0] + done, in[1] + done};
      core_.process(at, to - done, {events_.data(), n}, sound);
      done = to;
      n = 0;
    };
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t frame = std::clamp(midi[i].frame, done, frames);
      if (n == events_.size()) play(frame);
      events_[n] = {};
      events_[n].event.frame = frame;
      const std::uint8_t* bytes = midi[i].size > DISTRHO::MidiEvent::kDataSize ? midi[i].dataExt : midi[i].data;
      if (midi_.read({bytes, midi[i].size}, frame, events_[n].event)) ++n;
    }
    play(frames);
    core_.clear_ended();
  }

 private:
  /// DPF 1.6 tells hosts that the first parameter is 0, whatever it is: that is bypass, not the level.
  static std::size_t index_of(std::uint32_t number) noexcept { return number < 2 ? 1 - number : number; }
  static_assert(level == 0 && bypass == 1);
  static std::uint32_t parameters() { return static_cast<std::uint32_t>(PluginCore::parameters); }
  /// What it refuses leaves everything as it was.
  template <class Action>
  void quietly(Action&& action) noexcept {
    try {
      action();
    } catch (...) {
    }
  }
  void tell_latency() {
    if (!core_.active()) return;
    if (const auto now = static_cast<std::uint32_t>(core_.latency()); now != latency_) setLatency(latency_ = now);
  }

  PluginCore core_;
  MidiInput midi_;
  std::vector<PluginEvent> events_;
  std::uint32_t latency_ = 0;
};

}  // namespace
}  // namespace jawari::plugin

START_NAMESPACE_DISTRHO
Plugin* createPlugin() {
  try {
    return new jawari::plugin::Vst3Plugin;
  } catch (...) {
    return nullptr;
  }
}
END_NAMESPACE_DISTRHO
