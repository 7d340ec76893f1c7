// SPDX-License-Identifier: MIT
// Loops of ModalBody over modes and taps, with the widest instructions of the machine.  Every sum is that of sums.h:
// the same bits on every machine.
#pragma once
#include <array>
#include <cstddef>

#include "jawari/body/body.h"

namespace jawari::modal_lanes {

/// to[r] = row r . x, for rows of `columns` numbers that lie one after the other.
void times(const double* rows, std::size_t count, std::size_t columns, const double* x, double* to) noexcept;
/// to[i] += row[i] * factor.
void add_row(const double* row, std::size_t columns, double factor, double* to) noexcept;

struct Modes {
  std::size_t count;
  const double *C, *D, *lag, *loss;  ///< (M1)
  double *u, *d, *s, *change;
};
/// change = C (load + push) - D u - lag d.
void predict(const Modes& modes, const double* load, const double* push) noexcept;
/// The same and s = 2 d + change, and what rows read of s: to[r] = row r . s.  load null: no force but the modes' own.
void predict_read(const Modes& modes, const double* load, const double* push, const double* rows, std::size_t count,
                  double* to) noexcept;
/// s = 2 d + change.
void steps(const Modes& modes) noexcept;
/// change += C force.
void push(const Modes& modes, const double* force) noexcept;
/// s = 2 d + change; the sum of loss s^2.
double losses(const Modes& modes) noexcept;
/// d += change, u += d.
void move(const Modes& modes) noexcept;
/// push() with the sum of row r times force[r], losses() and move(), in one pass.  modal: room for a number per mode;
/// begun: it holds what the sum begins with.
double advance(const Modes& modes, const double* const* row, const double* force, std::size_t count, double* modal,
               bool begun) noexcept;
/// (M2): kinetic; elastic by bending; elastic by tension.
std::array<double, 3> energies(std::size_t count, const double* u, const double* d, const double* kinetic,
                               const double* elastic, const double* bending) noexcept;

}  // namespace jawari::modal_lanes
namespace jawari {

/// (M2) of `modes` modes.
inline Stored modal_energy(std::size_t modes, const double* u, const double* d, const double* kinetic,
                           const double* elastic, const double* bending) noexcept {
  const auto sums = modal_lanes::energies(modes, u, d, kinetic, elastic, bending);
  Stored e;
  e.kinetic = sums[0];
  e.bending = sums[1];
  e.elastic = sums[2];
  return e;
}

}  // namespace jawari
