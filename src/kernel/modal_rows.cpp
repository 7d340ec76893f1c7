// SPDX-License-Identifier: MIT
#include "jawari/kernel/modal_kernel.h"

// As in string_kernel.cpp.
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_WASM | HWY_WASM_EMU256)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/modal_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernel/modal_rows.h"
#include "kernel/modal_steps.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using kernel::RowsView;

/// Eight partial sums, as sum_of() has them.
template <class T>
struct Partial {
  static constexpr std::size_t vectors = 8 / T::width;
  T a[vectors];
  HWY_ATTR Partial() { each<vectors>([&](auto i) HWY_ATTR { a[i] = T(0); }); }
  HWY_ATTR double total() const {
    HWY_ALIGN double l[8];
    each<vectors>([&](auto i) HWY_ATTR { a[i].store(l + i * T::width); });
    return ((l[0] + l[1]) + (l[2] + l[3])) + ((l[4] + l[5]) + (l[6] + l[7]));
  }
};
/// What the listed taps read of the modes.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void read_taps(const RowsView& r, const double* HWY_RESTRICT modal, double* HWY_RESTRICT to) noexcept {
  const std::size_t count = r.m.count;
  std::size_t k = 0;
  const auto dot = [&](const double* row, const double* row2, double& x, double& y) HWY_ATTR {
    Partial<T> p, q;
    for (std::size_t at = 0; at < count; at += 8)
      each<Partial<T>::vectors>([&](auto i) HWY_ATTR {
        const T m = T::load(modal + at + i * T::width);
        p.a[i] = p.a[i] + T::load(row + at + i * T::width) * m, q.a[i] = q.a[i] + T::load(row2 + at + i * T::width) * m;
      });
    x = p.total(), y = q.total();
  };
  for (; k + 2 <= r.awake_count; k += 2)
    dot(r.shape + r.awake[k] * count, r.shape + r.awake[k + 1] * count, to[r.awake[k]], to[r.awake[k + 1]]);
  if (k == r.awake_count) return;
  Partial<T> p;
  const double* row = r.shape + r.awake[k] * count;
  for (std::size_t at = 0; at < count; at += 8)
    each<Partial<T>::vectors>([&](auto i) HWY_ATTR {
      p.a[i] = p.a[i] + T::load(row + at + i * T::width) * T::load(modal + at + i * T::width);
    });
  to[r.awake[k]] = p.total();
}
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void gather(const RowsView& r) noexcept {
  std::fill_n(r.m.modal, r.m.count, 0.0);
  for (std::size_t t = r.first; t < r.first + r.points; ++t) {
    if (r.force[t] == 0) continue;
    const double* row = r.shape + t * r.m.count;
    const T f(r.force[t]);
    for (std::size_t at = 0; at < r.m.count; at += T::width)
      (T::load(r.m.modal + at) + T::load(row + at) * f).store(r.m.modal + at);
  }
}
/// (M2) lost and given in this step, and (N4) how much a jolt adds to V.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN double sum(const ModalColumns& m, const double* weight, const double* x, bool square) noexcept {
  Partial<T> p;
  for (std::size_t at = 0; at < m.count; at += 8)
    each<Partial<T>::vectors>([&](auto i) HWY_ATTR {
      const T v = T::load(x + at + i * T::width), w = T::load(weight + at + i * T::width);
      p.a[i] = p.a[i] + w * (square ? T(v * v) : size(v));
    });
  return p.total();
}
template <class T>
HWY_NOINLINE JAWARI_FLATTEN double work(const ModalColumns& m) noexcept {
  Partial<T> p;
  for (std::size_t at = 0; at < m.count; at += 8)
    each<Partial<T>::vectors>([&](auto i) HWY_ATTR {
      p.a[i] = p.a[i] + T::load(m.push + at + i * T::width) * T::load(m.s + at + i * T::width);
    });
  return p.total() / 2;
}
/// (N4)
template <class T>
HWY_NOINLINE JAWARI_FLATTEN double farthest(const RowsView& r) noexcept {
  Partial<T> p;
  for (std::size_t at = 0; at < r.m.count; at += 8)
    each<Partial<T>::vectors>([&](auto i) HWY_ATTR {
      const std::size_t here = at + i * T::width;
      const T d = T::load(r.m.d + here), mean = T::load(r.m.u + here) - T(0.5) * d;
      p.a[i] = p.a[i] + T::load(r.reach + here) * root(T(d * d + T::load(r.ratio + here) * T(mean * mean)));
    });
  return p.total() * (1 + 1e-9);
}
/// Before a step: who must be looked at again.
template <class T>
HWY_ATTR void wake(RowsView& r, bool all) noexcept {
  if (!all && r.way + 2 * r.V < r.next_wake) return;
  const double until = all ? std::numeric_limits<double>::max() : r.way + 3 * r.V;
  std::size_t woken = 0;
  for (std::size_t i = 0; i < r.points; ++i)
    if (r.wake[i] <= until) r.wake[i] = std::numeric_limits<double>::infinity(), r.picked[woken++] = static_cast<std::uint32_t>(i);
  std::uint32_t* list = r.awake;
  const std::size_t count = r.awake_count;
  for (std::size_t i = 0; i < woken; ++i) r.picked[i] += static_cast<std::uint32_t>(r.first);
  r.awake = r.picked, r.awake_count = woken;  // only they are read
  read_taps<T>(r, r.m.u, r.w), read_taps<T>(r, r.m.d, r.d);
  r.awake = list, r.awake_count = count;
  list_awake(r);
}

template <class T, class Careful>
HWY_ATTR bool touch_rows(RowsView& r, bool everybody) noexcept {
  if (!r.alone) return solve_island(r, everybody);
  for (std::size_t i = 0; i < r.points; ++i) {
    const std::size_t t = r.first + i;
    r.p.v.u[i] = r.w[t], r.p.v.d[i] = r.d[t], const_cast<double*>(r.p.s_free)[i] = r.s_free[t];
  }
  touch_points<T, Careful>(r.p, r.scheme);
  std::copy_n(r.p.v.phi, r.points, r.force + r.first);
  return r.p.pushes;
}
template <class T, class Careful>
HWY_ATTR void step_rows(RowsView& r, bool pushed) noexcept {
  if (r.sleeps) {
    if (r.V_stale || r.since_V >= (r.bumped ? 16 : 256)) r.V = farthest<T>(r), r.V_stale = r.bumped = false, r.since_V = 0;
    if (pushed) r.V += sum<T>(r.m, r.jolt, r.m.push, false) * (1 + 1e-9), r.bumped = true;
    wake<T>(r, false);
  }
  for (bool everybody = false;;) {
    move_modes<T, false>(r.m, pushed);
    read_taps<T>(r, r.m.s, r.s_free);
    const bool touched = touch_rows<T, Careful>(r, everybody);
    double bump = 0;
    if (touched) {
      gather<T>(r);
      move_modes<T, true>(r.m, pushed);
      if (r.sleeps) bump = sum<T>(r.m, r.jolt, r.m.modal, false) * (1 + 1e-9);
    }
    if (touched || !r.follows) {
      read_taps<T>(r, r.m.s, r.s);
    } else {
      for (std::size_t i = 0; i < r.awake_count; ++i) r.s[r.awake[i]] = r.s_free[r.awake[i]];
    }
    if (!r.sleeps) return;
    if (!everybody && (r.way + r.V + bump >= r.next_wake || left_out(r))) {  // seldom: again, with all of them
      if (r.picked_count > 0) {
        r.line->restore();
        for (std::size_t i = 0; i < r.picked_count; ++i) r.force[r.first + r.picked[i]] = 0;
      }
      wake<T>(r, true), everybody = true;
      continue;
    }
    r.V += bump, r.way += r.V;
    r.bumped |= bump > 0, ++r.since_V;
    return;
  }
}

template <class T, class Careful>
HWY_ATTR void run_rows(RowsView& r, std::span<const ModalDrive> drives, std::span<const ModalListener> listeners,
                       std::size_t steps) noexcept {
  for (std::size_t n = 0; n < steps; ++n) {
    const bool pushed = !drives.empty();
    if (pushed) std::fill_n(r.m.push, r.m.count, 0.0);
    for (const ModalDrive& drive : drives) {
      const double force = r.traffic.sign * drive.force_N[n];
      for (std::size_t i = 0; i < r.modes; ++i) r.m.push[i] += r.row(drive.tap, i) * force;
    }
    if (!r.alone)
      for (std::size_t i = 0; i < r.picked_count; ++i) r.force[r.first + r.picked[i]] = 0;
    r.picked_count = 0;
    step_rows<T, Careful>(r, pushed);
    if (r.m.lossy) r.traffic.lost.add(sum<T>(r.m, r.m.loss, r.m.s, true));
    if (pushed) r.traffic.given.add(work<T>(r.m));
    for (const ModalListener& l : listeners) {
      if (l.what == StringListener::force) {
        double all = 0;
        for (std::size_t i = 0; i < r.points; ++i) all += r.force[r.first + i];
        l.to[n] = all;
        continue;
      }
      const double w = r.w[l.tap], d = r.d[l.tap], s = r.s[l.tap];
      l.to[n] = r.traffic.sign * (l.what == StringListener::displacement ? w : l.what == StringListener::double_step ? s : s - 2 * d);
    }
    std::swap(r.m.u, r.m.u_next), std::swap(r.m.d, r.m.d_next);
    if (!r.follows || r.until == 0) {
      read_taps<T>(r, r.m.u, r.w), read_taps<T>(r, r.m.d, r.d), r.until = 64;
    } else {
      for (std::size_t i = 0; i < r.awake_count; ++i) {
        const std::size_t t = r.awake[i];
        r.d[t] = r.s[t] - r.d[t], r.w[t] += r.d[t];
      }
    }
    --r.until;
    if (r.sleeps) lull(r);
    if (r.alone && (n % 1024 == 1023 || n + 1 == steps)) r.traffic.note(r.p.v.touches);
  }
}
HWY_ATTR void run_rows_fused(RowsView& r, std::span<const ModalDrive> drives, std::span<const ModalListener> listeners,
                             std::size_t steps) {
  run_rows<Lanes<true, false>, Lanes<true, true>>(r, drives, listeners, steps);
}
HWY_ATTR void run_rows_as_double(RowsView& r, std::span<const ModalDrive> drives, std::span<const ModalListener> listeners,
                                 std::size_t steps) {
  run_rows<Lanes<false, true>, Lanes<false, true>>(r, drives, listeners, steps);
}
HWY_ATTR std::size_t row_lanes() { return Lanes<true, false>::width; }
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
  void run(std::size_t steps, std::span<const ModalDrive> drives, std::span<const ModalListener> listeners) noexcept override {
    if (r_.sleeps)  // who is listened to is awake
      for (const ModalListener& l : listeners)
        if (l.tap >= r_.first && l.tap < r_.first + r_.points) wake_all();
    if (fused_) HWY_DYNAMIC_DISPATCH(run_rows_fused)(r_, drives, listeners, steps);
    else HWY_DYNAMIC_DISPATCH(run_rows_as_double)(r_, drives, listeners, steps);
  }

 private:
  bool fused_;
};
}  // namespace

std::unique_ptr<ModalKernel> make_rows(const ModalBody& body, const ModalKernel::Barrier& barrier, bool fused) {
  return std::make_unique<LaneModes>(body, barrier, fused);
}

}  // namespace jawari::kernel
#endif
