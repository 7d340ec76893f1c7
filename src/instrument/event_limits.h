// SPDX-License-Identifier: MIT
// Where the values of events lie.
#pragma once
#include <algorithm>
#include <cmath>

#include "jawari/instrument/note_event.h"
#include "midi_channels.h"

namespace jawari {

struct EventRange {
  double least, most;
};
constexpr EventRange range_of(NoteEvent::Type type) noexcept {
  switch (type) {
    case NoteEvent::tuning:
      return {-120, 120};
    case NoteEvent::volume:
      return {0, 4};
    case NoteEvent::bend:
      return {-1, 1};
    case NoteEvent::bend_range:
      return {0, 96};
    case NoteEvent::mpe_zone:
      return {0, 15};
    case NoteEvent::control:
    case NoteEvent::modulation:
      return {-1e300, 1e300};
    default:
      return {0, 1};
  }
}

/// Brings the value into its range.  False: the event makes no sense.
inline bool limit(NoteEvent& e) noexcept {
  const bool sense = e.type < NoteEvent::types && e.channel >= -1 && e.channel < MidiChannels::count &&
                     std::isfinite(e.value) && std::isfinite(e.key) && e.key <= 127 && (e.key >= 0 || e.key == -1);
  if (!sense) return false;
  const EventRange range = range_of(e.type);
  e.value = std::clamp(e.value, range.least, range.most);
  return true;
}

}  // namespace jawari
