// SPDX-License-Identifier: MIT
// A row of StringBatch in contact: law and scheme as they stand in contact/ and scheme/, on lanes, for the nodes where some
// lane has something to say; and Newton (K2), (K5) as Island has it, every lane until it is settled.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_BATCH_CONTACT_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_BATCH_CONTACT_H
#undef JAWARI_KERNEL_BATCH_CONTACT_H
#else
#define JAWARI_KERNEL_BATCH_CONTACT_H
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "jawari/scheme/gradient.h"
#include "jawari/scheme/quadratised.h"
#include "kernel/batch_band.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
namespace batch {

template <class Scheme>
struct Kind {  ///< gradients
  static constexpr bool keeps_psi = false, ahead = true;
};
template <Rule rule, int passes>
struct Kind<Quadratised<rule, passes>> {
  /// Rules that leave psi standing after the contact, where it does nothing.
  static constexpr bool keeps_psi = rule == Rule::plain || rule == Rule::sign;
  /// Schemes that act in the very step that arrives; otherwise a step that begins outside is free.
  static constexpr bool ahead = rule == Rule::secant;
};

/// Compensated, as Sum.
template <class T>
HWY_ATTR inline void add_to(LaneNumbers& sum, LaneNumbers& rest, const T& x) {
  const T old = lanes<T>(sum), t = old + x;
  const T more = select(size(old) >= size(x), (old - t) + x, (x - t) + old);
  (lanes<T>(rest) + more).store(rest.at), t.store(sum.at);
}
template <class T>
HWY_ATTR inline void count_in(LaneNumbers& lane, const T& more) {
  (lanes<T>(lane) + more).store(lane.at);
}
template <class T>
HWY_ATTR inline void keep_most(LaneNumbers& lane, const T& x) {
  most(lanes<T>(lane), x).store(lane.at);
}
template <class T>
HWY_ATTR inline T one_where(const typename T::Truth& where) {
  return select(where, T(1), T(0));
}

/// One node of a row.
template <class Scheme, class T>
struct Point {
  using State = typename Scheme::template StateOf<T>;
  using Step = typename Scheme::template StepOf<T>;
  static constexpr bool gradient = !requires(State e) { e.psi; };
  static constexpr std::size_t W = T::width;
  static constexpr double share = [] {
    if constexpr (gradient) return Scheme::share;
    else return 0.5;
  }();
  PortOf<T> port;
  State state;

  HWY_ATTR Point(const BatchGroup& g, std::size_t at, const T& s_free)
      : port{T::load(g.offset + at) + T::load(g.u + at), T::load(g.d + at), s_free, T(0)} {
    if constexpr (gradient) state.from = T::load(g.psi2 + at), state.to = T::load(g.psi + at);
    else state.psi = T::load(g.psi + at);
  }
  static HWY_ATTR void store_state(const BatchGroup& g, std::size_t at, const State& e) {
    if constexpr (gradient) e.from.store(g.psi2 + at), e.to.store(g.psi + at);
    else e.psi.store(g.psi + at);
  }
  /// Whether the scheme says anything to a double step s; never no by mistake.  If not, reach says when it would.
  HWY_ATTR bool speaks(const Scheme& scheme, const PowerLaw& law, const T& s, T& reach) const {
    if constexpr (gradient) {
      const auto kept = scheme.holds(law, state);
      reach = scheme.start(law, port.y, port.d).from;
      return some(most(reach, T(reach + share * s)) > T(0) || kept);
    } else if constexpr (Kind<Scheme>::ahead) {
      reach = port.y - port.d / 2;
      return some(most(most(port.y, reach), T(reach + share * s)) > T(0) || state.psi != T(0));
    } else if constexpr (Kind<Scheme>::keeps_psi) {
      return some(port.y > T(0));
    } else {
      return some(port.y > T(0) || state.psi != T(0));
    }
  }
  static HWY_ATTR double* place(const BatchScratch& m, std::size_t at) { return m.scheme + at * kernel::step_room; }
  static HWY_ATTR void store(const BatchScratch& m, std::size_t at, const Step& t) {
    double* to = place(m, at);
    if constexpr (gradient) {
      t.from.y.store(to), t.from.force.store(to + W), t.from.potential.store(to + 2 * W), t.middle.store(to + 3 * W);
    } else {
      t.psi.store(to), t.g.store(to + W), t.R.store(to + 2 * W), t.y.store(to + 3 * W), t.half.store(to + 4 * W);
      t.q.store(to + 5 * W);
      if constexpr (Kind<Scheme>::ahead) t.there.value.store(to + 6 * W), t.there.slope.store(to + 7 * W);
    }
  }
  static HWY_ATTR Step load(const BatchScratch& m, std::size_t at) {
    const double* from = place(m, at);
    if constexpr (gradient) {
      return {{T::load(from), T::load(from + W), T::load(from + 2 * W)}, T::load(from + 3 * W)};
    } else {
      Step t{T::load(from), T::load(from + W), T::load(from + 2 * W), T::load(from + 3 * W), T::load(from + 4 * W), T::load(from + 5 * W)};
      if constexpr (Kind<Scheme>::ahead) t.there = {T::load(from + 6 * W), T::load(from + 7 * W)};
      return t;
    }
  }
  HWY_ATTR Step begin(const BatchGroup& g, const BatchScratch& m, std::size_t at, const Scheme& scheme, const PowerLaw& law) {
    port.q = T::load(g.q + at);
    const Step t = scheme.begin(law, port, state);
    store(m, at, t);
    return t;
  }
};

/// From now on node i of row r says something.
inline void wake(BatchGroup& g, BatchScratch& m, std::size_t r, std::size_t i) {
  m.active[i * g.rows + r] = 1, m.from[r] = std::min(m.from[r], i), m.to[r] = std::max(m.to[r], i + 1);
}

/// The ports of a row, and the steps of those where something is to be said at once.
template <class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void begin_row(BatchView& v, std::size_t r) noexcept {
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const Columns<T, 1> c(g, r);
  one_where<T>(most(lanes<T>(g.highest[r]), lanes<T>(g.holds[r])) > T(0)).store(m.near[r].at);
  m.from[r] = g.last[r], m.to[r] = 0;
  for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
    const std::size_t at = c.at(i, 0);
    const T s = T(2) * T::load(g.d + at) + T::load(g.change + at);
    s.store(m.s_free + at), s.store(m.s + at);
    Point<Scheme, T> p(g, at, s);
    T reach;
    if (p.speaks(scheme, *v.law, s, reach) || some(T::load(g.samples + at) > T(0))) {
      p.begin(g, m, at, scheme, *v.law), wake(g, m, r, i);
      if constexpr (Kind<Scheme>::ahead) T(kernel::no_barrier).store(m.reach + at);
    } else if constexpr (Kind<Scheme>::ahead) {
      reach.store(m.reach + at);
    }
  }
  m.from[r] = std::min(m.from[r], m.to[r]), m.pushed[r] = false;
}

/// Those whom their neighbours pushed into it.
template <class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void wake_others(BatchView& v, std::size_t r) noexcept {
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const Columns<T, 1> c(g, r);
  for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
    const std::size_t at = c.at(i, 0);
    if (!some(T(T::load(m.reach + at) + Point<Scheme, T>::share * T::load(m.s + at)) > T(0))) continue;
    Point<Scheme, T> p(g, at, T::load(m.s_free + at));
    p.begin(g, m, at, scheme, *v.law), wake(g, m, r, i), T(kernel::no_barrier).store(m.reach + at);
    T(0).store(m.gap + at), T(1).store(m.silent + at);  // so far
  }
  m.pushed[r] = false;
}

/// f and b at the trial s.
template <class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void respond_row(BatchView& v, std::size_t r) noexcept {
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const Columns<T, 1> c(g, r);
  const auto near = lanes<T>(m.near[r]) > T(0);
  if constexpr (Scheme::passes == 0)
    if (m.pushed[r]) wake_others<Scheme, T>(v, r);
  for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
    if (!m.active[i * g.rows + r]) continue;
    const std::size_t at = c.at(i, 0);
    const ResponseOf<T> a = scheme.respond(*v.law, Point<Scheme, T>::load(m, at), T::load(m.s + at));
    select(near, a.f, T(0)).store(m.f + at), select(near, a.b, T(0)).store(m.b + at);
  }
}

template <class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void refine_row(BatchView& v, std::size_t r) noexcept {
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const Columns<T, 1> c(g, r);
  if (m.pushed[r]) wake_others<Scheme, T>(v, r);
  for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
    if (!m.active[i * g.rows + r]) continue;
    const std::size_t at = c.at(i, 0);
    const T s = T::load(m.s + at);
    auto t = Point<Scheme, T>::load(m, at);
    scheme.refine(*v.law, t, s, s - T::load(g.q + at) * T::load(m.phi + at));
    Point<Scheme, T>::store(m, at, t);
  }
}

/// State, books and records, as Line::finish() and note() have them; and the scratch as it was.
template <class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void finish_row(BatchView& v, std::size_t r) noexcept {
  using P = Point<Scheme, T>;
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  BatchTouches& count = g.touches[r];
  const Columns<T, 1> c(g, r);
  const auto near = lanes<T>(m.near[r]) > T(0);
  T deepest(0), half_deepest(0), strongest(0), touching(0), left(0), lost(0), taken(0), holds(0);
  for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
    if (!std::exchange(m.active[i * g.rows + r], std::uint8_t{0})) continue;
    const std::size_t at = c.at(i, 0);
    P p(g, at, T::load(m.s_free + at));
    const T s = T::load(m.s + at), phi = T::load(m.phi + at), y = p.port.y, next = y - p.port.d + s;
    phi.store(g.phi + at);
    for (double* column : {m.f, m.b, m.phi}) T(0).store(column + at);
    deepest = most(deepest, select(near, y, T(0)));
    T half = y + (next - y) / 2;
    if constexpr (!Kind<Scheme>::ahead)  // the step that arrived was free
      half = most(half, select(p.port.d >= y, T(y - p.port.d / 2), T(0)));
    half_deepest = most(half_deepest, select(near, half, T(0)));
    typename P::State e = p.state;
    const T gone = scheme.finish(*v.law, P::load(m, at), s, e);
    if constexpr (P::gradient) e = {select(near, e.from, p.state.from), select(near, e.to, p.state.to)};
    else e.psi = select(near, e.psi, p.state.psi);
    P::store_state(g, at, e);
    lost = lost + select(near, gone, T(0)), taken = taken - phi * s / 2;
    const auto touches = phi != T(0);
    const T before = T::load(g.samples + at), now = select(touches, before + T(1), T(0));
    now.store(g.samples + at), touching = touching + one_where<T>(touches), strongest = most(strongest, size(phi));
    holds = most(holds, now);
    if constexpr (P::gradient) holds = most(holds, most(e.from, e.to));
    else if constexpr (!Kind<Scheme>::keeps_psi) holds = most(holds, size(e.psi));
    if constexpr (!P::gradient) left = most(left, select(most(y, next) > T(0), T(0), T(e.psi * e.psi / 2)));
    if (some(touches != (before > T(0)))) [[unlikely]]
      for (std::size_t l = 0; l < T::width; ++l) {
        const double samples = g.samples[at + l];
        double was[T::width], way[T::width];
        before.store(was), p.port.s_free.store(way);
        if (samples > 0 && was[l] == 0 && way[l] > 0)
          count.fewest.at[l] = std::min(count.fewest.at[l], (*v.true_samples)(way[l] / (2 * v.dt_s), g.q[at + l]));
        if (samples == 0 && was[l] > 0) {
          count.impacts.at[l] += 1, count.longest.at[l] = std::max(count.longest.at[l], was[l]);
          count.shortest.at[l] = std::min(count.shortest.at[l], was[l]);
        }
      }
  }
  holds.store(g.holds[r].at), g.busy[r] = some(holds > T(0));
  keep_most(count.deepest, deepest), keep_most(count.deepest_half, half_deepest), keep_most(count.strongest, strongest);
  keep_most(count.left, left), count_in(count.touching, touching), count_in(count.solves, lanes<T>(m.near[r]));
  add_to(count.lost_in_contact, count.lost_in_contact_rest, lost), add_to(count.taken, count.taken_rest, taken);
}

/// The string's answer becomes the ports': s, and the forces that hold it.  For Newton also the largest change of s, and
/// what it is measured by.
template <class T, bool newton>
HWY_NOINLINE JAWARI_FLATTEN void take_over(BatchView& v, std::size_t r, T& terms, T& largest) noexcept {
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const Columns<T, 1> c(g, r);
  const T q0 = lanes<T>(g.a[r].q0_weighted);
  const auto open = lanes<T>(m.open[r]) > T(0);
  for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
    const std::size_t at = c.at(i, 0);
    const T f = T::load(m.f + at), phi = T::load(m.phi + at);
    const auto silent = f == T(0) && T::load(m.b + at) == T(0);
    select(open, select(silent, T(0), T::load(m.held + at) / q0), phi).store(m.phi + at);
    if constexpr (newton) one_where<T>(silent).store(m.silent + at), (phi - f).store(m.gap + at);
  }
  T pushed(kernel::no_barrier);
  const T share(v.scheme.share);
  if constexpr (newton) {
    largest = T(0);
    for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      const T old = T::load(m.s + at), e = T::load(m.e + at), s_free = T::load(m.s_free + at), s = s_free + e;
      old.store(m.old + at), s.store(m.s + at);
      const auto port = T::load(g.offset + at) > T(kernel::no_barrier);
      pushed = most(pushed, T::load(m.reach + at) + share * s);
      largest = most(largest, select(port, size(s - old), T(0)));
      terms = most(terms, select(port, size(s_free) + size(e), T(0)));
    }
  } else if (v.scheme.ahead) {
    for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      const T s = T::load(m.s_free + at) + T::load(m.e + at);
      pushed = most(pushed, T::load(m.reach + at) + share * s), s.store(m.s + at);
    }
  } else {
    for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      (T::load(m.s_free + at) + T::load(m.e + at)).store(m.s + at);
    }
  }
  m.pushed[r] = some(pushed > T(0));
}

/// (K5) for the lanes in `which`, above 0.
template <class T, bool penta>
HWY_NOINLINE JAWARI_FLATTEN void shorten(BatchView& v, std::size_t r, const T& which, T& terms) noexcept {
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const Columns<T, 1> c(g, r);
  const T q0 = lanes<T>(g.a[r].q0_weighted);
  T start(0), go = which;
  for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
    const std::size_t at = c.at(i, 0);
    start = start + (T::load(m.s + at) - T::load(m.old + at)) * T::load(m.gap + at);
  }
  go = select(start < T(0), go, T(0));
  for (int tries = 0; tries < 30; ++tries) {
    T end(0);
    for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      end = end + (T::load(m.s + at) - T::load(m.old + at)) * (T::load(m.phi + at) - T::load(m.f + at));
    }
    go = select(end > T(-0.5 * start), go, T(0));
    const auto going = go > T(0);
    if (!some(going)) return;
    const T wanted = start / (start - end), share = select(wanted < T(0.1), T(0.1), select(wanted > T(0.5), T(0.5), wanted));
    for (std::size_t i = 0; i < g.nodes; ++i) {
      const std::size_t at = c.at(i, 0);
      const T e = T::load(m.e + at), before = T::load(m.before + at);
      select(going, before + share * (e - before), e).store(m.e + at);
    }
    hold_again<T, penta>(g, m, r, 0, g.nodes);
    for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      const T phi = select(T::load(m.silent + at) > T(0), T(0), T::load(m.held + at) / q0);
      select(going, phi, T::load(m.phi + at)).store(m.phi + at);
    }
    for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      const T e = T::load(m.e + at), s_free = T::load(m.s_free + at);
      (s_free + e).store(m.s + at);
      terms = most(terms, select(T::load(g.offset + at) > T(kernel::no_barrier), size(s_free) + size(e), T(0)));
    }
    m.pushed[r] = true, v.scheme.respond(v, r);
  }
}

/// Above 0 in lanes whose s is where it was.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void stands(const BatchView& v, std::size_t r, T& result) noexcept {
  const BatchGroup& g = *v.group;
  const Columns<T, 1> c(g, r);
  result = T(1);
  for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
    const std::size_t at = c.at(i, 0);
    result = select(T::load(v.scratch.s + at) == T::load(v.scratch.old + at), result, T(0));
  }
}

template <class T, bool penta, bool first, bool add>
HWY_ATTR void improve_rows(BatchView& v, const bool* on) noexcept {
  BatchScratch& m = v.scratch;
  if (on[0] && on[1])
    return improve<T, 2, penta, first, add>(*v.group, m, 0, std::min(m.from[0], m.from[1]), std::max(m.to[0], m.to[1]));
  for (std::size_t r = 0; r < kernel::most_rows; ++r)
    if (on[r]) improve<T, 1, penta, first, add>(*v.group, m, r, m.from[r], m.to[r]);
}

/// What a row remembers from one Newton step to the next.
template <class T>
struct Settling {
  T scale, terms, last;
  HWY_ATTR Settling() : scale(0), terms(0), last(1) {}
};

/// Ends the lanes of row r that are settled after `done` steps; says whether one is still open.
template <class T, bool penta>
HWY_NOINLINE JAWARI_FLATTEN bool settle(BatchView& v, std::size_t r, Settling<T>& n, int done) noexcept {
  BatchScratch& m = v.scratch;
  BatchTouches& count = v.group->touches[r];
  T largest;
  take_over<T, true>(v, r, n.terms, largest);
  v.scheme.respond(v, r);
  const auto open = lanes<T>(m.open[r]) > T(0);
  const T change = largest / (n.terms + T(1e-16) * n.scale + T(1e-300));
  const auto search = open && change > T(1e-12);
  T stuck(0);
  if (some(search)) {
    shorten<T, penta>(v, r, one_where<T>(search), n.terms);
    if (const auto small = search && change < T(1e-8); some(small)) stands<T>(v, r, stuck), stuck = select(small, stuck, T(0));
  }
  const auto late = change > T(1e-15) && change < T(1e-12), turned = late && change >= n.last, broken = stuck > T(0);
  n.last = select(late, change, n.last);
  auto more = open && change > T(1e-15) && !turned && !broken;
  if (done == 200) count_in(count.unsettled, one_where<T>(more)), more = more && T(0) > T(0);
  const T used = select(open && !more, select(broken, T(done - 1.0), T(static_cast<double>(done))), T(0));
  count_in(count.iterations, used), keep_most(count.most_iterations, used);
  one_where<T>(more).store(m.open[r].at);
  return some(more);
}

/// The rows of a group that touch, together: Island::solve() and what World and StringGrid::advance() make of it.
template <class T, bool penta>
HWY_ATTR void solve_rows(BatchView& v, bool* on) noexcept {
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const bool was[] = {on[0], on[1]};
  Settling<T> n[kernel::most_rows];
  const auto each_row = [&](auto visit) HWY_ATTR {
    for (std::size_t r = 0; r < g.rows; ++r)
      if (on[r]) visit(r);
  };
  each_row([&](std::size_t r) HWY_ATTR { v.scheme.begin(v, r), m.open[r] = m.near[r], v.scheme.respond(v, r); });
  if (v.scheme.passes > 0) {
    for (int pass = 1;; ++pass) {
      const bool last = pass == v.scheme.passes;
      if constexpr (T::is_fused) {  // e is what the forces do to the string, but for rounding: it is added as it stands
        if (last && pass == 1) improve_rows<T, penta, true, true>(v, on);
        else if (last) improve_rows<T, penta, false, true>(v, on);
      }
      if (!T::is_fused || !last) {
        if (pass == 1) improve_rows<T, penta, true, false>(v, on);
        else improve_rows<T, penta, false, false>(v, on);
      }
      each_row([&](std::size_t r) HWY_ATTR {
        if (T::is_fused && last) hold_again<T, penta>(g, m, r, m.from[r], m.to[r]);
        T none;
        take_over<T, false>(v, r, none, none);
        if (!last) v.scheme.refine(v, r), v.scheme.respond(v, r);
      });
      if (last) break;
    }
    each_row([&](std::size_t r) HWY_ATTR {
      const T passes = static_cast<double>(v.scheme.passes) * lanes<T>(m.near[r]);
      count_in(g.touches[r].iterations, passes), keep_most(g.touches[r].most_iterations, passes);
    });
  } else {
    each_row([&](std::size_t r) HWY_ATTR {
      const Columns<T, 1> c(g, r);
      T scale(0);
      for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
        const std::size_t at = c.at(i, 0);
        scale = most(scale, select(T::load(g.offset + at) > T(kernel::no_barrier), size(T::load(m.s_free + at)), T(0)));
      }
      n[r].scale = n[r].terms = scale;
    });
    for (int done = 1; on[0] || on[1]; ++done) {
      if (done == 1) improve_rows<T, penta, true, false>(v, on);
      else improve_rows<T, penta, false, false>(v, on);
      each_row([&](std::size_t r) HWY_ATTR { on[r] = settle<T, penta>(v, r, n[r], done); });
    }
    on[0] = was[0], on[1] = was[1];
  }
  if constexpr (T::is_fused) {
    if (v.scheme.passes == 0) each_row([&](std::size_t r) HWY_ATTR { add_answer<T>(g, m, r); });
  } else {
    if (on[0] && on[1]) push_back<T, 2, penta>(g, m, 0);
    else each_row([&](std::size_t r) HWY_ATTR { push_back<T, 1, penta>(g, m, r); });
  }
  each_row([&](std::size_t r) HWY_ATTR { v.scheme.finish(v, r); });
}

}  // namespace batch
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
