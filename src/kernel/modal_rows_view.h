// SPDX-License-Identifier: MIT
// What a step of modes with taps anywhere works on, and which of its points take part.
// Points may be inactive.  In free motion a mode's energy (M2) never grows, so |d_p| <= sqrt(H_p/kinetic_p) from now
// on, and no point gets farther in a step than V = sum_p max|shape_p| sqrt(H_p/kinetic_p); an impulse C_p F_p adds at
// most |C_p F_p| sqrt((2+2E)/(2+2E-D)) to its mode's share.  With travel_bound_m = sum of V over steps, a point that is
// `gap` away stays silent until travel_bound_m has grown by gap. (N4)
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "jawari/couple/active_subset_line.h"
#include "jawari/couple/dense.h"
#include "jawari/couple/island.h"
#include "kernel/modal_sines.h"

namespace jawari::kernel {

struct RowsView {
  std::size_t modes, taps, first, points;  ///< contact points: taps from `first` on
  ModalColumns m;
  ModalPoints p;     ///< where points are independent
  bool independent;  ///< they are
  bool at_sines;     ///< they are points j L/(P+1) of the body
  bool follows, may_deactivate;
  const double* shape;                         ///< [tap][m.count]
  double *w, *d, *s_free, *s, *force;          ///< per tap
  const double *reach, *ratio, *impulse_gain;  ///< (N4), per mode: max|shape|; elastic/kinetic; max|shape| C sqrt(...)
  double lost = 0;                             ///< by the modes in this step
  double max_step_m = 0, travel_bound_m = 0, next_activation_m = 0;
  bool max_step_stale = true, impulse_pending = false;
  bool needs_all = false;  ///< (LD4) for inactive points
  double* activate_at_m;   ///< per point: travel_bound_m at which it becomes active; infinity: it is
  const char* probed;      ///< per point: probed, it must stay active
  std::uint32_t* active;   ///< taps, ascending
  std::size_t active_count = 0;
  /// Points come in pairs x, L - x, whose rows are the same but for the sign of every other mode: one sum serves both.
  bool mirrored = false;
  std::uint32_t* reads;  ///< those of the active that are read, of a pair the first
  std::size_t read_count = 0;
  std::uint32_t* selected;
  std::size_t selected_count = 0;
  double* last_N;           ///< per point: force of the last step, from which Newton begins
  bool any_last_N = false;  ///< some may differ from zero
  const double *Q, *offset;
  const double* column = nullptr;  ///< [point][tap] receptances, where the body reads its taps by s = s_free + Q f
  ActiveSubsetLine* line;
  Island* island;
  DenseCompliance* dense;
  int until = 63, since_max_step = 0, since_deactivation = 0;
  const ContactModel* contact;
  StepIo io;
  double row(std::size_t tap, std::size_t mode) const { return shape[tap * m.count + mode]; }
};

inline std::size_t mirror(const RowsView& r, std::size_t tap) noexcept { return 2 * r.first + r.points - 1 - tap; }
/// Taps whose rows are to be summed up for these.
inline std::size_t list_reads(const RowsView& r, const std::uint32_t* taps, std::size_t count,
                              std::uint32_t* reads) noexcept {
  std::size_t n = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t t = taps[i];
    const bool point = r.mirrored && t >= r.first && t < r.first + r.points;
    const auto other = point ? static_cast<std::uint32_t>(mirror(r, t)) : t;
    if (t <= other || !std::binary_search(taps, taps + count, other)) reads[n++] = std::min(t, other);
  }
  return n;
}
inline bool inactive(const RowsView& r, std::size_t point) noexcept { return std::isfinite(r.activate_at_m[point]); }
/// Lists active taps.  Inactive points are moved to no_barrier_m so that detection ignores them.
inline void list_active(RowsView& r) noexcept {
  r.active_count = 0;
  r.next_activation_m = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < r.taps; ++t) {
    if (t >= r.first && t < r.first + r.points && inactive(r, t - r.first))
      r.next_activation_m = std::min(r.next_activation_m, r.activate_at_m[t - r.first]);
    else
      r.active[r.active_count++] = static_cast<std::uint32_t>(t);
  }
  r.read_count = list_reads(r, r.active, r.active_count, r.reads);
}

/// (LD4) Whether a point that lands has an inactive neighbour that might land at the same time.  An inactive point is
/// farther away than gap - V/2 half a step ago, and its double step is no longer than 2 V.
inline bool needs_inactive_points(const RowsView& r) noexcept {
  if (r.line->landed_at.empty() || r.line->together == 0) return false;
  const char* active = r.line->active_points();
  for (std::size_t i = 0; i < r.selected_count; ++i) {
    const std::size_t point = r.selected[i], t = r.first + point;
    if (active[point] || !(r.s_free[t] > 0)) continue;
    const double y = r.offset[point] + r.w[t], time = -2 * (y - r.d[t] / 2) / r.s_free[t];
    const auto may = [&](std::size_t k) {
      return inactive(r, k) && (r.activate_at_m[k] - r.travel_bound_m) / r.max_step_m - 0.5 <= time + r.line->together;
    };
    if ((point > 0 && may(point - 1)) || (point + 1 < r.points && may(point + 1))) return true;
  }
  return false;
}

/// Points that are coupled and may touch, as an island: those near the barrier, or all active ones.  Returns whether a
/// force acts.
inline bool solve_island(RowsView& r, bool all_points) noexcept {
  const bool few = !r.may_deactivate;
  const double band = all_points || few      ? std::numeric_limits<double>::infinity()
                      : r.line->acts_ahead() ? r.max_step_m
                                             : 0;
  const char* active = r.line->active_points();
  r.selected_count = 0;
  for (std::size_t point = 0; point < r.points; ++point) {
    const std::size_t t = r.first + point;
    const double y = r.offset[point] + r.w[t], before = y - r.d[t], next = before + r.s_free[t];
    if (inactive(r, point)) continue;
    if (y > 0 || before > 0 || next > -band || active[point] != 0)
      r.selected[r.selected_count++] = static_cast<std::uint32_t>(point);
  }
  r.line->select_points({r.selected, r.selected_count});
  for (std::size_t i = 0; i < r.selected_count; ++i) r.line->phi[i] = r.last_N[r.selected[i]];
  if (!few) {
    r.dense->refit(r.selected_count);
    r.island->refit();
  }
  for (std::size_t i = 0; i < r.selected_count; ++i) {
    const std::size_t point = r.selected[i], t = r.first + point;
    r.line->port[i] = {r.offset[point] + r.w[t], r.d[t], r.s_free[t], r.Q[point * r.points + point]};
    if (!few)
      for (std::size_t j = 0; j <= i; ++j)
        r.dense->at(i, j) = r.dense->at(j, i) = r.Q[point * r.points + r.selected[j]];
  }
  r.needs_all = !few && needs_inactive_points(r);
  r.island->solve();
  bool pushes = false;
  for (std::size_t i = 0; i < r.selected_count; ++i) {
    r.force[r.first + r.selected[i]] = r.line->phi[i];
    pushes |= r.line->phi[i] != 0;
  }
  return pushes;
}
/// Before a step: its forces become those of the last one.
inline void keep_forces(RowsView& r) noexcept {
  if (r.any_last_N) std::fill_n(r.last_N, r.points, 0.0);
  r.any_last_N = r.selected_count > 0;
  for (std::size_t i = 0; i < r.selected_count; ++i)
    r.last_N[r.selected[i]] = std::exchange(r.force[r.first + r.selected[i]], 0.0);
  r.selected_count = 0;
}
/// Whether a point that took no part would have touched.
inline bool missed_contact(const RowsView& r) noexcept {
  if (r.selected_count == 0 || !r.line->acts_ahead()) return false;
  for (std::size_t point = 0, next = 0; point < r.points; ++point) {
    const std::size_t t = r.first + point;
    if (next < r.selected_count && r.selected[next] == point)
      ++next;
    else if (r.offset[point] + r.w[t] - r.d[t] + r.s[t] > 0)
      return true;
  }
  return false;
}
/// Deactivates points that are far from the barrier.
inline void deactivate_far_points(RowsView& r) noexcept {
  bool changed = false;
  const char* active = r.line->active_points();
  for (std::size_t point = 0; point < r.points; ++point) {
    const std::size_t t = r.first + point;
    const double gap = -(r.offset[point] + r.w[t]);
    if (inactive(r, point) || gap < 24 * r.max_step_m || active[point] || r.probed[point]) continue;
    r.activate_at_m[point] = r.travel_bound_m + gap * (1 - 1e-9);
    r.w[t] = no_barrier_m;
    r.d[t] = 0;
    changed = true;
  }
  if (changed) list_active(r);
}

}  // namespace jawari::kernel
