// SPDX-License-Identifier: MIT
#include "live_events.h"

#include <algorithm>

namespace jawari::cli {

bool LiveEvents::push(const NoteEvent& event, Clock::time_point time) noexcept {
  const std::scoped_lock one(senders_);
  const std::size_t at = written_.load(std::memory_order_relaxed);
  if (at - read_.load(std::memory_order_acquire) >= room) return false;
  queue_[at % room] = {event, time};
  written_.store(at + 1, std::memory_order_release);
  return true;
}

std::span<const NoteEvent> LiveEvents::take(Clock::time_point now, std::size_t frames, double rate_hz) noexcept {
  const Clock::time_point from = begun_ ? last_ : now;
  last_ = now;
  begun_ = true;
  const std::size_t end = written_.load(std::memory_order_acquire);
  std::size_t at = read_.load(std::memory_order_relaxed);
  std::size_t count = 0;
  std::uint32_t earliest = 0;  // senders wait for one another: their events may be out of order by as much
  for (; at != end && frames > 0 && queue_[at % room].time <= now; ++at) {
    const Timed& t = queue_[at % room];
    const double frame = std::chrono::duration<double>(t.time - from).count() * rate_hz;
    earliest = std::max(earliest, static_cast<std::uint32_t>(std::clamp(frame, 0.0, static_cast<double>(frames - 1))));
    block_[count] = t.event;
    block_[count++].frame = earliest;
  }
  read_.store(at, std::memory_order_release);
  return {block_.data(), count};
}

LiveEvents::Clock::time_point MidiTimes::of(double since_last_s, Clock::time_point arrival) noexcept {
  constexpr double most_late_s = 0.02;  // beyond it the two have nothing to do with one another
  constexpr double nearer = 1.0 / 64;   // the clocks of driver and machine differ
  Clock::time_point time = arrival;
  if (known_ && since_last_s >= 0 && since_last_s < 3600) {
    const double since_s = std::chrono::duration<double>(arrival - last_).count();
    const double late_s = since_s - since_last_s;
    if (late_s > 0 && late_s < most_late_s)
      time -= std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(late_s * (1 - nearer)));
  }
  known_ = true;
  return last_ = time;
}

void LiveMidi::receive(double since_last_s, std::span<const std::uint8_t> message,
                       LiveEvents::Clock::time_point arrival) {
  const auto time = times_.of(since_last_s, arrival);
  if (message.size() == 2 && message[0] >> 4 == 0xc && message[1] < 0x80) program_ = message[1];
  input_.feed(message, 0, [&](const NoteEvent& e) { events_.push(e, time); });
}

}  // namespace jawari::cli
