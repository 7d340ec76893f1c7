// SPDX-License-Identifier: MIT
#include "plugin_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "jawari/core/elementary.h"
#include "jawari/io/scene_file.h"
#include "open_instrument.h"
#include "plugin_state.h"

namespace jawari::plugin {
namespace {

constexpr double gain_s = 0.02;
constexpr double lowest_dB = -60;
constexpr double not_told = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view key_names[] = {"C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"};

double gain_of(double level_dB) noexcept {
  if (level_dB <= lowest_dB) return 0;
  return level_dB == 0 ? 1 : elementary::pow(10, level_dB / 20);
}

}  // namespace

double share_of(const ControlInfo& c, double value) noexcept {
  return c.most > c.least ? (value - c.least) / (c.most - c.least) : 0;
}
double macro_value(const ControlInfo& c, double share) noexcept {
  return share == share_of(c, c.usual) ? c.usual : c.least + share * (c.most - c.least);
}

PluginCore::PluginCore(std::size_t preset, double rate_hz) : usual_rate_hz_(rate_hz) {
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = 0;
  values_[a4_hz] = 440;
  for (std::size_t i = 0; i < first_macro_index; ++i) ranges_[i] = {parameter(i).least, parameter(i).most};
  use_preset(preset);
}

PluginCore::~PluginCore() = default;

std::unique_ptr<Instrument> PluginCore::build(std::string_view text, double rate_hz) const {
  return make_instrument(parse_scene(text, "scene"), rate_hz);
}

void PluginCore::activate(double rate_hz) {
  auto instrument = std::move(built_);
  if (!instrument || instrument->rate_hz() != rate_hz) instrument = build(scene_text_, rate_hz);
  note_facts(*instrument);
  newest_ = instrument.get();
  stage_ = std::make_unique<Stage>(std::move(instrument));
  reset();
}

void PluginCore::deactivate() noexcept { stage_.reset(); }

void PluginCore::note_facts(const Instrument& instrument) noexcept {
  latency_ = instrument.latency() + instrument.engine().input().delay();
  voices_ = instrument.voices();
  tail_s_ = instrument.tail_s();
}

/// Its instrument, which has not been put anywhere yet.  Nothing has changed if it refuses.
std::unique_ptr<Instrument> PluginCore::take_scene(std::string_view text, std::string_view name) {
  auto instrument = build(text, stage_ ? stage_->rate_hz() : usual_rate_hz_);
  newest_ = instrument.get();  // before the values are: see begin()
  note_facts(*instrument);
  controls_ = instrument->controls();
  inputs_ = instrument->engine().input().channels();
  scene_text_ = text;
  preset_name_ = name;
  for (std::size_t i = 0; i < macros; ++i) {
    values_[first_macro_index + i] = i < controls_.size() ? share_of(controls_[i], controls_[i].usual) : 0;
  }
  return instrument;
}

void PluginCore::use_scene(std::string_view text, std::string_view name) { put(take_scene(text, name)); }

void PluginCore::put(std::unique_ptr<Instrument> instrument) {
  if (!stage_) {
    built_ = std::move(instrument);
    return;
  }
  stage_->exchange(std::move(instrument));
}

void PluginCore::use_preset(std::size_t index) {
  if (index >= presets().size())
    throw InputError("preset", fmt::format("preset is {}, but must be below {}", index, presets().size()),
                     fmt::format("{}", index), fmt::format("be below {}", presets().size()));
  use_scene(presets()[index].text, presets()[index].name);
  preset_ = index;
}

bool PluginCore::on_main() {
  if (stage_) stage_->collect();
  const int wanted = wanted_preset_.exchange(-1);
  if (wanted < 0 || static_cast<std::size_t>(wanted) >= presets().size()) return false;
  use_preset(static_cast<std::size_t>(wanted));
  return true;
}

std::string PluginCore::save_state() const {
  PluginState s;
  s.preset = preset_name_;
  s.scene = scene_text_;
  s.values = {{"level_dB", value(level)}, {"bypass", value(bypass)}, {"tonic", value(tonic)}, {"a4_hz", value(a4_hz)}};
  s.tuning = named_tunings()[static_cast<std::size_t>(value(tuning))].name;
  for (std::size_t i = 0; i < std::min(controls_.size(), macros); ++i)
    s.controls.emplace_back(controls_[i].name, macro_value(controls_[i], value(first_macro_index + i)));
  return state_text(s);
}

void PluginCore::load_state(std::string_view text) {
  const PluginState s = parse_state(text);
  auto instrument = take_scene(s.scene, s.preset);
  for (std::size_t i = 0; i < presets().size(); ++i)
    if (presets()[i].name == s.preset) preset_ = i;
  for (const auto& [name, x] : s.values)
    for (std::size_t i = 0; i < first_macro_index; ++i) {
      static constexpr std::string_view keys[] = {"level_dB", "bypass", "", "tonic", "a4_hz"};
      const ParameterInfo info = parameter(i);
      if (name == keys[i]) values_[i] = std::clamp(x, info.least, info.most);
    }
  for (std::size_t i = 0; i < named_tunings().size(); ++i)
    if (named_tunings()[i].name == s.tuning) values_[tuning] = static_cast<double>(i);
  for (const auto& [name, x] : s.controls)  // those that this version does not know are left out
    for (std::size_t i = 0; i < std::min(controls_.size(), macros); ++i)
      if (controls_[i].name == name) values_[first_macro_index + i] = std::clamp(share_of(controls_[i], x), 0.0, 1.0);
  put(std::move(instrument));
}

ParameterInfo PluginCore::parameter(std::size_t index) const {
  switch (index) {
    case level:
      return {level, "Level", "How loud the whole is; at the lowest value it is silent.", lowest_dB, 12, 0};
    case bypass:
      return {bypass, "Bypass", "Silence, with a fade of 20 ms.", 0, 1, 0, true};
    case tuning:
      return {tuning,
              "Tuning",
              "The scale; notes that sound glide to it.",
              0,
              static_cast<double>(named_tunings().size() - 1),
              0,
              true};
    case tonic:
      return {tonic, "Tonic", "The key of the first degree of the scale.", 0, 11, 0, true};
    case a4_hz:
      return {a4_hz, "A4", "What equal temperament is tuned to; the tonic is a note of it.", 400, 480, 440};
    default:
      break;
  }
  const std::size_t macro = index - first_macro_index;
  ParameterInfo info{static_cast<std::uint32_t>(first_macro + macro), fmt::format("Control {}", macro + 1), ""};
  info.hidden = macro >= controls_.size();
  if (info.hidden) return info;
  const ControlInfo& c = controls_[macro];
  info.name = c.name;
  info.text = c.text;
  info.usual = share_of(c, c.usual);
  return info;
}

std::optional<std::size_t> PluginCore::find_parameter(std::uint32_t id) const noexcept {
  if (id < first_macro_index) return id;
  if (id >= first_macro && id < first_macro + macros) return first_macro_index + (id - first_macro);
  return std::nullopt;
}

std::string PluginCore::value_text(std::size_t index, double x) const {
  switch (index) {
    case level:
      return x <= lowest_dB ? "silent" : fmt::format("{:.1f} dB", x);
    case bypass:
      return x >= 0.5 ? "on" : "off";
    case tuning:
      return std::string(
          named_tunings()[static_cast<std::size_t>(std::clamp(x, 0.0, static_cast<double>(named_tunings().size() - 1)))]
              .name);
    case tonic:
      return std::string(key_names[static_cast<std::size_t>(std::clamp(x, 0.0, 11.0))]);
    case a4_hz:
      return fmt::format("{:.2f} Hz", x);
    default:
      break;
  }
  const std::size_t macro = index - first_macro_index;
  if (macro >= controls_.size()) return fmt::format("{:.3f}", x);
  const ControlInfo& c = controls_[macro];
  return fmt::format("{:.4g}{}{}", macro_value(c, x), c.unit.empty() ? "" : " ", c.unit);
}

std::optional<double> PluginCore::value_of_text(std::size_t index, std::string_view text) const {
  const ParameterInfo info = parameter(index);
  if (index == level && text == "silent") return lowest_dB;
  if (index == bypass) return text == "on" ? std::optional(1.0) : text == "off" ? std::optional(0.0) : std::nullopt;
  if (index == tuning) {
    for (std::size_t i = 0; i < named_tunings().size(); ++i)
      if (named_tunings()[i].name == text) return static_cast<double>(i);
    return std::nullopt;
  }
  if (index == tonic) {
    const auto* at = std::find(std::begin(key_names), std::end(key_names), text);
    return at == std::end(key_names) ? std::nullopt : std::optional(static_cast<double>(at - std::begin(key_names)));
  }
  double x = 0;
  const auto from = std::min(text.find_first_not_of(" +"), text.size());
  const auto [end, error] = std::from_chars(text.data() + from, text.data() + text.size(), x);
  if (error != std::errc{} || !std::isfinite(x)) return std::nullopt;
  if (index >= first_macro_index && index - first_macro_index < controls_.size())
    x = share_of(controls_[index - first_macro_index], x);
  return std::clamp(x, info.least, info.most);
}

double PluginCore::allowed(std::size_t index, double x) const noexcept {
  x = index < first_macro_index ? std::clamp(x, ranges_[index][0], ranges_[index][1]) : std::clamp(x, 0.0, 1.0);
  return index == bypass || index == tuning || index == tonic ? std::floor(x + 0.5) : x;
}

void PluginCore::set_value(std::size_t index, double x) noexcept {
  if (!std::isnan(x)) values_[index].store(allowed(index, x), std::memory_order_release);
}

/// What has changed beside the events of process() is told before the first frame: values of a state, of a window, and
/// all of them to an instrument that has just been taken up.
void PluginCore::begin() noexcept {
  const bool quiet = silent();  // before another one fades in
  if (stage_->take_up()) std::fill(told_.begin() + tuning, told_.end(), not_told);
  std::array<double, parameters> now;
  for (std::size_t i = 0; i < parameters; ++i) now[i] = values_[i].load(std::memory_order_acquire);
  // Controls have the values of the newest instrument, which may wait still.
  const bool newest = newest_.load(std::memory_order_acquire) == &stage_->playing();
  const auto differs = [&](std::size_t i) { return now[i] != told_[i]; };
  if (differs(tuning) || differs(tonic) || differs(a4_hz)) {
    std::copy(now.begin() + tuning, now.begin() + a4_hz, told_.begin() + tuning);
    tell(a4_hz, now[a4_hz]);
  }
  for (std::size_t i = first_macro_index; newest && i < parameters; ++i)
    if (differs(i)) tell(i, now[i]);
  if (!differs(level) && !differs(bypass)) return;
  told_[bypass] = now[bypass];
  tell(level, now[level]);
  if (!quiet) return;
  gain_ = goal_;
  gain_frames_ = 0;
}

void PluginCore::tell(std::size_t index, double x) noexcept {
  told_[index] = x;
  if (index == level || index == bypass) return glide_gain();
  if (index < first_macro_index) return tune();
  const auto& controls = stage_->playing().controls();
  const std::size_t macro = index - first_macro_index;
  if (macro >= controls.size()) return;
  NoteEvent& e = notes_[note_count_++];
  e = {};
  e.type = NoteEvent::control;
  e.index = static_cast<std::uint16_t>(macro);
  e.value = macro_value(controls[macro], x);
}

double PluginCore::gain_meant() const noexcept { return value(bypass) >= 0.5 ? 0 : gain_of(value(level)); }

void PluginCore::glide_gain() noexcept {
  goal_ = gain_meant();
  gain_frames_ = std::max<std::int64_t>(1, std::llround(gain_s * stage_->rate_hz()));
  step_ = (goal_ - gain_) / static_cast<double>(gain_frames_);
}

void PluginCore::tune() noexcept {
  stage_->playing().retune(
      named_tuning(static_cast<std::size_t>(value(tuning)), 60 + static_cast<int>(value(tonic)), value(a4_hz)));
}

/// The notes gathered so far happen in these frames.
void PluginCore::play(float* const* out, SoundIn<float> in, std::size_t from, std::size_t to) noexcept {
  std::array<float*, 2> at = {out[0] + from, out[1] + from};
  std::array<const float*, SoundInput::most_channels> sound = {};
  const std::size_t sounds = std::min(in.size(), sound.size());
  for (std::size_t c = 0; c < sounds; ++c) sound[c] = in[c] + from;
  for (std::size_t i = 0; i < note_count_; ++i)
    notes_[i].frame = notes_[i].frame > from ? notes_[i].frame - static_cast<std::uint32_t>(from) : 0;
  stage_->play(at.data(), to - from, {notes_.data(), note_count_}, {sound.data(), sounds});
  note_count_ = 0;
  if (gain_ == 1 && gain_frames_ == 0) return;
  for (std::size_t i = 0; i < to - from; ++i) {
    if (gain_frames_ > 0) gain_ = --gain_frames_ == 0 ? goal_ : gain_ + step_;
    for (float* channel : at) channel[i] = static_cast<float>(gain_ * static_cast<double>(channel[i]));
  }
}

/// A piece ends where there is no room for more events, and where something changes that the stage does not know.
void PluginCore::process(float* const* out, std::size_t frames, std::span<const PluginEvent> events,
                         SoundIn<float> in) noexcept {
  begin();
  std::size_t done = 0;
  for (const PluginEvent& e : events) {
    const std::size_t frame = std::clamp<std::size_t>(e.event.frame, done, frames);
    if ((e.kind == PluginEvent::parameter && e.parameter_id < first_macro) || note_count_ == piece_events) {
      play(out, in, done, frame);
      done = frame;
    }
    const std::size_t before = note_count_;
    switch (e.kind) {
      case PluginEvent::note:
        notes_[note_count_++] = e.event;
        break;
      case PluginEvent::parameter:
        if (const auto index = find_parameter(e.parameter_id); index && !std::isnan(e.value)) {
          set_value(*index, e.value);
          if (const double x = allowed(*index, e.value); x != told_[*index]) tell(*index, x);
        }
        break;
      case PluginEvent::modulation:
        modulate(e);
        break;
      case PluginEvent::program:
        wanted_preset_.store(static_cast<int>(e.value), std::memory_order_relaxed);
        break;
    }
    if (note_count_ > before) notes_[before].frame = static_cast<std::uint32_t>(frame);
  }
  play(out, in, done, frames);
}

void PluginCore::modulate(const PluginEvent& e) noexcept {
  const auto& controls = stage_->playing().controls();
  const std::size_t macro = e.parameter_id - first_macro;
  if (e.parameter_id < first_macro || macro >= controls.size() || !std::isfinite(e.value)) return;
  NoteEvent& n = notes_[note_count_++];
  n = e.event;
  n.type = NoteEvent::modulation;
  n.index = static_cast<std::uint16_t>(macro);
  n.value = e.value * (controls[macro].most - controls[macro].least);
}

void PluginCore::reset() noexcept {
  stage_->playing().reset();
  told_.fill(not_told);
  told_[level] = value(level);
  told_[bypass] = value(bypass);
  gain_ = goal_ = gain_meant();
  gain_frames_ = 0;
  note_count_ = 0;
}

bool PluginCore::silent() const noexcept { return !stage_ || (!stage_->fading() && stage_->playing().silent()); }

}  // namespace jawari::plugin
