// SPDX-License-Identifier: MIT
// Independent points of modes, unit by unit as in string_contact.h.
#include "kernel/modal_points.h"

#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/modal_points.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernel/modal_steps.h"
#include "kernel/string_contact.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using kernel::ModalPoints;

template <class Law, class Scheme, class T>
HWY_ATTR inline void begin_point(StringRow<Scheme, T>& row, const Law& law, const Scheme& scheme, const ModalPoints& p,
                                 std::size_t at) {
  row.load_state(p.v, at);
  row.port = {T::load(p.v.offset + at) + T::load(p.v.u + at), T::load(p.v.d + at), T::load(p.s_free + at),
              T::load(p.q + at)};
  row.begin(scheme, law, p.v.landing, at);
}
/// As a tap follows: d+ = s - d.
template <class Law, class Scheme, class T>
HWY_ATTR inline void finish_point(StringRow<Scheme, T>& row, const Law& law, const Scheme& scheme, const ModalPoints& p,
                                  std::size_t at) {
  row.finish(law, scheme);
  row.d = row.s - row.port.d;
  row.u = T::load(p.v.u + at) + row.d;
}
template <class Law, class Scheme, class T>
HWY_ATTR inline bool step_unit(ModalPoints& p, const Scheme& scheme, std::size_t at) {
  StringUnit<Scheme, T, true> unit;
  const Law& law = *static_cast<const Law*>(p.v.law);
  unroll<unit_rows>([&](auto i) HWY_ATTR { begin_point(unit.row[i], law, scheme, p, at + i * T::width); });
  NewtonCounts<T> counts;
  if constexpr (Scheme::passes > 0)
    unroll<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].solve(law, scheme); });
  else
    counts = solve_newton(unit.row, law, scheme);
  T force(0);
  unroll<unit_rows>([&](auto i) HWY_ATTR {
    finish_point(unit.row[i], law, scheme, p, at + i * T::width);
    force = max_fast(force, abs(unit.row[i].f));
  });
  p.pushes = p.pushes || any_lane(force > T(0));
  StringSums<T, lands<Scheme>> sums;
  if (!unit.store(p.v, StringConstants<T, Law>(p.v), at, sums)) return false;
  if constexpr (Scheme::passes == 0) counts.hand_in(p.v.counts);
  sums.template hand_in<true>(p.v.counts);
  ++p.v.counts.units;
  return true;
}
template <class Law, class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void step_unit_any_argument(ModalPoints& p, std::size_t at) noexcept {
  SchemeHere<Scheme> scheme = *static_cast<const Scheme*>(p.v.scheme);
  step_unit<Law, Scheme, T>(p, scheme, at);
}
template <class Law, class Scheme, class T, class AnyArgument>
HWY_NOINLINE JAWARI_FLATTEN void step_units(ModalPoints& p, std::size_t count) noexcept {
  SchemeHere<Scheme> scheme = *static_cast<const Scheme*>(p.v.scheme);
  for (std::size_t k = 0; k < count; ++k)
    if (!step_unit<Law, Scheme, T>(p, scheme, p.v.units[k]))
      step_unit_any_argument<Law, Scheme, AnyArgument>(p, p.v.units[k]);
}
/// y after the free step.  As Line::detect(), or to rounding.
template <class T>
HWY_ATTR inline T arrives_at(const ModalPoints& p, std::size_t at) {
  const T level = T::load(p.v.offset + at), w = T::load(p.v.u + at);
  if constexpr (T::is_fused)
    return level + T::load(p.v.u_next + at);
  else
    return level + w - T::load(p.v.d + at) + T::load(p.s_free + at);
}
/// Units that are compared at a time; ModalPoints are padded to this.
inline constexpr std::size_t units_together = kernel::units_together;

/// All points take their free step; those that arrive, touch, or did, go through law and scheme.  A point in contact
/// arrived a step ago and is active.
template <class Law, class Scheme, class T, class AnyArgument>
HWY_NOINLINE JAWARI_FLATTEN void step_points(ModalPoints& p) noexcept {
  constexpr std::size_t unit = unit_rows * T::width, block = units_together * unit;
  const double *HWY_RESTRICT u = p.v.u, *HWY_RESTRICT d = p.v.d, *HWY_RESTRICT offset = p.v.offset,
                             *HWY_RESTRICT s_free = p.s_free;
  double *HWY_RESTRICT u_next = p.v.u_next, *HWY_RESTRICT d_next = p.v.d_next;
  const std::uint8_t* HWY_RESTRICT active_units = p.v.active_units;
  const std::size_t padded = p.v.padded;
  std::size_t found = 0;
  for (std::size_t at = 0; at < padded; at += block, active_units += units_together) {
    T highest(-1);
    unroll<block / T::width>([&](auto i) HWY_ATTR {
      const std::size_t here = at + i * T::width;
      const T w = T::load(u + here), e = T::load(d + here), s = T::load(s_free + here), step = s - e, next = w + step;
      step.store(d_next + here);
      next.store(u_next + here);
      if constexpr (T::is_fused)
        highest = max_fast(highest, T::load(offset + here) + next);
      else
        highest = max_fast(highest, T::load(offset + here) + w - e + s);
    });
    std::uint32_t any;
    static_assert(units_together == sizeof any);
    std::memcpy(&any, active_units, sizeof any);
    if (!any_lane(highest > T(0)) && any == 0) [[likely]]
      continue;
    for (std::size_t k = 0; k < units_together; ++k) {
      T y(-1);
      unroll<unit_rows>([&](auto i) HWY_ATTR { y = max_fast(y, arrives_at<T>(p, at + k * unit + i * T::width)); });
      p.v.units[found] = static_cast<std::uint32_t>(at + k * unit);
      found += active_units[k] != 0 || any_lane(y > T(0));
    }
  }
  if (found == 0) return;
  if constexpr (lands<Scheme>)
    if (p.v.compares)
      compare_landings<Law, Scheme, T>(p.v, p.v.units, found, [&p](std::size_t at) { return p.s_free[at]; });
  step_units<Law, Scheme, T, AnyArgument>(p, found);
}
template <class T, class AnyArgument>
HWY_ATTR void step_points_of(ModalPoints& p, const kernel::ContactModel& contact) noexcept {
  p.pushes = false;
  kernel::with_contact(contact.law().index(), contact.name(), [&](auto law, auto scheme) HWY_ATTR {
    step_points<typename decltype(law)::type, typename decltype(scheme)::type, T, AnyArgument>(p);
  });
}

HWY_ATTR void step_points_fused(ModalPoints& p, const kernel::ContactModel& contact) {
  step_points_of<ModalFused, ModalFusedAnyArgument>(p, contact);
}
HWY_ATTR void step_points_as_double(ModalPoints& p, const kernel::ContactModel& contact) {
  step_points_of<Lanes<false, true>, Lanes<false, true>>(p, contact);
}
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jawari::kernel {
namespace {
HWY_EXPORT(step_points_fused);
HWY_EXPORT(step_points_as_double);
}  // namespace

void step_contact_points(ModalPoints& p, const ContactModel& contact, bool fused) noexcept {
  if (fused)
    HWY_DYNAMIC_DISPATCH(step_points_fused)(p, contact);
  else
    HWY_DYNAMIC_DISPATCH(step_points_as_double)(p, contact);
}

}  // namespace jawari::kernel
#endif
