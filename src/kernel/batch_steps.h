// SPDX-License-Identifier: MIT
// Steps of a group of strings, and law and scheme of its contacts.
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

template <class T>
kernel::BatchScheme contact_calls(const kernel::ContactModel& contact) {
  kernel::BatchScheme calls = {};
  kernel::with_contact(contact.law().index(), contact.name(), [&](auto law_type, auto scheme_type) {
    using Law = typename decltype(law_type)::type;
    using Scheme = typename decltype(scheme_type)::type;
    calls = {begin_row<Law, Scheme, T>,
             respond_row<Law, Scheme, T>,
             refine_row<Law, Scheme, T>,
             finish_row<Law, Scheme, T>,
             Scheme::passes,
             Scheme::reach_share,
             Scheme::acts_ahead};
  });
  return calls;
}

/// What string_loss_J() asks for, per lane.
template <class T>
struct LossNumbers {
  T s0, s1, q0;
};

/// Of K rows from row `first` on.
template <class T, std::size_t K, bool penta, bool lossy>
HWY_ATTR void free_step(BatchView& v, std::size_t first) noexcept {
  BatchGroup& g = *v.group;
  for (std::size_t r = first; r < first + K; ++r) {
    if (g.loaded && g.pending)
      forward_rhs<T, penta, lossy, true, true>(g, r);
    else if (g.loaded)
      forward_rhs<T, penta, lossy, false, true>(g, r);
    else if (g.pending)
      forward_rhs<T, penta, lossy, true, false>(g, r);
    else
      forward_rhs<T, penta, lossy, false, false>(g, r);
  }
  back_substitute<T, K, penta>(g, first, g.change, g.rhs);
  forward_residual<T, K, penta>(g, first, g.rhs);
  const std::size_t last = first + K - 1;
  const bool bare = g.first[first] >= g.last[first] && g.first[last] >= g.last[last];
  if (bare)
    back_substitute_and_detect<T, K, penta, lossy, Detect::none>(g, first);
  else if (v.scheme.ahead)
    back_substitute_and_detect<T, K, penta, lossy, Detect::ahead>(g, first);
  else
    back_substitute_and_detect<T, K, penta, lossy, Detect::current>(g, first);
}

template <class T, bool penta>
HWY_ATTR void one_step(BatchView& v) noexcept {
  BatchGroup& g = *v.group;
  const std::size_t alone = g.on[0] ? 0 : 1;
  if (g.landing.share)
    for (std::size_t r = 0; r < g.rows; ++r)
      for (double& clock : g.clock[r].at) clock += 1;
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
    on[r] = g.on[r] && (g.in_contact[r] != 0 || any_lane(lanes<T>(g.highest[r]) > T(0)));
  if (on[0] || on[1]) solve_rows<T, penta>(v, on);
  if (!g.lossy) return;
  for (std::size_t r = 0; r < g.rows; ++r) {
    if (!g.on[r]) continue;
    const LossNumbers<T> a{lanes<T>(g.a[r].s0), lanes<T>(g.a[r].s1), lanes<T>(g.a[r].q0)};
    const T gone = string_loss_J(a, lanes<T>(g.squares[r]), lanes<T>(g.stretch[r]));
    add_to(g.counts[r].lost, g.counts[r].lost_rest, gone);
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
