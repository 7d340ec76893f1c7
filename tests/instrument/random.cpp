// SPDX-License-Identifier: MIT
// Any events, in any order, with any values: no crash, no NaN, the account closed.  20,000 of them here;
// JAWARI_EVENTS=1000000 in script/soak.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>

#include "instrument/support.h"

namespace jawari {
namespace {

using namespace test;

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

/// Mostly what people play, and a tenth of anything the format allows.
NoteEvent draw(Dice& dice, std::uint32_t frame) {
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

void survive(const Scene& scene, std::uint64_t seed, long events) {
  Dice dice(seed);
  Instrument instrument(scene);
  std::vector<float> left(4096), right(4096);
  float* out[] = {left.data(), right.data()};
  std::vector<NoteEvent> block;
  for (long done = 0; done < events;) {
    const std::size_t frames = dice.below(8) == 0 ? dice.below(4097) : dice.below(200);
    block.clear();
    for (std::uint64_t n = dice.below(12); n > 0; --n)
      block.push_back(draw(dice, static_cast<std::uint32_t>(dice.below(frames + 2))));
    done += static_cast<long>(block.size());
    if (dice.below(50) == 0) instrument.set_tuning(tuning_by_name("sitar", static_cast<int>(dice.below(128))));
    if (dice.below(20) == 0) instrument.send(draw(dice, 0));
    instrument.process(out, frames, block);
    for (std::size_t i = 0; i < frames; ++i) ASSERT_TRUE(std::isfinite(left[i]) && std::isfinite(right[i]));
    ASSERT_FALSE(instrument.failed()) << "after " << done << " events: " << instrument.failure_text();
  }
  instrument.engine().sync();
  EXPECT_LT(imbalance(instrument), 1e-11) << "seed " << seed;
}

long events() {
  const char* text = std::getenv("JAWARI_EVENTS");
  return text ? std::atol(text) : 20000;
}

TEST(InstrumentRandom, StruckVoices) { survive(struck("voices = 6\n"), 1, events() / 2); }
TEST(InstrumentRandom, PluckedVoicesOnABridge) { survive(plucked("voices = 4\n"), 2, events() / 2); }

}  // namespace
}  // namespace jawari
