// SPDX-License-Identifier: MIT
// What the command line reads: scenes, included files, curves, sounds, options.  Nothing that is named makes it hang,
// end with a signal, or repeat what it must not.
#include <sys/stat.h>

#include "misuse/support.h"
#include "support/midi.h"

namespace {

using jawari::test::Cli;
using jawari::test::Result;

class Inputs : public Cli {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  /// Refused within a few seconds, in one sentence.
  void refused(const std::string& arguments, const std::string& words) const {
    const Result r = shell("timeout 20 $JAWARI " + arguments);
    EXPECT_EQ(r.status, 2) << arguments << "\n" << r.err;
    EXPECT_NE(r.err.find(words), std::string::npos) << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
  const std::string ball =
      "duration_s = 0.01\n[[mass]]\nname = \"ball\"\nmass_kg = 1.0\nvelocity_m_s = 1.0\n"
      "[[contact]]\nbodies = [\"ball\", \"wall\"]\nheight_m = 0.001\nlaw = { type = \"power\", stiffness = 1e6, "
      "exponent = 1.3 }\n";
  const std::string string =
      "duration_s = 0.01\n[[string]]\nname = \"s\"\nlength_m = 0.6\nfrequency_hz = 100\nradius_m = 3e-4\n";
  const std::string barrier =
      "[[barrier]]\nstring = \"s\"\nlaw = { type = \"power\", stiffness = 1e6, exponent = 1.3 }\n";
};

TEST_F(Inputs, AnIncludedTextThatIsNoTomlIsRefused) {
  write("bad.toml", "[=]");
  refused("check " + write("a.toml", "include = [\"bad.toml\"]\nduration_s = 1\n"), "bad.toml: is not a TOML text");
  for (const std::string text :
       {"=", "[[", "a = ", "\"", "[a]\n[a]\n", "a = 1\na = 2\n", "[\x80]", "a.b = 1\na = 2", "a = {b", "\xff\xfe"}) {
    write("bad.toml", text);
    refused("check " + path("a.toml"), "bad.toml");
  }
}

TEST_F(Inputs, IncludesAreBoundedInDepthNumberAndSize) {
  for (int i = 0; i < 7; ++i) {
    std::string names;
    for (int k = 0; k < 20; ++k) names += "\"f" + std::to_string(i + 1) + ".toml\", ";
    write("f" + std::to_string(i) + ".toml", "include = [" + names + "]\n");
  }
  write("f7.toml", "duration_s = 1\n");
  refused("check " + path("f0.toml"), "more than 256 files");
  write("large.toml", "# " + std::string(17u << 20, 'x') + "\n");
  refused("check " + write("a.toml", "include = [\"large.toml\"]\n"), "at most 16777216 are allowed");
  refused("check " + write("a.toml", "include = [\"a.toml\"]\n"), "circles");
  std::filesystem::create_directory(path("folder.toml"));
  refused("check " + write("a.toml", "include = [\"folder.toml\"]\n"), "is a folder, not a plain file");
  write("f8.toml", ball);
  refused("check " + write("a.toml", "include = [\"f8.toml\"]\nremove = [\"bal\"]\n"), "remove names \"bal\"");
}

TEST_F(Inputs, DevicesPipesAndFoldersAreRefusedBeforeTheyAreOpened) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (const std::string& file : {path("pipe"), std::string("/dev/zero"), std::string("/dev")}) {
    refused("check " + file, "not a plain file");
    refused("check " + write("a.toml", "include = [\"" + file + "\"]\n"), "not a plain file");
    refused("check " + write("a.toml", ball + "[[hand]]\nname = \"h\"\nfile = \"" + file + "\"\n"), "not a plain file");
    refused("check " + write("a.toml", string + barrier + "shape = \"file\"\nfile = \"" + file + "\"\n"),
            "not a plain file");
    refused("check " +
                write("a.toml", ball + "[[excitation]]\nbody = \"ball\"\ntype = \"file\"\nfile = \"" + file + "\"\n"),
            "not a plain file");
    refused("render " JAWARI_SOURCE_DIR "/scenes/prepared-keys.toml --midi " + file, "not a plain file");
  }
}

TEST_F(Inputs, NothingOfAFileComesBackInARefusal) {
  const std::string secret = write("secret", "root:x:0:0:swordfish\nswordfish\n");
  for (const std::string& scene :
       {ball + "[[hand]]\nname = \"h\"\nfile = \"" + secret + "\"\n", "include = [\"" + secret + "\"]\n",
        ball + "[midi]\nfile = \"" + secret + "\"\n",
        string + barrier + "shape = \"file\"\nfile = \"" + secret + "\"\n",
        ball + "[[excitation]]\nbody = \"ball\"\ntype = \"file\"\nfile = \"" + secret + "\"\n"}) {
    const Result r = jawari("check " + write("a.toml", scene));
    EXPECT_EQ(r.status, 2) << r.out;
    EXPECT_EQ((r.out + r.err).find("swordfish"), std::string::npos) << r.err;
  }
}

TEST_F(Inputs, FilesStayBelowAFolderIfAsked) {
  std::filesystem::create_directory(path("in"));
  write("out.toml", ball);
  write("in/good.toml", ball);
  write("in/a.toml", "include = [\"../out.toml\"]\n");
  write("in/b.toml", "include = [\"good.toml\"]\n");
  write("in/c.toml", ball + "[[hand]]\nname = \"h\"\nfile = \"/etc/passwd\"\n");
  std::filesystem::create_symlink(path("out.toml"), path("in/link.toml"));
  write("in/d.toml", "include = [\"link.toml\"]\n");
  const std::string below = " --below " + path("in");
  EXPECT_EQ(jawari("check " + path("in/a.toml")).status, 0);
  EXPECT_EQ(jawari("check " + path("in/b.toml") + below).status, 0);
  for (const auto* name : {"in/a.toml", "in/c.toml", "in/d.toml", "out.toml", "in/../out.toml"})
    for (const auto* command : {"check ", "render ", "compare ", "bench "})
      refused(command + path(name) + below, "must stay below it");
  refused("check " + path("in/b.toml") + " --below /no/such", "files must stay below it");
}

TEST_F(Inputs, EveryNumberHasARange) {
  refused("check " JAWARI_SOURCE_DIR "/tests/cases/17-bolt-of-no-mass-nan.toml", "mass_kg is");
  refused("check " JAWARI_SOURCE_DIR "/tests/cases/18-list-without-range-nan.toml",
          "samples_N times amplitude_N holds 1e+308 as value 6");
  const std::string drive = ball + "[[excitation]]\nbody = \"ball\"\ntype = \"file\"\n";
  refused("check " + write("a.toml", drive + "samples_N = [1e10]\namplitude_N = 1e12\n"), "holds 1e+22");
  refused("check " + write("a.toml", ball + "[[hand]]\nname = \"h\"\nsamples_m = [0, 1e300]\n"),
          "hand.samples_m holds 1e+300 as value 2");
  refused(
      "check " + write("a.toml", string + barrier + "shape = \"points\"\npositions_m = [0.1]\nheights_m = [-1e200]\n"),
      "heights_m holds -1e+200");
  refused("check " + write("a.toml", string + barrier + "shape = \"polynomial\"\ncoefficients = [1e300]\n"),
          "coefficients holds 1e+300");
  refused("check " + write("a.toml", string + barrier + "shape = \"polynomial\"\ncoefficients = [1e11]\n"),
          "barrier.height at x");
  refused("check " + write("a.toml", string + "start = { shape = \"file\", x_m = [0.1], u_m = [1e200] }\n"),
          "start.u_m holds 1e+200");
  refused("check " + write("a.toml",
                           "duration_s = 1\n[[modal]]\nname = \"m\"\nfrequencies_hz = [100]\ndecay_s = [1]\nmasses_kg "
                           "= [1e-320]\npoints = { a = [1] }\n"),
          "masses_kg holds");
  refused("check " + write("a.toml",
                           "duration_s = 1\n[[modal]]\nname = \"m\"\nfrequencies_hz = [100]\ndecay_s = [1]\nmasses_kg "
                           "= [1]\npoints = { a = [1e300] }\n"),
          "modal.points of \"a\" holds 1e+300");
  refused(
      "check " +
          write("a.toml", ball + "[[hand]]\nname = \"h\"\n[[event]]\ndo = \"move\"\ntarget = \"h\"\nheight_m = 1e25\n"),
      "event.height_m");
  for (const auto* kind : {"mass", "hammer", "rattle", "bolt"})
    refused("check " + write("a.toml", string + "[[" + kind +
                                           "]]\nname = \"x\"\ntarget = \"s\"\nposition_m = 0.1\nmass_kg = 1e-13\n"),
            "mass_kg is 1e-13");
}

TEST_F(Inputs, ASoundThatIsNotFiniteIsRefused) {
  // A WAV file of two float samples, the second of them NaN.
  using jawari::test::bytes;
  const std::string wav = "RIFF" + bytes({44, 0, 0, 0}) + "WAVEfmt " +
                          bytes({16, 0, 0, 0, 3, 0, 1, 0, 0x44, 0xac, 0, 0, 0x10, 0xb1, 2, 0, 4, 0, 32, 0}) + "data" +
                          bytes({8, 0, 0, 0}) + bytes({0, 0, 0, 0, 0, 0, 0xc0, 0x7f});
  write("nan.wav", wav);
  refused("check " + write("a.toml", ball + "[[hand]]\nname = \"h\"\nfile = \"nan.wav\"\n"), "not finite in frame 2");
}

TEST_F(Inputs, LengthIsInTheMemoryLimit) {
  const std::string file = write("a.toml", ball);
  refused("render " + file + " --duration 45000 -o " + path("o.wav"), "--duration 45000");
  refused(
      "render " + write("b.toml", "duration_s = 45000\n" + ball.substr(ball.find('\n') + 1)) + " -o " + path("o.wav"),
      "b.toml:1: duration_s is 45000");
}

TEST_F(Inputs, NumbersThatAreNoneAreRefusedInTheWordsOfTheOption) {
  const std::string file = write("a.toml", ball);
  for (const std::string bad : {"nan", "inf", "-inf", "1e999"}) {
    for (const std::string option : {"--rate", "--duration", "--gain", "--film-from", "--film-length"})
      refused("render " + file + " -o " + path("o.wav") + " " + option + " " + bad, option);
    refused("check " + file + " --try " + bad, "--try");
    refused("bench " + file + " --seconds " + bad, "--seconds");
    refused("compare " + file + " --duration " + bad, "--duration");
    refused("play " + file + " --gain " + bad, "--gain");
    for (const std::string option : {"--mass", "--stiffness", "--exponent", "--speed", "--mu", "--rate"}) {
      std::string rest = " --mass 1 --stiffness 1e9 --exponent 1.5 --speed 1";
      if (const auto at = rest.find(option); at != std::string::npos)
        rest.erase(at - 1, rest.find(' ', rest.find(' ', at) + 1) - at + 1);
      refused("impact " + option + " " + bad + rest, option);
    }
  }
  refused("render " + file + " --rate 7", "--rate is 7, but must lie in [100, 1e+08] Hz");
  refused("render " + write("s.toml", string) + " --quality draft --rate 300", "--rate 300: ");
  refused("render " + file + " --duration -1", "--duration is -1");
  EXPECT_FALSE(std::filesystem::exists(path("o.wav")));
}

TEST_F(Inputs, MisspeltRequiredKeysAreNamed) {
  refused("check " + write("a.toml", "duraton_s = 1\n[[mass]]\nname = \"m\"\nmass_kg = 1\n"),
          "did you mean duration_s where duraton_s is written?");
  refused("check " + write("a.toml", "duration_s = 1\n[[mass]]\nnmae = \"m\"\nmass_kg = 1\n"),
          "did you mean name where nmae is written?");
  refused("check " + write("a.toml", string + "[[barrier]]\nstrnig = \"s\"\n"),
          "did you mean string where strnig is written?");
  refused("check " + write("a.toml", "duration_s = 1\n[[string]]\nname = \"s\"\nlenght_m = 1\n"),
          "did you mean length_m where lenght_m is written?");
}

TEST_F(Inputs, BuiltInScenesAreFoundByName) {
  for (const std::string name : {"ball", "ball.toml", "etude"})
    EXPECT_EQ(jawari("render " + name + " --duration 0.02 -o " + path("o.wav")).status, 0) << name;
  EXPECT_EQ(jawari("check ball --try 0.01").status, 0);
  EXPECT_EQ(jawari("bench ball --seconds 0.01 --schemes two-point").status, 0);
  EXPECT_EQ(jawari("compare ball --duration 0.01 --schemes two-point --rates 1").status, 0);
  refused("render tanpora", "did you mean \"tanpura\"?");
  write("ball", "no scene");
  const Result own = shell("cd " + folder_.string() + " && $JAWARI check ball");  // a file comes first
  EXPECT_EQ(own.status, 2) << own.out;
}

TEST_F(Inputs, WhatIsSurelyNotMeantIsSaid) {
  const auto said = [&](const std::string& scene) {
    const Result check = jawari("check " + write("a.toml", scene)), render = jawari("render " + path("a.toml"));
    EXPECT_EQ(check.status, 0) << check.err;
    EXPECT_EQ(check.out.find("warning") == std::string::npos, render.err.find("warning") == std::string::npos)
        << check.out << render.err;
    return check.out;
  };
  const std::string pluck = "start = { shape = \"pluck\", position_m = 0.2, height_m = 2e-3 }\n";
  const std::string flat = barrier + "shape = \"flat\"\nheight_m = ";
  EXPECT_EQ(said(string + pluck + flat + "-1e-3\n").find("warning"), std::string::npos);
  EXPECT_NE(said(string + pluck + flat + "-8e-3\n").find("is out of reach"), std::string::npos);
  EXPECT_NE(said(string + pluck + flat + "-1\n").find("are heights meant in metres?"), std::string::npos);
  EXPECT_NE(said(string + "start = { shape = \"pluck\", position_m = 0.2, height_m = 3 }\n").find("starts 3 m high"),
            std::string::npos);
  const std::string voice =
      "[[hammer]]\nname = \"h\"\ntarget = \"s\"\nposition_m = 0.07\nmass_kg = 3e-3\nlaw = { type = \"power\", "
      "stiffness = 4e9, exponent = 2.5 }\n"
      "[voice]\nstring = \"s\"\nstrike = \"h\"\nsoft = 0.5\nloud = 4.0\n";
  EXPECT_NE(said(string + voice).find("[voice], but no notes"), std::string::npos);
}

TEST_F(Inputs, SlowScenesAreAnnounced) {
  const std::string scene = write(
      "a.toml",
      "duration_s = 1\n[[bar]]\nname = \"b\"\nlength_m = 1\nwidth_m = 0.03\nthickness_m = 0.01\ndensity_kg_m3 = "
      "7850\nyoung_Pa = 2e11\n"
      "[[mass]]\nname = \"m\"\nmass_kg = 1\n[[contact]]\nbodies = [\"m\", \"b\"]\nheight_m = 1.0\nline = { points = "
      "700, upper_from = 0.1, upper_to = 0.9 }\nlaw = { type = \"power\", stiffness = 1e4, exponent = 1.3 }\n");
  EXPECT_NE(jawari("check " + scene + " --try 1e-4").out.find("700 contact points are coupled: a step may take"),
            std::string::npos);
}

}  // namespace
