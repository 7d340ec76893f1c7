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

/// Holds the compiler to the order of the text.  It would gather what belongs together; the core then waits, for it looks
/// only so far ahead.
template <class T>
HWY_ATTR inline void pin([[maybe_unused]] const T& x) {
#if HWY_ARCH_ARM_A64 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
  asm volatile("" : : "w"(x.v.raw));
#endif
}

/// A collected step of `rows` vectors (N3), each at several stations at once: while one vector is finished, sums for the
/// next are formed and those after it are fetched.  Every station holds as many vectors as the block has.
template <Loss loss, class T, std::size_t rows>
struct Conveyor {
  using Number = typename T::number;
  static constexpr std::size_t w = T::width;
  static constexpr bool pairs = w == 2;  ///< then what lies right of a vector lies left of the next
  /// Vectors between fetching and finishing: of u, of u right of it, of the increments.  Sums are one ahead.
  static_assert(rows >= 4, "what is fetched must not take the place of what is still to be stored");
  static constexpr std::size_t early = pairs && rows > 4 ? 4 : 3, side_early = rows > 4 ? early - 1 : early, kept_early = 2;
  const Number *u, *d;  ///< of the block
  T u0, u1, u2, d0, d1;
  T here[rows], right[rows], left[rows], right2[rows], left2[rows], near[rows], far[rows];
  T x[rows], d_right[rows], d_left[rows], d_sides[rows];

  static constexpr std::size_t ring(std::size_t i) { return i % rows; }
  template <std::size_t i>
  HWY_ATTR void fetch_here() { here[ring(i)] = T::load(u + i * w), pin(here[ring(i)]); }
  template <std::size_t i>
  HWY_ATTR void fetch_sides() {
    right[ring(i)] = T::load(u + i * w + 1), pin(right[ring(i)]);
    if constexpr (!pairs) {
      left[ring(i)] = T::load(u + i * w - 1), pin(left[ring(i)]);
      right2[ring(i)] = T::load(u + i * w + 2), pin(right2[ring(i)]);
    }
    if constexpr (w > 4) left2[ring(i)] = T::load(u + i * w - 2);
  }
  template <std::size_t i>
  HWY_ATTR void fetch_kept() {
    x[ring(i)] = T::load(d + i * w), pin(x[ring(i)]);
    if constexpr (loss == Loss::both) {
      d_right[ring(i)] = T::load(d + i * w + 1), pin(d_right[ring(i)]);
      if constexpr (!pairs) d_left[ring(i)] = T::load(d + i * w - 1), pin(d_left[ring(i)]);
    }
  }
  template <std::size_t i>
  HWY_ATTR void add_up() {
    constexpr std::size_t k = ring(i), before = ring(i + rows - 1), after = ring(i + 1);
    if constexpr (pairs) near[k] = right[before] + right[k], pin(near[k]), far[k] = here[before] + here[after];
    else if constexpr (w == 4) near[k] = left[k] + right[k], pin(near[k]), far[k] = right2[before] + right2[k];
    else near[k] = left[k] + right[k], far[k] = left2[k] + right2[k];
    pin(far[k]);
    if constexpr (loss == Loss::both) d_sides[k] = (pairs ? d_right[before] : d_left[k]) + d_right[k], pin(d_sides[k]);
  }
  template <std::size_t i>
  HWY_ATTR void finish() {
    if constexpr (loss != Loss::none) x[i] = d0 * x[i], pin(x[i]);
    if constexpr (loss == Loss::both) x[i] = x[i] + d1 * d_sides[i], pin(x[i]);
    x[i] = x[i] + u0 * here[i], pin(x[i]);
    x[i] = x[i] + u1 * near[i], pin(x[i]);
    x[i] = x[i] + u2 * far[i], pin(x[i]);
  }
  /// first: u at -2, -1, 0, ... of the first block.
  HWY_ATTR void start(const T& first) {
    if constexpr (pairs) here[rows - 1] = first, right[rows - 1] = T::load(u - 1);
    else if constexpr (w == 4) right2[rows - 1] = first;
    if constexpr (pairs && loss == Loss::both) d_right[rows - 1] = T::load(d - 1);
    each<early>([&](auto i) HWY_ATTR { fetch_here<i>(); });
    each<side_early>([&](auto i) HWY_ATTR { fetch_sides<i>(); });
    each<kept_early>([&](auto i) HWY_ATTR { fetch_kept<i>(); });
    if constexpr (w > 4) left2[0] = first;
    add_up<0>();
  }
  template <std::size_t i>
  HWY_ATTR void move() {
    fetch_here<i + early>(), fetch_sides<i + side_early>(), fetch_kept<i + kept_early>();
    add_up<i + 1>(), finish<i>();
  }
};

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
      : level(v.level + from / kernel::block_size(T::width)), busy(v.busy + from / (unit_rows * T::width)), blocks(v.blocks) {}
  template <bool first>
  HWY_ATTR void look(const T& x) {
    if constexpr (first) highest = x;
    else if constexpr (negative) highest = least(highest, x);
    else highest = most(highest, x);
  }
  HWY_ATTR void end_block(std::size_t at) {
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
    if (touched || wanted) [[unlikely]] blocks[found++] = static_cast<std::uint32_t>(at);
    busy += units, ++level;
  }
};

/// Of a collected step; in levels with the sign of this one.
struct Factors {
  double u0, u1, u2, d0, d1;
  Factors(const StringNumbers& a, bool levels, double turn)
      : u0(turn * (levels ? a.l0 : a.u0)), u1(turn * (levels ? a.l1 : a.u1)), u2(turn * a.u2), d0(a.d0), d1(a.d1) {}
};

/// All blocks with terms collected.  Returns how many it has listed.
/// partly: looks only at those from look_from to look_to.
/// ahead: the scheme acts in the very step that arrives (secant, gradients); otherwise a step begins free outside.
/// negative: what is looked at is stored with the other sign.
template <Loss loss, bool ahead, bool negative, bool partly, class T>
HWY_NOINLINE JAWARI_FLATTEN std::size_t convey(StringView<typename T::number>& v, const Factors& a, std::size_t look_from,
                                               std::size_t look_to) noexcept {
  using Number = typename T::number;
  constexpr std::size_t block = kernel::block_size(T::width), rows = block / T::width;
  Number *HWY_RESTRICT u_next = v.u_next, *HWY_RESTRICT d_next = v.d_next;
  const std::size_t padded = v.padded;
  Looker<negative, T> looker(v, partly ? look_from : 0);
  Conveyor<loss, T, rows> belt;
  belt.u = v.u, belt.d = v.d;
  belt.u0 = T(a.u0), belt.u1 = T(a.u1), belt.u2 = T(a.u2), belt.d0 = T(a.d0), belt.d1 = T(a.d1);
  belt.start(beyond_support<T>(v.u));
  std::size_t at = 0;
  const auto blocks_to = [&](std::size_t end, auto looks) HWY_ATTR {
    for (; at < end; at += block) {
      T last;
      const auto leave = [&](auto i) HWY_ATTR {  // a vector later, when it is there
        const std::size_t place = at + i * T::width;
        T next = belt.x[i];
        if constexpr (!T::in_levels) next.store(d_next + place), next = last + next, pin(next);
        next.store(u_next + place);
        if constexpr (looks && ahead) looker.template look<i == 0>(next), pin(looker.highest);
      };
      each<rows>([&](auto i) HWY_ATTR {
        const T here = belt.here[i];
        belt.template move<i>();
        if constexpr (looks && !ahead) looker.template look<i == 0>(here), pin(looker.highest);
        if constexpr (i > 0) leave(std::integral_constant<std::size_t, i - 1>());
        last = here;
      });
      leave(std::integral_constant<std::size_t, rows - 1>());
      belt.u += block, belt.d += block;
      if constexpr (looks) looker.end_block(at);
    }
  };
  if constexpr (partly) blocks_to(look_from, std::false_type()), blocks_to(look_to, std::true_type());
  blocks_to(padded, std::bool_constant<!partly>());
  return looker.found;
}

/// As the readable path rounds it.
template <Loss loss, bool ahead, class T>
HWY_NOINLINE JAWARI_FLATTEN std::size_t by_differences(StringView<typename T::number>& v) noexcept {
  using Number = typename T::number;
  constexpr std::size_t block = kernel::block_size(T::width), rows = block / T::width;
  const StringNumbers a = v.a;
  const Number *HWY_RESTRICT u = v.u, *HWY_RESTRICT d = v.d;
  Number *HWY_RESTRICT u_next = v.u_next, *HWY_RESTRICT d_next = v.d_next;
  Looker<false, T> looker(v, 0);
  Stretch<T, rows> n;
  n.start(u, beyond_support<T>(u));
  for (std::size_t at = 0; at < v.padded; at += block) {
    T next[rows];
    n.advance(u + at);
    by_differences<loss>(a, n, d + at, [&](auto i, const T& x) HWY_ATTR { next[i] = x; });
    each<rows>([&](auto i) HWY_ATTR { next[i].store(d_next + at + i * T::width); });
    each<rows>([&](auto i) HWY_ATTR { next[i] = n.here(i) + next[i]; });
    each<rows>([&](auto i) HWY_ATTR { next[i].store(u_next + at + i * T::width); });
    each<rows>([&](auto i) HWY_ATTR { looker.template look<i == 0>(ahead ? next[i] : n.here(i)); });
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

/// One step of everything that is free; then those that touch.
template <Loss loss, bool ahead, class T>
HWY_ATTR inline void pass_along(StringView<typename T::number>& v, const Factors* factors) noexcept {
  const auto whole_or_partly = [&](auto negative) HWY_ATTR {
    const Factors& a = factors[v.phase & 1];
    if (v.loaded || v.look_to - v.look_from == v.padded)  // loads are found by looking, too
      return convey<loss, ahead, negative, false, T>(v, a, 0, v.padded);
    return convey<loss, ahead, negative, true, T>(v, a, v.look_from, v.look_to);
  };
  std::size_t found;
  if (!T::is_fused || v.way == Way::differences) found = by_differences<loss, ahead, T>(v);
  else if constexpr (T::in_levels) found = v.sign(ahead ? 1 : 0) < 0 ? whole_or_partly(std::true_type()) : whole_or_partly(std::false_type());
  else if constexpr (T::is_fused) found = whole_or_partly(std::false_type());
  if (found > 0) v.u[-2] = -v.u[0], v.touch(v, found);
}

template <Loss loss, bool ahead, class T>
HWY_ATTR void run_string(StringView<typename T::number>& v, kernel::StringTraffic& traffic, std::size_t steps) noexcept {
  const Factors factors[2] = {{v.a, T::in_levels, 1}, {v.a, T::in_levels, T::in_levels ? -1. : 1.}};
  const bool books = traffic.books && loss != Loss::none, busy = !traffic.drives.empty() || !traffic.listeners.empty();
  v.loaded = !traffic.drives.empty();
  for (std::size_t n = 0; n < steps; ++n) {
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
    v.turn(), ++v.clock;
    if (++v.touches.steps == 1024) traffic.note(v.touches);
  }
  v.u[-2] = -v.u[0];
}
template <bool ahead, class T>
HWY_ATTR void run_string(StringView<typename T::number>& v, kernel::StringTraffic& traffic, std::size_t steps) noexcept {
  if (v.a.s1 != 0) run_string<Loss::both, ahead, T>(v, traffic, steps);
  else if (v.a.s0 != 0) run_string<Loss::sigma0, ahead, T>(v, traffic, steps);
  else run_string<Loss::none, ahead, T>(v, traffic, steps);
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
