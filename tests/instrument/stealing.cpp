// SPDX-License-Identifier: MIT
// Which voice a note gets, and that taking one away neither clicks nor breaks the account.
#include <gtest/gtest.h>

#include <set>

#include "instrument/support.h"

namespace jawari {
namespace {

using namespace test;
using E = NoteEvent;

std::multiset<long> sounding_keys(const Instrument& instrument, int voices) {
  std::multiset<long> keys;
  const World& world = instrument.engine().world();
  for (int i = 1; i <= voices; ++i) {
    const double hz = world.parameter(world.model().find_parameter("s-" + std::to_string(i) + ".frequency_hz"));
    keys.insert(std::lround(69 + 12 * std::log2(hz / 440)));
  }
  return keys;
}

TEST(InstrumentStealing, FreeVoicesFirst) {
  Instrument instrument(struck("voices = 4\n"));
  play(instrument, {on(0, 60), on(10, 62), on(20, 64), on(30, 65)}, 2400);
  EXPECT_EQ(sounding_keys(instrument, 4), (std::multiset<long>{60, 62, 64, 65}));
}

TEST(InstrumentStealing, TheQuietestOfThoseReleased) {
  Instrument instrument(struck("voices = 3\n"));
  // 62 is soft, 60 and 64 are loud; 62 is released last and still goes first.
  play(instrument,
       {on(0, 60, 1.0), on(0, 62, 0.0), on(0, 64, 1.0), off(2000, 60), off(2100, 64), off(2200, 62), on(2400, 70)},
       4800);
  EXPECT_EQ(sounding_keys(instrument, 3), (std::multiset<long>{60, 64, 70}));
}

TEST(InstrumentStealing, ThenTheOldestOnThePedalThenTheOldestHeld) {
  Instrument instrument(struck("voices = 3\n"));
  play(instrument,
       {say(0, E::pedal, 1), on(0, 60, 0.5), on(100, 62, 0.9), on(200, 64), off(1000, 62), off(1100, 64), on(2400, 70)},
       4800);
  EXPECT_EQ(sounding_keys(instrument, 3), (std::multiset<long>{60, 64, 70}));
  instrument.reset();
  play(instrument, {on(0, 60), on(100, 62), on(200, 64), on(2400, 70), on(2500, 72)}, 4800);
  EXPECT_EQ(sounding_keys(instrument, 3), (std::multiset<long>{64, 70, 72}));
}

TEST(InstrumentStealing, TheSameKeyStrikesItsOwnVoice) {
  Instrument instrument(struck("voices = 3\n"));
  play(instrument, {on(0, 60), off(1000, 60), on(2000, 60), off(3000, 60), on(4000, 60)}, 4800);
  EXPECT_EQ(instrument.sounding(), 1u);
}

TEST(InstrumentStealing, AStolenVoiceFadesFirst) {
  Instrument instrument(struck("voices = 1\n"));
  const Sound alone = play(instrument, {on(0, 60, 1.0)}, 9600);
  instrument.reset();
  const Sound stolen = play(instrument, {on(0, 60, 1.0), on(4800, 67, 1.0)}, 9600);
  EXPECT_TRUE(std::equal(alone.left.begin(), alone.left.begin() + 4800, stolen.left.begin()));
  const std::size_t begins = 4800 + 192;  // 4 ms
  EXPECT_LT(stolen.peak(begins - 20, begins), 2e-2 * alone.peak(4000, 4800));
  EXPECT_GT(stolen.peak(begins, begins + 480), 0.1 * alone.peak());
  double step = 0;
  double usual = 0;
  for (std::size_t i = 4000; i < 4800; ++i) usual = std::max(usual, std::abs(stolen.left[i] - stolen.left[i - 1]));
  for (std::size_t i = 4800; i < begins; ++i) step = std::max(step, std::abs(stolen.left[i] - stolen.left[i - 1]));
  EXPECT_LE(step, usual);
  EXPECT_LT(imbalance(instrument), 1e-11);
}

TEST(InstrumentStealing, ANoteThatEndsWhileItsVoiceFadesIsHeardAndDamped) {
  Instrument instrument(struck("voices = 1\n"));
  const Sound s = play(instrument, {on(0, 60), on(4800, 67), off(4850, 67)}, 48000);
  EXPECT_GT(s.peak(4992, 5400), 0);
  EXPECT_LT(s.peak(38400), 1e-3 * s.peak());
}

/// Groups that are stepped: those of voices that have not faded, however many there are.
TEST(InstrumentStealing, IdleVoicesCostNothing) {
  const auto stepped = [](const Instrument& instrument) {
    const auto& groups = instrument.engine().world().instance().groups;
    return std::count_if(groups.begin(), groups.end(), [](const auto& g) { return !g.asleep; });
  };
  for (const char* voices : {"voices = 1\n", "voices = 200\n"}) {
    Instrument instrument(struck(voices));
    play(instrument, {on(0, 60), off(100, 60)}, 144000, 256);
    EXPECT_TRUE(instrument.silent()) << voices;
    EXPECT_EQ(stepped(instrument), 0) << voices;
    play(instrument, {on(0, 60)}, 256);
    EXPECT_EQ(stepped(instrument), 1) << voices;
  }
}

}  // namespace
}  // namespace jawari
