// SPDX-License-Identifier: MIT
// Rows of a symmetric band matrix with one or two side bands of constant value, on any number type: product,
// factorisation L D L^T, elimination and substitution.
//   penta   two side bands; otherwise far, lower2 and what is two nodes away are not used
//   fused   multiply and add round once, pivots are kept as their inverses, and the term of the last node comes last;
//           otherwise every operation rounds, in one order for all number types
#pragma once
#include <cstddef>

#include "jawari/core/number.h"

namespace jawari {

/// (A x) of one node; what lies beyond the matrix is 0.
template <bool penta, bool fused, class T>
JAWARI_HD inline T band_times(const T& diagonal, const T& side, const T& far, const T& left2, const T& left, const T& x,
                              const T& right, const T& right2) noexcept {
  if constexpr (fused) {
    T sum = diagonal * x + side * (left + right);
    if constexpr (penta) sum = sum + far * (left2 + right2);
    return sum;
  } else {
    T sum = diagonal * x + side * left + side * right;
    if constexpr (penta) sum = sum + far * left2 + far * right2;
    return sum;
  }
}
/// b - (A x) of one node.
template <bool penta, bool fused, class T>
JAWARI_HD inline T band_residual(const T& b, const T& diagonal, const T& side, const T& far, const T& left2,
                                 const T& left, const T& x, const T& right, const T& right2) noexcept {
  if constexpr (fused) {
    T rest = (b - diagonal * x) - side * (left + right);
    if constexpr (penta) rest = rest - far * (left2 + right2);
    return rest;
  } else {
    return b - band_times<penta, fused>(diagonal, side, far, left2, left, x, right, right2);
  }
}

/// One row of L D L^T after the other.
template <bool penta, bool fused, class T>
struct BandFactor {
  T pivot = T(1), pivot2 = T(1),
    lower = T(0);  // of the node before, and before that; pivot2 also for lower2 = far/pivot2

  /// Of node i: diagonal, and the side bands of A.  l and l2 are the row of L.
  JAWARI_HD void next(std::size_t i, const T& diagonal, const T& side_band, const T& far, T& l, T& l2) noexcept {
    T side = i > 0 ? side_band : T(0);
    T now = diagonal;
    l2 = T(0);
    if constexpr (fused) {
      if constexpr (penta)
        if (i > 1) {
          l2 = far * pivot2;
          side = side - far * lower;
        }
      l = side * pivot;
      now = now - l * side;
      if constexpr (penta) now = now - l2 * far;
      now = T(1) / now;
    } else {
      if constexpr (penta)
        if (i > 1) {
          l2 = far / pivot2;
          side = side - l2 * pivot2 * lower;
        }
      l = i > 0 ? T(side / pivot) : T(0);
      if (i > 0) now = now - l * l * pivot;
      if constexpr (penta)
        if (i > 1) now = now - l2 * l2 * pivot2;
    }
    pivot2 = pivot;
    pivot = now;
    lower = l;
  }
};

/// x = rhs - L x of one node, upwards.
template <bool penta, bool fused, class T>
JAWARI_HD inline T band_eliminate(const T& rhs, const T& lower, const T& before, const T& lower2,
                                  const T& before2) noexcept {
  if constexpr (!penta)
    return rhs - lower * before;
  else if constexpr (fused)
    return (rhs - lower2 * before2) - lower * before;
  else
    return (rhs - lower * before) - lower2 * before2;
}
/// x = y/D - L^T x of one node, downwards.
template <bool penta, bool fused, class T>
JAWARI_HD inline T band_substitute(const T& y, const T& pivot, const T& lower, const T& after, const T& lower2,
                                   const T& after2) noexcept {
  T x;
  if constexpr (fused)
    x = y * pivot;
  else
    x = y / pivot;
  return band_eliminate<penta, fused>(x, lower, after, lower2, after2);
}

}  // namespace jawari
