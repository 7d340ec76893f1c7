// SPDX-License-Identifier: MIT
// Events for instruments, drawn at random: mostly what people play, and a tenth of anything the format allows.
#pragma once
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "instrument/support.h"

namespace jawari::test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  std::uint64_t bits() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  std::uint64_t below(std::uint64_t n) { return bits() % n; }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

inline NoteEvent draw(Dice& dice, std::uint32_t frame) {
  using E = NoteEvent;
  NoteEvent e;
  e.frame = frame;
  if (dice.below(10) == 0) {
    e.type = static_cast<E::Type>(dice.below(256));
    e.channel = static_cast<std::int8_t>(dice.below(256));
    e.index = static_cast<std::uint16_t>(dice.bits());
    e.note_id = static_cast<std::int32_t>(dice.bits());
    e.key = dice.below(2) == 0 ? std::bit_cast<double>(dice.bits()) : 200 * dice.unit() - 30;
    e.value = std::bit_cast<double>(dice.bits());
    return e;
  }
  static constexpr E::Type common[] = {E::note_on, E::note_on, E::note_on, E::note_off, E::note_off, E::note_off};
  e.type = dice.below(2) == 0 ? common[dice.below(6)] : static_cast<E::Type>(dice.below(E::types));
  e.channel = static_cast<std::int8_t>(dice.below(3));
  e.note_id = dice.below(2) == 0 ? -1 : static_cast<std::int32_t>(dice.below(20));
  const bool about_a_note = e.type <= E::note_cut || dice.below(2) == 0;
  e.key = about_a_note ? 36 + static_cast<double>(dice.below(61)) : -1;
  e.value = e.type == E::bend ? 2 * dice.unit() - 1 : e.type == E::tuning ? 24 * dice.unit() - 12 : dice.unit();
  if (e.type == E::mpe_zone) e.value *= 15;
  e.index = static_cast<std::uint16_t>(dice.below(3));
  return e;
}

inline long random_events() {
  const char* text = std::getenv("JAWARI_EVENTS");
  return text ? std::atol(text) : 20000;
}

/// Calls play(frames, events) with blocks of 0 to 4096 frames until there have been so many events or it returns false,
/// and before each between(dice).
template <class Play, class Between>
void play_at_random(std::uint64_t seed, long events, Play&& play, Between&& between) {
  Dice dice(seed);
  std::vector<NoteEvent> block;
  block.reserve(16);
  for (long done = 0; done < events;) {
    const std::size_t frames = dice.below(8) == 0 ? dice.below(4097) : dice.below(200);
    block.clear();
    for (std::uint64_t n = dice.below(12); n > 0; --n)
      block.push_back(draw(dice, static_cast<std::uint32_t>(dice.below(frames + 2))));
    done += static_cast<long>(block.size());
    between(dice);
    if (!play(frames, block)) return;
  }
}

}  // namespace jawari::test
