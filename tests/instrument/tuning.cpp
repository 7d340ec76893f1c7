// SPDX-License-Identifier: MIT
// Scala files, named tunings, and a tuning that changes under a chord.
#include <gtest/gtest.h>

#include "instrument/support.h"
#include "jawari/io/scala.h"

namespace jawari {
namespace {

using namespace test;

double cents(double a, double b) { return 1200 * std::log2(a / b); }
std::string sentence_of(auto&& action) {
  try {
    action();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Scala, ReadsRatiosAndCents) {
  const Scale s = parse_scl(
      "! meanquar.scl\n!\n1/4-comma meantone scale. Pietro Aaron's temperament (1523)\n 4\n!\n 76.04900\n 193.15686 "
      "re\n"
      " 5/4 pure third\n 2\n",
      "meanquar.scl");
  ASSERT_EQ(s.ratios.size(), 4u);
  EXPECT_NEAR(cents(s.ratios[0], 1), 76.049, 1e-9);
  EXPECT_NEAR(cents(s.ratios[1], 1), 193.15686, 1e-9);
  EXPECT_DOUBLE_EQ(s.ratios[2], 1.25);
  EXPECT_DOUBLE_EQ(s.ratios[3], 2);
}

TEST(Scala, TwelveEqualStepsAreEqualTemperament) {
  std::string text = "12-tet\n12\n";
  for (int i = 1; i <= 12; ++i) text += std::to_string(100 * i) + ".0\r\n";
  const KeyTuning t = make_tuning(parse_scl(text));
  for (std::size_t key = 0; key < 128; ++key) EXPECT_NEAR(cents(t.hz[key], equal_tuning().hz[key]), 0, 1e-9);
}

TEST(Scala, MappingPlacesDegreesAndLeavesKeysSilent) {
  // White keys play the seven degrees; black keys are silent; A4 = 432 Hz.
  const Scale s = parse_scl("just\n7\n9/8\n5/4\n4/3\n3/2\n5/3\n15/8\n2/1\n");
  const KeyMap map =
      parse_kbm("! white.kbm\n12\n36\n96\n60\n69\n432.0\n7\n0\nx\n1\nx\n2\n3\nx\n4\nx\n5\nx\n6\n", "white.kbm");
  const KeyTuning t = make_tuning(s, map);
  EXPECT_DOUBLE_EQ(t.hz[69], 432);
  EXPECT_DOUBLE_EQ(t.hz[60], 432 / (5. / 3));
  EXPECT_NEAR(t.hz[64] / t.hz[60], 1.25, 1e-14);
  EXPECT_NEAR(t.hz[72] / t.hz[60], 2, 1e-14);
  EXPECT_NEAR(t.hz[48] / t.hz[60], 0.5, 1e-14);
  EXPECT_NEAR(t.hz[59] / t.hz[60], 15. / 16, 1e-14);
  EXPECT_EQ(t.hz[61], 0);
  EXPECT_EQ(t.hz[35], 0);
  EXPECT_EQ(t.hz[97], 0);
  EXPECT_EQ(t.frequency(60.5), 0);
}

TEST(Scala, ScalesWithoutOctave) {
  const KeyTuning t =
      make_tuning(parse_scl("Bohlen-Pierce, equal\n1\n3/1\n"), {.reference_key = 60, .reference_hz = 100});
  EXPECT_DOUBLE_EQ(t.hz[60], 100);
  EXPECT_DOUBLE_EQ(t.hz[61], 300);
  EXPECT_NEAR(t.hz[58], 100. / 9, 1e-12);
}

TEST(Scala, RefusesWithTheLine) {
  EXPECT_EQ(sentence_of([] { parse_scl("x\ntwo\n", "a.scl"); }),
            "a.scl:2: the number of notes is \"two\", but must be a whole number in [1, 10000]");
  EXPECT_EQ(sentence_of([] { parse_scl("x\n2\n3/2\n", "a.scl"); }), "a.scl: ends before note 2 of 2");
  EXPECT_NE(sentence_of([] { parse_scl("x\n1\n-3/2\n", "a.scl"); }), "");
  EXPECT_NE(sentence_of([] { parse_scl("x\n1\n3/0\n", "a.scl"); }), "");
  EXPECT_NE(sentence_of([] { parse_scl("x\n1\nnan\n", "a.scl"); }), "");
  EXPECT_NE(sentence_of([] { parse_scl("", "a.scl"); }), "");
  EXPECT_EQ(sentence_of([] { parse_kbm("0\n0\n127\n60\n69\n0\n12\n", "a.kbm"); }),
            "a.kbm:6: the reference frequency is 0, but must lie in [0.01, 100000]");
  EXPECT_NE(sentence_of([] { parse_kbm("2\n0\n127\n60\n69\n440\n12\n0\ny\n", "a.kbm"); }), "");
  EXPECT_NE(sentence_of([] { make_tuning(parse_scl("x\n1\n2/1\n"), parse_kbm("1\n0\n127\n60\n61\n440\n1\nx\n")); }),
            "");
}

TEST(NamedTunings, ArePureWhereTheySaySo) {
  for (const auto& n : named_tunings()) {
    const KeyTuning t = tuning_by_name(n.name, 61, 430);
    EXPECT_NEAR(t.hz[61], equal_tuning(430).hz[61], 1e-9) << n.name;
    EXPECT_NEAR(t.hz[73] / t.hz[61], 2, 1e-14) << n.name;
    for (std::size_t key = 1; key < 128; ++key) EXPECT_GT(t.hz[key], t.hz[key - 1]) << n.name;
    for (std::size_t key = 0; key < 128; ++key)
      EXPECT_LT(std::abs(cents(t.hz[key], equal_tuning(430).hz[key])), 35) << n.name << " key " << key;
  }
  for (const char* name : {"just", "tanpura", "sitar"}) {
    const KeyTuning t = tuning_by_name(name, 61);
    EXPECT_DOUBLE_EQ(t.hz[68] / t.hz[61], 1.5) << name;
    EXPECT_DOUBLE_EQ(t.hz[65] / t.hz[61], 1.25) << name;
  }
  const KeyTuning meantone = tuning_by_name("meantone", 60);
  for (const std::size_t third : {62u, 65u, 67u}) EXPECT_NEAR(meantone.hz[third + 4] / meantone.hz[third], 1.25, 1e-9);
  EXPECT_EQ(sentence_of([] { tuning_by_name("sittar"); }),
            "tuning is \"sittar\", but must be one of 12-tet, just, tanpura, sitar, pythagorean, meantone");
}

/// Without a click, in the sound of any of the notes: no step from sample to sample above the largest of the period
/// before, or of the same sound without the change, whose partials are no multiples of one another; a higher pitch is
/// steeper.  The account stays closed.
TEST(LiveTuning, OfASoundingChord) {
  constexpr std::size_t notes = 4;
  for (const bool plucks : {false, true}) {
    const double root = plucks ? 45 : 60;
    const std::array<double, notes> chord = {root, root + 4, root + 7, root + 11};
    const KeyTuning just = tuning_by_name("just", static_cast<int>(root));
    for (std::size_t heard = 0; heard < notes; ++heard) {  // the others sound with it, but are turned down
      Instrument instrument(plucks ? plucked("voices = 4\n") : struck("voices = 4\n"));
      const double hz = frequency_of_key(chord[heard]);
      const auto period = static_cast<std::size_t>(std::ceil(48000 / hz));
      std::array<double, 2> before, after;
      for (const bool tuned : {false, true}) {
        instrument.reset();
        std::vector<NoteEvent> events;
        for (std::size_t i = 0; i < notes; ++i) events.push_back(on(0, chord[i], 0.9, 0, static_cast<int>(i)));
        for (std::size_t i = 0; i < notes; ++i)
          if (i != heard) events.push_back(say(0, NoteEvent::volume, 0, 0, -1, static_cast<int>(i)));
        play(instrument, events, 24000);
        Sound all = play(instrument, {}, period + 1);
        if (tuned) instrument.set_tuning(just);
        const Sound rest = play(instrument, {}, 2400);
        all.left.insert(all.left.end(), rest.left.begin(), rest.left.end());
        const auto step = [&](std::size_t from, std::size_t to) {
          double most = 0;
          for (std::size_t i = from; i < to; ++i) most = std::max(most, std::abs(all.left[i + 1] - all.left[i]));
          return most;
        };
        before[tuned] = step(0, period);
        after[tuned] = step(period, all.left.size() - 1);
      }
      const double steeper = std::max(1.0, just.hz[static_cast<std::size_t>(chord[heard])] / hz);
      EXPECT_LE(after[1], steeper * std::max(before[1], after[0])) << (plucks ? "plucked " : "struck ") << heard;
      EXPECT_GT(before[1], 0);
      const World& world = instrument.engine().world();
      const double third = world.parameter(world.model().find_parameter("s-2.frequency_hz"));
      EXPECT_NEAR(third, 1.25 * frequency_of_key(root), 1e-9);
      EXPECT_NE(world.ledger().injected_J, 0);
      EXPECT_LT(imbalance(instrument), 1e-11) << (plucks ? "plucked" : "struck");
    }
  }
}

TEST(LiveTuning, NewNotesAndSilentKeys) {
  Instrument instrument(struck());
  KeyTuning t = equal_tuning();
  t.hz[60] = 0;
  t.hz[62] = 300;
  instrument.set_tuning(t);
  play(instrument, {on(0, 60), on(0, 62)}, 4800);
  EXPECT_EQ(instrument.sounding(), 1u);
  EXPECT_EQ(instrument.ignored(), 1u);
  const World& world = instrument.engine().world();
  EXPECT_NEAR(world.parameter(world.model().find_parameter("s-1.frequency_hz")), 300, 1e-9);
  instrument.reset();  // back to equal temperament
  play(instrument, {on(0, 60)}, 4800);
  EXPECT_NEAR(world.parameter(world.model().find_parameter("s-1.frequency_hz")), frequency_of_key(60), 1e-9);
}

}  // namespace
}  // namespace jawari
