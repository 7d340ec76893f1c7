// SPDX-License-Identifier: MIT
// Yardsticks for kernel/mass_batch.h: the same scheme by hand, scalar, with std::pow where there is contact and one
// division per step; built with plain -O2, as somebody else would.  How it is written decides how long the chain from
// one step to the next is, and thereby the time: hence three of them.
#pragma once
#include <cstddef>
#include <span>

namespace jawari::bench {

struct Textbook {
  double D, C;                     // d+ = d - D u + C f
  double psi_scale, psi_exponent;  // psi' = psi_scale y^psi_exponent, y = u - barrier
  double barrier;
};
struct Mass {
  double u, d, psi;
};

/// One mass after another, each through all steps: the force, then the increment, as the library has it.
void textbook(const Textbook& p, std::span<Mass> masses, std::size_t steps);
/// One step after another, each for all masses: the processor overlaps neighbours.
void textbook_side_by_side(const Textbook& p, std::span<Mass> masses, std::size_t steps);
/// One mass after another, solved for the double step: no force, the shortest chain.
void textbook_short(const Textbook& p, std::span<Mass> masses, std::size_t steps);

}  // namespace jawari::bench
