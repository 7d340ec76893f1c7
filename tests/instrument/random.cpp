// SPDX-License-Identifier: MIT
// Any events, in any order, with any values: no crash, no NaN, the account closed; tests/realtime/allocations.cpp
// counts what they allocate.  20,000 of them here; JAWARI_EVENTS=1000000 in script/soak.
#include <gtest/gtest.h>

#include "instrument/random_events.h"

namespace jawari {
namespace {

using namespace test;

void survive(const Scene& scene, std::uint64_t seed, long events) {
  Instrument instrument(scene);
  std::vector<float> left(4096), right(4096);
  float* out[] = {left.data(), right.data()};
  const auto block = [&](std::size_t frames, const std::vector<NoteEvent>& drawn) {
    instrument.process(out, frames, drawn);
    bool finite = true;
    for (std::size_t i = 0; i < frames; ++i) finite = finite && std::isfinite(left[i]) && std::isfinite(right[i]);
    EXPECT_TRUE(finite);
    EXPECT_FALSE(instrument.failed()) << instrument.failure_text();
    return finite && !instrument.failed();
  };
  play_at_random(seed, events, block, [&](Dice& dice) {
    if (dice.below(50) == 0) instrument.set_tuning(tuning_by_name("sitar", static_cast<int>(dice.below(128))));
    if (dice.below(20) == 0) instrument.send(draw(dice, 0));
  });
  instrument.engine().sync();
  EXPECT_LT(imbalance(instrument), 1e-11) << "seed " << seed;
}

TEST(InstrumentRandom, StruckVoices) { survive(struck("voices = 6\n"), 1, random_events() / 2); }
TEST(InstrumentRandom, PluckedVoicesOnABridge) { survive(plucked("voices = 4\n"), 2, random_events() / 2); }

}  // namespace
}  // namespace jawari
