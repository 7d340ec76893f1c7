// SPDX-License-Identifier: MIT
#include "player.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "event_limits.h"

namespace jawari {
namespace {

/// A voice that is taken away fades for this long before it plays its next note.
constexpr double fade_s = 0.004;
/// How long notes take to reach another pitch.
constexpr double tuning_s = 0.02, legato_s = 0.02;
constexpr std::size_t most_pressed = 32;

}  // namespace

Player::Player(const Model& model, const VoicedScene& voiced, VoiceOutput& output)
    : model_(model),
      output_(output),
      rate_hz_(model.rate_hz),
      wiring_(find_wiring(model, voiced)),
      controls_(model, voiced, wiring_),
      voices_(wiring_.voices.size()),
      choice_(wiring_, voices_, channels_, output),
      teller_(model, wiring_, controls_, channels_, tuning_, output),
      shared_(model, voiced, controls_, output),
      slides_(wiring_, rate_hz_, output),
      fade_frames_(std::max<std::int64_t>(1, std::llround(fade_s * rate_hz_))) {
  changed_.reserve(voices_.size());
  ended_.reserve(
      std::max<std::size_t>(1024, 4 * voices_.size()));  // notes of a long block that take the voices of others
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
    for (std::size_t k = 0; k < w.follows.size(); ++k)
      if (const auto p = w.follows[k].parameter; p != no_index) voices_[i].followed[k] = model_.parameters[p].start;
  }
  changed_.clear();
  ended_.clear();
  open_ = 0;
  for (auto& list : pressed_) list.clear();
  choice_.reset();
  shared_.reset();
  slides_.reset();
  now_ = 0;
  next_start_ = never;
  vibrating_ = 0;
  ignored_ = 0;
}

std::size_t Player::sounding() const noexcept {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < voices_.size(); ++i)
    sum += voices_[i].used && (voices_[i].starts >= 0 || energy_J(wiring_.voices[i], output_) > 0);
  return sum;
}

void Player::change(std::size_t voice, unsigned what) noexcept {
  // A voice that is cut may have nothing to tell any more, and be in the list.
  if (voices_[voice].changed == 0 && std::find(changed_.begin(), changed_.end(), voice) == changed_.end())
    changed_.push_back(voice);
  voices_[voice].changed |= what;
}

void Player::handle(const NoteEvent& event) noexcept {
  NoteEvent e = event;
  if (!limit(e)) {
    ++ignored_;
    return;
  }
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
  const bool pitched = e.channel >= 0 && e.key >= 0 && tuning_.frequency(e.key) > 0;
  bool taken = false;
  for (std::size_t s = 0; pitched && s < wiring_.sets.size(); ++s) {
    if (!wiring_.sets[s].takes(e.channel, e.key) || wiring_.sets[s].last == wiring_.sets[s].first) continue;
    note_on(s, e);
    taken = true;
  }
  ignored_ += !pitched;
  if (!taken) add_ended(e.channel, e.note_id, e.key);
}

void Player::note_on(std::size_t set, const NoteEvent& e) noexcept {
  const bool legato = channels_[e.channel].legato || wiring_.sets[set].spec.legato;
  auto& pressed = pressed_[static_cast<std::size_t>(e.channel)];
  if (legato && pressed.size() < most_pressed) pressed.push_back({e.key, e.note_id});
  if (legato && take_over(set, e)) return;
  const auto [i, fades] = choice_.choose(wiring_.sets[set], e);
  const auto& channel = channels_[e.channel];
  Voice& v = voices_[i];
  end(i);
  ++open_;
  if (shared_.let_ring())
    for (std::size_t k = 0; k < voices_.size(); ++k)  // voices that have faded may ring along again
      if (voices_[k].cut && now_ - voices_[k].since >= fade_frames_) {
        voices_[k].cut = false;
        change(k, damping_change);
      }
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
       .moved = v.moved,
       .followed = v.followed};
  if (fades) {
    v.starts = now_ + fade_frames_;
    next_start_ = std::min(next_start_, v.starts);
    change(i, damping_change);
  } else {
    change(i, stroke_change);
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
  change(i, pitch_change);
}

void Player::end(std::size_t i) noexcept {
  Voice& v = voices_[i];
  if (!v.open) return;
  v.open = false;
  --open_;
  add_ended(v.channel, v.note_id, v.key);
}

void Player::add_ended(int channel, std::int32_t note_id, double key) noexcept {
  if (ended_.size() == ended_.capacity()) return;  // they are not fetched
  NoteEvent e;
  e.type = NoteEvent::note_off;
  e.channel = static_cast<std::int8_t>(channel);
  e.note_id = note_id;
  e.key = key;
  ended_.push_back(e);
}

void Player::find_ended() noexcept {
  if (open_ == 0) return;
  for (std::size_t i = 0; i < voices_.size(); ++i) {
    const Voice& v = voices_[i];
    if (v.open && !v.down && v.starts < 0 && now_ - v.began > 512 && energy_J(wiring_.voices[i], output_) == 0) end(i);
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
    change(i, damping_change);
  });
}

void Player::cut(std::size_t i) noexcept {
  Voice& v = voices_[i];
  v.down = v.held = false;
  v.cut = true;
  v.starts = -1;
  v.since = now_;
  v.changed &= ~stroke_change;
  change(i, damping_change);
}

void Player::panic() noexcept {
  for (std::size_t i = 0; i < voices_.size(); ++i)
    if (voices_[i].used || energy_J(wiring_.voices[i], output_) > 0) cut(i);  // others ring with what they share
  shared_.silence();
  channels_ = {};
  for (auto& list : pressed_) list.clear();
}

void Player::set_tuning(const KeyTuning& tuning) noexcept {
  tuning_ = tuning;
  for (std::size_t i = 0; i < voices_.size(); ++i)
    if (voices_[i].used && !voices_[i].cut) {
      voices_[i].glide_s = tuning_s;
      change(i, pitch_change);
    }
}

void Player::send_changes() noexcept {
  begin_due();
  vibrate();
  const Controls::Reached reached = controls_.tell(output_);
  for (std::size_t i = 0; i < voices_.size() && (reached.damping || reached.gains); ++i)
    if (voices_[i].used) change(i, (reached.damping ? damping_change : 0u) | (reached.gains ? gain_change : 0u));
  for (std::size_t i = 0; i < voices_.size() && reached.follows; ++i)
    if (teller_.control_moved(i, voices_[i])) change(i, follow_change);
  shared_.tell();
  for (const auto i : changed_) {
    if ((voices_[i].changed & stroke_change) != 0 && voices_[i].starts < 0) slides_.begin(i, now_);
    if (teller_.tell(i, voices_[i], now_)) vibrating_ = std::max<std::size_t>(vibrating_, 1);
  }
  slides_.tell(now_);
  changed_.clear();
}

}  // namespace jawari
