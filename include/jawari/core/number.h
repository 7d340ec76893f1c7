// SPDX-License-Identifier: MIT
// What the physics asks of a number, so that one text serves double and a SIMD lane (src/kernel): choose without
// branching, and skip work when no lane needs it.  For double these are the obvious things.
#pragma once
#include <cmath>

namespace jawari {

inline double select(bool which, double yes, double no) noexcept { return which ? yes : no; }
inline bool any(bool mask) noexcept { return mask; }
inline bool some(bool mask) noexcept { return mask; }  ///< the same, for work so long that lanes look before they begin
inline double root(double x) noexcept { return std::sqrt(x); }
inline double size(double x) noexcept { return std::abs(x); }
/// As hardware does it: the second argument when the first is not the larger (also for NaN).
inline double larger(double a, double b) noexcept { return a > b ? a : b; }
inline double smaller(double a, double b) noexcept { return a < b ? a : b; }

}  // namespace jawari
