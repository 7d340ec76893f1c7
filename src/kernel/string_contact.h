// SPDX-License-Identifier: MIT
// Nodes in contact, unit by unit: which of them go through law and scheme (string_row.h), and their statistics.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_STRING_CONTACT_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_STRING_CONTACT_H
#undef JAWARI_KERNEL_STRING_CONTACT_H
#else
#define JAWARI_KERNEL_STRING_CONTACT_H
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernel/string_io.h"
#include "kernel/string_row.h"

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
  unroll<unit_rows>([&](auto i) HWY_ATTR {
    const StringEvent<T>& r = rows[i];
    keep_largest(t.deepest, r.depth.now);
    keep_largest(t.deepest_half, r.depth.half);
    keep_largest(t.strongest, abs(r.f));
  });
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

/// Without loss a scheme's constants are known beforehand.
template <bool lossy, class Scheme>
HWY_ATTR inline decltype(auto) constants(const Scheme& made) {
  if constexpr (lossy || lands<Scheme>)
    return (made);
  else
    return Scheme();
}

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
    const bool busy = any_lane(active > T(0)), noted = any_lane(rare) || (Scheme::keeps_psi && !busy);
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
    age = noted || any_lane(pauses) ? busy : std::min<std::uint8_t>(age + 1, kernel::steady);
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

template <class Law, class Scheme, class T, class Number>
HWY_ATTR inline void step_contact_unit_any_argument(StringArrays<Number>& v, std::size_t at) {
  static_assert(T::takes_any_argument);
  SchemeHere<Scheme> scheme = *static_cast<const Scheme*>(v.scheme);
  const StringConstants<T, Law> c(v);
  StringUnit<Scheme, T, true> unit;
  StringSums<T, lands<Scheme>> sums;
  unroll<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].template begin<false, true>(scheme, c, at + i * T::width); });
  if constexpr (Scheme::passes > 0)
    unroll<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].solve(c.law, scheme); });
  else
    solve_newton(unit.row, c.law, scheme).hand_in(v.counts);
  unroll<unit_rows>([&](auto i) HWY_ATTR {
    unit.row[i].finish(c.law, scheme);
    unit.row[i].move(c, at + i * T::width);
  });
  unit.store(v, c, at, sums);
  sums.template hand_in<true>(v.counts);
  ++v.counts.units;
}

template <class Law, class Scheme, class T, class Number>
HWY_NOINLINE JAWARI_FLATTEN void step_contact_unit_always(StringArrays<Number>& v, std::size_t at) {
  step_contact_unit_any_argument<Law, Scheme, T>(v, at);
}
/// Of a power off its tables: seldom, so not worth a flattened copy.
template <class Law, class Scheme, class T, class Number>
HWY_NOINLINE HWY_ATTR void step_contact_unit_seldom(StringArrays<Number>& v, std::size_t at) {
  step_contact_unit_any_argument<Law, Scheme, T>(v, at);
}

/// Two units side by side: a single one is bound by the latency of its division and table look-ups.
/// plain: see StringRow::begin().
template <bool plain, class Scheme, class T, bool lossy, class Constants>
HWY_ATTR inline void step_pair(StringUnit<Scheme, T, lossy> (&pair)[2], const Scheme& scheme, const Constants& c,
                               std::size_t at0, std::size_t at1) {
  unroll<unit_rows>([&](auto i)
                        HWY_ATTR { pair[0].row[i].template begin<plain, lossy>(scheme, c, at0 + i * T::width); });
  unroll<unit_rows>([&](auto i)
                        HWY_ATTR { pair[1].row[i].template begin<plain, lossy>(scheme, c, at1 + i * T::width); });
  unroll<2>([&](auto j) HWY_ATTR { unroll<unit_rows>([&](auto i) HWY_ATTR { pair[j].row[i].solve(c.law, scheme); }); });
  unroll<2>([&](auto j)
                HWY_ATTR { unroll<unit_rows>([&](auto i) HWY_ATTR { pair[j].row[i].finish(c.law, scheme); }); });
  unroll<unit_rows>([&](auto i) HWY_ATTR { pair[0].row[i].move(c, at0 + i * T::width); });
  unroll<unit_rows>([&](auto i) HWY_ATTR { pair[1].row[i].move(c, at1 + i * T::width); });
}

template <class Law, class Scheme, class T, class AnyArgument, bool lossy, bool plain>
HWY_NOINLINE JAWARI_FLATTEN void step_contact_units(StringArrays<typename T::number>& v, std::uint32_t* units,
                                                    std::size_t count) noexcept {
  const auto& made = *static_cast<const Scheme*>(v.scheme);
  SchemeHere<Scheme> scheme = constants<lossy>(made);
  const StringConstants<T, Law> c(v);
  std::size_t again = 0;
  StringSums<T, lands<Scheme>> sums;
  const auto keep = [&](auto& unit, std::size_t at) HWY_ATTR {
    const bool kept = unit.store(v, c, at, sums);
    if (!kept) [[unlikely]]
      units[again++] = static_cast<std::uint32_t>(at);
    return kept;
  };
  if constexpr (Scheme::passes > 0) {
    StringUnit<Scheme, T, lossy> pair[2];
    for (std::size_t k = 0; k < count; k += 2) {
      const std::size_t at0 = units[k], at1 = units[std::min(k + 1, count - 1)];
      step_pair<plain>(pair, scheme, c, at0, at1);
      keep(pair[0], at0);
      if (k + 1 < count) keep(pair[1], at1);
    }
  } else {
    StringUnit<Scheme, T, lossy> unit;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t at = units[k];
      unroll<unit_rows>([&](auto i)
                            HWY_ATTR { unit.row[i].template begin<plain, lossy>(scheme, c, at + i * T::width); });
      const NewtonCounts<T> counts = solve_newton(unit.row, c.law, scheme);
      unroll<unit_rows>([&](auto i) HWY_ATTR {
        unit.row[i].finish(c.law, scheme);
        unit.row[i].move(c, at + i * T::width);
      });
      if (keep(unit, at)) counts.hand_in(v.counts);  // else a power was off its table: solved again, and counted there
    }
  }
  sums.template hand_in<lossy>(v.counts);
  v.counts.units += static_cast<int>(count - again);
  for (std::size_t k = 0; k < again; ++k) step_contact_unit_seldom<Law, Scheme, AnyArgument>(v, units[k]);
}

/// For steady units; returns how many are left to step_contact_units().  The division of one unit overlaps with the
/// powers of the next, two by turns: a pair in lock-step exceeds the instruction window of a core.
template <class Law, class Scheme, class T, bool lossy, bool plain>
HWY_NOINLINE JAWARI_FLATTEN std::size_t step_steady_units(StringArrays<typename T::number>& v, std::uint32_t* units,
                                                          std::size_t count) noexcept {
  const auto& made = *static_cast<const Scheme*>(v.scheme);
  SchemeHere<Scheme> scheme = constants<lossy>(made);
  const StringConstants<T, Law> c(v);
  StringUnit<Scheme, T, lossy> a, b;
  std::size_t again = 0, k = 0;
  StringSums<T, lands<Scheme>> sums;
  const auto begin = [&](auto& unit, std::size_t at) HWY_ATTR {
    unroll<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].template begin<plain, lossy>(scheme, c, at + i * T::width); });
  };
  const auto solve = [&](auto& unit)
                         HWY_ATTR { unroll<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].solve(c.law, scheme); }); };
  const auto end = [&](auto& unit, std::uint32_t at) HWY_ATTR {
    unroll<unit_rows>([&](auto i) HWY_ATTR {
      unit.row[i].finish(c.law, scheme);
      unit.row[i].move(c, at + i * T::width);
    });
    if (!unit.store_steady(v.counts, c, at, sums)) [[unlikely]]
      units[again++] = at;
  };
  const auto unit_at = [&](std::size_t i) { return units[std::min(i, count - 1)]; };
  begin(a, unit_at(0));
  solve(a);
  begin(b, unit_at(1));
  for (; k + 1 < count; k += 2) {
    const std::uint32_t at0 = units[k], at1 = units[k + 1], at2 = unit_at(k + 2), at3 = unit_at(k + 3);
    end(a, at0);
    solve(b);
    begin(a, at2);
    end(b, at1);
    solve(a);
    begin(b, at3);
  }
  if (k < count) end(a, units[k]);
  sums.template hand_in<lossy>(v.counts);
  v.counts.units += static_cast<int>(count - again);
  return again;
}

/// The points of a kernel as (LD4) needs them.
template <class Law, class Scheme, class Number, class Free>
struct LandingPoints {
  const StringArrays<Number>& v;
  const Free& free;  ///< double step of an entry if no contact pushed
  std::size_t string;
  double clock;
  std::size_t at(std::size_t i) const { return (v.line[string].first + i) * v.strings + string; }
  double half(std::size_t i) const {
    const auto n = static_cast<std::ptrdiff_t>(at(i));
    return static_cast<double>(v.offset[n]) + v.now(n) - v.increment(n) / 2;
  }
  double s_free(std::size_t i) const { return free(at(i)); }
  bool holds(std::size_t i) const {
    typename Scheme::State e;
    kernel::get_state(v.state, at(i), e);
    return static_cast<const Scheme*>(v.scheme)->holds(*static_cast<const Law*>(v.law), e);
  }
  double apart(std::size_t i, double when) const { return abs(v.landed_at(at(i), string) - when); }
};
/// (LD4) before any of the units begins: marks those that land together with their neighbours.  Free steps are in
/// u_next; with loads they are not complete, and all points outside are compared.
template <class Law, class Scheme, class T, class Free>
HWY_NOINLINE JAWARI_FLATTEN void compare_landings(StringArrays<typename T::number>& v, const std::uint32_t* units,
                                                  std::size_t count, const Free& free) noexcept {
  using Number = typename T::number;
  const Law& law = *static_cast<const Law*>(v.law);
  const Scheme& scheme = *static_cast<const Scheme*>(v.scheme);
  const T now(T::in_levels ? v.sign() : 1), after(T::in_levels ? v.sign(1) : 1);
  for (std::size_t k = 0; k < count; ++k)
    unroll<unit_rows>([&](auto row) HWY_ATTR {
      const std::size_t at = units[k] + row * T::width;
      StringRow<Scheme, T> r;
      r.load_state(v, at);
      const T offset = T::load(v.offset + at), u = now * T::load(v.u + at), next = after * T::load(v.u_next + at);
      const T margin = T(-1e-9) * T(abs(offset) + abs(u) + abs(next));  // these are known to rounding
      const auto comes = v.loaded ? abs(offset) >= T(0) : offset + max_fast(u, next) > margin;
      const auto asked = !scheme.holds(law, r.state) && comes;
      T(0).store(v.landing.slaps + at);
      if (!any_lane(asked)) return;
      alignas(64) Number mark[64 / sizeof(Number)];
      select(asked, T(1), T(0)).store(mark);
      for (std::size_t lane = 0; lane < T::width; ++lane) {
        const std::size_t entry = at + lane, string = entry % v.strings, point = entry / v.strings;
        const kernel::LandingLine& line = v.line[string];
        if (mark[lane] == Number(0) || point < line.first || point >= line.first + line.count) continue;
        const LandingPoints<Law, Scheme, Number, Free> points{v, free, string, line.clock};
        if (slaps(points, point - line.first, line.count, line.together)) v.landing.slaps[entry] = 1;
      }
    });
}

/// lossy: with the scheme's own loss, and loads; otherwise the scheme's constants are known here.
template <class Law, class Scheme, class T, class AnyArgument, bool lossy>
HWY_NOINLINE JAWARI_FLATTEN void step_contacts(StringArrays<typename T::number>& v, std::size_t blocks) noexcept {
  constexpr std::size_t unit = unit_rows * T::width;
  const auto *u = Scheme::acts_ahead ? v.u_next : v.u, *offset = v.offset;
  const T sign(T::in_levels ? v.sign(Scheme::acts_ahead ? 1 : 0) : 1);
  const auto depth = [&](std::size_t at) HWY_ATTR -> T {
    if constexpr (T::in_levels)
      return T::load(offset + at) + sign * T::load(u + at);
    else
      return T::load(offset + at) + T::load(u + at);
  };
  const auto arrives = [&](std::size_t at) HWY_ATTR {
    T y = depth(at);
    unroll<unit_rows - 1>([&](auto i) HWY_ATTR { y = max_fast(y, depth(at + (i + 1) * T::width)); });
    return any_lane(y > T(0));
  };
  constexpr bool two_ways = !T::takes_any_argument && Scheme::passes > 0;
  std::uint32_t *steady = v.units, *others = v.units + v.padded / unit;  // from both ends
  constexpr std::size_t per_block = kernel::units_per_block(T::width);
  std::uint8_t all_steady[per_block];
  std::memset(all_steady, kernel::steady, per_block);
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t first = v.blocks[b];
    if (two_ways && std::memcmp(&v.active_units[first / unit], all_steady, per_block) == 0) {
      for (std::size_t i = 0; i < per_block; ++i) *steady++ = static_cast<std::uint32_t>(first + i * unit);
      continue;
    }
    for (std::size_t at = first, end = at + per_block * unit; at < end; at += unit) {
      const std::uint8_t busy = v.active_units[at / unit];
      if (two_ways && busy == kernel::steady)
        *steady++ = static_cast<std::uint32_t>(at);
      else if (busy != 0 || arrives(at))
        *--others = static_cast<std::uint32_t>(at);
    }
  }
  const auto found = static_cast<std::size_t>(steady - v.units),
             rest = static_cast<std::size_t>(v.units + v.padded / unit - others);
  if constexpr (lands<Scheme>) {
    const auto free = [&v](std::size_t at) {
      const double load = static_cast<double>(v.load[at]);
      return 2 * v.increment(static_cast<std::ptrdiff_t>(at)) + kernel::free_change(v, at, load);
    };
    if (v.compares) compare_landings<Law, Scheme, T>(v, others, rest, free);
  }
  if constexpr (T::takes_any_argument) {
    for (std::size_t k = 0; k < rest; ++k) step_contact_unit_always<Law, Scheme, AnyArgument>(v, others[k]);
  } else {
    constexpr bool plain = !lossy;
    std::size_t left = 0;
    if constexpr (two_ways)
      if (found > 0) left = step_steady_units<Law, Scheme, T, lossy, plain>(v, v.units, found);
    if (left > 0) step_contact_units<Law, Scheme, T, AnyArgument, lossy, plain>(v, v.units, left);
    if (rest > 0) step_contact_units<Law, Scheme, T, AnyArgument, lossy, plain>(v, others, rest);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
