// SPDX-License-Identifier: MIT
#include "body/modal_lanes.h"

#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "body/modal_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <type_traits>

#include "jawari/body/mode_step.h"
#include "kernel/lanes.h"
#include "kernel/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace jawari::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;
using Mode = Lanes<false, true, double, false>;
constexpr std::size_t lanes = hn::MaxLanes(Tag());
constexpr std::size_t parts = 8 / lanes;  // vectors that hold the eight sums of sums.h
constexpr std::size_t at_once =
    lanes >= 4 ? 4 : 1;  // rows: one chain of additions is bound by latency, eight chains are not

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
  if constexpr (at_once == 4) {
    if (count - r == 3) return some_times<3>(rows + r * columns, columns, x, to + r);
    if (count - r == 2) return some_times<2>(rows + r * columns, columns, x, to + r);
  }
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

/// f(i, V()) for vectors of modes, then for what is left one by one as double.
template <class F>
HWY_ATTR inline void each(std::size_t count, F&& f) {
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) f(i, Mode());
  for (; i < count; ++i) f(i, double());
}
template <class V>
HWY_ATTR inline V get(const double* from) {
  if constexpr (std::is_same_v<V, double>)
    return *from;
  else
    return V::load(from);
}
HWY_ATTR inline void put(const Mode& x, double* to) { x.store(to); }
HWY_ATTR inline void put(double x, double* to) { *to = x; }

HWY_NOINLINE JAWARI_FLATTEN void predict(const modal_lanes::Modes& modes, const double* load, const double* push) {
  const modal_lanes::Modes m = modes;
  each(m.count, [&](std::size_t i, auto kind) HWY_ATTR {
    using V = decltype(kind);
    const auto at = [i](const double* x) HWY_ATTR { return get<V>(x + i); };
    put(mode_change(at(m.lag), at(m.D), at(m.C), at(m.u), at(m.d), V(at(load) + at(push))), m.change + i);
  });
}

/// Eight sums as sums.h has them, over vectors, then over what is left.
template <std::size_t count, class Term>
HWY_ATTR inline void sums_of(std::size_t modes, double* sums, Term&& term) {
  Mode sum[count][parts];
  for (auto& of : sum)
    for (Mode& part : of) part = Mode(0);
  std::size_t i = 0;
  for (; i + 8 <= modes; i += 8)
    for (std::size_t p = 0; p < parts; ++p) {
      Mode terms[count];
      term(i + p * lanes, terms);
      for (std::size_t k = 0; k < count; ++k) sum[k][p] = sum[k][p] + terms[k];
    }
  double a[count][8];
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t p = 0; p < parts; ++p) sum[k][p].store(a[k] + p * lanes);
  for (std::size_t l = 0; i + l < modes; ++l) {
    double terms[count];
    term(i + l, terms);
    for (std::size_t k = 0; k < count; ++k) a[k][l] += terms[k];
  }
  for (std::size_t k = 0; k < count; ++k)
    sums[k] = ((a[k][0] + a[k][1]) + (a[k][2] + a[k][3])) + ((a[k][4] + a[k][5]) + (a[k][6] + a[k][7]));
}

template <bool forced, std::size_t rows>
HWY_NOINLINE JAWARI_FLATTEN void predict_some(const modal_lanes::Modes& modes, const double* load, const double* push,
                                              const double* row, double* to) {
  const modal_lanes::Modes m = modes;
  sums_of<rows>(m.count, to, [&](std::size_t i, auto* term) HWY_ATTR {
    using V = std::remove_pointer_t<decltype(term)>;
    const auto at = [i](const double* x) HWY_ATTR { return get<V>(x + i); };
    const V d = at(m.d);
    V force(0);
    if constexpr (forced) force = V(at(load) + at(push));
    const V change = mode_change<ModeTerms{true, forced}>(at(m.lag), at(m.D), at(m.C), at(m.u), d, force);
    put(change, m.change + i);
    const V step = mode_double_step(d, change);
    put(step, m.s + i);
    for (std::size_t r = 0; r < rows; ++r) term[r] = at(row + r * m.count) * step;
  });
}
template <bool forced>
HWY_ATTR void predict_rows(const modal_lanes::Modes& m, const double* load, const double* push, const double* rows,
                           std::size_t count, double* to) {
  switch (count) {
    case 0: {
      double nothing[1];
      return predict_some<forced, 1>(m, load, push, m.C, nothing);
    }
    case 1:
      return predict_some<forced, 1>(m, load, push, rows, to);
    case 2:
      return predict_some<forced, 2>(m, load, push, rows, to);
    case 3:
      return predict_some<forced, 3>(m, load, push, rows, to);
    default:
      predict_some<forced, 4>(m, load, push, rows, to);
      if (count > 4) times(rows + 4 * m.count, count - 4, m.count, m.s, to + 4);
  }
}
HWY_ATTR void predict_read(const modal_lanes::Modes& m, const double* load, const double* push, const double* rows,
                           std::size_t count, double* to) {
  if (load)
    predict_rows<true>(m, load, push, rows, count, to);
  else
    predict_rows<false>(m, nullptr, nullptr, rows, count, to);
}

HWY_NOINLINE JAWARI_FLATTEN void steps(const modal_lanes::Modes& modes) {
  const modal_lanes::Modes m = modes;
  each(m.count, [&](std::size_t i, auto kind) HWY_ATTR {
    using V = decltype(kind);
    put(mode_double_step(get<V>(m.d + i), get<V>(m.change + i)), m.s + i);
  });
}

HWY_NOINLINE JAWARI_FLATTEN void push(const modal_lanes::Modes& modes, const double* force) {
  const modal_lanes::Modes m = modes;
  each(m.count, [&](std::size_t i, auto kind) HWY_ATTR {
    using V = decltype(kind);
    put(mode_pushed(get<V>(m.C + i), get<V>(m.change + i), get<V>(force + i)), m.change + i);
  });
}

HWY_NOINLINE JAWARI_FLATTEN double losses(const modal_lanes::Modes& modes) {
  const modal_lanes::Modes m = modes;
  double lost;
  sums_of<1>(m.count, &lost, [&](std::size_t i, auto* to) HWY_ATTR {
    using V = std::remove_pointer_t<decltype(to)>;
    const V s = mode_double_step(get<V>(m.d + i), get<V>(m.change + i));
    put(s, m.s + i);
    to[0] = mode_loss(get<V>(m.loss + i), s);
  });
  return lost;
}

HWY_NOINLINE JAWARI_FLATTEN void move(const modal_lanes::Modes& modes) {
  const modal_lanes::Modes m = modes;
  each(m.count, [&](std::size_t i, auto kind) HWY_ATTR {
    using V = decltype(kind);
    V u = get<V>(m.u + i), d = get<V>(m.d + i);
    mode_move(get<V>(m.change + i), u, d);
    put(d, m.d + i);
    put(u, m.u + i);
  });
}

/// begun: to what modal holds.
template <std::size_t rows, bool begun>
HWY_NOINLINE JAWARI_FLATTEN void gather_some(std::size_t count, const double* const* row, const double* force,
                                             double* modal) {
  each(count, [&](std::size_t i, auto kind) HWY_ATTR {
    using V = decltype(kind);
    V sum(0);
    if constexpr (begun) sum = get<V>(modal + i);
    for (std::size_t r = 0; r < rows; ++r) sum = sum + get<V>(row[r] + i) * V(force[r]);
    put(sum, modal + i);
  });
}
template <std::size_t rows, bool begun>
HWY_NOINLINE JAWARI_FLATTEN double advance_some(const modal_lanes::Modes& modes, const double* const* row,
                                                const double* force, const double* modal) {
  const modal_lanes::Modes m = modes;
  double lost;
  sums_of<1>(m.count, &lost, [&](std::size_t i, auto* to) HWY_ATTR {
    using V = std::remove_pointer_t<decltype(to)>;
    V u = get<V>(m.u + i), d = get<V>(m.d + i), change = get<V>(m.change + i);
    if constexpr (rows > 0 || begun) {
      V sum(0);
      if constexpr (begun) sum = get<V>(modal + i);
      if constexpr (rows > 0)
        for (std::size_t r = 0; r < rows; ++r) sum = sum + get<V>(row[r] + i) * V(force[r]);
      change = mode_pushed(get<V>(m.C + i), change, sum);
    }
    const V s = mode_double_step(d, change);
    put(s, m.s + i);
    to[0] = mode_loss(get<V>(m.loss + i), s);
    mode_move(change, u, d);
    put(d, m.d + i);
    put(u, m.u + i);
  });
  return lost;
}
template <bool begun>
HWY_ATTR double advance_rows(const modal_lanes::Modes& m, const double* const* row, const double* force,
                             std::size_t count, const double* modal) {
  switch (count) {
    case 0:
      return advance_some<0, begun>(m, row, force, modal);
    case 1:
      return advance_some<1, begun>(m, row, force, modal);
    case 2:
      return advance_some<2, begun>(m, row, force, modal);
    case 3:
      return advance_some<3, begun>(m, row, force, modal);
    default:
      return advance_some<4, begun>(m, row, force, modal);
  }
}
HWY_ATTR double advance(const modal_lanes::Modes& m, const double* const* row, const double* force, std::size_t count,
                        double* modal, bool begun) {
  std::size_t r = 0;
  for (; r + 4 < count; r += 4, begun = true)
    if (begun)
      gather_some<4, true>(m.count, row + r, force + r, modal);
    else
      gather_some<4, false>(m.count, row + r, force + r, modal);
  if (begun) return advance_rows<true>(m, row + r, force + r, count - r, modal);
  return advance_rows<false>(m, row + r, force + r, count - r, modal);
}

HWY_NOINLINE JAWARI_FLATTEN void energies(std::size_t count, const double* u, const double* d, const double* kinetic,
                                          const double* elastic, const double* bending, double* sums) {
  sums_of<3>(count, sums, [&](std::size_t i, auto* to) HWY_ATTR {
    using V = std::remove_pointer_t<decltype(to)>;
    const V step = get<V>(d + i), share = get<V>(bending + i);
    const V all = mode_elastic(get<V>(elastic + i), get<V>(u + i), step);
    to[0] = mode_kinetic(get<V>(kinetic + i), step);
    to[1] = share * all;
    to[2] = (1 - share) * all;
  });
}

}  // namespace jawari::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jawari::modal_lanes {
namespace {
HWY_EXPORT(times);
HWY_EXPORT(add_row);
HWY_EXPORT(predict);
HWY_EXPORT(predict_read);
HWY_EXPORT(steps);
HWY_EXPORT(push);
HWY_EXPORT(losses);
HWY_EXPORT(move);
HWY_EXPORT(advance);
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
void predict_read(const Modes& m, const double* load, const double* push, const double* rows, std::size_t count,
                  double* to) noexcept {
  HWY_DYNAMIC_DISPATCH(predict_read)(m, load, push, rows, count, to);
}
void steps(const Modes& m) noexcept { HWY_DYNAMIC_DISPATCH(steps)(m); }
void push(const Modes& m, const double* force) noexcept { HWY_DYNAMIC_DISPATCH(push)(m, force); }
double losses(const Modes& m) noexcept { return HWY_DYNAMIC_DISPATCH(losses)(m); }
void move(const Modes& m) noexcept { HWY_DYNAMIC_DISPATCH(move)(m); }
double advance(const Modes& m, const double* const* row, const double* force, std::size_t count, double* modal,
               bool begun) noexcept {
  return HWY_DYNAMIC_DISPATCH(advance)(m, row, force, count, modal, begun);
}
std::array<double, 3> energies(std::size_t count, const double* u, const double* d, const double* kinetic,
                               const double* elastic, const double* bending) noexcept {
  std::array<double, 3> sums;
  HWY_DYNAMIC_DISPATCH(energies)(count, u, d, kinetic, elastic, bending, sums.data());
  return sums;
}

}  // namespace jawari::modal_lanes
#endif
