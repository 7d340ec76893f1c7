// SPDX-License-Identifier: MIT
// Copies of the voices of a scene, as many as are wanted, each for a pitch: the body, its hammer and all that is
// attached to it, scaled by the exponents of [voice].
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "jawari/engine/event_scene.h"
#include "voice_copy.h"

namespace jawari {

struct BuiltVoice {
  VoiceNames names;                 ///< in the scene as it was written -> in the copy
  std::string body, strike, pluck;  ///< of the copy; strike or pluck is empty
  double pitch_hz = 0;              ///< what is heard while it is tuned as it is built; 0: it has no pitch
  double hammer_stiffness = 1;      ///< over that of the scene as it was written
  double stretch = 1;               ///< likewise of positions along its body
  std::vector<EventSpec> slides;    ///< of fingers, by time from the start of a note
};

class VoiceBuilder {
 public:
  /// Checks and takes out all voices.  Throws InputError.
  explicit VoiceBuilder(const Scene& scene);

  std::size_t voices() const noexcept { return voices_.size(); }
  const VoiceSpec& spec(std::size_t voice) const noexcept { return voices_[voice].spec; }
  bool tuned(std::size_t voice) const noexcept { return voices_[voice].pitch_hz > 0; }
  double pitch_hz(std::size_t voice) const noexcept { return voices_[voice].pitch_hz; }  ///< as it is written
  /// Lowest mode over pitch.
  double mode_ratio(std::size_t voice) const noexcept { return voices_[voice].ratio; }
  bool is_string(std::size_t voice) const noexcept { return voices_[voice].string; }
  bool damps(std::size_t voice) const noexcept { return voices_[voice].damps; }  ///< it takes added decay
  std::string path(std::size_t voice, std::string_view key) const;

  /// For a pitch, and to be tuned up to the highest one; its pickups at `pan`.
  BuiltVoice build(std::size_t voice, const std::string& suffix, double hz, double highest_hz, double pan);
  /// The scene with the copies.
  Scene take();

 private:
  struct Voice {
    VoiceSpec spec;
    VoiceCopy copies;
    double pitch_hz = 0, ratio = 1;
    bool string = false, damps = true;
  };
  void check(const Scene& scene, std::size_t voice, const VoiceSpec& spec) const;
  [[noreturn]] void refuse(std::size_t voice, std::string_view key, std::string value, const std::string& rest,
                           std::string allowed) const;
  void tune_string(const Voice& voice, StringSpec& s, double x, double highest) const;

  std::vector<Voice> voices_;
  bool several_ = false, no_pickups_ = false;
  Scene out_;
};

}  // namespace jawari
