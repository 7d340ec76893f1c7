// SPDX-License-Identifier: MIT
// 1024 independent masses, 10 g at 10 Hz and 44.1 kHz, thrown at a soft barrier at rest with 0.8 to 1.2 m/s: phases
// part soon, and a tenth of all steps is in contact (230 at a time).
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include "jawari/kernel/mass_batch.h"

namespace jawari::bench {

struct Masses {
  static constexpr std::size_t count = 1024;
  static constexpr double dt_s = 1 / 44100.0, stiffness = 2.2e4, exponent = 1.3;
  static MassBatch::Mass one() {
    const double half = std::sin(std::numbers::pi * 10 * dt_s);
    return {4 * half * half, dt_s * dt_s / 0.01, 0};
  }
  static double start_step(std::size_t i) { return dt_s * (0.8 + 0.4 * static_cast<double>(i * 37 % count) / count); }
  static MassBatch batch(MassBatch::Rounding rounding) {
    MassBatch all(PowerLaw({stiffness, exponent}), std::vector(count, one()), rounding);
    for (std::size_t i = 0; i < count; ++i) all.place(i, -1e-9, start_step(i));
    return all;
  }
};

}  // namespace jawari::bench
