// SPDX-License-Identifier: MIT
// The free step of a block of nodes, vector by vector: terms collected (Conveyor), or differences as the readable path
// takes them (DifferenceBelt for vectors of two, Stretch for longer ones). Included once per target
// (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_STRING_BELTS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_STRING_BELTS_H
#undef JAWARI_KERNEL_STRING_BELTS_H
#else
#define JAWARI_KERNEL_STRING_BELTS_H
#endif

#include <cstddef>

#include "kernel/string_row.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

/// A block of the string and its neighbours: `rows` vectors of four or more.
template <class T, std::size_t rows>
struct Stretch {
  static constexpr std::size_t w = T::width;
  T here[rows], right[rows], left[rows], left2[rows], right2[rows];
  T carried;  ///< left2[0] of the next block

  HWY_ATTR void advance(const typename T::number* u) {
    left2[0] = carried;
    each<rows>([&](auto i) HWY_ATTR {
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

/// u at -2, -1, 0, ...: odd about the support.  Put together here, not read: what was just stored by halves makes a
/// load wait for all stores before it.
template <class T>
HWY_ATTR inline T beyond_support(const typename T::number* u) {
  alignas(64) static constexpr typename T::number mirror[16] = {-1},
                                                  rest[16] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  return T(T::load(rest) * T::load(u - 2)) + T::load(mirror) * T::load(u);
}

/// Holds the compiler to the order of the text.  It would gather what belongs together; the core then waits, for it
/// looks only so far ahead.
template <class T>
HWY_ATTR inline void pin([[maybe_unused]] const T& x) {
#if HWY_ARCH_ARM_A64 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
  asm volatile("" : : "w"(x.v.raw));
#endif
}

/// Of a collected step; in levels with the sign of this one.
struct Factors {
  double u0, u1, u2, d0, d1;
  Factors(const StringNumbers& a, bool levels, double turn)
      : u0(turn * (levels ? a.l0 : a.u0)), u1(turn * (levels ? a.l1 : a.u1)), u2(turn * a.u2), d0(a.d0), d1(a.d1) {}
};

/// A collected step of `rows` vectors (N3), each at several stations at once: while one vector is finished, sums for
/// the next are formed and those after it are fetched.  Every station holds as many vectors as the block has.
template <Loss loss, class T, std::size_t rows>
struct Conveyor {
  using Number = typename T::number;
  static constexpr std::size_t w = T::width;
  static constexpr bool pairs = w == 2;  ///< then what lies right of a vector lies left of the next
  /// Vectors between fetching and finishing: of u, of u right of it, of the increments.  Sums are one ahead.
  static_assert(rows >= 4, "what is fetched must not take the place of what is still to be stored");
  static constexpr std::size_t early = pairs && rows > 4 ? 4 : 3, side_early = rows > 4 ? early - 1 : early,
                               kept_early = 2;
  const Number *u, *d;  ///< of the block
  T u0, u1, u2, d0, d1;
  T here[rows], right[rows], left[rows], right2[rows], left2[rows], near[rows], far[rows];
  T x[rows], d_right[rows], d_left[rows], d_sides[rows];

  HWY_ATTR Conveyor(const StringView<Number>& v, const Factors& a)
      : u(v.u), d(v.d), u0(a.u0), u1(a.u1), u2(a.u2), d0(a.d0), d1(a.d1) {}
  static constexpr std::size_t ring(std::size_t i) { return i % rows; }
  template <std::size_t i>
  HWY_ATTR void fetch_here() {
    here[ring(i)] = T::load(u + i * w);
    pin(here[ring(i)]);
  }
  template <std::size_t i>
  HWY_ATTR void fetch_sides() {
    right[ring(i)] = T::load(u + i * w + 1);
    pin(right[ring(i)]);
    if constexpr (!pairs) {
      left[ring(i)] = T::load(u + i * w - 1);
      pin(left[ring(i)]);
      right2[ring(i)] = T::load(u + i * w + 2);
      pin(right2[ring(i)]);
    }
    if constexpr (w > 4) left2[ring(i)] = T::load(u + i * w - 2);
  }
  template <std::size_t i>
  HWY_ATTR void fetch_kept() {
    x[ring(i)] = T::load(d + i * w);
    pin(x[ring(i)]);
    if constexpr (loss == Loss::both) {
      d_right[ring(i)] = T::load(d + i * w + 1);
      pin(d_right[ring(i)]);
      if constexpr (!pairs) {
        d_left[ring(i)] = T::load(d + i * w - 1);
        pin(d_left[ring(i)]);
      }
    }
  }
  template <std::size_t i>
  HWY_ATTR void add_up() {
    constexpr std::size_t k = ring(i), before = ring(i + rows - 1), after = ring(i + 1);
    if constexpr (pairs) {
      near[k] = right[before] + right[k];
      pin(near[k]);
      far[k] = here[before] + here[after];
    } else if constexpr (w == 4) {
      near[k] = left[k] + right[k];
      pin(near[k]);
      far[k] = right2[before] + right2[k];
    } else {
      near[k] = left[k] + right[k];
      far[k] = left2[k] + right2[k];
    }
    pin(far[k]);
    if constexpr (loss == Loss::both) {
      d_sides[k] = (pairs ? d_right[before] : d_left[k]) + d_right[k];
      pin(d_sides[k]);
    }
  }
  template <std::size_t i>
  HWY_ATTR void finish() {
    if constexpr (loss != Loss::none) {
      x[i] = d0 * x[i];
      pin(x[i]);
    }
    if constexpr (loss == Loss::both) {
      x[i] = x[i] + d1 * d_sides[i];
      pin(x[i]);
    }
    x[i] = x[i] + u0 * here[i];
    pin(x[i]);
    x[i] = x[i] + u1 * near[i];
    pin(x[i]);
    x[i] = x[i] + u2 * far[i];
    pin(x[i]);
  }
  /// first: u at -2, -1, 0, ... of the first block.
  HWY_ATTR void start(const T& first) {
    if constexpr (pairs) {
      here[rows - 1] = first;
      right[rows - 1] = T::load(u - 1);
    } else if constexpr (w == 4)
      right2[rows - 1] = first;
    if constexpr (pairs && loss == Loss::both) d_right[rows - 1] = T::load(d - 1);
    each<early>([&](auto i) HWY_ATTR { fetch_here<i>(); });
    each<side_early>([&](auto i) HWY_ATTR { fetch_sides<i>(); });
    each<kept_early>([&](auto i) HWY_ATTR { fetch_kept<i>(); });
    if constexpr (w > 4) left2[0] = first;
    add_up<0>();
  }
  template <std::size_t i>
  HWY_ATTR void move() {
    fetch_here<i + early>();
    fetch_sides<i + side_early>();
    fetch_kept<i + kept_early>();
    add_up<i + 1>();
    finish<i>();
  }
};

/// The same stations for differences as StringGrid::predict() takes them; those that neighbours share are taken once.
/// For vectors of two.
template <Loss loss, class T, std::size_t rows>
struct DifferenceBelt {
  using Number = typename T::number;
  static constexpr std::size_t early = 3, kept_early = 1;  ///< vectors between fetching and finishing
  const Number *u, *d;
  T tension, bending, s0, s1, share;
  T here[rows], right[rows], up[rows], over[rows], curve[rows], beside[rows],
      twice[rows];  ///< up: to the right; over: on from there
  T x[rows], d_right[rows];

  HWY_ATTR DifferenceBelt(const StringView<Number>& v, const Factors&)
      : u(v.u), d(v.d), tension(v.a.tension), bending(v.a.bending), s0(2 * v.a.s0), s1(2 * v.a.s1), share(v.a.share) {}
  static constexpr std::size_t ring(std::size_t i) { return i % rows; }
  template <std::size_t i>
  HWY_ATTR void fetch() {
    here[ring(i + 1)] = T::load(u + 2 * i + 2);
    pin(here[ring(i + 1)]);
    right[ring(i)] = T::load(u + 2 * i + 1);
    pin(right[ring(i)]);
  }
  template <std::size_t i>
  HWY_ATTR void fetch_kept() {
    x[ring(i)] = T::load(d + 2 * i);
    pin(x[ring(i)]);
    if constexpr (loss == Loss::both) {
      d_right[ring(i)] = T::load(d + 2 * i + 1);
      pin(d_right[ring(i)]);
    }
  }
  template <std::size_t i>
  HWY_ATTR void slopes() {
    constexpr std::size_t k = ring(i);
    up[k] = right[k] - here[k];
    pin(up[k]);
    over[k] = here[ring(i + 1)] - right[k];
    pin(over[k]);
  }
  template <std::size_t i>
  HWY_ATTR void curves() {
    constexpr std::size_t k = ring(i);
    curve[k] = up[k] - over[ring(i + rows - 1)];
    pin(curve[k]);
    beside[k] = over[k] - up[k];
    pin(beside[k]);
  }
  template <std::size_t i>
  HWY_ATTR void bends() {
    constexpr std::size_t k = ring(i);
    const T after = beside[k] - curve[k], before = curve[k] - beside[ring(i + rows - 1)];
    pin(after);
    pin(before);
    twice[k] = after - before;
    pin(twice[k]);
  }
  template <std::size_t i>
  HWY_ATTR void finish() {
    T rhs = tension * curve[i] - bending * twice[i];
    if constexpr (loss != Loss::none) rhs = rhs - s0 * x[i];
    if constexpr (loss == Loss::both) rhs = rhs + s1 * second_difference(d_right[ring(i + rows - 1)], x[i], d_right[i]);
    if constexpr (loss != Loss::none) rhs = rhs * share;
    pin(rhs);
    x[i] = x[i] + rhs;
    pin(x[i]);
  }
  HWY_ATTR void start(const T& first) {
    const T left = T::load(u - 1);
    here[0] = T::load(u);
    over[rows - 1] = here[0] - left;
    beside[rows - 1] = over[rows - 1] - (left - first);
    if constexpr (loss == Loss::both) d_right[rows - 1] = T::load(d - 1);
    each<early>([&](auto i) HWY_ATTR { fetch<i>(); });
    each<kept_early>([&](auto i) HWY_ATTR { fetch_kept<i>(); });
    slopes<0>();
    slopes<1>();
    curves<0>();
    bends<0>();
  }
  template <std::size_t i>
  HWY_ATTR void move() {
    fetch<i + early>();
    fetch_kept<i + kept_early>();
    slopes<i + 2>();
    curves<i + 1>();
    bends<i + 1>();
    finish<i>();
  }
};

/// The same without stations.  Adding a term that is zero changes no number.
template <Loss loss, class T, std::size_t rows>
HWY_ATTR inline T increment_by_differences(const StringNumbers& a, const Stretch<T, rows>& n,
                                           const typename T::number* d, std::size_t i) {
  const T l = second_difference(n.left2[i], n.left[i], n.here[i]),
          r = second_difference(n.here[i], n.right[i], n.right2[i]);
  const T here = second_difference(n.left[i], n.here[i], n.right[i]), twice = second_difference(l, here, r),
          before = T::load(d);
  T rhs = T(a.tension) * here - T(a.bending) * twice;
  if constexpr (loss != Loss::none) rhs = rhs - T(2 * a.s0) * before;
  if constexpr (loss == Loss::both) rhs = rhs + T(2 * a.s1) * second_difference(T::load(d - 1), before, T::load(d + 1));
  if constexpr (loss != Loss::none) rhs = rhs * T(a.share);
  return before + rhs;
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
