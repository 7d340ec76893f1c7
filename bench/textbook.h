// SPDX-License-Identifier: MIT
// Yardsticks, first for kernel/mass_batch.h: the same scheme by hand, scalar, with std::pow where there is contact and
// one division per step; built with plain -O2.  How it is written decides how long the chain
// from one step to the next is, and thereby the time: hence three of them.
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

/// A stiff string over a barrier, DB19 (46) and (50) with its sign corrected: three levels of displacement, node after
/// node, std::pow and a division where there is contact.
struct TextbookString {
  double a0, a1, a2;                  // u+ = a0 u + a1 (its neighbours) + a2 (theirs) - u- + C f
  double C, psi_scale, psi_exponent;  // psi' = psi_scale y^psi_exponent, y = barrier - u
};
/// One step.  Spans of N + 3 nodes: supports and one ghost beyond each.
void textbook_string(const TextbookString& p, std::span<const double> barrier, std::span<const double> now,
                     std::span<const double> before, std::span<double> next, std::span<double> psi);
/// The same with std::pow of [y]+ at every point, as the formula is printed (a power of 0 returns early).
void textbook_string_by_the_letter(const TextbookString& p, std::span<const double> barrier,
                                   std::span<const double> now, std::span<const double> before, std::span<double> next,
                                   std::span<double> psi);

/// The iterative scheme DB19 compares with, (19) at every node: 20 Newton iterations wherever there is a barrier,
/// touching or not, as the paper times it.
struct NewtonString {
  double a0, a1, a2, C;        // as above
  double stiffness, exponent;  // of a point
};
void newton_string(const NewtonString& p, std::span<const double> barrier, std::span<const double> now,
                   std::span<const double> before, std::span<double> next);

}  // namespace jawari::bench
