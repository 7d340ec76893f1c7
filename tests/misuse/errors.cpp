// SPDX-License-Identifier: MIT
// Errors as data: what is refused has a path, what is allowed and, where it is about one value, that value.
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <sstream>

#include "jawari/engine/compile.h"
#include "jawari/engine/value.h"
#include "jawari/instrument.h"
#include "jawari/io/scene_file.h"
#include "jawari/io/scene_keys.h"

namespace jawari {
namespace {

/// What is refused when a scene is read, checked, compiled and, where it has a voice, opened as an instrument.
std::optional<InputError> refused(const std::string& text) {
  try {
    const SceneFile file = parse_scene(text, "s.toml");
    compile(file);
    try {
      if (!file.scene.voices.empty()) Instrument(instrument_of(file), {});
    } catch (const InputError& r) {
      return file.located(r);
    }
  } catch (const InputError& r) {
    return r;
  }
  return std::nullopt;
}

const std::string ball =
    "duration_s = 0.01\n[[mass]]\nname = \"ball\"\nmass_kg = 1.0\nvelocity_m_s = 1.0\n"
    "[[contact]]\nbodies = [\"ball\", \"wall\"]\nheight_m = 0.001\nlaw = { type = \"power\", stiffness = 1e6, "
    "exponent = 1.3 }\n";
const std::string other =
    "duration_s = 0.01\n[[mass]]\nname = \"ball\"\nmass_kg = 1.0\n[[contact]]\nbodies = [\"ball\", \"wall\"]\n";
const std::string string =
    "duration_s = 0.01\n[[string]]\nname = \"s\"\nlength_m = 0.6\nfrequency_hz = 100\nradius_m = 3e-4\n";
const std::string bare_string = "duration_s = 0.01\n[[string]]\nname = \"s\"\nlength_m = 0.6\n";
const std::string barrier =
    string + "[[barrier]]\nstring = \"s\"\nlaw = { type = \"power\", stiffness = 1e6, exponent = 1.3 }\n";
const std::string modal = "duration_s = 0.01\n[[modal]]\nname = \"m\"\n";
const std::string membrane = "duration_s = 0.01\n[[membrane]]\nname = \"m\"\ndensity_kg_m2 = 0.2\n";
const std::string law = "law = { type = \"power\", stiffness = 1e6, exponent = 1.3 }\n";
const std::string hammer =
    string + "[[hammer]]\nname = \"h\"\ntarget = \"s\"\nposition_m = 0.1\nmass_kg = 0.005\n" + law;
const std::string finger = string + "[[finger]]\nname = \"f\"\ntarget = \"s\"\nposition_m = 0.1\n" + law;

/// A scene, the path of what is wrong, and its value; none where the error is about no single value.
struct Misuse {
  std::string text, path;
  std::optional<std::string> value;
};

const std::vector<Misuse>& misuses() {
  static const std::vector<Misuse> list = {
      // Texts and files.
      {"", "scene", {}},
      {"=", "scene", {}},
      {"include = 3\n", "include", {}},
      {"include = [\"no-such.toml\"]\n", "include", "\"no-such.toml\""},
      {ball + "[[hand]]\nname = \"h\"\nfile = \"no-such.csv\"\n", "hand[0].file", "./no-such.csv"},
      {ball + "[midi]\nfile = \"no-such.mid\"\n", "midi.file", "./no-such.mid"},
      // The scene itself.
      {"duration_s = 1\n", "mass", {}},
      {"duraton_s = 1\n", "duration_s", {}},
      {"duration_s = 1\ncolour = 3\n" + ball.substr(ball.find('\n') + 1), "colour", "colour"},
      {"duration_s = 86400\nrate_hz = 1e8\n[[mass]]\nname = \"m\"\nmass_kg = 1\n", "duration_s", "86400"},
      {"oversample = 3\n" + ball, "oversample", "3"},
      {"oversample = 1.5\n" + ball, "oversample", "1.5"},
      {"quality = \"best\"\n" + ball, "quality", "\"best\""},
      {ball + "[[mass]]\nname = \"ball\"\nmass_kg = 1\n", "mass[1].name", "\"ball\""},
      {ball + "[[mass]]\nname = \"wall\"\nmass_kg = 1\n", "mass[1].name", "\"wall\""},
      {ball + "[[mass]]\nname = \"\"\nmass_kg = 1\n", "mass[1].name", "\"\""},
      {ball + "[[mass]]\nname = \"b\"\n", "mass[1].mass_kg", {}},
      {ball + "[[mass]]\nname = \"b\"\nmass_kg = -1\n", "mass[1].mass_kg", "-1"},
      {ball + "[[mass]]\nname = \"b\"\nmass_kg = \"much\"\n", "mass[1].mass_kg", "a string"},
      // Laws and schemes.
      {other, "contact[0].law", {}},
      {other + "law = \"power\"\n", "contact[0].law", "a string"},
      {other + "law = { type = \"hertz\", stiffness = 1 }\n", "contact[0].law.type", "\"hertz\""},
      {other + "law = { type = \"power\", stiffness = 1e6, exponent = 0.5 }\n", "contact[0].law.exponent", "0.5"},
      {other + "law = { type = \"power\", stiffness = 1e6 }\n", "contact[0].law.exponent", {}},
      {other + "law = { type = \"power\", stiffness = 1e6, exponent = 1.3, mu = 3 }\n", "contact[0].law.mu", "3"},
      {other + "law = { type = \"hunt-crossley\", stiffness = 1e6, exponent = 1.3, mu = 1, restitution = 0.5, "
               "restitution_speed_m_s = 1 }\n",
       "contact[0].law.mu", "1"},
      {other + "law = { type = \"power\", stiffness_per_m = 1e6, exponent = 1.3 }\n", "contact[0].law", {}},
      {other + "law = { type = \"tabulated\", max_m = 1e-3, force_N = [0, 1, 0.5] }\n", "contact[0].law.force_N",
       "0.5 after 1"},
      {ball + "scheme = \"fast\"\n", "contact[0].scheme", "\"fast\""},
      {ball + "scheme = \"two-point-linear\"\n", "contact[0].scheme", "\"two-point-linear\""},
      {ball + "scheme = \"rk4\"\n[[mass]]\nname = \"b\"\nmass_kg = 1\n", "contact[0].scheme", "\"rk4\""},
      // Names of other parts.
      {ball + "[[contact]]\nbodies = [\"ball\", \"flor\"]\n" + law, "contact[1].bodies", "\"flor\""},
      {ball + "[[contact]]\nbodies = [\"ball\", \"ball\"]\n" + law, "contact[1].bodies", "\"ball\""},
      {ball + "[[contact]]\nbodies = [\"wall\", \"wall\"]\n" + law, "contact[1].bodies", "\"wall\""},
      {ball + "[[contact]]\nbodies = \"ball\"\n" + law, "contact[1].bodies", "\"ball\""},
      {string + "[[barrier]]\nstring = \"t\"\nshape = \"flat\"\n" + law, "barrier[0].string", "\"t\""},
      {ball + "[[hand]]\nname = \"h\"\n[[excitation]]\nbody = \"h\"\n", "excitation[0].body", "\"h\""},
      {ball + "[[pickup]]\nof = \"ball\"\nquantity = \"force\"\n", "pickup[0].quantity", "\"force\""},
      // Bodies.
      {bare_string + "frequency_hz = 100\n", "string[0].radius_m", {}},
      {string + "density_kg_m = 1e-3\n", "string[0].radius_m", "0.0003"},
      {bare_string + "radius_m = 3e-4\n", "string[0].tension_N", {}},
      {string + "tension_N = 50\n", "string[0].tension_N", "50"},
      {string + "decay_s = [1]\ndecay_hz = [100]\n", "string[0].decay_s", "1 values"},
      {string + "decay_s = [1, 8]\ndecay_hz = [100, 1000]\n", "string[0].decay_s", "[1, 8] at [100, 1000] Hz"},
      {string + "decay_s = [1, -1]\ndecay_hz = [100, 1000]\n", "string[0].decay_s", "-1"},
      {string + "decay_s = [1, 0.5]\ndecay_hz = [100, -1]\n", "string[0].decay_hz", "-1"},
      {string + "decay_s = [1, 0.5]\ndecay_hz = [100, 50]\n", "string[0].decay_hz", "[100, 50]"},
      {string + "method = \"modes\"\ngamma = 0.5\n", "string[0].gamma", {}},
      {string + "operator = \"explicit\"\ngamma = 0.5\n", "string[0].gamma", "0.5"},
      {string + "method = \"modes\"\nmodes = 100000\n", "string[0].modes", "100000"},
      {string + "highest_hz = 50\n", "string[0].highest_hz", "50"},
      {string + "start = { shape = \"pluck\", position_m = 0.7, height_m = 1e-3 }\n", "string[0].start.position_m",
       "0.7"},
      {string + "start = { shape = \"bump\", position_m = 0.1, height_m = 1e-3 }\n", "string[0].start.width_m", {}},
      {string + "start = { shape = \"pluck\", position_m = 0.1, height_m = 601 }\n", "string[0].start.height_m", "601"},
      {modal + "frequencies_hz = []\ndecay_s = []\nmasses_kg = []\npoints = { a = [1] }\n",
       "modal[0].frequencies_hz",
       {}},
      {modal + "frequencies_hz = [100]\ndecay_s = [1, 2]\nmasses_kg = [1]\npoints = { a = [1] }\n", "modal[0].decay_s",
       "2 values"},
      {modal + "frequencies_hz = [1e5]\ndecay_s = [1]\nmasses_kg = [1]\npoints = { a = [1] }\n",
       "modal[0].frequencies_hz", "100000"},
      {modal + "frequencies_hz = [100]\ndecay_s = [1]\nmasses_kg = [1]\n", "modal[0].points", {}},
      {modal + "frequencies_hz = [100]\ndecay_s = [1]\nmasses_kg = [1]\npoints = { a = [1, 2] }\n", "modal[0].points",
       "2 values"},
      {modal +
           "frequencies_hz = [100]\ndecay_s = [1]\nmasses_kg = [1]\npoints = { a = [1] }\n[[pickup]]\nof = \"m\"\nat = "
           "\"b\"\n",
       "pickup[0].at", "\"b\""},
      {membrane + "tension_N_m = 2000\n", "membrane[0].radius_m", "0"},
      {membrane + "radius_m = 0.1\n", "membrane[0].tension_N_m", "0"},
      {membrane + "radius_m = 0.1\ntension_N_m = 2000\n[[pickup]]\nof = \"m\"\nat = [0.2, 0.2]\n",
       "pickup[0].position_m", "(0.2, 0.2)"},
      // Barriers.
      {barrier + "shape = \"flat\"\nfrom_m = 0.5\nto_m = 0.1\n", "barrier[0].to_m", "0.1"},
      {barrier + "shape = \"points\"\npositions_m = []\n", "barrier[0].positions_m", "empty"},
      {barrier + "shape = \"points\"\npositions_m = [0.7]\n", "barrier[0].positions_m", "0.7"},
      {barrier + "shape = \"points\"\npositions_m = [0.1]\nheights_m = [0, 0]\n", "barrier[0].heights_m", "2 values"},
      {barrier + "shape = \"points\"\npositions_m = [0.1]\nheights_m = [0]\nheight_m = 0\n", "barrier[0].height_m", {}},
      {barrier + "shape = \"polynomial\"\ncoefficients = [1]\nheight_m = 0.1\n", "barrier[0].height_m", {}},
      {barrier + "shape = \"flat\"\nheights_m = [0]\n", "barrier[0].heights_m", {}},
      {barrier + "shape = \"flat\"\ncurvature_1_m = 1\n", "barrier[0].curvature_1_m", {}},
      {barrier + "shape = \"parabola\"\ncoefficients = [1]\n", "barrier[0].coefficients", {}},
      {barrier + "shape = \"polynomial\"\n", "barrier[0].coefficients", {}},
      {barrier + "shape = \"polynomial\"\ncoefficients = [1e11]\n", "barrier[0].height", "1e+11"},
      {barrier + "shape = \"polynomial\"\ncoefficients = [1e300]\n", "barrier[0].coefficients", "1e+300"},
      {barrier + "shape = \"flat\"\npoints = 10\n", "barrier[0].points", "10"},
      {barrier + "shape = \"points\"\npositions_m = [0.1]\nshift_range_m = [1]\n", "barrier[0].shift_range_m", "[1]"},
      // Gestures.
      {hammer + "position_range_m = [0.2, 0.1]\n", "hammer[0].position_range_m", "[0.2, 0.1]"},
      {hammer + "position_range_m = [0.1, 0.7]\n", "hammer[0].position_range_m", "[0.1, 0.7]"},
      {finger + "mass_kg = 0.01\n", "finger[0].mass_kg", "0.01"},
      {finger + "damper_N_s_m = 1\n", "finger[0].damper_N_s_m", "1"},
      {finger + "breakpoints = [{ time_s = 0, position_m = 0.1, force_N = 1 }]\n", "finger[0].breakpoints[0].force_N",
       "1"},
      {finger + "breakpoints = [{ time_s = 0.1, position_m = 0.1 }, { time_s = 0.1, position_m = 0.1 }]\n",
       "finger[0].breakpoints[1].time_s", "0.1"},
      // Excitations and events.
      {ball + "[[excitation]]\nbody = \"ball\"\ntype = \"file\"\n", "excitation[0].file", {}},
      {ball + "[[excitation]]\nbody = \"ball\"\ntype = \"pulse\"\namplitude_N = 1\n", "excitation[0].duration_s", "0"},
      {ball + "[[excitation]]\nbody = \"ball\"\ntype = \"sine\"\namplitude_N = 1\nfrequency_hz = 1e5\n",
       "excitation[0].frequency_hz", "100000"},
      {ball + "[[excitation]]\nbody = \"ball\"\ntype = \"sine\"\nfrequency_hz = 100\nchannel = 2\n",
       "excitation[0].channel", "2"},
      {hammer + "[[event]]\ndo = \"strike\"\ntarget = \"g\"\nvelocity_m_s = 1\n", "event[0].target", "\"g\""},
      {hammer + "[[event]]\ndo = \"strike\"\ntarget = \"s\"\nvelocity_m_s = 1\n", "event[0].target", "\"s\""},
      {hammer + "[[event]]\ndo = \"strike\"\ntarget = \"h\"\nvelocity_m_s = 1\nparameter = \"x\"\n",
       "event[0].parameter", "\"x\""},
      {hammer + "[[event]]\ndo = \"set\"\ntarget = \"s\"\nvalue = 1\n", "event[0].parameter", {}},
      {hammer + "[[event]]\ndo = \"set\"\ntarget = \"s\"\nparameter = \"colour\"\nvalue = 1\n", "event[0].parameter",
       "\"colour\""},
      {hammer + "[[event]]\ndo = \"set\"\ntarget = \"s\"\nparameter = \"frequency_hz\"\nvalue = 1e6\n",
       "event[0].value", "1e+06"},
      {hammer + "[[event]]\ndo = \"retune\"\ntarget = \"s\"\nfrequency_hz = 15000\n", "event[0].frequency_hz", "15000"},
      {hammer + "[[event]]\ndo = \"strike\"\ntarget = \"h\"\nvelocity_m_s = 1\nbeat = 2\n", "event[0].beat", "2"},
      // Tempos, patterns, voices, notes and controls.
      {ball + "[[tempo]]\nbpm = 60\n[[tempo]]\nbpm = 90\n", "tempo[1].beat", "0"},
      {hammer + "[[pattern]]\n", "pattern[0].strokes", {}},
      {hammer + "[[note]]\npitch = \"C4\"\n", "note", {}},
      {hammer + "[voice]\nsoft = 1\nloud = 2\nstring = \"t\"\nstrike = \"h\"\n", "voice.string", "\"t\""},
      {hammer + "[voice]\nsoft = 1\nloud = 2\nstring = \"s\"\n", "voice.strike", {}},
      {hammer + "[voice]\nsoft = 1\nloud = 2\nstring = \"s\"\nstrike = \"g\"\n", "voice.strike", "\"g\""},
      {hammer + "[voice]\nsoft = 1\nloud = 2\nstring = \"s\"\nstrike = \"h\"\nlowest = 70\nhighest = 60\n",
       "voice.lowest", "key 70"},
      {hammer + "[voice]\nsoft = 1\nloud = 2\nstring = \"s\"\nstrike = \"h\"\n[[note]]\npitch = \"H4\"\n",
       "note[0].pitch", "\"H4\""},
      {hammer + "[voice]\nsoft = 1\nloud = 2\nstring = \"s\"\nstrike = \"h\"\n[[control]]\nname = \"c\"\ntargets = [{ "
                "parameter = \"s.frequency_hz\", from = 90, to = 100 }]\nleast = 2\nmost = 1\n",
       "control[0].least", "2"},
      // What only the compiled scene shows.
      {"duration_s = 0.01\n[[mass]]\nname = \"b\"\nmass_kg = 1e-6\n[[excitation]]\nbody = \"b\"\namplitude_N = 1e9\n",
       "excitation[0].amplitude_N", "1e+09"},
      {"duration_s = 0.01\n[[membrane]]\nname = \"m\"\nradius_m = 100\ndensity_kg_m2 = 10\ntension_N_m = 1\n",
       "membrane[0].modes",
       {}},
  };
  return list;
}

TEST(Errors, HavePathValueAndWhatIsAllowedAsData) {
  for (const Misuse& m : misuses()) {
    SCOPED_TRACE(m.text);
    const auto r = refused(m.text);
    if (!r) {
      ADD_FAILURE() << "not refused";
      continue;
    }
    SCOPED_TRACE(r->what());
    EXPECT_EQ(r->path(), m.path);
    EXPECT_FALSE(r->allowed().empty());
    if (m.value) {
      EXPECT_EQ(r->value(), *m.value);
    } else if (r->sentence().find(" is missing") != std::string::npos) {
      EXPECT_EQ(r->value(), "");
    }
    EXPECT_EQ(r->file(), "s.toml");
  }
}

/// A key of another kind than it should be.
Value of_another_kind(const Key& key) {
  if (key.type == Key::number || key.type == Key::integer) return Value(true);
  return Value(ValueList{Value(true)});
}

/// Every key of every part: a value of another kind, and a number beyond the range.
TEST(Errors, EveryKeyOfEveryPartIsRefusedWithPathValueAndWhatIsAllowed) {
  int keys = 0;
  const auto expect = [&](const KeyTable& part, const Key& key, const Value& value) {
    SCOPED_TRACE(testing::Message() << part.name << "." << key.name);
    try {
      check_part(part.name, ValueTable{{std::string(key.name), value}}, {});
      ADD_FAILURE() << "not refused";
    } catch (const InputError& r) {
      SCOPED_TRACE(r.what());
      EXPECT_FALSE(r.path().empty());
      EXPECT_FALSE(r.allowed().empty());
      if (r.path().ends_with(key.name)) {  // a missing key may be found first
        EXPECT_FALSE(r.value().empty());
        ++keys;
      }
    }
  };
  for (const auto* tables : {&scene_keys(), &score_keys()})
    for (const KeyTable& part : *tables) {
      if (!part.repeated && !part.name.empty() && part.name != "voice" && part.name != "midi")
        continue;  // within others
      for (const Key& key : part.keys) {
        expect(part, key, of_another_kind(key));
        if (key.type == Key::number || key.type == Key::integer) expect(part, key, Value(1e300));
        if (key.type == Key::word) expect(part, key, Value("no-such-word"));
      }
    }
  EXPECT_GT(keys, 70);
}

/// What the command line's tests of scenes refuse.
TEST(Errors, RefusedCasesHavePathValueAndWhatIsAllowed) {
  for (const char* name : {"17-bolt-of-no-mass-nan", "18-list-without-range-nan"}) {
    std::ifstream in(JAWARI_SOURCE_DIR "/tests/cases/" + std::string(name) + ".toml");
    std::stringstream text;
    text << in.rdbuf();
    const auto r = refused(text.str());
    ASSERT_TRUE(r) << name;
    EXPECT_FALSE(r->path().empty() || r->value().empty() || r->allowed().empty()) << r->what();
  }
}

}  // namespace
}  // namespace jawari
