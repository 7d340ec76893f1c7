// SPDX-License-Identifier: MIT
// What follows controls, pressure and timbre: positions along strings of any length, a hand that damps; and what no
// voice owns.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "instrument/support.h"

namespace jawari {
namespace {

using namespace test;
using E = NoteEvent;

double value_of(const Instrument& instrument, const std::string& name) {
  const World& world = instrument.engine().world();
  return world.parameter(world.model().find_parameter(name));
}
NoteEvent turn(std::uint32_t frame, std::uint16_t index, double value) {
  NoteEvent e = say(frame, E::control, value);
  e.index = index;
  return e;
}

/// Keys whose strings are shorter the higher they are, with a hammer and a pickup that may move.
std::string scaled_text(const std::string& voice) {
  std::string text = struck_text("lowest = 48\nhighest = 72\nlength_exponent = -0.85\n" + voice);
  const auto add = [&](const std::string& before, const std::string& line) { text.insert(text.find(before), line); };
  add("mass_kg = 2.97e-3", "position_range_m = [0.03, 0.3]\n");
  add("[[bolt]]",
      "[[pickup]]\nof = \"s\"\nname = \"ear\"\nquantity = \"velocity\"\nposition_m = 0.1\n"
      "position_range_m = [0.05, 0.4]\n");
  return text;
}
std::string control_of(const std::string& parameter, double from, double to) {
  return fmt::format("[[control]]\nname = \"x\"\ntargets = [{{ parameter = \"{}\", from = {}, to = {} }}]\n", parameter,
                     from, to);
}
/// Positions of one kind over the lengths of their strings, as they are in the scene.
void expect_shares(const Instrument& instrument, const std::string& of, double share) {
  const auto& strings = instrument.voiced().scene.strings;
  ASSERT_EQ(strings.size(), 25u);
  for (const StringSpec& s : strings)
    EXPECT_NEAR(value_of(instrument, of + s.name.substr(1) + ".position_m") / s.length_m, share, 1e-12) << s.name;
}

TEST(Follows, PositionsKeepTheirPlaceOnStringsOfAnyLength) {
  Instrument instrument(
      parse_scene(scaled_text(control_of("hammer.position_m", 0.03, 0.3) + control_of("ear.position_m", 0.05, 0.4)),
                  "scaled")
          .scene);
  for (const double x : {0.0, 0.5, 1.0}) {
    play(instrument, {turn(0, 0, x), turn(0, 1, x), on(10, 50)}, 2400);
    expect_shares(instrument, "hammer", (0.03 + 0.27 * x) / 0.62);
    expect_shares(instrument, "ear", (0.05 + 0.35 * x) / 0.62);
  }
  EXPECT_LT(imbalance(instrument), 1e-11);
  try {
    Instrument refused(parse_scene(scaled_text(control_of("ear.position_m", 0.05, 0.41)), "scaled").scene);
    ADD_FAILURE() << "a position beyond the range was taken";
  } catch (const InputError& e) {
    EXPECT_EQ(e.sentence(), "control \"x\": ear.position_m goes to 0.41 m, but must lie in [0.05, 0.4]");
  }
}

TEST(Follows, TimbreMovesAPositionInProportion) {
  Instrument instrument(
      parse_scene(scaled_text("timbre = { target = \"ear\", parameter = \"position_m\", from = 0.1, to = 0.4 }\n"),
                  "scaled")
          .scene);
  play(instrument, {on(0, 72), say(10, E::timbre, 1)}, 2400);
  const StringSpec& top = instrument.voiced().scene.strings.back();
  EXPECT_NEAR(value_of(instrument, "ear" + top.name.substr(1) + ".position_m") / top.length_m, 0.4 / 0.62, 1e-12);
  EXPECT_LT(imbalance(instrument), 1e-11);
}

/// A note without pressure moves nothing.
TEST(Follows, WhatIsThereIsNotToldAgain) {
  const auto heights = [](const std::string& more) {
    const Scene scene =
        parse_scene(plucked_text("voices = 2\n" + more + "[[note]]\npitch = 50\n[[note]]\npitch = 57\ntime_s = 0.2\n"),
                    "notes")
            .scene;
    return std::count_if(scene.events.begin(), scene.events.end(),
                         [](const EventSpec& e) { return e.type == EventType::set && e.parameter == "height_m"; });
  };
  EXPECT_EQ(heights(""), 0);
  // Nor where a control passes 0, and its value is rounded.
  EXPECT_EQ(heights("[[control]]\nname = \"x\"\nleast = -0.6\nmost = 0.2\ndefault = -0.1\n"
                    "targets = [{ parameter = \"bridge.height_m\", from = -6e-4, to = 2e-4 }]\n"),
            0);
}

TEST(Follows, PressureComesBackAfterAControlHasMoved) {
  Instrument instrument(
      plucked("voices = 1\n" + std::string("[[control]]\nname = \"x\"\nleast = -1\nmost = 1\ndefault = "
                                           "-1\ntargets = [{ parameter = \"bridge.height_m\", "
                                           "from = -1e-4, to = 1e-4 }]\n")));
  // As the bridge was before: a control takes away what pressure adds.
  play(instrument, {on(0, 50), say(10, E::pressure, 0.5)}, 2400);
  EXPECT_NEAR(value_of(instrument, "bridge-1.height_m"), 0, 1e-15);
  play(instrument, {say(0, E::pressure, 0), turn(600, 0, 0)}, 2400);
  EXPECT_NEAR(value_of(instrument, "bridge-1.height_m"), 0, 1e-15);
  play(instrument, {turn(0, 0, -1)}, 2400);
  EXPECT_NEAR(value_of(instrument, "bridge-1.height_m"), -1e-4, 1e-15);
  play(instrument, {say(0, E::pressure, 0.5)}, 2400);
  EXPECT_NEAR(value_of(instrument, "bridge-1.height_m"), 0, 1e-15);
  play(instrument, {off(0, 50), on(10, 52)}, 2400);
  EXPECT_NEAR(value_of(instrument, "bridge-1.height_m"), 0, 1e-15);  // the pressure of the channel
}

TEST(Follows, PressureThatDampsAddsToTheDamper) {
  Instrument instrument(
      struck("voices = 1\npressure = { target = \"s\", parameter = \"damping_1_s\", from = 0, to = 60 }\n"));
  const Sound free = play(instrument, {on(0, 60, 0.9)}, 9600);
  EXPECT_EQ(value_of(instrument, "s-1.damping_1_s"), 0);
  const Sound held = play(instrument, {say(0, E::pressure, 1)}, 9600);
  EXPECT_EQ(value_of(instrument, "s-1.damping_1_s"), 60);
  EXPECT_LT(held.peak(7200), 0.01 * free.peak(2400));
  play(instrument, {off(0, 60)}, 2400);
  EXPECT_EQ(value_of(instrument, "s-1.damping_1_s"), 78);
  play(instrument, {on(0, 62, 0.9)}, 2400);
  EXPECT_EQ(value_of(instrument, "s-1.damping_1_s"), 60);  // the pressure of the channel
  play(instrument, {say(0, E::pressure, 0)}, 2400);
  EXPECT_EQ(value_of(instrument, "s-1.damping_1_s"), 0);
  EXPECT_LT(imbalance(instrument), 1e-11);
}

/// A body that all notes push rings on when their dampers fall, and stops at a panic until the next note.
TEST(Follows, APanicSilencesWhatNotesShare) {
  std::string text = struck_text("voices = 2\n");
  text.insert(text.find("[voice]"),
              "[[string]]\nname = \"drone\"\nlength_m = 0.6\nfrequency_hz = 261.6\nradius_m = 2e-4\nmethod = "
              "\"modes\"\nbandwidth = 0.2\ndecay_s = [4.0, 0.4]\ndecay_hz = [200, 4000]\n"
              "[[connection]]\nname = \"bridge\"\nbodies = [\"s\", \"drone\"]\nlower_at = 0.6\nupper_at = 0.58\n"
              "stiffness_N_m = 1e4\n[[pickup]]\nof = \"drone\"\nquantity = \"velocity\"\nposition_m = 0.1\n");
  text +=
      "[[control]]\nname = \"open\"\nleast = 0\nmost = 10\ndefault = 1\n"
      "targets = [{ parameter = \"drone.damping_1_s\", from = 0, to = 10 }]\n";
  Instrument instrument(parse_scene(text, "drone").scene);
  const double loud = play(instrument, {on(0, 60, 0.9), off(4800, 60)}, 24000).peak(12000);
  EXPECT_GT(loud, 0);
  for (const E::Type type : {E::panic, E::sound_off}) {
    EXPECT_LT(play(instrument, {say(0, type, 0, -1)}, 24000).peak(16800), 1e-4 * loud);
    for (const char* body : {"drone", "s-1", "s-2"})
      EXPECT_GT(value_of(instrument, fmt::format("{}.damping_1_s", body)), 1000) << body;
    play(instrument, {on(0, 60, 0.9)}, 4800);
    EXPECT_EQ(value_of(instrument, "drone.damping_1_s"), 1);
    for (const char* voice : {"s-1", "s-2"})  // one plays, the other rings along, under its damper if it has played
      EXPECT_LT(value_of(instrument, fmt::format("{}.damping_1_s", voice)), 100) << voice;
  }
  play(instrument, {on(0, 64, 0.9, 1), say(10, E::sound_off, 0, 0)}, 480);  // another channel plays
  EXPECT_EQ(value_of(instrument, "drone.damping_1_s"), 1);
  EXPECT_LT(imbalance(instrument), 1e-11);
}

/// A finger slides with every note, by the clock of that note.
TEST(Follows, AFingerSlidesWithItsNote) {
  std::string text = plucked_text("voices = 2\n");
  text.insert(
      text.find("[voice]"),
      "[[finger]]\nname = \"slide\"\ntarget = \"s\"\nbreakpoints = [{ position_m = 0.25, depth_m = 1e-3 }, "
      "{ time_s = 0.1, position_m = 0.25, depth_m = 1e-3 }, { time_s = 0.3, position_m = 0.35, depth_m = 1e-3 }]\n"
      "law = { type = \"hunt-crossley\", stiffness = 1e6, exponent = 1.3, mu = 2.0 }\n");
  Instrument instrument(parse_scene(text, "slide").scene);
  const auto place = [&](int voice) { return value_of(instrument, fmt::format("slide-{}.position_m", voice)); };
  play(instrument, {on(1200, 45, 0.9)}, 6000);
  EXPECT_DOUBLE_EQ(place(1), 0.25);
  play(instrument, {on(0, 47, 0.9)}, 4800);
  EXPECT_NEAR(place(1), 0.3, 1e-6);  // half of its way
  EXPECT_DOUBLE_EQ(place(2), 0.25);
  play(instrument, {}, 9600);
  EXPECT_DOUBLE_EQ(place(1), 0.35);
  EXPECT_NEAR(place(2), 0.35, 1e-6);
  play(instrument, {off(0, 45), on(480, 50, 0.9)}, 4800);  // the first voice again, after 4 ms of fading
  EXPECT_DOUBLE_EQ(place(1), 0.25);
  EXPECT_DOUBLE_EQ(place(2), 0.35);
  EXPECT_FALSE(instrument.failed()) << instrument.failure_text();
  EXPECT_NE(instrument.engine().world().ledger().injected_J, 0);
  EXPECT_LT(imbalance(instrument), 1e-11);
  instrument.reset();
  play(instrument, {}, 480);
  EXPECT_EQ(instrument.engine().world().ledger().stored_J(), 0);  // nothing moves before a note
  const std::vector<NoteEvent> notes{on(100, 45, 0.9), on(2000, 52, 0.6), off(9000, 45), on(9100, 47, 0.9)};
  instrument.reset();
  const Sound whole = play(instrument, notes, 24000, 24000);
  instrument.reset();
  EXPECT_TRUE(play(instrument, notes, 24000, 41) == whole);
}

TEST(Follows, AScoreSlidesAsKeysDo) {
  std::string text = plucked_text("voices = 1\n");
  const std::string finger =
      "[[finger]]\nname = \"slide\"\ntarget = \"s\"\nbreakpoints = [{ position_m = 0.25, depth_m = 1e-3 }, "
      "{ time_s = 0.2, position_m = 0.3, depth_m = -2e-3 }]\n"
      "law = { type = \"hunt-crossley\", stiffness = 1e6, exponent = 1.3, mu = 2.0 }\n";
  text.insert(text.find("[voice]"), finger);
  const Scene scene = parse_scene(text + "[[note]]\npitch = 50\ntime_s = 0.5\n", "slide").scene;
  const auto first = std::find_if(scene.events.begin(), scene.events.end(),
                                  [](const EventSpec& e) { return e.parameter == "position_m"; });
  ASSERT_NE(first, scene.events.end());
  EXPECT_DOUBLE_EQ(first->time_s, 0.5);
  EXPECT_DOUBLE_EQ(first->duration_s, 0.02);
  std::string wrong = text;
  wrong.replace(wrong.find("time_s = 0.2"), 12, "time_s = 0.0");
  try {
    parse_scene(wrong + "[[note]]\npitch = 50\n", "slide");
    ADD_FAILURE() << "times that do not rise are taken";
  } catch (const InputError& e) {
    EXPECT_EQ(e.path(), "finger[0].breakpoints[1].time_s");
    EXPECT_EQ(e.value(), "0");
  }
  // A first time above 0: it waits off the string, and arrives within the last 20 ms before.
  text.replace(text.find("breakpoints = [{ "), 17, "breakpoints = [{ time_s = 0.1, ");
  const Scene later = parse_scene(text + "[[note]]\npitch = 50\ntime_s = 0.5\n", "slide").scene;
  const auto arrival = std::find_if(later.events.begin(), later.events.end(),
                                    [](const EventSpec& e) { return e.parameter == "position_m"; });
  ASSERT_NE(arrival, later.events.end());
  EXPECT_NEAR(arrival->time_s, 0.58, 1e-4);
  EXPECT_DOUBLE_EQ(arrival->duration_s, 0.02);
}

}  // namespace
}  // namespace jawari
