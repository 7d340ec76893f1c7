// SPDX-License-Identifier: MIT
#include "jawari/kernel/modal_kernel.h"
#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/modal_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

#include "jawari/couple/contact_point.h"
#include "kernel/modal_points.h"
#include "kernel/modal_rows.h"
#include "kernel/modal_steps.h"
#include "kernel/setup.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using kernel::RowsView;

/// Eight partial sums, as sum_of() has them.
template <class T>
struct Partial {
  static constexpr std::size_t vectors = 8 / T::width;
  T a[vectors];
  HWY_ATTR Partial() {
    unroll<vectors>([&](auto i) HWY_ATTR { a[i] = T(0); });
  }
  HWY_ATTR double total() const {
    HWY_ALIGN double l[8];
    unroll<vectors>([&](auto i) HWY_ATTR { a[i].store(l + i * T::width); });
    return ((l[0] + l[1]) + (l[2] + l[3])) + ((l[4] + l[5]) + (l[6] + l[7]));
  }
  /// Every other mode.
  HWY_ATTR void parts(double& even, double& odd) const {
    HWY_ALIGN double l[8];
    unroll<vectors>([&](auto i) HWY_ATTR { a[i].store(l + i * T::width); });
    even = (l[0] + l[2]) + (l[4] + l[6]);
    odd = (l[1] + l[3]) + (l[5] + l[7]);
  }
};
/// What `rows` taps read of the modes.  Several at once: the modes are fetched once for all.
template <class T, std::size_t rows, bool mirrored>
HWY_ATTR inline void read_together(const RowsView& r, const std::uint32_t* taps, const double* HWY_RESTRICT modal,
                                   double* HWY_RESTRICT to) {
  Partial<T> p[rows];
  const double* row[rows];
  const std::size_t count = r.m.count;
  unroll<rows>([&](auto k) HWY_ATTR { row[k] = r.shape + taps[k] * count; });
  for (std::size_t at = 0; at < count; at += 8)
    unroll<Partial<T>::vectors>([&](auto i) HWY_ATTR {
      const std::size_t here = at + i * T::width;
      const T m = T::load(modal + here);
      unroll<rows>([&](auto k) HWY_ATTR { p[k].a[i] = p[k].a[i] + T::load(row[k] + here) * m; });
    });
  unroll<rows>([&](auto k) HWY_ATTR {
    if constexpr (mirrored) {
      double even, odd;
      p[k].parts(even, odd);
      to[kernel::mirror(r, taps[k])] = even - odd;
      to[taps[k]] = even + odd;  // in the middle odd is 0, but for rounding
    } else {
      to[taps[k]] = p[k].total();
    }
  });
}
template <class T, bool mirrored>
HWY_NOINLINE JAWARI_FLATTEN void read_list(const RowsView& r, const std::uint32_t* list, std::size_t count,
                                           const double* modal, double* to) noexcept {
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) read_together<T, 4, mirrored>(r, list + k, modal, to);
  for (; k < count; ++k) read_together<T, 1, mirrored>(r, list + k, modal, to);
}
/// What those taps read of the modes.
template <class T>
HWY_ATTR void read_taps(const RowsView& r, const std::uint32_t* list, std::size_t count, const double* modal,
                        double* to) noexcept {
  if (!r.mirrored) return read_list<T, false>(r, list, count, modal, to);
  std::size_t before = 0, after = count;  // taps that are no points have no mirror image
  while (before < count && list[before] < r.first) ++before;
  while (after > before && list[after - 1] >= r.first + r.points) --after;
  read_list<T, false>(r, list, before, modal, to);
  read_list<T, false>(r, list + after, count - after, modal, to);
  read_list<T, true>(r, list + before, after - before, modal, to);
}
template <class T>
HWY_ATTR void read_taps(const RowsView& r, const double* modal, double* to) noexcept {
  read_taps<T>(r, r.reads, r.read_count, modal, to);
}
/// As SineTransform sums forces at j L/(P+1) up: over the points, in eight lanes.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void gather_in_eights(const RowsView& r) noexcept {
  for (std::size_t at = 0; at < r.m.count; at += T::width) {
    T a[8];
    unroll<8>([&](auto l) HWY_ATTR {
      a[l] = T(0);
      for (std::size_t t = r.first + (l + 8 - r.first % 8) % 8; t < r.first + r.points; t += 8)
        if (r.force[t] != 0) a[l] = a[l] + T::load(r.shape + t * r.m.count + at) * T(r.force[t]);
    });
    (((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]))).store(r.m.modal + at);
  }
}
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void gather(const RowsView& r) noexcept {
  if (r.at_sines) return gather_in_eights<T>(r);
  std::fill_n(r.m.modal, r.m.count, 0.0);
  for (std::size_t t = r.first; t < r.first + r.points; ++t) {
    if (r.force[t] == 0) continue;
    const double* row = r.shape + t * r.m.count;
    const T f(r.force[t]);
    for (std::size_t at = 0; at < r.m.count; at += T::width)
      (T::load(r.m.modal + at) + T::load(row + at) * f).store(r.m.modal + at);
  }
}
/// s = s_free + Q f, for few forces.
HWY_NOINLINE JAWARI_FLATTEN void spread(const RowsView& r) noexcept {
  std::memcpy(r.s, r.s_free, r.taps * sizeof *r.s);
  for (std::size_t i = 0; i < r.points; ++i) {
    const double f = r.force[r.first + i];
    const double* q = r.column + i * r.taps;
    for (std::size_t t = 0; f != 0 && t < r.taps; ++t) r.s[t] += q[t] * f;
  }
}
/// (N4) how much an impulse adds to max_step_m.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN double impulse_step(const ModalColumns& m, const double* gain,
                                                const double* force) noexcept {
  Partial<T> p;
  for (std::size_t at = 0; at < m.count; at += 8)
    unroll<Partial<T>::vectors>([&](auto i) HWY_ATTR {
      const std::size_t here = at + i * T::width;
      p.a[i] = p.a[i] + T::load(gain + here) * abs(T::load(force + here));
    });
  return p.total() * (1 + 1e-9);
}
/// (M2) lost and given in this step.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN double loss(const ModalColumns& m) noexcept {
  Partial<T> p;
  for (std::size_t at = 0; at < m.count; at += 8)
    unroll<Partial<T>::vectors>([&](auto i) HWY_ATTR {
      const std::size_t here = at + i * T::width;
      p.a[i] = p.a[i] + mode_loss(T::load(m.loss + here), T::load(m.s + here));
    });
  return p.total();
}
template <class T>
HWY_NOINLINE JAWARI_FLATTEN double work(const ModalColumns& m) noexcept {
  Partial<T> p;
  for (std::size_t at = 0; at < m.count; at += 8)
    unroll<Partial<T>::vectors>([&](auto i) HWY_ATTR {
      p.a[i] = p.a[i] + mode_work(T::load(m.push + at + i * T::width), T::load(m.s + at + i * T::width));
    });
  return p.total() / 2;
}
/// (N4)
template <class T>
HWY_NOINLINE JAWARI_FLATTEN double largest_step(const RowsView& r) noexcept {
  Partial<T> p;
  for (std::size_t at = 0; at < r.m.count; at += 8)
    unroll<Partial<T>::vectors>([&](auto i) HWY_ATTR {
      const std::size_t here = at + i * T::width;
      const T d = T::load(r.m.d + here), mean = T::load(r.m.u + here) - T(0.5) * d;
      p.a[i] = p.a[i] + T::load(r.reach + here) * sqrt(T(d * d + T::load(r.ratio + here) * T(mean * mean)));
    });
  return p.total() * (1 + 1e-9);
}
/// The step of all modes and what few taps read of it, in one pass; s stays in registers.
template <class T, bool lossy, bool touched, std::size_t rows>
HWY_NOINLINE JAWARI_FLATTEN void step_and_read(RowsView& r, double* to) noexcept {
  const ModalColumns m = r.m;
  const double* shape = r.shape;
  Partial<T> p[rows], lost;
  for (std::size_t at = 0; at < m.count; at += 8)
    unroll<Partial<T>::vectors>([&](auto i) HWY_ATTR {
      const std::size_t here = at + i * T::width;
      ModeVector<T> a;
      a.template load<lossy, false, touched>(m, here);
      a.next.store(m.d_next + here);
      (a.u + a.next).store(m.u_next + here);
      unroll<rows>([&](auto k) HWY_ATTR { p[k].a[i] = p[k].a[i] + T::load(shape + k * m.count + here) * a.s; });
      if constexpr (lossy) lost.a[i] = lost.a[i] + mode_loss(T::load(m.loss + here), a.s);
    });
  unroll<rows>([&](auto k) HWY_ATTR { to[k] = p[k].total(); });
  if constexpr (lossy) r.lost = lost.total();
}
/// False: not for so many taps, or drives.
template <class T, bool touched>
HWY_ATTR bool step_and_read(RowsView& r, bool pushed, double* to) noexcept {
  if (pushed || r.taps > 3) return false;
  const auto run = [&](auto rows) {
    if (r.m.lossy)
      step_and_read<T, true, touched, rows>(r, to);
    else
      step_and_read<T, false, touched, rows>(r, to);
  };
  if (r.taps == 1)
    run(std::integral_constant<std::size_t, 1>());
  else if (r.taps == 2)
    run(std::integral_constant<std::size_t, 2>());
  else
    run(std::integral_constant<std::size_t, 3>());
  return true;
}
/// Before a step: points that must be active again.
template <class T>
HWY_ATTR void activate(RowsView& r, bool all) noexcept {
  if (!all && r.travel_bound_m + 2 * r.max_step_m < r.next_activation_m) return;
  const double until = all ? std::numeric_limits<double>::max() : r.travel_bound_m + 3 * r.max_step_m;
  std::size_t woken = 0;
  for (std::size_t i = 0; i < r.points; ++i)
    if (r.activate_at_m[i] <= until) {
      r.activate_at_m[i] = std::numeric_limits<double>::infinity();
      r.selected[woken++] = static_cast<std::uint32_t>(i);
    }
  for (std::size_t i = 0; i < woken; ++i) r.selected[i] += static_cast<std::uint32_t>(r.first);
  r.read_count = kernel::list_reads(r, r.selected, woken, r.reads);
  read_taps<T>(r, r.m.u, r.w);
  read_taps<T>(r, r.m.d, r.d);
  list_active(r);
}

/// As Line::detect().
template <class T>
HWY_NOINLINE JAWARI_FLATTEN bool detect(const RowsView& r) noexcept {
  const double *w = r.w + r.first, *d = r.d + r.first, *s = r.s_free + r.first, *offset = r.offset;
  const char* active = r.line->active_points();
  T highest(-1);
  std::size_t i = 0;
  for (; i + T::width <= r.points; i += T::width) {
    const T y = T::load(offset + i) + T::load(w + i);
    highest = max_fast(highest, largest_depth(y, T::load(d + i), T::load(s + i)));
  }
  bool any = any_lane(highest > T(0));
  for (; i < r.points; ++i) any |= largest_depth(offset[i] + w[i], d[i], s[i]) > 0;
  return any || std::memchr(active, 1, r.points) != nullptr;
}
template <class T>
HWY_ATTR bool step_row_contacts(RowsView& r, bool all_points) noexcept {
  if (!r.independent) {
    r.selected_count = 0;
    return detect<T>(r) && solve_island(r, all_points);
  }
  for (std::size_t i = 0; i < r.points; ++i) {
    const std::size_t t = r.first + i;
    r.p.v.u[i] = r.w[t];
    r.p.v.d[i] = r.d[t];
    const_cast<double*>(r.p.s_free)[i] = r.s_free[t];
  }
  kernel::step_contact_points(r.p, *r.contact, T::is_fused);
  std::copy_n(r.p.v.phi, r.points, r.force + r.first);
  return r.p.pushes;
}
template <class T>
HWY_ATTR void step_rows(RowsView& r, bool pushed) noexcept {
  if (r.may_deactivate) {
    if (r.max_step_stale || r.since_max_step >= (r.impulse_pending ? 16 : 256)) {
      r.max_step_m = largest_step<T>(r);
      r.max_step_stale = r.impulse_pending = false;
      r.since_max_step = 0;
    }
    if (pushed) {
      r.max_step_m += impulse_step<T>(r.m, r.impulse_gain, r.m.push);
      r.impulse_pending = true;
    }
    activate<T>(r, false);
  }
  for (bool all_points = false;;) {
    const bool fused = step_and_read<T, false>(r, pushed, r.s_free);
    if (!fused) {
      move_modes<T, false>(r.m, pushed);
      read_taps<T>(r, r.m.s, r.s_free);
    }
    r.needs_all = false;
    const bool touched = step_row_contacts<T>(r, all_points);
    double impulse_step_m = 0;
    if (touched) {
      gather<T>(r);
      if (fused)
        step_and_read<T, true>(r, pushed, r.s);
      else
        move_modes<T, true>(r.m, pushed);
      if (r.may_deactivate) impulse_step_m = impulse_step<T>(r.m, r.impulse_gain, r.m.modal);
    }
    if (touched && r.column) {
      spread(r);
    } else if (touched) {
      if (!fused) read_taps<T>(r, r.m.s, r.s);
    } else {
      std::memcpy(r.s, r.s_free, r.taps * sizeof *r.s);
    }
    if (!fused && r.m.lossy) r.lost = loss<T>(r.m);
    if (!r.may_deactivate) return;
    if (!all_points && (r.travel_bound_m + r.max_step_m + impulse_step_m >= r.next_activation_m || missed_contact(r) ||
                        r.needs_all)) {  // seldom: again, with all points
      if (r.selected_count > 0) {
        r.line->restore();
        for (std::size_t i = 0; i < r.selected_count; ++i) r.force[r.first + r.selected[i]] = 0;
      }
      activate<T>(r, true);
      all_points = true;
      continue;
    }
    r.max_step_m += impulse_step_m;
    r.travel_bound_m += r.max_step_m;
    r.impulse_pending |= impulse_step_m > 0;
    ++r.since_max_step;
    return;
  }
}

template <class T>
HWY_ATTR void run_rows(RowsView& r, std::span<const ModalDrive> drives, std::span<const ModalProbe> probes,
                       std::size_t steps) noexcept {
  for (std::size_t n = 0; n < steps; ++n) {
    const bool pushed = !drives.empty();
    if (pushed) std::fill_n(r.m.push, r.m.count, 0.0);
    for (const ModalDrive& drive : drives) {
      const double force = r.io.sign * drive.force_N[n];
      for (std::size_t i = 0; i < r.modes; ++i) r.m.push[i] += r.row(drive.tap, i) * (r.m.share[i] * force);
    }
    if (!r.independent) kernel::keep_forces(r);
    if (r.line)
      r.line->clock += 1;
    else
      r.p.v.advance_landing();
    step_rows<T>(r, pushed);
    if (r.m.lossy) r.io.lost.add(r.lost);
    if (pushed) r.io.given.add(work<T>(r.m));
    double taken = 0;
    for (std::size_t i = 0; i < r.selected_count; ++i) taken -= r.line->phi[i] * r.line->s[i] / 2;
    if (taken != 0) r.io.taken.add(taken);
    std::swap(r.m.u, r.m.u_next);
    std::swap(r.m.d, r.m.d_next);
    if (!r.follows || r.until == 0) {
      read_taps<T>(r, r.m.u, r.w);
      read_taps<T>(r, r.m.d, r.d);
      r.until = 64;
    } else {
      double *HWY_RESTRICT w = r.w, *HWY_RESTRICT d = r.d;
      const double* HWY_RESTRICT moved = r.s;
      for (std::size_t t = 0; t < r.taps; ++t) {
        d[t] = moved[t] - d[t];
        w[t] += d[t];
      }
    }
    for (const ModalProbe& l : probes) {  // what the tap shows after the step
      if (l.what == StringProbe::force) {
        double all = 0;
        for (std::size_t i = 0; i < r.points; ++i) all += r.force[r.first + i];
        l.to[n] = all;
        continue;
      }
      const double w = r.w[l.tap], d = r.d[l.tap], s = r.s[l.tap];
      l.to[n] = r.io.sign * read_tap(l.what, w, d, s);
    }
    --r.until;
    if (r.may_deactivate && ++r.since_deactivation >= 16) {
      deactivate_far_points(r);
      r.since_deactivation = 0;
    }
    ++r.p.v.clock;
    if (r.independent && (n % 1024 == 1023 || n + 1 == steps)) r.io.note(r.p.v.counts);
  }
}
HWY_ATTR void run_rows_fused(RowsView& r, std::span<const ModalDrive> drives, std::span<const ModalProbe> probes,
                             std::size_t steps) {
  run_rows<ModalFused>(r, drives, probes, steps);
}
HWY_ATTR void run_rows_as_double(RowsView& r, std::span<const ModalDrive> drives, std::span<const ModalProbe> probes,
                                 std::size_t steps) {
  run_rows<Lanes<false, true>>(r, drives, probes, steps);
}
HWY_ATTR std::size_t row_lanes() { return ModalFused::width; }
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jawari::kernel {
namespace {
HWY_EXPORT(run_rows_fused);
HWY_EXPORT(run_rows_as_double);
HWY_EXPORT(row_lanes);

class LaneModes final : public ModalRows {
 public:
  LaneModes(const ModalBody& body, const Barrier& barrier, bool fused)
      : ModalRows(body, barrier, HWY_DYNAMIC_DISPATCH(row_lanes)()), fused_(fused) {}
  void run(std::size_t steps, std::span<const ModalDrive> drives,
           std::span<const ModalProbe> probes) noexcept override {
    std::fill(probed_.begin(), probed_.end(), char{0});
    for (const ModalProbe& l : probes)
      if (l.tap >= r_.first && l.tap < r_.first + r_.points) probed_[l.tap - r_.first] = 1;
    if (r_.may_deactivate && std::find(probed_.begin(), probed_.end(), 1) != probed_.end()) activate_all();
    if (fused_)
      HWY_DYNAMIC_DISPATCH(run_rows_fused)(r_, drives, probes, steps);
    else
      HWY_DYNAMIC_DISPATCH(run_rows_as_double)(r_, drives, probes, steps);
  }

 private:
  bool fused_;
};
}  // namespace

JAWARI_SETUP std::unique_ptr<ModalKernel> make_rows(const ModalBody& body, const ModalKernel::Barrier& barrier,
                                                    bool fused) {
  return std::make_unique<LaneModes>(body, barrier, fused);
}

}  // namespace jawari::kernel
#endif
