// SPDX-License-Identifier: MIT
#include "jawari/engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jawari/core/denormals.h"
#include "jawari/core/elementary.h"
#include "jawari/engine/compile.h"

namespace jawari {
namespace {

constexpr std::size_t ledger_values = 12, failure_values = 5;  // in the order of publish()

std::size_t checked(std::string_view name, int value, int least, int most) {
  if (value < least || value > most)
    throw not_allowed(std::string(name), fmt::format("options.{}", name), fmt::format("{}", value),
                      fmt::format("lie in [{}, {}]", least, most));
  return static_cast<std::size_t>(value);
}
/// Equal power.
double pan_gain(std::size_t channel, double pan) noexcept {
  const double angle = (pan + 1) * std::numbers::pi / 4;
  return channel == 0 ? elementary::cos(angle) : elementary::sin(angle);
}

}  // namespace

Engine::Engine(const Scene& scene, const EngineOptions& options)
    : Engine(compile_model(scene, options.kernels), options) {}

Engine::Engine(std::shared_ptr<const Model> model, const EngineOptions& options)
    : rate_(model->rate_hz),
      oversample_(static_cast<std::size_t>(model->steps_per_sample)),
      world_(std::make_unique<World>(std::move(model), static_cast<std::size_t>(std::max(options.threads, 1)))),
      input_(world_->model().inputs, oversample_, chunk_frames),
      pool_(checked("threads", options.threads, 1, static_cast<int>(ThreadPool::most_threads()))) {
  const std::size_t pickups = world_->pickup_count();
  separate_ = options.channels == 0;
  channels_ = checked("channels", options.channels, 0, 2);
  if (separate_) channels_ = std::max<std::size_t>(pickups, 1);
  for (const PickupInfo& t : world_->pickups()) {
    const double left = pan_gain(0, t.pan);
    const double right = pan_gain(1, t.pan);
    pan_.push_back({{0, 0}, {left, right}, 0});
  }
  tracks_.assign(pickups, std::vector<double>(chunk_frames * oversample_));
  for (auto& t : tracks_) track_.push_back(t.data());
  mix_.assign(channels_, std::vector<double>(chunk_frames));
  sum_.resize(chunk_frames * oversample_);
  decimators_.assign(channels_, Decimator(oversample_));
  latency_ = decimators_[0].delay();
  queue_.resize(EventQueue::capacity);
  met_ = std::vector<std::atomic<bool>>(world_->units().count());
  account_values_.resize(2 * world_->model().accounts());
  shown_ = std::vector<std::atomic<double>>(1 + failure_values + ledger_values + account_values_.size() +
                                            4 * world_->model().contacts.size() + world_->model().parameters.size());
  world_->audit_every(0);
  failed_ = world_->failed();
  publish();
  Fingerprint f;
  f.add(world_->model().fingerprint);
  f.add(channels_);
  f.add(separate_);
  f.add(oversample_);
  Archive count = Archive::counting();
  archive(count);
  state_bytes_ = sizeof(StateHead) + count.bytes();
  f.add(state_bytes_);
  fingerprint_ = f.value();
  first_state_.resize(state_bytes_);
  first_state_.resize(save(first_state_));
}

void Engine::archive(Archive& a) noexcept {
  a.index(position_, chunk_frames - 1);
  for (auto& d : decimators_) d.archive(a);
  a(pan_, silent_frames_);
  input_.archive(a);
  world_->archive(a);
}

std::size_t Engine::save(std::span<std::byte> to) noexcept {
  post_all();
  if (to.size() < sizeof(StateHead)) return 0;
  Archive a = Archive::writing(to.subspan(sizeof(StateHead)));
  archive(a);
  if (!a.good()) return 0;
  const std::size_t bytes = sizeof(StateHead) + a.bytes();
  StateHead::write(to.first(bytes), fingerprint_);
  return bytes;
}

bool Engine::read(std::span<const std::byte> state) noexcept {
  Archive a = Archive::reading(state.subspan(sizeof(StateHead)));
  archive(a);
  read_.store(written_.load());
  accepted_.store(world_->waiting_events());
  failed_ = world_->failed();
  publish();
  return a.good() && a.bytes() == state.size() - sizeof(StateHead);
}

void Engine::reset() noexcept { read(first_state_); }

StateError Engine::load(std::span<const std::byte> state) noexcept {
  const StateError error = StateHead::check(state, fingerprint_);
  if (error != StateError::none) return error;
  if (read(state)) return StateError::none;
  reset();
  return StateError::damaged;
}

void Engine::process(float* const* out, std::size_t frames, SoundIn<float> in) noexcept {
  process_any(out, frames, in);
}
void Engine::process(double* const* out, std::size_t frames, SoundIn<double> in) noexcept {
  process_any(out, frames, in);
}

void Engine::post_all() noexcept {
  const std::size_t end = written_.load(std::memory_order_acquire);
  std::size_t at = read_.load(std::memory_order_relaxed);
  for (; at != end; ++at) {
    const Posted& p = queue_[at % queue_.size()];
    if (!world_->events().post(static_cast<std::int64_t>(p.offset) * static_cast<std::int64_t>(oversample_), p.event))
      settle_events(1);
  }
  read_.store(at, std::memory_order_relaxed);
}

template <class T>
void Engine::process_any(T* const* out, std::size_t frames, SoundIn<T> in) noexcept {
  const FlushDenormals flushed;
  post_all();
  if (failed_) {
    settle_events(world_->waiting_events());
    world_->events().clear();
  }
  for (std::size_t done = 0; done < frames;) {
    const std::size_t n = std::min(frames - done, chunk_frames - position_);
    if (input_.channels() > 0) {
      input_.read(in, done, n);
      world_->take_input(input_.steps(), static_cast<std::int64_t>(n * oversample_));
    }
    if (!failed_) chunk(n);
    bool finite = !world_->failed();
    for (std::size_t c = 0; c < channels_ && finite; ++c)
      for (std::size_t i = 0; i < n; ++i) {
        out[c][done + i] = static_cast<T>(mix_[c][i]);
        finite &= out[c][done + i] - out[c][done + i] == 0;
      }
    silent_frames_ = world_->asleep() ? silent_frames_ + n : 0;
    if (!finite) return be_silent(out, frames);
    done += n;
    position_ += n;
    if (position_ < chunk_frames) continue;
    position_ = 0;
    world_->audit();
    if (world_->failed()) return be_silent(out, frames);
    publish();
  }
}

/// The motion has failed, or what it sounds like is beyond the numbers of T.
template <class T>
void Engine::be_silent(T* const* out, std::size_t frames) noexcept {
  for (std::size_t c = 0; c < channels_; ++c) std::fill_n(out[c], frames, T(0));
  if (failed_) return;
  failed_ = true;
  const std::int64_t last = world_->steps() - 1;
  world_->fail({Failure::Why::not_finite, Failure::Part::sound, 0, last - chunk_steps_ + 1, last});  // or what it said
  publish();
}

/// So many events have happened, or never will: there is room for others.
void Engine::settle_events(std::size_t count) noexcept {
  if (count > 0) accepted_.fetch_sub(count, std::memory_order_release);
}

void Engine::chunk(std::size_t frames) noexcept {
  chunk_steps_ = static_cast<std::int64_t>(frames * oversample_);
  const std::size_t waiting = world_->waiting_events();
  world_->units().announce(chunk_steps_);
  play_units(position_ + frames == chunk_frames);
  world_->units().done(chunk_steps_);
  settle_events(waiting - world_->waiting_events());
  const std::size_t steps = frames * oversample_;
  for (std::size_t c = 0; c < channels_; ++c) {
    std::fill_n(sum_.begin(), steps, 0.0);
    for (std::size_t t = 0; t < tracks_.size(); ++t) {  // one track after another: no jumping about in memory
      const double* track = track_[t];
      if (separate_ && t == c) std::copy_n(track, steps, sum_.begin());
      if (!separate_ && !world_->silent(t)) mix(c, t, steps);
    }
    for (std::size_t i = 0, n = 0; i < frames; ++i) {
      for (std::size_t k = 0; k < oversample_; ++k, ++n) decimators_[c].push(sum_[n]);
      mix_[c][i] = decimators_[c].value();
    }
  }
  for (Panned& p : pan_)
    if (p.steps > 0) p.steps = std::max<std::int64_t>(0, p.steps - chunk_steps_);
}

/// A gain on its way is counted back from its goal, so that it does not depend on the blocks.
void Engine::mix(std::size_t channel, std::size_t pickup, std::size_t steps) noexcept {
  const double* track = track_[pickup];
  const Panned& p = pan_[pickup];
  const double goal = channels_ == 1 ? 1 : p.goal[channel];
  std::size_t n = 0;
  if (channels_ > 1)
    for (; n < steps && static_cast<std::int64_t>(n) < p.steps; ++n)
      sum_[n] += (goal - p.step[channel] * static_cast<double>(p.steps - static_cast<std::int64_t>(n) - 1)) * track[n];
  for (; n < steps; ++n) sum_[n] += goal * track[n];
}

void Engine::set_pan(std::size_t pickup, double pan, std::int64_t frames) noexcept {
  Panned& p = pan_[pickup];
  const std::int64_t steps = std::max<std::int64_t>(frames, 1) * static_cast<std::int64_t>(oversample_);
  for (const std::size_t c : {0u, 1u}) {
    const double now = p.goal[c] - p.step[c] * static_cast<double>(p.steps);
    p.goal[c] = pan_gain(c, pan);
    p.step[c] = (p.goal[c] - now) / static_cast<double>(steps);
  }
  p.steps = steps;
}

/// With several threads the last quarter of a chunk is a job of its own, which shortens the wait for the slowest thread
/// at the end.  The jobs of the beginning and of the end of a unit may be taken in any order: the second of the two
/// plays the end.
void Engine::play_units(bool measure) noexcept {
  const std::size_t units = world_->units().count();
  const bool parts = pool_.threads() > 1 && units > 1 && chunk_steps_ >= 4 * shortest_visit;
  chunk_middle_ = parts ? chunk_steps_ - chunk_steps_ / 4 : chunk_steps_;
  measure_ = measure;
  for (auto& m : met_) m.store(false, std::memory_order_relaxed);
  pool_.run(units, parts ? 2 : 1, [this](std::size_t unit, std::size_t part) noexcept {
    if (part == 0) world_->units().play(unit, 0, chunk_middle_, chunk_steps_, track_.data());
    if (chunk_middle_ < chunk_steps_) {
      if (!met_[unit].exchange(true, std::memory_order_acq_rel)) return;
      world_->units().play(unit, chunk_middle_, chunk_steps_, chunk_steps_, track_.data());
    }
    if (measure_) world_->units().measure(unit);
  });
}

bool Engine::send(const Event& event, std::uint32_t offset) noexcept {
  if (!world_->model().takes(event)) return false;
  if (accepted_.load(std::memory_order_acquire) >= EventQueue::capacity) return false;
  accepted_.fetch_add(1, std::memory_order_relaxed);
  const std::size_t at = written_.load(std::memory_order_relaxed);
  queue_[at % queue_.size()] = {event, offset};
  written_.store(at + 1, std::memory_order_release);
  return true;
}

}  // namespace jawari
