// SPDX-License-Identifier: MIT
// A string spread over neighbouring lanes of a warp, n nodes in a row for each: what a lane carries, and the free step
// (S4) of all of them.
#pragma once
#include <cstdint>

#include "jawari/body/string_step.h"
#include "warp/lanes.h"
#include "warp/reach.h"
#include "warp/string_problem.h"

namespace jawari::warp {

template <class T, int n>
struct StringLane {
  T u[n], d[n];
  T change[n];  ///< of d, in the step under way
  Reach<T, n> reach;
  std::uint32_t beyond;        ///< slots behind the last node
  std::uint32_t near, before;  ///< nodes that may touch now, and did a step ago
  std::uint32_t kept;          ///< nodes whose contact stores something or pushed in the last step
  std::uint32_t pushed;        ///< of these: a force acted
};
inline constexpr int most_groups = 4;  ///< problems of a warp

/// x[j] = 0 behind the last node.
template <class T, int n>
JAWARI_WARP void clear_beyond(T (&x)[n], std::uint32_t beyond) {
  JAWARI_UNROLL
  for (int j = 0; j < n; ++j)
    if (beyond >> j & 1) x[j] = T(0);
}

/// The values beside those of a lane: 0 at the supports.
template <class W, class T>
JAWARI_WARP void exchange(const W& warp, typename W::template PerLane<T>& left, typename W::template PerLane<T>& right,
                          const typename W::template PerLane<T>& first, const typename W::template PerLane<T>& last,
                          int width) {
  warp.from_left(left, last, width);
  warp.from_right(right, first, width);
  warp.each([&](int l) {
    const int position = warp.position(l, width);
    if (position == 0) left[l] = T(0);
    if (position == width - 1) right[l] = T(0);
  });
}

/// out = D x: second differences along the string.  out may be x's neighbour but not x.
template <class T, int n>
JAWARI_WARP void differences(const T (&x)[n], const T& left, const T& right, T (&out)[n]) {
  JAWARI_UNROLL
  for (int j = 0; j < n; ++j) out[j] = second_difference(j > 0 ? x[j - 1] : left, x[j], j + 1 < n ? x[j + 1] : right);
}

/// change of all nodes if no contact pushes.
template <bool lossy, class W, class T, int n>
JAWARI_WARP void free_step(const W& warp, typename W::template PerLane<StringLane<T, n>>& lane,
                           const StringCoefficientsOf<T>* coefficients, const StringNumbers<T>* numbers, int width) {
  typename W::template PerLane<T> first, last, left, right, d_left, d_right;
  warp.each([&](int l) {
    first[l] = lane[l].u[0];
    last[l] = lane[l].u[n - 1];
  });
  exchange<W, T>(warp, left, right, first, last, width);
  warp.each([&](int l) {
    StringLane<T, n>& x = lane[l];
    differences(x.u, left[l], right[l], x.change);
    clear_beyond(x.change, x.beyond);
    first[l] = x.change[0];
    last[l] = x.change[n - 1];
  });
  exchange<W, T>(warp, left, right, first, last, width);
  if constexpr (lossy) {
    warp.each([&](int l) {
      first[l] = lane[l].d[0];
      last[l] = lane[l].d[n - 1];
    });
    exchange<W, T>(warp, d_left, d_right, first, last, width);
  }
  warp.each([&](int l) {
    constexpr StringTerms terms{false, true, lossy, lossy};
    StringLane<T, n>& x = lane[l];
    const StringCoefficientsOf<T>& a = coefficients[l / width];
    const T share = lossy ? numbers[l / width].share : T(1);
    T before = left[l];
    JAWARI_UNROLL
    for (int j = 0; j < n; ++j) {
      const T curve = x.change[j];
      const T bend = second_difference(before, curve, j + 1 < n ? x.change[j + 1] : right[l]);
      T d_curve(0);
      if constexpr (lossy)
        d_curve = second_difference(j > 0 ? x.d[j - 1] : d_left[l], x.d[j], j + 1 < n ? x.d[j + 1] : d_right[l]);
      T rhs = string_rhs<terms>(a, curve, bend, x.d[j], d_curve, T(0));
      if constexpr (lossy) rhs = rhs * share;
      x.change[j] = rhs;
      before = curve;
    }
    clear_beyond(x.change, x.beyond);
  });
}

/// d+ and u+ of all nodes, and which of them may touch.
template <class T, int n>
JAWARI_WARP void move(StringLane<T, n>& x) {
  JAWARI_UNROLL
  for (int j = 0; j < n; ++j) {
    x.d[j] = x.d[j] + x.change[j];
    x.u[j] = x.u[j] + x.d[j];
  }
  x.before = x.near;
  x.near = x.reach.near(x.u);
}

}  // namespace jawari::warp
