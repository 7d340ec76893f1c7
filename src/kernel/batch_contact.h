// SPDX-License-Identifier: MIT
// A row of StringBatch in contact: Newton (K2), (K5) as Island has it, every lane until it is settled.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_BATCH_CONTACT_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_BATCH_CONTACT_H
#undef JAWARI_KERNEL_BATCH_CONTACT_H
#else
#define JAWARI_KERNEL_BATCH_CONTACT_H
#endif

#include <algorithm>
#include <cstddef>

#include "jawari/couple/newton_rules.h"
#include "kernel/batch_newton.h"
#include "kernel/batch_ports.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
namespace batch {

/// From the solution of the string: s of the ports, and the forces that hold it.  For Newton also the largest change of
/// s, and the terms it is measured by.
template <class T, bool newton>
HWY_NOINLINE JAWARI_FLATTEN void ports_from_solution(BatchView& v, std::size_t r, T& terms, T& largest) noexcept {
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const Columns<T, 1> c(g, r);
  const T q0 = lanes<T>(g.a[r].q0);
  const auto open = lanes<T>(m.open[r]) > T(0);
  for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
    const std::size_t at = c.at(i, 0);
    const T f = T::load(m.f + at), phi = T::load(m.phi + at);
    const auto silent = f == T(0) && T::load(m.b + at) == T(0);
    select(open, select(silent, T(0), T::load(m.held + at) / q0), phi).store(m.phi + at);
    if constexpr (newton) {
      one_where<T>(silent).store(m.silent + at);
      (phi - f).store(m.gap + at);
    }
  }
  T pushed(kernel::no_barrier);
  const T share(v.scheme.share);
  if constexpr (newton) {
    largest = T(0);
    for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      const T old = T::load(m.s + at), e = T::load(m.e + at), s_free = T::load(m.s_free + at), s = s_free + e;
      old.store(m.old + at);
      s.store(m.s + at);
      const auto port = T::load(g.offset + at) > T(kernel::no_barrier);
      pushed = max_fast(pushed, T::load(m.reach + at) + share * s);
      largest = max_fast(largest, select(port, abs(s - old), T(0)));
      terms = max_fast(terms, select(port, abs(s_free) + abs(e), T(0)));
    }
  } else if (v.scheme.ahead) {
    for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      const T s = T::load(m.s_free + at) + T::load(m.e + at);
      pushed = max_fast(pushed, T::load(m.reach + at) + share * s);
      s.store(m.s + at);
    }
  } else {
    for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      (T::load(m.s_free + at) + T::load(m.e + at)).store(m.s + at);
    }
  }
  m.pushed[r] = any_lane(pushed > T(0));
}

/// (K5) for the lanes in `which`, above 0.
template <class T, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void shorten(BatchView& v, std::size_t r, const T& which, T& terms) noexcept {
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const Columns<T, 1> c(g, r);
  const T q0 = lanes<T>(g.a[r].q0);
  T start(0), go = which;
  for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
    const std::size_t at = c.at(i, 0);
    start = start + (T::load(m.s + at) - T::load(m.old + at)) * T::load(m.gap + at);
  }
  go = select(start < T(0), go, T(0));
  for (int tries = 0; tries < NewtonRules::tries; ++tries) {
    T end(0);
    for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      end = end + (T::load(m.s + at) - T::load(m.old + at)) * (T::load(m.phi + at) - T::load(m.f + at));
    }
    go = select(overshoots(start, end), go, T(0));
    if (!any_lane(go > T(0))) return;
    T noise(0);
    for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      noise = noise + abs(T::load(m.s + at) - T::load(m.old + at)) * (-T::load(m.b + at) * terms);
    }
    go = select(overshoots(start, end, noise), go, T(0));
    const auto going = go > T(0);
    if (!any_lane(going)) return;
    const T share = shortened_share(start, end);
    for (std::size_t i = 0; i < g.nodes; ++i) {
      const std::size_t at = c.at(i, 0);
      const T e = T::load(m.e + at), before = T::load(m.before + at);
      select(going, before + share * (e - before), e).store(m.e + at);
    }
    update_residual<T, penta>(g, m, r, 0, g.nodes);
    for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      const auto silent = T::load(m.silent + at) > T(0) && T::load(m.gap + at) == T(0);  // now and before the step
      const T phi = select(silent, T(0), T::load(m.held + at) / q0);
      select(going, phi, T::load(m.phi + at)).store(m.phi + at);
    }
    for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      const T e = T::load(m.e + at), s_free = T::load(m.s_free + at);
      (s_free + e).store(m.s + at);
      terms = max_fast(terms, select(T::load(g.offset + at) > T(kernel::no_barrier), abs(s_free) + abs(e), T(0)));
    }
    m.pushed[r] = true;
    v.scheme.respond(v, r);
    start = select(going, start * share, start);
  }
}

/// Above 0 in lanes whose s is unchanged.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void unchanged(const BatchView& v, std::size_t r, T& result) noexcept {
  const BatchGroup& g = *v.group;
  const Columns<T, 1> c(g, r);
  result = T(1);
  for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
    const std::size_t at = c.at(i, 0);
    result = select(T::load(v.scratch.s + at) == T::load(v.scratch.old + at), result, T(0));
  }
}

template <class T, bool penta, bool first, bool add>
HWY_ATTR void newton_rows(BatchView& v, const bool* on) noexcept {
  BatchScratch& m = v.scratch;
  if (on[0] && on[1])
    return newton_step<T, 2, penta, first, add>(*v.group, m, 0, std::min(m.from[0], m.from[1]),
                                                std::max(m.to[0], m.to[1]));
  for (std::size_t r = 0; r < kernel::most_rows; ++r)
    if (on[r]) newton_step<T, 1, penta, first, add>(*v.group, m, r, m.from[r], m.to[r]);
}

/// State of a row from one Newton step to the next.
template <class T>
struct NewtonProgress {
  T scale, terms, last;
  HWY_ATTR NewtonProgress() : scale(0), terms(0), last(1) {}
};

/// Closes the lanes of row r that are settled after `done` steps; returns whether one is still open.
template <class T, bool penta>
HWY_NOINLINE JAWARI_FLATTEN bool settle_lanes(BatchView& v, std::size_t r, NewtonProgress<T>& n, int done) noexcept {
  BatchScratch& m = v.scratch;
  BatchCounts& count = v.group->counts[r];
  T largest;
  ports_from_solution<T, true>(v, r, n.terms, largest);
  v.scheme.respond(v, r);
  const auto open = lanes<T>(m.open[r]) > T(0);
  const T change = relative_step(largest, n.terms, T(T(1e-16) * n.scale));
  const auto search = open && change > T(NewtonRules::search);
  T stuck(0);
  if (any_lane(search)) {
    shorten<T, penta>(v, r, one_where<T>(search), n.terms);
    if (const auto small = search && change < T(NewtonRules::stuck); any_lane(small)) {
      unchanged<T>(v, r, stuck);
      stuck = select(small, stuck, T(0));
    }
  }
  const auto late = change > T(NewtonRules::settled) && change < T(NewtonRules::search),
             turned = late && change >= n.last, broken = stuck > T(0);
  n.last = select(late, change, n.last);
  auto more = open && change > T(NewtonRules::settled) && !turned && !broken;
  if (done > NewtonRules::patience) more = more && change > T(NewtonRules::enough);
  if (done == NewtonRules::limit) {
    count_in(count.unsettled, one_where<T>(more));
    more = more && T(0) > T(0);
  }
  const T used = select(open && !more, select(broken, T(done - 1.0), T(static_cast<double>(done))), T(0));
  count_in(count.iterations, used);
  keep_largest(count.most_iterations, used);
  one_where<T>(more).store(m.open[r].at);
  return any_lane(more);
}

/// The rows of a group that touch, together: as Island::solve(), Islands and StringGrid::advance().
template <class T, bool penta>
HWY_ATTR void solve_rows(BatchView& v, bool* on) noexcept {
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const bool was[] = {on[0], on[1]};
  NewtonProgress<T> n[kernel::most_rows];
  const auto each_row = [&](auto visit) HWY_ATTR {
    for (std::size_t r = 0; r < g.rows; ++r)
      if (on[r]) visit(r);
  };
  each_row([&](std::size_t r) HWY_ATTR {
    v.scheme.begin(v, r);
    m.open[r] = m.near[r];
    v.scheme.respond(v, r);
  });
  if (v.scheme.passes > 0) {
    for (int pass = 1;; ++pass) {
      const bool last = pass == v.scheme.passes;
      if constexpr (T::is_fused) {  // e is the answer of the string to the forces, but for rounding: it is added as it
                                    // is
        if (last && pass == 1)
          newton_rows<T, penta, true, true>(v, on);
        else if (last)
          newton_rows<T, penta, false, true>(v, on);
      }
      if (!T::is_fused || !last) {
        if (pass == 1)
          newton_rows<T, penta, true, false>(v, on);
        else
          newton_rows<T, penta, false, false>(v, on);
      }
      each_row([&](std::size_t r) HWY_ATTR {
        if (T::is_fused && last) update_residual<T, penta>(g, m, r, m.from[r], m.to[r]);
        T none;
        ports_from_solution<T, false>(v, r, none, none);
        if (!last) {
          v.scheme.refine(v, r);
          v.scheme.respond(v, r);
        }
      });
      if (last) break;
    }
    each_row([&](std::size_t r) HWY_ATTR {
      const T passes = static_cast<double>(v.scheme.passes) * lanes<T>(m.near[r]);
      count_in(g.counts[r].iterations, passes);
      keep_largest(g.counts[r].most_iterations, passes);
    });
  } else {
    each_row([&](std::size_t r) HWY_ATTR {
      const Columns<T, 1> c(g, r);
      T scale(0);
      for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
        const std::size_t at = c.at(i, 0);
        scale =
            max_fast(scale, select(T::load(g.offset + at) > T(kernel::no_barrier), abs(T::load(m.s_free + at)), T(0)));
      }
      n[r].scale = n[r].terms = scale;
    });
    for (int done = 1; on[0] || on[1]; ++done) {
      if (done == 1)
        newton_rows<T, penta, true, false>(v, on);
      else
        newton_rows<T, penta, false, false>(v, on);
      each_row([&](std::size_t r) HWY_ATTR { on[r] = settle_lanes<T, penta>(v, r, n[r], done); });
    }
    on[0] = was[0];
    on[1] = was[1];
  }
  if constexpr (T::is_fused) {
    if (v.scheme.passes == 0) each_row([&](std::size_t r) HWY_ATTR { add_solution<T>(g, m, r); });
  } else {
    if (on[0] && on[1])
      apply_contact_forces<T, 2, penta>(g, m, 0);
    else
      each_row([&](std::size_t r) HWY_ATTR { apply_contact_forces<T, 1, penta>(g, m, r); });
  }
  each_row([&](std::size_t r) HWY_ATTR { v.scheme.finish(v, r); });
}

}  // namespace batch
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
