// SPDX-License-Identifier: MIT
#include "jawari/instrument/voices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/voice_builder.h"
#include "jawari/core/elementary.h"

namespace jawari {
namespace {

constexpr double usual_lowest = 36, usual_highest = 96;
constexpr double octave = 12;
constexpr std::size_t most_voices = 200;

VoiceParts parts_of(BuiltVoice built, double key) {
  return {key,
          std::move(built.body),
          std::move(built.strike),
          std::move(built.pluck),
          built.pitch_hz,
          built.hammer_stiffness,
          built.stretch,
          std::move(built.slides),
          std::move(built.names)};
}

double key_of_hz(double hz) { return 69 + 12 * elementary::log(hz / 440) / elementary::log(2); }

/// Voices that are retuned reach an octave from their pitch; a voice per key may be of any size.
void choose_range(VoiceSpec& spec, double pitch_hz) {
  const bool around = spec.voices > 0 && pitch_hz > 0;
  const double middle = around ? std::floor(key_of_hz(pitch_hz) + 0.5) : 0;
  if (spec.lowest < 0) spec.lowest = around ? std::clamp(middle - octave, 0.0, 127.0) : usual_lowest;
  if (spec.highest < 0) spec.highest = around ? std::clamp(middle + octave, 0.0, 127.0) : usual_highest;
}

class SetBuilder {
 public:
  SetBuilder(VoiceBuilder& builder, std::size_t index, const VoiceRange& range) : builder_(builder), index_(index) {
    set_.spec = builder.spec(index);
    VoiceSpec& spec = set_.spec;
    if (range.lowest_key >= 0) spec.lowest = range.lowest_key;
    if (range.highest_key >= 0) spec.highest = range.highest_key;
    if (range.voices > 0) spec.voices = range.voices;
    choose_range(spec, builder.pitch_hz(index));
    spec.lowest = std::ceil(spec.lowest);
    spec.highest = std::floor(spec.highest);
    if (spec.lowest > spec.highest)
      throw InputError(builder.path(index, "lowest"),
                       fmt::format("voice.lowest is key {:g}, but must be at most highest, which is {:g}", spec.lowest,
                                   spec.highest),
                       fmt::format("{:g}", spec.lowest), fmt::format("be at most highest, {:g}", spec.highest));
    set_.mode_ratio = builder.mode_ratio(index);
    lowest_hz_ = frequency_of_key(spec.lowest);
    highest_hz_ = frequency_of_key(spec.highest);
  }
  /// Keys of a score: all that are the only voice's, or those in its range.
  std::set<double> own(const std::set<double>& keys) const {
    std::set<double> own;
    for (const double key : keys)
      if (builder_.voices() == 1 || (key > set_.spec.lowest - 0.5 && key < set_.spec.highest + 0.5)) own.insert(key);
    return own;
  }
  std::set<double> range() const {
    std::set<double> keys;
    for (double key = set_.spec.lowest; key <= set_.spec.highest; ++key) keys.insert(key);
    return keys;
  }
  double lowest() const { return set_.spec.lowest; }
  VoiceSet build(const std::set<double>& keys) {
    VoiceSpec& spec = set_.spec;
    if (keys.empty()) return std::move(set_);
    spec.lowest = std::min(spec.lowest, *keys.begin());
    spec.highest = std::max(spec.highest, *keys.rbegin());
    const double bend = elementary::exp2(spec.bend_semitones / 12);
    if (spec.voices > 0) {
      const double hz = builder_.tuned(index_) ? builder_.pitch_hz(index_) : lowest_hz_;
      const double highest_hz = std::max(hz, frequency_of_key(spec.highest) * bend);
      for (int i = 1; i <= spec.voices; ++i)
        set_.voices.push_back(parts_of(builder_.build(index_, std::to_string(i), hz, highest_hz, pan(hz)), -1));
      return std::move(set_);
    }
    if (keys.size() > most_voices)
      throw InputError(builder_.path(index_, "voices"),
                       fmt::format("the score has {} pitches, but at most {} voices are built; give voices",
                                   keys.size(), most_voices),
                       fmt::format("{} pitches", keys.size()),
                       fmt::format("be given, or at most {} pitches", most_voices));
    for (const double key : keys) {
      const double hz = frequency_of_key(key);
      set_.voices.push_back(parts_of(builder_.build(index_, name_of_key(key), hz, hz * bend, pan(hz)), key));
    }
    return std::move(set_);
  }

 private:
  double pan(double hz) const {
    if (!(highest_hz_ > lowest_hz_)) return 0;
    const double place = elementary::log(hz / lowest_hz_) / elementary::log(highest_hz_ / lowest_hz_);
    return std::clamp(set_.spec.spread * (2 * place - 1), -1.0, 1.0);
  }
  VoiceBuilder& builder_;
  std::size_t index_;
  VoiceSet set_;
  double lowest_hz_ = 0, highest_hz_ = 0;
};

VoicedScene build(const Scene& scene, const VoiceRange& range, const std::set<double>* score, bool all) {
  VoiceBuilder builder(scene);
  VoicedScene voiced;
  for (std::size_t i = 0; i < builder.voices(); ++i) {
    SetBuilder set(builder, i, range);
    std::set<double> keys = score ? set.own(*score) : set.range();
    if (all && !keys.empty()) keys.merge(set.range());
    if (keys.empty() && !scene.controls.empty()) keys.insert(set.lowest());  // controls may name its parts
    voiced.sets.push_back(set.build(keys));
  }
  voiced.scene = builder.take();
  voiced.scene.notes.clear();
  return voiced;
}

}  // namespace

VoicedScene build_voices(const Scene& scene, const VoiceRange& range) { return build(scene, range, nullptr, true); }

VoicedScene build_voices(const Scene& scene, const VoiceRange& range, const std::set<double>& keys, bool all) {
  return build(scene, range, &keys, all);
}

}  // namespace jawari
