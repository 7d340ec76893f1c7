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

#include "kernel/string_belts.h"
#include "kernel/string_contact.h"
#include "kernel/string_traffic.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

/// Lists the blocks where something may touch, or must be looked at.
template <bool negative, class T>
struct Looker {
  static constexpr std::size_t units = kernel::units_per_block(T::width);
  const typename T::number* level;
  const std::uint8_t* busy;
  std::uint32_t* blocks;
  std::size_t found = 0;
  T highest;

  HWY_ATTR Looker(const StringView<typename T::number>& v, std::size_t from)
      : level(v.level + from / kernel::block_size(T::width)),
        busy(v.busy + from / (unit_rows * T::width)),
        blocks(v.blocks) {}
  template <bool first>
  HWY_ATTR void look(const T& x) {
    if constexpr (first)
      highest = x;
    else if constexpr (negative)
      highest = least(highest, x);
    else
      highest = most(highest, x);
  }
  HWY_ATTR void end_block(std::size_t at) {
    bool wanted = busy[0] != 0;
    if constexpr (units == 4) {  // one look at all
      std::uint32_t all;
      std::memcpy(&all, busy, 4);
      wanted = all != 0;
    } else if constexpr (units == 2) {
      wanted |= busy[1] != 0;
    }
    bool touched;
    if constexpr (T::width == 2) {
      touched = negative ? -highest.smallest() > *level : highest.largest() > *level;
    } else {
      const T limit(static_cast<double>(*level));
      touched = any_lane(negative ? highest < -limit : highest > limit);
    }
    if (touched || wanted) [[unlikely]]
      blocks[found++] = static_cast<std::uint32_t>(at);
    busy += units;
    ++level;
  }
};

/// All blocks on a belt.  Returns how many it has listed.
/// partly: looks only at those from look_from to look_to.
/// ahead: the scheme acts in the very step that arrives (secant, gradients); otherwise a step begins free outside.
/// negative: what is looked at is stored with the other sign.
template <template <Loss, class, std::size_t> class Belt, Loss loss, bool ahead, bool negative, bool partly, class T>
HWY_NOINLINE JAWARI_FLATTEN std::size_t convey(StringView<typename T::number>& v, const Factors& a,
                                               std::size_t look_from, std::size_t look_to) noexcept {
  using Number = typename T::number;
  constexpr std::size_t block = kernel::block_size(T::width), rows = block / T::width;
  Number *HWY_RESTRICT u_next = v.u_next, *HWY_RESTRICT d_next = v.d_next;
  const std::size_t padded = v.padded;
  Looker<negative, T> looker(v, partly ? look_from : 0);
  Belt<loss, T, rows> belt(v, a);
  belt.start(beyond_support<T>(v.u));
  std::size_t at = 0;
  const auto blocks_to = [&](std::size_t end, auto looks) HWY_ATTR {
    for (; at < end; at += block) {
      T last;
      const auto leave = [&](auto i) HWY_ATTR {  // a vector later, when it is there
        const std::size_t place = at + i * T::width;
        T next = belt.x[i];
        if constexpr (!T::in_levels) {
          next.store(d_next + place);
          next = last + next;
          pin(next);
        }
        next.store(u_next + place);
        if constexpr (looks && ahead) {
          looker.template look<i == 0>(next);
          pin(looker.highest);
        }
      };
      each<rows>([&](auto i) HWY_ATTR {
        const T here = belt.here[i];
        belt.template move<i>();
        if constexpr (looks && !ahead) {
          looker.template look<i == 0>(here);
          pin(looker.highest);
        }
        if constexpr (i > 0) leave(std::integral_constant<std::size_t, i - 1>());
        last = here;
      });
      leave(std::integral_constant<std::size_t, rows - 1>());
      belt.u += block;
      belt.d += block;
      if constexpr (looks) looker.end_block(at);
    }
  };
  if constexpr (partly) {
    blocks_to(look_from, std::false_type());
    blocks_to(look_to, std::true_type());
  }
  blocks_to(padded, std::bool_constant<!partly>());
  return looker.found;
}

/// As the readable path rounds it; looks everywhere.
template <Loss loss, bool ahead, class T>
HWY_NOINLINE JAWARI_FLATTEN std::size_t by_differences(StringView<typename T::number>& v) noexcept {
  using Number = typename T::number;
  constexpr std::size_t block = kernel::block_size(T::width), rows = block / T::width;
  const StringNumbers a = v.a;
  const Number *HWY_RESTRICT u = v.u, *HWY_RESTRICT d = v.d;
  Number *HWY_RESTRICT u_next = v.u_next, *HWY_RESTRICT d_next = v.d_next;
  Looker<false, T> looker(v, 0);
  Stretch<T, rows> n;
  n.carried = beyond_support<T>(u);
  for (std::size_t at = 0; at < v.padded; at += block) {
    T next[rows];
    n.advance(u + at);
    each<rows>([&](auto i) HWY_ATTR { next[i] = increment_by_differences<loss>(a, n, d + at + i * T::width, i); });
    each<rows>([&](auto i) HWY_ATTR { next[i].store(d_next + at + i * T::width); });
    each<rows>([&](auto i) HWY_ATTR { next[i] = n.here[i] + next[i]; });
    each<rows>([&](auto i) HWY_ATTR { next[i].store(u_next + at + i * T::width); });
    each<rows>([&](auto i) HWY_ATTR { looker.template look<i == 0>(ahead ? next[i] : n.here[i]); });
    looker.end_block(at);
  }
  return looker.found;
}

/// The right support and what lies beyond: u is odd about it.
template <class T>
HWY_ATTR inline void mend_ends(StringView<typename T::number>& v) noexcept {
  typename T::number* const u = v.u_next;
  const std::size_t n = v.nodes;
  for (std::size_t i = n; i < v.padded; i += T::width) {  // the last may reach beyond: nothing lies there
    T(0).store(u + i);
    if constexpr (!T::in_levels) T(0).store(v.d_next + i);
  }
  u[n] = 0;
  u[n + 1] = -u[n - 1];
}

/// Sums for (S4)'s losses: of s^2, and of its squared first differences, supports included.  s = d + next.
/// mirrored: there is a node beyond the right support, which must not count.
template <bool sigma1, class Number>
HWY_NOINLINE JAWARI_FLATTEN void friction(const Number* HWY_RESTRICT d, const Number* HWY_RESTRICT next,
                                          std::size_t nodes, std::size_t padded, bool mirrored, double& squares,
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
      sum = sum + s * s;
      sum2 = sum2 + t * t;
      if constexpr (sigma1) {
        const T rise = s - left_of(s, one), rise2 = t - left_of(t, two);
        slope = slope + rise * rise;
        slope2 = slope2 + rise2 * rise2;
      }
    });
  squares = (sum + sum2).sum();
  stretch = (slope + slope2).sum();
  const double last = static_cast<double>(d[nodes - 1]) + static_cast<double>(next[nodes - 1]);
  if (nodes == padded) stretch += last * last;  // the last difference lies beyond
  if (mirrored && nodes + 1 < padded) {
    squares -= last * last;
    stretch -= (nodes + 2 < padded ? 2 : 1) * last * last;
  }
}

/// Looks at all, or only where something may touch.
template <template <Loss, class, std::size_t> class Belt, Loss loss, bool ahead, bool negative, class T>
HWY_ATTR inline std::size_t convey(StringView<typename T::number>& v, const Factors& a) noexcept {
  if (v.loaded || v.look_to - v.look_from == v.padded)  // loads are found by looking, too
    return convey<Belt, loss, ahead, negative, false, T>(v, a, 0, v.padded);
  return convey<Belt, loss, ahead, negative, true, T>(v, a, v.look_from, v.look_to);
}

/// One step of everything that is free; then those that touch.
template <Loss loss, bool ahead, class T>
HWY_ATTR inline void pass_along(StringView<typename T::number>& v, const Factors* factors) noexcept {
  const Factors& a = factors[v.phase & 1];
  const auto by_differences_here = [&]() HWY_ATTR {
    if constexpr (T::width == 2)
      return convey<DifferenceBelt, loss, ahead, false, T>(v, a);
    else
      return by_differences<loss, ahead, T>(v);
  };
  std::size_t found;
  if constexpr (T::in_levels)
    found = v.sign(ahead ? 1 : 0) < 0 ? convey<Conveyor, loss, ahead, true, T>(v, a)
                                      : convey<Conveyor, loss, ahead, false, T>(v, a);
  else if constexpr (T::is_fused)
    found = v.way == Way::collected ? convey<Conveyor, loss, ahead, false, T>(v, a) : by_differences_here();
  else
    found = by_differences_here();
  if (found > 0) {
    v.u[-2] = -v.u[0];
    v.touch(v, found);
  }
}

template <Loss loss, bool ahead, class T>
HWY_ATTR void run_string(StringView<typename T::number>& v, kernel::StringTraffic& traffic,
                         std::size_t steps) noexcept {
  const Factors factors[2] = {{v.a, T::in_levels, 1}, {v.a, T::in_levels, T::in_levels ? -1. : 1.}};
  const bool books = traffic.books && loss != Loss::none, busy = !traffic.drives.empty() || !traffic.listeners.empty();
  v.loaded = !traffic.drives.empty();
  for (std::size_t n = 0; n < steps; ++n) {
    v.advance_landing();
    if (v.loaded) kernel::push(v, traffic, n, unit_rows * T::width);
    pass_along<loss, ahead, T>(v, factors);
    if (!traffic.forces.empty()) kernel::push_nodes(v, traffic, unit_rows * T::width);
    mend_ends<T>(v);
    if (books) {
      double squares, stretch;
      const auto* next = T::in_levels ? v.u_next : v.d_next;  // levels: s or -s
      friction<loss == Loss::both>(v.d, next, v.nodes, v.padded, T::in_levels, squares, stretch);
      traffic.lost.add((v.a.s0 * squares + v.a.s1 * stretch) / (2 * v.a.q0));
    }
    if (busy) kernel::listen(v, traffic, n);
    v.turn();
    ++v.clock;
    if (++v.touches.steps == 1024) traffic.note(v.touches);
  }
  v.u[-2] = -v.u[0];
}
template <bool ahead, class T>
HWY_ATTR void run_string(StringView<typename T::number>& v, kernel::StringTraffic& traffic,
                         std::size_t steps) noexcept {
  if (v.a.s1 != 0)
    run_string<Loss::both, ahead, T>(v, traffic, steps);
  else if (v.a.s0 != 0)
    run_string<Loss::sigma0, ahead, T>(v, traffic, steps);
  else
    run_string<Loss::none, ahead, T>(v, traffic, steps);
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
