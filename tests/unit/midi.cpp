// SPDX-License-Identifier: MIT
// Standard MIDI Files, byte by byte: what the standard allows is read, what it forbids is refused with the byte, and no
// file whatever does harm.
#include "support/midi.h"

#include <sys/stat.h>

#include <cstdlib>
#include <random>

#include "jawari/core/param.h"
#include "jawari/io/midi_file.h"
#include "support/folder.h"

namespace jawari {
namespace {

using namespace test;

const std::string note = bytes({0, 0x90, 60, 64, 96, 0x80, 60, 0});

std::string input_error(const std::string& file) {
  try {
    parse_midi(file, "song.mid");
  } catch (const InputError& r) {
    return r.what();
  }
  return "accepted";
}
void expect_refused(const std::string& file, const std::string& words) {
  EXPECT_NE(input_error(file).find(words), std::string::npos) << input_error(file);
}
std::string case_file(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(JAWARI_SOURCE_DIR "/tests/cases/" + name, std::ios::binary).rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

TEST(Midi, EscapesAndSystemMessagesArePassedOver) {
  const auto escape = parse_midi(case_file("23-escape-f7.mid"));
  ASSERT_EQ(escape.size(), 2u);
  EXPECT_EQ(escape[0].kind, ScoreEvent::note_on);
  EXPECT_DOUBLE_EQ(escape[1].time_s, 0.1);
  const auto exclusive =
      parse_midi(header(0, 1, 480) + track(bytes({10, 0xf0, 3, 0x7e, 0x7f, 0xf7, 0, 0xf7, 2, 0xff, 0x00}) + note));
  ASSERT_EQ(exclusive.size(), 2u);
  EXPECT_DOUBLE_EQ(exclusive[0].time_s, 10 / 960.0);
}

TEST(Midi, TicksBeyondThirtyTwoBitsAreCounted) {
  const auto score = parse_midi(case_file("24-ticks-overflow.mid"));
  ASSERT_EQ(score.size(), 9u);
  const double step_s = 0.5 * 0x0fffffff / 32767;
  for (std::size_t i = 0; i < 9; ++i) EXPECT_DOUBLE_EQ(score[i].time_s, static_cast<double>(i + 1) * step_s);
}

TEST(Midi, AShortTempoEventIsRefusedWithItsByte) {
  expect_refused(case_file("25-short-tempo.mid"), "a tempo event has 2 bytes, but needs 3 (byte 26)");
  expect_refused(header(0, 1, 96) + track(bytes({0, 0xff, 0x51, 3, 0, 0, 0}) + note), "0 microseconds per quarter");
}

TEST(Midi, TheTempoMapHoldsForAllTracks) {
  const std::string tempos = track(bytes({0, 0xff, 0x51, 3, 0x0f, 0x42, 0x40}) +               // 1 s per quarter
                                   variable(480) + bytes({0xff, 0x51, 3, 0x03, 0xd0, 0x90}));  // then 0.25 s
  const std::string notes =
      track(variable(240) + bytes({0x90, 60, 64}) + variable(240) + bytes({60, 0}) +  // running status
            variable(480) + bytes({62, 1}));
  const auto score = parse_midi(header(1, 2, 480) + tempos + notes);
  ASSERT_EQ(score.size(), 3u);
  EXPECT_DOUBLE_EQ(score[0].time_s, 0.5);
  EXPECT_EQ(score[1].kind, ScoreEvent::note_off);
  EXPECT_DOUBLE_EQ(score[1].time_s, 1.0);
  EXPECT_DOUBLE_EQ(score[2].time_s, 1.25);
  EXPECT_DOUBLE_EQ(score[2].value, 0);
}

TEST(Midi, TimeCodeCountsFramesWhateverTheTempo) {
  const std::string song = track(bytes({0, 0xff, 0x51, 3, 0x01, 0, 0}) + variable(1000) + bytes({0x90, 60, 64}));
  const auto at = [&](int frames, int ticks) {
    return parse_midi(header(0, 1, ((256 - frames) << 8) | ticks) + song).at(0).time_s;
  };
  EXPECT_DOUBLE_EQ(at(25, 40), 1.0);
  EXPECT_DOUBLE_EQ(at(24, 100), 1000.0 / 2400);
  EXPECT_DOUBLE_EQ(at(30, 80), 1000.0 / 2400);
  EXPECT_DOUBLE_EQ(at(29, 100), 1000.0 * 1001 / 3000000);
  expect_refused(header(0, 1, (256 - 26) << 8 | 40) + song, "26 frames of 40 ticks");
  expect_refused(header(0, 1, (256 - 25) << 8) + song, "25 frames of 0 ticks");
}

TEST(Midi, UnknownChunksLongHeadersAndTrailingBytesArePassedOver) {
  std::string longer = "MThd" + big_endian(8, 4) + big_endian(1, 2) + big_endian(1, 2) + big_endian(96, 2) + "xx";
  EXPECT_EQ(parse_midi(longer + chunk("XFIH", "anything") + track(note) + "and more").size(), 2u);
}

TEST(Midi, WhatIsWrongIsSaidWithTheByte) {
  const std::string head = header(0, 1, 96);
  expect_refused("RIFF", "is no MIDI file");
  expect_refused("MThd", "the header needs 1 bytes, but 0 are left (byte 4)");
  expect_refused(header(2, 1, 96) + track(note), "format 2");
  expect_refused(header(7, 1, 96) + track(note), "its format is 7");
  expect_refused(header(0, 0, 96), "it has no track");
  expect_refused(header(0, 1, 0) + track(note), "0 ticks per quarter");
  expect_refused(header(1, 3, 96) + track(note), "its header says 3 tracks, but it holds 1");
  expect_refused(head + "MTrk" + big_endian(0xffffffff, 4) + note, "chunk MTrk needs 4294967295 bytes, but 8 are left");
  expect_refused(head + std::string("\x01\x02\x03\x04", 4) + big_endian(0, 4), "no name of four letters");
  expect_refused(head + chunk("MTrk", note), "without an end-of-track event (byte 30)");
  expect_refused(head + track(bytes({0, 60, 64})), "no status came before");
  expect_refused(head + track(bytes({0, 0x90, 60, 0x90})), "data lie below 0x80");
  expect_refused(head + track(bytes({0, 0xf8})), "status 0xf8");
  expect_refused(head + track(bytes({0, 0xff, 1, 0x7f}) + note), "a meta event needs 127 bytes");
  expect_refused(head + track(bytes({0, 0xf0, 0xff, 0xff, 0xff, 0x7f}) + note),
                 "a system message needs 268435455 bytes");
  expect_refused(head + track(bytes({0xff, 0xff, 0xff, 0xff, 0x7f, 0x90, 60, 64})),
                 "a delta time has more than four bytes");
  expect_refused(head + track(bytes({0, 0xe0, 0, 64})), "has no notes");
}

/// Files made of good ones by changed, lost, doubled and inserted bytes.
class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}
  std::string of(std::string file) {
    for (std::size_t changes = 1 + below(6); changes > 0; --changes) change(file);
    return file;
  }
  std::size_t below(std::size_t n) { return random_() % n; }

 private:
  void change(std::string& file) {
    static constexpr unsigned char telling[] = {0x00, 0x7f, 0x80, 0xff, 0xf0, 0xf7, 0x51, 0x2f, 0x90, 0x01};
    if (file.empty()) file = "M";
    const std::size_t at = below(file.size());
    const std::size_t count = 1 + below(std::min<std::size_t>(16, file.size() - at));
    switch (below(6)) {
      case 0:
        file[at] = static_cast<char>(random_() & 0xff);
        break;
      case 1:
        file[at] = static_cast<char>(telling[below(std::size(telling))]);
        break;
      case 2:
        file[at] = static_cast<char>(static_cast<unsigned char>(file[at]) ^ (1u << below(8)));
        break;
      case 3:
        file.erase(at, count);
        break;
      case 4:
        file.insert(at, file.substr(below(file.size()), count));
        break;
      default:
        file.resize(at);
    }
  }
  std::mt19937 random_;
};

/// JAWARI_MUTANTS sets how many; short by default.
TEST(Midi, MutantsAreReadOrRefusedInOneSentence) {
  const char* wish = std::getenv("JAWARI_MUTANTS");
  const long count = wish ? std::atol(wish) : 1500;
  const std::string seeds[] = {case_file("23-escape-f7.mid"),
                               case_file("24-ticks-overflow.mid"),
                               case_file("25-short-tempo.mid"),
                               case_file("../../scenes/etude.mid"),
                               header(0, 1, 96) + track(note),
                               header(1, 2, 0xe728) + track(bytes({0, 0xff, 0x51, 3, 7, 0xa1, 0x20})) + track(note)};
  long read = 0;
  for (long i = 0; i < count; ++i) {
    Mutator mutator(static_cast<unsigned>(i));
    const std::string file = mutator.of(seeds[mutator.below(std::size(seeds))]);
    try {
      double last = 0;
      for (const auto& e : parse_midi(file)) {
        ASSERT_TRUE(e.time_s >= last && std::isfinite(e.time_s)) << "mutant " << i;
        ASSERT_TRUE(e.key >= 0 && e.key <= 127 && e.value >= -1 && e.value <= 1 && e.channel >= 0 && e.channel < 16)
            << i;
        last = e.time_s;
      }
      ++read;
    } catch (const InputError& r) {
      const std::string sentence = r.what();
      ASSERT_TRUE(sentence.size() > 10 && sentence.find('\n') == std::string::npos) << "mutant " << i;
    }
  }
  EXPECT_GT(read, count / 50);  // the mutator leaves some alive
  EXPECT_LT(read, count);
}

class MidiFiles : public test::Folder {};

TEST_F(MidiFiles, OnlyPlainFilesBelowTheGivenFolderAreOpened) {
  const auto said = [](const std::string& file, const std::string& below = {}) {
    try {
      read_midi(file, below);
    } catch (const InputError& r) {
      return std::string(r.what());
    }
    return std::string("accepted");
  };
  std::ofstream(path("song.mid"), std::ios::binary) << header(0, 1, 96) << track(note);
  EXPECT_EQ(said(path("song.mid")), "accepted");
  EXPECT_EQ(said(path("song.mid"), folder_.string()), "accepted");
  std::filesystem::create_directory(path("inner"));
  EXPECT_NE(said(path("song.mid"), path("inner")).find("lies outside of"), std::string::npos);
  EXPECT_NE(said(path("inner/../song.mid"), path("inner")).find("lies outside of"), std::string::npos);
  std::filesystem::create_symlink(path("song.mid"), path("inner/link.mid"));
  EXPECT_NE(said(path("inner/link.mid"), path("inner")).find("lies outside of"), std::string::npos);
  EXPECT_NE(said("/dev/zero").find("is a device"), std::string::npos);
  EXPECT_NE(said(folder_.string()).find("is a folder"), std::string::npos);
  ASSERT_EQ(::mkfifo(path("pipe.mid").c_str(), 0600), 0);
  EXPECT_NE(said(path("pipe.mid")).find("is a pipe"), std::string::npos);
  EXPECT_NE(said(path("none.mid")).find("cannot be opened"), std::string::npos);
}

}  // namespace
}  // namespace jawari
