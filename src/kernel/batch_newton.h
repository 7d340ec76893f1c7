// SPDX-License-Identifier: MIT
// The string's part in a contact of StringBatch on lanes, as GridCompliance has it: one Newton step, and the answer of
// the string to the forces. Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_BATCH_NEWTON_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_BATCH_NEWTON_H
#undef JAWARI_KERNEL_BATCH_NEWTON_H
#else
#define JAWARI_KERNEL_BATCH_NEWTON_H
#endif

#include <algorithm>
#include <cstddef>

#include "kernel/batch_free.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
namespace batch {

/// Equal bits; where fused, equal to rounding.
template <class T>
HWY_ATTR inline bool settled_on(const T& now, const T& own) {
  if constexpr (T::is_fused)
    return !any_lane(abs(now - own) > T(0x1p-51) * abs(own));
  else
    return !any_lane(now != own);
}

/// (S9) One Newton step of K rows: (A - q0 b) step = q0 f - held, e + step where a lane is open, held = A e.
/// Forces and slopes are at from ... to - 1 only.  Before them the factor is that of A; behind them it soon is again.
///   first   nothing is held yet: e = step
///   add     the last pass of a scheme with a fixed number of them: change + e instead of held
template <class T, std::size_t K, bool penta, bool first, bool add>
HWY_NOINLINE JAWARI_FLATTEN void newton_step(BatchGroup& g, BatchScratch& m, std::size_t r, std::size_t from,
                                             std::size_t to) noexcept {
  constexpr std::size_t lag = penta ? 2 : 1;
  const Columns<T, K> c(g, r);
  double *HWY_RESTRICT e = m.e, *HWY_RESTRICT step = m.step, *HWY_RESTRICT held = m.held,
                       *HWY_RESTRICT change = g.change;
  double *HWY_RESTRICT pivot = m.pivot, *HWY_RESTRICT lower = m.lower, *HWY_RESTRICT lower2 = m.lower2;
  const std::size_t n = g.nodes;
  T x1[K], x2[K];
  unroll<K>([&](auto k) HWY_ATTR { x1[k] = x2[k] = T(0); });
  const auto along = [&](std::size_t i, auto) HWY_ATTR {  // with A's own factor
    unroll<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T rhs(0), l2;
      if constexpr (!first) rhs = -T::load(held + at);
      if constexpr (penta) l2 = T::load(g.lower2 + at);
      const T x = eliminate<penta>(rhs, T::load(g.lower + at), x1[k], l2, x2[k]);
      x.store(step + at);
      x2[k] = x1[k];
      x1[k] = x;
    });
  };
  std::size_t i = 0;
  if constexpr (first)
    i = from;  // 0 up to there
  else
    nodes_up(i, from, along);

  Factor<penta, T> factor[K];
  const auto copy = [&](std::size_t at) HWY_ATTR {  // where the substitution with one factor reads the other
    T::load(g.pivot + at).store(pivot + at);
    T::load(g.lower + at).store(lower + at);
    if constexpr (penta) T::load(g.lower2 + at).store(lower2 + at);
  };
  unroll<K>([&](auto k) HWY_ATTR {
    if (from > 0) {
      factor[k].pivot = T::load(g.pivot + c.at(from - 1, k));
      factor[k].lower = T::load(g.lower + c.at(from - 1, k));
    }
    if (from > 1) factor[k].pivot2 = T::load(g.pivot + c.at(from - 2, k));
  });
  for (int alike = 0; i < n && alike < (penta ? 2 : 1); ++i) {
    bool same = i >= to;
    unroll<K>([&](auto k) HWY_ATTR {
      const BandRow<penta, T> row(g.a[r + k]);
      const std::size_t at = c.at(i, k);
      T rhs(0), diagonal = row.diagonal(i, Yes()), l, l2;
      if constexpr (!first) rhs = -T::load(held + at);
      if (i < to) {
        const T q0 = lanes<T>(g.a[r + k].q0);
        rhs = rhs + q0 * T::load(m.f + at);
        diagonal = diagonal - q0 * T::load(m.b + at);
      }
      factor[k].next(i, diagonal, row.side, row.far, l, l2);
      const auto within = row.nodes > node_number<T>(i);
      const T now = select(within, factor[k].pivot, T(1));
      l = select(within, l, T(0));
      l2 = select(within, l2, T(0));
      rhs = select(within, rhs, T(0));
      factor[k].pivot = now;
      factor[k].lower = l;
      const T x = eliminate<penta>(rhs, l, x1[k], l2, x2[k]);
      now.store(pivot + at);
      l.store(lower + at);
      x.store(step + at);
      if constexpr (penta) l2.store(lower2 + at);
      x2[k] = x1[k];
      x1[k] = x;
      same = same && settled_on(now, T::load(g.pivot + at)) && (!penta || settled_on(l, T::load(g.lower + at)));
    });
    alike = same ? alike + 1 : 0;
  }
  const std::size_t stop = i, clear = from - std::min<std::size_t>(from, 2);
  unroll<K>([&](auto k) HWY_ATTR {
    for (std::size_t j = stop; j < stop + 2; ++j) copy(c.at(j, k));
    for (std::size_t j = clear; j < from; ++j) copy(c.at(j, k));
  });
  nodes_up(i, n, along);

  BandRow<penta, T> row[K];
  StringLoss<T> loss[K];
  T e1[K], e2[K], e3[K], e4[K], open[K];
  unroll<K>([&](auto k) HWY_ATTR {
    row[k] = BandRow<penta, T>(g.a[r + k]);
    open[k] = lanes<T>(m.open[r + k]);
    x1[k] = x2[k] = e1[k] = e2[k] = e3[k] = e4[k] = T(0);
  });
  const auto hold = [&](std::size_t at_node, auto k, auto edge, const T& now) HWY_ATTR {
    T sum;
    if constexpr (penta)
      sum = row[k](at_node, edge, now, e1[k], e2[k], e3[k], e4[k]);
    else
      sum = row[k](at_node, edge, now, now, e1[k], e2[k], e2[k]);
    row[k].within(at_node, edge, sum).store(held + c.at(at_node, k));
    e4[k] = e3[k];
    e3[k] = e2[k];
    e2[k] = e1[k];
    e1[k] = now;
  };
  const auto back = [&](const double* D, const double* L, const double* L2, auto empty) HWY_ATTR {
    return [&, D, L, L2](std::size_t j, auto edge) HWY_ATTR {
      unroll<K>([&](auto k) HWY_ATTR {
        const std::size_t at = c.at(j, k);
        T l2, y(0);
        if constexpr (!decltype(empty)::value) y = T::load(step + at);
        if constexpr (penta) l2 = T::load(L2 + c.at(j + 2, k));
        const T x = substitute<penta>(y, T::load(D + at), T::load(L + c.at(j + 1, k)), x1[k], l2, x2[k]);
        x2[k] = x1[k];
        x1[k] = x;
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
          all.store(change + at);
          loss[k].add(T(2) * T::load(g.d + at) + all);
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
    unroll<K>([&](auto k) HWY_ATTR { end_loss(loss[k], g, r + k); });
  } else {
    for (i = lag; i-- > 0;) unroll<K>([&](auto k) HWY_ATTR { hold(i, k, Yes(), T(0)); });
  }
}

/// held = A e at from ... to - 1 of row r.
template <class T, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void update_residual(BatchGroup& g, BatchScratch& m, std::size_t r, std::size_t from,
                                                 std::size_t to) noexcept {
  const Columns<T, 1> c(g, r);
  const BandRow<penta, T> row(g.a[r]);
  const auto e = [&](std::size_t i, std::size_t back) HWY_ATTR {  // of node i - back
    return i >= back && i - back < g.nodes ? T::load(m.e + c.at(i - back, 0)) : T(0);
  };
  T left2 = e(from, 2), left = e(from, 1), here = e(from, 0), right = e(from + 1, 0);
  for (std::size_t i = from; i < to; ++i) {
    const T right2 = e(i + 2, 0);
    row.within(i, Yes(), row(i, Yes(), left2, left, here, right, right2)).store(m.held + c.at(i, 0));
    left2 = left;
    left = here;
    here = right;
    right = right2;
  }
}

/// The answer of the string to the forces: A x = q0 phi, refined, is added to change.  The sums for the accounts
/// follow.
template <class T, std::size_t K, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void apply_contact_forces(BatchGroup& g, BatchScratch& m, std::size_t r) noexcept {
  const Columns<T, K> c(g, r);
  double *HWY_RESTRICT rhs = m.held, *HWY_RESTRICT x = m.step;
  T x1[K], x2[K];
  unroll<K>([&](auto k) HWY_ATTR { x1[k] = x2[k] = T(0); });
  for (std::size_t i = 0; i < g.nodes; ++i)
    unroll<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(g.lower2 + at);
      const T push = lanes<T>(g.a[r + k].q0) * T::load(m.phi + at);
      const T now = eliminate<penta>(push, T::load(g.lower + at), x1[k], l2, x2[k]);
      push.store(rhs + at);
      now.store(x + at);
      x2[k] = x1[k];
      x1[k] = now;
    });
  back_substitute<T, K, penta>(g, r, x, rhs);
  forward_residual<T, K, penta>(g, r, rhs);
  StringLoss<T> loss[K];
  unroll<K>([&](auto k) HWY_ATTR { x1[k] = x2[k] = T(0); });
  for (std::size_t i = g.nodes; i-- > 0;)
    unroll<K>([&](auto k) HWY_ATTR {
      const std::size_t at = c.at(i, k);
      T l2;
      if constexpr (penta) l2 = T::load(g.lower2 + c.at(i + 2, k));
      const T now = substitute<penta>(T::load(rhs + at), T::load(g.pivot + at), T::load(g.lower + c.at(i + 1, k)),
                                      x1[k], l2, x2[k]);
      const T all = T::load(g.change + at) + (T::load(x + at) + now);
      all.store(g.change + at);
      loss[k].add(T(2) * T::load(g.d + at) + all);
      x2[k] = x1[k];
      x1[k] = now;
    });
  unroll<K>([&](auto k) HWY_ATTR { end_loss(loss[k], g, r + k); });
}

/// Fused: e is that answer but for rounding, so it is added as it is.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void add_solution(BatchGroup& g, const BatchScratch& m, std::size_t r) noexcept {
  const Columns<T, 1> c(g, r);
  StringLoss<T> loss;
  std::size_t end = g.nodes;
  nodes_down(end, 0, [&](std::size_t i, auto) HWY_ATTR {
    const std::size_t at = c.at(i, 0);
    const T all = T::load(g.change + at) + T::load(m.e + at);
    all.store(g.change + at);
    loss.add(T(2) * T::load(g.d + at) + all);
  });
  end_loss(loss, g, r);
}

}  // namespace batch
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
