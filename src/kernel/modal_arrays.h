// SPDX-License-Identifier: MIT
// Arrays of ModalKernel for its inner loops: columns of numbers, one per mode (times lanes where a lane is a string),
// and the contact points as in StringArrays.  Mirrored so that the barrier is above: y = offset + w.
#pragma once
#include <cstddef>
#include <cstdint>

#include "kernel/string_arrays.h"

namespace jawari::kernel {

struct ModalColumns {
  std::size_t count;                 ///< numbers in a column, a multiple of two vectors
  const double *lag, *D, *C, *loss;  ///< (M1), (M2)
  const double* share;               ///< (M9)
  double *u, *d, *u_next, *d_next, *s;
  double *push, *modal;  ///< forces on the modes [N]: drives, contact
  bool lossy;
};

inline constexpr std::size_t units_together = 4;  ///< units compared at a time; points are padded to so many

/// Independent points.
struct ModalPoints {
  StringArrays<double> v;  ///< u, d, u_next, d_next: of the points
  const double *s_free, *q;
  bool pushes;  ///< a force somewhere in this step
};

}  // namespace jawari::kernel
