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
    x0 = hn::MulAdd(a, b, x0);
    x1 = hn::MulAdd(a, b, x1);
    x2 = hn::MulAdd(a, b, x2);
    x3 = hn::MulAdd(a, b, x3);
    x4 = hn::MulAdd(a, b, x4);
    x5 = hn::MulAdd(a, b, x5);
    x6 = hn::MulAdd(a, b, x6);
    y0 = hn::MulAdd(a, b, y0);
    y1 = hn::MulAdd(a, b, y1);
    y2 = hn::MulAdd(a, b, y2);
    y3 = hn::MulAdd(a, b, y3);
    y4 = hn::MulAdd(a, b, y4);
    y5 = hn::MulAdd(a, b, y5);
    y6 = hn::MulAdd(a, b, y6);
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
