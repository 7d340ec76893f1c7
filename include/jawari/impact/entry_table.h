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
  static constexpr double rate = 1.2;  ///< damping per sample that still counts as resolved
  using Column = std::array<double, knots>;
  static double knot(std::size_t j) noexcept { return std::ldexp(j % 2 ? 1.5 : 1, first + static_cast<int>(j / 2)); }
  /// Elastic samples that make the rebound at mu v independent of the phase of the entry, to 0.04 %: fitted to what two-point
  /// does, exponents 1 to 8.  Where hardly anything is lost none are needed, and they come gradually.
  static double samples(double exponent, double mu_v) noexcept {
    return (2.3 + 0.85 * exponent) * std::fmax((mu_v - 0.0008) / (mu_v + 0.004), 0);
  }

  Column longer{}, needed{};  ///< contact time over the elastic one; elastic samples that make a contact resolved
};
/// Depends on the exponent alone.
EntryTable entry_table(double exponent);

}  // namespace jawari
