// SPDX-License-Identifier: MIT
// Nodes in contact, unit by unit: which of them go through law and scheme (string_row.h), and in what order.
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

#include "kernel/string_landing.h"
#include "kernel/string_unit.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

/// Without loss a scheme's constants are known beforehand.
template <bool lossy, class Scheme>
HWY_ATTR inline decltype(auto) constants(const Scheme& made) {
  if constexpr (lossy || lands<Scheme>)
    return (made);
  else
    return Scheme();
}

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
