// SPDX-License-Identifier: MIT
#include "body/modal_lanes.h"

#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "body/modal_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace jawari::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;
constexpr std::size_t lanes = hn::MaxLanes(Tag());
constexpr std::size_t parts = 8 / lanes;             // vectors that hold the eight sums of sums.h
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

/// f(i, tag) for vectors of modes, then for what is left one by one.
template <class F>
HWY_INLINE void each(std::size_t count, F&& f) {
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) f(i, Tag());
  for (; i < count; ++i) f(i, hn::CappedTag<double, 1>());
}

HWY_ATTR void predict(const modal_lanes::Modes& m, const double* load, const double* push) {
  each(m.count, [&](std::size_t i, auto tag) HWY_ATTR {
    const auto at = [&](const double* x) HWY_ATTR { return hn::LoadU(tag, x + i); };
    const auto pushed = hn::Mul(at(m.C), hn::Add(at(load), at(push)));
    const auto pulled = hn::Sub(pushed, hn::Mul(at(m.D), at(m.u)));
    hn::StoreU(hn::Sub(pulled, hn::Mul(at(m.lag), at(m.d))), tag, m.change + i);
  });
}

HWY_ATTR void steps(const modal_lanes::Modes& m) {
  each(m.count, [&](std::size_t i, auto tag) HWY_ATTR {
    const auto d = hn::LoadU(tag, m.d + i);
    hn::StoreU(hn::Add(hn::Add(d, d), hn::LoadU(tag, m.change + i)), tag, m.s + i);
  });
}

HWY_ATTR void push(const modal_lanes::Modes& m, const double* force) {
  each(m.count, [&](std::size_t i, auto tag) HWY_ATTR {
    const auto more = hn::Mul(hn::LoadU(tag, force + i), hn::LoadU(tag, m.C + i));
    hn::StoreU(hn::Add(hn::LoadU(tag, m.change + i), more), tag, m.change + i);
  });
}

HWY_ATTR double losses(const modal_lanes::Modes& m) {
  const Tag tag;
  Vector sum[parts];
  for (std::size_t p = 0; p < parts; ++p) sum[p] = hn::Zero(tag);
  std::size_t i = 0;
  for (; i + 8 <= m.count; i += 8)
    for (std::size_t p = 0; p < parts; ++p) {
      const std::size_t at = i + p * lanes;
      const auto d = hn::LoadU(tag, m.d + at);
      const auto s = hn::Add(hn::Add(d, d), hn::LoadU(tag, m.change + at));
      hn::StoreU(s, tag, m.s + at);
      sum[p] = hn::Add(sum[p], hn::Mul(hn::Mul(hn::LoadU(tag, m.loss + at), s), s));
    }
  double a[8];
  for (std::size_t p = 0; p < parts; ++p) hn::StoreU(sum[p], tag, a + p * lanes);
  for (std::size_t l = 0; i + l < m.count; ++l) {
    const double s = 2 * m.d[i + l] + m.change[i + l];
    m.s[i + l] = s;
    a[l] += m.loss[i + l] * s * s;
  }
  return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

HWY_ATTR void move(const modal_lanes::Modes& m) {
  each(m.count, [&](std::size_t i, auto tag) HWY_ATTR {
    const auto d = hn::Add(hn::LoadU(tag, m.d + i), hn::LoadU(tag, m.change + i));
    hn::StoreU(d, tag, m.d + i);
    hn::StoreU(hn::Add(hn::LoadU(tag, m.u + i), d), tag, m.u + i);
  });
}

HWY_ATTR void energies(std::size_t count, const double* u, const double* d, const double* kinetic,
                       const double* elastic, const double* bending, double* sums) {
  const Tag tag;
  Vector sum[3][parts];
  for (auto& of : sum)
    for (std::size_t p = 0; p < parts; ++p) of[p] = hn::Zero(tag);
  const Vector half = hn::Set(tag, 0.5), one = hn::Set(tag, 1.0);
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (std::size_t p = 0; p < parts; ++p) {
      const auto at = [&](const double* x) HWY_ATTR { return hn::LoadU(tag, x + i + p * lanes); };
      const Vector step = at(d), mean = hn::Sub(at(u), hn::Mul(step, half)), share = at(bending);
      const Vector all = hn::Mul(hn::Mul(at(elastic), mean), mean);
      sum[0][p] = hn::Add(sum[0][p], hn::Mul(hn::Mul(at(kinetic), step), step));
      sum[1][p] = hn::Add(sum[1][p], hn::Mul(share, all));
      sum[2][p] = hn::Add(sum[2][p], hn::Mul(hn::Sub(one, share), all));
    }
  double a[3][8];
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t p = 0; p < parts; ++p) hn::StoreU(sum[k][p], tag, a[k] + p * lanes);
  for (std::size_t l = 0; i + l < count; ++l) {
    const double step = d[i + l], mean = u[i + l] - step / 2, share = bending[i + l];
    const double all = elastic[i + l] * mean * mean;
    a[0][l] += kinetic[i + l] * step * step;
    a[1][l] += share * all;
    a[2][l] += (1 - share) * all;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const double* x = a[k];
    sums[k] = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
  }
}

}  // namespace jawari::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jawari::modal_lanes {
namespace {
HWY_EXPORT(times);
HWY_EXPORT(add_row);
HWY_EXPORT(predict);
HWY_EXPORT(steps);
HWY_EXPORT(push);
HWY_EXPORT(losses);
HWY_EXPORT(move);
HWY_EXPORT(energies);
}  // namespace

void times(const double* rows, std::size_t count, std::size_t columns, const double* x, double* to) noexcept {
  HWY_DYNAMIC_DISPATCH(times)(rows, count, columns, x, to);
}
void add_row(const double* row, std::size_t columns, double factor, double* to) noexcept {
  HWY_DYNAMIC_DISPATCH(add_row)(row, columns, factor, to);
}
void predict(const Modes& m, const double* load, const double* push) noexcept {
  HWY_DYNAMIC_DISPATCH(predict)(m, load, push);
}
void steps(const Modes& m) noexcept { HWY_DYNAMIC_DISPATCH(steps)(m); }
void push(const Modes& m, const double* force) noexcept { HWY_DYNAMIC_DISPATCH(push)(m, force); }
double losses(const Modes& m) noexcept { return HWY_DYNAMIC_DISPATCH(losses)(m); }
void move(const Modes& m) noexcept { HWY_DYNAMIC_DISPATCH(move)(m); }
std::array<double, 3> energies(std::size_t count, const double* u, const double* d, const double* kinetic,
                               const double* elastic, const double* bending) noexcept {
  std::array<double, 3> sums;
  HWY_DYNAMIC_DISPATCH(energies)(count, u, d, kinetic, elastic, bending, sums.data());
  return sums;
}

}  // namespace jawari::modal_lanes
#endif
