// SPDX-License-Identifier: MIT
#include "mutate.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "dice.h"
#include "jawari/engine/run.h"
#include "jawari/io/midi_file.h"
#include "jawari/io/scene_file.h"

namespace jawari::attack {
namespace {

const std::string& folder() {
  static const std::string path = std::string(JAWARI_SOURCE_DIR) + "/scenes";
  return path;
}

/// The shipped files of an ending, by name.
const std::vector<std::string>& shipped(const std::string& ending) {
  static std::vector<std::string> scenes, scores;
  auto& list = ending == ".mid" ? scores : scenes;
  if (!list.empty()) return list;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder()))
    if (entry.path().extension() == ending) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    list.push_back(text.str());
  }
  return list;
}

std::size_t place(Dice& d, std::size_t size) { return size == 0 ? 0 : static_cast<std::size_t>(d.next() % size); }

/// Words, numbers, strings, signs, line ends: each its own piece.
std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> list;
  const auto word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-' || c == '+';
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (word(text[at]))
      while (end < text.size() && word(text[end])) ++end;
    list.push_back(text.substr(at, end - at));
    at = end;
  }
  return list;
}
std::string together(const std::vector<std::string>& list) {
  std::string text;
  for (const auto& piece : list) text += piece;
  return text;
}

constexpr std::string_view strange[] = {"0",
                                        "-0.0",
                                        "1",
                                        "-1",
                                        "1e308",
                                        "-1e308",
                                        "1e-308",
                                        "5e-324",
                                        "1e400",
                                        "nan",
                                        "-nan",
                                        "inf",
                                        "-inf",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "18446744073709551616",
                                        "0x7fffffff",
                                        "4294967296",
                                        "2147483648",
                                        "1e25",
                                        "1e9",
                                        "1e-9",
                                        "0.1",
                                        "true",
                                        "false",
                                        "\"\"",
                                        "\"wall\"",
                                        "\"string\"",
                                        "[]",
                                        "{}",
                                        "[[1, 2], [3]]",
                                        "[1, \"a\"]",
                                        "{ type = \"power\" }",
                                        "1979-05-27",
                                        "07:32:00",
                                        "''",
                                        "\"\"\"a\nb\"\"\"",
                                        "\"\\u0000\"",
                                        "\"\\u001b[31m\"",
                                        "[nan]",
                                        "[1e308, 1e308]",
                                        "100000",
                                        "1000000"};

bool numeric(const std::string& piece) {
  return std::isdigit(static_cast<unsigned char>(piece[0])) ||
         (piece.size() > 1 && piece[0] == '-' && std::isdigit(static_cast<unsigned char>(piece[1])));
}

/// One of three changes that any list can take: two swapped, one twice, one less.
template <class List>
void rearrange(List& list, int how, std::size_t a, std::size_t b) {
  const auto at = list.begin() + static_cast<std::ptrdiff_t>(a);
  if (how == 0) std::swap(list[a], list[b]);
  if (how == 1) list.insert(at, typename List::value_type(list[b]));
  if (how == 2) list.erase(at);
}

void change_pieces(Dice& d, std::string& text) {
  auto list = pieces(text);
  if (list.empty()) return;
  const auto a = place(d, list.size()), b = place(d, list.size());
  const int how = static_cast<int>(d.upto(6));
  switch (how) {
    case 0:
    case 1:
    case 2:
      rearrange(list, how, a, b);
      break;
    case 3:
      list[a] = std::string(d.word(strange));
      break;
    default:
      for (std::size_t tries = 0, i = a; tries < list.size(); ++tries, i = (i + 1) % list.size())
        if (numeric(list[i])) {
          list[i] = d.percent(50) ? std::string(d.word(strange)) : (d.percent(20) ? "-" : "") + d.decades(1e-12, 1e12);
          break;
        }
  }
  text = together(list);
}

void change_lines(Dice& d, std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line + "\n");
  if (lines.empty()) return;
  const auto a = place(d, lines.size()), b = place(d, lines.size());
  const int how = static_cast<int>(d.upto(4));
  switch (how) {
    case 0:
    case 1:
    case 2:
      rearrange(lines, how, a, b);
      break;
    default: {
      const auto& scenes = shipped(".toml");
      std::istringstream other(scenes[place(d, scenes.size())]);
      std::vector<std::string> theirs;
      for (std::string line; std::getline(other, line);) theirs.push_back(line + "\n");
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(a), theirs[place(d, theirs.size())]);
    }
  }
  text = together(lines);
}

void change_bytes(Dice& d, std::string& text) {
  if (text.empty()) return;
  const auto a = place(d, text.size());
  const auto length =
      std::min(text.size() - a, static_cast<std::size_t>(d.percent(80) ? d.between(1, 8) : d.between(1, 400)));
  switch (d.upto(5)) {
    case 0:
      text[a] = static_cast<char>(d.upto(256));
      break;
    case 1:
      text[a] = static_cast<char>(text[a] ^ (1 << d.upto(8)));
      break;
    case 2:
      text.erase(a, length);
      break;
    case 3:
      text.insert(place(d, text.size()), text.substr(a, length));
      break;
    default:
      text.insert(a, 1, static_cast<char>(d.percent(50) ? 0xff : d.upto(256)));
  }
}

std::string big_endian(std::uint64_t x, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>((x >> (8 * i)) & 0xff);
  return text;
}
std::string variable_length(Dice& d, std::uint64_t most) {
  const std::uint64_t x = d.percent(70) ? d.next() % 100 : d.next() % (most + 1);
  std::string text(1, static_cast<char>(x & 0x7f));
  for (std::uint64_t rest = x >> 7; rest > 0; rest >>= 7)
    text.insert(text.begin(), static_cast<char>((rest & 0x7f) | 0x80));
  return text;
}

/// A MIDI file of random events, most of them whole: running status, system exclusive, escapes, meta events, long
/// times.
std::string drawn_midi(Dice& d) {
  const int tracks = d.between(1, 3);
  std::string file = "MThd" + big_endian(6, 4) +
                     big_endian(d.percent(97) ? static_cast<std::uint64_t>(tracks > 1) : 2, 2) +
                     big_endian(static_cast<std::uint64_t>(tracks), 2) +
                     big_endian(d.percent(80) ? static_cast<std::uint64_t>(d.between(1, 960)) : d.next() & 0xffff, 2);
  for (int t = 0; t < tracks; ++t) {
    std::string track;
    const auto data = [&] { return static_cast<char>(d.upto(d.upto(500) > 0 ? 128 : 256)); };
    int status = 0;
    for (int n = d.upto(30); n > 0; --n) {
      track += variable_length(d, d.percent(95) ? 20000 : 0x0fffffff);
      const int kind = d.upto(100);
      if (kind < 70) {
        if (status == 0 || d.percent(50)) {
          status = 0x80 + d.upto(0x70);
          track += static_cast<char>(status);
        }
        track += data();
        if (status < 0xc0 || status >= 0xe0) track += data();
      } else if (kind < 80) {  // system exclusive, or an escape
        track += static_cast<char>(d.percent(50) ? 0xf0 : 0xf7);
        const int length = d.upto(6);
        track += static_cast<char>(length);
        for (int i = 0; i < length; ++i) track += static_cast<char>(d.upto(256));
      } else if (kind < 99 || d.percent(70)) {
        track += '\xff';
        const int type = d.percent(50) ? 0x51 : d.upto(128), length = type == 0x51 && d.percent(98) ? 3 : d.upto(6);
        track += static_cast<char>(type);
        track += static_cast<char>(length);
        for (int i = 0; i < length; ++i) track += static_cast<char>(d.upto(256));
      } else {
        track += static_cast<char>(0xf1 + d.upto(15));
      }
    }
    if (d.percent(90)) track += std::string("\x00\xff\x2f\x00", 4);
    const std::uint64_t length =
        d.percent(95) ? track.size() : track.size() + static_cast<std::uint64_t>(d.between(-3, 3));
    file += "MTrk" + big_endian(length, 4) + track;
  }
  return file;
}

/// Anything but an input error with a sentence is a fault.
template <class Try>
Verdict guarded(Try&& attempt) {
  Verdict v;
  const double start = thread_cpu_s();
  try {
    attempt(v);
  } catch (const InputError& r) {
    v.fault = r.what()[0] != 0 ? Fault::refused : Fault::exception;
    v.detail = r.what();
  } catch (const std::exception& e) {
    v.fault = Fault::exception;
    v.detail = e.what();
  } catch (...) {
    v.fault = Fault::exception;
    v.detail = "not a std::exception";
  }
  v.cpu_s = thread_cpu_s() - start;
  return v;
}

constexpr const char* instrument = R"(
[[string]]
name = "s"
length_m = 0.65
frequency_hz = 262
radius_m = 2e-4
method = "modes"
modes = 4
[[hammer]]
name = "h"
target = "s"
position_m = 0.1
mass_kg = 0.003
law = { type = "power", stiffness = 1e8, exponent = 2.3 }
[voice]
string = "s"
strike = "h"
voices = 2
soft = 0.5
loud = 4
)";

}  // namespace

std::string mutant_scene(std::uint64_t seed) {
  Dice d(seed);
  const auto& scenes = shipped(".toml");
  std::string text = scenes[place(d, scenes.size())];
  for (int i = d.percent(50) ? 1 : d.between(1, 8); i > 0; --i) {
    const int kind = d.upto(10);
    if (kind < 5)
      change_pieces(d, text);
    else if (kind < 8)
      change_lines(d, text);
    else
      change_bytes(d, text);
  }
  return text;
}

std::string mutant_midi(std::uint64_t seed) {
  Dice d(seed);
  const auto& scores = shipped(".mid");
  const bool drawn = d.percent(60);
  std::string bytes = drawn ? drawn_midi(d) : scores[place(d, scores.size())];
  if (drawn && d.percent(50)) return bytes;
  if (d.percent(20)) bytes.resize(std::min<std::size_t>(bytes.size(), static_cast<std::size_t>(d.between(0, 600))));
  for (int i = d.percent(60) ? 1 : d.between(1, 12); i > 0; --i) {
    change_bytes(d, bytes);
    if (d.percent(20) && bytes.size() > 30) {  // near the heads, where lengths and formats are
      static constexpr char hard[] = {'\xff', '\xf7', '\xf0', '\x00', '\x7f', '\x80', '\x51', '\x2f', '\x90', '\xe0'};
      bytes[place(d, d.percent(50) ? 30 : bytes.size())] = hard[d.next() % sizeof hard];
    }
  }
  return bytes;
}

Verdict judge_text(const std::string& text, std::uint64_t seed) {
  return guarded([&](Verdict& v) {
    SceneFile file = parse_scene(text, "mutant", folder());
    file.scene.limits = {.memory_MB = 20, .setup_s = 0.02};
    const auto system = compile(file, seed % 2 ? Kernels::exact : Kernels::off);
    const long steps = std::min<long>(static_cast<long>(step_count(file.scene)), 48);
    std::vector<std::vector<double>> tracks(system->pickup_count(),
                                            std::vector<double>(static_cast<std::size_t>(steps)));
    std::vector<double*> at;
    for (auto& t : tracks) at.push_back(t.data());
    system->play(steps, at.data());
    if (system->failed()) return;
    for (const auto& t : tracks)
      for (const double x : t)
        if (!std::isfinite(x)) {
          v.fault = Fault::not_finite;
          v.detail = "a sample, and the motion has not failed";
        }
  });
}

Verdict judge_midi(const std::string& bytes, std::uint64_t) {
  static const SceneFile voice = parse_scene(instrument, "instrument");
  return guarded([&](Verdict& v) {
    auto score = parse_midi(bytes, "mutant");
    for (const auto& e : score)
      if (!std::isfinite(e.time_s) || !std::isfinite(e.key) || !std::isfinite(e.value)) {
        v.fault = Fault::not_finite;
        v.detail = "an event of the score";
      }
    // Where voices are stolen, the score is played along to find the quietest: half a second from its first note on.
    double first_s = 1e300;
    for (const auto& e : score)
      if (e.kind == ScoreEvent::note_on) first_s = std::min(first_s, e.time_s);
    for (auto& e : score) e.time_s = std::max(e.time_s - first_s, 0.0);
    std::erase_if(score, [](const ScoreEvent& e) { return e.time_s > 0.5; });
    const Scene scene = perform(voice.scene, voice.scene.voices[0], score);
    if (!std::isfinite(scene.duration_s)) {
      v.fault = Fault::not_finite;
      v.detail = "the length of the score";
    }
  });
}

}  // namespace jawari::attack
