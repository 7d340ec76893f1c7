// SPDX-License-Identifier: MIT
// Which voice of a set plays a note: that of its key, or one that is free, has faded or is taken from another note.
#pragma once
#include <span>

#include "jawari/instrument/note_event.h"
#include "voice.h"

namespace jawari {

class VoiceChoice {
 public:
  /// All must outlive it.
  VoiceChoice(const Wiring& wiring, std::span<const Voice> voices, const MidiChannels& channels, VoiceOutput& output)
      : wiring_(wiring), voices_(voices), channels_(channels), output_(output) {}

  struct Chosen {
    std::size_t voice = 0;
    bool fades = false;  ///< it sounds, and has to fade first
  };
  Chosen choose(const SetWiring& set, const NoteEvent& note) noexcept;
  void reset() noexcept { loudest_J_ = 0; }

 private:
  std::size_t nearest_key(const SetWiring& set, double key) const noexcept;
  Chosen steal(std::size_t first, std::size_t last) noexcept;

  const Wiring& wiring_;
  std::span<const Voice> voices_;
  const MidiChannels& channels_;
  VoiceOutput& output_;
  double loudest_J_ = 0;
};

}  // namespace jawari
