// SPDX-License-Identifier: MIT
#include "jawari/kernel/modal_kernel.h"
#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/modal_sines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernel/modal_points.h"
#include "kernel/modal_sines.h"
#include "kernel/modal_steps.h"
#include "kernel/setup.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using kernel::SineGroup;
using kernel::SineIo;

template <class T>
HWY_NOINLINE JAWARI_FLATTEN void transform(const SineGroup& g, const double* x, double* out) noexcept {
  g.transform->run<T>(x, out);
}
/// One number that rounds as Lanes do: a string on its own is transformed number by number, everything else runs along
/// it.
template <bool fused>
struct ScalarLane {
  using Tag = hn::CappedTag<double, 1>;
  using Vector = hn::Vec<Tag>;
  using PendingProduct = Product<ScalarLane>;
  using ProductType = std::conditional_t<fused, PendingProduct, ScalarLane>;
  static constexpr std::size_t width = 1;
  Vector v;

  HWY_ATTR ScalarLane() {}
  HWY_ATTR ScalarLane(Vector x) : v(x) {}
  HWY_ATTR ScalarLane(double x) : v(hn::Set(Tag(), x)) {}
  HWY_ATTR ScalarLane(const PendingProduct& p) : v(hn::Mul(p.a.v, p.b.v)) {}
  HWY_ATTR ScalarLane(const ScalarLane& o) : v(o.v) {}
  HWY_ATTR ScalarLane& operator=(const ScalarLane& o) { return v = o.v, *this; }
  static HWY_ATTR ScalarLane load(const double* from) { return hn::LoadU(Tag(), from); }
  HWY_ATTR void store(double* to) const { hn::StoreU(v, Tag(), to); }
  friend HWY_ATTR ScalarLane operator-(const ScalarLane& a) { return hn::Neg(a.v); }
  friend HWY_ATTR ScalarLane operator+(const ScalarLane& a, const ScalarLane& b) { return hn::Add(a.v, b.v); }
  friend HWY_ATTR ScalarLane operator-(const ScalarLane& a, const ScalarLane& b) { return hn::Sub(a.v, b.v); }
  friend HWY_ATTR ProductType operator*(const ScalarLane& a, const ScalarLane& b) {
    return ProductType(PendingProduct{a, b});
  }
  friend HWY_ATTR ScalarLane operator+(const ScalarLane& x, const PendingProduct& p) {
    return hn::MulAdd(p.a.v, p.b.v, x.v);
  }
  friend HWY_ATTR ScalarLane operator-(const ScalarLane& x, const PendingProduct& p) {
    return hn::NegMulAdd(p.a.v, p.b.v, x.v);
  }
};
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void transform_scalar(const SineGroup& g, const double* x, double* out) noexcept {
  g.transform->run<ScalarLane<T::is_fused>>(x, out);
}
/// A string on its own, or one per lane.
template <class T>
HWY_ATTR void transform_any(const SineGroup& g, const double* x, double* out) noexcept {
  if (g.lanes == 1)
    transform_scalar<T>(g, x, out);
  else
    transform<T>(g, x, out);
}
/// The same along the modes.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void read_rows_scalar(const SineGroup& g, const double* modal, double* rows) noexcept {
  constexpr std::size_t vectors = 8 / T::width;
  for (std::size_t r = 0; r < g.rows; ++r) {
    const double* shape = g.shape + r * g.modes;
    T a[vectors];
    unroll<vectors>([&](auto i) HWY_ATTR { a[i] = T(0); });
    std::size_t at = 0;
    for (; at + 8 <= g.modes; at += 8)
      unroll<vectors>([&](auto i) HWY_ATTR {
        a[i] = a[i] + T::load(shape + at + i * T::width) * T::load(modal + at + i * T::width);
      });
    HWY_ALIGN double x[8] = {}, y[8] = {}, l[8];
    for (std::size_t i = 0; at + i < g.modes; ++i) {
      x[i] = shape[at + i];
      y[i] = modal[at + i];
    }
    unroll<vectors>([&](auto i) HWY_ATTR {
      (a[i] + T::load(x + i * T::width) * T::load(y + i * T::width)).store(l + i * T::width);
    });
    rows[r] = ((l[0] + l[1]) + (l[2] + l[3])) + ((l[4] + l[5]) + (l[6] + l[7]));
  }
}
/// What the rows read of the modes, summed as sum_of() does it.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void read_rows(const SineGroup& g, const double* modal, double* rows) noexcept {
  if (g.lanes == 1) return read_rows_scalar<T>(g, modal, rows);
  for (std::size_t r = 0; r < g.rows; ++r) {
    const double* shape = g.shape + r * g.modes * T::width;
    T a[8];
    unroll<8>([&](auto i) HWY_ATTR { a[i] = T(0); });
    std::size_t i = 0;
    for (; i + 8 <= g.modes; i += 8)
      unroll<8>([&](auto l) HWY_ATTR {
        const std::size_t at = (i + l) * T::width;
        a[l] = a[l] + T::load(shape + at) * T::load(modal + at);
      });
    unroll<8>([&](auto l) HWY_ATTR {
      const std::size_t at = (i + l) * T::width;
      if (i + l < g.modes) a[l] = a[l] + T::load(shape + at) * T::load(modal + at);
    });
    (((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]))).store(rows + r * T::width);
  }
}
/// (M2), lane by lane: what the modes lose, and what drives give.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void account_step(SineGroup& g, bool pushed) noexcept {
  T lost(0), lost2(0), given(0);
  for (std::size_t at = 0; at < g.m.count; at += 2 * T::width) {
    const T s = T::load(g.m.s + at), t = T::load(g.m.s + at + T::width);
    lost = lost + mode_loss(T::load(g.m.loss + at), s);
    lost2 = lost2 + mode_loss(T::load(g.m.loss + at + T::width), t);
    if (pushed) given = given + mode_work(T::load(g.m.push + at), s) + mode_work(T::load(g.m.push + at + T::width), t);
  }
  const T half_given = given * T(0.5);
  (lost + lost2).store(g.lost);
  half_given.store(g.given);
  for (std::size_t i = 1; g.lanes == 1 && i < T::width; ++i) {
    g.lost[0] += g.lost[i];
    g.given[0] += g.given[i];
  }
}
template <class T>
HWY_ATTR void refresh_taps(SineGroup& g) noexcept {
  const auto here = [&](std::size_t at) { return g.until[at % g.lanes] == 0; };
  const auto refresh = [&](const double* modal, double* points, double* rows) {
    transform_any<T>(g, modal, g.spare);
    for (std::size_t at = 0; at < g.modes * g.lanes; ++at)
      if (here(at)) points[at] = g.spare[at];
    read_rows<T>(g, modal, g.row_spare);
    for (std::size_t at = 0; at < g.rows * g.lanes; ++at)
      if (here(at)) rows[at] = g.row_spare[at];
  };
  refresh(g.m.u, g.p.v.u, g.row_w);
  refresh(g.m.d, g.p.v.d, g.row_d);
  for (int& until : g.until)
    if (until == 0) until = 64;
}
inline void note(SineGroup& g) noexcept {
  if (g.lanes == 1) return g.io[0].note(g.p.v.counts);
  for (std::size_t lane = 0; lane < g.lanes; ++lane) {
    if (!g.active[lane]) continue;
    const kernel::ContactCounts<double>& all = g.p.v.counts;
    kernel::ContactCounts<double> its;
    its.most_iterations = all.most_iterations;
    its.units = all.units;
    using Lanes8 = double[8];
    const Lanes8* from[] = {&all.deepest, &all.deepest_half, &all.strongest, &all.free_lanes, &all.work,
                            &all.lost,    &all.landed,       &all.ended,     &all.shortest,   &all.longest,
                            &all.entry,   &all.left,         &all.solves,    &all.iterations, &all.unsettled};
    Lanes8* to[] = {&its.deepest, &its.deepest_half, &its.strongest, &its.free_lanes, &its.work,
                    &its.lost,    &its.landed,       &its.ended,     &its.shortest,   &its.longest,
                    &its.entry,   &its.left,         &its.solves,    &its.iterations, &its.unsettled};
    for (std::size_t i = 0; i < std::size(from); ++i) (*to[i])[lane] = (*from[i])[lane];
    g.io[lane].note(its);
  }
  g.p.v.counts = {};
}

template <class T>
HWY_ATTR void run_group(SineGroup& g, const SineIo& t, const kernel::ContactModel& contact,
                        std::size_t steps) noexcept {
  for (std::size_t n = 0; n < steps; ++n) {
    const bool pushed = push(g, t, n);
    g.p.v.advance_landing();
    move_modes<T, false>(g.m, pushed);
    transform_any<T>(g, g.m.s, g.s_free);
    kernel::step_contact_points(g.p, contact, T::is_fused);
    if (g.p.pushes) {
      transform_any<T>(g, g.p.v.phi, g.m.modal);
      move_modes<T, true>(g.m, pushed);
    }
    if (g.m.lossy || pushed) {
      account_step<T>(g, pushed);
      for (std::size_t lane = 0; lane < g.lanes; ++lane) {
        g.io[lane].lost.add(g.lost[lane]);
        if (pushed) g.io[lane].given.add(g.given[lane]);
      }
    }
    if (g.rows > 0) read_rows<T>(g, g.m.s, g.row_s);
    for (std::size_t at = 0; at < g.rows * g.lanes; ++at) {
      g.row_d[at] = g.row_s[at] - g.row_d[at];
      g.row_w[at] += g.row_d[at];
    }
    auto& v = g.p.v;
    std::swap(v.u, v.u_next);
    std::swap(v.d, v.d_next);
    std::swap(g.m.u, g.m.u_next);
    std::swap(g.m.d, g.m.d_next);
    bool due = false;
    for (std::size_t lane = 0; lane < g.lanes; ++lane) due |= g.until[lane] == 0;
    if (due) refresh_taps<T>(g);
    for (std::size_t lane = 0; lane < g.lanes; ++lane) --g.until[lane];
    read_probes(g, t, n);
    ++v.clock;
    if (n % 1024 == 1023 || n + 1 == steps) note(g);
  }
}

HWY_ATTR void run_sines_fused(SineGroup& g, const SineIo& t, const kernel::ContactModel& contact, std::size_t n) {
  run_group<ModalFused>(g, t, contact, n);
}
HWY_ATTR void run_sines_as_double(SineGroup& g, const SineIo& t, const kernel::ContactModel& contact, std::size_t n) {
  run_group<Lanes<false, true>>(g, t, contact, n);
}
HWY_ATTR std::size_t sine_lanes() { return ModalFused::width; }
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jawari::kernel {
namespace {
HWY_EXPORT(run_sines_fused);
HWY_EXPORT(run_sines_as_double);
HWY_EXPORT(sine_lanes);

class LaneStrings final : public SineStrings {
 public:
  LaneStrings(std::span<const ModalBody* const> bodies, std::span<const Barrier> barriers, bool fused)
      : SineStrings(bodies, barriers, bodies.size() == 1 ? 1 : HWY_DYNAMIC_DISPATCH(sine_lanes)(),
                    HWY_DYNAMIC_DISPATCH(sine_lanes)()),
        fused_(fused) {}
  void run(std::size_t steps, std::span<const ModalDrive> drives,
           std::span<const ModalProbe> probes) noexcept override {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (!groups_[i].any_active) continue;
      const SineIo io{drives, probes, i * lanes_, std::min(lanes_, tables_.size() - i * lanes_)};
      if (fused_)
        HWY_DYNAMIC_DISPATCH(run_sines_fused)(groups_[i], io, contact_, steps);
      else
        HWY_DYNAMIC_DISPATCH(run_sines_as_double)(groups_[i], io, contact_, steps);
    }
  }

 private:
  bool fused_;
};
}  // namespace

JAWARI_SETUP std::unique_ptr<ModalKernel> make_sines(std::span<const ModalBody* const> bodies,
                                                     std::span<const ModalKernel::Barrier> barriers, bool fused) {
  return std::make_unique<LaneStrings>(bodies, barriers, fused);
}

}  // namespace jawari::kernel
#endif
