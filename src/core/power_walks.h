// SPDX-License-Identifier: MIT
// What of a fitted power does not depend on its factor: c^p of the mantissa cells and 2^p.  It takes most of the time
// of a set-up, and the contacts of a scene have few exponents, so the last walks are kept.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/double_double.h"

namespace jawari {

struct PowerWalk {
  std::array<wide::Wide, 256> cells;
  wide::Wide two;
};

/// From any number of threads, without waiting or allocating: a call that finds the memory in use makes its own walk.
class PowerWalks {
 public:
  PowerWalk of(double exponent) noexcept;
  std::uint64_t made() const noexcept { return made_.load(std::memory_order_relaxed); }  ///< walks computed so far

 private:
  static constexpr std::size_t most = 16;
  struct Kept {
    double exponent = 0;
    PowerWalk walk;
  };
  bool find(double exponent, PowerWalk& to) noexcept;
  void keep(double exponent, const PowerWalk& walk) noexcept;
  std::array<Kept, most> kept_;
  std::size_t filled_ = 0, next_ = 0;
  std::atomic_flag in_use_ = ATOMIC_FLAG_INIT;
  std::atomic<std::uint64_t> made_{0};
};

PowerWalks& power_walks() noexcept;

}  // namespace jawari
