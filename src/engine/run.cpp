// SPDX-License-Identifier: MIT
#include "jawari/engine/run.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <utility>

namespace jawari {
namespace {

double clock_s(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Between two questions whether to go on.  Not paced by a clock: where blocks end decides in which steps the ledger is
/// noted, so the ledger of a run would depend on the machine.
constexpr std::int64_t block_steps_of_run = 256;

}  // namespace

double thread_cpu_s() { return clock_s(CLOCK_THREAD_CPUTIME_ID); }

void RowSink::rows(const RowBlock& block) {
  row_.resize(block.channels.size());
  for (std::int64_t n = 0; n < block.steps; ++n) {
    for (std::size_t c = 0; c < row_.size(); ++c) row_[c] = block.channels[c][n];
    row(block.time_s(n), row_);
  }
}

namespace {

/// Plays a system in blocks, keeps the sound, and hands the readings to the sinks.
class Player {
 public:
  Player(System& system, std::int64_t steps, std::span<RowSink* const> sinks, Run& run);
  /// Up to so many steps; returns how many it tried.
  std::int64_t play(std::int64_t most);

 private:
  static constexpr std::int64_t most_rows = block_steps_of_run;
  std::int64_t block_steps(std::int64_t most) const;
  void keep_sound(std::int64_t steps);
  void hand_out(std::int64_t first, std::int64_t steps);

  System& system_;
  std::span<RowSink* const> sinks_;
  Run& run_;
  bool rows_ = false;                                  // a sink takes something of every step
  std::vector<std::vector<double>> pickups_, values_;  // per pickup, per channel: of a block
  std::vector<double*> tracks_, channels_;
  std::vector<std::vector<double>> forces_;
  std::vector<double> row_;
};

Player::Player(System& system, std::int64_t steps, std::span<RowSink* const> sinks, Run& run)
    : system_(system), sinks_(sinks), run_(run), pickups_(system.pickup_count()), row_(system.channels().size()) {
  const auto reserve = static_cast<std::size_t>(steps);
  run_.sound.reserve(reserve);
  if (pickups_.size() > 1) run_.tracks.resize(pickups_.size());
  for (auto& t : run_.tracks) t.reserve(reserve);
  tracks_.resize(pickups_.size());
  const auto any = [&](auto&& wants) {
    return std::any_of(sinks.begin(), sinks.end(), [&](auto* sink) { return sink->every() == 0 && wants(*sink); });
  };
  rows_ = any([](const RowSink&) { return true; });
  if (any([](const RowSink& s) { return s.wants_channels(); }))
    values_.assign(row_.size(), std::vector<double>(most_rows));
  for (auto& column : values_) channels_.push_back(column.data());
  if (any([](const RowSink& s) { return s.wants_forces(); }))
    for (const auto& b : system.barriers()) forces_.emplace_back(b.x_m.size());
}

/// Up to the next step after which a sink wants to be asked.
std::int64_t Player::block_steps(std::int64_t most) const {
  std::int64_t end = run_.steps + (rows_ ? std::min(most, most_rows) : most);
  for (const auto* sink : sinks_) {
    const std::int64_t every = sink->every();
    if (every > 0)
      end = std::min(end, run_.steps == 0 ? 1 : run_.steps + every - (run_.steps - 1) % every);
    else
      end = std::min(end, std::max(sink->next_reading(run_.steps), run_.steps + 1));
  }
  return end - run_.steps;
}

/// Ends with the last finite sample.
void Player::keep_sound(std::int64_t steps) {
  const auto first = run_.sound.size();
  for (std::size_t n = 0; n < static_cast<std::size_t>(steps); ++n) {
    double sum = 0;
    for (const auto& t : pickups_) sum += t[n];
    if (!std::isfinite(sum)) {
      system_.fail({Failure::Why::not_finite, Failure::Part::sound, 0, run_.steps, run_.steps});
      break;
    }
    run_.sound.push_back(sum);
    ++run_.steps;
  }
  const auto kept = static_cast<std::ptrdiff_t>(run_.sound.size() - first);
  for (std::size_t i = 0; i < run_.tracks.size(); ++i)
    run_.tracks[i].insert(run_.tracks[i].end(), pickups_[i].begin(), pickups_[i].begin() + kept);
}

void Player::hand_out(std::int64_t first, std::int64_t steps) {
  const std::int64_t played = system_.steps() - run_.steps;  // before this run
  bool read = false;
  for (auto* sink : sinks_) {
    const std::int64_t every = sink->every();
    if (every == 0) {
      if (steps > 0) sink->rows({played + first, steps, system_.dt_s(), channels_, forces_});
      if (!system_.failed() && sink->next_reading(first) == run_.steps) sink->after_step(system_);
    } else if (!system_.failed() && (run_.steps - 1) % every == 0) {
      if (!std::exchange(read, true)) system_.read(row_);
      sink->row(system_.time_s(), row_);
      sink->after_step(system_);
    }
  }
}

std::int64_t Player::play(std::int64_t most) {
  const std::int64_t block = block_steps(most);
  const auto count = static_cast<std::size_t>(block);
  for (std::size_t i = 0; i < pickups_.size(); ++i) {
    if (pickups_[i].size() < count) pickups_[i].resize(count);
    tracks_[i] = pickups_[i].data();
  }
  for (auto& f : forces_) std::fill(f.begin(), f.end(), 0.0);
  const std::int64_t first = run_.steps;
  keep_sound(system_.play(block, tracks_.data(), {channels_, forces_}));
  if (!sinks_.empty()) hand_out(first, run_.steps - first);
  return block;
}

}  // namespace

Run run(System& system, std::int64_t steps, std::span<RowSink* const> sinks,
        const std::function<bool(std::int64_t)>& go_on) {
  Run r;
  for (auto* sink : sinks) sink->begin(system.channels(), 1 / system.dt_s(), steps);
  Player player(system, steps, sinks, r);
  const double start = thread_cpu_s();
  while (r.steps < steps && !r.stopped) {
    const std::int64_t most = std::min(steps - r.steps, block_steps_of_run);
    for (std::int64_t n = 0; n < most && !system.failed();) n += player.play(most - n);
    if (system.failed()) break;
    if (go_on && !go_on(r.steps)) r.stopped = true;
  }
  r.cpu_s = thread_cpu_s() - start;
  for (auto* sink : sinks) sink->end();
  return r;
}

void MinMaxRecorder::begin(const std::vector<std::string>& names, double rate_hz, std::int64_t steps) {
  channels = names;
  data.assign(names.size(), {});
  filled_ = 0;
  min_max = steps > limit_;
  bucket_ = min_max ? (2 * steps + limit_ - 1) / limit_ : 1;
  step_s = static_cast<double>(bucket_) / rate_hz / (min_max ? 2 : 1);
  least_.assign(names.size(), std::numeric_limits<float>::infinity());
  most_.assign(names.size(), -std::numeric_limits<float>::infinity());
  least_first_.assign(names.size(), 0);
}

void MinMaxRecorder::row(double, std::span<const double> values) {
  std::vector<const double*> channels;
  for (const double& x : values) channels.push_back(&x);
  add(channels, 0, 1);
}

void MinMaxRecorder::rows(const RowBlock& block) {
  const std::vector<const double*> channels(block.channels.begin(), block.channels.end());
  for (std::int64_t n = 0; n < block.steps;) {
    const std::int64_t count = min_max ? std::min(block.steps - n, bucket_ - filled_) : block.steps;
    add(channels, n, count);
    n += count;
  }
}

void MinMaxRecorder::add(std::span<const double* const> channels, std::int64_t first, std::int64_t steps) {
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const double* const values = channels[i] + first;
    if (!min_max) {
      for (std::int64_t n = 0; n < steps; ++n) data[i].push_back(static_cast<float>(values[n]));
      continue;
    }
    float least = least_[i];
    float most = most_[i];
    char least_first = least_first_[i];
    for (std::int64_t n = 0; n < steps; ++n) {  // without branches, which nothing could predict
      const float x = static_cast<float>(values[n]);
      const bool less = x < least;
      const bool more = x > most;
      least = less ? x : least;
      most = more ? x : most;
      least_first = more ? 1 : less ? 0 : least_first;
    }
    least_[i] = least;
    most_[i] = most;
    least_first_[i] = least_first;
  }
  if (!min_max) return;
  filled_ += steps;
  if (filled_ == bucket_) flush();
}

void MinMaxRecorder::end() {
  if (min_max && filled_ > 0) flush();
}

void MinMaxRecorder::flush() {
  for (std::size_t i = 0; i < data.size(); ++i) {
    data[i].push_back(least_first_[i] ? least_[i] : most_[i]);
    data[i].push_back(least_first_[i] ? most_[i] : least_[i]);
    least_[i] = std::numeric_limits<float>::infinity();
    most_[i] = -least_[i];
  }
  filled_ = 0;
}

}  // namespace jawari
