// SPDX-License-Identifier: MIT
// One pass along the string: stencil, increment, displacement, and who touches.  What touches, or did a step ago, goes
// through string_contact.h block by block; everything else costs 6 vector operations per vector and 1 for looking.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_STRING_STEPS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_STRING_STEPS_H
#undef JAWARI_KERNEL_STRING_STEPS_H
#else
#define JAWARI_KERNEL_STRING_STEPS_H
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "kernel/string_contact.h"
#include "kernel/string_traffic.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

/// ahead: the scheme acts in the very step that arrives (secant, gradients); otherwise a step begins free outside.
template <Loss loss, bool ahead, class T>
HWY_NOINLINE JAWARI_FLATTEN void pass_along(StringView<typename T::number>& v) noexcept {
  using Number = typename T::number;
  constexpr std::size_t block = kernel::block_size(T::width), units = kernel::units_per_block(T::width);
  const StringNumbers a = v.a;
  const Number *HWY_RESTRICT u = v.u, *HWY_RESTRICT d = v.d, *HWY_RESTRICT level = v.level;
  Number *HWY_RESTRICT u_next = v.u_next, *HWY_RESTRICT d_next = v.d_next;
  const std::uint8_t* HWY_RESTRICT busy = v.busy;
  const std::size_t padded = v.padded;
  std::size_t found = 0;
  Around<T> n;  // what the next vector needs too stays in registers
  if constexpr (T::width <= 4) n.left2 = T::load(u - 2);
  if constexpr (T::width == 2) n.left = T::load(u - 1), n.u = T::load(u), n.d_left = T::load(d - 1);
  for (std::size_t at = 0; at < padded; at += block) {
    T highest;
    each<block / T::width>([&](auto i) HWY_ATTR {
      const std::size_t here = at + i * T::width;
      if constexpr (T::width == 2) {
        n.right = T::load(u + here + 1), n.right2 = T::load(u + here + 2);
      } else {
        n.u = T::load(u + here), n.left = T::load(u + here - 1), n.right = T::load(u + here + 1);
        n.right2 = T::load(u + here + 2);
        if constexpr (T::width > 4) n.left2 = T::load(u + here - 2);
      }
      n.d = T::load(d + here);
      if constexpr (loss == Loss::both) {
        n.d_right = T::load(d + here + 1);
        if constexpr (T::width > 2) n.d_left = T::load(d + here - 1);
      }
      T step = free_step<loss>(a, n);
      if constexpr (!T::is_fused) step = n.d + step;
      const T next = n.u + step, looked_at = ahead ? next : n.u;
      step.store(d_next + here), next.store(u_next + here);
      if constexpr (i == 0) highest = looked_at;
      else highest = most(highest, looked_at);
      if constexpr (T::width == 2) n.left2 = n.u, n.left = n.right, n.u = n.right2, n.d_left = n.d_right;
      if constexpr (T::width == 4) n.left2 = n.right2;
    });
    bool wanted = busy[0] != 0;
    if constexpr (units == 4) {  // one look at all
      std::uint32_t all;
      std::memcpy(&all, busy, 4), wanted = all != 0;
    } else if constexpr (units == 2) {
      wanted |= busy[1] != 0;
    }
    if (some(highest > T(static_cast<double>(*level))) || wanted) [[unlikely]] v.blocks[found++] = static_cast<std::uint32_t>(at);
    busy += units, ++level;
  }
  if (found > 0) v.touch(v, found);
}

/// Supports and what lies beyond: u is odd about them.
template <class Number>
inline void mend_ends(StringView<Number>& v) noexcept {
  Number *u = v.u_next, *d = v.d_next;
  const std::size_t n = v.nodes;
  for (std::size_t i = n; i < v.padded; ++i) u[i] = d[i] = 0;
  u[-2] = -u[0], u[n] = 0, u[n + 1] = -u[n - 1];
}

/// Sums for (S4)'s losses: of s^2, and of its squared first differences, supports included.
template <bool sigma1, class T>
HWY_NOINLINE JAWARI_FLATTEN void friction(const StringView<typename T::number>& v, double& squares, double& stretch) noexcept {
  const auto *HWY_RESTRICT d = v.d, *HWY_RESTRICT next = v.d_next;
  T sum(0), sum2(0), slope(0), slope2(0), before(0);
  const auto left_of = [&](const T& s, std::size_t at) HWY_ATTR {
    if constexpr (T::width * sizeof(typename T::number) == 16) {
      const T left = hn::CombineShiftRightLanes<T::width - 1>(typename T::Tag(), s.v, before.v);
      before = s;
      return left;
    } else {
      return T::load(d + at - 1) + T::load(next + at - 1);
    }
  };
  for (std::size_t at = 0; at < v.padded; at += 2 * T::width) {
    const T s = T::load(d + at) + T::load(next + at), t = T::load(d + at + T::width) + T::load(next + at + T::width);
    sum = sum + s * s, sum2 = sum2 + t * t;
    if constexpr (sigma1) {
      const T rise = s - left_of(s, at), rise2 = t - left_of(t, at + T::width);
      slope = slope + rise * rise, slope2 = slope2 + rise2 * rise2;
    }
  }
  squares = (sum + sum2).sum(), stretch = (slope + slope2).sum();
  if (v.nodes == v.padded) {  // the last difference lies beyond
    const double last = static_cast<double>(v.d[v.nodes - 1]) + static_cast<double>(v.d_next[v.nodes - 1]);
    stretch += last * last;
  }
}

template <bool ahead, class T>
HWY_ATTR void run_string(StringView<typename T::number>& v, kernel::StringTraffic& traffic, std::size_t steps) noexcept {
  for (std::size_t n = 0; n < steps; ++n) {
    kernel::push(v, traffic, n, unit_rows * T::width);
    if (v.a.s1 != 0) pass_along<Loss::both, ahead, T>(v);
    else if (v.a.s0 != 0) pass_along<Loss::sigma0, ahead, T>(v);
    else pass_along<Loss::none, ahead, T>(v);
    if (!traffic.forces.empty()) kernel::push_nodes(v, traffic, unit_rows * T::width);
    mend_ends(v);
    if (traffic.books && v.a.lossy()) {
      double squares, stretch;
      if (v.a.s1 != 0) friction<true, T>(v, squares, stretch);
      else friction<false, T>(v, squares, stretch);
      traffic.lost.add((v.a.s0 * squares + v.a.s1 * stretch) / (2 * v.a.q0));
    }
    kernel::listen(v, traffic, n);
    std::swap(v.u, v.u_next), std::swap(v.d, v.d_next);
    if (++v.touches.steps == 1024) traffic.note(v.touches);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
