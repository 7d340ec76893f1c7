// SPDX-License-Identifier: MIT
// Passes over the modes, (M1), and points that do not feel one another, unit by unit as in string_contact.h.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_MODAL_STEPS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_MODAL_STEPS_H
#undef JAWARI_KERNEL_MODAL_STEPS_H
#else
#define JAWARI_KERNEL_MODAL_STEPS_H
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "jawari/kernel/string_kernel.h"
#include "kernel/modal_view.h"
#include "kernel/string_contact.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using kernel::ModalColumns;
using kernel::ModalPoints;
using ModalFused = Lanes<true, false, double, false>;
using ModalFusedCarefully = Lanes<true, true, double, false>;

/// What a mode does in one step, rounded as ModalBody does it.
template <class T>
struct ModeStep {
  T u, d, next, s;

  template <bool lossy, bool pushed, bool touched>
  HWY_ATTR void take(const ModalColumns& m, std::size_t at) {
    u = T::load(m.u + at);
    d = T::load(m.d + at);
    const T D = T::load(m.D + at);
    if constexpr (T::is_fused) {
      next = d - D * u;
      if constexpr (lossy) next = next - T::load(m.lag + at) * d;
      if constexpr (pushed) next = next + T::load(m.C + at) * T::load(m.push + at);
      if constexpr (touched) next = next + T::load(m.C + at) * T::load(m.modal + at);
      s = d + next;
    } else {
      T change(0);
      if constexpr (pushed) change = T::load(m.C + at) * T::load(m.push + at);
      change = change - D * u;
      if constexpr (lossy) change = change - T::load(m.lag + at) * d;
      if constexpr (touched) change = change + T::load(m.modal + at) * T::load(m.C + at);
      s = T(2) * d + change;
      next = d + change;
    }
  }
};

template <class T, bool lossy, bool pushed, bool touched>
HWY_NOINLINE JAWARI_FLATTEN void step_modes(const ModalColumns& columns) noexcept {
  const ModalColumns m = columns;
  for (std::size_t at = 0; at < m.count; at += 2 * T::width) {
    ModeStep<T> a, b;
    const std::size_t next = at + T::width;
    a.template take<lossy, pushed, touched>(m, at);
    b.template take<lossy, pushed, touched>(m, next);
    const T u_a = a.u + a.next, u_b = b.u + b.next;
    a.s.store(m.s + at);
    a.next.store(m.d_next + at);
    u_a.store(m.u_next + at);
    b.s.store(m.s + next);
    b.next.store(m.d_next + next);
    u_b.store(m.u_next + next);
  }
}
/// Writes u_next, d_next and s.
template <class T, bool touched>
HWY_ATTR void move_modes(const ModalColumns& m, bool pushed) noexcept {
  if (m.lossy)
    pushed ? step_modes<T, true, true, touched>(m) : step_modes<T, true, false, touched>(m);
  else
    pushed ? step_modes<T, false, true, touched>(m) : step_modes<T, false, false, touched>(m);
}

template <class Scheme, class T>
HWY_ATTR inline void begin_point(StringRow<Scheme, T>& row, const Scheme& scheme, const ModalPoints& p,
                                 std::size_t at) {
  row.load_state(p.v, at);
  row.port = {T::load(p.v.offset + at) + T::load(p.v.u + at), T::load(p.v.d + at), T::load(p.s_free + at),
              T::load(p.q + at)};
  row.begin(scheme, *p.v.law, p.v.landing, at);
}
/// As a tap follows: d+ = s - d.
template <class Scheme, class T>
HWY_ATTR inline void finish_point(StringRow<Scheme, T>& row, const Scheme& scheme, const ModalPoints& p,
                                  std::size_t at) {
  row.finish(*p.v.law, scheme);
  row.d = row.s - row.port.d;
  row.u = T::load(p.v.u + at) + row.d;
}
template <class Scheme, class T>
HWY_ATTR inline bool step_unit(ModalPoints& p, const Scheme& scheme, std::size_t at) {
  StringUnit<Scheme, T, true> unit;
  const PowerLaw& law = *p.v.law;
  each<unit_rows>([&](auto i) HWY_ATTR { begin_point(unit.row[i], scheme, p, at + i * T::width); });
  NewtonCounts<T> counts;
  if constexpr (Scheme::passes > 0)
    each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].solve(law, scheme); });
  else
    counts = solve_newton(unit.row, law, scheme);
  T force(0);
  each<unit_rows>([&](auto i) HWY_ATTR {
    finish_point(unit.row[i], scheme, p, at + i * T::width);
    force = most(force, abs(unit.row[i].f));
  });
  p.pushes = p.pushes || any_lane(force > T(0));
  StringSums<T, lands<Scheme>> sums;
  if (!unit.store(p.v, StringConstants<T>(p.v), at, sums)) return false;
  if constexpr (Scheme::passes == 0) counts.hand_in(p.v.touches);
  sums.template hand_in<true>(p.v.touches);
  ++p.v.touches.units;
  return true;
}
template <class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void step_unit_carefully(ModalPoints& p, std::size_t at) noexcept {
  SchemeHere<Scheme> scheme = *static_cast<const Scheme*>(p.v.scheme);
  step_unit<Scheme, T>(p, scheme, at);
}
template <class Scheme, class T, class Careful>
HWY_NOINLINE JAWARI_FLATTEN void step_units(ModalPoints& p, std::size_t count) noexcept {
  SchemeHere<Scheme> scheme = *static_cast<const Scheme*>(p.v.scheme);
  for (std::size_t k = 0; k < count; ++k)
    if (!step_unit<Scheme, T>(p, scheme, p.v.units[k])) step_unit_carefully<Scheme, Careful>(p, p.v.units[k]);
}
/// y if it goes its free way.  As look() of a line, or to rounding.
template <class T>
HWY_ATTR inline T arrives_at(const ModalPoints& p, std::size_t at) {
  const T level = T::load(p.v.offset + at), w = T::load(p.v.u + at);
  if constexpr (T::is_fused)
    return level + T::load(p.v.u_next + at);
  else
    return level + w - T::load(p.v.d + at) + T::load(p.s_free + at);
}
/// Units that are looked at together; ModalPoints are padded to this.
inline constexpr std::size_t looked_at = kernel::units_looked_at;

/// All points go their free way; those that arrive, touch, or did, through law and scheme.  Who is there arrived a step
/// ago and is busy.
template <class Scheme, class T, class Careful>
HWY_NOINLINE JAWARI_FLATTEN void step_points(ModalPoints& p) noexcept {
  constexpr std::size_t unit = unit_rows * T::width, block = looked_at * unit;
  const double *HWY_RESTRICT u = p.v.u, *HWY_RESTRICT d = p.v.d, *HWY_RESTRICT offset = p.v.offset,
                             *HWY_RESTRICT s_free = p.s_free;
  double *HWY_RESTRICT u_next = p.v.u_next, *HWY_RESTRICT d_next = p.v.d_next;
  const std::uint8_t* HWY_RESTRICT busy = p.v.busy;
  const std::size_t padded = p.v.padded;
  std::size_t found = 0;
  for (std::size_t at = 0; at < padded; at += block, busy += looked_at) {
    T highest(-1);
    each<block / T::width>([&](auto i) HWY_ATTR {
      const std::size_t here = at + i * T::width;
      const T w = T::load(u + here), e = T::load(d + here), s = T::load(s_free + here), step = s - e, next = w + step;
      step.store(d_next + here);
      next.store(u_next + here);
      if constexpr (T::is_fused)
        highest = most(highest, T::load(offset + here) + next);
      else
        highest = most(highest, T::load(offset + here) + w - e + s);
    });
    std::uint32_t any;
    static_assert(looked_at == sizeof any);
    std::memcpy(&any, busy, sizeof any);
    if (!any_lane(highest > T(0)) && any == 0) [[likely]]
      continue;
    for (std::size_t k = 0; k < looked_at; ++k) {
      T y(-1);
      each<unit_rows>([&](auto i) HWY_ATTR { y = most(y, arrives_at<T>(p, at + k * unit + i * T::width)); });
      p.v.units[found] = static_cast<std::uint32_t>(at + k * unit);
      found += busy[k] != 0 || any_lane(y > T(0));
    }
  }
  if (found == 0) return;
  if constexpr (lands<Scheme>)
    if (p.v.compares) compare_landings<Scheme, T>(p.v, p.v.units, found, [&p](std::size_t at) { return p.s_free[at]; });
  step_units<Scheme, T, Careful>(p, found);
}
template <class T, class Careful>
HWY_ATTR void touch_points(ModalPoints& p, KernelScheme scheme) noexcept {
  p.pushes = false;
  kernel::with_scheme(scheme, [&](auto type) HWY_ATTR { step_points<typename decltype(type)::type, T, Careful>(p); });
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
