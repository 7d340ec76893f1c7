// SPDX-License-Identifier: MIT
// Which nodes of a lane may touch a line: one comparison per node and step.  A bit may be set where nothing touches
// (the contact law decides); it is set wherever y > 0 by more than the rounding of y.
#pragma once
#include <bit>
#include <cstdint>

#include "warp/lanes.h"
#include "warp/single.h"

namespace jawari::warp {

/// The upper halves of doubles, compared as whole numbers: that leaves the arithmetic for doubles to the physics.
/// With w = -sign u a node touches where w < offset.  Doubles of one sign are ordered as whole numbers are.
template <class T, int n>
struct Reach {
  std::uint32_t lined = 0;  ///< nodes that have a line
  std::uint32_t flip = 0;   ///< the sign of u, where lines are above
  std::uint32_t above = 0;  ///< a threshold is not below 0
  std::int32_t key[n] = {};

  /// Node by node, twice: the first time to see on which side of 0 the thresholds lie.
  JAWARI_WARP void look(int j, double offset, double sign) {
    lined |= 1u << j;
    if (sign > 0) flip = 0x80000000u;
    if (threshold(offset) >= 0) above = 1;
  }
  /// A lane whose lines lie on both sides takes nodes of the one from below for near always.
  JAWARI_WARP void set(int j, double offset, double sign) {
    const double t = threshold(offset);
    const std::int32_t half = upper(above == 0 || t > 0 ? t : 0.0);
    key[j] = above == 0 ? half ^ 0x7fffffff : half;
    if ((flip & 0x80000000u) != 0 && !(sign > 0)) key[j] = 0x7fffffff;
  }
  JAWARI_WARP std::uint32_t near(const double (&u)[n]) const {
    const std::uint32_t turn = flip ^ (above == 0 ? 0x7fffffffu : 0u);
    std::uint32_t bits = 0;
    JAWARI_UNROLL
    for (int j = 0; j < n; ++j) {
      const auto k = static_cast<std::int32_t>(static_cast<std::uint32_t>(upper(u[j])) ^ turn);
      bits |= k <= key[j] ? 1u << j : 0u;
    }
    return bits & lined;
  }

 private:
  /// Above the offset by more than the rounding of y, of y a step before, and of y a step ahead, for strings that move
  /// by less than 100 m.
  static JAWARI_WARP double threshold(double offset) {
    return offset + (1e-12 * (offset < 0 ? -offset : offset) + 1e-13);
  }
  static JAWARI_WARP std::int32_t upper(double x) {
    return static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(x) >> 32);
  }
};

template <int n>
struct Reach<Single, n> {
  std::uint32_t lined = 0, flip = 0;
  float limit[n] = {};

  JAWARI_WARP void look(int j, Single, Single sign) {
    lined |= 1u << j;
    if (sign.v > 0) flip |= 1u << j;
  }
  JAWARI_WARP void set(int j, Single offset, Single sign) {
    const float o = offset.v;
    const float t = o + (1e-6f * (o < 0 ? -o : o) + 1e-9f);
    limit[j] = sign.v > 0 ? -t : t;
  }
  JAWARI_WARP std::uint32_t near(const Single (&u)[n]) const {
    std::uint32_t bits = 0;
    JAWARI_UNROLL
    for (int j = 0; j < n; ++j) bits |= u[j].v < limit[j] ? 1u << j : 0u;
    return (bits ^ flip) & lined;
  }
};

}  // namespace jawari::warp
