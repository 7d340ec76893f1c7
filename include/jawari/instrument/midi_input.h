// SPDX-License-Identifier: MIT
// MIDI messages as events of an instrument: notes, controllers, bends, pressure, registered parameters 0 (bend range)
// and 6 (MPE zones).  Allocates nothing.
//   controller   1 vibrato, 7 volume, 10 pan, 11 expression, 64 pedal, 66 sostenuto, 68 legato, 74 timbre,
//                120 all sound off, 121 reset controllers, 123 to 127 all notes off
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "jawari/instrument/note_event.h"

namespace jawari {

class MidiInput {
 public:
  /// Of one message, which begins with its status.  False: it says nothing to an instrument.
  bool read(std::span<const std::uint8_t> message, std::uint32_t frame, NoteEvent& event) noexcept;

  /// A stream of bytes, running status and all; `receive` is called with every event.
  template <class Receive>
  void feed(std::span<const std::uint8_t> bytes, std::uint32_t frame, Receive&& receive) {
    for (const std::uint8_t byte : bytes) {
      NoteEvent event;
      if (push(byte) && read({message_.data(), have_}, frame, event)) receive(event);
    }
  }

 private:
  struct Channel {  // registered parameters
    int number = -1, coarse = 0, fine = 0;
    std::uint8_t most = 127, least = 127;
  };
  bool push(std::uint8_t byte) noexcept;
  bool controller(int channel, int number, int value, NoteEvent& event) noexcept;
  bool data_entry(int channel, NoteEvent& event) const noexcept;

  std::array<Channel, 16> channels_ = {};
  std::array<std::uint8_t, 3> message_ = {};
  std::size_t have_ = 0, need_ = 0;
};

}  // namespace jawari
