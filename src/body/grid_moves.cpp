// SPDX-License-Identifier: MIT
// Taps of a string on a grid that move along it.
#include <algorithm>
#include <cmath>

#include "jawari/body/string_grid.h"

namespace jawari {

/// Two nodes beyond those that a cubic reads at either end: near the supports it is shifted inwards.
void StringGrid::allow_moves(std::size_t tap, double least_m, double most_m) {
  if (reach_.empty())
    for (const Spread& p : extra_) reach_.emplace_back(p.first, p.count);
  const auto node = [&](double x) { return static_cast<std::size_t>(std::max(0.0, x)); };
  const std::size_t four = std::min<std::size_t>(4, n_);
  const std::size_t first = std::min(node(std::floor(least_m / h_) - 4), n_ - four);
  const std::size_t last = std::clamp(node(std::ceil(most_m / h_) + 3), four, n_);
  reach_[tap - n_] = {first, last - first};
}

std::pair<std::size_t, std::size_t> StringGrid::reach(std::size_t tap) const noexcept {
  if (tap >= n_ && !reach_.empty()) return reach_[tap - n_];
  const Spread p = at(tap);
  return {p.first, p.count};
}

bool StringGrid::coupled(std::size_t tap, std::size_t other) const noexcept {
  if (!explicit_step()) return true;
  const auto [a, count] = reach(tap);
  const auto [b, others] = reach(other);
  return a < b + others && b < a + count;
}

void StringGrid::move_tap(std::size_t tap, double x_m) noexcept {
  Spread& p = extra_[tap - n_];
  p = spread({StringTap::point, x_m});
  w[tap] = read(p, w.data());
  d[tap] = read(p, d.data());
  if (!column_[tap].empty()) fill_column(tap);
}

}  // namespace jawari
