// SPDX-License-Identifier: MIT
// The same samples for every block size, number of threads, and after reset().
#include <gtest/gtest.h>

#include "instrument/support.h"

namespace jawari {
namespace {

using namespace test;

constexpr std::size_t length = 24000;

/// Everything there is, with more notes than voices and several events in one frame.
std::vector<NoteEvent> dense_score() {
  using E = NoteEvent;
  return {on(0, 60, 0.9),
          on(0, 64, 0.5),
          say(100, E::bend, 0.3),
          on(1000, 67, 0.7, 1, 7),
          on(1001, 72, 1.0, 1, 8),
          say(1500, E::pressure, 0.8, 1, -1, 7),
          say(1777, E::vibrato, 1.0, 1, -1, 8),
          on(2000, 55, 0.4),
          off(2000, 60),
          on(2003, 57, 0.6),
          say(2500, E::pedal, 1.0),
          off(2600, 64),
          say(3000, E::tuning, 0.37, 1, 67, 7),
          on(3001, 48, 1.0),
          on(3001, 49, 1.0),
          on(3001, 50, 1.0),
          off(3001, 48),
          say(3100, E::pan, 0.9, 1),
          say(3200, E::volume, 0.5, 0),
          say(4000, E::sostenuto, 1.0),
          say(5000, E::pedal, 0.5),
          off(5100, 49),
          say(6000, E::sostenuto, 0.0),
          say(6001, E::pedal, 0.0),
          say(7000, E::bend, -1.0),
          on(8000, 62, 0.8, 2),
          say(8001, E::legato, 1.0, 2),
          on(9000, 65, 0.8, 2),
          on(9500, 69, 0.8, 2),
          off(10000, 69, 2),
          say(12000, E::sound_off, 0, 1),
          say(14000, E::notes_off, 0, -1),
          on(20000, 60, 1.0)};
}

void expect_blocks_alike(const Scene& scene, const std::vector<NoteEvent>& score) {
  Instrument instrument(scene);
  const Sound whole = play(instrument, score, length, length);
  EXPECT_GT(whole.peak(), 0);
  EXPECT_FALSE(instrument.failed()) << instrument.failure_text();
  for (const std::size_t block : {1u, 17u, 64u, 1000u}) {
    instrument.reset();
    EXPECT_TRUE(play(instrument, score, length, block) == whole) << "blocks of " << block;
  }
  instrument.reset();
  unsigned state = 1;
  const auto random = [&] { return (state = state * 1664525u + 1013904223u) % 3000; };  // 0 among them
  EXPECT_TRUE(play_blocks(instrument, score, length, random) == whole) << "random blocks";
  InstrumentOptions two;
  two.threads = 2;
  Instrument threads(scene, two);
  EXPECT_TRUE(play(threads, score, length, 480) == whole) << "two threads";
  EXPECT_EQ(instrument.ignored(), 0u);
  EXPECT_LT(imbalance(instrument), 1e-11);
}

TEST(InstrumentBlocks, StruckVoicesThatAreStolen) { expect_blocks_alike(struck("voices = 4\n"), dense_score()); }
TEST(InstrumentBlocks, PluckedVoicesOnABridge) { expect_blocks_alike(plucked("voices = 3\n"), dense_score()); }
TEST(InstrumentBlocks, AVoicePerKey) { expect_blocks_alike(struck(""), dense_score()); }

TEST(InstrumentBlocks, AnEventChangesNothingBeforeItsFrame) {
  Instrument instrument(struck());
  const std::vector<NoteEvent> one{on(0, 60)}, two{on(0, 60), on(5000, 64)};
  const Sound a = play(instrument, one, 8000);
  instrument.reset();
  const Sound b = play(instrument, two, 8000);
  EXPECT_TRUE(std::equal(a.left.begin(), a.left.begin() + 5000, b.left.begin()));
  EXPECT_FALSE(std::equal(a.left.begin(), a.left.begin() + 5100, b.left.begin()));
}

TEST(InstrumentBlocks, EventsOutOfOrderHappenAtTheNearestFrame) {
  Instrument instrument(struck());
  const Sound late = play(instrument, {on(100, 60)}, 4000, 4000);
  instrument.reset();
  Sound s{std::vector<double>(4000), std::vector<double>(4000)};
  double* out[] = {s.left.data(), s.right.data()};
  const std::vector<NoteEvent> events{say(100, NoteEvent::bend, 0.0), on(50, 60)};
  instrument.process(out, 4000, events);
  EXPECT_TRUE(s == late);
}

}  // namespace
}  // namespace jawari
