// SPDX-License-Identifier: MIT
// One pass along the string: stencil, increment, displacement, and who touches.  What touches, or did a step ago, goes
// through string_contact.h block by block; everything else costs 5 vector operations per vector and 1 for looking.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_STRING_STEPS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_STRING_STEPS_H
#undef JAWARI_KERNEL_STRING_STEPS_H
#else
#define JAWARI_KERNEL_STRING_STEPS_H
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "kernel/string_contact.h"
#include "kernel/string_traffic.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

/// A block of the string and its neighbours: `rows` vectors.  What the next block needs too stays in registers.
template <class T, std::size_t rows>
struct Stretch {
  static constexpr std::size_t w = T::width;
  static constexpr bool pairs = w == 2;  ///< then what lies right of a vector lies left of the next
  T even[rows + 2], odd[pairs ? rows + 1 : rows], left1[pairs ? 1 : rows], left2[pairs ? 1 : rows], right2[pairs ? 1 : rows];
  T carried;  ///< second_left() of the next block

  /// first: u at -2, -1, 0, ...
  HWY_ATTR void start(const typename T::number* u, const T& first) {
    if constexpr (pairs) even[rows] = first, even[rows + 1] = T::load(u), odd[rows] = T::load(u - 1);
    else carried = first;
  }
  HWY_ATTR void advance(const typename T::number* u) {
    if constexpr (pairs) {
      even[0] = even[rows], even[1] = even[rows + 1], odd[0] = odd[rows];
      each<rows>([&](auto i) HWY_ATTR { odd[i + 1] = T::load(u + 2 * i + 1), even[i + 2] = T::load(u + 2 * i + 2); });
    } else {
      left2[0] = carried;
      each<rows>([&](auto i) HWY_ATTR {
        even[i + 1] = T::load(u + i * w), odd[i] = T::load(u + i * w + 1), left1[i] = T::load(u + i * w - 1);
        right2[i] = T::load(u + i * w + 2);
        if constexpr (i > 0 && w == 4) left2[i] = right2[i - 1];
        else if constexpr (i > 0) left2[i] = T::load(u + i * w - 2);
      });
      if constexpr (w == 4) carried = right2[rows - 1];
      else carried = T::load(u + rows * w - 2);
    }
  }
  HWY_ATTR const T& here(std::size_t i) const { return even[i + 1]; }
  HWY_ATTR const T& left(std::size_t i) const { return pairs ? odd[i] : left1[i]; }
  HWY_ATTR const T& right(std::size_t i) const { return pairs ? odd[i + 1] : odd[i]; }
  HWY_ATTR const T& second_left(std::size_t i) const { return pairs ? even[i] : left2[i]; }
  HWY_ATTR const T& second_right(std::size_t i) const { return pairs ? even[i + 2] : right2[i]; }
};

/// u at -2, -1, 0, ...: odd about the support.  Put together here, not read: what was just stored by halves makes a
/// load wait for all stores before it.
template <class T>
HWY_ATTR inline T beyond_support(const typename T::number* u) {
  alignas(64) static constexpr typename T::number mirror[16] = {-1}, rest[16] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  return T(T::load(rest) * T::load(u - 2)) + T::load(mirror) * T::load(u);
}

/// The increments' part of a collected step: from now (N3), or the level before.
template <Loss loss, class T>
HWY_ATTR inline T kept(const StringNumbers& a, const typename T::number* d) {
  if constexpr (loss == Loss::none) return T::load(d);
  else if constexpr (loss == Loss::sigma0) return T(a.d0) * T::load(d);
  else return T(a.d0) * T::load(d) + T(a.d1) * (T::load(d - 1) + T::load(d + 1));
}

template <Loss loss, class T, std::size_t rows, class Keep>
HWY_ATTR inline void collected(const StringNumbers& a, const T& u0, const T& u1, const T& u2, const Stretch<T, rows>& n,
                               const typename T::number* d, Keep keep) {
  each<rows>([&](auto i) HWY_ATTR {
    keep(i, T(kept<loss, T>(a, d + i * T::width) + u0 * n.here(i) + u1 * (n.left(i) + n.right(i)) +
              u2 * (n.second_left(i) + n.second_right(i))));
  });
}

/// Differences as StringGrid::predict() takes them; those that neighbours share are taken once.  Adding a term that is
/// zero changes no number.
template <Loss loss, class T, std::size_t rows, class Keep>
HWY_ATTR inline void by_differences(const StringNumbers& a, const Stretch<T, rows>& n, const typename T::number* d, Keep keep) {
  T up[rows + 1], over[rows + 1], beside[rows + 1];  // even to odd, odd to even, curvature at odd
  if constexpr (Stretch<T, rows>::pairs) {
    each<rows + 1>([&](auto i) HWY_ATTR { up[i] = n.odd[i] - n.even[i], over[i] = n.even[i + 1] - n.odd[i]; });
    each<rows + 1>([&](auto i) HWY_ATTR { beside[i] = over[i] - up[i]; });
  }
  each<rows>([&](auto i) HWY_ATTR {
    T here, twice;
    if constexpr (Stretch<T, rows>::pairs) {
      here = up[i + 1] - over[i], twice = (beside[i + 1] - here) - (here - beside[i]);
    } else {
      const T l = second_difference(n.second_left(i), n.left(i), n.here(i)), r = second_difference(n.here(i), n.right(i), n.second_right(i));
      here = second_difference(n.left(i), n.here(i), n.right(i)), twice = second_difference(l, here, r);
    }
    const typename T::number* at = d + i * T::width;
    const T before = T::load(at);
    T rhs = T(a.tension) * here - T(a.bending) * twice;
    if constexpr (loss != Loss::none) rhs = rhs - T(2 * a.s0) * before;
    if constexpr (loss == Loss::both) rhs = rhs + T(2 * a.s1) * second_difference(T::load(at - 1), before, T::load(at + 1));
    if constexpr (loss != Loss::none) rhs = rhs * T(a.share);
    keep(i, before + rhs);
  });
}

/// ahead: the scheme acts in the very step that arrives (secant, gradients); otherwise a step begins free outside.
/// negative: what is looked at is stored with the other sign.
template <Way way, Loss loss, bool ahead, bool negative, class T>
HWY_NOINLINE JAWARI_FLATTEN void pass_along(StringView<typename T::number>& v) noexcept {
  using Number = typename T::number;
  constexpr std::size_t block = kernel::block_size(T::width), units = kernel::units_per_block(T::width), rows = block / T::width;
  constexpr bool late = way != Way::collected;  // stores after the block: faster where registers suffice
  const StringNumbers a = v.a;
  const Number *HWY_RESTRICT u = v.u, *HWY_RESTRICT d = v.d, *HWY_RESTRICT level = v.level;
  Number *HWY_RESTRICT u_next = v.u_next, *HWY_RESTRICT d_next = v.d_next;
  const std::uint8_t* HWY_RESTRICT busy = v.busy;
  const std::size_t padded = v.padded;
  std::size_t found = 0;
  const double turn = T::in_levels ? v.sign() * v.sign(1) : 1;
  const T u0(T::in_levels ? turn * a.l0 : a.u0), u1(T::in_levels ? turn * a.l1 : a.u1), u2(turn * a.u2);
  Stretch<T, rows> n;
  n.start(u, beyond_support<T>(u));
  for (std::size_t at = 0; at < padded; at += block) {
    T next[rows];
    n.advance(u + at);
    const auto keep = [&](auto i, const T& x) HWY_ATTR {
      const std::size_t here = at + i * T::width;
      next[i] = x;
      if constexpr (!late) x.store(d_next + here), next[i] = n.here(i) + x, next[i].store(u_next + here);
    };
    if constexpr (way != Way::differences) collected<loss>(a, u0, u1, u2, n, d + at, keep);
    else by_differences<loss>(a, n, d + at, keep);
    if constexpr (late && !T::in_levels) {
      each<rows>([&](auto i) HWY_ATTR { next[i].store(d_next + at + i * T::width); });
      each<rows>([&](auto i) HWY_ATTR { next[i] = n.here(i) + next[i]; });
    }
    if constexpr (late) each<rows>([&](auto i) HWY_ATTR { next[i].store(u_next + at + i * T::width); });
    T highest = ahead ? next[0] : n.here(0);
    each<rows - 1>([&](auto i) HWY_ATTR {
      const T& looked_at = ahead ? next[i + 1] : n.here(i + 1);
      if constexpr (negative) highest = least(highest, looked_at);
      else highest = most(highest, looked_at);
    });
    bool wanted = busy[0] != 0;
    if constexpr (units == 4) {  // one look at all
      std::uint32_t all;
      std::memcpy(&all, busy, 4), wanted = all != 0;
    } else if constexpr (units == 2) {
      wanted |= busy[1] != 0;
    }
    bool touched;
    if constexpr (T::width == 2) {
      touched = negative ? -highest.smallest() > *level : highest.largest() > *level;
    } else {
      const T limit(static_cast<double>(*level));
      touched = some(negative ? highest < -limit : highest > limit);
    }
    if (touched || wanted) [[unlikely]] v.blocks[found++] = static_cast<std::uint32_t>(at);
    busy += units, ++level;
  }
  if (found > 0) v.u[-2] = -v.u[0], v.touch(v, found);
}

/// The right support and what lies beyond: u is odd about it.
template <class Number>
inline void mend_ends(StringView<Number>& v) noexcept {
  Number* u = v.u_next;
  const std::size_t n = v.nodes;
  for (std::size_t i = n; i < v.padded; ++i) u[i] = 0;
  if (!v.in_levels()) std::fill(v.d_next + n, v.d_next + v.padded, Number(0));
  u[n] = 0, u[n + 1] = -u[n - 1];
}

/// Sums for (S4)'s losses: of s^2, and of its squared first differences, supports included.  s = d + next.
/// mirrored: there is a node beyond the right support, which must not count.
template <bool sigma1, class Number>
HWY_NOINLINE JAWARI_FLATTEN void friction(const Number* HWY_RESTRICT d, const Number* HWY_RESTRICT next, std::size_t nodes,
                                          std::size_t padded, bool mirrored, double& squares,
                                          double& stretch) noexcept {
  using T = Lanes<true, false, Number>;
  T sum(0), sum2(0), slope(0), slope2(0), before(0);
  const auto left_of = [&](const T& s, std::size_t at) HWY_ATTR {
    if constexpr (T::width * sizeof(Number) == 16) {
      const T left = hn::CombineShiftRightLanes<T::width - 1>(typename T::Tag(), s.v, before.v);
      before = s;
      return left;
    } else {
      return T::load(d + at - 1) + T::load(next + at - 1);
    }
  };
  constexpr std::size_t halves = kernel::block_size(T::width) / T::width >= 4 ? 2 : 1;
  for (std::size_t at = 0; at < padded; at += 2 * halves * T::width)
    each<halves>([&](auto half) HWY_ATTR {
      const std::size_t one = at + 2 * half * T::width, two = one + T::width;
      const T s = T::load(d + one) + T::load(next + one), t = T::load(d + two) + T::load(next + two);
      sum = sum + s * s, sum2 = sum2 + t * t;
      if constexpr (sigma1) {
        const T rise = s - left_of(s, one), rise2 = t - left_of(t, two);
        slope = slope + rise * rise, slope2 = slope2 + rise2 * rise2;
      }
    });
  squares = (sum + sum2).sum(), stretch = (slope + slope2).sum();
  const double last = static_cast<double>(d[nodes - 1]) + static_cast<double>(next[nodes - 1]);
  if (nodes == padded) stretch += last * last;  // the last difference lies beyond
  if (mirrored && nodes + 1 < padded) squares -= last * last, stretch -= (nodes + 2 < padded ? 2 : 1) * last * last;
}

template <Loss loss, bool ahead, class T>
HWY_ATTR inline void pass_along(StringView<typename T::number>& v) noexcept {
  if constexpr (T::in_levels) {
    if (v.sign(ahead ? 1 : 0) < 0) pass_along<Way::levels, loss, ahead, true, T>(v);
    else pass_along<Way::levels, loss, ahead, false, T>(v);
  } else {
    if constexpr (T::is_fused)
      if (v.way == Way::collected) return pass_along<Way::collected, loss, ahead, false, T>(v);
    pass_along<Way::differences, loss, ahead, false, T>(v);
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
      const auto* next = T::in_levels ? v.u_next : v.d_next;  // levels: s or -s
      if (v.a.s1 != 0) friction<true>(v.d, next, v.nodes, v.padded, T::in_levels, squares, stretch);
      else friction<false>(v.d, next, v.nodes, v.padded, T::in_levels, squares, stretch);
      traffic.lost.add((v.a.s0 * squares + v.a.s1 * stretch) / (2 * v.a.q0));
    }
    kernel::listen(v, traffic, n);
    v.turn(), ++v.clock;
    if (++v.touches.steps == 1024) traffic.note(v.touches);
  }
  v.u[-2] = -v.u[0];
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
