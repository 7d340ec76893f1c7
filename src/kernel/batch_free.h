// SPDX-License-Identifier: MIT
// The free step of StringBatch on lanes: what StringGrid::predict() does, with loops that walk the same way made one.
//   forward: last step's increments, right-hand side, elimination      backward: solution, residual
//   forward: elimination of the residual                               backward: correction, who touches, books
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_BATCH_FREE_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_BATCH_FREE_H
#undef JAWARI_KERNEL_BATCH_FREE_H
#else
#define JAWARI_KERNEL_BATCH_FREE_H
#endif

#include <algorithm>
#include <cstddef>

#include "kernel/batch_band.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
namespace batch {

/// Coefficients of a row's right-hand side.
template <class T>
struct SetOut {
  T nodes, q0, c0, c1, c2, c3, c4;
  HWY_ATTR explicit SetOut(const BatchNumbers& a) : nodes(lanes<T>(a.nodes)), q0(lanes<T>(a.q0)) {
    if constexpr (T::is_fused) {
      c0 = lanes<T>(a.u0);
      c1 = lanes<T>(a.u1);
      c2 = lanes<T>(a.u2);
      c3 = lanes<T>(a.d0);
      c4 = lanes<T>(a.d1);
    } else {
      c0 = lanes<T>(a.tension);
      c1 = lanes<T>(a.bending);
      c2 = T(0);
      c3 = lanes<T>(a.s0_2);
      c4 = lanes<T>(a.s1_2);
    }
  }
};

/// Displacements as they are now (apply: after the last step's change), right-hand side of (S4), forward elimination.
/// Row by row: there is enough to do at every node, and the coefficients stay in registers.
template <class T, bool penta, bool lossy, bool apply, bool loaded>
HWY_NOINLINE JAWARI_FLATTEN void set_out(BatchGroup& g, std::size_t r) noexcept {
  constexpr std::size_t K = 1;
  const Columns<T, K> c(g, r);
  double *HWY_RESTRICT u = g.u, *HWY_RESTRICT d = g.d, *HWY_RESTRICT change = g.change, *HWY_RESTRICT rhs = g.rhs;
  const double *HWY_RESTRICT lower = g.lower, *HWY_RESTRICT lower2 = g.lower2, *HWY_RESTRICT load = g.load;
  T left2[K], left[K], here[K], right[K];  // fused: u; otherwise left2 and left are second differences there
  T d_left[K], d_here[K], d_right[K], x1[K], x2[K];
  const SetOut<T> a(g.a[r]);
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
  each<K>([&](auto k) HWY_ATTR {
    fetch(0, k, here[k], d_here[k]);
    fetch(1, k, right[k], d_right[k]);
    d_left[k] = x1[k] = x2[k] = T(0);
    if constexpr (T::is_fused) {
      left[k] = T(0);
      left2[k] = -here[k];
    } else {
      left2[k] = T(0);
      left[k] = (right[k] - here[k]) - here[k];
    }
  });
  upwards(0, g.nodes, inner_nodes(g), [&](std::size_t i, auto edge) HWY_ATTR {
    constexpr bool at_edge = decltype(edge)::value;
    each<K>([&](auto k) HWY_ATTR {
      T right2, d_right2, sum;
      fetch(i + 2, k, right2, d_right2);
      if constexpr (at_edge)  // u is odd about the support
        right2 = select(a.nodes == node_number<T>(i + 1), -here[k], right2);
      if constexpr (T::is_fused) {
        sum = a.c0 * here[k] + a.c1 * (left[k] + right[k]) + a.c2 * (left2[k] + right2);
        if constexpr (lossy) sum = sum + a.c3 * d_here[k] + a.c4 * (d_left[k] + d_right[k]);
        if constexpr (loaded) sum = sum + a.q0 * T::load(load + c.at(i, k));
        left2[k] = left[k];
        left[k] = here[k];
      } else {
        const T curve = (right2 - right[k]) - (right[k] - here[k]);
        sum = a.c0 * left[k];
        if constexpr (loaded) sum = sum + a.q0 * T::load(load + c.at(i, k));
        sum = sum - a.c1 * ((curve - left[k]) - (left[k] - left2[k]));
        if constexpr (lossy) {
          sum = sum - a.c3 * d_here[k];
          sum = sum + a.c4 * ((d_right[k] - d_here[k]) - (d_here[k] - d_left[k]));
        }
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
HWY_NOINLINE JAWARI_FLATTEN void come_back(BatchGroup& g, std::size_t r, double* HWY_RESTRICT x,
                                           double* HWY_RESTRICT rhs) noexcept {
  constexpr std::size_t lag = penta ? 2 : 1;
  const Columns<T, K> c(g, r);
  const double *HWY_RESTRICT pivot = g.pivot, *HWY_RESTRICT lower = g.lower, *HWY_RESTRICT lower2 = g.lower2;
  T x1[K], x2[K], x3[K], x4[K];
  BandRow<penta, T> row[K];
  each<K>([&](auto k) HWY_ATTR {
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
    each<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(lower2 + c.at(i + 2, k));
      const T now =
          substitute<penta>(T::load(x + at), T::load(pivot + at), T::load(lower + c.at(i + 1, k)), x1[k], l2, x2[k]);
      now.store(x + at);
      residual(i + lag, k, edge, now);
    });
  });
  for (std::size_t i = lag; i-- > 0;) each<K>([&](auto k) HWY_ATTR { residual(i, k, Yes(), T(0)); });
}

/// Forward elimination in place.
template <class T, std::size_t K, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void go_again(const BatchGroup& g, std::size_t r, double* HWY_RESTRICT x) noexcept {
  const Columns<T, K> c(g, r);
  const double *HWY_RESTRICT lower = g.lower, *HWY_RESTRICT lower2 = g.lower2;
  T x1[K], x2[K];
  each<K>([&](auto k) HWY_ATTR { x1[k] = x2[k] = T(0); });
  std::size_t start = 0;
  nodes_up(start, g.nodes, [&](std::size_t i, auto) HWY_ATTR {
    each<K>([&](auto k) HWY_ATTR {
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

/// Friction of a step: sums of s^2 and of its squared first differences, supports included; downwards.
template <class T>
struct Friction {
  T squares, stretch, after;
  HWY_ATTR Friction() : squares(0), stretch(0), after(0) {}
  HWY_ATTR void add(const T& s) {
    const T rise = s - after;
    squares = squares + s * s;
    stretch = stretch + rise * rise;
    after = s;
  }
  HWY_ATTR void end(LaneNumbers& to_squares, LaneNumbers& to_stretch) {
    squares.store(to_squares.at);
    (stretch + after * after).store(to_stretch.at);
  }
};

enum class Look { nowhere, here, ahead };

/// The correction to `change`, then who touches (as Line::look() asks) and the sums for the books.
template <class T, std::size_t K, bool penta, bool lossy, Look look>
HWY_NOINLINE JAWARI_FLATTEN void arrive(BatchGroup& g, std::size_t r) noexcept {
  const Columns<T, K> c(g, r);
  const double *HWY_RESTRICT pivot = g.pivot, *HWY_RESTRICT lower = g.lower, *HWY_RESTRICT lower2 = g.lower2;
  const double *HWY_RESTRICT u = g.u, *HWY_RESTRICT d = g.d, *HWY_RESTRICT offset = g.offset, *HWY_RESTRICT rhs = g.rhs;
  double* HWY_RESTRICT change = g.change;
  T x1[K], x2[K], highest[K];
  Friction<T> friction[K];
  each<K>([&](auto k) HWY_ATTR {
    x1[k] = x2[k] = T(0);
    highest[k] = T(kernel::no_barrier);
  });
  std::size_t end = g.nodes;
  nodes_down(end, 0, [&](std::size_t i, auto) HWY_ATTR {
    each<K>([&](auto k) HWY_ATTR {
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
      if constexpr (lossy || look == Look::ahead) {
        step = T::load(d + at);
        s = T(2) * step + all;
      }
      if constexpr (lossy) friction[k].add(s);
      if constexpr (look != Look::nowhere) {
        const T y = T::load(offset + at) + T::load(u + at);
        highest[k] = most(highest[k], y);
        if constexpr (look == Look::ahead) highest[k] = most(highest[k], most(y - step, (y - step) + s));
      }
    });
  });
  each<K>([&](auto k) HWY_ATTR {
    highest[k].store(g.highest[r + k].at);
    if constexpr (lossy) friction[k].end(g.friction[r + k], g.stretch[r + k]);
  });
}

}  // namespace batch
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
