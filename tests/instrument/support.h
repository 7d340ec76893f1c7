// SPDX-License-Identifier: MIT
// Instruments that are quick to build, and ways to play them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "jawari/instrument.h"
#include "jawari/io/scene_file.h"

namespace jawari::test {

inline std::string struck_text(const std::string& voice) {
  return "duration_s = 1\nrate_hz = 48000\n"
         "[[string]]\nname = \"s\"\nlength_m = 0.62\nfrequency_hz = 261.626\ndensity_kg_m = 6.34e-3\n"
         "bending_N_m2 = 9.8e-3\ndecay_s = [4.0, 0.5]\ndecay_hz = [262, 4000]\nmethod = \"modes\"\nbandwidth = 0.3\n"
         "[[hammer]]\nname = \"hammer\"\ntarget = \"s\"\nposition_m = 0.0744\nmass_kg = 2.97e-3\n"
         "law = { type = \"hunt-crossley\", stiffness = 4.5e9, exponent = 2.5, mu = 0.1 }\n"
         "[[bolt]]\nname = \"bolt\"\ntarget = \"s\"\nposition_m = 0.205\nmass_kg = 1.5e-3\nstiffness_N_m = 2e5\n"
         "damping_N_s_m = 0.15\n"
         "[voice]\nstring = \"s\"\nstrike = \"hammer\"\nsoft = 0.6\nloud = 4.5\ndamping_1_s = 18\nspread = 0.6\n" +
         voice;
}
inline std::string plucked_text(const std::string& voice) {
  return "duration_s = 1\nrate_hz = 48000\n"
         "[[string]]\nname = \"s\"\nlength_m = 0.65\nfrequency_hz = 110.0\nradius_m = 0.0004\n"
         "decay_s = [3.0, 1.0]\ndecay_hz = [110.0, 2000.0]\n"
         "[[plectrum]]\nname = \"pick\"\ntarget = \"s\"\nposition_m = 0.13\n"
         "law = { type = \"hunt-crossley\", stiffness = 1e6, exponent = 1.3, mu = 0.5 }\n"
         "[[barrier]]\nname = \"bridge\"\nstring = \"s\"\nshape = \"parabola\"\nheight_m = -1e-4\ncentre_m = 0.0\n"
         "curvature_1_m = 0.5\nto_m = 0.03\nlaw = { type = \"power\", stiffness_per_m = 1e10, exponent = 1.5 }\n"
         "[voice]\nstring = \"s\"\npluck = \"pick\"\nlowest = \"A2\"\nhighest = \"E5\"\nsoft = 0.0005\nloud = 0.003\n"
         "pressure = { target = \"bridge\", parameter = \"height_m\", from = -1e-4, to = 1e-4 }\n" +
         voice;
}
inline Scene struck(const std::string& voice = "voices = 4\n") {
  return parse_scene(struck_text(voice), "struck").scene;
}
inline Scene plucked(const std::string& voice = "voices = 3\n") {
  return parse_scene(plucked_text(voice), "plucked").scene;
}

struct Sound {
  std::vector<double> left, right;
  bool operator==(const Sound& o) const {  // as bits
    return left.size() == o.left.size() && std::memcmp(left.data(), o.left.data(), left.size() * sizeof(double)) == 0 &&
           std::memcmp(right.data(), o.right.data(), right.size() * sizeof(double)) == 0;
  }
  double peak(std::size_t from = 0, std::size_t to = ~std::size_t(0)) const {
    double most = 0;
    for (std::size_t i = from; i < std::min(to, left.size()); ++i)
      most = std::max({most, std::abs(left[i]), std::abs(right[i])});
    return most;
  }
};

/// A score: frames count from the start, in any blocks.
inline Sound play_blocks(Instrument& instrument, const std::vector<NoteEvent>& score, std::size_t frames,
                         auto&& next_block) {
  Sound s{std::vector<double>(frames), std::vector<double>(frames)};
  std::vector<NoteEvent> block;
  std::size_t next = 0;
  for (std::size_t at = 0; at < frames;) {
    const std::size_t n = std::min<std::size_t>(next_block(), frames - at);
    block.clear();
    for (; next < score.size() && score[next].frame < at + n; ++next) {
      block.push_back(score[next]);
      block.back().frame -= static_cast<std::uint32_t>(at);
    }
    double* out[] = {&s.left[at], &s.right[at]};
    instrument.process(out, n, block);
    at += n;
  }
  return s;
}
inline Sound play(Instrument& instrument, const std::vector<NoteEvent>& score, std::size_t frames,
                  std::size_t block = 64) {
  return play_blocks(instrument, score, frames, [&] { return block; });
}

inline NoteEvent on(std::uint32_t frame, double key, double velocity = 0.7, int channel = 0, int id = -1) {
  return {frame, NoteEvent::note_on, static_cast<std::int8_t>(channel), 0, id, key, velocity};
}
inline NoteEvent off(std::uint32_t frame, double key, int channel = 0, int id = -1) {
  return {frame, NoteEvent::note_off, static_cast<std::int8_t>(channel), 0, id, key, 0.5};
}
inline NoteEvent say(std::uint32_t frame, NoteEvent::Type type, double value, int channel = 0, double key = -1,
                     int id = -1) {
  return {frame, type, static_cast<std::int8_t>(channel), 0, id, key, value};
}

/// What the accounts are off by, over the largest energy of the run.
inline double imbalance(const Instrument& instrument) {
  const Ledger& l = instrument.engine().world().ledger();
  return l.worst_residual_J / l.largest_J;
}

}  // namespace jawari::test
