// SPDX-License-Identifier: MIT
// The free step of StringBatch on lanes: as StringGrid::predict(), with loops of the same direction merged.
//   forward: last step's increments, right-hand side, elimination      backward: solution, residual
//   forward: elimination of the residual                               backward: correction, detection, accounts
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_BATCH_FREE_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_BATCH_FREE_H
#undef JAWARI_KERNEL_BATCH_FREE_H
#else
#define JAWARI_KERNEL_BATCH_FREE_H
#endif

#include <algorithm>
#include <cstddef>

#include "jawari/body/string_step.h"
#include "jawari/couple/contact_point.h"
#include "kernel/batch_band.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
namespace batch {

/// Coefficients of a row's right-hand side: as differences, or collected where fused.
template <class T>
struct RhsCoefficients : StringCoefficientsOf<T> {
  T u0, u1, u2, d0, d1, nodes, left_curve, left_ghost, right_ghost;

  HWY_ATTR explicit RhsCoefficients(const BatchNumbers& a)
      : nodes(lanes<T>(a.nodes)), left_ghost(lanes<T>(a.left_ghost)), right_ghost(lanes<T>(a.right_ghost)) {
    this->q0 = lanes<T>(a.q0);
    left_curve = T(1) + left_ghost;
    if constexpr (T::is_fused) {
      u0 = lanes<T>(a.u0);
      u1 = lanes<T>(a.u1);
      u2 = lanes<T>(a.u2);
      d0 = lanes<T>(a.d0);
      d1 = lanes<T>(a.d1);
    } else {
      this->tension = lanes<T>(a.tension);
      this->bending = lanes<T>(a.bending);
      this->s0_2 = lanes<T>(a.s0_2);
      this->s1_2 = lanes<T>(a.s1_2);
    }
  }
};

/// Displacements as they are now (apply: after the last step's change), right-hand side of (S4), forward elimination.
/// Row by row: one row fills the pipeline, and its coefficients stay in registers.
template <class T, bool penta, bool lossy, bool apply, bool loaded>
HWY_NOINLINE JAWARI_FLATTEN void forward_rhs(BatchGroup& g, std::size_t r) noexcept {
  constexpr std::size_t K = 1;
  const Columns<T, K> c(g, r);
  double *HWY_RESTRICT u = g.u, *HWY_RESTRICT d = g.d, *HWY_RESTRICT change = g.change, *HWY_RESTRICT rhs = g.rhs;
  const double *HWY_RESTRICT lower = g.lower, *HWY_RESTRICT lower2 = g.lower2, *HWY_RESTRICT load = g.load;
  T left2[K], left[K], here[K], right[K];  // fused: u; otherwise left2 and left are second differences there
  T d_left[K], d_here[K], d_right[K], x1[K], x2[K];
  const RhsCoefficients<T> a(g.a[r]);
  const auto fetch = [&](std::size_t i, std::size_t k, T& now, T& step) HWY_ATTR {
    const std::size_t at = c.at(i, k);
    now = T::load(u + at);
    step = T::load(d + at);
    if constexpr (apply) {
      step = step + T::load(change + at);
      now = now + step;
      step.store(d + at);
      now.store(u + at);
    }
  };
  unroll<K>([&](auto k) HWY_ATTR {
    fetch(0, k, here[k], d_here[k]);
    fetch(1, k, right[k], d_right[k]);
    d_left[k] = x1[k] = x2[k] = T(0);
    if constexpr (T::is_fused) {
      left[k] = T(0);
      left2[k] = a.left_ghost * here[k];
    } else {
      left2[k] = a.left_curve * here[k];
      left[k] = (right[k] - here[k]) - here[k];
    }
  });
  upwards(0, g.nodes, inner_nodes(g), [&](std::size_t i, auto edge) HWY_ATTR {
    constexpr bool at_edge = decltype(edge)::value;
    unroll<K>([&](auto k) HWY_ATTR {
      T right2, d_right2, sum;
      fetch(i + 2, k, right2, d_right2);
      if constexpr (at_edge) right2 = select(a.nodes == node_number<T>(i + 1), T(a.right_ghost * here[k]), right2);
      T push(0);
      if constexpr (loaded) push = T::load(load + c.at(i, k));
      if constexpr (T::is_fused) {
        T rest(0);
        if constexpr (lossy) rest = collected_increments<true>(a, d_here[k], T(d_left[k] + d_right[k]));
        if constexpr (loaded) rest = rest + a.q0 * push;
        sum = string_collected(a, rest, here[k], T(left[k] + right[k]), T(left2[k] + right2));
        left2[k] = left[k];
        left[k] = here[k];
      } else {
        constexpr StringTerms terms{loaded, true, lossy, lossy};
        const T curve = second_difference(here[k], right[k], right2);
        sum = string_rhs<terms>(a, left[k], second_difference(left2[k], left[k], curve), d_here[k],
                                second_difference(d_left[k], d_here[k], d_right[k]), push);
        left2[k] = left[k];
        left[k] = curve;
      }
      here[k] = right[k];
      right[k] = right2;
      d_left[k] = d_here[k];
      d_here[k] = d_right[k];
      d_right[k] = d_right2;
      if constexpr (at_edge) sum = select(a.nodes > node_number<T>(i), sum, T(0));
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(lower2 + at);
      const T x = eliminate<penta>(sum, T::load(lower + at), x1[k], l2, x2[k]);
      sum.store(rhs + at);
      x.store(change + at);
      x2[k] = x1[k];
      x1[k] = x;
    });
  });
}

/// x from its eliminated right-hand side, and rhs becomes rhs - A x.
template <class T, std::size_t K, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void back_substitute(BatchGroup& g, std::size_t r, double* HWY_RESTRICT x,
                                                 double* HWY_RESTRICT rhs) noexcept {
  constexpr std::size_t lag = penta ? 2 : 1;
  const Columns<T, K> c(g, r);
  const double *HWY_RESTRICT pivot = g.pivot, *HWY_RESTRICT lower = g.lower, *HWY_RESTRICT lower2 = g.lower2;
  T x1[K], x2[K], x3[K], x4[K];
  BandRow<penta, T> row[K];
  unroll<K>([&](auto k) HWY_ATTR {
    row[k] = BandRow<penta, T>(g.a[r + k]);
    x1[k] = x2[k] = x3[k] = x4[k] = T(0);
  });
  const auto residual = [&](std::size_t i, auto k, auto edge, const T& now) HWY_ATTR {
    const std::size_t at = c.at(i, k);
    T rest;
    if constexpr (penta)
      rest = row[k].less(T::load(rhs + at), i, edge, now, x1[k], x2[k], x3[k], x4[k]);
    else
      rest = row[k].less(T::load(rhs + at), i, edge, now, now, x1[k], x2[k], x2[k]);
    row[k].within(i, edge, rest).store(rhs + at);
    x4[k] = x3[k];
    x3[k] = x2[k];
    x2[k] = x1[k];
    x1[k] = now;
  };
  downwards(0, g.nodes, inner_nodes(g, lag), [&](std::size_t i, auto edge) HWY_ATTR {
    unroll<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(lower2 + c.at(i + 2, k));
      const T now =
          substitute<penta>(T::load(x + at), T::load(pivot + at), T::load(lower + c.at(i + 1, k)), x1[k], l2, x2[k]);
      now.store(x + at);
      residual(i + lag, k, edge, now);
    });
  });
  for (std::size_t i = lag; i-- > 0;) unroll<K>([&](auto k) HWY_ATTR { residual(i, k, Yes(), T(0)); });
}

/// Forward elimination in place.
template <class T, std::size_t K, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void forward_residual(const BatchGroup& g, std::size_t r, double* HWY_RESTRICT x) noexcept {
  const Columns<T, K> c(g, r);
  const double *HWY_RESTRICT lower = g.lower, *HWY_RESTRICT lower2 = g.lower2;
  T x1[K], x2[K];
  unroll<K>([&](auto k) HWY_ATTR { x1[k] = x2[k] = T(0); });
  std::size_t start = 0;
  nodes_up(start, g.nodes, [&](std::size_t i, auto) HWY_ATTR {
    unroll<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(lower2 + at);
      const T now = eliminate<penta>(T::load(x + at), T::load(lower + at), x1[k], l2, x2[k]);
      now.store(x + at);
      x2[k] = x1[k];
      x1[k] = now;
    });
  });
}

/// The sums of a step for the losses of a row.
template <class T>
HWY_ATTR inline void end_loss(StringLoss<T>& loss, BatchGroup& g, std::size_t r) {
  loss.end();
  loss.squares.store(g.squares[r].at);
  loss.stretch.store(g.stretch[r].at);
}

enum class Detect { none, current, ahead };

/// The correction to `change`, then contact detection (as Line::detect()) and the sums for the accounts.
template <class T, std::size_t K, bool penta, bool lossy, Detect detect>
HWY_NOINLINE JAWARI_FLATTEN void back_substitute_and_detect(BatchGroup& g, std::size_t r) noexcept {
  const Columns<T, K> c(g, r);
  const double *HWY_RESTRICT pivot = g.pivot, *HWY_RESTRICT lower = g.lower, *HWY_RESTRICT lower2 = g.lower2;
  const double *HWY_RESTRICT u = g.u, *HWY_RESTRICT d = g.d, *HWY_RESTRICT offset = g.offset, *HWY_RESTRICT rhs = g.rhs;
  double* HWY_RESTRICT change = g.change;
  T x1[K], x2[K], highest[K];
  StringLoss<T> loss[K];
  unroll<K>([&](auto k) HWY_ATTR {
    x1[k] = x2[k] = T(0);
    highest[k] = T(kernel::no_barrier);
  });
  std::size_t end = g.nodes;
  nodes_down(end, 0, [&](std::size_t i, auto) HWY_ATTR {
    unroll<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(lower2 + c.at(i + 2, k));
      const T x =
          substitute<penta>(T::load(rhs + at), T::load(pivot + at), T::load(lower + c.at(i + 1, k)), x1[k], l2, x2[k]);
      const T all = T::load(change + at) + x;
      all.store(change + at);
      x2[k] = x1[k];
      x1[k] = x;
      T step, s;
      if constexpr (lossy || detect == Detect::ahead) {
        step = T::load(d + at);
        s = T(2) * step + all;
      }
      if constexpr (lossy) loss[k].add(s);
      if constexpr (detect != Detect::none) {
        const T y = T::load(offset + at) + T::load(u + at);
        if constexpr (detect == Detect::ahead)
          highest[k] = max_fast(highest[k], largest_depth(y, step, s));
        else
          highest[k] = max_fast(highest[k], y);
      }
    });
  });
  unroll<K>([&](auto k) HWY_ATTR {
    highest[k].store(g.highest[r + k].at);
    if constexpr (lossy) end_loss(loss[k], g, r + k);
  });
}

}  // namespace batch
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
