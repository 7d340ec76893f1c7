// SPDX-License-Identifier: MIT
// Products with the matrix of mode shapes, with the widest instructions of the machine.  Every sum is that of sums.h: the same
// bits on every machine.
#pragma once
#include <cstddef>

namespace jawari::matrix {

/// to[r] = row r . x, for rows of `columns` numbers that lie one after the other.
void times(const double* rows, std::size_t count, std::size_t columns, const double* x, double* to) noexcept;
/// to[i] += row[i] * factor.
void add_row(const double* row, std::size_t columns, double factor, double* to) noexcept;

}  // namespace jawari::matrix
