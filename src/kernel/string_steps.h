// SPDX-License-Identifier: MIT
// One pass along the string: stencil, increment, displacement, and who touches.  What touches, or did a step ago, goes
// through string_contact.h block by block; everything else costs 6 vector operations per vector and 2 for looking.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_STRING_STEPS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_STRING_STEPS_H
#undef JAWARI_KERNEL_STRING_STEPS_H
#else
#define JAWARI_KERNEL_STRING_STEPS_H
#endif

#include <cstddef>
#include <utility>

#include "kernel/string_contact.h"
#include "kernel/string_traffic.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

/// ahead: the scheme acts in the very step that arrives (secant, gradients); otherwise a step begins free outside.
template <bool lossy, bool ahead, class T>
HWY_NOINLINE HWY_FLATTEN void pass_along(StringView<typename T::number>& v) noexcept {
  using Number = typename T::number;
  constexpr std::size_t block = block_rows * T::width;
  const StringNumbers a = v.a;
  const Number *HWY_RESTRICT u = v.u, *HWY_RESTRICT d = v.d, *HWY_RESTRICT offset = v.offset;
  Number *HWY_RESTRICT u_next = v.u_next, *HWY_RESTRICT d_next = v.d_next;
  const std::size_t padded = v.padded;
  Around<T> n;  // what the next vector needs too stays in registers
  if constexpr (T::width <= 4) n.left2 = T::load(u - 2);
  if constexpr (T::width == 2) n.left = T::load(u - 1), n.u = T::load(u);
  for (std::size_t at = 0; at < padded; at += block) {
    T highest;
    each<block_rows>([&](auto i) HWY_ATTR {
      const std::size_t here = at + i * T::width;
      if constexpr (T::width == 2) {
        n.right = T::load(u + here + 1), n.right2 = T::load(u + here + 2);
      } else {
        n.u = T::load(u + here), n.left = T::load(u + here - 1), n.right = T::load(u + here + 1);
        n.right2 = T::load(u + here + 2);
        if constexpr (T::width > 4) n.left2 = T::load(u + here - 2);
      }
      n.d = T::load(d + here);
      if constexpr (lossy) n.d_left = T::load(d + here - 1), n.d_right = T::load(d + here + 1);
      T step = free_step<lossy>(a, n);
      if constexpr (!T::is_fused) step = n.d + step;
      const T next = n.u + step, y = T::load(offset + here) + (ahead ? next : n.u);
      step.store(d_next + here), next.store(u_next + here);
      if constexpr (i == 0) highest = y;
      else highest = most(highest, y);
      if constexpr (T::width == 2) n.left2 = n.u, n.left = n.right, n.u = n.right2;
      if constexpr (T::width == 4) n.left2 = n.right2;
    });
    if (some(highest > T(0)) || v.busy[at / block]) [[unlikely]]
      if (!v.touch(v, at)) v.touch_carefully(v, at);
  }
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
template <class T>
HWY_NOINLINE HWY_FLATTEN void friction(const StringView<typename T::number>& v, double& squares, double& stretch) noexcept {
  T sum(0), slope(0);
  for (std::size_t at = 0; at < v.padded; at += T::width) {
    const T s = T::load(v.d + at) + T::load(v.d_next + at);
    const T left = T::load(v.d + at - 1) + T::load(v.d_next + at - 1);
    sum = sum + s * s, slope = slope + (s - left) * (s - left);
  }
  squares = sum.sum(), stretch = slope.sum();
  if (v.nodes == v.padded) {  // the last difference lies beyond
    const double last = v.d[v.nodes - 1] + v.d_next[v.nodes - 1];
    stretch += last * last;
  }
}

template <bool ahead, class T>
HWY_ATTR void run_string(StringView<typename T::number>& v, kernel::StringTraffic& traffic, std::size_t steps) noexcept {
  constexpr std::size_t block = block_rows * T::width;
  for (std::size_t n = 0; n < steps; ++n) {
    kernel::push(v, traffic, n, block);
    if (v.a.lossy()) pass_along<true, ahead, T>(v);
    else pass_along<false, ahead, T>(v);
    mend_ends(v);
    if (v.a.lossy()) {
      double squares, stretch;
      friction<T>(v, squares, stretch);
      traffic.lost.add((v.a.s0 * squares + v.a.s1 * stretch) / (2 * v.a.q0));
    }
    if (v.lossy_contact) traffic.lost_in_contact.add(std::exchange(v.touches.lost_J, 0.0));
    kernel::listen(v, traffic, n);
    std::swap(v.u, v.u_next), std::swap(v.d, v.d_next);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
