// SPDX-License-Identifier: MIT
// What loss does to the length of an impact, for all mu v: tables over mu v at one exponent, computed at set-up.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>

namespace jawari {

struct EntryTable {
  /// Two knots per octave, 2^j and 3/2 2^j, from 1/16 to 1024: the exponent and first bit of a double are the index.
  static constexpr int first = -4;
  static constexpr std::size_t knots = 29;
  static constexpr double rate = 1.5;  ///< damping per sample that still counts as resolved
  using Column = std::array<double, knots>;
  static double knot(std::size_t j) noexcept { return std::ldexp(j % 2 ? 1.5 : 1, first + static_cast<int>(j / 2)); }
  /// Samples in contact that make an impact resolved.
  static double samples(double exponent) noexcept { return 8 + 1.5 * exponent; }

  Column longer{}, needed{};  ///< contact time over the elastic one; elastic samples that make a contact resolved
};
/// Depends on the exponent alone.
EntryTable entry_table(double exponent);

}  // namespace jawari
