// SPDX-License-Identifier: MIT
// The banded solves of StringBatch on lanes: what StringGrid::predict(), Band and GridCompliance do, in the same order of
// operations, with loops that walk the same way made one.
//   free step   forward: last step's increments, right-hand side, elimination      backward: solution, residual
//               forward: elimination of the residual                               backward: correction, who touches, books
// Near the supports, which the strings of a vector have at different nodes, bodies are compiled a second time (edge).
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_BATCH_BAND_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_BATCH_BAND_H
#undef JAWARI_KERNEL_BATCH_BAND_H
#else
#define JAWARI_KERNEL_BATCH_BAND_H
#endif

#include <algorithm>
#include <cstddef>

#include "kernel/batch_view.h"
#include "kernel/each.h"
#include "kernel/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
namespace batch {
using kernel::BatchGroup;
using kernel::BatchNumbers;
using kernel::BatchScratch;
using kernel::BatchTouches;
using kernel::BatchView;
using kernel::LaneNumbers;

using Yes = std::true_type;
using No = std::false_type;

template <class T>
HWY_ATTR inline T lanes(const LaneNumbers& x) {
  return T::load(x.at);
}
template <class T>
HWY_ATTR inline T node_number(std::size_t i) {
  return T(static_cast<double>(i));
}

/// body(i, edge) for i = from ... to - 1, upwards or downwards; the edge is node 0 and what is at or beyond `inner`.
template <class Body>
HWY_ATTR inline void upwards(std::size_t from, std::size_t to, std::size_t inner, Body&& body) {
  std::size_t i = from;
  for (; i < std::min<std::size_t>(to, 1); ++i) body(i, Yes());
  for (; i < std::min(to, inner); ++i) body(i, No());
  for (; i < to; ++i) body(i, Yes());
}
template <class Body>
HWY_ATTR inline void downwards(std::size_t from, std::size_t to, std::size_t inner, Body&& body) {
  std::size_t i = to;
  for (; i > std::max(from, inner); --i) body(i - 1, Yes());
  for (; i > std::max<std::size_t>(from, 1); --i) body(i - 1, No());
  for (; i > from; --i) body(i - 1, Yes());
}
/// The first node that a support of some string of the group has to do with, seen from two nodes away.
inline std::size_t inner_nodes(const BatchGroup& g, std::size_t lag = 0) { return g.least > 2 + lag ? g.least - 2 - lag : 0; }

/// A row of A x, as Band::apply() adds it up; what lies beyond the supports is 0.
template <bool penta, class T>
struct BandRow {
  T middle, side, far, ends, nodes;

  HWY_ATTR BandRow() {}
  HWY_ATTR explicit BandRow(const BatchNumbers& a) : middle(lanes<T>(a.middle)), side(lanes<T>(a.side)) {
    if constexpr (penta) far = lanes<T>(a.far), ends = lanes<T>(a.ends);
    nodes = lanes<T>(a.nodes);
  }
  template <class Edge>
  HWY_ATTR T diagonal(std::size_t i, Edge) const {
    if constexpr (penta && Edge::value)
      return i == 0 ? ends : select(nodes == node_number<T>(i + 1), ends, middle);
    else return middle;
  }
  template <class Edge>
  HWY_ATTR T operator()(std::size_t i, Edge edge, const T& left2, const T& left, const T& x, const T& right, const T& right2) const {
    if constexpr (T::is_fused) {
      T sum = diagonal(i, edge) * x + side * (left + right);
      if constexpr (penta) sum = sum + far * (left2 + right2);
      return sum;
    } else {
      T sum = diagonal(i, edge) * x + side * left + side * right;
      if constexpr (penta) sum = sum + far * left2 + far * right2;
      return sum;
    }
  }
  template <class Edge>
  HWY_ATTR T within(std::size_t i, Edge, const T& x) const {  ///< 0 beyond the last node
    if constexpr (Edge::value) return select(nodes > node_number<T>(i), x, T(0));
    else return x;
  }
};

/// x = rhs - L x, one node; fused, what the last node made comes last.
template <bool penta, class T>
HWY_ATTR inline T eliminate(const T& rhs, const T& lower, const T& before, const T& lower2, const T& before2) {
  if constexpr (!penta) return rhs - lower * before;
  else if constexpr (T::is_fused) return (rhs - lower2 * before2) - lower * before;
  else return (rhs - lower * before) - lower2 * before2;
}
/// x = y/D - L^T x, one node, downwards; pivot is its inverse where fused.
template <bool penta, class T>
HWY_ATTR inline T substitute(const T& y, const T& pivot, const T& lower, const T& after, const T& lower2, const T& after2) {
  T x;
  if constexpr (T::is_fused) x = y * pivot;
  else x = y / pivot;
  return eliminate<penta>(x, lower, after, lower2, after2);
}

/// Columns of K rows from row r on.
template <class T, std::size_t K>
struct Columns {
  std::size_t stride, first;

  Columns(const BatchGroup& g, std::size_t r) : stride(g.rows * T::width), first(r * T::width) {}
  std::size_t at(std::size_t i, std::size_t k) const { return i * stride + first + k * T::width; }
};

/// Displacements as they are now (apply: after the last step's change), right-hand side of (S4), forward elimination.
template <class T, std::size_t K, bool penta, bool lossy, bool apply>
HWY_NOINLINE JAWARI_FLATTEN void set_out(BatchGroup& g) noexcept {
  const Columns<T, K> c(g, 0);
  double *HWY_RESTRICT u = g.u, *HWY_RESTRICT d = g.d, *HWY_RESTRICT change = g.change, *HWY_RESTRICT rhs = g.rhs;
  const double *HWY_RESTRICT lower = g.lower, *HWY_RESTRICT lower2 = g.lower2, *HWY_RESTRICT load = g.load;
  const bool loaded = g.loaded;
  T left2[K], left[K], here[K], right[K];  // fused: u; otherwise left2 and left are second differences there
  T d_left[K], d_here[K], d_right[K], x1[K], x2[K];
  const auto fetch = [&](std::size_t i, std::size_t k, T& now, T& step) HWY_ATTR {
    const std::size_t at = c.at(i, k);
    now = T::load(u + at), step = T::load(d + at);
    if constexpr (apply) step = step + T::load(change + at), now = now + step, step.store(d + at), now.store(u + at);
  };
  each<K>([&](auto k) HWY_ATTR {
    fetch(0, k, here[k], d_here[k]), fetch(1, k, right[k], d_right[k]);
    d_left[k] = x1[k] = x2[k] = T(0);
    if constexpr (T::is_fused) left[k] = T(0), left2[k] = -here[k];
    else left2[k] = T(0), left[k] = (right[k] - here[k]) - here[k];
  });
  upwards(0, g.nodes, inner_nodes(g), [&](std::size_t i, auto edge) HWY_ATTR {
    constexpr bool at_edge = decltype(edge)::value;
    each<K>([&](auto k) HWY_ATTR {
      const BatchNumbers& a = g.a[k];
      T right2, d_right2, sum;
      fetch(i + 2, k, right2, d_right2);
      if constexpr (at_edge)  // u is odd about the support
        right2 = select(lanes<T>(a.nodes) == node_number<T>(i + 1), -here[k], right2);
      if constexpr (T::is_fused) {
        sum = lanes<T>(a.u0) * here[k] + lanes<T>(a.u1) * (left[k] + right[k]) + lanes<T>(a.u2) * (left2[k] + right2);
        if constexpr (lossy) sum = sum + lanes<T>(a.d0) * d_here[k] + lanes<T>(a.d1) * (d_left[k] + d_right[k]);
        if (loaded) sum = sum + lanes<T>(a.q0) * T::load(load + c.at(i, k));
        left2[k] = left[k], left[k] = here[k];
      } else {
        const T curve = (right2 - right[k]) - (right[k] - here[k]);
        sum = lanes<T>(a.tension) * left[k];
        if (loaded) sum = sum + lanes<T>(a.q0) * T::load(load + c.at(i, k));
        sum = sum - lanes<T>(a.bending) * ((curve - left[k]) - (left[k] - left2[k]));
        if constexpr (lossy) {
          sum = sum - lanes<T>(a.s0_2) * d_here[k];
          sum = sum + lanes<T>(a.s1_2) * ((d_right[k] - d_here[k]) - (d_here[k] - d_left[k]));
        }
        left2[k] = left[k], left[k] = curve;
      }
      here[k] = right[k], right[k] = right2, d_left[k] = d_here[k], d_here[k] = d_right[k], d_right[k] = d_right2;
      if constexpr (at_edge) sum = select(lanes<T>(a.nodes) > node_number<T>(i), sum, T(0));
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(lower2 + at);
      const T x = eliminate<penta>(sum, T::load(lower + at), x1[k], l2, x2[k]);
      sum.store(rhs + at), x.store(change + at);
      x2[k] = x1[k], x1[k] = x;
    });
  });
}

/// x from its eliminated right-hand side, and rhs becomes rhs - A x.
template <class T, std::size_t K, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void come_back(BatchGroup& g, std::size_t r, double* HWY_RESTRICT x, double* HWY_RESTRICT rhs) noexcept {
  constexpr std::size_t lag = penta ? 2 : 1;
  const Columns<T, K> c(g, r);
  const double *HWY_RESTRICT pivot = g.pivot, *HWY_RESTRICT lower = g.lower, *HWY_RESTRICT lower2 = g.lower2;
  T x1[K], x2[K], x3[K], x4[K];
  BandRow<penta, T> row[K];
  each<K>([&](auto k) HWY_ATTR { row[k] = BandRow<penta, T>(g.a[r + k]), x1[k] = x2[k] = x3[k] = x4[k] = T(0); });
  const auto residual = [&](std::size_t i, auto k, auto edge, const T& now) HWY_ATTR {
    T sum;
    if constexpr (penta) sum = row[k](i, edge, now, x1[k], x2[k], x3[k], x4[k]);
    else sum = row[k](i, edge, now, now, x1[k], x2[k], x2[k]);
    const std::size_t at = c.at(i, k);
    row[k].within(i, edge, T::load(rhs + at) - sum).store(rhs + at);
    x4[k] = x3[k], x3[k] = x2[k], x2[k] = x1[k], x1[k] = now;
  };
  downwards(0, g.nodes, inner_nodes(g, lag), [&](std::size_t i, auto edge) HWY_ATTR {
    each<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(lower2 + c.at(i + 2, k));
      const T now = substitute<penta>(T::load(x + at), T::load(pivot + at), T::load(lower + c.at(i + 1, k)), x1[k], l2, x2[k]);
      now.store(x + at);
      residual(i + lag, k, edge, now);
    });
  });
  for (std::size_t i = lag; i-- > 0;)
    each<K>([&](auto k) HWY_ATTR { residual(i, k, Yes(), T(0)); });
}

/// Forward elimination in place.
template <class T, std::size_t K, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void go_again(const BatchGroup& g, std::size_t r, double* HWY_RESTRICT x) noexcept {
  const Columns<T, K> c(g, r);
  const double *HWY_RESTRICT lower = g.lower, *HWY_RESTRICT lower2 = g.lower2;
  T x1[K], x2[K];
  each<K>([&](auto k) HWY_ATTR { x1[k] = x2[k] = T(0); });
  for (std::size_t i = 0; i < g.nodes; ++i)
    each<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(lower2 + at);
      const T now = eliminate<penta>(T::load(x + at), T::load(lower + at), x1[k], l2, x2[k]);
      now.store(x + at), x2[k] = x1[k], x1[k] = now;
    });
}

/// Friction of a step: sums of s^2 and of its squared first differences, supports included; downwards.
template <class T>
struct Friction {
  T squares, stretch, after;
  HWY_ATTR Friction() : squares(0), stretch(0), after(0) {}
  HWY_ATTR void add(const T& s) {
    const T rise = s - after;
    squares = squares + s * s, stretch = stretch + rise * rise, after = s;
  }
  HWY_ATTR void end(LaneNumbers& to_squares, LaneNumbers& to_stretch) {
    squares.store(to_squares.at), (stretch + after * after).store(to_stretch.at);
  }
};

enum class Look { nowhere, here, ahead };

/// The correction to `change`, then who touches (as Line::look() asks) and the sums for the books.
template <class T, std::size_t K, bool penta, bool lossy, Look look>
HWY_NOINLINE JAWARI_FLATTEN void arrive(BatchGroup& g) noexcept {
  const Columns<T, K> c(g, 0);
  const double *HWY_RESTRICT pivot = g.pivot, *HWY_RESTRICT lower = g.lower, *HWY_RESTRICT lower2 = g.lower2;
  const double *HWY_RESTRICT u = g.u, *HWY_RESTRICT d = g.d, *HWY_RESTRICT offset = g.offset, *HWY_RESTRICT rhs = g.rhs;
  double* HWY_RESTRICT change = g.change;
  T x1[K], x2[K], highest[K];
  Friction<T> friction[K];
  each<K>([&](auto k) HWY_ATTR { x1[k] = x2[k] = T(0), highest[k] = T(kernel::no_barrier); });
  for (std::size_t i = g.nodes; i-- > 0;)
    each<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(lower2 + c.at(i + 2, k));
      const T x = substitute<penta>(T::load(rhs + at), T::load(pivot + at), T::load(lower + c.at(i + 1, k)), x1[k], l2, x2[k]);
      const T all = T::load(change + at) + x;
      all.store(change + at), x2[k] = x1[k], x1[k] = x;
      T step, s;
      if constexpr (lossy || look == Look::ahead) step = T::load(d + at), s = T(2) * step + all;
      if constexpr (lossy) friction[k].add(s);
      if constexpr (look != Look::nowhere) {
        const T y = T::load(offset + at) + T::load(u + at);
        highest[k] = most(highest[k], y);
        if constexpr (look == Look::ahead) highest[k] = most(highest[k], most(y - step, (y - step) + s));
      }
    });
  each<K>([&](auto k) HWY_ATTR {
    highest[k].store(g.highest[k].at);
    if constexpr (lossy) friction[k].end(g.friction[k], g.stretch[k]);
  });
}

/// One row of L D L^T, in the order of Band::factor(); fused, pivots are kept as their inverses.
template <bool penta, class T>
struct Factor {
  T pivot, pivot2, lower;  // of the node before, and before that; pivot2 also for lower2 = far/pivot2
  HWY_ATTR Factor() : pivot(1), pivot2(1), lower(0) {}

  /// first: there is no node before, or none before that.
  HWY_ATTR void next(std::size_t i, const T& diagonal, const T& side_, const T& far, T& l, T& l2) {
    T side = i > 0 ? side_ : T(0), now = diagonal;
    l2 = T(0);
    if constexpr (T::is_fused) {
      if constexpr (penta)
        if (i > 1) l2 = far * pivot2, side = side - far * lower;
      l = side * pivot;
      now = now - l * side;
      if constexpr (penta) now = now - l2 * far;
      now = T(1) / now;
    } else {
      if constexpr (penta)
        if (i > 1) l2 = far / pivot2, side = side - l2 * pivot2 * lower;
      l = i > 0 ? T(side / pivot) : T(0);
      if (i > 0) now = now - l * l * pivot;
      if constexpr (penta)
        if (i > 1) now = now - l2 * l2 * pivot2;
    }
    pivot2 = pivot, pivot = now, lower = l;
  }
};

/// A's own factor, for all steps.
template <class T, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void factor_band(BatchGroup& g, std::size_t r) noexcept {
  const Columns<T, 1> c(g, r);
  const BandRow<penta, T> row(g.a[r]);
  T far(0);
  if constexpr (penta) far = row.far;
  Factor<penta, T> factor;
  for (std::size_t i = 0; i < g.nodes; ++i) {
    T l, l2;
    factor.next(i, row.diagonal(i, Yes()), row.side, far, l, l2);
    const auto within = row.nodes > node_number<T>(i);
    const std::size_t at = c.at(i, 0);
    select(within, factor.pivot, T(1)).store(g.pivot + at);
    select(within, l, T(0)).store(g.lower + at), select(within, l2, T(0)).store(g.lower2 + at);
  }
}

/// (S9) One Newton step of K rows: (A - q0 b) step = q0 f - held, e + step where a lane is open, held = A e.
/// Nodes before `from` have neither force nor slope: their part of the factor is A's own.
template <class T, std::size_t K, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void improve(BatchGroup& g, BatchScratch& m, std::size_t r, std::size_t from, bool begun) noexcept {
  constexpr std::size_t lag = penta ? 2 : 1;
  const Columns<T, K> c(g, r);
  double *HWY_RESTRICT e = m.e, *HWY_RESTRICT step = m.step, *HWY_RESTRICT held = m.held;
  double *HWY_RESTRICT pivot = m.pivot, *HWY_RESTRICT lower = m.lower, *HWY_RESTRICT lower2 = m.lower2;
  BandRow<penta, T> row[K];
  Factor<penta, T> factor[K];
  T x1[K], x2[K], x3[K], x4[K], q0[K];
  T open[K];
  each<K>([&](auto k) HWY_ATTR {
    row[k] = BandRow<penta, T>(g.a[r + k]), q0[k] = lanes<T>(g.a[r + k].q0_weighted), x1[k] = x2[k] = T(0);
    open[k] = lanes<T>(m.open[r + k]);
  });
  if (begun) {  // otherwise held is 0, and so is the string up to here
    for (std::size_t i = 0; i < from; ++i)
      each<K>([&](auto k) HWY_ATTR {
        const std::size_t at = c.at(i, k);
        T l2;
        if constexpr (penta) l2 = T::load(g.lower2 + at);
        const T x = eliminate<penta>(-T::load(held + at), T::load(g.lower + at), x1[k], l2, x2[k]);
        x.store(step + at), x2[k] = x1[k], x1[k] = x;
      });
  } else {
    for (std::size_t i = 0; i < from; ++i)
      each<K>([&](auto k) HWY_ATTR { T(0).store(step + c.at(i, k)); });
  }
  if (from > 0)
    each<K>([&](auto k) HWY_ATTR {
      factor[k].pivot = T::load(g.pivot + c.at(from - 1, k)), factor[k].lower = T::load(g.lower + c.at(from - 1, k));
      if (from > 1) factor[k].pivot2 = T::load(g.pivot + c.at(from - 2, k));
    });
  upwards(from, g.nodes, inner_nodes(g), [&](std::size_t i, auto edge) HWY_ATTR {
    constexpr bool at_edge = decltype(edge)::value;
    each<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T rhs = q0[k] * T::load(m.f + at) - T::load(held + at);
      const T diagonal = row[k].diagonal(i, edge) - q0[k] * T::load(m.b + at);
      T far(0), l, l2;
      if constexpr (penta) far = row[k].far;
      factor[k].next(i, diagonal, row[k].side, far, l, l2);
      T now = factor[k].pivot;
      if constexpr (at_edge) {
        const auto within = row[k].nodes > node_number<T>(i);
        l = select(within, l, T(0)), l2 = select(within, l2, T(0)), now = select(within, now, T(1));
        rhs = select(within, rhs, T(0)), factor[k].pivot = now, factor[k].lower = l;
      }
      const T x = eliminate<penta>(rhs, l, x1[k], l2, x2[k]);
      now.store(pivot + at), l.store(lower + at), x.store(step + at);
      if constexpr (penta) l2.store(lower2 + at);
      x2[k] = x1[k], x1[k] = x;
    });
  });
  each<K>([&](auto k) HWY_ATTR {
    x1[k] = x2[k] = x3[k] = x4[k] = T(0);
    for (std::size_t i = g.nodes; i < g.nodes + 2; ++i) T(0).store(lower + c.at(i, k)), T(0).store(lower2 + c.at(i, k));
  });
  T e1[K], e2[K];  // x1, x2: solution; e1 ... x4: e of the nodes behind
  each<K>([&](auto k) HWY_ATTR { e1[k] = e2[k] = T(0); });
  const auto hold = [&](std::size_t i, auto k, auto edge, const T& now) HWY_ATTR {
    T sum;
    if constexpr (penta) sum = row[k](i, edge, now, e1[k], e2[k], x3[k], x4[k]);
    else sum = row[k](i, edge, now, now, e1[k], e2[k], e2[k]);
    row[k].within(i, edge, sum).store(held + c.at(i, k));
    x4[k] = x3[k], x3[k] = e2[k], e2[k] = e1[k], e1[k] = now;
  };
  const auto back = [&](const double* D, const double* L, const double* L2) HWY_ATTR {
    return [&, D, L, L2](std::size_t i, auto edge) HWY_ATTR {
      each<K>([&](auto k) HWY_ATTR {
        const std::size_t at = c.at(i, k);
        T l2;
        if constexpr (penta) l2 = T::load(L2 + c.at(i + 2, k));
        const T x = substitute<penta>(T::load(step + at), T::load(D + at), T::load(L + c.at(i + 1, k)), x1[k], l2, x2[k]);
        x2[k] = x1[k], x1[k] = x;
        const T before = T::load(e + at), now = select(open[k] > T(0), before + x, before);
        before.store(m.before + at), now.store(e + at);
        hold(i + lag, k, edge, now);
      });
    };
  };
  // lower of the node after belongs to the same factor only from `from` on: one node more or two take the mixed way
  const std::size_t inner = inner_nodes(g, lag);
  downwards(from, g.nodes, inner, back(pivot, lower, lower2));
  if (from > 0) {
    each<K>([&](auto k) HWY_ATTR {  // what A's own factor has not: entries that reach across
      for (std::size_t i = from - std::min<std::size_t>(from, 2); i < from; ++i) {
        T::load(g.pivot + c.at(i, k)).store(pivot + c.at(i, k)), T::load(g.lower + c.at(i, k)).store(lower + c.at(i, k));
        if constexpr (penta) T::load(g.lower2 + c.at(i, k)).store(lower2 + c.at(i, k));
      }
    });
    const std::size_t clear = from - std::min<std::size_t>(from, 2);
    downwards(clear, from, inner, back(pivot, lower, lower2));
    downwards(0, clear, inner, back(g.pivot, g.lower, g.lower2));
  }
  for (std::size_t i = lag; i-- > 0;)
    each<K>([&](auto k) HWY_ATTR { hold(i, k, Yes(), T(0)); });
}

/// held = A e again, after e was drawn back.
template <class T, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void hold_again(BatchGroup& g, BatchScratch& m, std::size_t r) noexcept {
  const Columns<T, 1> c(g, r);
  const BandRow<penta, T> row(g.a[r]);
  T left2(0), left(0), here = T::load(m.e + c.at(0, 0)), right = T::load(m.e + c.at(1, 0));
  upwards(0, g.nodes, inner_nodes(g), [&](std::size_t i, auto edge) HWY_ATTR {
    T right2(0);
    if (i + 2 < g.nodes) right2 = T::load(m.e + c.at(i + 2, 0));
    row.within(i, edge, row(i, edge, left2, left, here, right, right2)).store(m.held + c.at(i, 0));
    left2 = left, left = here, here = right, right = right2;
  });
}

/// The forces that were found move the string: A x = q0 phi, refined, is added to change.  Sums for the books anew.
template <class T, std::size_t K, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void push_back(BatchGroup& g, BatchScratch& m, std::size_t r) noexcept {
  const Columns<T, K> c(g, r);
  double *HWY_RESTRICT rhs = m.held, *HWY_RESTRICT x = m.step;
  T x1[K], x2[K];
  each<K>([&](auto k) HWY_ATTR { x1[k] = x2[k] = T(0); });
  for (std::size_t i = 0; i < g.nodes; ++i)
    each<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(g.lower2 + at);
      const T push = lanes<T>(g.a[r + k].q0_weighted) * T::load(m.phi + at);
      const T now = eliminate<penta>(push, T::load(g.lower + at), x1[k], l2, x2[k]);
      push.store(rhs + at), now.store(x + at), x2[k] = x1[k], x1[k] = now;
    });
  come_back<T, K, penta>(g, r, x, rhs), go_again<T, K, penta>(g, r, rhs);
  Friction<T> friction[K];
  each<K>([&](auto k) HWY_ATTR { x1[k] = x2[k] = T(0); });
  for (std::size_t i = g.nodes; i-- > 0;)
    each<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(g.lower2 + c.at(i + 2, k));
      const T now = substitute<penta>(T::load(rhs + at), T::load(g.pivot + at), T::load(g.lower + c.at(i + 1, k)), x1[k], l2, x2[k]);
      const T all = T::load(g.change + at) + (T::load(x + at) + now);
      all.store(g.change + at), friction[k].add(T(2) * T::load(g.d + at) + all);
      x2[k] = x1[k], x1[k] = now;
    });
  each<K>([&](auto k) HWY_ATTR { friction[k].end(g.friction[r + k], g.stretch[r + k]); });
}

}  // namespace batch
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
