// SPDX-License-Identifier: MIT
// Tells the engine what has changed of a voice: pitch, damping, what follows pressure and timbre, gains, place, stroke.
// What is as it was told before is not told again.
#pragma once
#include "controls.h"
#include "jawari/instrument/key_tuning.h"
#include "voice.h"

namespace jawari {

/// How long pitch, pressure and gains take to follow.
constexpr double follow_s = 0.005;

class VoiceTeller {
 public:
  /// All must outlive it.
  VoiceTeller(const Model& model, const Wiring& wiring, const Controls& controls, const MidiChannels& channels,
              const KeyTuning& tuning, VoiceOutput& output)
      : model_(model), wiring_(wiring), controls_(controls), channels_(channels), tuning_(tuning), output_(output) {}

  /// All that has changed, at this frame.  Returns whether the pitch moves by itself.
  bool tell(std::size_t voice, Voice& v, std::int64_t now) noexcept;
  /// A control has told what may follow pressure or timbre, too.  Returns whether they have to be told again.
  bool control_moved(std::size_t voice, Voice& v) noexcept;

 private:
  bool tell_pitch(const VoiceWiring& w, Voice& v, std::int64_t now, double glide_s) noexcept;
  void tell_damping(const VoiceWiring& w, Voice& v, double glide_s) noexcept;
  void tell_follows(std::size_t voice, Voice& v) noexcept;
  double follow_base(std::size_t voice, std::size_t which) const noexcept;
  double added_damping_1_s(const VoiceWiring& w, const Voice& v) const noexcept;
  void tell_gains(const VoiceWiring& w, Voice& v, double glide_s) noexcept;
  void tell_place(const VoiceWiring& w, Voice& v, std::int64_t frames) noexcept;
  void tell_stroke(const VoiceWiring& w, const Voice& v) noexcept;
  const std::optional<Follow>& follow(const VoiceWiring& w, std::size_t which) const noexcept {
    return which == 0 ? spec(w).pressure : spec(w).timbre;
  }
  const VoiceSpec& spec(const VoiceWiring& w) const noexcept { return wiring_.sets[w.set].spec; }
  void set(std::size_t parameter, double value, double glide_s) noexcept;

  const Model& model_;
  const Wiring& wiring_;
  const Controls& controls_;
  const MidiChannels& channels_;
  const KeyTuning& tuning_;
  VoiceOutput& output_;
};

}  // namespace jawari
