// SPDX-License-Identifier: MIT
#include "jawari/kernel/string_kernel.h"

#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/string_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernel/setup.h"
#include "kernel/string_schemes.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

HWY_ATTR void run_fused(StringArrays<double>& v, kernel::StepIo& t, const kernel::ContactModel& contact,
                        std::size_t n) {
  run_with<Lanes<JAWARI_FUSED, false>, Lanes<JAWARI_FUSED, true>>(v, t, contact, n);
}
HWY_ATTR void run_as_double(StringArrays<double>& v, kernel::StepIo& t, const kernel::ContactModel& contact,
                            std::size_t n) {
  run_with<Lanes<false, false>, Lanes<false, true>>(v, t, contact, n);
}
HWY_ATTR std::size_t double_width() { return Lanes<true, false>::width; }
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fmt/format.h>

#include "jawari/core/param.h"
#include "kernel/string_kernel_base.h"

namespace jawari {
namespace {
HWY_EXPORT(run_fused);
HWY_EXPORT(run_as_double);
HWY_EXPORT(double_width);

class DoubleString final : public kernel::StringKernelBase<double> {
 public:
  DoubleString(const GridNumbers& a, std::size_t nodes, const Barrier& b, double dt_s, bool fused)
      : StringKernelBase(a, nodes, b, dt_s, HWY_DYNAMIC_DISPATCH(double_width)(),
                         fused ? kernel::StepForm::levels : kernel::StepForm::differences),
        fused_(fused) {}
  void run(std::size_t steps, std::span<const StringDrive> drives, std::span<const StringProbe> probes,
           std::span<const StringForce> forces) noexcept override {
    io_.drives = drives;
    io_.probes = probes;
    io_.forces = forces;
    update_detection(steps);
    if (fused_)
      HWY_DYNAMIC_DISPATCH(run_fused)(arrays_, io_, contact_, steps);
    else
      HWY_DYNAMIC_DISPATCH(run_as_double)(arrays_, io_, contact_, steps);
  }

 private:
  bool fused_;
};
}  // namespace

JAWARI_SETUP std::unique_ptr<StringKernel> StringKernel::make(const GridNumbers& string, std::size_t nodes, const Barrier& barrier,
                                                 double dt_s, Arithmetic arithmetic) {
  if (string.unconditional || string.gamma != 0 || (string.centred && string.s1 != 0))
    throw InputError("operator", "operator is implicit, but the fused kernel must have an explicit string", "implicit",
                     "be explicit");
  if (barrier.first_node + barrier.offset_m.size() > nodes)
    throw InputError("offset_m",
                     fmt::format("offset_m has {} entries from node {} on, but the string has {} nodes",
                                 barrier.offset_m.size(), barrier.first_node, nodes),
                     fmt::format("{} entries from node {} on", barrier.offset_m.size(), barrier.first_node),
                     fmt::format("lie within {} nodes", nodes));
#ifndef JAWARI_FEW_KERNELS
  if (arithmetic == Arithmetic::single) return kernel::make_single(string, nodes, barrier, dt_s);
#endif
  const bool fused = arithmetic != Arithmetic::as_double && kernel::is_fast(string, nodes);
  return std::make_unique<DoubleString>(string, nodes, barrier, dt_s, fused);
}

}  // namespace jawari
#endif
