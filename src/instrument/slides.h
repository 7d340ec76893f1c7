// SPDX-License-Identifier: MIT
// Fingers that slide along the strings of voices, each with the clock of its note.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "voice_output.h"
#include "wiring.h"

namespace jawari {

class Slides {
 public:
  /// Both must outlive it.
  Slides(const Wiring& wiring, double rate_hz, VoiceOutput& output);

  void begin(std::size_t voice, std::int64_t now) noexcept;
  void tell(std::int64_t now) noexcept;  ///< what is due
  /// Frames until something is due; at least 1 after tell().
  std::int64_t until_due(std::int64_t now) const noexcept { return due_ == never ? never : due_ - now; }
  void reset() noexcept;

 private:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  struct Slide {
    std::int64_t began = 0;
    std::size_t next = no_index;  // of its steps; no_index: none is left
  };
  std::int64_t due(std::size_t voice) const noexcept;

  const Wiring& wiring_;
  double rate_hz_;
  VoiceOutput& output_;
  std::vector<Slide> slides_;  // per voice
  std::int64_t due_ = never;
};

}  // namespace jawari
