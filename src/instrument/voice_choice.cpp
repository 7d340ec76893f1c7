// SPDX-License-Identifier: MIT
#include "voice_choice.h"

#include <algorithm>

namespace jawari {
namespace {

/// Below this share of the loudest voice a voice has faded: 90 dB.
constexpr double faded = 1e-9;

}  // namespace

VoiceChoice::Chosen VoiceChoice::choose(const SetWiring& set, const NoteEvent& note) noexcept {
  if (set.per_key) return {nearest_key(set, note.key)};
  for (std::size_t i = set.first; i < set.last; ++i) {  // the same key again: its own voice is struck again
    const Voice& v = voices_[i];
    if (v.used && v.key == note.key && v.channel == note.channel && !v.cut && v.starts < 0 &&
        (!v.down || (note.note_id < 0 && v.note_id < 0)))
      return {i};
  }
  return steal(set.first, set.last);
}

std::size_t VoiceChoice::nearest_key(const SetWiring& set, double key) const noexcept {
  const auto* first = wiring_.voices.data() + set.first;
  const auto* last = wiring_.voices.data() + set.last;
  const auto* at = std::lower_bound(first, last, key, [](const VoiceWiring& w, double k) { return w.key < k; });
  if (at == last || (at != first && key - (at - 1)->key < at->key - key)) --at;
  return set.first + static_cast<std::size_t>(at - first);
}

/// One that is free or has faded; else the quietest of those released; else the oldest on the pedal; else the oldest.
VoiceChoice::Chosen VoiceChoice::steal(std::size_t first, std::size_t last) noexcept {
  for (std::size_t i = first; i < last; ++i)
    if (!voices_[i].used) return {i};
  for (std::size_t i = first; i < last; ++i) loudest_J_ = std::max(loudest_J_, energy_J(wiring_.voices[i], output_));
  std::size_t best = first;
  int best_rank = 5;
  double best_J = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Voice& v = voices_[i];
    const double energy = energy_J(wiring_.voices[i], output_);
    const bool released = v.starts < 0 && !v.down;
    int rank = v.down || v.starts >= 0 ? 4 : follows_channel(v, channels_) ? 3 : 2;
    if (released && energy <= faded * loudest_J_) rank = 1;
    const bool better = rank != best_rank ? rank < best_rank
                        : rank == 2       ? energy < best_J || (energy == best_J && v.since < voices_[best].since)
                                          : v.since < voices_[best].since;
    if (!better) continue;
    best = i;
    best_rank = rank;
    best_J = energy;
  }
  return {best, best_rank > 1 && wiring_.voices[best].damp != no_index};
}

}  // namespace jawari
