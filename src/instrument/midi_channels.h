// SPDX-License-Identifier: MIT
// What the sixteen channels of MIDI carry beside notes, and how MPE zones join them: the manager of a zone (channel 0
// or 15) moves all notes of its members.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace jawari {

class MidiChannels {
 public:
  static constexpr int count = 16, none = -1;
  struct Channel {
    double bend = 0, bend_range = not_said;
    double pressure = 0, timbre = 0, volume = 1, pan = 0.5, expression = 1, vibrato = 0;
    double pedal = 0;
    bool sostenuto = false, legato = false;
    int manager = none;
  };
  Channel& operator[](int channel) noexcept { return channels_[static_cast<std::size_t>(channel)]; }
  const Channel& operator[](int channel) const noexcept { return channels_[static_cast<std::size_t>(channel)]; }

  /// Of a note of the channel, in semitones; `usual`: where no bend range was said.
  double semitones(int channel, double usual) const noexcept {
    const Channel& c = (*this)[channel];
    double sum = c.bend * (std::isnan(c.bend_range) ? (c.manager == none ? usual : 48) : c.bend_range);
    if (c.manager == none) return sum;
    const Channel& m = (*this)[c.manager];
    return sum + m.bend * (std::isnan(m.bend_range) ? 2 : m.bend_range);
  }
  /// 1: dampers lie on the strings, 0: the pedal lifts them; half a pedal in between.
  double damping(int channel) const noexcept {
    const double up = std::clamp((pedal(channel) - 0.25) / 0.5, 0.0, 1.0);
    return 1 - up * up * (3 - 2 * up);
  }
  double volume(int channel) const noexcept { return product(channel, &Channel::volume); }
  double expression(int channel) const noexcept { return product(channel, &Channel::expression); }

  /// So many members beside channel 0 (upwards) or 15 (downwards).  The zone said last takes channels of the other one.
  void make_zone(int manager, int members) noexcept {
    for (int c = 0; c < count; ++c)
      if ((*this)[c].manager == manager) leave(c);
    const int step = manager == 0 ? 1 : -1;
    const int other = count - 1 - manager;
    for (int i = 1; i <= std::min(members, count - 1); ++i) {
      const int c = manager + i * step;
      if (c == other && i < count - 1 && has_members(other)) break;
      (*this)[c].manager = manager;
      (*this)[c].bend_range = not_said;
    }
    if (members > 0) leave(manager);
  }
  /// Whether notes of `channel` follow what is said on `said`.
  bool hears(int channel, int said) const noexcept { return channel == said || (*this)[channel].manager == said; }
  void reset_controllers(int channel) noexcept {  // volume and pan stay
    Channel& c = (*this)[channel];
    c.bend = c.pressure = c.timbre = c.vibrato = c.pedal = 0;
    c.expression = 1;
    c.sostenuto = c.legato = false;
  }

 private:
  static constexpr double not_said = std::numeric_limits<double>::quiet_NaN();
  double pedal(int channel) const noexcept {
    const Channel& c = (*this)[channel];
    return c.manager == none ? c.pedal : std::max(c.pedal, (*this)[c.manager].pedal);
  }
  double product(int channel, double Channel::*x) const noexcept {
    const Channel& c = (*this)[channel];
    return c.manager == none ? c.*x : c.*x * (*this)[c.manager].*x;
  }
  void leave(int channel) noexcept {
    (*this)[channel].manager = none;
    (*this)[channel].bend_range = not_said;
  }
  bool has_members(int manager) const noexcept {
    return std::any_of(channels_.begin(), channels_.end(), [&](const Channel& c) { return c.manager == manager; });
  }
  std::array<Channel, count> channels_ = {};
};

}  // namespace jawari
