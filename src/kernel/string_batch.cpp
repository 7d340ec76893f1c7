// SPDX-License-Identifier: MIT
#include "jawari/kernel/string_batch.h"

#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/string_batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernel/batch_steps.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using BatchFused = Lanes<JAWARI_FUSED, true>;
using BatchAsDouble = Lanes<false, true>;
HWY_ATTR void batch_step_fused(kernel::BatchView& v) { batch::step_group<BatchFused>(v); }
HWY_ATTR void batch_step_as_double(kernel::BatchView& v) { batch::step_group<BatchAsDouble>(v); }
HWY_ATTR void batch_factor_fused(kernel::BatchGroup& g) { batch::factor_group<BatchFused>(g); }
HWY_ATTR void batch_factor_as_double(kernel::BatchGroup& g) { batch::factor_group<BatchAsDouble>(g); }
kernel::BatchScheme batch_scheme_fused(const kernel::ContactModel& contact) {
  return batch::contact_calls<BatchFused>(contact);
}
kernel::BatchScheme batch_scheme_as_double(const kernel::ContactModel& contact) {
  return batch::contact_calls<BatchAsDouble>(contact);
}
std::size_t batch_width() { return BatchFused::width; }
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <utility>

#include "kernel/string_batch_base.h"

namespace jawari {
namespace {
HWY_EXPORT(batch_step_fused);
HWY_EXPORT(batch_step_as_double);
HWY_EXPORT(batch_factor_fused);
HWY_EXPORT(batch_factor_as_double);
HWY_EXPORT(batch_scheme_fused);
HWY_EXPORT(batch_scheme_as_double);
HWY_EXPORT(batch_width);
using kernel::BatchGroup;

class Batch final : public kernel::StringBatchBase {
 public:
  Batch(std::span<const String> strings, const Contact& contact, double dt_s, bool fused)
      : StringBatchBase(strings, contact, dt_s, HWY_DYNAMIC_DISPATCH(batch_width)()), fused_(fused) {
    build();
    view_.scheme = fused ? HWY_DYNAMIC_DISPATCH(batch_scheme_fused)(contact_)
                         : HWY_DYNAMIC_DISPATCH(batch_scheme_as_double)(contact_);
  }
  void run(std::size_t steps, std::span<const Drive> drives, std::span<const Probe> probes) noexcept override {
    for (BatchGroup& g : groups_) {
      if (!g.on[0] && !g.on[1]) continue;
      view_.group = &g;
      g.loaded = false;
      for (const Drive& drive : drives) g.loaded |= meets(g, drive.string);
      bool heard = g.loaded;
      for (const Probe& l : probes) heard |= meets(g, l.string);
      for (std::size_t n = 0; n < steps; ++n) {
        if (g.loaded) push(g, drives, n);
        if (fused_)
          HWY_DYNAMIC_DISPATCH(batch_step_fused)(view_);
        else
          HWY_DYNAMIC_DISPATCH(batch_step_as_double)(view_);
        if (heard) read_probes(g, drives, probes, n);
      }
    }
  }

 private:
  void factor(BatchGroup& g) noexcept override {
    if (fused_)
      HWY_DYNAMIC_DISPATCH(batch_factor_fused)(g);
    else
      HWY_DYNAMIC_DISPATCH(batch_factor_as_double)(g);
  }
  void push(BatchGroup& g, std::span<const Drive> drives, std::size_t n) noexcept {
    for (const Drive& drive : drives)
      if (meets(g, drive.string))
        for (std::size_t k = 0; k < drive.at.count; ++k)
          g.load[index(drive.string, drive.at.first + k)] +=
              strings_[drive.string].barrier.sign * drive.at.weight[k] * drive.force_N[n];
  }
  /// Between two steps: accounts for the work, clears the loads, fills the probes.
  void read_probes(BatchGroup& g, std::span<const Drive> drives, std::span<const Probe> probes,
                   std::size_t n) noexcept {
    for (const Drive& drive : drives) {
      if (!meets(g, drive.string)) continue;
      double work = 0;
      for (std::size_t k = 0; k < drive.at.count; ++k) {
        const std::size_t at = index(drive.string, drive.at.first + k);
        work += std::exchange(g.load[at], 0.0) * (g.d[at] + (g.d[at] + g.change[at])) / 2;
      }
      if (work != 0) given_[drive.string].add(work);
    }
    for (const Probe& l : probes) {
      if (!meets(g, l.string)) continue;
      double sum = 0;
      if (l.what == StringProbe::force) {
        for (std::size_t k = 0; k < count(l.string); ++k) sum += g.phi[index(l.string, first(l.string) + k)];
        l.to[n] = sum;
        continue;
      }
      double w = 0, d = 0, s = 0;  // of the tap, after the step
      for (std::size_t k = 0; k < l.at.count; ++k) {
        const std::size_t at = index(l.string, l.at.first + k);
        const double next = g.d[at] + g.change[at];
        w += l.at.weight[k] * (g.u[at] + next);
        d += l.at.weight[k] * next;
        s += l.at.weight[k] * (g.d[at] + next);
      }
      l.to[n] = strings_[l.string].barrier.sign * read_tap(l.what, w, d, s);
    }
  }

  bool fused_;
};
}  // namespace

std::unique_ptr<StringBatch> StringBatch::make(std::span<const String> strings, const Contact& contact, double dt_s,
                                               Arithmetic arithmetic) {
  return std::make_unique<Batch>(strings, contact, dt_s, arithmetic == Arithmetic::fused);
}

}  // namespace jawari
#endif
