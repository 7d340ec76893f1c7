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
HWY_ATTR void run_single(StringView<float>& v, kernel::StringTraffic& t, KernelScheme scheme, std::size_t n) {
  run_with<Lanes<true, false, float>, Lanes<true, true, float>>(v, t, scheme, n);
}
HWY_ATTR std::size_t single_width() { return Lanes<true, false, float>::width; }
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernel/string_record.h"

namespace jawari::kernel {
namespace {
HWY_EXPORT(run_single);
HWY_EXPORT(single_width);

class SingleString final : public StringRecord<float> {
 public:
  SingleString(const GridNumbers& a, std::size_t nodes, const Barrier& b, double dt_s)
      : StringRecord(a, nodes, b, dt_s, HWY_DYNAMIC_DISPATCH(single_width)(),
                     is_fast(a, nodes) ? Way::collected : Way::differences) {}
  void run(std::size_t steps, std::span<const StringDrive> drives, std::span<const StringListener> listeners,
           std::span<const StringForce> forces) noexcept override {
    traffic_.drives = drives;
    traffic_.listeners = listeners;
    traffic_.forces = forces;
    watch(steps);
    HWY_DYNAMIC_DISPATCH(run_single)(view_, traffic_, scheme_name_, steps);
  }
};
}  // namespace

std::unique_ptr<StringKernel> make_single(const GridNumbers& string, std::size_t nodes,
                                          const StringKernel::Barrier& barrier, double dt_s) {
  return std::make_unique<SingleString>(string, nodes, barrier, dt_s);
}

}  // namespace jawari::kernel
#endif
