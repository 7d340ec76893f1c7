// SPDX-License-Identifier: MIT
// Newton (K1) on lanes, for all vectors of a unit, and how lanes are counted.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_STRING_NEWTON_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_STRING_NEWTON_H
#undef JAWARI_KERNEL_STRING_NEWTON_H
#else
#define JAWARI_KERNEL_STRING_NEWTON_H
#endif

#include <algorithm>
#include <cstddef>

#include "kernel/string_row.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

template <class T>
HWY_ATTR inline void count(typename T::number* lanes, const T& more) {
  (T::load(lanes) + more).store(lanes);
}
template <class T>
HWY_ATTR inline void keep_largest(typename T::number* lanes, const T& x) {
  max_fast(T::load(lanes), x).store(lanes);
}
template <class T>
HWY_ATTR inline T ones(const typename T::Mask& where) {
  return select(where, T(1), T(0));
}

/// What a solve adds to the record, if its result is stored.
template <class T>
struct NewtonCounts {
  T solves = T(0), iterations = T(0), unsettled = T(0);
  int most_iterations = 0;

  HWY_ATTR void hand_in(kernel::ContactCounts<typename T::number>& touches) const {
    count(touches.solves, solves);
    count(touches.iterations, iterations);
    count(touches.unsettled, unsettled);
    touches.most_iterations = std::max(touches.most_iterations, most_iterations);
  }
};

/// Newton (K1) for all lanes of `unit_rows` vectors, until every lane is settled.
template <class Scheme, class T, class Law>
HWY_ATTR inline NewtonCounts<T> solve_newton(StringRow<Scheme, T>* row, const Law& law, const Scheme& scheme) {
  NewtonCounts<T> c;
  ResponseOf<T> a[unit_rows];
  const auto begin = [&](std::size_t i) HWY_ATTR {
    const PortOf<T>& port = row[i].port;
    a[i] = scheme.respond(law, row[i].step, port.s_free);
    return BracketedNewton<T>(a[i], port.s_free, port.q, row[i].near(law, scheme));
  };
  static_assert(unit_rows == 2);
  BracketedNewton<T> newton[unit_rows] = {begin(0), begin(1)};
  unroll<unit_rows>([&](auto i) HWY_ATTR { c.solves = c.solves + ones<T>(newton[i].open); });
  const auto open = [&]() HWY_ATTR { return any_lane(newton[0].open || newton[1].open); };
  int used = 0;
  for (; used < single_port_limit && open(); ++used)
    unroll<unit_rows>([&](auto i) HWY_ATTR {
      const PortOf<T>& port = row[i].port;
      newton[i].step(a[i], port.s_free, port.q, used);
      a[i] = scheme.respond(law, row[i].step, newton[i].s);
      c.iterations = c.iterations + ones<T>(newton[i].open);
    });
  unroll<unit_rows>([&](auto i) HWY_ATTR {
    row[i].f = newton[i].end(row[i].port.s_free, row[i].port.q, row[i].s);
    c.unsettled = c.unsettled + ones<T>(newton[i].open);
  });
  c.most_iterations = used - 1;
  return c;
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
