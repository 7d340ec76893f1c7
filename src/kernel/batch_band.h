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

/// Nodes written out one after the other: what is handed from node to node then needs no copies.
inline constexpr std::size_t stretch_nodes = 4;
template <class Body>
HWY_ATTR inline void nodes_up(std::size_t& i, std::size_t to, Body&& body) {
  for (; i + stretch_nodes <= to; i += stretch_nodes) each<stretch_nodes>([&](auto j) HWY_ATTR { body(i + j, No()); });
  for (; i < to; ++i) body(i, No());
}
template <class Body>
HWY_ATTR inline void nodes_down(std::size_t& i, std::size_t from, Body&& body) {
  for (; i >= from + stretch_nodes; i -= stretch_nodes)
    each<stretch_nodes>([&](auto j) HWY_ATTR { body(i - 1 - j, No()); });
  for (; i > from; --i) body(i - 1, No());
}
/// body(i, edge) for i = from ... to - 1, upwards or downwards; the edge is node 0 and what is at or beyond `inner`.
template <class Body>
HWY_ATTR inline void upwards(std::size_t from, std::size_t to, std::size_t inner, Body&& body) {
  std::size_t i = from;
  for (; i < std::min<std::size_t>(to, 1); ++i) body(i, Yes());
  nodes_up(i, std::min(to, inner), body);
  for (; i < to; ++i) body(i, Yes());
}
template <class Body>
HWY_ATTR inline void downwards(std::size_t from, std::size_t to, std::size_t inner, Body&& body) {
  std::size_t i = to;
  for (; i > std::max(from, inner); --i) body(i - 1, Yes());
  nodes_down(i, std::max<std::size_t>(from, 1), body);
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
  template <class Edge>  /// b - A x
  HWY_ATTR T less(const T& b, std::size_t i, Edge edge, const T& left2, const T& left, const T& x, const T& right, const T& right2) const {
    if constexpr (T::is_fused) {
      T rest = (b - diagonal(i, edge) * x) - side * (left + right);
      if constexpr (penta) rest = rest - far * (left2 + right2);
      return rest;
    } else {
      return b - (*this)(i, edge, left2, left, x, right, right2);
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
  std::size_t at(std::size_t i, std::size_t k) const {
    if constexpr (K == kernel::most_rows) return (i * K + k) * T::width;
    else return i * stride + first + k * T::width;
  }
};

/// Coefficients of a row's right-hand side.
template <class T>
struct SetOut {
  T nodes, q0, c0, c1, c2, c3, c4;
  HWY_ATTR explicit SetOut(const BatchNumbers& a) : nodes(lanes<T>(a.nodes)), q0(lanes<T>(a.q0)) {
    if constexpr (T::is_fused) c0 = lanes<T>(a.u0), c1 = lanes<T>(a.u1), c2 = lanes<T>(a.u2), c3 = lanes<T>(a.d0), c4 = lanes<T>(a.d1);
    else c0 = lanes<T>(a.tension), c1 = lanes<T>(a.bending), c2 = T(0), c3 = lanes<T>(a.s0_2), c4 = lanes<T>(a.s1_2);
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
      T right2, d_right2, sum;
      fetch(i + 2, k, right2, d_right2);
      if constexpr (at_edge)  // u is odd about the support
        right2 = select(a.nodes == node_number<T>(i + 1), -here[k], right2);
      if constexpr (T::is_fused) {
        sum = a.c0 * here[k] + a.c1 * (left[k] + right[k]) + a.c2 * (left2[k] + right2);
        if constexpr (lossy) sum = sum + a.c3 * d_here[k] + a.c4 * (d_left[k] + d_right[k]);
        if constexpr (loaded) sum = sum + a.q0 * T::load(load + c.at(i, k));
        left2[k] = left[k], left[k] = here[k];
      } else {
        const T curve = (right2 - right[k]) - (right[k] - here[k]);
        sum = a.c0 * left[k];
        if constexpr (loaded) sum = sum + a.q0 * T::load(load + c.at(i, k));
        sum = sum - a.c1 * ((curve - left[k]) - (left[k] - left2[k]));
        if constexpr (lossy) {
          sum = sum - a.c3 * d_here[k];
          sum = sum + a.c4 * ((d_right[k] - d_here[k]) - (d_here[k] - d_left[k]));
        }
        left2[k] = left[k], left[k] = curve;
      }
      here[k] = right[k], right[k] = right2, d_left[k] = d_here[k], d_here[k] = d_right[k], d_right[k] = d_right2;
      if constexpr (at_edge) sum = select(a.nodes > node_number<T>(i), sum, T(0));
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
    const std::size_t at = c.at(i, k);
    T rest;
    if constexpr (penta) rest = row[k].less(T::load(rhs + at), i, edge, now, x1[k], x2[k], x3[k], x4[k]);
    else rest = row[k].less(T::load(rhs + at), i, edge, now, now, x1[k], x2[k], x2[k]);
    row[k].within(i, edge, rest).store(rhs + at);
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
  std::size_t start = 0;
  nodes_up(start, g.nodes, [&](std::size_t i, auto) HWY_ATTR {
    each<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(lower2 + at);
      const T now = eliminate<penta>(T::load(x + at), T::load(lower + at), x1[k], l2, x2[k]);
      now.store(x + at), x2[k] = x1[k], x1[k] = now;
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
  std::size_t end = g.nodes;
  nodes_down(end, 0, [&](std::size_t i, auto) HWY_ATTR {
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

/// Bits alike, or where fused to rounding.
template <class T>
HWY_ATTR inline bool settled_on(const T& now, const T& own) {
  if constexpr (T::is_fused) return !some(size(now - own) > T(0x1p-51) * size(own));
  else return !some(now != own);
}

/// (S9) One Newton step of K rows: (A - q0 b) step = q0 f - held, e + step where a lane is open, held = A e.
/// Forces and slopes are at from ... to - 1 only.  Before, the factor is A's own; behind, it soon is again.
///   first   nothing is held yet: e = step
///   add     the last pass of a scheme with a fixed number of them: change + e instead of held
template <class T, std::size_t K, bool penta, bool first, bool add>
HWY_NOINLINE JAWARI_FLATTEN void improve(BatchGroup& g, BatchScratch& m, std::size_t r, std::size_t from, std::size_t to) noexcept {
  constexpr std::size_t lag = penta ? 2 : 1;
  const Columns<T, K> c(g, r);
  double *HWY_RESTRICT e = m.e, *HWY_RESTRICT step = m.step, *HWY_RESTRICT held = m.held, *HWY_RESTRICT change = g.change;
  double *HWY_RESTRICT pivot = m.pivot, *HWY_RESTRICT lower = m.lower, *HWY_RESTRICT lower2 = m.lower2;
  const std::size_t n = g.nodes;
  T x1[K], x2[K];
  each<K>([&](auto k) HWY_ATTR { x1[k] = x2[k] = T(0); });
  const auto along = [&](std::size_t i, auto) HWY_ATTR {  // with A's own factor
    each<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T rhs(0), l2;
      if constexpr (!first) rhs = -T::load(held + at);
      if constexpr (penta) l2 = T::load(g.lower2 + at);
      const T x = eliminate<penta>(rhs, T::load(g.lower + at), x1[k], l2, x2[k]);
      x.store(step + at), x2[k] = x1[k], x1[k] = x;
    });
  };
  std::size_t i = 0;
  if constexpr (first) i = from;  // 0 up to there
  else nodes_up(i, from, along);

  Factor<penta, T> factor[K];
  const auto copy = [&](std::size_t at) HWY_ATTR {  // where one factor's substitution reaches into the other
    T::load(g.pivot + at).store(pivot + at), T::load(g.lower + at).store(lower + at);
    if constexpr (penta) T::load(g.lower2 + at).store(lower2 + at);
  };
  each<K>([&](auto k) HWY_ATTR {
    if (from > 0) factor[k].pivot = T::load(g.pivot + c.at(from - 1, k)), factor[k].lower = T::load(g.lower + c.at(from - 1, k));
    if (from > 1) factor[k].pivot2 = T::load(g.pivot + c.at(from - 2, k));
  });
  for (int alike = 0; i < n && alike < (penta ? 2 : 1); ++i) {
    bool same = i >= to;
    each<K>([&](auto k) HWY_ATTR {
      const BandRow<penta, T> row(g.a[r + k]);
      const std::size_t at = c.at(i, k);
      T rhs(0), diagonal = row.diagonal(i, Yes()), far(0), l, l2;
      if constexpr (!first) rhs = -T::load(held + at);
      if (i < to) {
        const T q0 = lanes<T>(g.a[r + k].q0_weighted);
        rhs = rhs + q0 * T::load(m.f + at), diagonal = diagonal - q0 * T::load(m.b + at);
      }
      if constexpr (penta) far = row.far;
      factor[k].next(i, diagonal, row.side, far, l, l2);
      const auto within = row.nodes > node_number<T>(i);
      const T now = select(within, factor[k].pivot, T(1));
      l = select(within, l, T(0)), l2 = select(within, l2, T(0)), rhs = select(within, rhs, T(0));
      factor[k].pivot = now, factor[k].lower = l;
      const T x = eliminate<penta>(rhs, l, x1[k], l2, x2[k]);
      now.store(pivot + at), l.store(lower + at), x.store(step + at);
      if constexpr (penta) l2.store(lower2 + at);
      x2[k] = x1[k], x1[k] = x;
      same = same && settled_on(now, T::load(g.pivot + at)) && (!penta || settled_on(l, T::load(g.lower + at)));
    });
    alike = same ? alike + 1 : 0;
  }
  const std::size_t stop = i, clear = from - std::min<std::size_t>(from, 2);
  each<K>([&](auto k) HWY_ATTR {
    for (std::size_t j = stop; j < stop + 2; ++j) copy(c.at(j, k));
    for (std::size_t j = clear; j < from; ++j) copy(c.at(j, k));
  });
  nodes_up(i, n, along);

  BandRow<penta, T> row[K];
  Friction<T> friction[K];
  T e1[K], e2[K], e3[K], e4[K], open[K];
  each<K>([&](auto k) HWY_ATTR {
    row[k] = BandRow<penta, T>(g.a[r + k]), open[k] = lanes<T>(m.open[r + k]);
    x1[k] = x2[k] = e1[k] = e2[k] = e3[k] = e4[k] = T(0);
  });
  const auto hold = [&](std::size_t at_node, auto k, auto edge, const T& now) HWY_ATTR {
    T sum;
    if constexpr (penta) sum = row[k](at_node, edge, now, e1[k], e2[k], e3[k], e4[k]);
    else sum = row[k](at_node, edge, now, now, e1[k], e2[k], e2[k]);
    row[k].within(at_node, edge, sum).store(held + c.at(at_node, k));
    e4[k] = e3[k], e3[k] = e2[k], e2[k] = e1[k], e1[k] = now;
  };
  const auto back = [&](const double* D, const double* L, const double* L2, auto empty) HWY_ATTR {
    return [&, D, L, L2](std::size_t j, auto edge) HWY_ATTR {
      each<K>([&](auto k) HWY_ATTR {
        const std::size_t at = c.at(j, k);
        T l2, y(0);
        if constexpr (!decltype(empty)::value) y = T::load(step + at);
        if constexpr (penta) l2 = T::load(L2 + c.at(j + 2, k));
        const T x = substitute<penta>(y, T::load(D + at), T::load(L + c.at(j + 1, k)), x1[k], l2, x2[k]);
        x2[k] = x1[k], x1[k] = x;
        T now = x;
        if constexpr (!first) {
          const T before = T::load(e + at);
          now = select(open[k] > T(0), before + x, before);
          if constexpr (!add) before.store(m.before + at);
        } else if constexpr (!add) {
          T(0).store(m.before + at);
        }
        now.store(e + at);
        if constexpr (add) {
          const T all = T::load(change + at) + now;
          all.store(change + at), friction[k].add(T(2) * T::load(g.d + at) + all);
        } else {
          hold(j + lag, k, edge, now);
        }
      });
    };
  };
  const std::size_t inner = inner_nodes(g, lag);
  const auto with_own = back(pivot, lower, lower2, No());
  downwards(stop, n, inner, back(g.pivot, g.lower, g.lower2, No()));
  for (i = stop; i > from; --i) with_own(i - 1, Yes());
  if constexpr (first) {
    const auto empty = back(pivot, lower, lower2, Yes());
    for (; i > clear; --i) empty(i - 1, Yes());
    downwards(0, clear, inner, back(g.pivot, g.lower, g.lower2, Yes()));
  } else {
    for (; i > clear; --i) with_own(i - 1, Yes());
    downwards(0, clear, inner, back(g.pivot, g.lower, g.lower2, No()));
  }
  if constexpr (add) {
    each<K>([&](auto k) HWY_ATTR { friction[k].end(g.friction[r + k], g.stretch[r + k]); });
  } else {
    for (i = lag; i-- > 0;)
      each<K>([&](auto k) HWY_ATTR { hold(i, k, Yes(), T(0)); });
  }
}

/// held = A e at from ... to - 1 of row r.
template <class T, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void hold_again(BatchGroup& g, BatchScratch& m, std::size_t r, std::size_t from, std::size_t to) noexcept {
  const Columns<T, 1> c(g, r);
  const BandRow<penta, T> row(g.a[r]);
  const auto e = [&](std::size_t i, std::size_t back) HWY_ATTR {  // of node i - back
    return i >= back && i - back < g.nodes ? T::load(m.e + c.at(i - back, 0)) : T(0);
  };
  T left2 = e(from, 2), left = e(from, 1), here = e(from, 0), right = e(from + 1, 0);
  for (std::size_t i = from; i < to; ++i) {
    const T right2 = e(i + 2, 0);
    row.within(i, Yes(), row(i, Yes(), left2, left, here, right, right2)).store(m.held + c.at(i, 0));
    left2 = left, left = here, here = right, right = right2;
  }
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

/// Fused: e is that answer but for rounding, so it is added as it stands.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void add_answer(BatchGroup& g, const BatchScratch& m, std::size_t r) noexcept {
  const Columns<T, 1> c(g, r);
  Friction<T> friction;
  std::size_t end = g.nodes;
  nodes_down(end, 0, [&](std::size_t i, auto) HWY_ATTR {
    const std::size_t at = c.at(i, 0);
    const T all = T::load(g.change + at) + T::load(m.e + at);
    all.store(g.change + at), friction.add(T(2) * T::load(g.d + at) + all);
  });
  friction.end(g.friction[r], g.stretch[r]);
}

}  // namespace batch
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
