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

#include "jawari/body/band_step.h"
#include "kernel/batch_view.h"
#include "kernel/lanes.h"
#include "kernel/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
namespace batch {
using kernel::BatchCounts;
using kernel::BatchGroup;
using kernel::BatchNumbers;
using kernel::BatchScratch;
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

/// Nodes unrolled: values passed from node to node then need no copies.
inline constexpr std::size_t unrolled_nodes = 4;
template <class Body>
HWY_ATTR inline void nodes_up(std::size_t& i, std::size_t to, Body&& body) {
  for (; i + unrolled_nodes <= to; i += unrolled_nodes)
    unroll<unrolled_nodes>([&](auto j) HWY_ATTR { body(i + j, No()); });
  for (; i < to; ++i) body(i, No());
}
template <class Body>
HWY_ATTR inline void nodes_down(std::size_t& i, std::size_t from, Body&& body) {
  for (; i >= from + unrolled_nodes; i -= unrolled_nodes)
    unroll<unrolled_nodes>([&](auto j) HWY_ATTR { body(i - 1 - j, No()); });
  for (; i > from; --i) body(i - 1, No());
}
/// body(i, edge) for i = from ... to - 1, upwards or downwards; edge: node 0, and those at or beyond `inner`.
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
/// The first node whose row reaches the right support of some string of the group.
inline std::size_t inner_nodes(const BatchGroup& g, std::size_t lag = 0) {
  return g.least > 2 + lag ? g.least - 2 - lag : 0;
}

/// The rows of A on lanes; what lies beyond the supports is 0.
template <bool penta, class T>
struct BandRow {
  T middle, side, far, first, last, nodes;

  HWY_ATTR BandRow() : far(0) {}
  HWY_ATTR explicit BandRow(const BatchNumbers& a) : middle(lanes<T>(a.middle)), side(lanes<T>(a.side)), far(0) {
    if constexpr (penta) {
      far = lanes<T>(a.far);
      first = lanes<T>(a.first);
      last = lanes<T>(a.last);
    }
    nodes = lanes<T>(a.nodes);
  }
  template <class Edge>
  HWY_ATTR T diagonal(std::size_t i, Edge) const {
    if constexpr (penta && Edge::value)
      return i == 0 ? first : select(nodes == node_number<T>(i + 1), last, middle);
    else
      return middle;
  }
  template <class Edge>
  HWY_ATTR T operator()(std::size_t i, Edge edge, const T& left2, const T& left, const T& x, const T& right,
                        const T& right2) const {
    return band_times<penta, T::is_fused>(diagonal(i, edge), side, far, left2, left, x, right, right2);
  }
  template <class Edge>  /// b - A x
  HWY_ATTR T less(const T& b, std::size_t i, Edge edge, const T& left2, const T& left, const T& x, const T& right,
                  const T& right2) const {
    return band_residual<penta, T::is_fused>(b, diagonal(i, edge), side, far, left2, left, x, right, right2);
  }
  template <class Edge>
  HWY_ATTR T within(std::size_t i, Edge, const T& x) const {  ///< 0 beyond the last node
    if constexpr (Edge::value)
      return select(nodes > node_number<T>(i), x, T(0));
    else
      return x;
  }
};

template <bool penta, class T>
HWY_ATTR inline T eliminate(const T& rhs, const T& lower, const T& before, const T& lower2, const T& before2) {
  return band_eliminate<penta, T::is_fused>(rhs, lower, before, lower2, before2);
}
template <bool penta, class T>
HWY_ATTR inline T substitute(const T& y, const T& pivot, const T& lower, const T& after, const T& lower2,
                             const T& after2) {
  return band_substitute<penta, T::is_fused>(y, pivot, lower, after, lower2, after2);
}
template <bool penta, class T>
using Factor = BandFactor<penta, T::is_fused, T>;

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

/// A's own factor, for all steps.
template <class T, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void factor_band(BatchGroup& g, std::size_t r) noexcept {
  const Columns<T, 1> c(g, r);
  const BandRow<penta, T> row(g.a[r]);
  Factor<penta, T> factor;
  for (std::size_t i = 0; i < g.nodes; ++i) {
    T l, l2;
    factor.next(i, row.diagonal(i, Yes()), row.side, row.far, l, l2);
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
