// SPDX-License-Identifier: MIT
// Arrays of MassBatch for its kernel: columns of numbers, one entry per mass.
#pragma once
#include <cstddef>
#include <cstdint>

#include "jawari/contact/power_law.h"

namespace jawari::kernel {

inline constexpr std::size_t block = 1024;  ///< masses that run together for all steps: they stay in the cache
/// Columns are filled up to a multiple of this with masses at rest: eight of the widest vectors.
template <class Number>
inline constexpr std::size_t padding = 512 / sizeof(Number);
/// Steps between two detections.  Shorter: more detection.  Longer: more free steps in the packs.  Measured
/// with contacts of 225 steps and a tenth of all steps in contact: 40 to 56 are within 0.5 %, 24 costs 3 % more.
/// Two levels (96 and, within the pack, 24) gain nothing: what is saved in the pack is lost in copying.
inline constexpr std::size_t longest_chunk = 48;

/// From column to column.  Not a power of two: all columns would map to the same few cache lines.
constexpr std::size_t stride(std::size_t count) { return count + 40; }

template <class Number>
struct MassColumns {
  Number *u, *d, *psi, *D, *C, *barrier;
};

template <class Number>
struct MassView {
  const PowerLaw* law;
  MassColumns<Number> mass;
  const Number* curving;  ///< (N2) for `chunk` steps
  std::size_t count;      ///< a multiple of padding
  std::size_t chunk;
  MassColumns<Number> pack;  ///< room for one block
  std::uint32_t* packed;     ///< where those in the pack come from; room for one block
};

}  // namespace jawari::kernel
