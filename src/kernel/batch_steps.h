// SPDX-License-Identifier: MIT
// Steps of a group of strings, and which law and scheme its contacts go through.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_BATCH_STEPS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_BATCH_STEPS_H
#undef JAWARI_KERNEL_BATCH_STEPS_H
#else
#define JAWARI_KERNEL_BATCH_STEPS_H
#endif

#include <cstddef>

#include "jawari/kernel/string_kernel.h"
#include "kernel/batch_contact.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
namespace batch {

template <class T, class Scheme>
kernel::BatchScheme scheme_calls() {
  return {begin_row<Scheme, T>, respond_row<Scheme, T>,  refine_row<Scheme, T>, finish_row<Scheme, T>,
          Scheme::passes,       Point<Scheme, T>::share, Kind<Scheme>::ahead};
}
template <class T>
kernel::BatchScheme scheme_named(KernelScheme name) {
  switch (name) {
    case KernelScheme::plain:
      return scheme_calls<T, Quadratised<Rule::plain, 1>>();
    case KernelScheme::sign:
      return scheme_calls<T, Quadratised<Rule::sign, 1>>();
    case KernelScheme::returning:
      return scheme_calls<T, Quadratised<Rule::returning, 1>>();
    case KernelScheme::reset:
      return scheme_calls<T, Quadratised<Rule::reset, 1>>();
    case KernelScheme::bounded:
      return scheme_calls<T, Quadratised<Rule::bounded, 1>>();
    case KernelScheme::secant_1:
      return scheme_calls<T, Quadratised<Rule::secant, 2>>();
    case KernelScheme::secant_2:
      return scheme_calls<T, Quadratised<Rule::secant, 3>>();
    case KernelScheme::two_point:
      return scheme_calls<T, Gradient<2>>();
    case KernelScheme::three_point:
    case KernelScheme::landing:
      break;  // match() has no batch that lands
  }
  return scheme_calls<T, Gradient<3>>();
}

/// Of K rows from row `first` on.
template <class T, std::size_t K, bool penta, bool lossy>
HWY_ATTR void free_step(BatchView& v, std::size_t first) noexcept {
  BatchGroup& g = *v.group;
  for (std::size_t r = first; r < first + K; ++r) {
    if (g.loaded && g.pending)
      set_out<T, penta, lossy, true, true>(g, r);
    else if (g.loaded)
      set_out<T, penta, lossy, false, true>(g, r);
    else if (g.pending)
      set_out<T, penta, lossy, true, false>(g, r);
    else
      set_out<T, penta, lossy, false, false>(g, r);
  }
  come_back<T, K, penta>(g, first, g.change, g.rhs);
  go_again<T, K, penta>(g, first, g.rhs);
  const std::size_t last = first + K - 1;
  const bool bare = g.first[first] >= g.last[first] && g.first[last] >= g.last[last];
  if (bare)
    arrive<T, K, penta, lossy, Look::nowhere>(g, first);
  else if (v.scheme.ahead)
    arrive<T, K, penta, lossy, Look::ahead>(g, first);
  else
    arrive<T, K, penta, lossy, Look::here>(g, first);
}

template <class T, bool penta>
HWY_ATTR void one_step(BatchView& v) noexcept {
  BatchGroup& g = *v.group;
  const std::size_t alone = g.on[0] ? 0 : 1;
  if (g.rows == 2 && g.on[0] && g.on[1]) {
    if (g.lossy)
      free_step<T, 2, penta, true>(v, 0);
    else
      free_step<T, 2, penta, false>(v, 0);
  } else {
    if (g.lossy)
      free_step<T, 1, penta, true>(v, alone);
    else
      free_step<T, 1, penta, false>(v, alone);
  }
  g.pending = true;
  bool on[kernel::most_rows] = {};
  for (std::size_t r = 0; r < g.rows; ++r)
    on[r] = g.on[r] && (g.busy[r] != 0 || any_lane(lanes<T>(g.highest[r]) > T(0)));
  if (on[0] || on[1]) solve_rows<T, penta>(v, on);
  if (!g.lossy) return;
  for (std::size_t r = 0; r < g.rows; ++r) {
    if (!g.on[r]) continue;
    const T gone =
        lanes<T>(g.a[r].half_s0) * lanes<T>(g.friction[r]) + lanes<T>(g.a[r].half_s1) * lanes<T>(g.stretch[r]);
    add_to(g.touches[r].lost, g.touches[r].lost_rest, gone);
  }
}
template <class T>
HWY_ATTR void step_group(BatchView& v) noexcept {
  if (v.group->penta)
    one_step<T, true>(v);
  else
    one_step<T, false>(v);
}
template <class T>
HWY_ATTR void factor_group(BatchGroup& g) noexcept {
  for (std::size_t r = 0; r < g.rows; ++r)
    if (g.penta)
      factor_band<T, true>(g, r);
    else
      factor_band<T, false>(g, r);
}

}  // namespace batch
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
