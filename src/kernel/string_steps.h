// SPDX-License-Identifier: MIT
// One pass along the string: stencil, increment, displacement, and contact detection.  Blocks that touch, or did a step
// ago, go through string_contact.h; everything else costs 5 vector operations per vector and 1 for the detection.
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
#include <type_traits>

#include "kernel/string_contact.h"
#include "kernel/string_io.h"
#include "kernel/string_stencil.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

/// Lists the blocks where something may touch, or that have active units.
template <bool negative, class T>
struct ContactDetector {
  static constexpr std::size_t units = kernel::units_per_block(T::width);
  const typename T::number* level;
  const std::uint8_t* active_units;
  std::uint32_t* blocks;
  std::size_t found = 0;
  T highest;

  HWY_ATTR ContactDetector(const StringArrays<typename T::number>& v, std::size_t from)
      : level(v.level + from / kernel::block_size(T::width)),
        active_units(v.active_units + from / (unit_rows * T::width)),
        blocks(v.blocks) {}
  template <bool first>
  HWY_ATTR void include(const T& x) {
    if constexpr (first)
      highest = x;
    else if constexpr (negative)
      highest = min_fast(highest, x);
    else
      highest = max_fast(highest, x);
  }
  HWY_ATTR void end_block(std::size_t at) {
    bool wanted = active_units[0] != 0;
    if constexpr (units == 4) {  // one comparison for all
      std::uint32_t all;
      std::memcpy(&all, active_units, 4);
      wanted = all != 0;
    } else if constexpr (units == 2) {
      wanted |= active_units[1] != 0;
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
    active_units += units;
    ++level;
  }
};

/// All blocks through the pipeline of a stencil.  Returns how many blocks it has listed.
/// Detects from detect_from to detect_to.
/// ahead: the scheme acts in the very step that arrives (secant, gradients); otherwise a step begins free outside.
/// negative: the compared values are stored with the other sign.
template <template <Loss, class, std::size_t> class Stencil, Loss loss, bool ahead, bool negative, class T>
HWY_NOINLINE JAWARI_FLATTEN std::size_t run_pipelined(StringArrays<typename T::number>& v, const StencilCoefficients& a,
                                                      std::size_t detect_from, std::size_t detect_to) noexcept {
  using Number = typename T::number;
  constexpr std::size_t block = kernel::block_size(T::width), rows = block / T::width;
  Number *HWY_RESTRICT u_next = v.u_next, *HWY_RESTRICT d_next = v.d_next;
  const std::size_t padded = v.padded;
  ContactDetector<negative, T> detector(v, detect_from);
  Stencil<loss, T, rows> stencil(v, a);
  stencil.start(left_of_support<T>(v.u, v.a.left_ghost));
  std::size_t at = 0;
  const auto blocks_to = [&](std::size_t end, auto looks) HWY_ATTR {
    for (; at < end; at += block) {
      T last;
      const auto store_vector = [&](auto i) HWY_ATTR {  // one vector later, when it is complete
        const std::size_t place = at + i * T::width;
        T next = stencil.x[i];
        if constexpr (!T::in_levels) {
          next.store(d_next + place);
          next = last + next;
          keep_order(next);
        }
        next.store(u_next + place);
        if constexpr (looks && ahead) {
          detector.template include<i == 0>(next);
          keep_order(detector.highest);
        }
      };
      unroll<rows>([&](auto i) HWY_ATTR {
        const T here = stencil.here[i];
        stencil.template move<i>();
        if constexpr (looks && !ahead) {
          detector.template include<i == 0>(here);
          keep_order(detector.highest);
        }
        if constexpr (i > 0) store_vector(std::integral_constant<std::size_t, i - 1>());
        last = here;
      });
      store_vector(std::integral_constant<std::size_t, rows - 1>());
      stencil.u += block;
      stencil.d += block;
      if constexpr (looks) detector.end_block(at);
    }
  };
  while (at < padded) {
    if (at < detect_from)
      blocks_to(detect_from, std::false_type());
    else if (at < detect_to)
      blocks_to(detect_to, std::true_type());
    else
      blocks_to(padded, std::false_type());
  }
  return detector.found;
}

/// Rounded as in the reference path; detects everywhere.
template <Loss loss, bool ahead, class T>
HWY_NOINLINE JAWARI_FLATTEN std::size_t by_differences(StringArrays<typename T::number>& v) noexcept {
  using Number = typename T::number;
  constexpr std::size_t block = kernel::block_size(T::width), rows = block / T::width;
  const StringCoefficientsOf<T> a(v.a);
  const T share(v.a.share);
  const Number *HWY_RESTRICT u = v.u, *HWY_RESTRICT d = v.d;
  Number *HWY_RESTRICT u_next = v.u_next, *HWY_RESTRICT d_next = v.d_next;
  ContactDetector<false, T> detector(v, 0);
  StencilBlock<T, rows> n;
  n.carried = left_of_support<T>(u, v.a.left_ghost);
  for (std::size_t at = 0; at < v.padded; at += block) {
    T next[rows];
    n.advance(u + at);
    unroll<rows>([&](auto i)
                     HWY_ATTR { next[i] = increment_by_differences<loss>(a, share, n, d + at + i * T::width, i); });
    unroll<rows>([&](auto i) HWY_ATTR { next[i].store(d_next + at + i * T::width); });
    unroll<rows>([&](auto i) HWY_ATTR { next[i] = n.here[i] + next[i]; });
    unroll<rows>([&](auto i) HWY_ATTR { next[i].store(u_next + at + i * T::width); });
    unroll<rows>([&](auto i) HWY_ATTR { detector.template include<i == 0>(ahead ? next[i] : n.here[i]); });
    detector.end_block(at);
  }
  return detector.found;
}

/// The right support and what lies beyond (StringEnd).
template <class T>
HWY_ATTR inline void apply_boundary(StringArrays<typename T::number>& v) noexcept {
  typename T::number* const u = v.u_next;
  const std::size_t n = v.nodes;
  for (std::size_t i = n; i < v.padded; i += T::width) {  // the last may reach beyond: the room there is unused
    T(0).store(u + i);
    if constexpr (!T::in_levels) T(0).store(v.d_next + i);
  }
  u[n] = 0;
  u[n + 1] = static_cast<typename T::number>(v.a.right_ghost) * u[n - 1];
}

/// Sums for the losses of (S4).  s = d + next.
/// mirrored: there is a node beyond the right support, which must not count.
template <bool sigma1, class Number>
HWY_NOINLINE JAWARI_FLATTEN void loss_sums(const Number* HWY_RESTRICT d, const Number* HWY_RESTRICT next,
                                           std::size_t nodes, std::size_t padded, bool mirrored, double& squares,
                                           double& stretch) noexcept {
  using T = Lanes<true, false, Number>;
  StringLoss<T> even, odd;  // two chains of sums
  const auto left_of = [&](const T& s, std::size_t at) HWY_ATTR {
    if constexpr (T::width * sizeof(Number) == 16) {
      const T left = hn::CombineShiftRightLanes<T::width - 1>(typename T::Tag(), s.v, even.last.v);
      even.last = s;
      return left;
    } else {
      return T::load(d + at - 1) + T::load(next + at - 1);
    }
  };
  constexpr std::size_t halves = kernel::block_size(T::width) / T::width >= 4 ? 2 : 1;
  for (std::size_t at = 0; at < padded; at += 2 * halves * T::width)
    unroll<halves>([&](auto half) HWY_ATTR {
      const std::size_t one = at + 2 * half * T::width, two = one + T::width;
      const T s = T::load(d + one) + T::load(next + one), t = T::load(d + two) + T::load(next + two);
      if constexpr (sigma1) {
        even.add(s, left_of(s, one));
        odd.add(t, left_of(t, two));
      } else {
        even.add_square(s);
        odd.add_square(t);
      }
    });
  squares = (even.squares + odd.squares).sum();
  stretch = (even.stretch + odd.stretch).sum();
  const double last = static_cast<double>(d[nodes - 1]) + static_cast<double>(next[nodes - 1]);
  if (nodes == padded) stretch += last * last;  // the last difference lies beyond
  if (mirrored && nodes + 1 < padded) {
    squares -= last * last;
    stretch -= (nodes + 2 < padded ? 2 : 1) * last * last;
  }
}

/// Detects where something may touch; loaded units are found by detection, too.
template <template <Loss, class, std::size_t> class Stencil, Loss loss, bool ahead, bool negative, class T>
HWY_ATTR inline std::size_t run_stencil(StringArrays<typename T::number>& v, const StencilCoefficients& a) noexcept {
  if (v.loaded) return run_pipelined<Stencil, loss, ahead, negative, T>(v, a, 0, v.padded);
  return run_pipelined<Stencil, loss, ahead, negative, T>(v, a, v.detect_from, v.detect_to);
}

/// One step of all free nodes; then those that touch.
template <Loss loss, bool ahead, class T>
HWY_ATTR inline void free_pass(StringArrays<typename T::number>& v, const StencilCoefficients* factors) noexcept {
  const StencilCoefficients& a = factors[v.phase & 1];
  const auto by_differences_here = [&]() HWY_ATTR {
    if constexpr (T::width == 2)
      return run_stencil<DifferenceStencil, loss, ahead, false, T>(v, a);
    else
      return by_differences<loss, ahead, T>(v);
  };
  std::size_t found;
  if constexpr (T::in_levels)
    found = v.sign(ahead ? 1 : 0) < 0 ? run_stencil<CollectedStencil, loss, ahead, true, T>(v, a)
                                      : run_stencil<CollectedStencil, loss, ahead, false, T>(v, a);
  else if constexpr (T::is_fused)
    found = v.form == StepForm::collected ? run_stencil<CollectedStencil, loss, ahead, false, T>(v, a)
                                          : by_differences_here();
  else
    found = by_differences_here();
  if (found > 0) {
    v.set_ghosts(v.u);
    v.step_contacts(v, found);
  }
}

template <Loss loss, bool ahead, class T>
HWY_ATTR void run_string(StringArrays<typename T::number>& v, kernel::StepIo& io, std::size_t steps) noexcept {
  const StencilCoefficients factors[2] = {{v.a, T::in_levels, 1}, {v.a, T::in_levels, T::in_levels ? -1. : 1.}};
  const bool accounting = io.accounting && loss != Loss::none, taps = !io.drives.empty() || !io.probes.empty();
  v.loaded = !io.drives.empty();
  for (std::size_t n = 0; n < steps; ++n) {
    v.advance_landing();
    if (v.loaded) kernel::push(v, io, n, unit_rows * T::width);
    free_pass<loss, ahead, T>(v, factors);
    if (!io.forces.empty()) kernel::push_nodes(v, io, unit_rows * T::width);
    apply_boundary<T>(v);
    if (accounting) {
      double squares, stretch;
      const auto* next = T::in_levels ? v.u_next : v.d_next;  // levels: s or -s
      loss_sums<loss == Loss::both>(v.d, next, v.nodes, v.padded, T::in_levels, squares, stretch);
      io.lost.add(string_loss_J(v.a, squares, stretch));
    }
    if (taps) kernel::read_probes(v, io, n);
    v.turn();
    ++v.clock;
    if (++v.counts.steps == 1024) io.note(v.counts);
  }
  v.set_ghosts(v.u);
}
template <bool ahead, class T>
HWY_ATTR void run_string(StringArrays<typename T::number>& v, kernel::StepIo& io, std::size_t steps) noexcept {
  if (v.a.s1 != 0)
    run_string<Loss::both, ahead, T>(v, io, steps);
  else if (v.a.s0 != 0)
    run_string<Loss::sigma0, ahead, T>(v, io, steps);
  else
    run_string<Loss::none, ahead, T>(v, io, steps);
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
