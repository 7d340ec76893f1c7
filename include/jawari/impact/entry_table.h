// SPDX-License-Identifier: MIT
// What loss does to the length of an impact, for all mu v: tables over mu v at one exponent, computed at set-up.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "jawari/core/number.h"

namespace jawari {

/// Two knots per octave, 2^j and 3/2 2^j, from 2^first on: the exponent and first bit of a double are the index.
JAWARI_HD inline double octave_knot(std::size_t j, int first) noexcept {
  const std::uint64_t exponent = static_cast<std::uint64_t>(1023 + first + static_cast<int>(j / 2)) << 52;
  return std::bit_cast<double>(exponent | static_cast<std::uint64_t>(j % 2) << 51);
}

struct EntryTable {
  static constexpr int first = -4;  ///< knots from 1/16 to 1024
  static constexpr std::size_t knots = 29;
  static constexpr double rate = 1.2;  ///< damping per sample that still counts as resolved
  using Column = std::array<double, knots>;
  JAWARI_HD static double knot(std::size_t j) noexcept { return octave_knot(j, first); }
  /// Elastic samples that make the rebound at mu v independent of the phase of the entry, to 0.04 %: fitted to what
  /// two-point does, exponents 1 to 8.  Where hardly anything is lost none are needed, and they come gradually.
  template <class P, class T>
  JAWARI_HD static T samples(P exponent, T mu_v) noexcept {
    return (2.3 + 0.85 * exponent) * max(T((mu_v - 0.0008) / (mu_v + 0.004)), T(0));
  }

  Column longer{}, needed{};  ///< contact time over the elastic one; elastic samples that make a contact resolved
};
/// Depends on the exponent alone.
EntryTable entry_table(double exponent);

}  // namespace jawari
