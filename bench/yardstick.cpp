// SPDX-License-Identifier: MIT
#include "yardstick.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/yardstick.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace jawari::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// 14 accumulators hide the latency; two vectors per turn.
template <class Number>
HWY_ATTR double dense(std::size_t points) {
  const hn::ScalableTag<Number> tag;
  using V = hn::Vec<decltype(tag)>;
  const V a = hn::Set(tag, Number(0.999999)), b = hn::Set(tag, Number(1e-6));
  V x0 = a, x1 = a, x2 = a, x3 = a, x4 = a, x5 = a, x6 = a, y0 = b, y1 = b, y2 = b, y3 = b, y4 = b, y5 = b, y6 = b;
  for (std::size_t i = 0; i < points; i += 2 * hn::Lanes(tag)) {
    x0 = hn::MulAdd(x0, a, b), x1 = hn::MulAdd(x1, a, b), x2 = hn::MulAdd(x2, a, b), x3 = hn::MulAdd(x3, a, b);
    x4 = hn::MulAdd(x4, a, b), x5 = hn::MulAdd(x5, a, b), x6 = hn::MulAdd(x6, a, b);
    y0 = hn::MulAdd(y0, a, b), y1 = hn::MulAdd(y1, a, b), y2 = hn::MulAdd(y2, a, b), y3 = hn::MulAdd(y3, a, b);
    y4 = hn::MulAdd(y4, a, b), y5 = hn::MulAdd(y5, a, b), y6 = hn::MulAdd(y6, a, b);
  }
  const V x = hn::Add(hn::Add(hn::Add(x0, x1), hn::Add(x2, x3)), hn::Add(hn::Add(x4, x5), x6));
  const V y = hn::Add(hn::Add(hn::Add(y0, y1), hn::Add(y2, y3)), hn::Add(hn::Add(y4, y5), y6));
  return static_cast<double>(hn::GetLane(hn::Add(x, y)));
}
HWY_ATTR double dense_double(std::size_t points) { return dense<double>(points); }
HWY_ATTR double dense_float(std::size_t points) { return dense<float>(points); }
}  // namespace HWY_NAMESPACE
}  // namespace jawari::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jawari::bench {
HWY_EXPORT(dense_double);
HWY_EXPORT(dense_float);
double yardstick_double(std::size_t points) { return HWY_DYNAMIC_DISPATCH(dense_double)(points); }
double yardstick_float(std::size_t points) { return HWY_DYNAMIC_DISPATCH(dense_float)(points); }
}  // namespace jawari::bench
#endif
