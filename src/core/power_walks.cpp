// SPDX-License-Identifier: MIT
#include "core/power_walks.h"

#include <algorithm>
#include <cmath>

namespace jawari {
namespace {

using wide::Wide;

/// (1 + x)^p by the binomial series; x <= 1/256.  256 of these are multiplied up, so 1e-24 each is plenty.
Wide near_one(Wide x, double p) noexcept {
  Wide term{1};
  Wide sum{1};
  for (int j = 0; std::abs(term.hi) > 1e-24; ++j) {
    term = over(term * x * (Wide{p} + -static_cast<double>(j)), j + 1);
    sum = sum + term;
  }
  return sum;
}

/// From 1 through the centres c_j = 1 + (2j+1)/512 to 2; each step multiplies by (c_{j+1}/c_j)^p.
PowerWalk walk(double exponent) noexcept {
  PowerWalk w;
  Wide value{1};
  double at = 1;
  for (std::size_t j = 0; j < w.cells.size(); ++j) {
    const double c = 1 + (2 * static_cast<double>(j) + 1) / 512.0;
    value = value * near_one(over(Wide{c - at}, at), exponent);
    w.cells[j] = value;
    at = c;
  }
  w.two = value * near_one(over(Wide{2 - at}, at), exponent);
  return w;
}

}  // namespace

PowerWalk PowerWalks::of(double exponent) noexcept {
  PowerWalk w;
  if (find(exponent, w)) return w;
  w = walk(exponent);
  made_.fetch_add(1, std::memory_order_relaxed);
  keep(exponent, w);
  return w;
}

bool PowerWalks::find(double exponent, PowerWalk& to) noexcept {
  if (in_use_.test_and_set(std::memory_order_acquire)) return false;
  bool found = false;
  for (std::size_t i = 0; i < filled_ && !found; ++i) {
    if (kept_[i].exponent != exponent) continue;
    to = kept_[i].walk;
    found = true;
  }
  in_use_.clear(std::memory_order_release);
  return found;
}

void PowerWalks::keep(double exponent, const PowerWalk& walk) noexcept {
  if (in_use_.test_and_set(std::memory_order_acquire)) return;
  const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(filled_);
  if (std::none_of(kept_.begin(), end, [&](const Kept& k) { return k.exponent == exponent; })) {
    kept_[next_] = {exponent, walk};
    filled_ = std::max(filled_, next_ + 1);
    next_ = (next_ + 1) % most;
  }
  in_use_.clear(std::memory_order_release);
}

PowerWalks& power_walks() noexcept {
  static constinit PowerWalks all;
  return all;
}

}  // namespace jawari
