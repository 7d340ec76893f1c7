// SPDX-License-Identifier: MIT
// What is said of whole channels, and expressions of notes.
#include <algorithm>
#include <cmath>
#include <utility>

#include "player.h"

namespace jawari {

void Player::express(const NoteEvent& e) noexcept {
  const bool whole_channel = e.key < 0 && e.note_id < 0;
  if (whole_channel && e.type != NoteEvent::tuning) {
    for (int c = 0; c < MidiChannels::count; ++c) {
      if (e.channel >= 0 && !channels_.hears(c, e.channel)) continue;
      auto& channel = channels_[c];
      const bool own = e.channel < 0 || c == e.channel;
      if (e.type == NoteEvent::pressure) channel.pressure = e.value;
      if (e.type == NoteEvent::timbre) channel.timbre = e.value;
      if (e.type == NoteEvent::vibrato) channel.vibrato = e.value;
      if (e.type == NoteEvent::pan) channel.pan = e.value;
      if (e.type == NoteEvent::volume && own) channel.volume = e.value;
      if (e.type == NoteEvent::expression && own) channel.expression = e.value;
    }
  }
  for (std::size_t i = 0; i < voices_.size(); ++i) {
    Voice& v = voices_[i];
    const bool reached =
        whole_channel ? v.used && (e.channel < 0 || channels_.hears(v.channel, e.channel)) : v.plays(e);
    if (!reached) continue;
    switch (e.type) {
      case NoteEvent::tuning:
        v.semitones = e.value;
        v.glide_s = follow_s;
        change(i, pitch_change);
        break;
      case NoteEvent::vibrato:
        v.vibrato = e.value;
        v.glide_s = follow_s;
        change(i, pitch_change);
        break;
      case NoteEvent::pressure:
      case NoteEvent::timbre:
        if (!v.down) break;
        (e.type == NoteEvent::pressure ? v.pressure : v.timbre) = e.value;
        change(i, follow_change);
        break;
      case NoteEvent::pan:
        if (!whole_channel) v.pan = e.value;
        change(i, place_change);
        break;
      default:
        if (!whole_channel) (e.type == NoteEvent::volume ? v.volume : v.expression) = e.value;
        change(i, gain_change);
    }
  }
}

void Player::handle_channel(const NoteEvent& e) noexcept {
  auto& channel = channels_[e.channel];
  const auto all_pitches = [&] {
    each_of_channel(e.channel, [&](std::size_t i, Voice& v) {
      if (!follows_channel(v, channels_)) return;
      v.glide_s = follow_s;
      change(i, pitch_change);
    });
  };
  const auto all_dampers = [&] {
    each_of_channel(e.channel, [&](std::size_t i, Voice& v) {
      if (!v.down && !v.cut) change(i, damping_change);
    });
  };
  switch (e.type) {
    case NoteEvent::bend:
      channel.bend = e.value;
      return all_pitches();
    case NoteEvent::bend_range:
      channel.bend_range = e.value;
      if (channel.manager != MidiChannels::none)
        for (int c = 0; c < MidiChannels::count; ++c)
          if (channels_[c].manager == channel.manager) channels_[c].bend_range = e.value;
      if (channel.manager == MidiChannels::none) return all_pitches();
      for (std::size_t i = 0; i < voices_.size(); ++i)
        if (voices_[i].used && follows_channel(voices_[i], channels_)) change(i, pitch_change);
      return;
    case NoteEvent::pedal:
      channel.pedal = e.value;
      return all_dampers();
    case NoteEvent::sostenuto: {
      const bool on = e.value >= 0.5;
      if (on == channel.sostenuto) return;
      channel.sostenuto = on;
      return each_of_channel(e.channel, [&](std::size_t i, Voice& v) {
        const bool was = std::exchange(v.held, on && v.down);
        if (was && !v.held && !v.down && !v.cut) change(i, damping_change);
      });
    }
    case NoteEvent::legato:
      channel.legato = e.value >= 0.5;
      if (!channel.legato) pressed_[static_cast<std::size_t>(e.channel)].clear();
      return;
    case NoteEvent::mpe_zone:
      if (e.channel != 0 && e.channel != 15) {
        ++ignored_;
        return;
      }
      return channels_.make_zone(e.channel, static_cast<int>(e.value));
    case NoteEvent::reset_controllers:
      channels_.reset_controllers(e.channel);
      pressed_[static_cast<std::size_t>(e.channel)].clear();
      each_of_channel(e.channel, [&](std::size_t i, Voice& v) {
        v.held = false;
        v.pressure = channels_[v.channel].pressure;
        v.timbre = channels_[v.channel].timbre;
        v.vibrato = channels_[v.channel].vibrato;
        change(i, gain_change);
        if (v.down) change(i, follow_change);
      });
      all_pitches();
      return all_dampers();
    case NoteEvent::notes_off:
      pressed_[static_cast<std::size_t>(e.channel)].clear();
      return each_of_channel(e.channel, [&](std::size_t i, Voice& v) {
        if (!v.down) return;
        v.down = false;
        v.since = now_;
        change(i, damping_change);
      });
    case NoteEvent::sound_off:
      pressed_[static_cast<std::size_t>(e.channel)].clear();
      each_of_channel(e.channel, [&](std::size_t i, Voice&) { cut(i); });
      if (std::none_of(voices_.begin(), voices_.end(), [](const Voice& v) { return v.down || v.held; })) {
        for (std::size_t i = 0; i < voices_.size(); ++i)
          if (!voices_[i].used && energy_J(wiring_.voices[i], output_) > 0) cut(i);
        shared_.silence();
      }
      return;
    default:
      ++ignored_;
  }
}

}  // namespace jawari
