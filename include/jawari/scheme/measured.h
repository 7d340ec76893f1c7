// SPDX-License-Identifier: MIT
// What schemes make of one impact, measured by running them on a mass and a wall: tables for scheme/at_entry.h.
//   DurationTable   how long the simulated elastic contact lasts that should last M samples                      (A1)
//   LossTable       by what factor mu must be raised for the rebound speed to be right, over mu v and M             (A3)
// They depend on the exponent alone, are made at set-up in some milliseconds and kept for the next contact (src/couple/measured.cpp:
// running a scheme takes a coupling).  Looking up is + - * / only.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "jawari/impact/entry_table.h"

namespace jawari {

enum class Measured { two_point, three_point, secant_once, secant_twice };

/// Two-point: row by row for phases of the entry, phase j/rows steps before the surface at y^{n-1/2}.  The others vary too much
/// with the phase for that: one row, the mean over all phases.
struct DurationTable {
  static constexpr std::size_t knots = 61;
  static constexpr double least = 0.02, most = 12;
  static constexpr double nominal(std::size_t i) noexcept {
    const double t = static_cast<double>(i) / (knots - 1);
    return least + (most - least) * t * t;
  }
  std::vector<std::array<double, knots>> lasts;  ///< [phase][i]: samples that a contact of nominal(i) samples lasts
  std::size_t limit = 0;                         ///< durations rise with i from here on: the stiffest use

  /// M such that the simulated contact lasts `samples`; at the limit of the scheme its stiffest M.  0: beyond the table.
  double nominal_for(double samples, double phase) const noexcept;
};
std::shared_ptr<const DurationTable> duration_table(Measured scheme, double exponent);

/// What (A2) and (A3) need.  All knots are 2^j and 3/2 2^j.  From mu v = 1/16 to 16 the factor is a table over mu v and M/needed, M >= needed;
/// above 16 it is 1 to 1e-4.  Below 1/16 the loss is a small perturbation, and the factor one of M alone.
struct LossTable {
  static constexpr std::size_t rows = 17, columns = 4, small_knots = 16;
  static constexpr int small_first = -4;  ///< M = 1/16 to 12
  EntryTable entry;
  std::array<std::array<double, columns>, rows> raise{};  ///< (mu_used/mu - 1) M^2
  std::array<double, small_knots> small{};                ///< the same

  double needed(double exponent, double mu_v) const noexcept;  ///< (A2) elastic samples
  double longer(double mu_v) const noexcept;                   ///< contact time over the elastic one
  double factor(double mu_v, double samples, double needed) const noexcept;  ///< mu_used/mu
};
std::shared_ptr<const LossTable> loss_table(double exponent);

}  // namespace jawari
