// SPDX-License-Identifier: MIT
// What StringKernel shows its inner loops: columns of numbers, one entry per node, and the coefficients of a step.
// Everything is mirrored so that the barrier is above: y = offset + u.  Two copies of u and d, read and written in
// turn: a block in contact starts again from the old one.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "jawari/contact/power_law.h"

namespace jawari::kernel {

inline constexpr std::size_t block_bytes = 64;  ///< columns are filled up to a multiple of the widest block below
inline constexpr std::size_t block_rows = 4;    ///< vectors that go through the contact in lock-step
inline constexpr std::size_t front = 16;        ///< entries before node 0: supports and ghosts, an aligned start

/// (S4) without modulation and with A = 1 + s0.
struct StringNumbers {
  double tension = 0, bending = 0, s0 = 0, s1 = 0, q0 = 0;
  double pivot = 1, q = 0;  ///< 1 + s0; receptance of a node
  /// The same step with the terms collected, for fused rounding:
  ///   d+ = d0 d + d1 (d-1 + d+1) + u0 u + u1 (u-1 + u+1) + u2 (u-2 + u+2) + q (load + f)                        (N3)
  double u0 = 0, u1 = 0, u2 = 0, d0 = 1, d1 = 0;
  bool lossy() const { return s0 != 0 || s1 != 0; }
};

template <class Number>
struct StringView;
/// Goes through law and scheme with one block.  False: a power left its tables, nothing was written.
template <class Number>
using StringBlock = bool (*)(StringView<Number>&, std::size_t at) noexcept;

/// Counted in the contact path.
struct StringTouches {
  double deepest_m = 0, deepest_half_m = 0, largest_force_N = 0;
  std::uint64_t touching_steps = 0, solves = 0, iterations = 0, unsettled = 0;
  int most_iterations = 0;
  double lost_J = 0;  ///< in the contact, in this step
};

template <class Number>
struct StringView {
  const PowerLaw* law;
  const void* scheme;
  StringNumbers a;
  std::size_t nodes, padded;
  Number *u, *d, *u_next, *d_next;
  Number *psi, *psi2;  ///< state of the contact: psi, or the end points of (G4)
  Number *phi;         ///< force on the node, 0 where a block is not busy
  const Number* offset;
  Number* load;        ///< [N], of this step
  std::uint8_t* busy;  ///< per block: must go through the contact
  bool loaded;         ///< a load somewhere: the whole string takes the long way
  bool lossy_contact;
  StringBlock<Number> touch, touch_carefully;
  StringTouches touches;
};

}  // namespace jawari::kernel
