// SPDX-License-Identifier: MIT
// What the core can do: a dense loop of fused multiply-adds, seven per vector of points, nothing else.  Clocks,
// throttles and vector widths move it as they move the kernels, so kernels are judged by their ratio to it.
#pragma once
#include <cstddef>

namespace jawari::bench {

/// As many vectors as hold `points` numbers, seven operations each.  The value keeps the compiler honest.
double yardstick_double(std::size_t points);
double yardstick_float(std::size_t points);

}  // namespace jawari::bench
