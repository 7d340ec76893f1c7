// SPDX-License-Identifier: MIT
#include "jawari/engine/system.h"

namespace jawari {

std::int64_t System::play(std::int64_t steps, double* const* tracks) noexcept {
  std::vector<double> heard(this->tracks());
  for (std::int64_t n = 0; n < steps; ++n) {
    if (failed()) return n;
    step(), hear(heard);
    for (std::size_t i = 0; i < heard.size(); ++i) tracks[i][n] = heard[i];
  }
  return steps;
}

}  // namespace jawari
