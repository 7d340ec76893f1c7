// SPDX-License-Identifier: MIT
// Rows of a banded matrix on lanes, a string per lane: walking along the nodes, A x, elimination, L D L^T, in the order
// of operations that Band has.  Near the supports, which the strings of a vector have at different nodes, bodies are
// compiled a second time (edge). Included once per target (hwy/foreach_target.h), hence the unusual guard.
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
inline std::size_t inner_nodes(const BatchGroup& g, std::size_t lag = 0) {
  return g.least > 2 + lag ? g.least - 2 - lag : 0;
}

/// A row of A x, as Band::apply() adds it up; what lies beyond the supports is 0.
template <bool penta, class T>
struct BandRow {
  T middle, side, far, ends, nodes;

  HWY_ATTR BandRow() {}
  HWY_ATTR explicit BandRow(const BatchNumbers& a) : middle(lanes<T>(a.middle)), side(lanes<T>(a.side)) {
    if constexpr (penta) {
      far = lanes<T>(a.far);
      ends = lanes<T>(a.ends);
    }
    nodes = lanes<T>(a.nodes);
  }
  template <class Edge>
  HWY_ATTR T diagonal(std::size_t i, Edge) const {
    if constexpr (penta && Edge::value)
      return i == 0 ? ends : select(nodes == node_number<T>(i + 1), ends, middle);
    else
      return middle;
  }
  template <class Edge>
  HWY_ATTR T operator()(std::size_t i, Edge edge, const T& left2, const T& left, const T& x, const T& right,
                        const T& right2) const {
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
  HWY_ATTR T less(const T& b, std::size_t i, Edge edge, const T& left2, const T& left, const T& x, const T& right,
                  const T& right2) const {
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
    if constexpr (Edge::value)
      return select(nodes > node_number<T>(i), x, T(0));
    else
      return x;
  }
};

/// x = rhs - L x, one node; fused, what the last node made comes last.
template <bool penta, class T>
HWY_ATTR inline T eliminate(const T& rhs, const T& lower, const T& before, const T& lower2, const T& before2) {
  if constexpr (!penta)
    return rhs - lower * before;
  else if constexpr (T::is_fused)
    return (rhs - lower2 * before2) - lower * before;
  else
    return (rhs - lower * before) - lower2 * before2;
}
/// x = y/D - L^T x, one node, downwards; pivot is its inverse where fused.
template <bool penta, class T>
HWY_ATTR inline T substitute(const T& y, const T& pivot, const T& lower, const T& after, const T& lower2,
                             const T& after2) {
  T x;
  if constexpr (T::is_fused)
    x = y * pivot;
  else
    x = y / pivot;
  return eliminate<penta>(x, lower, after, lower2, after2);
}

/// Columns of K rows from row r on.
template <class T, std::size_t K>
struct Columns {
  std::size_t stride, first;

  Columns(const BatchGroup& g, std::size_t r) : stride(g.rows * T::width), first(r * T::width) {}
  std::size_t at(std::size_t i, std::size_t k) const {
    if constexpr (K == kernel::most_rows)
      return (i * K + k) * T::width;
    else
      return i * stride + first + k * T::width;
  }
};

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
        if (i > 1) {
          l2 = far * pivot2;
          side = side - far * lower;
        }
      l = side * pivot;
      now = now - l * side;
      if constexpr (penta) now = now - l2 * far;
      now = T(1) / now;
    } else {
      if constexpr (penta)
        if (i > 1) {
          l2 = far / pivot2;
          side = side - l2 * pivot2 * lower;
        }
      l = i > 0 ? T(side / pivot) : T(0);
      if (i > 0) now = now - l * l * pivot;
      if constexpr (penta)
        if (i > 1) now = now - l2 * l2 * pivot2;
    }
    pivot2 = pivot;
    pivot = now;
    lower = l;
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
    select(within, l, T(0)).store(g.lower + at);
    select(within, l2, T(0)).store(g.lower2 + at);
  }
}

}  // namespace batch
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
