// SPDX-License-Identifier: MIT
// MIDI bytes as events.
#include <gtest/gtest.h>

#include "instrument/support.h"
#include "jawari/instrument/midi_input.h"

namespace jawari {
namespace {

using E = NoteEvent;

std::vector<NoteEvent> events_of(const std::vector<std::uint8_t>& bytes) {
  MidiInput input;
  std::vector<NoteEvent> list;
  input.feed(bytes, 7, [&](const NoteEvent& e) { list.push_back(e); });
  return list;
}
void expect(const NoteEvent& e, E::Type type, int channel, double key, double value) {
  EXPECT_EQ(e.type, type);
  EXPECT_EQ(e.channel, channel);
  EXPECT_EQ(e.key, key);
  EXPECT_NEAR(e.value, value, 1e-12);
  EXPECT_EQ(e.frame, 7u);
  EXPECT_EQ(e.note_id, -1);
}

TEST(MidiInput, Notes) {
  const auto list = events_of({0x93, 60, 127, 61, 0, 0x83, 60, 0, 0xa3, 60, 127});
  ASSERT_EQ(list.size(), 4u);
  expect(list[0], E::note_on, 3, 60, 1);
  expect(list[1], E::note_off, 3, 61, 0.5);
  expect(list[2], E::note_off, 3, 60, 0);
  expect(list[3], E::pressure, 3, 60, 1);
}

TEST(MidiInput, ChannelMessages) {
  const auto list = events_of({0xd1, 127, 0xe1, 0,   64, 0xe1, 0x7f, 0x7f, 0xe1, 0, 0,   0xb1, 64,  127,
                               66,   0,   74,   127, 7,  127,  10,   64,   120,  0, 121, 0,    123, 0});
  ASSERT_EQ(list.size(), 12u);
  expect(list[0], E::pressure, 1, -1, 1);
  expect(list[1], E::bend, 1, -1, 0);
  expect(list[2], E::bend, 1, -1, 8191. / 8192);
  expect(list[3], E::bend, 1, -1, -1);
  expect(list[4], E::pedal, 1, -1, 1);
  expect(list[5], E::sostenuto, 1, -1, 0);
  expect(list[6], E::timbre, 1, -1, 1);
  expect(list[7], E::volume, 1, -1, 1);
  expect(list[8], E::pan, 1, -1, 0.5);
  expect(list[9], E::sound_off, 1, -1, 0);
  expect(list[10], E::reset_controllers, 1, -1, 0);
  expect(list[11], E::notes_off, 1, -1, 0);
}

TEST(MidiInput, RegisteredParameters) {
  const auto list = events_of({0xb2, 101, 0, 100, 0, 6,  12, 38, 50, 101, 127, 100, 127, 6, 3,  // bend range, then none
                               0xb0, 101, 0, 100, 6, 6,  7,                                     // lower zone of 7
                               0xb4, 101, 0, 100, 6, 6,  7,                                     // no zone begins on 4
                               0xb2, 101, 0, 100, 0, 99, 1,  98, 1,  6,   9});                  // not registered
  ASSERT_EQ(list.size(), 3u);
  expect(list[0], E::bend_range, 2, -1, 12);
  expect(list[1], E::bend_range, 2, -1, 12.5);
  expect(list[2], E::mpe_zone, 0, -1, 7);
}

TEST(MidiInput, SkipsWhatSaysNothing) {
  EXPECT_TRUE(events_of({60, 61, 0xf8, 0xfe, 0xc0, 5, 0xf0, 1, 2, 3, 0xf7, 64}).empty());
  const auto list = events_of({0x90, 60, 0xf8, 100, 0xf0, 0x7e, 0x90, 62, 100});  // a clock inside a note
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].key, 60);
  EXPECT_EQ(list[1].key, 62);
}

TEST(MidiInput, AnyBytes) {
  MidiInput input;
  std::uint64_t state = 1;
  std::size_t events = 0;
  for (int i = 0; i < 100000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint8_t byte = static_cast<std::uint8_t>(state >> 56);
    input.feed({&byte, 1}, 0, [&](const NoteEvent& e) {
      ++events;
      EXPECT_TRUE(std::isfinite(e.value) && std::isfinite(e.key) && e.channel >= 0 && e.channel < 16);
    });
  }
  EXPECT_GT(events, 1000u);
}

}  // namespace
}  // namespace jawari
