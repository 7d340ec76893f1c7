// SPDX-License-Identifier: MIT
// Units of nodes in contact: how they are stored, and their statistics.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_STRING_UNIT_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_STRING_UNIT_H
#undef JAWARI_KERNEL_STRING_UNIT_H
#else
#define JAWARI_KERNEL_STRING_UNIT_H
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernel/string_io.h"
#include "kernel/string_newton.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

/// What statistics need of a vector: compressions, forces of this step and the last, free double step, psi^2 that is
/// left behind.
template <class T>
struct StringEvent {
  StepDepths<T> depth;
  T f, was, s_free, left;
};

/// An extreme is exceeded: as Line::note(), for all lanes.  Lanes outside a contact change nothing.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void note_extremes(kernel::ContactCounts<typename T::number>& t,
                                               const StringEvent<T>* rows) noexcept {
  ContactExtremes<T> extremes{T::load(t.deepest), T::load(t.deepest_half), T::load(t.strongest)};
  unroll<unit_rows>([&](auto i) HWY_ATTR { extremes.step(rows[i].depth.now, rows[i].depth.half, rows[i].f); });
  extremes.deepest.store(t.deepest);
  extremes.deepest_half.store(t.deepest_half);
  extremes.strongest.store(t.strongest);
  T(T::load(t.deepest_half) * T(1 - 1e-6)).store(t.deep);
}

/// Contacts that begin or end: how long they lasted, their speeds, the psi they leave.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void note_turns(StringArrays<typename T::number>& v, std::size_t at,
                                            const StringEvent<T>* rows) noexcept {
  using Number = typename T::number;
  constexpr double period = static_cast<double>(StringArrays<Number>::clock_period);
  const T now(static_cast<double>(v.clock % StringArrays<Number>::clock_period));
  auto& t = v.counts;
  unroll<unit_rows>([&](auto i) HWY_ATTR {
    const StringEvent<T>& r = rows[i];
    Number* const began = v.began + at + i * T::width;
    const auto touches = r.f != T(0), did = r.was != T(0), ends = did && !touches, enters = touches && !did;
    const T since = T::load(began), turns = now - since;
    const T samples = select(ends, select(turns < T(0), turns + T(period), turns), T(0));
    select(enters, now, since).store(began);
    count(t.ended, ones<T>(ends));
    keep_largest(t.longest, samples);
    keep_largest(t.shortest, select(ends, T(period) - samples, T(0)));
    keep_largest(t.entry, select(enters, r.s_free, T(0)));
    keep_largest(t.left, r.left);
  });
}

/// Sums of a step, kept out of memory.
template <class T, bool absorbs>
struct StringSums {
  T work = T(0), lost = T(0), landed = T(0);

  template <bool lossy>
  HWY_ATTR void hand_in(kernel::ContactCounts<typename T::number>& t) const {
    count(t.work, work);
    if constexpr (lossy) count(t.lost, lost);
    if constexpr (absorbs) count(t.landed, landed);
  }
};

/// `unit_rows` vectors in one step.
template <class Scheme, class T, bool lossy>
struct StringUnit {
  using Number = typename T::number;
  static constexpr std::size_t nodes = unit_rows * T::width;
  using Sums = StringSums<T, lands<Scheme>>;
  StringRow<Scheme, T> row[unit_rows];

  template <class Constants>
  HWY_ATTR void write(const Constants& c, std::size_t at) const {
    unroll<unit_rows>([&](auto i) HWY_ATTR { row[i].store(c, at + i * T::width); });
  }
  /// Stores, and updates the statistics.  False: a power left its tables, nothing was written.
  template <class Constants>
  HWY_ATTR bool store(StringArrays<Number>& v, const Constants& c, std::size_t at, Sums& sums) const {
    auto& t = v.counts;
    T was[unit_rows], active, deep, strong, free_lanes, left, lost, work;
    typename T::Mask turned = T(0) > T(0), pauses = turned;  // a contact begins or ends; a lane is free
    unroll<unit_rows>([&](auto i) HWY_ATTR {
      const StringRow<Scheme, T>& r = row[i];
      was[i] = T::load(c.columns.phi + at + i * T::width);
      const auto is_free = r.f == T(0), turns = is_free != (was[i] == T(0));
      const T next = r.next(c, at + i * T::width), acts = r.activity(next), depth = max_fast(r.port.y, next),
              force = abs(r.f), one = select(is_free, T(1), T(0));
      if constexpr (i == 0) {
        turned = turns;
        pauses = is_free;
        active = acts;
        deep = depth;
        strong = force;
        free_lanes = one;
        work = r.f * r.s;
        if constexpr (counts_left) left = left_behind(r, r.increment(c, at + i * T::width));
        if constexpr (lossy) lost = r.lost;
      } else {
        turned = turned || turns;
        pauses = pauses || is_free;
        active = max_fast(active, acts);
        deep = max_fast(deep, depth);
        strong = max_fast(strong, force);
        free_lanes = free_lanes + one;
        work = work + r.f * r.s;
        if constexpr (counts_left) left = max_fast(left, left_behind(r, r.increment(c, at + i * T::width)));
        if constexpr (lossy) lost = lost + r.lost;
      }
    });
    const auto falls = strong > T::load(t.strongest) || deep > T::load(t.deep);
    auto rare = turned || falls;
    if constexpr (!T::takes_any_argument) rare = rare || !(work == work);
    const bool goes_on = any_lane(active > T(0)), noted = any_lane(rare) || (Scheme::keeps_psi && !goes_on);
    if (noted) [[unlikely]] {
      if constexpr (!T::takes_any_argument)
        if (any_lane(work != work)) return false;
      StringEvent<T> events[unit_rows];
      unroll<unit_rows>([&](auto i) HWY_ATTR {
        const StringRow<Scheme, T>& r = row[i];
        const T d = r.increment(c, at + i * T::width);
        events[i] = {step_depths(PortOf<T>{r.port.y, d, r.port.s_free, r.port.q}, r.s), r.f, was[i], r.port.s_free,
                     T(0)};
        if constexpr (Scheme::keeps_psi) events[i].left = left_behind(r, d);
      });
      note_turns<T>(v, at, events);
      if (any_lane(falls)) note_extremes<T>(t, events);
    }
    write(c, at);
    std::uint8_t& age =
        v.active_units[at / nodes];  // short contacts are not promoted to steady: they would be processed twice
    age = noted || any_lane(pauses) ? goes_on : std::min<std::uint8_t>(age + 1, kernel::steady);
    count(t.free_lanes, free_lanes);
    sums.work = sums.work + work;
    if constexpr (counts_left) keep_largest(t.left, left);
    if constexpr (lossy) sums.lost = sums.lost + lost;
    if constexpr (lands<Scheme>) unroll<unit_rows>([&](auto i) HWY_ATTR { sums.landed = sums.landed + row[i].landed; });
    return true;
  }
  /// The same for a steady unit: false when the statistics must be updated after all, and nothing was written.
  /// y was compared a step ago, as next().
  template <class Constants>
  HWY_ATTR bool store_steady(const kernel::ContactCounts<Number>& t, const Constants& c, std::size_t at,
                             Sums& sums) const {
    T weakest, strongest, deep, shallow, lost, work;
    unroll<unit_rows>([&](auto i) HWY_ATTR {
      const StringRow<Scheme, T>& r = row[i];
      const T next = r.next(c, at + i * T::width);
      if constexpr (i == 0) {
        weakest = strongest = r.f;
        deep = next;
        work = r.f * r.s;
        shallow = r.port.y;
        if constexpr (lossy) lost = r.lost;
      } else {
        weakest = max_fast(weakest, r.f);
        strongest = min_fast(strongest, r.f);
        deep = max_fast(deep, next);
        work = work + r.f * r.s;
        if constexpr (counts_left) shallow = min_fast(shallow, r.port.y);
        if constexpr (lossy) lost = lost + r.lost;
      }
    });
    auto steady = weakest < T(0) && abs(T::load(t.strongest)) >= abs(strongest) && T::load(t.deep) >= deep;
    if constexpr (!T::max_fast_keeps_nan) steady = steady && work == work;
    if constexpr (counts_left) steady = steady && shallow > T(0);
    if (!every(steady)) [[unlikely]]
      return false;
    write(c, at);
    sums.work = sums.work + work;
    if constexpr (lossy) sums.lost = sums.lost + lost;
    return true;
  }

 private:
  static constexpr bool has_psi = requires(StringRow<Scheme, T> r) { r.state.psi; };
  static constexpr bool counts_left = has_psi && !Scheme::keeps_psi;

  HWY_ATTR static T left_behind(const StringRow<Scheme, T>& r, const T& d) {
    const T y = r.port.y, next = y - d + r.s;
    return select(max_fast(y, next) > T(0), T(0), T(r.state.psi * r.state.psi));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
