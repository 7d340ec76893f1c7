// SPDX-License-Identifier: MIT
// What jawari play is made of beside the sound card: keys of a terminal, MIDI with its times, and a callback that
// counts what goes wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <thread>

#include "cli/keyboard.h"
#include "cli/live_events.h"
#include "cli/live_sound.h"

namespace jawari::cli {
namespace {

using namespace std::chrono_literals;
using Clock = LiveEvents::Clock;
using E = NoteEvent;

const Clock::time_point start = Clock::time_point{} + 1h;

// The keys of a terminal

TEST(TerminalKeyboard, IsAPianoInTwoRows) {
  const std::map<char, double> keys = {{'z', 48}, {'s', 49}, {'x', 50}, {'m', 59}, {',', 60},
                                       {'/', 64}, {'q', 60}, {'2', 61}, {'w', 62}, {'e', 64},
                                       {'r', 65}, {'5', 66}, {'u', 71}, {'i', 72}, {'p', 76}};
  for (const auto& [character, key] : keys) {
    Keyboard keyboard;
    const auto e = keyboard.press(character, start);
    ASSERT_TRUE(e.has_value()) << character;
    EXPECT_EQ(e->type, E::note_on) << character;
    EXPECT_EQ(e->key, key) << character;
    EXPECT_GT(e->value, 0) << character;
  }
  Keyboard keyboard;
  for (const char other : {'\0', '1', 'a', 'A', '\n', '\x1b'})
    EXPECT_FALSE(keyboard.press(other, start).has_value()) << static_cast<int>(other);
}

TEST(TerminalKeyboard, OctavesEndAtTheEndsOfMidi) {
  Keyboard keyboard;
  EXPECT_FALSE(keyboard.press('>', start).has_value());
  EXPECT_EQ(keyboard.press('z', start)->key, 60);
  for (int i = 0; i < 20; ++i) keyboard.press('>', start);
  EXPECT_EQ(keyboard.press('z', start)->key, 96);
  EXPECT_EQ(keyboard.press('p', start)->key, 124);
  for (int i = 0; i < 20; ++i) keyboard.press('<', start);
  EXPECT_EQ(keyboard.press('z', start)->key, 0);
}

/// A terminal repeats what is held and does not say when it goes up.
TEST(TerminalKeyboard, NotesEndSomeTimeAfterTheirKeyWasHeardLast) {
  Keyboard keyboard;
  keyboard.press('z', start);
  EXPECT_FALSE(keyboard.press('z', start + 300ms).has_value());  // a repetition is no stroke
  EXPECT_TRUE(keyboard.release(start + 700ms).empty());
  const auto ended = keyboard.release(start + 801ms);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].type, E::note_off);
  EXPECT_EQ(ended[0].key, 48);
  EXPECT_TRUE(keyboard.release(start + 2s).empty());
  EXPECT_EQ(keyboard.press('z', start + 3s)->type, E::note_on);
  const auto all = keyboard.press(' ', start + 3s);
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->type, E::notes_off);
  EXPECT_EQ(all->channel, -1);
  EXPECT_TRUE(keyboard.release(start + 9s).empty());
}

// Events and their times

NoteEvent note(double key) {
  NoteEvent e;
  e.key = key;
  e.value = 0.5;
  return e;
}

TEST(LiveEvents, KeepTheirPlaceInABlock) {
  LiveEvents events;
  EXPECT_TRUE(events.take(start, 480, 48000).empty());  // blocks of 10 ms
  events.push(note(60), start + 1ms);
  events.push(note(61), start + 6ms);
  events.push(note(62), start + 14ms);
  const auto first = events.take(start + 10ms, 480, 48000);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].frame, 48u);
  EXPECT_EQ(first[1].frame, 288u);
  const auto second = events.take(start + 20ms, 480, 48000);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].key, 62);
  EXPECT_EQ(second[0].frame, 192u);
}

TEST(LiveEvents, StayInTheirBlockAndOrder) {
  LiveEvents events;
  events.take(start, 64, 48000);
  events.push(note(60), start + 900us);
  events.push(note(61), start + 500us);  // of a sender that had to wait
  events.push(note(62), start - 1s);
  events.push(note(63), start + 100ms);
  const auto block = events.take(start + 200ms, 64, 48000);  // a callback that came late
  ASSERT_EQ(block.size(), 4u);
  EXPECT_EQ(block[0].frame, 43u);
  EXPECT_EQ(block[1].frame, 43u);
  EXPECT_EQ(block[2].frame, 43u);
  EXPECT_EQ(block[3].frame, 63u);
}

TEST(LiveEvents, SayWhenTheyAreFull) {
  LiveEvents events;
  for (std::size_t i = 0; i < LiveEvents::room; ++i) EXPECT_TRUE(events.push(note(60), start));
  EXPECT_FALSE(events.push(note(61), start));
  EXPECT_TRUE(events.take(start + 1ms, 0, 48000).empty());  // no frame, no event
  EXPECT_EQ(events.take(start + 1ms, 64, 48000).size(), LiveEvents::room);
  EXPECT_TRUE(events.push(note(62), start + 2ms));
}

TEST(LiveEvents, FromSeveralThreadsAllArrive) {
  LiveEvents events;
  std::atomic<int> running{2};
  const auto send = [&](double key) {
    for (int i = 0; i < 2000; ++i)
      while (!events.push(note(key), Clock::now())) std::this_thread::yield();
    --running;
  };
  std::thread a(send, 60), b(send, 61);
  std::map<double, int> came;
  std::uint32_t last = 0;
  for (bool more = true; more;) {
    more = running > 0;
    last = 0;
    for (const auto& e : events.take(Clock::now(), 64, 48000)) {
      ++came[e.key];
      EXPECT_LE(last, e.frame);
      last = e.frame;
    }
  }
  a.join();
  b.join();
  for (const auto& e : events.take(Clock::now(), 64, 48000)) ++came[e.key];
  EXPECT_EQ(came[60], 2000);
  EXPECT_EQ(came[61], 2000);
}

double seconds(Clock::time_point t) { return std::chrono::duration<double>(t - start).count(); }

/// Messages every 10 ms that are handed over up to 5 ms late.
TEST(MidiTimes, AreAsEvenAsTheDriverSays) {
  MidiTimes times;
  double worst = 0, last = 0;
  for (int i = 0; i < 400; ++i) {
    const auto played = start + i * 10ms;
    const auto arrival = played + (i % 7 == 0 ? 0us : std::chrono::microseconds(i * 7919 % 5000));
    const double t = seconds(times.of(i == 0 ? 0 : 0.01, arrival));
    EXPECT_LE(t, seconds(arrival) + 1e-9);
    if (i > 20) worst = std::max(worst, std::abs(t - last - 0.01));
    last = t;
  }
  EXPECT_LT(worst, 0.5e-3);
  EXPECT_NEAR(last, 3.99, 1e-3);
}

TEST(MidiTimes, FollowTheClockOfTheMachine) {
  MidiTimes times;
  double t = 0;
  for (int i = 0; i < 20000; ++i) t = seconds(times.of(0.00999, start + i * 10ms));  // a driver that is 0.1 % fast
  EXPECT_NEAR(t, 199.99, 1e-3);
  t = seconds(times.of(0.5, start + 300s));  // it was stopped
  EXPECT_NEAR(t, 300, 1e-9);
  EXPECT_NEAR(seconds(times.of(-1, start + 301s)), 301, 1e-9);
  EXPECT_NEAR(seconds(times.of(std::nan(""), start + 302s)), 302, 1e-9);
}

// MIDI

std::vector<NoteEvent> come_in(LiveMidi& midi, LiveEvents& events, std::vector<std::vector<std::uint8_t>> messages) {
  events.take(start, 480, 48000);
  for (const auto& m : messages) midi.receive(0, m, start + 1ms);
  const auto block = events.take(start + 10ms, 480, 48000);
  return {block.begin(), block.end()};
}

TEST(LiveMidi, NotesAndControllersBecomeEvents) {
  LiveEvents events;
  LiveMidi midi(events);
  const auto e = come_in(
      midi, events, {{0x92, 60, 100}, {0xf8}, {0x92, 60, 0}, {0xb2, 64, 127}, {0xb2, 74, 64}, {0xe2, 0, 96}, {0xfe}});
  ASSERT_EQ(e.size(), 5u);
  EXPECT_EQ(e[0].type, E::note_on);
  EXPECT_EQ(e[0].channel, 2);
  EXPECT_EQ(e[0].key, 60);
  EXPECT_DOUBLE_EQ(e[0].value, 99. / 126);
  EXPECT_EQ(e[0].frame, 48u);
  EXPECT_EQ(e[1].type, E::note_off);
  EXPECT_EQ(e[2].type, E::pedal);
  EXPECT_EQ(e[3].type, E::timbre);
  EXPECT_EQ(e[4].type, E::bend);
  EXPECT_DOUBLE_EQ(e[4].value, 0.5);
}

TEST(LiveMidi, BrokenMessagesAreIgnored) {
  LiveEvents events;
  LiveMidi midi(events);
  EXPECT_TRUE(come_in(midi, events, {{}, {60, 100}, {0x90}, {0xf0, 1, 2, 0xf7}, {0xc0}, {0xc0, 0x85}}).empty());
  EXPECT_EQ(midi.take_program(), -1);
  EXPECT_EQ(come_in(midi, events, {{0x90, 60, 1}}).size(), 1u);
}

TEST(LiveMidi, ProgramsAreTakenOnce) {
  LiveEvents events;
  LiveMidi midi(events);
  EXPECT_EQ(midi.take_program(), -1);
  EXPECT_TRUE(come_in(midi, events, {{0xc3, 4}, {0xc0, 21}}).empty());
  EXPECT_EQ(midi.take_program(), 21);
  EXPECT_EQ(midi.take_program(), -1);
}

// The callback

struct Card {
  std::vector<float> left = std::vector<float>(64), right = std::vector<float>(64);
  void play(LiveSound& sound, bool dropped, const float* const* in = nullptr) {
    float* out[] = {left.data(), right.data()};
    sound.fill(in, out, left.size(), dropped);
  }
};

TEST(LiveSound, CountsDropOutsAndClipping) {
  float level = 0.4f;
  LiveSound sound(
      [&](float* const* out, std::size_t frames, SoundIn<float>) {
        for (std::size_t i = 0; i < frames; ++i) {
          out[0][i] = level;
          out[1][i] = -level;
        }
      },
      0, 2);
  Card card;
  for (int block = 0; block < 10; ++block) card.play(sound, false);
  EXPECT_TRUE(sound.complaints().empty());
  EXPECT_FLOAT_EQ(card.left[5], 0.8f);
  for (int block = 0; block < 3; ++block) card.play(sound, true);
  EXPECT_EQ(sound.dropouts(), 3);
  ASSERT_EQ(sound.complaints().size(), 1u);
  EXPECT_EQ(sound.complaints()[0],
            "3 drop-outs: the sound came too late; give a larger --buffer, fewer --voices or a lower --rate");
  level = 0.6f;
  card.play(sound, false);
  EXPECT_EQ(sound.clipped(), 128);
  EXPECT_EQ(card.left[0], 1);
  EXPECT_EQ(card.right[63], -1);
  ASSERT_EQ(sound.complaints().size(), 2u);
  EXPECT_EQ(sound.complaints()[1], "128 samples were clipped; lower --gain");
  EXPECT_EQ(sound.dropouts(), 3);
}

TEST(LiveSound, GainsGlide) {
  LiveSound sound(
      [](float* const* out, std::size_t frames, SoundIn<float>) {
        for (std::size_t i = 0; i < frames; ++i) out[0][i] = out[1][i] = 0.5f;
      },
      0, 1);
  Card card;
  card.play(sound, false);
  sound.set_gain(0.1);
  float last = card.left[63], most = 0;
  for (int block = 0; block < 200; ++block) {
    card.play(sound, false);
    for (const float x : card.left) {
      most = std::max(most, std::abs(x - last));
      last = x;
    }
  }
  EXPECT_LT(most, 1e-3f);
  EXPECT_NEAR(last, 0.05f, 1e-6f);
}

TEST(LiveSound, HandsOnWhatIsCaptured) {
  std::size_t channels = 9;
  const float* first = nullptr;
  LiveSound sound(
      [&](float* const*, std::size_t, SoundIn<float> in) {
        channels = in.size();
        first = in.empty() ? nullptr : in[0];
      },
      1, 1);
  Card card;
  card.play(sound, false);
  EXPECT_EQ(channels, 0u);
  const std::vector<float> heard(64, 0.25f);
  const float* in[] = {heard.data()};
  card.play(sound, false, in);
  EXPECT_EQ(channels, 1u);
  EXPECT_EQ(first, heard.data());
}

}  // namespace
}  // namespace jawari::cli
