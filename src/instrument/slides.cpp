// SPDX-License-Identifier: MIT
#include "slides.h"

#include <algorithm>
#include <cmath>

namespace jawari {

Slides::Slides(const Wiring& wiring, double rate_hz, VoiceOutput& output)
    : wiring_(wiring), rate_hz_(rate_hz), output_(output), slides_(wiring.voices.size()) {}

void Slides::reset() noexcept {
  std::fill(slides_.begin(), slides_.end(), Slide{});
  due_ = never;
}

std::int64_t Slides::due(std::size_t voice) const noexcept {
  const Slide& s = slides_[voice];
  if (s.next == no_index) return never;
  return s.began + std::llround(wiring_.voices[voice].slides[s.next].after_s * rate_hz_);
}

void Slides::begin(std::size_t voice, std::int64_t now) noexcept {
  if (wiring_.voices[voice].slides.empty()) return;
  slides_[voice] = {now, 0};
  due_ = now;
}

void Slides::tell(std::int64_t now) noexcept {
  if (now < due_) return;
  due_ = never;
  for (std::size_t v = 0; v < slides_.size(); ++v) {
    Slide& s = slides_[v];
    for (; due(v) <= now; s.next = s.next + 1 < wiring_.voices[v].slides.size() ? s.next + 1 : no_index)
      output_.apply(wiring_.voices[v].slides[s.next].event);
    due_ = std::min(due_, due(v));
  }
}

}  // namespace jawari
