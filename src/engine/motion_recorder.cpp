// SPDX-License-Identifier: MIT
#include "jawari/engine/motion_recorder.h"

#include <algorithm>
#include <cmath>

namespace jawari {
namespace {

constexpr std::int64_t most_columns = 900;
constexpr std::int64_t frames_of_shapes = 300, frames_of_points = 1500;  // of the whole run; points are cheap

void keep_largest(std::vector<float>& into, std::span<const double> phi) {
  for (std::size_t i = 0; i < phi.size(); ++i) into[i] = std::max(into[i], static_cast<float>(std::abs(phi[i])));
}
std::int64_t spacing(std::int64_t steps, std::int64_t frames) {
  return std::max<std::int64_t>(1, (steps + frames - 1) / frames);
}

}  // namespace

void MotionRecorder::begin(const std::vector<std::string>& channels, double rate_hz, std::int64_t steps) {
  steps_ = steps;
  step_ = 0;
  hardest_ = 0;
  first_ = choice_.from_s < 0 ? 0
                              : std::clamp<std::int64_t>(std::llround(choice_.from_s * rate_hz), 0,
                                                         std::max<std::int64_t>(steps - 1, 0));
  length_ = std::max<std::int64_t>(1, std::min<std::int64_t>(std::llround(choice_.length_s * rate_hz), steps - first_));
  last_ = first_ + length_;
  every_ = spacing(length_, choice_.frames);
  bucket_ = spacing(steps, most_columns);
  close.step_s = static_cast<double>(every_) / rate_hz;

  points.clear();
  contacts.clear();
  point_channel_.clear();
  push_channel_.clear();
  const auto stem = [](const std::string& name, std::string_view suffix) {
    return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : std::string();
  };
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (auto name = stem(channels[i], ".displacement_m"); !name.empty()) {
      points.push_back(name);
      point_channel_.push_back(i);
    }
    auto name = stem(channels[i], ".force_N");  // strings on their supports have no compression
    if (!name.empty() && std::find(channels.begin(), channels.end(), name + ".compression_m") != channels.end()) {
      contacts.push_back(name);
      push_channel_.push_back(i);
    }
  }
  height_.assign(points.size(), 0.0f);
  energy.begin(channels, rate_hz, steps);
}

void MotionRecorder::row(double, std::span<const double> values) {
  energy.row(values);
  for (std::size_t i = 0; i < points.size(); ++i) height_[i] = static_cast<float>(values[point_channel_[i]]);
  push_ = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double f = std::abs(values[push_channel_[i]]);
    push_ += f;
    if (step_ == 0) continue;  // nothing is open yet
    for (Since* since : {&close_since_, &whole_since_})
      since->pushes[i] = std::max(since->pushes[i], static_cast<float>(f));
  }
}

void MotionRecorder::open(Recording& reel, Since& since, const System& system) const {
  const auto& barriers = system.barriers();
  reel.shapes.assign(system.shapes().size(), {});
  reel.forces.assign(barriers.size(), {});
  reel.heights.assign(points.size(), {});
  reel.pushes.assign(contacts.size(), {});
  since.forces.assign(barriers.size(), {});
  since.pushes.assign(contacts.size(), 0.0f);
  for (std::size_t b = 0; b < barriers.size(); ++b) since.forces[b].assign(barriers[b].x_m.size(), 0.0f);
}

void MotionRecorder::after_step(const System& system) {
  energy.look(system);
  const auto& barriers = system.barriers();
  if (step_ == 0) {
    whole_every_ = spacing(steps_, system.shapes().empty() ? frames_of_points : frames_of_shapes);
    whole.start_s = 0;
    whole.step_s = static_cast<double>(whole_every_) * system.dt_s();
    touches.assign(barriers.size(), {static_cast<double>(bucket_) * system.dt_s()});
    open(whole, whole_since_, system);
    open(close, close_since_, system);
  }
  const std::int64_t n = step_++;
  if (choice_.from_s < 0 && n >= last_ && push_ > 2 * hardest_ && n + length_ / 2 <= steps_) {
    first_ = n;
    last_ = std::min(n + length_, steps_);
    hardest_ = 0;
    open(close, close_since_, system);
  }
  const bool filmed = n >= first_ && n < last_;
  if (filmed) hardest_ = std::max(hardest_, push_);
  if (n == first_) close.start_s = static_cast<double>(first_) * system.dt_s();
  for (std::size_t b = 0; b < barriers.size(); ++b) {
    const auto phi = system.point_forces(b);
    auto& all = touches[b].columns;
    if (n % bucket_ == 0) all.emplace_back(phi.size(), 0.0f);
    keep_largest(all.back(), phi);
    keep_largest(whole_since_.forces[b], phi);
    if (filmed) keep_largest(close_since_.forces[b], phi);
  }
  if (n % whole_every_ == 0) keep(whole, whole_since_, system);
  if (filmed && (n - first_) % every_ == 0) keep(close, close_since_, system);
}

void MotionRecorder::keep(Recording& reel, Since& since, const System& system) {
  const auto& strings = system.shapes();
  for (std::size_t s = 0; s < strings.size(); ++s) {
    scratch_.resize(strings[s].x_m.size());
    system.read_shape(s, scratch_);
    reel.shapes[s].emplace_back(scratch_.begin(), scratch_.end());
  }
  for (std::size_t b = 0; b < since.forces.size(); ++b) {
    reel.forces[b].push_back(since.forces[b]);
    std::fill(since.forces[b].begin(), since.forces[b].end(), 0.0f);
  }
  for (std::size_t i = 0; i < points.size(); ++i) reel.heights[i].push_back(height_[i]);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    reel.pushes[i].push_back(since.pushes[i]);
    since.pushes[i] = 0;
  }
}

}  // namespace jawari
