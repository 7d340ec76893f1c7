// SPDX-License-Identifier: MIT
// Durations and losses of one simulated impact, measured with a mass and a wall: tables for scheme/impact_adapted.h.
//   DurationTable   how long the simulated elastic contact lasts that should last M samples                      (A1)
//   LossTable       by what factor mu must be raised for the rebound speed to be right, over mu v and M          (A3)
// They depend on the exponent alone, are made at set-up in some milliseconds and kept for the next contact
// (src/couple/measured.cpp: running a scheme takes a coupling).  A look-up is + - * / only.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "jawari/core/number.h"
#include "jawari/impact/entry_table.h"

namespace jawari {

enum class Measured { two_point, three_point, secant_once, secant_twice };

/// Two-point: row by row for phases of the entry, phase j/rows steps before the surface at y^{n-1/2}.  The others vary
/// too much with the phase for that: one row, the mean over all phases.
struct DurationTable {
  static constexpr std::size_t knots = 61;
  static constexpr double least = 0.02, most = 12;
  JAWARI_HD static constexpr double nominal(std::size_t i) noexcept {
    const double t = static_cast<double>(i) / (knots - 1);
    return least + (most - least) * t * t;
  }
  std::vector<std::array<double, knots>> lasts;  ///< [phase][i]: samples that a contact of nominal(i) samples lasts
  std::size_t limit = 0;                         ///< durations rise with i from here on: the stiffest use

  inline class DurationView view() const noexcept;
};
std::shared_ptr<const DurationTable> duration_table(Measured scheme, double exponent);

/// A table that lies elsewhere.
class DurationView {
 public:
  static constexpr std::size_t knots = DurationTable::knots;
  JAWARI_HD DurationView(const double* lasts, std::size_t rows, std::size_t limit) noexcept
      : lasts_(lasts), rows_(rows), limit_(limit) {}
  /// M such that the simulated contact lasts `samples`; at the limit of the scheme its stiffest M.  0: beyond the
  /// table.
  template <class T>
  JAWARI_HD T nominal_for(T samples, T phase) const noexcept {
    const T at = min(max(phase, T(0)), T(1)) * static_cast<double>(rows_);
    const auto below = static_cast<std::size_t>(plain(at));
    const T share = at - static_cast<double>(below);
    const double* a = lasts_ + below % rows_ * knots;
    const double* b = lasts_ + (below + 1) % rows_ * knots;
    const auto lasting = [&](std::size_t i) { return T(a[i] + share * (b[i] - a[i])); };
    if (!(samples < lasting(knots - 1))) return T(0);
    if (!(samples > lasting(limit_))) return T(DurationTable::nominal(limit_));
    std::size_t low = limit_, high = knots - 1;
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (lasting(middle) <= samples ? low : high) = middle;
    }
    const T from = lasting(low), to = lasting(high);
    return DurationTable::nominal(low) +
           (samples - from) / (to - from) * (DurationTable::nominal(high) - DurationTable::nominal(low));
  }

 private:
  const double* lasts_;  // row by row
  std::size_t rows_, limit_;
};
inline DurationView DurationTable::view() const noexcept { return {lasts.data()->data(), lasts.size(), limit}; }

/// Where x lies between knots 2^j and 3/2 2^j from 2^first on, at most before the last: the exponent and first bit of a
/// double.
template <class T>
struct BetweenKnots {
  std::size_t below = 0;
  T share = T(0);
  JAWARI_HD BetweenKnots(T x, int first, std::size_t knots) noexcept {
    if (!(x > octave_knot(0, first))) return;
    below = knots - 2;
    share = T(1);
    if (x >= octave_knot(knots - 1, first)) return;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(static_cast<double>(plain(x)));
    below = static_cast<std::size_t>((bits >> 51) - 2 * static_cast<std::uint64_t>(1023 + first));
    share = (x - octave_knot(below, first)) / (octave_knot(below + 1, first) - octave_knot(below, first));
  }
  JAWARI_HD T of(const double* column) const noexcept {
    return column[below] + share * (column[below + 1] - column[below]);
  }
};

/// What (A2) and (A3) need.  All knots are 2^j and 3/2 2^j.  From mu v = 1/16 to 16 the factor is a table over mu v and
/// M/needed, M >= needed; above 16 it is 1 to 1e-4.  Below 1/16 the loss is a small perturbation, and the factor one of
/// M alone.
struct LossTable {
  static constexpr std::size_t rows = 17, columns = 4, small_knots = 16;
  static constexpr int small_first = -4;  ///< M = 1/16 to 12
  EntryTable entry;
  double raise[rows][columns] = {};  ///< (mu_used/mu - 1) M^2
  double small[small_knots] = {};    ///< the same

  /// (A2) elastic samples
  template <class P, class T>
  JAWARI_HD T needed(P exponent, T mu_v) const noexcept {
    if (mu_v < EntryTable::knot(0)) return EntryTable::samples(exponent, mu_v);
    return BetweenKnots<T>(mu_v, EntryTable::first, EntryTable::knots).of(&entry.needed[0]);
  }
  /// contact time over the elastic one
  template <class T>
  JAWARI_HD T longer(T mu_v) const noexcept {
    if (mu_v < EntryTable::knot(0)) return 1 + mu_v / EntryTable::knot(0) * (entry.longer[0] - 1);
    return BetweenKnots<T>(mu_v, EntryTable::first, EntryTable::knots).of(&entry.longer[0]);
  }
  /// mu_used/mu
  template <class T>
  JAWARI_HD T factor(T mu_v, T samples, T enough) const noexcept {
    if (mu_v < EntryTable::knot(0)) {
      const T M = max(samples, T(octave_knot(0, small_first)));
      return 1 + BetweenKnots<T>(M, small_first, small_knots).of(small) / (M * M);
    }
    const BetweenKnots<T> row(mu_v, EntryTable::first, rows), column(T(samples / enough), 0, columns);
    const T a = column.of(raise[row.below]), b = column.of(raise[row.below + 1]);
    return 1 + (a + row.share * (b - a)) / (samples * samples);
  }
};
std::shared_ptr<const LossTable> loss_table(double exponent);

}  // namespace jawari
