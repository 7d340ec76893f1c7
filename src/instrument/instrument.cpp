// SPDX-License-Identifier: MIT
#include "jawari/instrument.h"

#include <algorithm>
#include <array>

#include "player.h"

namespace jawari {
namespace {

constexpr unsigned fresh = 4;  // beside the number of a slot

}  // namespace

Instrument::Instrument(const Scene& scene, const InstrumentOptions& options)
    : voiced_(build_voices(scene, options.range)),
      engine_(voiced_.scene, {options.channels, options.threads, options.kernels}),
      output_(std::make_unique<EngineOutput>(engine_)),
      player_(std::make_unique<Player>(engine_.world().model(), voiced_, *output_)),
      queue_(queue_events) {
  for (const auto& s : voiced_.sets) tail_s_ = std::max(tail_s_, s.spec.tail_s);
}

Instrument::~Instrument() = default;

std::size_t Instrument::voices() const noexcept { return player_->voices(); }
const std::vector<ControlInfo>& Instrument::controls() const noexcept { return player_->controls().list(); }
double Instrument::control(std::size_t index) const noexcept { return player_->controls().value(index); }
bool Instrument::silent() const noexcept { return !player_->waiting() && engine_.silent(); }
std::size_t Instrument::sounding() const noexcept { return player_->sounding(); }
std::uint64_t Instrument::ignored() const noexcept { return player_->ignored(); }

void Instrument::process(float* const* out, std::size_t frames, std::span<const NoteEvent> events,
                         SoundIn<float> in) noexcept {
  process_any(out, frames, events, in);
}
void Instrument::process(double* const* out, std::size_t frames, std::span<const NoteEvent> events,
                         SoundIn<double> in) noexcept {
  process_any(out, frames, events, in);
}

template <class T>
void Instrument::process_any(T* const* out, std::size_t frames, std::span<const NoteEvent> events,
                             SoundIn<T> in) noexcept {
  in = in.first(std::min(in.size(), SoundInput::most_channels));
  receive();
  std::size_t at = 0;
  for (const NoteEvent& e : events) {
    play(out, in, at, std::min<std::size_t>(e.frame, frames));
    player_->handle(e);
  }
  play(out, in, at, frames);
  player_->find_ended();
}

/// From frame `at` on, which moves to `to` unless it is there already.
template <class T>
void Instrument::play(T* const* out, SoundIn<T> in, std::size_t& at, std::size_t to) noexcept {
  while (at < to) {
    player_->send_changes();
    const auto n =
        static_cast<std::size_t>(std::min<std::int64_t>(static_cast<std::int64_t>(to - at), player_->until_due()));
    std::array<T*, 2> channel = {};
    for (std::size_t c = 0; c < channels(); ++c) channel[c] = out[c] + at;
    std::array<const T*, SoundInput::most_channels> sound = {};
    for (std::size_t c = 0; c < in.size(); ++c) sound[c] = in[c] + at;
    engine_.process(channel.data(), n, {sound.data(), in.size()});
    player_->advance(static_cast<std::int64_t>(n));
    at += n;
  }
}

bool Instrument::send(const NoteEvent& event) noexcept {
  const std::size_t at = written_.load(std::memory_order_relaxed);
  if (at - read_.load(std::memory_order_acquire) >= queue_events) return false;
  queue_[at % queue_events] = event;
  written_.store(at + 1, std::memory_order_release);
  return true;
}

void Instrument::set_tuning(const KeyTuning& tuning) noexcept {
  tunings_[tuning_write_] = tuning;
  tuning_write_ = tuning_waits_.exchange(tuning_write_ | fresh, std::memory_order_acq_rel) & ~fresh;
}

void Instrument::retune(const KeyTuning& tuning) noexcept { player_->set_tuning(tuning); }
std::span<const NoteEvent> Instrument::ended() const noexcept { return player_->ended(); }
void Instrument::clear_ended() noexcept { player_->clear_ended(); }

void Instrument::receive() noexcept {
  if (tuning_waits_.load(std::memory_order_relaxed) & fresh) {
    tuning_read_ = tuning_waits_.exchange(tuning_read_, std::memory_order_acq_rel) & ~fresh;
    player_->set_tuning(tunings_[tuning_read_]);
  }
  const std::size_t end = written_.load(std::memory_order_acquire);
  std::size_t at = read_.load(std::memory_order_relaxed);
  for (; at != end; ++at) player_->handle(queue_[at % queue_events]);
  read_.store(at, std::memory_order_release);
}

void Instrument::reset() noexcept {
  engine_.reset();
  player_->reset();
  read_.store(written_.load());
}

}  // namespace jawari
