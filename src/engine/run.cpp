// SPDX-License-Identifier: MIT
#include "jawari/engine/run.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <numeric>

namespace jawari {
namespace {

double clock_s(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// How many steps to take before asking whether to go on: so many that it costs nothing, so few that the answer is
/// heard within some hundredths of a second, however long a step takes.
class ProgressPacer {
 public:
  std::int64_t steps() const noexcept { return steps_; }
  void taken() {
    const double now = clock_s(CLOCK_MONOTONIC), length = now - last_;
    if (length < 0.005) steps_ = std::min<std::int64_t>(2 * steps_, 1024);
    if (length > 0.02) steps_ = std::max<std::int64_t>(steps_ / 4, 1);
    last_ = now;
  }

 private:
  std::int64_t steps_ = 16;
  double last_ = clock_s(CLOCK_MONOTONIC);
};

}  // namespace

double thread_cpu_s() { return clock_s(CLOCK_THREAD_CPUTIME_ID); }

Run run(System& system, std::int64_t steps, std::span<RowSink* const> sinks,
        const std::function<bool(std::int64_t)>& go_on) {
  Run r;
  r.sound.reserve(static_cast<std::size_t>(steps));
  std::vector<double> row(system.channels().size()), single;
  std::vector<std::vector<double>> heard(system.pickup_count());
  std::vector<double*> tracks(heard.size());
  if (heard.size() > 1) r.tracks.resize(heard.size());
  for (auto& t : r.tracks) t.reserve(static_cast<std::size_t>(steps));
  for (auto* sink : sinks) sink->begin(system.channels(), 1 / system.dt_s(), steps);
  std::int64_t every = sinks.empty() ? steps : sinks[0]->every();
  for (auto* sink : sinks) every = std::gcd(every, sink->every());
  const bool by_steps = std::any_of(sinks.begin(), sinks.end(), [](auto* sink) { return sink->every() == 0; });
  const auto beyond = [&] {  // the sound is not finite in the step after those kept
    system.fail({Failure::Why::not_finite, Failure::Part::sound, 0, r.steps, r.steps});
  };
  const auto keep = [&](std::int64_t block) {
    const auto first = static_cast<std::size_t>(r.steps);
    for (std::size_t n = 0; n < static_cast<std::size_t>(block); ++n) {
      double sum = 0;
      for (const auto& t : heard) sum += t[n];
      if (!std::isfinite(sum)) {
        beyond();
        break;
      }
      r.sound.push_back(sum);
      ++r.steps;
    }
    const auto kept = static_cast<std::ptrdiff_t>(r.sound.size() - first);
    for (std::size_t i = 0; i < r.tracks.size(); ++i)
      r.tracks[i].insert(r.tracks[i].end(), heard[i].begin(), heard[i].begin() + kept);
  };
  const auto show = [&] {
    system.read(row);
    for (auto* sink : sinks)
      if (by_steps || (r.steps - 1) % sink->every() == 0) {
        sink->row(system.time_s(), row);
        sink->after_step(system);
      }
  };
  const auto play = [&](std::int64_t block) {  // up to the next row
    if (!sinks.empty()) block = std::min(block, r.steps == 0 ? 1 : every - (r.steps - 1) % every);
    for (std::size_t i = 0; i < heard.size(); ++i) {
      if (heard[i].size() < static_cast<std::size_t>(block)) heard[i].resize(static_cast<std::size_t>(block));
      tracks[i] = heard[i].data();
    }
    keep(system.play(block, tracks.data()));
    if (!system.failed() && !sinks.empty() && (r.steps - 1) % every == 0) show();
    return block;
  };
  const auto step = [&] {
    system.step();
    const double sound = system.sound();
    if (!std::isfinite(sound)) beyond();
    if (system.failed()) return;  // the failing step leaves no sample and no row
    r.sound.push_back(sound);
    ++r.steps;
    if (!r.tracks.empty()) {
      single.resize(r.tracks.size());
      system.read_pickups(single);
      for (std::size_t i = 0; i < single.size(); ++i) r.tracks[i].push_back(single[i]);
    }
    show();
  };
  const double start = thread_cpu_s();
  ProgressPacer breath;
  while (r.steps < steps && !r.stopped) {
    const std::int64_t block = std::min(steps - r.steps, breath.steps());
    for (std::int64_t n = 0; n < block && !system.failed();)
      if (by_steps) {
        step();
        ++n;
      } else
        n += play(block - n);
    if (system.failed()) break;
    if (go_on && !go_on(r.steps)) r.stopped = true;
    breath.taken();
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
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float x = static_cast<float>(values[i]);
    if (!min_max) {
      data[i].push_back(x);
      continue;
    }
    if (x < least_[i]) {
      least_[i] = x;
      least_first_[i] = 0;
    }
    if (x > most_[i]) {
      most_[i] = x;
      least_first_[i] = 1;
    }
  }
  if (min_max && ++filled_ == bucket_) flush();
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
