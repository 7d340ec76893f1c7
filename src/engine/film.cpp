// SPDX-License-Identifier: MIT
#include "jawari/engine/film.h"

#include <algorithm>
#include <cmath>

namespace jawari {
namespace {

constexpr long most_columns = 900;

void keep_largest(std::vector<float>& into, std::span<const double> phi) {
  for (std::size_t i = 0; i < phi.size(); ++i) into[i] = std::max(into[i], static_cast<float>(std::abs(phi[i])));
}

}  // namespace

void StringFilm::begin(const std::vector<std::string>&, double rate_hz, long steps) {
  first_ = std::clamp(std::lround(choice_.from_s * rate_hz), 0L, std::max(steps - 1, 0L));
  const long length = std::max(1L, std::min(std::lround(choice_.length_s * rate_hz), steps - first_));
  every_ = std::max(1L, (length + choice_.frames - 1) / choice_.frames), last_ = first_ + length;
  bucket_ = std::max(1L, (steps + most_columns - 1) / most_columns);
  start_s = static_cast<double>(first_) / rate_hz, step_s = static_cast<double>(every_) / rate_hz;
  step_ = 0;
}

void StringFilm::look(const System& system) {
  const auto& strings = system.strings();
  const auto& barriers = system.barriers();
  if (step_ == 0) {
    shapes.assign(strings.size(), {}), forces.assign(barriers.size(), {}), since_.assign(barriers.size(), {});
    touch_film.assign(barriers.size(), {step_s}),
        touch_all.assign(barriers.size(), {static_cast<double>(bucket_) * system.dt_s()});
    for (std::size_t b = 0; b < barriers.size(); ++b) since_[b].assign(barriers[b].x_m.size(), 0.0f);
  }
  const long n = step_++;
  const bool filmed = n >= first_ && n < last_, frame = filmed && (n - first_) % every_ == 0;
  for (std::size_t b = 0; b < barriers.size(); ++b) {
    const auto phi = system.point_forces(b);
    auto& all = touch_all[b].columns;
    if (n % bucket_ == 0) all.emplace_back(phi.size(), 0.0f);
    keep_largest(all.back(), phi);
    if (!filmed) continue;
    keep_largest(since_[b], phi);
    if (frame) {
      forces[b].push_back(since_[b]), touch_film[b].columns.push_back(since_[b]);
      std::fill(since_[b].begin(), since_[b].end(), 0.0f);
    }
  }
  if (!frame) return;
  for (std::size_t s = 0; s < strings.size(); ++s) {
    scratch_.resize(strings[s].x_m.size());
    system.read_shape(s, scratch_);
    shapes[s].emplace_back(scratch_.begin(), scratch_.end());
  }
}

}  // namespace jawari
