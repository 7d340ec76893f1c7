// SPDX-License-Identifier: MIT
#include "body/modal_fold.h"
#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "body/modal_lanes_fold.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace jawari::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using FoldTag = hn::CappedTag<double, 8>;
constexpr std::size_t fold_lanes = hn::MaxLanes(FoldTag());
constexpr std::size_t fold_parts = 8 / fold_lanes;
constexpr std::size_t groups_at_once = fold_lanes >= 4 ? 4 : 2;  // eight chains of additions or more hide their latency

template <std::size_t count>
HWY_INLINE void some_lane_sums(const double* base, std::size_t stride, std::size_t depth, const double* x, double* sums,
                               std::size_t apart) {
  const FoldTag tag;
  hn::Vec<FoldTag> sum[count][fold_parts];
  for (std::size_t g = 0; g < count; ++g)
    for (std::size_t p = 0; p < fold_parts; ++p) sum[g][p] = hn::Zero(tag);
  for (std::size_t i = 0; i < 8 * depth; i += 8)
    for (std::size_t p = 0; p < fold_parts; ++p) {
      const auto factor = hn::LoadU(tag, x + i + p * fold_lanes);
      for (std::size_t g = 0; g < count; ++g)
        sum[g][p] = hn::Add(sum[g][p], hn::Mul(hn::LoadU(tag, base + g * stride + i + p * fold_lanes), factor));
    }
  for (std::size_t g = 0; g < count; ++g)
    for (std::size_t p = 0; p < fold_parts; ++p) hn::StoreU(sum[g][p], tag, sums + g * apart + p * fold_lanes);
}

HWY_ATTR void lane_sums(const double* base, std::size_t groups, std::size_t blocks, std::size_t depth, const double* x,
                        double* sums) {
  const std::size_t stride = 8 * blocks * depth, apart = 8 * blocks;
  for (std::size_t b = 0; b < blocks; ++b) {
    const double* from = base + b * 8 * depth;
    const double* of = x + b * 8 * depth;
    double* to = sums + 8 * b;
    std::size_t g = 0;
    for (; g + groups_at_once <= groups; g += groups_at_once)
      some_lane_sums<groups_at_once>(from + g * stride, stride, depth, of, to + g * apart, apart);
    for (; g + 2 <= groups; g += 2) some_lane_sums<2>(from + g * stride, stride, depth, of, to + g * apart, apart);
    if (g < groups) some_lane_sums<1>(from + g * stride, stride, depth, of, to + g * apart, apart);
  }
}

HWY_ATTR void lane_products(const double* base, std::size_t groups, std::size_t blocks, std::size_t depth,
                            const double* factor, double* x) {
  const FoldTag tag;
  const std::size_t stride = 8 * blocks * depth, apart = 8 * blocks;
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t b = 0; b < blocks; ++b)
      for (std::size_t p = 0; p < fold_parts; ++p) {
        const auto f = hn::LoadU(tag, factor + g * apart + 8 * b + p * fold_lanes);
        const double* from = base + g * stride + b * 8 * depth + p * fold_lanes;
        double* to = x + b * 8 * depth + p * fold_lanes;
        for (std::size_t i = 0; i < 8 * depth; i += 8) {
          const auto product = hn::Mul(hn::LoadU(tag, from + i), f);
          hn::StoreU(g == 0 ? product : hn::Add(hn::LoadU(tag, to + i), product), tag, to + i);
        }
      }
}

}  // namespace jawari::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jawari::modal_lanes {
namespace {
HWY_EXPORT(lane_sums);
HWY_EXPORT(lane_products);
}  // namespace

void lane_sums(const double* base, std::size_t groups, std::size_t blocks, std::size_t depth, const double* x,
               double* sums) noexcept {
  HWY_DYNAMIC_DISPATCH(lane_sums)(base, groups, blocks, depth, x, sums);
}
void lane_products(const double* base, std::size_t groups, std::size_t blocks, std::size_t depth, const double* factor,
                   double* x) noexcept {
  HWY_DYNAMIC_DISPATCH(lane_products)(base, groups, blocks, depth, factor, x);
}

}  // namespace jawari::modal_lanes
#endif
