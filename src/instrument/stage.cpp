// SPDX-License-Identifier: MIT
#include "jawari/instrument/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jawari/core/elementary.h"

namespace jawari {

Stage::Stage(std::unique_ptr<Instrument> first)
    : channels_(first->channels()), rate_hz_(first->rate_hz()), now_(first.release()) {
  const auto frames = static_cast<std::size_t>(std::max(1.0, std::floor(fade_s * rate_hz_ + 0.5)));
  for (std::size_t i = 0; i < frames; ++i) {  // equal power: the two have nothing to do with one another
    const double angle = (static_cast<double>(i) + 0.5) / static_cast<double>(frames) * std::numbers::pi / 2;
    rising_.push_back(elementary::sin(angle));
    falling_.push_back(elementary::cos(angle));
  }
  for (auto& b : block_) b.resize(piece);
}

Stage::~Stage() {
  delete now_.load();
  delete old_;
  delete next_.load();
  delete done_.load();
}

void Stage::exchange(std::unique_ptr<Instrument> next) {
  if (next->channels() != channels_ || next->rate_hz() != rate_hz_)
    throw InputError("rate_hz",
                     fmt::format("the instrument has {} channels at {:g} Hz, but must have {} at {:g} Hz",
                                 next->channels(), next->rate_hz(), channels_, rate_hz_),
                     fmt::format("{} channels at {:g} Hz", next->channels(), next->rate_hz()),
                     fmt::format("have {} channels at {:g} Hz", channels_, rate_hz_));
  collect();
  delete next_.exchange(next.release(), std::memory_order_acq_rel);
}

void Stage::collect() noexcept { delete done_.exchange(nullptr, std::memory_order_acq_rel); }

/// Only while nothing fades, and the one that faded last has been fetched.
bool Stage::take_up() noexcept {
  if (old_ || done_.load(std::memory_order_acquire) || !next_.load(std::memory_order_relaxed)) return false;
  Instrument* next = next_.exchange(nullptr, std::memory_order_acq_rel);
  if (!next) return false;
  old_ = now_.exchange(next, std::memory_order_acq_rel);
  faded_ = 0;
  return true;
}

template <class T>
void Stage::process(T* const* out, std::size_t frames, std::span<const NoteEvent> events, SoundIn<T> in) noexcept {
  take_up();
  play(out, frames, events, in);
}

template <class T>
void Stage::play(T* const* out, std::size_t frames, std::span<const NoteEvent> events, SoundIn<T> in) noexcept {
  playing().process(out, frames, events, in);
  if (old_) fade(out, frames);
}

template <class T>
void Stage::fade(T* const* out, std::size_t frames) noexcept {
  std::size_t at = 0;
  while (at < frames && faded_ < rising_.size()) {
    const std::size_t n = std::min({frames - at, rising_.size() - faded_, piece});
    double* old[] = {block_[0].data(), block_[1].data()};
    old_->process(old, n);
    for (std::size_t c = 0; c < channels_; ++c)
      for (std::size_t i = 0; i < n; ++i)
        out[c][at + i] = static_cast<T>(rising_[faded_ + i] * static_cast<double>(out[c][at + i]) +
                                        falling_[faded_ + i] * block_[c][i]);
    at += n;
    faded_ += n;
  }
  if (faded_ < rising_.size()) return;
  done_.store(old_, std::memory_order_release);
  old_ = nullptr;
}

template void Stage::process(float* const*, std::size_t, std::span<const NoteEvent>, SoundIn<float>) noexcept;
template void Stage::process(double* const*, std::size_t, std::span<const NoteEvent>, SoundIn<double>) noexcept;
template void Stage::play(float* const*, std::size_t, std::span<const NoteEvent>, SoundIn<float>) noexcept;
template void Stage::play(double* const*, std::size_t, std::span<const NoteEvent>, SoundIn<double>) noexcept;

}  // namespace jawari
