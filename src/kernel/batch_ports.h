// SPDX-License-Identifier: MIT
// The ports of a row of StringBatch: law and scheme as they stand in contact/ and scheme/, on lanes, for the nodes
// where some lane responds; states, account sums and records. Included once per target (hwy/foreach_target.h),
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

#include "jawari/couple/contact_point.h"
#include "kernel/batch_band.h"
#include "kernel/batch_landing.h"
#include "kernel/contact_model.h"
#include "kernel/lane_law.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
namespace batch {

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
HWY_ATTR inline void keep_largest(LaneNumbers& lane, const T& x) {
  max_fast(lanes<T>(lane), x).store(lane.at);
}
template <class T>
HWY_ATTR inline T one_where(const typename T::Mask& where) {
  return select(where, T(1), T(0));
}

/// One node of a row.
template <class Law, class Scheme, class T>
struct BatchPort {
  using State = typename Scheme::template StateOf<T>;
  using Step = typename Scheme::template StepOf<T>;
  using LaneLaw = typename OnLanes<Law, T>::type;
  PortOf<T> port;
  State state;

  HWY_ATTR BatchPort(const BatchGroup& g, std::size_t at, const T& s_free)
      : port{T::load(g.offset + at) + T::load(g.u + at), T::load(g.d + at), s_free, T(0)} {
    unroll<std::size(State::kept)>([&](auto k) HWY_ATTR { state.*State::kept[k] = T::load(g.state[k] + at); });
  }
  static HWY_ATTR void store_state(const BatchGroup& g, std::size_t at, const State& e) {
    unroll<std::size(State::kept)>([&](auto k) HWY_ATTR { (e.*State::kept[k]).store(g.state[k] + at); });
  }
  /// Whether the scheme responds to a double step s; never wrongly false.  If not, reach bounds the steps without
  /// response.
  HWY_ATTR bool responds(const Scheme& scheme, const LaneLaw& law, const T& s, T& reach) const {
    T deepest = port.y;
    if constexpr (Scheme::acts_ahead) {
      reach = Scheme::reach(port.y, port.d);
      deepest = max_fast(deepest, max_fast(reach, T(reach + T(Scheme::reach_share) * s)));
    }
    if constexpr (Scheme::keeps_psi)
      return any_lane(deepest > T(0));
    else
      return any_lane(deepest > T(0) || scheme.holds(law, state));
  }
  static HWY_ATTR void store(const BatchScratch& m, std::size_t at, Step& t) {
    double* to = m.scheme + at * kernel::step_room;
    t.each_number([&](const T& x) HWY_ATTR {
      x.store(to);
      to += T::width;
    });
  }
  static HWY_ATTR Step load(const BatchScratch& m, std::size_t at) {
    const double* from = m.scheme + at * kernel::step_room;
    Step t;
    t.each_number([&](T& x) HWY_ATTR {
      x = T::load(from);
      from += T::width;
    });
    return t;
  }
  HWY_ATTR void begin(const BatchGroup& g, const BatchScratch& m, std::size_t at, const Scheme& scheme,
                      const LaneLaw& law) {
    port.q = T::load(g.q + at);
    if constexpr (lands<Scheme>) {
      const LandingPlaceOf<T> place{T::load(g.landing.share + at), T::load(g.landing.stretch + at)};
      Step t = scheme.begin(law, port, state, place, T::load(g.landing.slaps + at) > T(0));
      store(m, at, t);
    } else {
      Step t = scheme.begin(law, port, state);
      store(m, at, t);
    }
  }
};

/// Node i of row r responds from now on.
inline void activate(BatchGroup& g, BatchScratch& m, std::size_t r, std::size_t i) {
  m.active[i * g.rows + r] = 1;
  m.from[r] = std::min(m.from[r], i);
  m.to[r] = std::max(m.to[r], i + 1);
}

/// The ports of a row, and the steps of those that respond at once.
template <class Law, class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void begin_row(BatchView& v, std::size_t r) noexcept {
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const auto law = OnLanes<Law, T>::of(g.law[r]);
  const Columns<T, 1> c(g, r);
  one_where<T>(max_fast(lanes<T>(g.highest[r]), lanes<T>(g.holds[r])) > T(0)).store(m.near[r].at);
  m.from[r] = g.last[r];
  m.to[r] = 0;
  if constexpr (lands<Scheme>) {  // all free steps before the first comparison
    for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
      const std::size_t at = c.at(i, 0);
      T(T(2) * T::load(g.d + at) + T::load(g.change + at)).store(m.s_free + at);
    }
  }
  for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
    const std::size_t at = c.at(i, 0);
    const T s = T(2) * T::load(g.d + at) + T::load(g.change + at);
    s.store(m.s_free + at);
    s.store(m.s + at);
    BatchPort<Law, Scheme, T> p(g, at, s);
    T reach;
    if (p.responds(scheme, law, s, reach) || any_lane(T::load(g.samples + at) > T(0))) {
      if constexpr (lands<Scheme>) compare_landings<Law, Scheme, T>(v, r, i);
      p.begin(g, m, at, scheme, law);
      activate(g, m, r, i);
      if constexpr (Scheme::acts_ahead) T(kernel::no_barrier).store(m.reach + at);
    } else if constexpr (Scheme::acts_ahead) {
      reach.store(m.reach + at);
    }
  }
  m.from[r] = std::min(m.from[r], m.to[r]);
  m.pushed[r] = false;
}

/// Ports that were pushed into contact by their neighbours.
template <class Law, class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void activate_pushed(BatchView& v, std::size_t r) noexcept {
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const auto law = OnLanes<Law, T>::of(g.law[r]);
  const Columns<T, 1> c(g, r);
  for (std::size_t i = g.first[r]; i < g.last[r]; ++i) {
    const std::size_t at = c.at(i, 0);
    if (!any_lane(T(T::load(m.reach + at) + T(Scheme::reach_share) * T::load(m.s + at)) > T(0))) continue;
    BatchPort<Law, Scheme, T> p(g, at, T::load(m.s_free + at));
    if constexpr (lands<Scheme>) compare_landings<Law, Scheme, T>(v, r, i);
    p.begin(g, m, at, scheme, law);
    activate(g, m, r, i);
    T(kernel::no_barrier).store(m.reach + at);
    T(0).store(m.gap + at);
    T(1).store(m.silent + at);  // until now
  }
  m.pushed[r] = false;
}

/// f and b at the trial s.
template <class Law, class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void respond_row(BatchView& v, std::size_t r) noexcept {
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const auto law = OnLanes<Law, T>::of(g.law[r]);
  const Columns<T, 1> c(g, r);
  const auto near = lanes<T>(m.near[r]) > T(0);
  if constexpr (Scheme::passes == 0)
    if (m.pushed[r]) activate_pushed<Law, Scheme, T>(v, r);
  for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
    if (!m.active[i * g.rows + r]) continue;
    const std::size_t at = c.at(i, 0);
    const ResponseOf<T> a = scheme.respond(law, BatchPort<Law, Scheme, T>::load(m, at), T::load(m.s + at));
    select(near, a.f, T(0)).store(m.f + at);
    select(near, a.b, T(0)).store(m.b + at);
  }
}

template <class Law, class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void refine_row(BatchView& v, std::size_t r) noexcept {
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const auto law = OnLanes<Law, T>::of(g.law[r]);
  const Columns<T, 1> c(g, r);
  if (m.pushed[r]) activate_pushed<Law, Scheme, T>(v, r);
  for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
    if (!m.active[i * g.rows + r]) continue;
    const std::size_t at = c.at(i, 0);
    const T s = T::load(m.s + at);
    auto t = BatchPort<Law, Scheme, T>::load(m, at);
    scheme.refine(law, t, s, s - T::load(g.q + at) * T::load(m.phi + at));
    BatchPort<Law, Scheme, T>::store(m, at, t);
  }
}

/// State, account sums and records, as Line::finish() and note() have them; and clears the scratch.
template <class Law, class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void finish_row(BatchView& v, std::size_t r) noexcept {
  using P = BatchPort<Law, Scheme, T>;
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme_numbers);
  BatchGroup& g = *v.group;
  BatchScratch& m = v.scratch;
  const auto law = OnLanes<Law, T>::of(g.law[r]);
  BatchCounts& count = g.counts[r];
  const Columns<T, 1> c(g, r);
  const auto near = lanes<T>(m.near[r]) > T(0);
  ContactExtremes<T> extremes{lanes<T>(count.deepest), lanes<T>(count.deepest_half), lanes<T>(count.strongest)};
  T touching(0), left(0), lost(0), landed(0), taken(0), holds(0);
  for (std::size_t i = m.from[r]; i < m.to[r]; ++i) {
    if (!std::exchange(m.active[i * g.rows + r], std::uint8_t{0})) continue;
    const std::size_t at = c.at(i, 0);
    P p(g, at, T::load(m.s_free + at));
    const T s = T::load(m.s + at), phi = T::load(m.phi + at);
    const StepDepths<T> depth = step_depths(p.port, s);
    phi.store(g.phi + at);
    for (double* column : {m.f, m.b, m.phi}) T(0).store(column + at);
    T half = depth.half;
    if constexpr (!Scheme::acts_ahead)  // the step that arrived was free
      half = max_fast(half, select(p.port.d >= depth.now, T(depth.now - p.port.d / 2), T(0)));
    extremes.step(select(near, depth.now, T(0)), select(near, half, T(0)), phi);
    typename P::State e = p.state;
    const auto step = P::load(m, at);
    const T gone = scheme.finish(law, step, s, phi, e);
    if constexpr (lands<Scheme>) {
      landed = landed + select(near, e.landed, T(0));
      const auto arrives = near && step.half.y <= T(0) && step.half.y + s / 2 > T(0);
      if (any_lane(arrives)) {
        const T time = lanes<T>(g.clock[r]) - 2 * step.half.y / s;
        select(arrives, time, T::load(g.landing.landed_at + at)).store(g.landing.landed_at + at);
      }
    }
    unroll<std::size(P::State::kept)>([&](auto k) HWY_ATTR {
      e.*P::State::kept[k] = select(near, e.*P::State::kept[k], p.state.*P::State::kept[k]);
    });
    P::store_state(g, at, e);
    lost = lost + select(near, gone, T(0));
    taken = taken - phi * s / 2;
    const auto touches = phi != T(0);
    const T before = T::load(g.samples + at), now = select(touches, before + T(1), T(0));
    now.store(g.samples + at);
    touching = touching + one_where<T>(touches);
    holds = max_fast(holds, now);
    if constexpr (!Scheme::keeps_psi) holds = max_fast(holds, one_where<T>(scheme.holds(law, e)));
    if constexpr (requires { e.psi; })
      left = max_fast(left, select(max_fast(depth.now, depth.next) > T(0), T(0), T(e.psi * e.psi / 2)));
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
          count_ended(was[l], count.shortest.at[l], count.longest.at[l]);
        }
      }
  }
  holds.store(g.holds[r].at);
  g.in_contact[r] = any_lane(holds > T(0));
  extremes.deepest.store(count.deepest.at);
  extremes.deepest_half.store(count.deepest_half.at);
  extremes.strongest.store(count.strongest.at);
  keep_largest(count.left, left);
  count_in(count.touching, touching);
  count_in(count.solves, lanes<T>(m.near[r]));
  add_to(count.lost_in_contact, count.lost_in_contact_rest, lost);
  if constexpr (lands<Scheme>) add_to(count.landed, count.landed_rest, landed);
  add_to(count.taken, count.taken_rest, taken);
}

}  // namespace batch
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
