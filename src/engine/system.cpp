// SPDX-License-Identifier: MIT
#include "jawari/engine/system.h"

namespace jawari {

std::int64_t System::play(std::int64_t steps, double* const* tracks) noexcept {
  std::vector<double> heard(this->pickup_count());
  for (std::int64_t n = 0; n < steps; ++n) {
    if (failed()) return n;
    step();
    read_pickups(heard);
    if (failed()) return n;
    for (std::size_t i = 0; i < heard.size(); ++i) tracks[i][n] = heard[i];
  }
  return steps;
}

std::string System::failure_text() const {
  std::string name;
  if (failure_ && failure_.part == Failure::Part::contact) name = contacts()[failure_.index].name;
  if (failure_ && failure_.part == Failure::Part::body) name = accounts()[failure_.index].name;
  return failure_sentence(failure_, name, dt_);
}

}  // namespace jawari
