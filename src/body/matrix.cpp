// SPDX-License-Identifier: MIT
#include "body/matrix.h"

#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "body/matrix.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace jawari::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;
constexpr std::size_t lanes = hn::MaxLanes(Tag());
constexpr std::size_t parts = 8 / lanes;              // vectors that hold the eight sums of sums.h
constexpr std::size_t at_once = lanes >= 4 ? 4 : 1;  // rows: a chain of additions waits for itself, eight chains do not

template <std::size_t count>
HWY_INLINE void some_times(const double* rows, std::size_t columns, const double* x, double* to) {
  const Tag tag;
  Vector sum[count][parts];
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t p = 0; p < parts; ++p) sum[r][p] = hn::Zero(tag);
  std::size_t i = 0;
  for (; i + 8 <= columns; i += 8)
    for (std::size_t p = 0; p < parts; ++p) {
      const Vector factor = hn::LoadU(tag, x + i + p * lanes);
      for (std::size_t r = 0; r < count; ++r)
        sum[r][p] = hn::Add(sum[r][p], hn::Mul(hn::LoadU(tag, rows + r * columns + i + p * lanes), factor));
    }
  for (std::size_t r = 0; r < count; ++r) {
    double a[8];
    for (std::size_t p = 0; p < parts; ++p) hn::StoreU(sum[r][p], tag, a + p * lanes);
    for (std::size_t l = 0; i + l < columns; ++l) a[l] += rows[r * columns + i + l] * x[i + l];
    to[r] = ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
  }
}

HWY_ATTR void times(const double* rows, std::size_t count, std::size_t columns, const double* x, double* to) {
  std::size_t r = 0;
  for (; r + at_once <= count; r += at_once) some_times<at_once>(rows + r * columns, columns, x, to + r);
  for (; r < count; ++r) some_times<1>(rows + r * columns, columns, x, to + r);
}

HWY_ATTR void add_row(const double* row, std::size_t columns, double factor, double* to) {
  const Tag tag;
  const Vector f = hn::Set(tag, factor);
  std::size_t i = 0;
  for (; i + lanes <= columns; i += lanes)
    hn::StoreU(hn::Add(hn::LoadU(tag, to + i), hn::Mul(hn::LoadU(tag, row + i), f)), tag, to + i);
  for (; i < columns; ++i) to[i] += row[i] * factor;
}

}  // namespace jawari::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jawari::matrix {
namespace {
HWY_EXPORT(times);
HWY_EXPORT(add_row);
}  // namespace

void times(const double* rows, std::size_t count, std::size_t columns, const double* x, double* to) noexcept {
  HWY_DYNAMIC_DISPATCH(times)(rows, count, columns, x, to);
}
void add_row(const double* row, std::size_t columns, double factor, double* to) noexcept {
  HWY_DYNAMIC_DISPATCH(add_row)(row, columns, factor, to);
}

}  // namespace jawari::matrix
#endif
