// SPDX-License-Identifier: MIT
#include "player.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

/// A voice that is taken away fades for this long, 60 dB, before it plays its next note.
constexpr double fade_s = 0.004, fade_decay_1_s = 1727;
/// How long pitch, pressure and gains take to follow.
constexpr double follow_s = 0.005, tuning_s = 0.02, legato_s = 0.02;
/// Below this share of the loudest voice a voice has faded: 90 dB.
constexpr double faded = 1e-9;
/// Below this a voice has ended; a group that sleeps keeps less than this in what springs hold.
constexpr double silent_J = 1e-20;
constexpr double vibrato_hz = 5.5, vibrato_semitones = 0.5;
constexpr std::int64_t vibrato_frames = 128;
constexpr std::size_t most_pressed = 32;

/// Where an event's value must lie.
struct Range {
  double least, most;
};
constexpr Range range_of(NoteEvent::Type type) noexcept {
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

/// How long a plectrum takes: the harder the note, the shorter.
double pluck_s(double velocity) noexcept { return 0.018 - 0.012 * velocity; }
/// How long a damper takes to lie on the string: the faster the release, the shorter.
double release_s(double release) noexcept { return 0.018 - 0.016 * release; }

}  // namespace

Player::Player(const Model& model, const VoicedScene& voiced, VoiceOutput& output)
    : model_(model),
      output_(output),
      rate_hz_(model.rate_hz),
      wiring_(find_wiring(model, voiced)),
      controls_(model, voiced, wiring_),
      voices_(wiring_.voices.size()),
      fade_frames_(std::max<std::int64_t>(1, std::llround(fade_s * rate_hz_))) {
  changed_.reserve(voices_.size());
  ended_.reserve(4 * voices_.size());
  for (auto& list : pressed_) list.reserve(most_pressed);
  reset();
}

void Player::reset() noexcept {
  controls_.reset();
  channels_ = {};
  tuning_ = first_tuning_;
  for (std::size_t i = 0; i < voices_.size(); ++i) {
    voices_[i] = {};
    const VoiceWiring& w = wiring_.voices[i];
    voices_[i].hz = w.tune == no_index ? 0 : model_.parameters[w.tune].start;
  }
  changed_.clear();
  ended_.clear();
  open_ = 0;
  for (auto& list : pressed_) list.clear();
  loudest_J_ = 0;
  now_ = 0;
  next_start_ = never;
  vibrating_ = 0;
  ignored_ = 0;
}

std::size_t Player::sounding() const noexcept {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < voices_.size(); ++i)
    sum += voices_[i].used && (voices_[i].starts >= 0 || energy_J(i) > 0);
  return sum;
}

double Player::energy_J(std::size_t voice) const noexcept {
  double sum = 0;
  for (const auto a : wiring_.voices[voice].accounts) sum += output_.stored_J(a);
  return sum > silent_J ? sum : 0;
}

void Player::change(std::size_t voice, unsigned what) noexcept {
  if (voices_[voice].changed == 0) changed_.push_back(voice);
  voices_[voice].changed |= what;
}

bool Player::matches(const Voice& v, const NoteEvent& e) const noexcept {
  if (!v.used) return false;
  if (e.note_id >= 0 && v.note_id >= 0) return e.note_id == v.note_id;
  return (e.channel < 0 || e.channel == v.channel) && (e.key < 0 || e.key == v.key);
}

template <class Action>
void Player::each_voice(const NoteEvent& e, Action&& action) noexcept {
  for (std::size_t i = 0; i < voices_.size(); ++i)
    if (matches(voices_[i], e)) action(i, voices_[i]);
}

template <class Action>
void Player::each_of_channel(int channel, Action&& action) noexcept {
  for (std::size_t i = 0; i < voices_.size(); ++i)
    if (voices_[i].used && channels_.hears(voices_[i].channel, channel)) action(i, voices_[i]);
}

/// A note that is neither held nor on the pedal keeps the pitch it was left with.
bool Player::follows_channel(const Voice& v) const noexcept {
  return !v.cut && (v.down || v.held || channels_.damping(v.channel) < 1);
}

void Player::handle(const NoteEvent& event) noexcept {
  NoteEvent e = event;
  const bool sense = e.type < NoteEvent::types && e.channel >= -1 && e.channel < MidiChannels::count &&
                     std::isfinite(e.value) && std::isfinite(e.key) && e.key <= 127 && (e.key >= 0 || e.key == -1);
  if (!sense) {
    ++ignored_;
    return;
  }
  const Range range = range_of(e.type);
  e.value = std::clamp(e.value, range.least, range.most);
  switch (e.type) {
    case NoteEvent::note_on:
      return note_on(e);
    case NoteEvent::note_off:
      return note_off(e);
    case NoteEvent::note_cut:
      return each_voice(e, [&](std::size_t i, Voice&) { cut(i); });
    case NoteEvent::tuning:
    case NoteEvent::pressure:
    case NoteEvent::timbre:
    case NoteEvent::volume:
    case NoteEvent::pan:
    case NoteEvent::expression:
    case NoteEvent::vibrato:
      return express(e);
    case NoteEvent::panic:
      return panic();
    case NoteEvent::control:
      if (!controls_.set(e.index, e.value)) ++ignored_;
      return;
    case NoteEvent::modulation: {
      bool there = true;
      if (e.key < 0 && e.note_id < 0)
        there = controls_.modulate(e.index, e.value);
      else
        each_voice(e, [&](std::size_t i, Voice&) { there = controls_.modulate(e.index, i, e.value); });
      ignored_ += !there;
      return;
    }
    default:
      if (e.channel >= 0) return handle_channel(e);
      for (int c = 0; c < MidiChannels::count; ++c) {
        e.channel = static_cast<std::int8_t>(c);
        handle_channel(e);
      }
  }
}

void Player::note_on(const NoteEvent& e) noexcept {
  if (e.channel < 0 || e.key < 0 || !(tuning_.frequency(e.key) > 0)) {
    ++ignored_;
    return;
  }
  for (std::size_t s = 0; s < wiring_.sets.size(); ++s)
    if (wiring_.sets[s].takes(e.channel, e.key) && wiring_.sets[s].last > wiring_.sets[s].first) note_on(s, e);
}

void Player::note_on(std::size_t set, const NoteEvent& e) noexcept {
  const bool legato = channels_[e.channel].legato || wiring_.sets[set].spec.legato;
  auto& pressed = pressed_[static_cast<std::size_t>(e.channel)];
  if (legato && pressed.size() < most_pressed) pressed.push_back({e.key, e.note_id});
  if (legato && take_over(set, e)) return;
  bool fades = false;
  const std::size_t i = choose(set, e, fades);
  const auto& channel = channels_[e.channel];
  Voice& v = voices_[i];
  end(i);
  ++open_;
  controls_.forget(i);
  v = {.key = e.key,
       .velocity = e.value,
       .pressure = channel.pressure,
       .timbre = channel.timbre,
       .vibrato = channel.vibrato,
       .channel = e.channel,
       .note_id = e.note_id,
       .open = true,
       .used = true,
       .down = true,
       .since = now_,
       .began = now_,
       .changed = v.changed,
       .hz = v.hz,
       .damping_1_s = v.damping_1_s,
       .gain = v.gain,
       .moved = v.moved};
  if (fades) {
    v.starts = now_ + fade_frames_;
    next_start_ = std::min(next_start_, v.starts);
    change(i, damping);
  } else {
    change(i, stroke);
  }
}

/// The voice of another note of the channel goes on with this one.
bool Player::take_over(std::size_t set, const NoteEvent& e) noexcept {
  for (std::size_t i = wiring_.sets[set].first; i < wiring_.sets[set].last; ++i) {
    Voice& v = voices_[i];
    if (!v.down || v.channel != e.channel) continue;
    play_instead(i, e.key, e.note_id);
    return true;
  }
  return false;
}

void Player::play_instead(std::size_t i, double key, std::int32_t note_id) noexcept {
  Voice& v = voices_[i];
  end(i);
  v.open = true;
  ++open_;
  v.key = key;
  v.note_id = note_id;
  v.since = now_;
  v.glide_s = legato_s;
  change(i, pitch);
}

std::size_t Player::choose(std::size_t set, const NoteEvent& e, bool& fades) noexcept {
  const SetWiring& s = wiring_.sets[set];
  if (s.per_key) {
    const auto* first = wiring_.voices.data() + s.first;
    const auto* last = wiring_.voices.data() + s.last;
    const auto* at = std::lower_bound(first, last, e.key, [](const VoiceWiring& w, double key) { return w.key < key; });
    if (at == last || (at != first && e.key - (at - 1)->key < at->key - e.key)) --at;  // the nearest
    return s.first + static_cast<std::size_t>(at - first);
  }
  for (std::size_t i = s.first; i < s.last; ++i) {  // the same key again: its own voice is struck again
    const Voice& v = voices_[i];
    if (v.used && v.key == e.key && v.channel == e.channel && !v.cut && v.starts < 0 &&
        (!v.down || (e.note_id < 0 && v.note_id < 0)))
      return i;
  }
  return steal(s.first, s.last, fades);
}

/// One that is free or has faded; else the quietest of those released; else the oldest on the pedal; else the oldest.
std::size_t Player::steal(std::size_t first, std::size_t last, bool& fades) noexcept {
  for (std::size_t i = first; i < last; ++i)
    if (!voices_[i].used) {
      fades = false;
      return i;
    }
  for (std::size_t i = first; i < last; ++i) loudest_J_ = std::max(loudest_J_, energy_J(i));
  std::size_t best = first;
  int best_rank = 5;
  double best_J = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Voice& v = voices_[i];
    const double energy = energy_J(i);
    const bool released = v.starts < 0 && !v.down;
    int rank = v.down || v.starts >= 0 ? 4 : follows_channel(v) ? 3 : 2;
    if (released && energy <= faded * loudest_J_) rank = 1;
    const bool better = rank != best_rank ? rank < best_rank
                        : rank == 2       ? energy < best_J || (energy == best_J && v.since < voices_[best].since)
                                          : v.since < voices_[best].since;
    if (!better) continue;
    best = i;
    best_rank = rank;
    best_J = energy;
  }
  fades = best_rank > 1 && wiring_.voices[best].damp != no_index;
  return best;
}

void Player::end(std::size_t i) noexcept {
  Voice& v = voices_[i];
  if (!v.open) return;
  v.open = false;
  --open_;
  if (ended_.size() == ended_.capacity()) return;  // they are not fetched
  NoteEvent e;
  e.type = NoteEvent::note_off;
  e.channel = static_cast<std::int8_t>(v.channel);
  e.note_id = v.note_id;
  e.key = v.key;
  ended_.push_back(e);
}

void Player::find_ended() noexcept {
  if (open_ == 0) return;
  for (std::size_t i = 0; i < voices_.size(); ++i) {
    const Voice& v = voices_[i];
    if (v.open && !v.down && v.starts < 0 && now_ - v.began > 512 && energy_J(i) == 0) end(i);
  }
}

void Player::note_off(const NoteEvent& e) noexcept {
  if (e.channel >= 0)
    std::erase_if(pressed_[static_cast<std::size_t>(e.channel)], [&](const Pressed& p) {
      return e.note_id >= 0 && p.note_id >= 0 ? p.note_id == e.note_id : e.key < 0 || p.key == e.key;
    });
  each_voice(e, [&](std::size_t i, Voice& v) {
    if (!v.down) return;
    const auto& pressed = pressed_[static_cast<std::size_t>(v.channel)];
    const bool legato = channels_[v.channel].legato || wiring_.sets[wiring_.voices[i].set].spec.legato;
    if (legato && !pressed.empty()) {  // back to a key that is still down
      return play_instead(i, pressed.back().key, pressed.back().note_id);
    }
    v.down = false;
    v.release = e.value;
    v.since = now_;
    change(i, damping);
  });
}

void Player::cut(std::size_t i) noexcept {
  Voice& v = voices_[i];
  v.down = v.held = false;
  v.cut = true;
  v.starts = -1;
  v.since = now_;
  v.changed &= ~stroke;
  change(i, damping);
}

void Player::panic() noexcept {
  for (std::size_t i = 0; i < voices_.size(); ++i)
    if (voices_[i].used) cut(i);
  channels_ = {};
  for (auto& list : pressed_) list.clear();
}

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
        whole_channel ? v.used && (e.channel < 0 || channels_.hears(v.channel, e.channel)) : matches(v, e);
    if (!reached) continue;
    switch (e.type) {
      case NoteEvent::tuning:
        v.semitones = e.value;
        v.glide_s = follow_s;
        change(i, pitch);
        break;
      case NoteEvent::vibrato:
        v.vibrato = e.value;
        v.glide_s = follow_s;
        change(i, pitch);
        break;
      case NoteEvent::pressure:
      case NoteEvent::timbre:
        if (!v.down) break;
        (e.type == NoteEvent::pressure ? v.pressure : v.timbre) = e.value;
        change(i, follows);
        break;
      case NoteEvent::pan:
        if (!whole_channel) v.pan = e.value;
        change(i, place);
        break;
      default:
        if (!whole_channel) (e.type == NoteEvent::volume ? v.volume : v.expression) = e.value;
        change(i, gains);
    }
  }
}

void Player::handle_channel(const NoteEvent& e) noexcept {
  auto& channel = channels_[e.channel];
  const auto all_pitches = [&] {
    each_of_channel(e.channel, [&](std::size_t i, Voice& v) {
      if (!follows_channel(v)) return;
      v.glide_s = follow_s;
      change(i, pitch);
    });
  };
  const auto all_dampers = [&] {
    each_of_channel(e.channel, [&](std::size_t i, Voice& v) {
      if (!v.down && !v.cut) change(i, damping);
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
        if (voices_[i].used && follows_channel(voices_[i])) change(i, pitch);
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
        if (was && !v.held && !v.down && !v.cut) change(i, damping);
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
        change(i, gains);
        if (v.down) change(i, follows);
      });
      all_pitches();
      return all_dampers();
    case NoteEvent::notes_off:
      pressed_[static_cast<std::size_t>(e.channel)].clear();
      return each_of_channel(e.channel, [&](std::size_t i, Voice& v) {
        if (!v.down) return;
        v.down = false;
        v.since = now_;
        change(i, damping);
      });
    case NoteEvent::sound_off:
      pressed_[static_cast<std::size_t>(e.channel)].clear();
      return each_of_channel(e.channel, [&](std::size_t i, Voice&) { cut(i); });
    default:
      ++ignored_;
  }
}

void Player::set_tuning(const KeyTuning& tuning) noexcept {
  tuning_ = tuning;
  for (std::size_t i = 0; i < voices_.size(); ++i)
    if (voices_[i].used && !voices_[i].cut) {
      voices_[i].glide_s = tuning_s;
      change(i, pitch);
    }
}

std::int64_t Player::until_due() const noexcept {
  std::int64_t due = next_start_ == never ? never : next_start_ - now_;
  if (vibrating_ > 0) due = std::min(due, vibrato_frames - now_ % vibrato_frames);
  return due;
}

/// The notes whose voices have faded.
void Player::begin_due() noexcept {
  if (now_ < next_start_) return;
  next_start_ = never;
  for (std::size_t i = 0; i < voices_.size(); ++i) {
    Voice& v = voices_[i];
    if (v.starts < 0) continue;
    if (v.starts > now_) {
      next_start_ = std::min(next_start_, v.starts);
      continue;
    }
    v.starts = -1;
    change(i, stroke);
  }
}

void Player::vibrate() noexcept {
  if (vibrating_ == 0 || now_ % vibrato_frames != 0) return;
  vibrating_ = 0;
  for (std::size_t i = 0; i < voices_.size(); ++i) {
    Voice& v = voices_[i];
    if (!v.used || v.vibrato == 0 || v.cut || (!v.down && energy_J(i) == 0)) continue;
    ++vibrating_;
    v.glide_s = static_cast<double>(vibrato_frames) / rate_hz_;
    change(i, pitch);
  }
}

void Player::settle() noexcept {
  begin_due();
  vibrate();
  const Controls::Reached reached = controls_.tell(output_);
  for (std::size_t i = 0; i < voices_.size() && (reached.damping || reached.gains); ++i)
    if (voices_[i].used) change(i, (reached.damping ? damping : 0u) | (reached.gains ? gains : 0u));
  for (std::size_t i = 0; i < voices_.size() && reached.follows; ++i)
    if (voices_[i].pressure != 0 || voices_[i].timbre != 0) change(i, follows);
  for (const auto i : changed_) tell(i);
  changed_.clear();
}

void Player::set(std::size_t parameter, double value, double glide_s) noexcept {
  output_.happen({EventType::set, static_cast<std::uint32_t>(parameter), value, glide_s});
}

void Player::tell(std::size_t i) noexcept {
  Voice& v = voices_[i];
  const unsigned what = std::exchange(v.changed, 0u);
  if (v.starts >= 0) return tell_damping(i, 0);  // it fades; the rest waits for the note
  if (what & stroke) {
    tell_pitch(i, 0);
    tell_damping(i, 0);
    tell_gains(i, 0);
    tell_place(i, 1);
    tell_follows(i);
    return tell_stroke(i);
  }
  if (what & pitch) tell_pitch(i, v.glide_s);
  if (what & damping) tell_damping(i, v.cut ? 0 : release_s(v.release));
  if (what & gains) tell_gains(i, follow_s);
  if (what & place) tell_place(i, std::llround(follow_s * rate_hz_));
  if (what & follows) tell_follows(i);
}

void Player::tell_pitch(std::size_t i, double glide_s) noexcept {
  Voice& v = voices_[i];
  const VoiceWiring& w = wiring_.voices[i];
  if (w.tune == no_index) return;
  double hz = tuning_.frequency(v.key);
  if (!(hz > 0)) return;
  double semitones = v.semitones + channels_.semitones(v.channel, wiring_.sets[w.set].spec.bend_semitones);
  if (v.vibrato > 0) {
    if (vibrating_ == 0) vibrating_ = 1;
    const double t = static_cast<double>(now_ - v.began) / rate_hz_ + glide_s;
    semitones += vibrato_semitones * v.vibrato * elementary::sin(2 * std::numbers::pi * vibrato_hz * t);
  }
  if (semitones != 0) hz *= elementary::exp2(semitones / 12);
  const Parameter& p = model_.parameters[w.tune];
  hz = std::clamp(w.factor ? hz / w.pitch_hz : hz * w.mode_ratio, p.least, p.most);
  if (std::abs(hz - v.hz) <= 1e-12 * hz) return;
  v.hz = hz;
  set(w.tune, hz, glide_s);
}

void Player::tell_damping(std::size_t i, double glide_s) noexcept {
  Voice& v = voices_[i];
  const VoiceWiring& w = wiring_.voices[i];
  if (w.damp == no_index) return;
  double damping = 0;
  if (v.starts >= 0 || v.cut)
    damping = fade_decay_1_s;
  else if (!v.down && !v.held)
    damping = wiring_.sets[w.set].spec.damping_1_s * channels_.damping(v.channel);
  if (damping == v.damping_1_s) return;
  v.damping_1_s = damping;
  set(w.damp, damping, glide_s);
}

void Player::tell_follows(std::size_t i) noexcept {
  const Voice& v = voices_[i];
  const VoiceWiring& w = wiring_.voices[i];
  const VoiceSpec& spec = wiring_.sets[w.set].spec;
  const auto tell = [&](std::size_t parameter, const std::optional<Follow>& f, double x) {
    if (parameter == no_index) return;
    const Parameter& p = model_.parameters[parameter];
    const double base = controls_.value_of(i, parameter).value_or(f->from);  // a control moves the whole range
    set(parameter, std::clamp(base + x * (f->to - f->from), p.least, p.most), follow_s);
  };
  tell(w.pressure, spec.pressure, v.pressure);
  tell(w.timbre, spec.timbre, v.timbre);
}

void Player::tell_gains(std::size_t i, double glide_s) noexcept {
  Voice& v = voices_[i];
  const double factor =
      v.volume * v.expression * channels_.volume(v.channel) * channels_.expression(v.channel) * controls_.level();
  if (std::exchange(v.gain, factor) == factor) return;
  for (const auto& g : wiring_.voices[i].gains)
    if (g.parameter != no_index) set(g.parameter, std::clamp(g.built * factor, -1e12, 1e12), glide_s);
}

void Player::tell_place(std::size_t i, std::int64_t frames) noexcept {
  Voice& v = voices_[i];
  const double moved = 2 * (v.pan - 0.5) + 2 * (channels_[v.channel].pan - 0.5);
  if (std::exchange(v.moved, moved) == moved) return;
  const double part = std::clamp(moved, -1.0, 1.0);  // of the way to a side, so that the whole way ends there
  for (const auto& g : wiring_.voices[i].gains)
    output_.set_pan(g.pickup, std::clamp(g.pan + part * (1 + (part < 0 ? g.pan : -g.pan)), -1.0, 1.0), frames);
}

void Player::tell_stroke(std::size_t i) noexcept {
  const Voice& v = voices_[i];
  const VoiceWiring& w = wiring_.voices[i];
  const VoiceSpec& spec = wiring_.sets[w.set].spec;
  const double amount = spec.soft * elementary::pow(spec.loud / spec.soft, v.velocity);
  const double most = w.stroke == EventType::strike ? 1e4 : 1;
  output_.happen({w.stroke, w.struck, std::min(amount, most), w.stroke == EventType::pluck ? pluck_s(v.velocity) : 0});
}

}  // namespace jawari
