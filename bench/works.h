// SPDX-License-Identifier: MIT
// Scenes of the works that other programs were measured on, for bench/works.cpp: whole instruments with losses, pickups
// and drive, as text.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace jawari::bench {

inline std::string work_head(double rate_hz, double duration_s) {
  return fmt::format("rate_hz = {}\nduration_s = {}\nquality = \"draft\"\n", rate_hz, duration_s);
}

/// Six strings of steel with 20 frets and a curved board behind them, plucked twice each; pressed by six fingers of 5
/// g.
inline std::string guitar(bool fingers) {
  constexpr double tension_N[] = {12.1, 12.3, 21.9, 39.2, 27.6, 45.6},
                   radius_m[] = {2e-4, 2.3e-4, 3.2e-4, 4.4e-4, 4.4e-4, 6.5e-4};
  const std::string law = "law = { type = \"hunt-crossley\", stiffness = 1e10, exponent = 1.3, mu = 10 }\n";
  std::string t = work_head(48000, 1), places, heights;
  for (int k = 1; k <= 20; ++k) {
    places += fmt::format("{}, ", 0.68 * (1 - std::pow(2, -k / 12.0)));
    heights += "-1e-3, ";
  }
  for (int i = 0; i < 6; ++i) {
    t += fmt::format(
        "[[string]]\nname = \"s{0}\"\nlength_m = 0.68\ntension_N = {1}\nradius_m = {2}\nsigma0_1_s = 0.6\nsigma1_m2_s "
        "= "
        "2e-4\n[[barrier]]\nname = \"frets{0}\"\nstring = \"s{0}\"\nshape = \"points\"\npositions_m = [{3}]\nheights_m "
        "= "
        "[{4}]\n{5}[[barrier]]\nname = \"board{0}\"\nstring = \"s{0}\"\nshape = \"polynomial\"\ncoefficients = [-2e-3, "
        "-1e-3, -5e-3]\n{5}",
        i, tension_N[i], radius_m[i], places, heights, law);
    if (fingers)
      t += fmt::format(
          "[[mass]]\nname = \"f{0}\"\nmass_kg = 5e-3\nposition_m = 1e-4\nload_N = -1\n[[contact]]\nbodies = [\"s{0}\", "
          "\"f{0}\"]\nlower_at = 0.12\nscheme = \"two-point\"\nlaw = {{ type = \"hunt-crossley\", stiffness = 1e7, "
          "exponent = 3.3, mu = 100 }}\n",
          i);
    t += fmt::format(
        "[[plectrum]]\nname = \"p{0}\"\ntarget = \"s{0}\"\nposition_m = 0.54\naway_m = 0.01\nscheme = "
        "\"two-point\"\nlaw = {{ type = \"hunt-crossley\", stiffness = 5e4, exponent = 1.5, mu = 1 }}\n[[pickup]]\nof "
        "= "
        "\"s{0}\"\nposition_m = 0.6\nquantity = \"velocity\"\n",
        i);
  }
  for (const double start_s : {0.02, 0.5})
    for (int i = 0; i < 6; ++i)
      t += fmt::format("[[event]]\ntime_s = {}\ndo = \"pluck\"\ntarget = \"p{}\"\ndepth_m = 3e-3\nduration_s = 0.02\n",
                       start_s + 0.02 * i, i);
  return t;
}

/// Three strings of 60 Hz under one hammer, with a rattle and a rubber each; with a barrier along each string.
inline std::string prepared_strings(bool barrier) {
  const std::string felt =
      "scheme = \"two-point\"\nlaw = { type = \"hunt-crossley\", stiffness = 5e7, exponent = 2.5, mu = 0.1 }\n";
  std::string t = work_head(44100, 2);
  for (int i = 0; i < 3; ++i) {
    const double speed = 120 * std::pow(2, (5.0 * i - 5) / 1200);
    t += fmt::format(
        "[[string]]\nname = \"s{0}\"\nlength_m = 1\ntension_N = {1}\ndensity_kg_m = 0.01\nbending_N_m2 = "
        "0.01\nsigma0_1_s = 1.15\nsigma1_m2_s = 1e-3\n[[rattle]]\nname = \"r{0}\"\ntarget = \"s{0}\"\nposition_m = "
        "0.6\nmass_kg = 1e-3\ngap_m = 1e-3\nlaw = {{ type = \"power\", stiffness = 1e4, exponent = 1 }}\n"
        "[[rubber]]\nname = \"u{0}\"\ntarget = \"s{0}\"\nposition_m = 0.7\nstiffness_N_m = 50\ndamping_N_s_m = 0.05\n"
        "[[pickup]]\nof = \"s{0}\"\nposition_m = 0.33\nquantity = \"velocity\"\n"
        "[[pickup]]\nof = \"s{0}\"\nposition_m = 0.71\nquantity = \"velocity\"\n",
        i, 0.01 * speed * speed);
    if (barrier)
      t += fmt::format(
          "[[barrier]]\nname = \"b{0}\"\nstring = \"s{0}\"\nshape = \"flat\"\nheight_m = -2e-3\nlaw = {{ type = "
          "\"hunt-crossley\", stiffness_per_m = 1e8, exponent = 1.3, mu = 1 }}\n",
          i);
    if (i != 1) t += fmt::format("[[contact]]\nbodies = [\"h\", \"s{}\"]\nposition_m = 0.09\n{}", i, felt);
  }
  t += "[[hammer]]\nname = \"h\"\ntarget = \"s1\"\nposition_m = 0.09\nmass_kg = 5e-3\n" + felt;
  for (const double start_s : {0.01, 1.0})
    t += fmt::format("[[event]]\ntime_s = {}\ndo = \"strike\"\ntarget = \"h\"\nvelocity_m_s = 3\n", start_s);
  return t;
}

inline std::string soundboard(int modes) {
  return fmt::format(
      "[[plate]]\nname = \"board\"\nwidth_m = 1.3\nheight_m = 0.9\nthickness_m = 0.011\ndensity_kg_m3 = 400\nyoung_Pa "
      "= "
      "6e9\ndecay_s = [0.8, 0.15]\ndecay_hz = [80, 4000]\nmodes = {}\n[[pickup]]\nof = \"board\"\nquantity = "
      "\"acceleration\"\nat = [0.4, 0.35]\n",
      modes);
}
inline std::string piano_string(const std::string& name, double length_m, double tension_N, double at) {
  return fmt::format(
      "[[string]]\nname = \"{0}\"\nlength_m = {1}\ntension_N = {2}\ndensity_kg_m = 6.34e-3\nbending_N_m2 = "
      "9.8e-3\ndecay_s = [20.0, 0.5]\ndecay_hz = [260, 4000]\n[[connection]]\nbodies = [\"{0}\", \"board\"]\nlower_at "
      "= "
      "{3}\nupper_at = [{4}, 0.25]\nstiffness_N_m = 5e5\ndamping_N_s_m = 2\n",
      name, length_m, tension_N, 0.94 * length_m, at);
}
inline const std::string hammer_felt =
    "scheme = \"two-point\"\nlaw = { type = \"hunt-crossley\", stiffness = 4.5e9, exponent = 2.5, mu = 0.1 }\n";

/// So many keys of three strings each over three octaves, all struck twice.
inline std::string piano_keys(int keys) {
  std::string t = work_head(48000, 1) + soundboard(180);
  for (int i = 0; i < keys; ++i) {
    const double f = std::pow(2, i * 36 / keys / 12.0), length = 0.66 / std::pow(f, 0.85), at = 0.1127 * length;
    for (int j = 0; j < 3; ++j) {
      t += piano_string(fmt::format("s{}-{}", i, j), length, (669.5 + 0.5 * j) * std::pow(f, 0.3),
                        0.2 + 0.9 * (3 * i + j) / (3 * keys));
      if (j != 1)
        t +=
            fmt::format("[[contact]]\nbodies = [\"h{0}\", \"s{0}-{1}\"]\nposition_m = {2}\n{3}", i, j, at, hammer_felt);
    }
    t += fmt::format("[[hammer]]\nname = \"h{0}\"\ntarget = \"s{0}-1\"\nposition_m = {1}\nmass_kg = 8.9e-3\n{2}", i, at,
                     hammer_felt);
    for (const double start_s : {0.01, 0.5})
      t += fmt::format("[[event]]\ntime_s = {}\ndo = \"strike\"\ntarget = \"h{}\"\nvelocity_m_s = 2\n",
                       start_s + 0.02 * i / keys, i);
  }
  return t;
}

/// Sixty notes of one string each on one board of 200 modes, all sounding.
inline std::string sixty_notes() {
  std::string t = work_head(48000, 1) + soundboard(200);
  for (int i = 0; i < 60; ++i) {
    const double f = std::pow(2, (i - 20) / 12.0), length = std::min(0.66 / std::pow(f, 0.85), 1.2),
                 speed = 2 * 260 * f * length;
    t += piano_string(fmt::format("s{}", i), length, 6.34e-3 * speed * speed, 0.2 + 0.9 * i / 60);
    t += fmt::format(
        "[[hammer]]\nname = \"h{0}\"\ntarget = \"s{0}\"\nposition_m = {1}\nmass_kg = 3e-3\n{2}[[event]]\ntime_s = "
        "{3}\ndo = \"strike\"\ntarget = \"h{0}\"\nvelocity_m_s = 2\n",
        i, 0.1127 * length, hammer_felt, 0.01 + 0.05 * i / 60);
  }
  return t;
}

/// Loose masses on a plate of 200 modes that is struck.
inline std::string rattles(int count) {
  std::string t = work_head(48000, 0.5) + soundboard(200);
  for (int i = 0; i < count; ++i)
    t += fmt::format(
        "[[mass]]\nname = \"m{0}\"\nmass_kg = 1e-3\nposition_m = {1}\nload_N = -9.81e-3\n[[contact]]\nbodies = "
        "[\"board\", \"m{0}\"]\nlower_at = [{2}, {3}]\nscheme = \"two-point\"\nlaw = {{ type = \"hunt-crossley\", "
        "stiffness = 1e6, exponent = 1.5, mu = 0.3 }}\n",
        i, 1e-5 * (1 + i % 7), 0.1 + 1.1 * std::fmod(i * 0.618034, 1), 0.1 + 0.7 * std::fmod(i * 0.754878, 1));
  return t +
         "[[hammer]]\nname = \"h\"\ntarget = \"board\"\nat = [0.3, 0.4]\nmass_kg = 0.02\nscheme = \"two-point\"\nlaw = "
         "{ "
         "type = \"hunt-crossley\", stiffness = 1e6, exponent = 1.5, mu = 0.1 }\n[[event]]\ntime_s = 0.01\ndo = "
         "\"strike\"\ntarget = \"h\"\nvelocity_m_s = 3\n";
}

/// A mass pressed against a wall, or far from it.
inline std::string mass_and_wall(bool touching) {
  return work_head(44100, 2) +
         fmt::format(
             "[[mass]]\nname = \"m\"\nmass_kg = 0.01\nposition_m = {}\nload_N = {}\n[[contact]]\nbodies = [\"wall\", "
             "\"m\"]\nlaw = {{ type = \"hunt-crossley\", stiffness = 1e7, exponent = 1.5, mu = 0.6 }}\n[[pickup]]\nof "
             "= "
             "\"m\"\nquantity = \"velocity\"\n",
             touching ? 1e-3 : 100, touching ? -5 : -0.01);
}

struct NamedWork {
  std::string name, text;
  double must_ns, reach_ns;  ///< per frame on a Neoverse-N1
};
inline std::vector<NamedWork> all_works() {
  constexpr double second_ns = 1e9 / 48000;  // of CPU time per frame where a second of sound takes one
  std::vector<NamedWork> list{{"guitar, frets and board", guitar(false), 0.4 * second_ns, 0.25 * second_ns},
                              {"guitar, and six fingers", guitar(true), second_ns, 0.5 * second_ns},
                              {"prepared strings", prepared_strings(false), 1200, 800},
                              {"prepared strings on barriers", prepared_strings(true), 2500, 1500},
                              {"mass on a wall", mass_and_wall(true), 120, 70},
                              {"mass in flight", mass_and_wall(false), 20, 10}};
  struct Keys {
    int keys;
    double must_ns, reach_ns;
  };
  for (const Keys& k : {Keys{1, 1700, 1200}, {4, 4000, 2500}, {8, 7000, 4500}, {16, 13000, 8500}, {32, 26000, 17000}})
    list.push_back({fmt::format("piano keys, {}", k.keys), piano_keys(k.keys), k.must_ns, k.reach_ns});
  list.push_back({"sixty notes on a board", sixty_notes(), second_ns, 0.5 * second_ns});
  list.push_back({"rattles, 32", rattles(32), 8000, 5000});
  list.push_back({"rattles, 256", rattles(256), 60000, 40000});
  return list;
}

}  // namespace jawari::bench
