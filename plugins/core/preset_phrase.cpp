// SPDX-License-Identifier: MIT
#include "preset_phrase.h"

#include <algorithm>
#include <cmath>

namespace jawari::plugin {
namespace {

constexpr int notes = 12;
constexpr double apart_s = 0.25, long_s = 0.4, whole_s = 4;
constexpr std::size_t block = 64;

struct Keys {
  double lowest = 127, highest = 0;
  double at(double share) const { return std::nearbyint(lowest + (highest - lowest) * share); }
};
Keys keys_of(const Instrument& instrument) {
  Keys keys;
  for (const VoiceSet& set : instrument.voiced().sets) {
    keys.lowest = std::min(keys.lowest, set.spec.lowest);
    keys.highest = std::max(keys.highest, set.spec.highest);
  }
  return keys;
}
NoteEvent note(NoteEvent::Type type, double time_s, double rate_hz, double key, double value) {
  NoteEvent e;
  e.frame = static_cast<std::uint32_t>(std::llround(time_s * rate_hz));
  e.type = type;
  e.key = key;
  e.value = value;
  return e;
}

}  // namespace

std::vector<NoteEvent> phrase(const Instrument& instrument) {
  const Keys keys = keys_of(instrument);
  std::vector<NoteEvent> events;
  for (int i = 0; i < notes; ++i) {
    const double key = keys.at(0.15 + 0.7 * (i * 5 % notes) / (notes - 1));
    const double velocity = 0.45 + 0.4 * (i * 7 % notes) / (notes - 1);
    const double time_s = apart_s * i;
    events.push_back(note(NoteEvent::note_on, time_s, instrument.rate_hz(), key, velocity));
    events.push_back(note(NoteEvent::note_off, time_s + long_s, instrument.rate_hz(), key, 0.5));
  }
  std::stable_sort(events.begin(), events.end(), [](auto& a, auto& b) { return a.frame < b.frame; });
  return events;
}

std::vector<NoteEvent> chord(const Instrument& instrument, double velocity) {
  const Keys keys = keys_of(instrument);
  std::vector<NoteEvent> events;
  for (const double share : {0.3, 0.5, 0.7}) events.push_back(note(NoteEvent::note_on, 0, 1, keys.at(share), velocity));
  return events;
}

PhraseSound play_phrase(Instrument& instrument, const std::function<void(const std::function<void()>&)>& around) {
  const auto frames = static_cast<std::size_t>(whole_s * instrument.rate_hz());
  PhraseSound s{std::vector<std::vector<double>>(2, std::vector<double>(frames))};
  const std::vector<NoteEvent> all = phrase(instrument);
  std::vector<NoteEvent> events;
  std::size_t next = 0;
  for (std::size_t at = 0; at < frames; at += block) {
    const std::size_t n = std::min(block, frames - at);
    events.clear();
    for (; next < all.size() && all[next].frame < at + n; ++next) {
      events.push_back(all[next]);
      events.back().frame -= static_cast<std::uint32_t>(at);
    }
    double* out[] = {&s.channels[0][at], &s.channels[1][at]};
    const auto play = [&] { instrument.process(out, n, events); };
    if (around)
      around(play);
    else
      play();
    instrument.clear_ended();
  }
  return s;
}

}  // namespace jawari::plugin
