// SPDX-License-Identifier: MIT
#include "jawari/engine/system.h"

namespace jawari {

long System::play(long steps, double* const* tracks) noexcept {
  std::vector<double> heard(this->tracks());
  for (long n = 0; n < steps; ++n) {
    if (failed()) return n;
    step(), hear(heard);
    for (std::size_t i = 0; i < heard.size(); ++i) tracks[i][n] = heard[i];
  }
  return steps;
}

}  // namespace jawari
