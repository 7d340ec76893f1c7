// SPDX-License-Identifier: MIT
// Names and frequencies of notes.
#include <fmt/format.h>

#include <cmath>

#include "jawari/core/elementary.h"
#include "jawari/engine/voice_scene.h"

namespace jawari {
namespace {

constexpr std::string_view key_names[] = {"C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"};

}  // namespace

double frequency_of_key(double key) noexcept { return 440 * elementary::exp2((key - 69) / 12); }

std::string name_of_key(double key) {
  const std::int64_t whole = std::llround(std::floor(key + 0.5)),
                     octave = static_cast<std::int64_t>(std::floor(static_cast<double>(whole) / 12)) - 1;
  const double rest = key - static_cast<double>(whole);
  const auto name = fmt::format("{}{}", key_names[((whole % 12) + 12) % 12], octave);
  return rest == 0 ? name : fmt::format("{}{:+.0f}", name, 100 * rest);
}

std::optional<double> key_of_name(std::string_view name) {
  static constexpr std::string_view letters = "C D EF G A B";
  if (name.empty()) return std::nullopt;
  const auto letter = letters.find(name[0]);
  if (letter == std::string_view::npos || name[0] == ' ') return std::nullopt;
  double key = static_cast<double>(letter);
  std::size_t at = 1;
  for (; at < name.size() && (name[at] == '#' || name[at] == 'b'); ++at) key += name[at] == '#' ? 1 : -1;
  const bool below = at < name.size() && name[at] == '-';
  at += below;
  if (at + 1 != name.size() || name[at] < '0' || name[at] > '9') return std::nullopt;
  const double octave = (below ? -1 : 1) * (name[at] - '0');
  return key + 12 * (octave + 1);
}

}  // namespace jawari
