// SPDX-License-Identifier: MIT
// Voices of every kind of body, several of them in a scene, and controls.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "instrument/support.h"

namespace jawari {
namespace {

using namespace test;
using E = NoteEvent;

const std::string felt = "law = { type = \"hunt-crossley\", stiffness = 1e7, exponent = 2.3, mu = 0.1 }\n";

struct Kind {
  const char* name;
  std::string body;
  const char* at;  // where the hammer strikes
  bool tuned = true;
};
std::vector<Kind> kinds() {
  return {
      {"string",
       "[[string]]\nname = \"b\"\nlength_m = 0.65\nfrequency_hz = 220\nradius_m = 0.0004\nmethod = \"modes\"\n"
       "bandwidth = 0.2\ndecay_s = [3.0, 1.0]\ndecay_hz = [110, 2000]\n",
       "0.1"},
      {"bar",
       "[[bar]]\nname = \"b\"\nlength_m = 0.3\nwidth_m = 0.04\nthickness_m = 0.012\ndensity_kg_m3 = 1000\n"
       "young_Pa = 1.6e10\nbandwidth = 0.5\ndecay_s = [1.0, 0.2]\ndecay_hz = [300, 4000]\n",
       "0.15"},
      {"plate",
       "[[plate]]\nname = \"b\"\nwidth_m = 0.3\nheight_m = 0.25\nthickness_m = 0.002\nbandwidth = 0.1\n"
       "decay_s = [1.0, 0.2]\ndecay_hz = [100, 2000]\n",
       "[0.1, 0.1]"},
      {"membrane",
       "[[membrane]]\nname = \"b\"\nradius_m = 0.18\nfrequency_hz = 130\ndensity_kg_m2 = 0.26\nbandwidth = 0.08\n"
       "decay_s = [0.5, 0.1]\ndecay_hz = [130, 1000]\n",
       "[0.08, 0.0]"},
      {"modal",
       "[[modal]]\nname = \"b\"\nfrequencies_hz = [220, 610, 1190]\ndecay_s = [2.0, 1.0, 0.5]\n"
       "masses_kg = [0.02, 0.02, 0.02]\npoints = { tip = [1.0, -1.0, 1.0] }\n",
       "\"tip\""},
      {"mass", "[[mass]]\nname = \"b\"\nmass_kg = 0.01\nspring_N_m = 4e4\ndamper_N_s_m = 0.05\n", "", false},
  };
}
std::string text_of(const Kind& kind, const std::string& voice) {
  const bool itself = *kind.at == 0;
  const std::string hammer =
      "[[hammer]]\nname = \"h\"\ntarget = \"b\"\nat = " + std::string(kind.at) + "\nmass_kg = 0.01\n" + felt;
  return "duration_s = 1\nrate_hz = 48000\n" + kind.body + (itself ? "" : hammer) +
         "[[pickup]]\nof = \"b\"\nquantity = \"velocity\"\n" + (itself ? "" : "at = " + std::string(kind.at) + "\n") +
         "[voice]\nbody = \"b\"\nstrike = \"" + (itself ? "b" : "h") + "\"\nsoft = 0.2\nloud = 2\n" + voice;
}

/// The strongest frequency below 2 kHz, by a transform of Hann's window.
double pitch_of(const Sound& s, double least_hz, double most_hz) {
  const std::size_t n = s.left.size();
  double best = 0;
  double best_hz = 0;
  for (double hz = least_hz; hz <= most_hz; hz += 0.5) {
    double re = 0;
    double im = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double w = 0.5 - 0.5 * std::cos(2 * M_PI * static_cast<double>(i) / static_cast<double>(n));
      re += w * s.left[i] * std::cos(2 * M_PI * hz * static_cast<double>(i) / 48000);
      im += w * s.left[i] * std::sin(2 * M_PI * hz * static_cast<double>(i) / 48000);
    }
    if (std::hypot(re, im) > best) {
      best = std::hypot(re, im);
      best_hz = hz;
    }
  }
  return best_hz;
}

TEST(InstrumentBodies, EveryKindPlaysInTune) {
  for (const Kind& kind : kinds()) {
    for (const char* voices :
         {"voices = 3\nlowest = \"A3\"\nhighest = \"E4\"\n", "lowest = \"A3\"\nhighest = \"E4\"\n"}) {
      Instrument instrument(parse_scene(text_of(kind, voices), kind.name).scene);
      play(instrument, {on(0, 57, 0.9), off(4800, 57)}, 24000);  // another note before
      const Sound s = play(instrument, {say(0, E::sound_off, 0), on(2400, 64, 0.9)}, 12000);
      EXPECT_GT(s.peak(2400), 0) << kind.name;
      EXPECT_FALSE(instrument.failed()) << kind.name << ": " << instrument.failure_text();
      EXPECT_LT(imbalance(instrument), 1e-11) << kind.name;
      if (!kind.tuned) continue;
      const Sound tail = play(instrument, {}, 9600);
      const double hz = frequency_of_key(64);
      EXPECT_NEAR(pitch_of(tail, 0.8 * hz, 1.25 * hz) / hz, 1, 0.01) << kind.name << " " << voices;
    }
  }
}

TEST(InstrumentBodies, BlocksAndRandomEvents) {
  for (const Kind& kind : kinds()) {
    const Scene scene = parse_scene(text_of(kind, "voices = 2\n"), kind.name).scene;
    std::vector<NoteEvent> score;
    for (std::uint32_t i = 0; i < 60; ++i) {
      score.push_back(on(131 * i, 50 + i * 7 % 13, 0.1 + 0.015 * i, static_cast<int>(i % 3)));
      score.push_back(off(131 * i + 120, 50 + i * 7 % 13, static_cast<int>(i % 3)));
      score.push_back(say(131 * i + 121, E::bend, (i % 5) / 4.0 - 0.5, static_cast<int>(i % 3)));
    }
    Instrument instrument(scene);
    const Sound whole = play(instrument, score, 9600, 9600);
    instrument.reset();
    EXPECT_TRUE(play(instrument, score, 9600, 37) == whole) << kind.name;
    EXPECT_LT(imbalance(instrument), 1e-11) << kind.name;
  }
}

const std::string kit =
    "duration_s = 1\nrate_hz = 48000\n"
    "[[membrane]]\nname = \"tom\"\nradius_m = 0.18\nfrequency_hz = 130\ndensity_kg_m2 = 0.26\nbandwidth = 0.08\n"
    "decay_s = [0.5, 0.1]\ndecay_hz = [130, 1000]\n"
    "[[hammer]]\nname = \"stick\"\ntarget = \"tom\"\nat = [0.08, 0.0]\nmass_kg = 0.01\n" +
    felt +
    "[[bar]]\nname = \"block\"\nlength_m = 0.2\nwidth_m = 0.04\nthickness_m = 0.012\ndensity_kg_m3 = 700\n"
    "young_Pa = 1.2e10\nbandwidth = 0.5\ndecay_s = [0.2, 0.1]\ndecay_hz = [900, 4000]\n"
    "[[hammer]]\nname = \"mallet\"\ntarget = \"block\"\nat = 0.1\nmass_kg = 0.01\n" +
    felt +
    "[[pickup]]\nof = \"tom\"\nquantity = \"velocity\"\nat = [0.08, 0.0]\n"
    "[[pickup]]\nof = \"block\"\nquantity = \"velocity\"\nat = 0.1\n"
    "[[voice]]\nbody = \"tom\"\nstrike = \"stick\"\nsoft = 0.2\nloud = 2\nlowest = 36\nhighest = 40\nuntuned = true\n"
    "voices = 1\nchannels = [10]\n"
    "[[voice]]\nbody = \"block\"\nstrike = \"mallet\"\nsoft = 0.2\nloud = 2\nlowest = 60\nhighest = 72\nvoices = 2\n";

TEST(InstrumentBodies, SeveralVoicesWithKeysAndChannels) {
  Instrument instrument(parse_scene(kit, "kit").scene);
  EXPECT_EQ(instrument.voices(), 3u);
  const auto sounds = [&](double key, int channel) {
    instrument.reset();
    return play(instrument, {on(0, key, 0.9, channel)}, 2400).peak() > 0;
  };
  EXPECT_TRUE(sounds(38, 9));
  EXPECT_FALSE(sounds(38, 0));
  EXPECT_FALSE(sounds(50, 9));
  EXPECT_TRUE(sounds(60, 0));
  EXPECT_TRUE(sounds(72, 9));
  instrument.reset();
  const Sound low = play(instrument, {on(0, 36, 0.9, 9)}, 2400);
  instrument.reset();
  EXPECT_TRUE(play(instrument, {on(0, 40, 0.9, 9)}, 2400) == low);  // not tuned
}

TEST(InstrumentBodies, AScoreForSeveralVoices) {
  const Scene scene = parse_scene(kit + "[[note]]\npitch = 60\n[[note]]\npitch = \"C5\"\ntime_s = 0.1\n", "kit").scene;
  EXPECT_TRUE(scene.voices.empty());
  EXPECT_EQ(scene.bars.size(), 2u);
  EXPECT_EQ(scene.membranes.size(), 0u);
}

TEST(InstrumentBodies, AControlOfAVoiceWithoutNotes) {
  const std::string notes = "[[note]]\npitch = 60\n[[note]]\npitch = \"C5\"\ntime_s = 0.1\n";
  const auto control = [](const std::string& parameter) {
    return "[[control]]\nname = \"Head\"\ntargets = [{ parameter = \"" + parameter + "\", from = 0.0, to = 40.0 }]\n";
  };
  const auto sound = [](const Scene& scene) {
    Engine engine(scene);
    Sound s{std::vector<double>(9600), std::vector<double>(9600)};
    double* to[] = {s.left.data(), s.right.data()};
    engine.process(to, s.left.size());
    return s;
  };
  const Scene plain = parse_scene(kit + notes, "kit").scene;
  const Scene with = parse_scene(kit + notes + control("tom.damping_1_s"), "kit").scene;
  EXPECT_GT(sound(plain).peak(), 0);
  EXPECT_TRUE(sound(with) == sound(plain));
  EXPECT_THROW(parse_scene(kit + notes + control("tim.damping_1_s"), "kit"), InputError);
}

std::string sentence_of(const std::string& text) {
  try {
    Instrument instrument(parse_scene(text, "scene").scene);
  } catch (const InputError& e) {
    return e.sentence();
  }
  return "";
}

TEST(InstrumentBodies, RefusesWhatCannotBePlayed) {
  const Kind bar = kinds()[1];
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = text_of(bar, "voices = 2\n");
    const auto at = text.find(from);
    return at == std::string::npos ? "" : sentence_of(text.replace(at, from.size(), to));
  };
  EXPECT_EQ(with("body = \"b\"", "body = \"c\""), "voice.body is \"c\", but there is no such body");
  EXPECT_EQ(with("body = \"b\"", "string = \"b\""), "voice.string is \"b\", but there is no such string");
  EXPECT_EQ(with("body = \"b\"\n", ""), "voice.string is missing; give string or body, the name of what notes play");
  EXPECT_EQ(with("strike = \"h\"", "strike = \"b\""), "voice.strike is \"b\", but \"b\" has no such hammer");
  EXPECT_EQ(with("voices = 2", "lowest = 80\nhighest = 60"),
            "voice.lowest is key 80, but must be at most highest, which is 60");
}

// Controls

const std::string two_controls =
    "[[control]]\nname = \"buzz\"\ntext = \"How close the bridge comes.\"\nunit = \"mm\"\nleast = -0.1\nmost = 0.1\n"
    "default = -0.1\ntargets = [{ parameter = \"bridge.height_m\", from = -1e-4, to = 1e-4 }]\n"
    "[[control]]\nname = \"force\"\ndefault = 1.0\n"
    "targets = [{ parameter = \"voice.loud\", from = 1e-4, to = 0.003, curve = 0.0 }, { parameter = \"level\", from = "
    "0.1, to = 1.0, curve = 2.0 }]\n";

double value_of(const Instrument& instrument, const std::string& name) {
  const World& world = instrument.engine().world();
  return world.parameter(world.model().find_parameter(name));
}
NoteEvent turn(std::uint32_t frame, std::uint16_t index, double value) {
  NoteEvent e = say(frame, E::control, value);
  e.index = index;
  return e;
}

TEST(InstrumentControls, ServeAllVoices) {
  Instrument instrument(plucked("voices = 3\n" + two_controls));
  ASSERT_EQ(instrument.controls().size(), 2u);
  EXPECT_EQ(instrument.controls()[0].name, "buzz");
  EXPECT_EQ(instrument.controls()[0].unit, "mm");
  EXPECT_EQ(instrument.controls()[0].usual, -0.1);
  EXPECT_EQ(instrument.control(1), 1);
  play(instrument, {on(0, 50), turn(1000, 0, 0.05)}, 4800);
  EXPECT_DOUBLE_EQ(instrument.control(0), 0.05);
  for (const char* bridge : {"bridge-1", "bridge-2", "bridge-3"})
    EXPECT_NEAR(value_of(instrument, std::string(bridge) + ".height_m"), 5e-5, 1e-18);
  EXPECT_LT(imbalance(instrument), 1e-11);
  instrument.reset();
  play(instrument, {}, 480);
  EXPECT_DOUBLE_EQ(value_of(instrument, "bridge-1.height_m"), -1e-4);
}

TEST(InstrumentControls, CurvesAndLevels) {
  Instrument instrument(plucked("voices = 1\n" + two_controls));
  const double loud = play(instrument, {on(0, 50, 1.0)}, 4800).peak();
  instrument.reset();
  const double half = play(instrument, {turn(0, 1, 0.5), on(0, 50, 1.0)}, 4800).peak();
  // Depth sqrt(1e-4 0.003) in place of 0.003, level 0.1 + 0.9/4.
  std::string soft = plucked_text("voices = 1\n");
  soft.replace(soft.find("loud = 0.003"), 12, fmt::format("loud = {}", std::sqrt(1e-4 * 0.003)));
  Instrument softer(parse_scene(soft, "softer").scene);
  const double alone = play(softer, {on(0, 50, 1.0)}, 4800).peak();
  EXPECT_NEAR(half, 0.325 * alone, 1e-9 * half);
  EXPECT_LT(half, 0.2 * loud);
  instrument.reset();
  EXPECT_EQ(play(instrument, {turn(0, 1, 5.0), on(0, 50, 1.0)}, 4800).peak(), loud);  // kept in its range
}

TEST(InstrumentControls, ModulationReachesOneNote) {
  Instrument instrument(plucked("voices = 3\n" + two_controls));
  NoteEvent e = say(1000, E::modulation, 0.1, 0, -1, 7);
  play(instrument, {on(0, 50, 0.7, 0, 6), on(0, 55, 0.7, 0, 7), e}, 4800);
  EXPECT_NEAR(value_of(instrument, "bridge-1.height_m"), -1e-4, 1e-18);
  EXPECT_NEAR(value_of(instrument, "bridge-2.height_m"), 0, 1e-18);
  e = say(0, E::modulation, 0.02);
  play(instrument, {e}, 4800);  // all, beside what one has
  EXPECT_NEAR(value_of(instrument, "bridge-1.height_m"), -8e-5, 1e-18);
  EXPECT_NEAR(value_of(instrument, "bridge-2.height_m"), 2e-5, 1e-18);
  play(instrument, {off(0, 55, 0, 7), on(100, 55, 0.7, 0, 8)}, 4800);  // another note begins without it
  EXPECT_NEAR(value_of(instrument, "bridge-2.height_m"), -8e-5, 1e-18);
}

/// Hammers of higher keys are stiffer by the exponent, wherever the control is.
TEST(InstrumentControls, KeepWhatFollowsThePitch) {
  const std::string voice = "lowest = 48\nhighest = 72\nstiffness_exponent = 1.5\n";
  const std::string felt =
      "[[control]]\nname = \"felt\"\ndefault = 0.5\ntargets = [{ parameter = \"hammer-s.stiffness\", from = 4.5e8, "
      "to = 4.5e10, curve = 0 }]\n";
  Instrument plain(struck(voice)), controlled(struck(voice + felt));
  const auto stiffnesses = [](const Instrument& instrument) {
    std::vector<double> all;
    const World& world = instrument.engine().world();
    for (std::size_t p = 0; p < world.model().parameters.size(); ++p)
      if (world.model().parameters[p].name.find("hammer") == 0 &&
          world.model().parameters[p].kind == ParameterKind::stiffness)
        all.push_back(world.parameter(p));
    return all;
  };
  play(plain, {}, 64);
  play(controlled, {}, 64);
  const auto built = stiffnesses(plain), usual = stiffnesses(controlled);
  ASSERT_EQ(built.size(), 25u);
  EXPECT_NEAR(built[24] / built[0], std::pow(4, 1.5), 1e-6);
  EXPECT_EQ(usual, built);  // a control at the value of the scene changes nothing
  play(controlled, {turn(0, 0, 1)}, 9600);
  const auto stiff = stiffnesses(controlled);
  for (std::size_t i = 0; i < built.size(); ++i) EXPECT_NEAR(stiff[i] / built[i], 10, 1e-9) << i;
}

/// Pressure goes on from where the control is, in either order.
TEST(InstrumentControls, PressureAddsToAControl) {
  Instrument instrument(plucked("voices = 2\n" + two_controls));
  play(instrument, {turn(0, 0, -0.05), on(0, 50, 0.7, 0, 6), say(10, E::pressure, 0.25, 0, -1, 6)}, 4800);
  EXPECT_NEAR(value_of(instrument, "bridge-1.height_m"), 0, 1e-18);
  play(instrument, {turn(0, 0, 0)}, 4800);
  EXPECT_NEAR(value_of(instrument, "bridge-1.height_m"), 5e-5, 1e-18);
  EXPECT_NEAR(value_of(instrument, "bridge-2.height_m"), 0, 1e-18);
}

TEST(InstrumentControls, RefuseWhatIsNotThere) {
  const auto with = [&](const std::string& control) { return sentence_of(plucked_text("voices = 1\n" + control)); };
  EXPECT_EQ(with("[[control]]\nname = \"x\"\ntargets = [{ parameter = \"bridge.hight_m\", from = 0.0, to = 1.0 }]\n"),
            "control \"x\": parameter is \"bridge.hight_m\", but there is no such parameter");
  EXPECT_NE(with("[[control]]\nname = \"x\"\ntargets = [{ parameter = \"bridge.height_m\", from = 0.0, to = 1e9 }]\n"),
            "");
  EXPECT_NE(
      with("[[control]]\nname = \"x\"\ntargets = [{ parameter = \"level\", from = 0.0, to = 1.0, curve = 0.0 }]\n"),
      "");
  EXPECT_NE(
      with("[[control]]\nname = \"x\"\nleast = 2.0\ntargets = [{ parameter = \"level\", from = 0.0, to = 1.0 }]\n"),
      "");
  EXPECT_NE(with("[[control]]\nname = \"x\"\n"), "");
  EXPECT_NE(with("[[control]]\nname = \"x\"\ntargets = [{ parameter = \"voice.spread\", from = 0.0, to = 1.0 }]\n"),
            "");
}

}  // namespace
}  // namespace jawari
