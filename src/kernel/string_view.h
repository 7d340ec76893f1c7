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

/// Vectors that go through the contact together: division and table look-ups of one hide behind the other.  Four in
/// lock-step need more than 32 registers.
inline constexpr std::size_t unit_rows = 2;
/// Units that are looked at together by the pass along the string.
constexpr std::size_t units_per_block(std::size_t width) { return unit_rows * width < 16 ? 16 / (unit_rows * width) : 1; }
constexpr std::size_t block_size(std::size_t width) { return unit_rows * width * units_per_block(width); }
inline constexpr std::size_t front = 16;  ///< entries before node 0: supports and ghosts, an aligned start

/// (S4) without modulation and with A = 1 + s0.
struct StringNumbers {
  double tension = 0, bending = 0, s0 = 0, s1 = 0, q0 = 0;
  double pivot = 1, q = 0;  ///< 1 + s0; receptance of a node
  /// The same step with the terms collected, for fused rounding:
  ///   d+ = d0 d + d1 (d-1 + d+1) + u0 u + u1 (u-1 + u+1) + u2 (u-2 + u+2) + q (load + f)                        (N3)
  double u0 = 0, u1 = 0, u2 = 0, d0 = 1, d1 = 0;
  bool lossy() const { return s0 != 0 || s1 != 0; }
};

inline constexpr double no_contact = 8388608;  ///< samples, more than any contact lasts, exact in float

template <class Number>
struct StringView;
/// Takes those units of the listed blocks that touch, or must be looked at, through law and scheme.
template <class Number>
using StringContact = void (*)(StringView<Number>&, std::size_t blocks) noexcept;

/// Counted in the contact path, per lane.
template <class Number>
struct alignas(64) StringTouches {
  static constexpr std::size_t lanes = 64 / sizeof(Number);
  Number deepest[lanes] = {}, deepest_half[lanes] = {}, strongest[lanes] = {}, touching[lanes] = {}, lost[lanes] = {};
  Number ended[lanes] = {}, shortest[lanes] = {}, longest[lanes] = {};  ///< contacts; shortest as no_contact - samples
  Number entry[lanes] = {}, left[lanes] = {};  ///< largest s_free of an entry; largest psi^2 of a node that does not touch
  Number solves[lanes] = {}, iterations[lanes] = {}, unsettled[lanes] = {};
  Number work[lanes] = {};  ///< f s
  int most_iterations = 0, steps = 0;
};

template <class Number>
struct StringView {
  const PowerLaw* law;
  const void* scheme;
  StringNumbers a;
  std::size_t nodes, padded;
  Number *u, *d, *u_next, *d_next;
  Number *psi, *psi2;  ///< state of the contact: psi, or the end points of (G4)
  Number *phi;         ///< force on the node, 0 where a unit is not busy
  Number *samples;     ///< so far, of a contact under way
  const Number* offset;
  const Number* level;  ///< per block: no node touches at or below this
  Number* load;        ///< [N], of this step
  std::uint8_t* busy;  ///< per unit: must go through the contact
  bool loaded;         ///< a load somewhere: the whole string takes the long way
  bool lossy_contact;
  std::uint32_t *blocks, *units;  ///< where something may touch, where it does: first nodes
  StringContact<Number> touch;
  StringTouches<Number> touches;
};

}  // namespace jawari::kernel
