// SPDX-License-Identifier: MIT
// Holds what is counted for changes of height and stiffness against force times displacement, step by step:
//   |W| <= |F| |h_next - h_before|/2 + |K_next/K - 1| E
// F, h, K, E are read from the trace and the parameters, not from the accounts.
#pragma once
#include <string>
#include <vector>

#include "jawari/engine/world.h"

namespace jawari::attack {

/// Smallest scale of energies: 1e-9 of it, 1e-22 J, is what the engine takes for silence.
inline constexpr double faint_J = 1e-13;

class Work {
 public:
  explicit Work(const World& world);
  /// After a step; empty, or what was counted and what was possible.
  std::string look(const World& world);

 private:
  struct Contact {
    std::string name;
    std::size_t account;             // index into World::accounts()
    std::size_t force, energy;       // channels
    std::size_t height, stiffness;   // parameters; no_index: it has none
    double changed = 0, stored = 0;  // at the last reading
    double h[2] = {0, 0}, k = 0;     // height before and now, stiffness now
  };
  std::vector<Contact> contacts_;
  std::vector<double> row_;
};

}  // namespace jawari::attack
