// SPDX-License-Identifier: MIT
// The keys of a terminal as those of a piano: "z" is C3, "s" C#3, ... "m" B3; "q" is C4, "2" C#4, ... "u" B4, "i" C5.
// A terminal does not say when a key goes up: a note ends some time after its key was heard last.
#pragma once
#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include "jawari/instrument/note_event.h"

namespace jawari::cli {

class Keyboard {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds held{500};

  /// What a character says, at a time: notes, "<" and ">" for octaves, " " for all notes off; none: nothing.
  std::optional<NoteEvent> press(char character, Clock::time_point now);
  /// Notes whose time is over.
  std::vector<NoteEvent> release(Clock::time_point now);

 private:
  struct Down {
    int key = -1;
    Clock::time_point until;
  };
  std::vector<Down> down_;
  int octave_ = 0;
};

}  // namespace jawari::cli
