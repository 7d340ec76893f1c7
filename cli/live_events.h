// SPDX-License-Identifier: MIT
// Events on their way to the thread that plays, with the time at which each came: from the keys of the terminal and
// from MIDI.  A block plays what came while the block before it was played, as far from its start: one block late, all
// alike.
//   push()   any thread but the one that plays; waits for other senders alone
//   take()   the thread that plays; wait-free
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "jawari/instrument/midi_input.h"
#include "jawari/instrument/note_event.h"

namespace jawari::cli {

class LiveEvents {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t room = 1024;
  LiveEvents() : queue_(room), block_(room) {}

  bool push(const NoteEvent& event, Clock::time_point time) noexcept;  ///< false: so many wait already
  /// Events of a block that begins now, in the order of their frames.
  std::span<const NoteEvent> take(Clock::time_point now, std::size_t frames, double rate_hz) noexcept;

 private:
  struct Timed {
    NoteEvent event;
    Clock::time_point time;
  };
  std::mutex senders_;
  std::vector<Timed> queue_;
  std::vector<NoteEvent> block_;
  std::atomic<std::size_t> written_{0}, read_{0};
  Clock::time_point last_ = {};
  bool begun_ = false;
};

/// When a message was played: the driver says how long after the one before it, which is more even than the times at
/// which messages are handed over.
class MidiTimes {
 public:
  using Clock = LiveEvents::Clock;
  Clock::time_point of(double since_last_s, Clock::time_point arrival) noexcept;

 private:
  Clock::time_point last_ = {};
  bool known_ = false;
};

/// MIDI messages as they come in.  Programs choose presets: the one that was asked for last waits until it is taken.
class LiveMidi {
 public:
  explicit LiveMidi(LiveEvents& events) : events_(events) {}
  void receive(double since_last_s, std::span<const std::uint8_t> message, LiveEvents::Clock::time_point arrival);
  int take_program() noexcept { return program_.exchange(-1); }  ///< 0 to 127; -1: none

 private:
  LiveEvents& events_;
  MidiInput input_;
  MidiTimes times_;
  std::atomic<int> program_{-1};
};

}  // namespace jawari::cli
