// SPDX-License-Identifier: MIT
// The ports of a row of StringBatch: law and scheme as they stand in contact/ and scheme/, on lanes, for the nodes
// where some lane has something to say; states, books and records. Included once per target (hwy/foreach_target.h),
// hence the unusual guard.
#if defined(JAWARI_KERNEL_BATCH_PORTS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_BATCH_PORTS_H
#undef JAWARI_KERNEL_BATCH_PORTS_H
#else
#define JAWARI_KERNEL_BATCH_PORTS_H
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "jawari/scheme/gradient.h"
#include "jawari/scheme/quadratised.h"
#include "kernel/batch_band.h"
#include "kernel/lane_law.h"

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
  const T more = select(abs(old) >= abs(x), (old - t) + x, (x - t) + old);
  (lanes<T>(rest) + more).store(rest.at);
  t.store(sum.at);
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
    if constexpr (gradient)
      return Scheme::share;
    else
      return 0.5;
  }();
  PortOf<T> port;
  State state;

  HWY_ATTR Point(const BatchGroup& g, std::size_t at, const T& s_free)
      : port{T::load(g.offset + at) + T::load(g.u + at), T::load(g.d + at), s_free, T(0)} {
    if constexpr (gradient) {
      state.from = T::load(g.psi2 + at);
      state.to = T::load(g.psi + at);
    } else
      state.psi = T::load(g.psi + at);
  }
  static HWY_ATTR void store_state(const BatchGroup& g, std::size_t at, const State& e) {
    if constexpr (gradient) {
      e.from.store(g.psi2 + at);
      e.to.store(g.psi + at);
    } else
      e.psi.store(g.psi + at);
  }
  /// Whether the scheme says anything to a double step s; never no by mistake.  If not, reach says when it would.
  HWY_ATTR bool speaks(const Scheme& scheme, const LaneLaw<T>& law, const T& s, T& reach) const {
    if constexpr (gradient) {
      const auto kept = scheme.holds(law, state);
      reach = scheme.start(law, port.y, port.d).from;
      return any_lane(most(reach, T(reach + share * s)) > T(0) || kept);
    } else if constexpr (Kind<Scheme>::ahead) {
      reach = port.y - port.d / 2;
      return any_lane(most(most(port.y, reach), T(reach + share * s)) > T(0) || state.psi != T(0));
    } else if constexpr (Kind<Scheme>::keeps_psi) {
      return any_lane(port.y > T(0));
    } else {
      return any_lane(port.y > T(0) || state.psi != T(0));
    }
  }
  static HWY_ATTR double* place(const BatchScratch& m, std::size_t at) { return m.scheme + at * kernel::step_room; }
  static HWY_ATTR void store(const BatchScratch& m, std::size_t at, const Step& t) {
    double* to = place(m, at);
    if constexpr (gradient) {
      t.from.y.store(to);
      t.from.force.store(to + W);
      t.from.potential.store(to + 2 * W);
      t.middle.store(to + 3 * W);
    } else {
      t.psi.store(to);
      t.g.store(to + W);
      t.R.store(to + 2 * W);
      t.y.store(to + 3 * W);
      t.half.store(to + 4 * W);
      t.q.store(to + 5 * W);
      if constexpr (Kind<Scheme>::ahead) {
        t.there.value.store(to + 6 * W);
        t.there.slope.store(to + 7 * W);
      }
    }
  }
  static HWY_ATTR Step load(const BatchScratch& m, std::size_t at) {
    const double* from = place(m, at);
    if constexpr (gradient) {
      return {{T::load(from), T::load(from + W), T::load(from + 2 * W)}, T::load(from + 3 * W)};
    } else {
      Step t{T::load(from),         T::load(from + W),     T::load(from + 2 * W),
             T::load(from + 3 * W), T::load(from + 4 * W), T::load(from + 5 * W)};
      if constexpr (Kind<Scheme>::ahead) t.there = {T::load(from + 6 * W), T::load(from + 7 * W)};
      return t;
    }
  }
  HWY_ATTR Step begin(const BatchGroup& g, const BatchScratch& m, std::size_t at, const Scheme& scheme,
                      const LaneLaw<T>& law) {
    port.q = T::load(g.q + at);
    const Step t = scheme.begin(law, port, state);
    store(m, at, t);
    return t;
  }
};

/// From now on node i of row r says something.
inline void wake(BatchGroup& g, BatchScratch& m, std::size_t r, std::size_t i) {
  m.active[i * g.rows + r] = 1;
  m.from[r] = std::min(m.from[r], i);
  m.to[r] = std::max(m.to[r], i + 1);
}

/// The ports of a row, and the steps of those where something is to be said at once.
template <class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void begin_row(BatchView& v, std::size_t r) noexcept {
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const LaneLaw<T> law = law_of<T>(g.law[r]);
  const Columns<T, 1> c(g, r);
  one_where<T>(most(lanes<T>(g.highest[r]), lanes<T>(g.holds[r])) > T(0)).store(m.near[r].at);
  m.from[r] = g.last[r];
  m.to[r] = 0;
  for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
    const std::size_t at = c.at(i, 0);
    const T s = T(2) * T::load(g.d + at) + T::load(g.change + at);
    s.store(m.s_free + at);
    s.store(m.s + at);
    Point<Scheme, T> p(g, at, s);
    T reach;
    if (p.speaks(scheme, law, s, reach) || any_lane(T::load(g.samples + at) > T(0))) {
      p.begin(g, m, at, scheme, law);
      wake(g, m, r, i);
      if constexpr (Kind<Scheme>::ahead) T(kernel::no_barrier).store(m.reach + at);
    } else if constexpr (Kind<Scheme>::ahead) {
      reach.store(m.reach + at);
    }
  }
  m.from[r] = std::min(m.from[r], m.to[r]);
  m.pushed[r] = false;
}

/// Those whom their neighbours pushed into it.
template <class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void wake_others(BatchView& v, std::size_t r) noexcept {
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const LaneLaw<T> law = law_of<T>(g.law[r]);
  const Columns<T, 1> c(g, r);
  for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
    const std::size_t at = c.at(i, 0);
    if (!any_lane(T(T::load(m.reach + at) + Point<Scheme, T>::share * T::load(m.s + at)) > T(0))) continue;
    Point<Scheme, T> p(g, at, T::load(m.s_free + at));
    p.begin(g, m, at, scheme, law);
    wake(g, m, r, i);
    T(kernel::no_barrier).store(m.reach + at);
    T(0).store(m.gap + at);
    T(1).store(m.silent + at);  // so far
  }
  m.pushed[r] = false;
}

/// f and b at the trial s.
template <class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void respond_row(BatchView& v, std::size_t r) noexcept {
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const LaneLaw<T> law = law_of<T>(g.law[r]);
  const Columns<T, 1> c(g, r);
  const auto near = lanes<T>(m.near[r]) > T(0);
  if constexpr (Scheme::passes == 0)
    if (m.pushed[r]) wake_others<Scheme, T>(v, r);
  for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
    if (!m.active[i * g.rows + r]) continue;
    const std::size_t at = c.at(i, 0);
    const ResponseOf<T> a = scheme.respond(law, Point<Scheme, T>::load(m, at), T::load(m.s + at));
    select(near, a.f, T(0)).store(m.f + at);
    select(near, a.b, T(0)).store(m.b + at);
  }
}

template <class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void refine_row(BatchView& v, std::size_t r) noexcept {
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const LaneLaw<T> law = law_of<T>(g.law[r]);
  const Columns<T, 1> c(g, r);
  if (m.pushed[r]) wake_others<Scheme, T>(v, r);
  for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
    if (!m.active[i * g.rows + r]) continue;
    const std::size_t at = c.at(i, 0);
    const T s = T::load(m.s + at);
    auto t = Point<Scheme, T>::load(m, at);
    scheme.refine(law, t, s, s - T::load(g.q + at) * T::load(m.phi + at));
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
  const LaneLaw<T> law = law_of<T>(g.law[r]);
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
    const T gone = scheme.finish(law, P::load(m, at), s, phi, e);
    if constexpr (P::gradient)
      e = {select(near, e.from, p.state.from), select(near, e.to, p.state.to)};
    else
      e.psi = select(near, e.psi, p.state.psi);
    P::store_state(g, at, e);
    lost = lost + select(near, gone, T(0));
    taken = taken - phi * s / 2;
    const auto touches = phi != T(0);
    const T before = T::load(g.samples + at), now = select(touches, before + T(1), T(0));
    now.store(g.samples + at);
    touching = touching + one_where<T>(touches);
    strongest = most(strongest, abs(phi));
    holds = most(holds, now);
    if constexpr (P::gradient)
      holds = most(holds, most(e.from, e.to));
    else if constexpr (!Kind<Scheme>::keeps_psi)
      holds = most(holds, abs(e.psi));
    if constexpr (!P::gradient) left = most(left, select(most(y, next) > T(0), T(0), T(e.psi * e.psi / 2)));
    if (any_lane(touches != (before > T(0)))) [[unlikely]]
      for (std::size_t l = 0; l < T::width; ++l) {
        const double samples = g.samples[at + l];
        double was[T::width], way[T::width];
        before.store(was);
        p.port.s_free.store(way);
        if (samples > 0 && was[l] == 0 && way[l] > 0)
          count.fewest.at[l] =
              std::min(count.fewest.at[l], (*g.law[r].true_samples[l])(way[l] / (2 * v.dt_s), g.q[at + l]));
        if (samples == 0 && was[l] > 0) {
          count.impacts.at[l] += 1;
          count.longest.at[l] = std::max(count.longest.at[l], was[l]);
          count.shortest.at[l] = std::min(count.shortest.at[l], was[l]);
        }
      }
  }
  holds.store(g.holds[r].at);
  g.busy[r] = any_lane(holds > T(0));
  keep_most(count.deepest, deepest);
  keep_most(count.deepest_half, half_deepest);
  keep_most(count.strongest, strongest);
  keep_most(count.left, left);
  count_in(count.touching, touching);
  count_in(count.solves, lanes<T>(m.near[r]));
  add_to(count.lost_in_contact, count.lost_in_contact_rest, lost);
  add_to(count.taken, count.taken_rest, taken);
}

}  // namespace batch
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
