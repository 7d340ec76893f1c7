// SPDX-License-Identifier: MIT
#include "jawari/instrument/midi_input.h"

#include <algorithm>

namespace jawari {
namespace {

/// Volume and expression: 40 dB per decade of the value, as General MIDI has it.
constexpr double loudness(int value) noexcept { return (value / 127.0) * (value / 127.0); }

}  // namespace

/// True when a message is complete.
bool MidiInput::push(std::uint8_t byte) noexcept {
  if (byte >= 0xf8) return false;  // real time: the clock, active sensing
  if (byte >= 0x80) {
    message_[0] = byte;
    have_ = 1;
    const unsigned kind = byte >> 4;
    need_ = kind == 0xf ? 0 : kind == 0xc || kind == 0xd ? 2 : 3;  // 0: of the system, skipped
    return false;
  }
  if (need_ == 0) return false;
  if (have_ >= need_) have_ = 1;  // running status
  message_[have_++] = byte;
  return have_ == need_;
}

bool MidiInput::read(std::span<const std::uint8_t> m, std::uint32_t frame, NoteEvent& e) noexcept {
  if (m.empty() || m[0] < 0x80) return false;
  for (std::size_t i = 1; i < m.size(); ++i)
    if (m[i] >= 0x80) return false;
  e = {};
  e.frame = frame;
  if (m[0] == 0xff) {  // reset
    e.type = NoteEvent::panic;
    channels_ = {};
    return true;
  }
  const int channel = m[0] & 15;
  e.channel = static_cast<std::int8_t>(channel);
  const int first = m.size() > 1 ? m[1] : 0;
  const int second = m.size() > 2 ? m[2] : 0;
  const auto note = [&](NoteEvent::Type type, double value) {
    e.type = type;
    e.key = first;
    e.value = value;
    return m.size() >= 3;
  };
  switch (m[0] >> 4) {
    case 0x8:
      return note(NoteEvent::note_off, second / 127.0);
    case 0x9:
      return second == 0 ? note(NoteEvent::note_off, 0.5) : note(NoteEvent::note_on, (second - 1) / 126.0);
    case 0xa:
      return note(NoteEvent::pressure, second / 127.0);
    case 0xb:
      return m.size() >= 3 && controller(channel, first, second, e);
    case 0xd:
      e.type = NoteEvent::pressure;
      e.value = first / 127.0;
      return m.size() >= 2;
    case 0xe: {
      const int bend = first + 128 * second - 8192;
      e.type = NoteEvent::bend;
      e.value = bend / 8192.0;
      return m.size() >= 3;
    }
    default:
      return false;
  }
}

bool MidiInput::controller(int channel, int number, int value, NoteEvent& e) noexcept {
  const double x = value / 127.0;
  const auto say = [&](NoteEvent::Type type, double amount) {
    e.type = type;
    e.value = amount;
    return true;
  };
  Channel& c = channels_[static_cast<std::size_t>(channel)];
  switch (number) {
    case 1:
      return say(NoteEvent::vibrato, x);
    case 7:
      return say(NoteEvent::volume, loudness(value));
    case 10:
      return say(NoteEvent::pan, value <= 64 ? value / 128.0 : 0.5 + (value - 64) / 126.0);
    case 11:
      return say(NoteEvent::expression, loudness(value));
    case 64:
      return say(NoteEvent::pedal, x);
    case 66:
      return say(NoteEvent::sostenuto, x);
    case 68:
      return say(NoteEvent::legato, x);
    case 74:
      return say(NoteEvent::timbre, x);
    case 6:
      c.coarse = value;
      c.fine = 0;
      return data_entry(channel, e);
    case 38:
      c.fine = value;
      return data_entry(channel, e);
    case 98:
    case 99:  // parameters that are not registered
      c.number = -1;
      c.most = c.least = 127;
      return false;
    case 100:
    case 101:
      (number == 101 ? c.most : c.least) = static_cast<std::uint8_t>(value);
      c.number = c.most == 127 && c.least == 127 ? -1 : 128 * c.most + c.least;
      return false;
    case 120:
      return say(NoteEvent::sound_off, 0);
    case 121:
      return say(NoteEvent::reset_controllers, 0);
    default:
      return number >= 123 && say(NoteEvent::notes_off, 0);
  }
}

bool MidiInput::data_entry(int channel, NoteEvent& e) const noexcept {
  const Channel& c = channels_[static_cast<std::size_t>(channel)];
  if (c.number == 0) {
    e.type = NoteEvent::bend_range;
    e.value = std::min(c.coarse + c.fine / 100.0, 96.0);
    return true;
  }
  if (c.number == 6 && (channel == 0 || channel == 15)) {
    e.type = NoteEvent::mpe_zone;
    e.value = std::min<int>(c.coarse, 15);
    return true;
  }
  return false;
}

}  // namespace jawari
