// SPDX-License-Identifier: MIT
// Cholesky row by row, with the widest instructions of the machine.  Every entry is a difference of products in the
// order of their columns: the same bits on every machine.
#pragma once
#include <cstddef>

namespace jawari {

/// row: entries first to i of row i of a symmetric matrix whose entries before `first` are zero; of its factor
/// afterwards. upper: the transposed factor, rows `stride` apart, complete before column i; column i is written.  The
/// pivot is at least `least` before its root.
void factor_row(double* row, double* upper, std::size_t stride, std::size_t first, std::size_t i,
                double least) noexcept;

/// The solution of L L^T x = z, in z: rows of L, and of its transpose as factor_row() leaves it.
void solve_factored(const double* lower, const double* upper, std::size_t stride, std::size_t rows, double* z) noexcept;

/// to[i] += row[i] * factor.
void add_scaled(const double* row, std::size_t count, double factor, double* to) noexcept;

/// to += matrix x, of `count` rows and columns: column by column, for a symmetric matrix its rows.
void symmetric_times(const double* matrix, std::size_t count, const double* x, double* to) noexcept;

}  // namespace jawari
