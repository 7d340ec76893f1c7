// SPDX-License-Identifier: MIT
#include "jawari/impact/advice.h"

#include <fmt/format.h>

namespace jawari {

Advice advise(const exact::Impact& i, double rate_hz) {
  if (i.speed_m_s == 0) return {0, "two-point", "nothing moves"};
  const double N = exact::contact_time(i) * rate_hz, limit = 1;  // (A1) of scheme/impact_adapted.h
  if (i.mu > 0) {
    if (N >= 8 + 1.5 * i.exponent)
      return {N, "two-point", "well resolved: two-point, or secant-2 where the cost must be fixed"};
    return {N, "guarded-two-point",
            fmt::format(
                "too short to resolve: guarded-two-point softens it and keeps the rebound speed within 0.1 %; for the "
                "contact time as well use {:.3g} kHz",
                rate_hz * 1e-3 * (8 + 1.5 * i.exponent) / N)};
  }
  if (N >= 30) return {N, "two-point", "well resolved: any second-order scheme; secant-2 where the cost must be fixed"};
  if (N > limit)
    return {N, "matched-two-point",
            "short: matched-two-point has the right contact time, matched-secant-2 at fixed cost"};
  return {
      N, "two-point",
      fmt::format(
          "shorter than any scheme can reproduce: two-point rebounds with the right speed about a sample late; for the "
          "contact time use {:.3g} kHz",
          rate_hz * 3e-3 / N)};
}

}  // namespace jawari
