// SPDX-License-Identifier: MIT
// Passes over the modes, (M1).
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_MODAL_STEPS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_MODAL_STEPS_H
#undef JAWARI_KERNEL_MODAL_STEPS_H
#else
#define JAWARI_KERNEL_MODAL_STEPS_H
#endif

#include <cstddef>

#include "jawari/body/mode_step.h"
#include "kernel/lanes.h"
#include "kernel/modal_arrays.h"
#include "kernel/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using kernel::ModalColumns;
using ModalFused = Lanes<JAWARI_FUSED, !JAWARI_FUSED, double, false>;
using ModalFusedAnyArgument = Lanes<JAWARI_FUSED, true, double, false>;

/// What a mode does in one step, rounded as ModalBody does it.
template <class T>
struct ModeVector {
  T u, d, next, s;

  template <bool lossy, bool pushed, bool touched>
  HWY_ATTR void load(const ModalColumns& m, std::size_t at) {
    u = T::load(m.u + at);
    d = T::load(m.d + at);
    const T D = T::load(m.D + at);
    const T lag = T::load(m.lag + at), C = T::load(m.C + at), push = T::load(m.push + at),
            contact = T::load(m.modal + at);
    constexpr ModeTerms terms{lossy, pushed, touched};
    if constexpr (T::is_fused) {
      next = mode_increment<terms>(lag, D, C, u, d, push, contact);
      s = d + next;
    } else {
      T change = mode_change<terms>(lag, D, C, u, d, push);
      if constexpr (touched) change = mode_pushed(C, change, contact);
      s = mode_double_step(d, change);
      next = d + change;
    }
  }
};

template <class T, bool lossy, bool pushed, bool touched>
HWY_NOINLINE JAWARI_FLATTEN void step_modes(const ModalColumns& columns) noexcept {
  const ModalColumns m = columns;
  for (std::size_t at = 0; at < m.count; at += 2 * T::width) {
    ModeVector<T> a, b;
    const std::size_t next = at + T::width;
    a.template load<lossy, pushed, touched>(m, at);
    b.template load<lossy, pushed, touched>(m, next);
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

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
