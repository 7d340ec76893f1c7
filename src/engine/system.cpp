// SPDX-License-Identifier: MIT
#include "jawari/engine/system.h"

#include <algorithm>
#include <cmath>

namespace jawari {

std::int64_t System::play(std::int64_t steps, double* const* tracks, const ProbeBuffers& probes) noexcept {
  std::vector<double> pickups(this->pickup_count());
  std::vector<double> row(probes.channels.size());
  for (std::int64_t n = 0; n < steps; ++n) {
    if (failed()) return n;
    step();
    read_pickups(pickups);
    if (failed()) return n;
    for (std::size_t i = 0; i < pickups.size(); ++i) tracks[i][n] = pickups[i];
    if (!row.empty()) read(row);
    for (std::size_t i = 0; i < row.size(); ++i) probes.channels[i][n] = row[i];
    for (std::size_t b = 0; b < probes.largest_force_N.size(); ++b) {
      const auto forces = point_forces(b);
      auto& largest = probes.largest_force_N[b];
      for (std::size_t i = 0; i < forces.size(); ++i) largest[i] = std::max(largest[i], std::abs(forces[i]));
    }
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
