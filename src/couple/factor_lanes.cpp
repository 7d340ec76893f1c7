// SPDX-License-Identifier: MIT
#include "couple/factor_lanes.h"

#include <algorithm>
#include <cmath>

#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "couple/factor_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace jawari::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_ATTR void factor_row(double* row, double* upper, std::size_t stride, std::size_t first, std::size_t i,
                         double least) {
  const hn::CappedTag<double, 8> tag;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t k = first;
  for (; k + 4 <= i; k += 4) {  // four columns at once: entries behind them are loaded and stored once
    double *a = upper + k * stride, *b = a + stride, *c = b + stride, *d = c + stride;
    const double w = a[i] = row[k] = row[k] / a[k];
    const double x = b[i] = row[k + 1] = (row[k + 1] - w * a[k + 1]) / b[k + 1];
    const double y = c[i] = row[k + 2] = (row[k + 2] - w * a[k + 2] - x * b[k + 2]) / c[k + 2];
    const double z = d[i] = row[k + 3] = (row[k + 3] - w * a[k + 3] - x * b[k + 3] - y * c[k + 3]) / d[k + 3];
    const auto W = hn::Set(tag, w), X = hn::Set(tag, x), Y = hn::Set(tag, y), Z = hn::Set(tag, z);
    std::size_t j = k + 4;
    for (; j + lanes <= i + 1; j += lanes) {
      auto sum = hn::LoadU(tag, row + j);
      sum = hn::Sub(sum, hn::Mul(W, hn::LoadU(tag, a + j)));
      sum = hn::Sub(sum, hn::Mul(X, hn::LoadU(tag, b + j)));
      sum = hn::Sub(sum, hn::Mul(Y, hn::LoadU(tag, c + j)));
      sum = hn::Sub(sum, hn::Mul(Z, hn::LoadU(tag, d + j)));
      hn::StoreU(sum, tag, row + j);
    }
    for (; j <= i; ++j) row[j] = row[j] - w * a[j] - x * b[j] - y * c[j] - z * d[j];
  }
  for (; k < i; ++k) {
    double* a = upper + k * stride;
    a[i] = row[k] = row[k] / a[k];
    for (std::size_t j = k + 1; j <= i; ++j) row[j] -= row[k] * a[j];
  }
  upper[i * stride + i] = row[i] = std::sqrt(std::max(row[i], least));
}

HWY_ATTR void add_scaled(const double* row, std::size_t count, double factor, double* to) {
  const hn::CappedTag<double, 8> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto f = hn::Set(tag, factor);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::Add(hn::LoadU(tag, to + i), hn::Mul(hn::LoadU(tag, row + i), f)), tag, to + i);
  for (; i < count; ++i) to[i] += row[i] * factor;
}

/// Four columns at once: entries of the result are loaded and stored once for them.
HWY_ATTR void symmetric_times(const double* matrix, std::size_t count, const double* x, double* to) {
  const hn::CappedTag<double, 8> tag;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    const double *a = matrix + k * count, *b = a + count, *c = b + count, *d = c + count;
    const auto W = hn::Set(tag, x[k]), X = hn::Set(tag, x[k + 1]), Y = hn::Set(tag, x[k + 2]),
               Z = hn::Set(tag, x[k + 3]);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      auto sum = hn::Add(hn::LoadU(tag, to + i), hn::Mul(W, hn::LoadU(tag, a + i)));
      sum = hn::Add(sum, hn::Mul(X, hn::LoadU(tag, b + i)));
      sum = hn::Add(sum, hn::Mul(Y, hn::LoadU(tag, c + i)));
      hn::StoreU(hn::Add(sum, hn::Mul(Z, hn::LoadU(tag, d + i))), tag, to + i);
    }
    for (; i < count; ++i) to[i] = to[i] + x[k] * a[i] + x[k + 1] * b[i] + x[k + 2] * c[i] + x[k + 3] * d[i];
  }
  for (; k < count; ++k) add_scaled(matrix + k * count, count, x[k], to);
}

/// Column by column: every entry of z is a difference of products in the order of the columns.
HWY_ATTR void solve_factored(const double* lower, const double* upper, std::size_t stride, std::size_t rows,
                             double* z) {
  for (std::size_t k = 0; k < rows; ++k) {
    const double* column = upper + k * stride;
    z[k] /= column[k];
    add_scaled(column + k + 1, rows - k - 1, -z[k], z + k + 1);
  }
  for (std::size_t k = rows; k-- > 0;) {
    const double* column = lower + k * stride;
    z[k] /= column[k];
    add_scaled(column, k, -z[k], z);
  }
}

}  // namespace jawari::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jawari {

namespace {
HWY_EXPORT(factor_row);
HWY_EXPORT(add_scaled);
HWY_EXPORT(solve_factored);
HWY_EXPORT(symmetric_times);
constexpr std::size_t few = 8;  // rows: below, a call for the widest instructions costs more than it saves
}  // namespace

void factor_row(double* row, double* upper, std::size_t stride, std::size_t first, std::size_t i,
                double least) noexcept {
  if (i - first < few) {
    for (std::size_t k = first; k < i; ++k) {
      double* a = upper + k * stride;
      a[i] = row[k] = row[k] / a[k];
      for (std::size_t j = k + 1; j <= i; ++j) row[j] -= row[k] * a[j];
    }
    upper[i * stride + i] = row[i] = std::sqrt(std::max(row[i], least));
    return;
  }
  HWY_DYNAMIC_DISPATCH(factor_row)(row, upper, stride, first, i, least);
}

void add_scaled(const double* row, std::size_t count, double factor, double* to) noexcept {
  HWY_DYNAMIC_DISPATCH(add_scaled)(row, count, factor, to);
}

void symmetric_times(const double* matrix, std::size_t count, const double* x, double* to) noexcept {
  HWY_DYNAMIC_DISPATCH(symmetric_times)(matrix, count, x, to);
}

void solve_factored(const double* lower, const double* upper, std::size_t stride, std::size_t rows,
                    double* z) noexcept {
  if (rows >= few) {
    HWY_DYNAMIC_DISPATCH(solve_factored)(lower, upper, stride, rows, z);
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const double* row = lower + i * stride;
    for (std::size_t k = 0; k < i; ++k) z[i] -= row[k] * z[k];
    z[i] /= row[i];
  }
  for (std::size_t i = rows; i-- > 0;) {
    const double* row = lower + i * stride;
    z[i] /= row[i];
    for (std::size_t k = 0; k < i; ++k) z[k] -= row[k] * z[i];
  }
}

}  // namespace jawari
#endif
