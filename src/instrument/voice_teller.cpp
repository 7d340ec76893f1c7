// SPDX-License-Identifier: MIT
#include "voice_teller.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

constexpr double vibrato_hz = 5.5, vibrato_semitones = 0.5;

/// How long a plectrum takes: the harder the note, the shorter.
double pluck_s(double velocity) noexcept { return 0.018 - 0.012 * velocity; }
/// How long a damper takes to lie on the string: the faster the release, the shorter.
double release_s(double release) noexcept { return 0.018 - 0.016 * release; }
/// Pressure or timbre.
double amount(const Voice& v, std::size_t which) noexcept { return which == 0 ? v.pressure : v.timbre; }

}  // namespace

bool VoiceTeller::tell(std::size_t voice, Voice& v, std::int64_t now) noexcept {
  const VoiceWiring& w = wiring_.voices[voice];
  const unsigned what = std::exchange(v.changed, 0u);
  if (v.starts >= 0) {  // it fades; the rest waits for the note
    tell_damping(w, v, 0);
    return false;
  }
  bool moves = false;
  if (what & stroke_change) {
    moves = tell_pitch(w, v, now, 0);
    tell_damping(w, v, 0);
    tell_gains(w, v, 0);
    tell_place(w, v, 1);
    tell_follows(voice, v);
    tell_stroke(w, v);
    return moves;
  }
  if (what & pitch_change) moves = tell_pitch(w, v, now, v.glide_s);
  if (what & damping_change) tell_damping(w, v, v.cut ? 0 : release_s(v.release));
  if (what & gain_change) tell_gains(w, v, follow_s);
  if (what & place_change) tell_place(w, v, std::llround(follow_s * model_.rate_hz));
  if (what & follow_change) tell_follows(voice, v);
  return moves;
}

void VoiceTeller::set(std::size_t parameter, double value, double glide_s) noexcept {
  output_.apply({EventType::set, static_cast<std::uint32_t>(parameter), value, glide_s});
}

bool VoiceTeller::tell_pitch(const VoiceWiring& w, Voice& v, std::int64_t now, double glide_s) noexcept {
  if (w.tune == no_index) return false;
  double hz = tuning_.frequency(v.key);
  if (!(hz > 0)) return false;
  double semitones = v.semitones + channels_.semitones(v.channel, spec(w).bend_semitones);
  const bool moves = v.vibrato > 0;
  if (moves) {
    const double t = static_cast<double>(now - v.began) / model_.rate_hz + glide_s;
    semitones += vibrato_semitones * v.vibrato * elementary::sin(2 * std::numbers::pi * vibrato_hz * t);
  }
  if (semitones != 0) hz *= elementary::exp2(semitones / 12);
  const Parameter& p = model_.parameters[w.tune];
  hz = std::clamp(w.factor ? hz / w.pitch_hz : hz * w.mode_ratio, p.least, p.most);
  if (std::abs(hz - v.hz) <= 1e-12 * hz) return moves;
  v.hz = hz;
  set(w.tune, hz, glide_s);
  return moves;
}

void VoiceTeller::tell_damping(const VoiceWiring& w, Voice& v, double glide_s) noexcept {
  if (w.damp == no_index) return;
  double damping = 0;
  if (v.starts >= 0 || v.cut)
    damping = fade_decay_1_s;
  else if (v.used && !v.down && !v.held)
    damping = spec(w).damping_1_s * channels_.damping(v.channel);
  if (v.starts < 0 && !v.cut) damping = std::min(damping + added_damping_1_s(w, v), model_.parameters[w.damp].most);
  if (damping == v.damping_1_s) return;
  v.damping_1_s = damping;
  set(w.damp, damping, glide_s);
}

/// What pressure and timbre add where they damp: a hand on the body.
double VoiceTeller::added_damping_1_s(const VoiceWiring& w, const Voice& v) const noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < w.follows.size(); ++i)
    if (w.damp != no_index && w.follows[i].parameter == w.damp) {
      const Follow& f = *follow(w, i);
      sum += f.from + amount(v, i) * (f.to - f.from);
    }
  return sum;
}

/// Where it is at pressure or timbre 0: a control moves the whole range.
double VoiceTeller::follow_base(std::size_t voice, std::size_t which) const noexcept {
  const VoiceWiring& w = wiring_.voices[voice];
  const auto [parameter, factor] = w.follows[which];
  return controls_.value_of(voice, parameter).value_or(factor * follow(w, which)->from);
}

bool VoiceTeller::control_moved(std::size_t voice, Voice& v) noexcept {
  const VoiceWiring& w = wiring_.voices[voice];
  const bool moved = v.pressure != 0 || v.timbre != 0;
  const bool there = !moved && v.starts < 0 && (v.changed & (stroke_change | follow_change)) == 0;
  for (std::size_t i = 0; i < w.follows.size(); ++i)
    if (w.follows[i].parameter != no_index)
      v.followed[i] = there ? follow_base(voice, i) : std::numeric_limits<double>::quiet_NaN();
  return moved;
}

void VoiceTeller::tell_follows(std::size_t voice, Voice& v) noexcept {
  const VoiceWiring& w = wiring_.voices[voice];
  for (std::size_t i = 0; i < w.follows.size(); ++i) {
    const auto [parameter, factor] = w.follows[i];
    if (parameter == no_index) continue;
    if (parameter == w.damp) {
      tell_damping(w, v, follow_s);
      continue;
    }
    const Parameter& p = model_.parameters[parameter];
    const double reach = factor * (follow(w, i)->to - follow(w, i)->from);
    const double value = std::clamp(follow_base(voice, i) + amount(v, i) * reach, p.least, p.most);
    if (std::abs(value - v.followed[i]) <= 1e-12 * std::abs(reach)) continue;
    v.followed[i] = value;
    set(parameter, value, follow_s);
  }
}

void VoiceTeller::tell_gains(const VoiceWiring& w, Voice& v, double glide_s) noexcept {
  const double factor =
      v.volume * v.expression * channels_.volume(v.channel) * channels_.expression(v.channel) * controls_.level();
  if (std::exchange(v.gain, factor) == factor) return;
  for (const auto& g : w.gains)
    if (g.parameter != no_index) set(g.parameter, std::clamp(g.built * factor, -1e12, 1e12), glide_s);
}

void VoiceTeller::tell_place(const VoiceWiring& w, Voice& v, std::int64_t frames) noexcept {
  const double moved = 2 * (v.pan - 0.5) + 2 * (channels_[v.channel].pan - 0.5);
  if (std::exchange(v.moved, moved) == moved) return;
  const double part = std::clamp(moved, -1.0, 1.0);  // of the way to a side, so that the whole way ends there
  for (const auto& g : w.gains)
    output_.set_pan(g.pickup, std::clamp(g.pan + part * (1 + (part < 0 ? g.pan : -g.pan)), -1.0, 1.0), frames);
}

void VoiceTeller::tell_stroke(const VoiceWiring& w, const Voice& v) noexcept {
  const double amount = spec(w).soft * elementary::pow(spec(w).loud / spec(w).soft, v.velocity);
  const double most = w.stroke == EventType::strike ? 1e4 : 1;
  output_.apply({w.stroke, w.struck, std::min(amount, most), w.stroke == EventType::pluck ? pluck_s(v.velocity) : 0});
}

}  // namespace jawari
