// SPDX-License-Identifier: MIT
// What pickups and probes read of a tap after a step, from what a body carries: w = u^{n+1}, d = u^{n+1} - u^n and the
// double step s = u^{n+1} - u^{n-1}.  Readings are of the middle of the step, t = n dt.
#pragma once
#include "jawari/core/number.h"

namespace jawari {

/// u^n;  u^{n+1} - u^{n-1};  u^{n+1} - 2 u^n + u^{n-1};  the sum of the contact forces along +y, which no tap has.
enum class TapReading { displacement, double_step, second_difference, force };

template <class T>
JAWARI_HD inline T read_tap(TapReading what, const T& w, const T& d, const T& s) noexcept {
  switch (what) {
    case TapReading::displacement:
      return w - d;
    case TapReading::double_step:
      return s;
    case TapReading::second_difference:
      return 2 * d - s;
    case TapReading::force:
      break;
  }
  return T(0);
}

}  // namespace jawari
