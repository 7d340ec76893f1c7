// SPDX-License-Identifier: MIT
// (LD4) in a string's kernel: nodes that land together with their neighbours.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_STRING_LANDING_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_STRING_LANDING_H
#undef JAWARI_KERNEL_STRING_LANDING_H
#else
#define JAWARI_KERNEL_STRING_LANDING_H
#endif

#include <cstddef>
#include <cstdint>

#include "kernel/string_row.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

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

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
