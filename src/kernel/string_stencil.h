// SPDX-License-Identifier: MIT
// The free step of a block of nodes, vector by vector: terms collected (CollectedStencil), or differences as in the
// reference path (DifferenceStencil for vectors of two, StencilBlock for longer ones).
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_STRING_STENCIL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_STRING_STENCIL_H
#undef JAWARI_KERNEL_STRING_STENCIL_H
#else
#define JAWARI_KERNEL_STRING_STENCIL_H
#endif

#include <cstddef>

#include "kernel/string_row.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

/// A block of the string and its neighbours: `rows` vectors of four or more.
template <class T, std::size_t rows>
struct StencilBlock {
  static constexpr std::size_t w = T::width;
  T here[rows], right[rows], left[rows], left2[rows], right2[rows];
  T carried;  ///< left2[0] of the next block

  HWY_ATTR void advance(const typename T::number* u) {
    left2[0] = carried;
    unroll<rows>([&](auto i) HWY_ATTR {
      here[i] = T::load(u + i * w);
      right[i] = T::load(u + i * w + 1);
      left[i] = T::load(u + i * w - 1);
      right2[i] = T::load(u + i * w + 2);
      if constexpr (i > 0 && w == 4)
        left2[i] = right2[i - 1];
      else if constexpr (i > 0)
        left2[i] = T::load(u + i * w - 2);
    });
    if constexpr (w == 4)
      carried = right2[rows - 1];
    else
      carried = T::load(u + rows * w - 2);
  }
};

/// u at -2, -1, 0, ... (StringEnd).  Computed here, not loaded: a load of what was just stored in two parts stalls
/// until all stores before it are done.
template <class T>
HWY_ATTR inline T left_of_support(const typename T::number* u, double ghost) {
  using Number = typename T::number;
  alignas(64) static constexpr Number odd[16] = {-1}, even[16] = {1},
                                      rest[16] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  return T(T::load(rest) * T::load(u - 2)) + T::load(ghost < 0 ? odd : even) * T::load(u);
}

/// Of a collected step; in levels with the sign of this one.
struct StencilCoefficients {
  double u0, u1, u2, d0, d1;
  StencilCoefficients(const StringNumbers& a, bool levels, double turn)
      : u0(turn * (levels ? a.l0 : a.u0)), u1(turn * (levels ? a.l1 : a.u1)), u2(turn * a.u2), d0(a.d0), d1(a.d1) {}
};

/// A collected step of `rows` vectors (N3), as a software pipeline: while one vector is finished, sums for
/// the next are formed and those after it are loaded.  Every stage has as many vectors as the block.
template <Loss loss, class T, std::size_t rows>
struct CollectedStencil {
  using Number = typename T::number;
  static constexpr std::size_t w = T::width;
  static constexpr bool pairs = w == 2;  ///< then what lies right of a vector lies left of the next
  /// Vectors between load and end: of u, of u right of it, of the increments.  Sums are one ahead.
  static_assert(rows >= 4, "a loaded vector must not replace one that is still to be stored");
  static constexpr std::size_t early = pairs && rows > 4 ? 4 : 3, side_early = rows > 4 ? early - 1 : early,
                               kept_early = 2;
  const Number *u, *d;  ///< of the block
  T u0, u1, u2, d0, d1;
  T here[rows], right[rows], left[rows], right2[rows], left2[rows], near[rows], far[rows];
  T x[rows], d_right[rows], d_left[rows], d_sides[rows];

  HWY_ATTR CollectedStencil(const StringArrays<Number>& v, const StencilCoefficients& a)
      : u(v.u), d(v.d), u0(a.u0), u1(a.u1), u2(a.u2), d0(a.d0), d1(a.d1) {}
  static constexpr std::size_t ring(std::size_t i) { return i % rows; }
  template <std::size_t i>
  HWY_ATTR void load_middle() {
    here[ring(i)] = T::load(u + i * w);
    keep_order(here[ring(i)]);
  }
  template <std::size_t i>
  HWY_ATTR void load_sides() {
    right[ring(i)] = T::load(u + i * w + 1);
    keep_order(right[ring(i)]);
    if constexpr (!pairs) {
      left[ring(i)] = T::load(u + i * w - 1);
      keep_order(left[ring(i)]);
      right2[ring(i)] = T::load(u + i * w + 2);
      keep_order(right2[ring(i)]);
    }
    if constexpr (w > 4) left2[ring(i)] = T::load(u + i * w - 2);
  }
  template <std::size_t i>
  HWY_ATTR void load_increment() {
    x[ring(i)] = T::load(d + i * w);
    keep_order(x[ring(i)]);
    if constexpr (loss == Loss::both) {
      d_right[ring(i)] = T::load(d + i * w + 1);
      keep_order(d_right[ring(i)]);
      if constexpr (!pairs) {
        d_left[ring(i)] = T::load(d + i * w - 1);
        keep_order(d_left[ring(i)]);
      }
    }
  }
  template <std::size_t i>
  HWY_ATTR void add_neighbours() {
    constexpr std::size_t k = ring(i), before = ring(i + rows - 1), after = ring(i + 1);
    if constexpr (pairs) {
      near[k] = right[before] + right[k];
      keep_order(near[k]);
      far[k] = here[before] + here[after];
    } else if constexpr (w == 4) {
      near[k] = left[k] + right[k];
      keep_order(near[k]);
      far[k] = right2[before] + right2[k];
    } else {
      near[k] = left[k] + right[k];
      far[k] = left2[k] + right2[k];
    }
    keep_order(far[k]);
    if constexpr (loss == Loss::both) {
      d_sides[k] = (pairs ? d_right[before] : d_left[k]) + d_right[k];
      keep_order(d_sides[k]);
    }
  }
  template <std::size_t i>
  HWY_ATTR void finish() {
    if constexpr (loss != Loss::none) x[i] = collected_increments<loss == Loss::both>(*this, x[i], d_sides[i]);
    x[i] = string_collected(*this, x[i], here[i], near[i], far[i]);
  }
  /// first: u at -2, -1, 0, ... of the first block.
  HWY_ATTR void start(const T& first) {
    if constexpr (pairs) {
      here[rows - 1] = first;
      right[rows - 1] = T::load(u - 1);
    } else if constexpr (w == 4)
      right2[rows - 1] = first;
    if constexpr (pairs && loss == Loss::both) d_right[rows - 1] = T::load(d - 1);
    unroll<early>([&](auto i) HWY_ATTR { load_middle<i>(); });
    unroll<side_early>([&](auto i) HWY_ATTR { load_sides<i>(); });
    unroll<kept_early>([&](auto i) HWY_ATTR { load_increment<i>(); });
    if constexpr (w > 4) left2[0] = first;
    add_neighbours<0>();
  }
  template <std::size_t i>
  HWY_ATTR void move() {
    load_middle<i + early>();
    load_sides<i + side_early>();
    load_increment<i + kept_early>();
    add_neighbours<i + 1>();
    finish<i>();
  }
};

/// The same stages for differences as in StringGrid::predict(); those that neighbours share are computed once.
/// For vectors of two.
template <Loss loss, class T, std::size_t rows>
struct DifferenceStencil {
  using Number = typename T::number;
  static constexpr std::size_t early = 3, kept_early = 1;  ///< vectors between load and end
  const Number *u, *d;
  StringCoefficientsOf<T> a;
  T share;
  T here[rows], right[rows], up[rows], over[rows], curve[rows], beside[rows],
      twice[rows];  ///< up: to the right; over: on from there
  T x[rows], d_right[rows];

  HWY_ATTR DifferenceStencil(const StringArrays<Number>& v, const StencilCoefficients&)
      : u(v.u), d(v.d), a(v.a), share(v.a.share) {}
  static constexpr std::size_t ring(std::size_t i) { return i % rows; }
  template <std::size_t i>
  HWY_ATTR void load_next() {
    here[ring(i + 1)] = T::load(u + 2 * i + 2);
    keep_order(here[ring(i + 1)]);
    right[ring(i)] = T::load(u + 2 * i + 1);
    keep_order(right[ring(i)]);
  }
  template <std::size_t i>
  HWY_ATTR void load_increment() {
    x[ring(i)] = T::load(d + 2 * i);
    keep_order(x[ring(i)]);
    if constexpr (loss == Loss::both) {
      d_right[ring(i)] = T::load(d + 2 * i + 1);
      keep_order(d_right[ring(i)]);
    }
  }
  template <std::size_t i>
  HWY_ATTR void slopes() {
    constexpr std::size_t k = ring(i);
    up[k] = right[k] - here[k];
    keep_order(up[k]);
    over[k] = here[ring(i + 1)] - right[k];
    keep_order(over[k]);
  }
  template <std::size_t i>
  HWY_ATTR void curves() {
    constexpr std::size_t k = ring(i);
    curve[k] = up[k] - over[ring(i + rows - 1)];
    keep_order(curve[k]);
    beside[k] = over[k] - up[k];
    keep_order(beside[k]);
  }
  template <std::size_t i>
  HWY_ATTR void bends() {
    constexpr std::size_t k = ring(i);
    const T after = beside[k] - curve[k], before = curve[k] - beside[ring(i + rows - 1)];
    keep_order(after);
    keep_order(before);
    twice[k] = after - before;
    keep_order(twice[k]);
  }
  template <std::size_t i>
  HWY_ATTR void finish() {
    T d_curve(0);
    if constexpr (loss == Loss::both) d_curve = second_difference(d_right[ring(i + rows - 1)], x[i], d_right[i]);
    T rhs = string_rhs<terms_of(loss)>(a, curve[i], twice[i], x[i], d_curve, d_curve);
    if constexpr (loss != Loss::none) rhs = rhs * share;
    keep_order(rhs);
    x[i] = x[i] + rhs;
    keep_order(x[i]);
  }
  HWY_ATTR void start(const T& first) {
    const T left = T::load(u - 1);
    here[0] = T::load(u);
    over[rows - 1] = here[0] - left;
    beside[rows - 1] = over[rows - 1] - (left - first);
    if constexpr (loss == Loss::both) d_right[rows - 1] = T::load(d - 1);
    unroll<early>([&](auto i) HWY_ATTR { load_next<i>(); });
    unroll<kept_early>([&](auto i) HWY_ATTR { load_increment<i>(); });
    slopes<0>();
    slopes<1>();
    curves<0>();
    bends<0>();
  }
  template <std::size_t i>
  HWY_ATTR void move() {
    load_next<i + early>();
    load_increment<i + kept_early>();
    slopes<i + 2>();
    curves<i + 1>();
    bends<i + 1>();
    finish<i>();
  }
};

/// The same without stages.
template <Loss loss, class T, std::size_t rows>
HWY_ATTR inline T increment_by_differences(const StringCoefficientsOf<T>& a, const T& share,
                                           const StencilBlock<T, rows>& n, const typename T::number* d, std::size_t i) {
  const T l = second_difference(n.left2[i], n.left[i], n.here[i]),
          r = second_difference(n.here[i], n.right[i], n.right2[i]);
  const T here = second_difference(n.left[i], n.here[i], n.right[i]), twice = second_difference(l, here, r),
          before = T::load(d);
  T d_curve(0);
  if constexpr (loss == Loss::both) d_curve = second_difference(T::load(d - 1), before, T::load(d + 1));
  T rhs = string_rhs<terms_of(loss)>(a, here, twice, before, d_curve, d_curve);
  if constexpr (loss != Loss::none) rhs = rhs * share;
  return before + rhs;
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
