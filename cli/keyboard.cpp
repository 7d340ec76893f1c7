// SPDX-License-Identifier: MIT
#include "keyboard.h"

#include <algorithm>
#include <string_view>

namespace jawari::cli {
namespace {

constexpr std::string_view lower = "zsxdcvgbhnjm,l.;/", upper = "q2w3er5t6y7ui9o0p";
constexpr int lowest = 48, highest_octave = 4;
constexpr double velocity = 0.7;

NoteEvent note(NoteEvent::Type type, int key, double value) {
  NoteEvent e;
  e.type = type;
  e.key = key;
  e.value = value;
  return e;
}

}  // namespace

std::optional<NoteEvent> Keyboard::press(char character, Clock::time_point now) {
  if (character == '<' || character == '>') {
    octave_ = std::clamp(octave_ + (character == '>' ? 1 : -1), -highest_octave, highest_octave);
    return std::nullopt;
  }
  if (character == ' ') {
    down_.clear();
    NoteEvent e = note(NoteEvent::notes_off, -1, 0);
    e.channel = -1;
    return e;
  }
  const auto low = lower.find(character);
  const auto high = upper.find(character);
  if (character == 0 || (low == std::string_view::npos && high == std::string_view::npos)) return std::nullopt;
  const std::size_t place = low != std::string_view::npos ? low : 12 + high;
  const int key = lowest + static_cast<int>(place) + 12 * octave_;
  if (key < 0 || key > 127) return std::nullopt;
  const auto at = std::find_if(down_.begin(), down_.end(), [&](const Down& d) { return d.key == key; });
  if (at != down_.end()) {  // it repeats while it is held
    at->until = now + held;
    return std::nullopt;
  }
  down_.push_back({key, now + held});
  return note(NoteEvent::note_on, key, velocity);
}

std::vector<NoteEvent> Keyboard::release(Clock::time_point now) {
  std::vector<NoteEvent> ended;
  std::erase_if(down_, [&](const Down& d) {
    if (d.until > now) return false;
    ended.push_back(note(NoteEvent::note_off, d.key, 0.5));
    return true;
  });
  return ended;
}

}  // namespace jawari::cli
