// SPDX-License-Identifier: MIT
// (LD4) in a batch of strings: nodes that land together with their neighbours.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_BATCH_LANDING_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_BATCH_LANDING_H
#undef JAWARI_KERNEL_BATCH_LANDING_H
#else
#define JAWARI_KERNEL_BATCH_LANDING_H
#endif

#include <cstddef>

#include "jawari/scheme/landing.h"
#include "kernel/batch_band.h"
#include "kernel/contact_model.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

namespace batch {

/// The points of one string as (LD4) needs them.
template <class Law, class Scheme, std::size_t width>
struct BatchLandings {
  const BatchView& v;
  std::size_t r, lane, first;
  double clock;
  std::size_t at(std::size_t i) const { return ((first + i) * v.group->rows + r) * width + lane; }
  double half(std::size_t i) const {
    const BatchGroup& g = *v.group;
    return g.offset[at(i)] + g.u[at(i)] - g.d[at(i)] / 2;
  }
  double s_free(std::size_t i) const { return v.scratch.s_free[at(i)]; }
  bool holds(std::size_t i) const {
    typename Scheme::State e;
    kernel::get_state(v.group->state, at(i), e);
    return static_cast<const Scheme*>(v.scheme_numbers)->holds(*static_cast<const Law*>(v.law_of_any_lane), e);
  }
  double apart(std::size_t i, double when) const { return abs(v.group->landing.landed_at[at(i)] - when); }
};
/// (LD4) before the port of node i begins, from the free steps: marks the lanes that land together with their
/// neighbours.
template <class Law, class Scheme, class T>
HWY_NOINLINE void compare_landings(BatchView& v, std::size_t r, std::size_t i) noexcept {
  BatchGroup& g = *v.group;
  for (std::size_t lane = 0; lane < T::width; ++lane) {
    const kernel::BatchBarrier& b = g.barrier[r * kernel::most_width + lane];
    if (i < b.first || i >= b.first + b.count) continue;
    const BatchLandings<Law, Scheme, T::width> points{v, r, lane, b.first, g.clock[r].at[lane]};
    const bool together = !points.holds(i - b.first) && slaps(points, i - b.first, b.count, b.together);
    g.landing.slaps[points.at(i - b.first)] = together ? 1 : 0;
  }
}

}  // namespace batch

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
