// SPDX-License-Identifier: MIT
#include "jawari/engine/motion_recorder.h"

#include <algorithm>
#include <cmath>

namespace jawari {
namespace {

constexpr std::int64_t most_columns = 900;
constexpr std::int64_t frames_of_shapes = 300, frames_of_points = 1500;  // of the whole run; points are cheap

void keep_largest(std::vector<float>& into, std::span<const double> force) {
  for (std::size_t i = 0; i < force.size(); ++i) into[i] = std::max(into[i], static_cast<float>(force[i]));
}
std::int64_t spacing(std::int64_t steps, std::int64_t frames) {
  return std::max<std::int64_t>(1, (steps + frames - 1) / frames);
}

}  // namespace

void MotionRecorder::begin(const std::vector<std::string>& channels, double rate_hz, std::int64_t steps) {
  steps_ = steps;
  step_ = 0;
  hardest_ = 0;
  first_ = options_.from_s < 0 ? 0
                               : std::clamp<std::int64_t>(std::llround(options_.from_s * rate_hz), 0,
                                                          std::max<std::int64_t>(steps - 1, 0));
  length_ =
      std::max<std::int64_t>(1, std::min<std::int64_t>(std::llround(options_.length_s * rate_hz), steps - first_));
  last_ = first_ + length_;
  every_ = spacing(length_, options_.frames);
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

/// Up to the next step that is drawn.  While a contact may open a close-up, blocks are as short as its frames.
std::int64_t MotionRecorder::next_reading(std::int64_t done) const noexcept {
  if (done == 0) return 1;
  std::int64_t next = energy.next(done) + 1;
  if (shapes_ == 0) return next;
  const auto multiple = [&](std::int64_t of, std::int64_t from) {  // the first from + k of that is not before `done`
    return from + std::max<std::int64_t>(0, (done - from + of - 1) / of) * of;
  };
  next = std::min({next, multiple(whole_every_, 0) + 1, (done / bucket_ + 1) * bucket_});
  if (done < first_) return std::min(next, first_);
  if (done < last_) return std::min({next, multiple(every_, first_) + 1, last_});
  return options_.from_s < 0 ? std::min(next, done + every_) : next;
}

void MotionRecorder::read_points(const RowBlock& block, std::int64_t n) {
  for (std::size_t i = 0; i < points.size(); ++i) height_[i] = static_cast<float>(block.channels[point_channel_[i]][n]);
  push_ = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double f = std::abs(block.channels[push_channel_[i]][n]);
    push_ += f;
    if (step_ == 0) continue;  // nothing is open yet
    for (Since* since : {&close_since_, &whole_since_})
      since->pushes[i] = std::max(since->pushes[i], static_cast<float>(f));
  }
  block_push_ = std::max(block_push_, push_);
}

void MotionRecorder::rows(const RowBlock& block) {
  energy.rows(block);
  block_push_ = 0;
  block_forces_ = block.largest_force_N;
  const bool opened = step_ > 0;
  for (std::int64_t n = 0; n < block.steps; ++n) {
    read_points(block, n);
    if (opened && shapes_ == 0) film(step_ + n, push_, nullptr);
  }
  if (opened) keep_forces(block.largest_force_N, step_ % bucket_ == 0);
  if (opened) step_ += block.steps;
}

void MotionRecorder::keep_forces(std::span<const std::vector<double>> forces, bool fresh) {
  const bool filmed = step_ >= first_ && step_ < last_;
  for (std::size_t b = 0; b < touches.size(); ++b) {
    auto& all = touches[b].columns;
    if (fresh) all.emplace_back(barrier_points_[b], 0.0f);
    keep_largest(all.back(), forces[b]);
    keep_largest(whole_since_.forces[b], forces[b]);
    if (filmed) keep_largest(close_since_.forces[b], forces[b]);
  }
}

void MotionRecorder::begin(const System& system) {
  const auto& barriers = system.barriers();
  shapes_ = system.shapes().size();
  dt_s_ = system.dt_s();
  whole_every_ = spacing(steps_, shapes_ == 0 ? frames_of_points : frames_of_shapes);
  whole.start_s = 0;
  whole.step_s = static_cast<double>(whole_every_) * dt_s_;
  touches.assign(barriers.size(), {static_cast<double>(bucket_) * dt_s_});
  barrier_points_.clear();
  for (const auto& b : barriers) barrier_points_.push_back(b.x_m.size());
  open(whole, whole_since_);
  open(close, close_since_);
  step_ = 1;
}

void MotionRecorder::open(Recording& reel, Since& since) const {
  reel.shapes.assign(shapes_, {});
  reel.forces.assign(barrier_points_.size(), {});
  reel.heights.assign(points.size(), {});
  reel.pushes.assign(contacts.size(), {});
  since.forces.assign(barrier_points_.size(), {});
  since.pushes.assign(contacts.size(), 0.0f);
  for (std::size_t b = 0; b < barrier_points_.size(); ++b) since.forces[b].assign(barrier_points_[b], 0.0f);
}

/// After step n.  Scenes with shapes come here at the end of a block only, with the largest push of the block.
void MotionRecorder::film(std::int64_t n, double push, const System* system) {
  if (options_.from_s < 0 && n >= last_ && push > 2 * hardest_ && n + length_ / 2 <= steps_) {
    first_ = n;
    last_ = std::min(n + length_, steps_);
    hardest_ = 0;
    open(close, close_since_);
    for (std::size_t b = 0; b < block_forces_.size(); ++b) keep_largest(close_since_.forces[b], block_forces_[b]);
  }
  const bool filmed = n >= first_ && n < last_;
  if (filmed) hardest_ = std::max(hardest_, push);
  if (n == first_) close.start_s = static_cast<double>(first_) * dt_s_;
  if (n % whole_every_ == 0) keep(whole, whole_since_, system);
  if (filmed && (n - first_) % every_ == 0) keep(close, close_since_, system);
}

void MotionRecorder::after_step(const System& system) {
  const bool begins = step_ == 0;
  if (begins) begin(system);
  const std::int64_t n = step_ - 1;
  energy.measure(system, n);
  if (begins) {
    const auto& barriers = system.barriers();
    std::vector<std::vector<double>> forces;
    for (std::size_t b = 0; b < barriers.size(); ++b) {
      const auto phi = system.point_forces(b);
      forces.emplace_back(phi.begin(), phi.end());
      for (double& f : forces.back()) f = std::abs(f);
    }
    step_ = 0;
    keep_forces(forces, true);
    step_ = 1;
  }
  if (begins || shapes_ > 0) film(n, block_push_, &system);
}

void MotionRecorder::keep(Recording& reel, Since& since, const System* system) {
  for (std::size_t s = 0; s < shapes_; ++s) {
    scratch_.resize(system->shapes()[s].x_m.size());
    system->read_shape(s, scratch_);
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
