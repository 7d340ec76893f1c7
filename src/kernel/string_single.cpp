// SPDX-License-Identifier: MIT
#include "jawari/kernel/string_kernel.h"
#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/string_single.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernel/string_schemes.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
HWY_ATTR void run_single(StringArrays<float>& v, kernel::StepIo& t, const kernel::ContactModel& contact,
                         std::size_t n) {
  run_with<Lanes<true, false, float>, Lanes<true, true, float>>(v, t, contact, n);
}
HWY_ATTR std::size_t single_width() { return Lanes<true, false, float>::width; }
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernel/string_kernel_base.h"

namespace jawari::kernel {
namespace {
HWY_EXPORT(run_single);
HWY_EXPORT(single_width);

class SingleString final : public StringKernelBase<float> {
 public:
  SingleString(const GridNumbers& a, std::size_t nodes, const Barrier& b, double dt_s)
      : StringKernelBase(a, nodes, b, dt_s, HWY_DYNAMIC_DISPATCH(single_width)(),
                         is_fast(a, nodes) ? StepForm::collected : StepForm::differences) {}
  void run(std::size_t steps, std::span<const StringDrive> drives, std::span<const StringProbe> probes,
           std::span<const StringForce> forces) noexcept override {
    io_.drives = drives;
    io_.probes = probes;
    io_.forces = forces;
    update_detection(steps);
    HWY_DYNAMIC_DISPATCH(run_single)(arrays_, io_, contact_, steps);
  }
};
}  // namespace

std::unique_ptr<StringKernel> make_single(const GridNumbers& string, std::size_t nodes,
                                          const StringKernel::Barrier& barrier, double dt_s) {
  return std::make_unique<SingleString>(string, nodes, barrier, dt_s);
}

}  // namespace jawari::kernel
#endif
