// SPDX-License-Identifier: MIT
// Notes, voices, includes: what a score becomes.
#include <filesystem>
#include <fstream>

#include "coupled/support.h"
#include "jawari/io/midi_file.h"
#include "support/folder.h"
#include "support/midi.h"

namespace jawari {
namespace {

using test::cents;
using test::pitch_near;

class Scores : public test::Folder {
 protected:
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::string input_error(const std::string& name) const {
    try {
      compile(read_scene(path(name)));
    } catch (const InputError& r) {
      return r.what();
    }
    return {};
  }
  std::string midi(const std::vector<std::pair<double, std::vector<int>>>& messages) const {
    std::ofstream(path("song.mid"), std::ios::binary) << test::midi_of(messages);
    return path("song.mid");
  }
};

/// A piano without preparation: strings scaled over the keyboard.
const std::string piano = R"(rate_hz = 48000
[[string]]
name = "string"
length_m = 0.62
frequency_hz = 261.6256
density_kg_m = 6.34e-3
bending_N_m2 = 2e-3
sigma0_1_s = 0.4
method = "modes"
stepping = "exact"
[[hammer]]
name = "hammer"
target = "string"
position_m = 0.0744
mass_kg = 2.97e-3
law = { type = "hunt-crossley", stiffness = 4.5e9, exponent = 2.5, mu = 0.1 }
[voice]
string = "string"
strike = "hammer"
soft = 0.5
loud = 4.0
length_exponent = -0.85
radius_exponent = -0.1
mass_exponent = -0.15
tail_s = 0.7
)";

TEST(Keys, HaveNamesAndFrequencies) {
  EXPECT_EQ(name_of_key(60), "C4");
  EXPECT_EQ(name_of_key(54), "F#3");
  EXPECT_EQ(name_of_key(69.5), "A#4-50");
  EXPECT_EQ(key_of_name("A4"), 69);
  EXPECT_EQ(key_of_name("Bb3"), 58);
  EXPECT_EQ(key_of_name("C-1"), 0);
  EXPECT_FALSE(key_of_name("H2") || key_of_name("C") || key_of_name("C44") || key_of_name(""));
  EXPECT_DOUBLE_EQ(frequency_of_key(57), 220);
}

TEST_F(Scores, AScaleOverFiveOctavesIsInTuneWithinTwoCents) {
  for (const double key : {36.0, 43.0, 52.0, 60.0, 69.0, 76.0, 84.0, 96.0}) {
    Scene scene = test::scene_of(piano);
    scene = perform(scene, scene.voices[0],
                    {{0.01, ScoreEvent::note_on, 0, key, 0.2}, {0.9, ScoreEvent::note_off, 0, key, 0}});
    const auto p = test::play(scene);
    const double wanted = frequency_of_key(key);
    const double f = pitch_near({p.sound.begin() + 4800, p.sound.begin() + 43000}, 48000, wanted, 0.03);
    EXPECT_LE(std::abs(cents(f, wanted)), 2.0) << key << ' ' << f;
    EXPECT_LE(p.world->ledger().imbalance(), 1e-11);
  }
}

TEST_F(Scores, MidiBecomesNotesBendsAndPedals) {
  const auto score = read_midi(midi({{0.0, {0x90, 60, 127}},
                                     {0.5, {0xb0, 64, 127}},
                                     {0.6, {0x80, 60, 0}},
                                     {0.7, {0xe0, 0, 96}},
                                     {0.8, {0x91, 72, 1}},
                                     {0.9, {0xd1, 127}},
                                     {1.0, {0xb1, 74, 64}},
                                     {1.2, {0x91, 72, 0}},
                                     {1.5, {0xb0, 64, 0}}}));
  ASSERT_EQ(score.size(), 9u);
  EXPECT_EQ(score[0].kind, ScoreEvent::note_on);
  EXPECT_DOUBLE_EQ(score[0].value, 1);
  EXPECT_EQ(score[1].kind, ScoreEvent::pedal);
  EXPECT_EQ(score[2].kind, ScoreEvent::note_off);
  EXPECT_NEAR(score[2].time_s, 0.6, 2e-3);
  EXPECT_EQ(score[3].kind, ScoreEvent::bend);
  EXPECT_DOUBLE_EQ(score[3].value, 0.5);
  EXPECT_EQ(score[4].channel, 1);
  EXPECT_DOUBLE_EQ(score[4].value, 0);
  EXPECT_EQ(score[5].kind, ScoreEvent::pressure);
  EXPECT_EQ(score[6].kind, ScoreEvent::timbre);
  EXPECT_EQ(score[7].kind, ScoreEvent::note_off);  // a note with no speed
}

TEST_F(Scores, BrokenMidiFilesAreRefusedInOneSentence) {
  const auto said = [](const std::string& file) {
    try {
      read_midi(file);
    } catch (const InputError& r) {
      return std::string(r.what());
    }
    return std::string();
  };
  write("text.mid", "this is no MIDI file, but it is long enough");
  EXPECT_NE(said(path("text.mid")).find("is no MIDI file"), std::string::npos);
  EXPECT_NE(said(path("none.mid")).find("cannot be opened"), std::string::npos);
  const auto good = midi({{0.0, {0x90, 60, 127}}, {1.0, {0x80, 60, 0}}});
  std::ifstream in(good, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t keep = 0; keep < bytes.size(); ++keep) {  // cut anywhere: a sentence or fewer notes, never a crash
    std::ofstream(path("cut.mid"), std::ios::binary) << bytes.substr(0, keep);
    try {
      read_midi(path("cut.mid"));
    } catch (const InputError& r) {
      EXPECT_GT(std::string(r.what()).size(), 10u);
    }
  }
}

TEST_F(Scores, VelocityIsSpeedThePedalHoldsAndKeysDampen) {
  Scene scene = test::scene_of(piano);
  const auto played = [&](std::vector<ScoreEvent> score) { return perform(scene, scene.voices[0], std::move(score)); };
  const Scene soft = played({{0, ScoreEvent::note_on, 0, 60, 0}, {1, ScoreEvent::note_off, 0, 60, 0}});
  const Scene loud = played({{0, ScoreEvent::note_on, 0, 60, 1}, {1, ScoreEvent::note_off, 0, 60, 0}});
  EXPECT_DOUBLE_EQ(soft.events[0].value, 0.5);
  EXPECT_DOUBLE_EQ(loud.events[0].value, 4.0);
  EXPECT_DOUBLE_EQ(loud.duration_s, 1.7);
  const auto end = [](const Scene& s) {
    const auto p = test::play(s);
    double sum = 0;
    for (std::size_t i = p.sound.size() - 9600; i < p.sound.size(); ++i) sum += p.sound[i] * p.sound[i];
    EXPECT_LE(test::worst_account(*p.world), 1e-11);
    return sum;
  };
  const Scene held = played({{0, ScoreEvent::note_on, 0, 60, 1},
                             {0.1, ScoreEvent::pedal, 0, 0, 1},
                             {0.3, ScoreEvent::note_off, 0, 60, 0},
                             {0.9, ScoreEvent::note_on, 0, 40, 0}});
  const Scene short_ = played({{0, ScoreEvent::note_on, 0, 60, 1},
                               {0.3, ScoreEvent::note_off, 0, 60, 0},
                               {0.9, ScoreEvent::note_on, 0, 40, 0}});
  EXPECT_GT(end(held), 10 * end(short_));
}

TEST_F(Scores, AFewVoicesAreRetunedAndStolenWithoutAClick) {
  Scene scene = test::scene_of(piano);
  scene.voices[0].voices = 2;
  scene.voices[0].length_exponent = scene.voices[0].radius_exponent = 0;
  std::vector<ScoreEvent> score;
  for (int i = 0; i < 8; ++i) score.push_back({0.1 + 0.15 * i, ScoreEvent::note_on, 0, 60.0 + 2 * i, 0.5});
  scene = perform(scene, scene.voices[0], score);
  EXPECT_EQ(scene.strings.size(), 2u);
  const auto p = test::play(scene);
  EXPECT_LE(p.world->ledger().imbalance(), 1e-11);
  EXPECT_LE(test::worst_account(*p.world), 1e-11);
  // Nothing jumps in the milliseconds before a new hammer strikes: the stolen voice has died by then.
  double loudest = 0;
  for (const double x : p.sound) loudest = std::max(loudest, std::abs(x));
  for (int i = 2; i < 8; ++i) {
    const auto at = static_cast<std::size_t>(48000 * (0.1 + 0.15 * i));
    for (std::size_t n = at - 960; n < at; ++n) ASSERT_LT(std::abs(p.sound[n] - p.sound[n - 1]), 0.3 * loudest) << i;
  }
  const double last = frequency_of_key(74);
  const double f = pitch_near({p.sound.end() - 30000, p.sound.end() - 2000}, 48000, last, 0.02);
  EXPECT_LE(std::abs(cents(f, last)), 2.0) << f;
}

TEST_F(Scores, PickupsOfGesturesOfAVoiceAreThereOncePerVoice) {
  Scene scene = test::scene_of(piano);
  const HammerSpec hammer = scene.hammers.at(0);
  BoltSpec bolt;
  bolt.name = "bolt";
  bolt.target = scene.voices[0].string;
  bolt.at = hammer.at;
  bolt.mass_kg = 1e-3;
  bolt.stiffness_N_m = 1e6;
  scene.bolts.push_back(bolt);
  for (const auto& of : std::vector<std::string>{hammer.name + "-" + hammer.target, "bolt-grip"})
    scene.pickups.push_back({.of = of, .quantity = Quantity::force});
  scene.voices[0].voices = 2;
  const std::size_t others = scene.pickups.size() - 2;
  scene = perform(scene, scene.voices[0], {{0.1, ScoreEvent::note_on, 0, 60, 0.5}});
  EXPECT_GE(scene.pickups.size(), others + 4);
  EXPECT_NO_THROW(compile_world(scene));
}

TEST_F(Scores, IncludesBringInstrumentsAndMayChangeThem) {
  write(
      "instrument.toml",
      "duration_s = 1\nrate_hz = 32000\n[[string]]\nname = \"s\"\nlength_m = 0.6\nfrequency_hz = 100\nradius_m = 3e-4\n"
      "[[thread]]\nname = \"t\"\nstring = \"s\"\nposition_m = 0.01\nlaw = { type = \"power\", stiffness = 1e5, "
      "exponent = 1 }\n");
  write("scene.toml",
        "include = [\"instrument.toml\"]\nduration_s = 0.1\n[[string]]\nname = \"s\"\nfrequency_hz = "
        "150\n[[mass]]\nname = \"m\"\nmass_kg = 0.1\n");
  const Scene s = read_scene(path("scene.toml")).scene;
  EXPECT_EQ(s.rate_hz, 32000);
  EXPECT_EQ(s.duration_s, 0.1);
  ASSERT_EQ(s.strings.size(), 1u);
  EXPECT_EQ(s.strings[0].frequency_hz, 150);
  EXPECT_EQ(s.strings[0].length_m, 0.6);
  EXPECT_EQ(s.threads.size(), 1u);
  EXPECT_EQ(s.masses.size(), 1u);
  write("bare.toml", "include = [\"instrument.toml\"]\nremove = [\"t\"]\n");
  EXPECT_TRUE(read_scene(path("bare.toml")).scene.threads.empty());
  write("bad.toml", "include = [\"broken.toml\"]\nduration_s = 1\n");
  write("broken.toml", "[[string]]\nname = \"s\"\nlength_m = -1\nfrequency_hz = 100\nradius_m = 3e-4\n");
  EXPECT_NE(input_error("bad.toml").find("broken.toml:3: "), std::string::npos) << input_error("bad.toml");
  write("loop.toml", "include = [\"loop.toml\"]\n");
  EXPECT_NE(input_error("loop.toml").find("circles"), std::string::npos);
  write("none.toml", "include = [\"nowhere.toml\"]\n");
  EXPECT_NE(input_error("none.toml").find("cannot be opened"), std::string::npos);
  write("deaf.toml", piano + "[[note]]\npitch = \"H4\"\n");
  EXPECT_NE(input_error("deaf.toml").find("deaf.toml:27: note.pitch is \"H4\""), std::string::npos)
      << input_error("deaf.toml");
}

}  // namespace
}  // namespace jawari
