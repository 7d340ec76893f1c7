// SPDX-License-Identifier: MIT
// What happens by itself while notes sound.
#include <algorithm>

#include "player.h"

namespace jawari {
namespace {

constexpr std::int64_t vibrato_frames = 128;

}  // namespace

std::int64_t Player::until_due() const noexcept {
  std::int64_t due = next_start_ == never ? never : next_start_ - now_;
  due = std::min(due, slides_.until_due(now_));
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
    change(i, stroke_change);
  }
}

void Player::vibrate() noexcept {
  if (vibrating_ == 0 || now_ % vibrato_frames != 0) return;
  vibrating_ = 0;
  for (std::size_t i = 0; i < voices_.size(); ++i) {
    Voice& v = voices_[i];
    if (!v.used || v.vibrato == 0 || v.cut || (!v.down && energy_J(wiring_.voices[i], output_) == 0)) continue;
    ++vibrating_;
    v.glide_s = static_cast<double>(vibrato_frames) / rate_hz_;
    change(i, pitch_change);
  }
}

}  // namespace jawari
