// SPDX-License-Identifier: MIT
// What notes, pedals, bends and expressions do to a voice.
#include <gtest/gtest.h>

#include "instrument/support.h"

namespace jawari {
namespace {

using namespace test;
using E = NoteEvent;

/// Frequency of a voice now.
double hz_of(const Instrument& instrument, const std::string& voice) {
  const World& world = instrument.engine().world();
  return world.parameter(world.model().find_parameter("s-" + voice + ".frequency_hz"));
}
double damping_of(const Instrument& instrument, const std::string& voice) {
  const World& world = instrument.engine().world();
  return world.parameter(world.model().find_parameter("s-" + voice + ".damping_1_s"));
}
double hz(double key) { return frequency_of_key(key); }

TEST(InstrumentNotes, LouderNotesAreLouder) {
  Instrument instrument(struck());
  double before = 0;
  for (const double velocity : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    instrument.reset();
    const double peak = play(instrument, {on(0, 60, velocity)}, 4800).peak();
    EXPECT_GT(peak, 1.2 * before);
    before = peak;
  }
}

TEST(InstrumentNotes, ReleasedNotesFadeAndSleep) {
  Instrument instrument(struck());
  EXPECT_TRUE(instrument.sounding() == 0);
  const Sound held = play(instrument, {on(0, 60)}, 48000);
  EXPECT_EQ(instrument.sounding(), 1u);
  EXPECT_FALSE(instrument.silent());
  instrument.reset();
  const Sound released = play(instrument, {on(0, 60), off(9600, 60)}, 48000);
  EXPECT_LT(released.peak(28800), 0.01 * held.peak(28800));
  play(instrument, {}, 96000);
  EXPECT_EQ(instrument.sounding(), 0u);
  EXPECT_TRUE(instrument.silent());
}

TEST(InstrumentNotes, PedalHoldsAndHalfAPedalDampsPartly) {
  Instrument instrument(struck());
  std::vector<double> after;
  for (const double pedal : {0.0, 0.5, 1.0}) {
    instrument.reset();
    play(instrument, {say(0, E::pedal, pedal), on(0, 60), off(4800, 60)}, 24000);
    after.push_back(damping_of(instrument, "1"));
  }
  EXPECT_DOUBLE_EQ(after[0], 18);
  EXPECT_NEAR(after[1], 9, 1e-9);
  EXPECT_DOUBLE_EQ(after[2], 0);
  play(instrument, {say(0, E::pedal, 0)}, 4800);
  EXPECT_DOUBLE_EQ(damping_of(instrument, "1"), 18);
}

TEST(InstrumentNotes, SostenutoHoldsWhatWasDown) {
  Instrument instrument(struck());
  play(instrument, {on(0, 60), say(100, E::sostenuto, 1), on(200, 64), off(4800, 60), off(4800, 64)}, 9600);
  EXPECT_DOUBLE_EQ(damping_of(instrument, "1"), 0);
  EXPECT_DOUBLE_EQ(damping_of(instrument, "2"), 18);
  play(instrument, {say(0, E::sostenuto, 0)}, 4800);
  EXPECT_DOUBLE_EQ(damping_of(instrument, "1"), 18);
}

TEST(InstrumentNotes, BendsMoveTheNotesOfTheirChannel) {
  Instrument instrument(struck());
  play(instrument, {on(0, 60, 0.7, 0), on(0, 67, 0.7, 1), say(1000, E::bend, 0.5, 0)}, 4800);
  EXPECT_NEAR(hz_of(instrument, "1"), hz(61), 1e-9);
  EXPECT_NEAR(hz_of(instrument, "2"), hz(67), 1e-9);
  play(instrument, {say(0, E::bend_range, 12, 0)}, 4800);
  EXPECT_NEAR(hz_of(instrument, "1"), hz(66), 1e-9);
}

TEST(InstrumentNotes, MpeZonesBendMembersAndAll) {
  Instrument instrument(struck());
  play(instrument,
       {say(0, E::mpe_zone, 5, 0), on(0, 60, 0.7, 1), on(0, 64, 0.7, 2), on(0, 67, 0.7, 9), say(500, E::bend, 0.25, 1),
        say(600, E::bend, 0.5, 0)},
       4800);
  EXPECT_NEAR(hz_of(instrument, "1"), hz(60 + 12 + 1), 1e-8);
  EXPECT_NEAR(hz_of(instrument, "2"), hz(64 + 1), 1e-8);
  EXPECT_NEAR(hz_of(instrument, "3"), hz(67), 1e-8);
}

TEST(InstrumentNotes, ExpressionsReachOneNote) {
  Instrument instrument(plucked());
  play(instrument,
       {on(0, 50, 0.7, 0, 1), on(0, 53, 0.7, 0, 2), say(100, E::tuning, 0.5, 0, -1, 2),
        say(100, E::pressure, 1, 0, -1, 1)},
       4800);
  EXPECT_NEAR(hz_of(instrument, "1"), hz(50), 1e-9);
  EXPECT_NEAR(hz_of(instrument, "2"), hz(53.5), 1e-9);
  const World& world = instrument.engine().world();
  EXPECT_DOUBLE_EQ(world.parameter(world.model().find_parameter("bridge-1.height_m")), 1e-4);
  EXPECT_DOUBLE_EQ(world.parameter(world.model().find_parameter("bridge-2.height_m")), -1e-4);
}

TEST(InstrumentNotes, VolumeExpressionAndPan) {
  Instrument instrument(struck());
  const Sound plain = play(instrument, {on(0, 60)}, 4800);
  instrument.reset();
  const Sound half = play(instrument, {say(0, E::volume, 0.5), on(0, 60)}, 4800);
  instrument.reset();
  const Sound left = play(instrument, {say(0, E::pan, 0), on(0, 60)}, 4800);
  for (std::size_t i = 0; i < 4800; ++i) ASSERT_NEAR(half.left[i], 0.5 * plain.left[i], 1e-12);
  double right = 0;
  for (std::size_t i = 10; i < 4800; ++i) right = std::max(right, std::abs(left.right[i]));
  EXPECT_LT(right, 1e-9 * left.peak());
}

TEST(InstrumentNotes, LegatoRetunesWithoutAStroke) {
  Instrument instrument(struck());
  play(instrument, {say(0, E::legato, 1), on(0, 60), on(4800, 64)}, 9600);
  EXPECT_NEAR(hz_of(instrument, "1"), hz(64), 1e-9);
  EXPECT_EQ(instrument.sounding(), 1u);
  play(instrument, {off(0, 64)}, 4800);
  EXPECT_NEAR(hz_of(instrument, "1"), hz(60), 1e-9);
  EXPECT_DOUBLE_EQ(damping_of(instrument, "1"), 0);
  play(instrument, {off(0, 60)}, 4800);
  EXPECT_DOUBLE_EQ(damping_of(instrument, "1"), 18);
}

TEST(InstrumentNotes, SoundOffAndPanicSilence) {
  for (const auto type : {E::sound_off, E::panic, E::note_cut}) {
    Instrument instrument(struck());
    const Sound s = play(instrument, {on(0, 60), on(0, 64), say(9600, type, 0)}, 24000);
    EXPECT_LT(s.peak(12000), 1e-4 * s.peak(0, 9600)) << type;
  }
}

TEST(InstrumentNotes, NotesOffLeavesPedal) {
  Instrument instrument(struck());
  play(instrument, {say(0, E::pedal, 1), on(0, 60), say(4800, E::notes_off, 0)}, 9600);
  EXPECT_DOUBLE_EQ(damping_of(instrument, "1"), 0);
  play(instrument, {say(0, E::pedal, 0)}, 4800);
  EXPECT_DOUBLE_EQ(damping_of(instrument, "1"), 18);
}

TEST(InstrumentNotes, NonsenseIsIgnored) {
  Instrument instrument(struck());
  const double nan = std::nan("");
  const double infinite = INFINITY;
  const Sound s = play(instrument,
                       {on(0, nan), on(0, 60, nan), on(0, -5), on(0, 128), on(0, 60, infinite), on(0, 60, 0.5, 16),
                        on(0, 60, 0.5, -1), say(0, static_cast<E::Type>(99), 0), say(0, E::control, 1)},
                       4800);
  EXPECT_EQ(s.peak(), 0);
  EXPECT_EQ(instrument.ignored(), 9u);
}

TEST(InstrumentNotes, EventsFromAnotherThreadHappenAtTheStartOfABlock) {
  Instrument instrument(struck());
  const Sound direct = play(instrument, {on(0, 60)}, 4800);
  instrument.reset();
  EXPECT_TRUE(instrument.send(on(0, 60)));
  EXPECT_TRUE(play(instrument, {}, 4800) == direct);
  for (int i = 0; i < 1024; ++i) EXPECT_TRUE(instrument.send(say(0, E::bend, 0)));
  EXPECT_FALSE(instrument.send(say(0, E::bend, 0)));
}

/// The thread of a tanpura is moved by its control under a note: no jump above those of the string that sounds on.
TEST(InstrumentNotes, AThreadMovesWhileItsNoteSounds) {
  Scene scene = read_scene(JAWARI_SOURCE_DIR "/presets/03-tanpura-thread.toml").scene;
  scene.voices[0].highest = scene.voices[0].lowest + 1;
  Instrument instrument(scene);
  std::uint16_t control = 0;
  while (instrument.controls().at(control).name != "Thread position") ++control;
  NoteEvent note{.type = NoteEvent::note_on};
  note.key = scene.voices[0].lowest;
  note.value = 0.8;
  NoteEvent turn{.type = NoteEvent::control};
  turn.index = control;
  turn.value = 3.0;
  std::vector<double> left(32000), right(32000);
  const auto play = [&](std::size_t from, const NoteEvent& event) {
    double* out[] = {left.data() + from, right.data() + from};
    instrument.process(out, 16000, std::span(&event, 1));
  };
  play(0, note);
  const double before_J = instrument.engine().world().ledger().injected_J;
  play(16000, turn);
  const auto jump = [&](std::size_t from, std::size_t to) {
    double most = 0;
    for (std::size_t i = from; i < to; ++i) most = std::max(most, std::abs(left[i] - left[i - 1]));
    return most;
  };
  EXPECT_GT(jump(8000, 16000), 1e-3);
  EXPECT_LE(jump(16000, 18000), jump(8000, 16000));
  EXPECT_FALSE(instrument.failed());
  EXPECT_NE(instrument.engine().world().ledger().injected_J, before_J);
}

}  // namespace
}  // namespace jawari
