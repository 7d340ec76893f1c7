// SPDX-License-Identifier: MIT
// What every plug-in format needs and none of them knows: an instrument on a stage, parameters, presets, state.
//   main thread    activate(), deactivate(), save_state(), load_state(), use_preset(), names and texts, on_main()
//   audio thread   process(), reset(): no allocation, lock, exception or system call
//   any thread     value(), set_value(), latency(), voices(), tail_s()
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jawari/instrument/stage.h"

namespace jawari::plugin {

struct Preset {
  std::string_view name, text;  ///< text: a scene
};
std::span<const Preset> presets();  ///< those that are built in; at least one

/// Parameters have the same numbers in every format and version.
enum ParameterId : std::uint32_t { level, bypass, tuning, tonic, a4_hz, first_macro = 16 };
constexpr std::size_t macros = 16;

struct ParameterInfo {
  std::uint32_t id = 0;
  std::string name, text;
  double least = 0, most = 1, usual = 0;
  bool stepped = false, hidden = false;
};

struct PluginEvent {
  enum Kind : std::uint8_t { note, parameter, modulation, program };
  Kind kind = note;
  NoteEvent event = {};  ///< its frame counts for all kinds; of a modulation it selects the notes
  std::uint32_t parameter_id = 0;
  double value = 0;
};

/// Parameters of controls go from 0 to 1; the usual value comes out as it is written.
double share_of(const ControlInfo& control, double value) noexcept;
double macro_value(const ControlInfo& control, double share) noexcept;

class PluginCore {
 public:
  /// Of a preset, ready to be activated at this rate without being built again.
  explicit PluginCore(std::size_t preset = 0, double rate_hz = 48000);
  ~PluginCore();

  void activate(double rate_hz);  ///< throws InputError
  void deactivate() noexcept;
  bool active() const noexcept { return stage_ != nullptr; }

  /// Presets that MIDI asks for, and instruments to be deleted; returns whether names or values have changed.
  bool on_main();
  void use_preset(std::size_t index);  ///< throws InputError
  std::size_t preset() const noexcept { return preset_; }
  std::string save_state() const;
  /// Throws InputError, and changes nothing then.
  void load_state(std::string_view text);
  /// A scene with [voice] as the instrument.  Throws InputError.
  void use_scene(std::string_view text, std::string_view name);
  const std::string& scene_text() const noexcept { return scene_text_; }

  /// Controls of the scene that parameters first_macro, ... show.  Main thread.
  std::size_t control_count() const noexcept { return controls_.size() < macros ? controls_.size() : macros; }
  const ControlInfo& control(std::size_t index) const noexcept { return controls_[index]; }

  static constexpr std::size_t first_macro_index = 5, parameters = first_macro_index + macros;
  static constexpr std::uint32_t parameter_id(std::size_t index) noexcept {
    return static_cast<std::uint32_t>(index < first_macro_index ? index : first_macro + (index - first_macro_index));
  }
  std::size_t parameter_count() const noexcept { return parameters; }
  ParameterInfo parameter(std::size_t index) const;
  std::optional<std::size_t> find_parameter(std::uint32_t id) const noexcept;  ///< its index
  double value(std::size_t index) const noexcept { return values_[index].load(std::memory_order_relaxed); }
  std::string value_text(std::size_t index, double value) const;
  std::optional<double> value_of_text(std::size_t index, std::string_view text) const;
  /// Heard from the next block on; any thread.
  void set_value(std::size_t index, double value) noexcept;

  /// `in`: sound that comes in, two channels at most; none: silence.
  void process(float* const* out, std::size_t frames, std::span<const PluginEvent> events,
               SoundIn<float> in = {}) noexcept;
  /// Channels of sound that comes in, of the scene that is played next; 0: none.  Main thread.
  std::size_t inputs() const noexcept { return inputs_; }
  void reset() noexcept;  ///< all notes end; parameters stay
  bool silent() const noexcept;
  // Of the scene that is played next, while it is active; any thread.
  std::size_t latency() const noexcept { return active() ? latency_.load(std::memory_order_relaxed) : 0; }
  std::size_t voices() const noexcept { return active() ? voices_.load(std::memory_order_relaxed) : 0; }
  double tail_s() const noexcept { return active() ? tail_s_.load(std::memory_order_relaxed) : 0; }
  double rate_hz() const noexcept { return stage_ ? stage_->rate_hz() : 0; }
  Instrument& playing() noexcept { return stage_->playing(); }  ///< while it is active, by the thread that plays
  std::span<const NoteEvent> ended() const noexcept { return stage_->playing().ended(); }
  void clear_ended() noexcept { stage_->playing().clear_ended(); }
  /// Main thread work waits: on_main() should be called.
  bool wants_main() const noexcept { return wanted_preset_.load(std::memory_order_relaxed) >= 0; }

 private:
  static constexpr std::size_t piece_events = 256;
  std::unique_ptr<Instrument> build(std::string_view text, double rate_hz) const;
  void put(std::unique_ptr<Instrument> instrument);
  std::unique_ptr<Instrument> take_scene(std::string_view text, std::string_view name);
  void note_facts(const Instrument& instrument) noexcept;
  void begin() noexcept;
  void play(float* const* out, SoundIn<float> in, std::size_t from, std::size_t to) noexcept;
  double allowed(std::size_t index, double value) const noexcept;
  void tell(std::size_t index, double value) noexcept;
  void modulate(const PluginEvent& event) noexcept;
  double gain_meant() const noexcept;
  void glide_gain() noexcept;
  void tune() noexcept;

  std::string scene_text_, preset_name_;
  std::size_t preset_ = 0, inputs_ = 0;
  std::vector<ControlInfo> controls_;
  std::array<std::atomic<double>, parameters> values_;  // as they are meant to be
  std::array<std::array<double, 2>, first_macro_index> ranges_;
  std::atomic<const Instrument*> newest_{nullptr};  // values_ are those of its controls
  std::atomic<std::size_t> latency_{0}, voices_{0};
  std::atomic<double> tail_s_{0};
  double usual_rate_hz_;               // of what is built before it is activated
  std::unique_ptr<Instrument> built_;  // of the scene, while nothing plays
  std::unique_ptr<Stage> stage_;
  // Of the thread that plays.
  std::array<double, parameters> told_ = {};  // what the instrument that plays and the gain know; NaN: nothing yet
  std::array<NoteEvent, piece_events> notes_;
  std::size_t note_count_ = 0;
  double gain_ = 1, goal_ = 1, step_ = 0;
  std::int64_t gain_frames_ = 0;

  std::atomic<int> wanted_preset_{-1};
};

}  // namespace jawari::plugin
