// SPDX-License-Identifier: MIT
// The steps of MassBatch on lanes.  In turn, for some steps at a time:
//   candidates       u_j <= u + n [d]+ + x/(1-x) (|u| + n|d|),  x = D n(n+1)/2,  for all j <= n in free flight    (N2)
//                    for if M bounds all |u_j|, then d_j <= d + j D M, and M = |u| + n|d| + x M will do
//   these            are copied side by side and stepped through law and scheme, touching or not
//   the others       step free: two operations per step, in registers.  Those in the pack too, and are overwritten.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_MASS_STEPS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_MASS_STEPS_H
#undef JAWARI_KERNEL_MASS_STEPS_H
#else
#define JAWARI_KERNEL_MASS_STEPS_H
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "jawari/body/mode_step.h"
#include "jawari/couple/single_port.h"
#include "jawari/scheme/quadratised.h"
#include "kernel/lanes.h"
#include "kernel/mass_view.h"
#include "kernel/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using kernel::MassColumns;
using kernel::MassView;

/// (M1) with E = 1, forces apart.
inline constexpr ModeTerms oscillator{false, false, false};

/// A vector of masses in one step; `at` is its place in the columns.
template <class Scheme, class T>
struct MassVector {
  using Columns = MassColumns<typename T::number>;
  T u, d, free;
  typename Scheme::template StateOf<T> state;
  PortOf<T> port;
  typename Scheme::template StepOf<T> step;

  HWY_ATTR void load(const Columns& m, std::size_t at) {
    u = T::load(m.u + at);
    d = T::load(m.d + at);
    state.psi = T::load(m.psi + at);
  }
  HWY_ATTR void store(const Columns& m, std::size_t at) const {
    u.store(m.u + at);
    d.store(m.d + at);
    state.psi.store(m.psi + at);
  }
  HWY_ATTR void begin(const PowerLaw& law, const Scheme& scheme, const Columns& m, std::size_t at) {
    const T none(0);
    free = mode_increment<oscillator>(none, T::load(m.D + at), none, u, d, none, none);
    port = {u - T::load(m.barrier + at), d, d + free, T::load(m.C + at)};
    step = scheme.begin(law, port, state);
  }
  HWY_ATTR void finish(const PowerLaw& law, const Scheme& scheme) {
    T s(0);
    Outcome outcome;
    const T f = solve_single_port(scheme, law, step, port, s, outcome);
    scheme.finish(law, step, s, f, state);
    d = free + port.q * f;
    u = u + d;
  }
};

inline constexpr std::size_t pack_rows = 4, flight_rows = 8;
template <class T>
inline constexpr std::size_t pack_size = pack_rows* T::width;
template <class T>
inline constexpr std::size_t flight_size = flight_rows* T::width;

/// Law and scheme for the masses begin..end, a multiple of pack_size.  Two rows end a step while the other two begin
/// one: division and table look-ups overlap, and what is under way about fits into 32 registers.  Four rows in
/// lockstep are a tenth slower; so are three and six.
template <class Scheme, class T>
HWY_NOINLINE JAWARI_FLATTEN void step_contacts(const PowerLaw& law, const MassColumns<typename T::number>& columns,
                                               std::size_t begin, std::size_t end, std::size_t steps) {
  const Scheme scheme;  // without loss the time step plays no part
  const auto m = columns;
  for (std::size_t at_a = begin; at_a < end; at_a += pack_size<T>) {
    MassVector<Scheme, T> a, b, c, e;
    const std::size_t at_b = at_a + T::width, at_c = at_b + T::width, at_e = at_c + T::width;
    a.load(m, at_a);
    b.load(m, at_b);
    c.load(m, at_c);
    e.load(m, at_e);
    a.begin(law, scheme, m, at_a);
    b.begin(law, scheme, m, at_b);
    for (std::size_t n = steps; n > 0; --n) {
      a.finish(law, scheme);
      c.begin(law, scheme, m, at_c);
      b.finish(law, scheme);
      e.begin(law, scheme, m, at_e);
      c.finish(law, scheme);
      a.begin(law, scheme, m, at_a);
      e.finish(law, scheme);
      b.begin(law, scheme, m, at_b);
    }
    a.store(m, at_a);
    b.store(m, at_b);
    c.store(m, at_c);
    e.store(m, at_e);
  }
}

/// Free flight of the masses begin..end, a multiple of flight_size: enough rows to hide the latency.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void step_free(const MassColumns<typename T::number>& columns, std::size_t begin,
                                           std::size_t end, std::size_t steps) {
  const auto m = columns;
  const T one(1);  // exact, and a fifth faster: sums between fused products stall on Arm
  for (std::size_t at = begin; at < end; at += flight_size<T>) {
    T u[flight_rows], d[flight_rows], D[flight_rows];
    unroll<flight_rows>([&](auto i) HWY_ATTR {
      const std::size_t row = at + i * T::width;
      u[i] = T::load(m.u + row);
      d[i] = T::load(m.d + row);
      D[i] = T::load(m.D + row);
    });
    for (std::size_t n = steps; n > 0; --n)
      unroll<flight_rows>([&](auto i) HWY_ATTR {
        d[i] = mode_increment<oscillator>(one, D[i], one, u[i], d[i], one, one);
        if constexpr (T::is_fused)
          u[i] = u[i] + d[i] * one;
        else
          u[i] = u[i] + d[i];
      });
    unroll<flight_rows>([&](auto i) HWY_ATTR {
      u[i].store(m.u + at + i * T::width);
      d[i].store(m.d + at + i * T::width);
    });
  }
}

/// (N2): lists those of `count` masses that may touch within v.chunk steps.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN std::size_t find_candidates(const MassView<typename T::number>& v, std::size_t first,
                                                        std::size_t count) {
  const auto m = v.mass;
  const auto* curving = v.curving;
  std::uint32_t* HWY_RESTRICT packed = v.packed;
  const T n(static_cast<double>(v.chunk));
  std::size_t near = 0;
  const typename T::Whole whole;
  for (std::size_t from = first; from < first + count; from += flight_size<T>) {
    auto marks = hn::Zero(whole);  // bit i of a lane: row i; NaN may be listed or not, it stays NaN
    unroll<flight_rows>([&](auto i) HWY_ATTR {
      const std::size_t at = from + i * T::width;
      const T u = T::load(m.u + at), way = n * T::load(m.d + at);
      const T farthest = u + max_fast(way, T(0)) + T::load(curving + at) * (abs(u) + abs(way));
      const auto mask = hn::VecFromMask(typename T::Tag(), (farthest >= T::load(m.barrier + at)).v);
      marks = hn::Or(marks, hn::And(hn::BitCast(whole, mask), hn::Set(whole, 1u << i)));
    });
    HWY_ALIGN hn::TFromD<decltype(whole)> lane[T::width];
    hn::Store(marks, whole, lane);
    for (std::size_t j = 0; j < T::width; j += 8) {
      constexpr std::size_t lanes = std::min<std::size_t>(T::width, 8);
      std::uint64_t left = 0;
      unroll<lanes>([&](auto k) HWY_ATTR { left |= static_cast<std::uint64_t>(lane[j + k]) << (8 * k); });
      for (; left != 0; left &= left - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(left));
        packed[near++] = static_cast<std::uint32_t>(from + bit % 8 * T::width + j + bit / 8);
      }
    }
  }
  return near;
}

/// Fills the pack with the masses packed[from..to).
template <class Number>
void collect(const MassView<Number>& v, std::size_t from, std::size_t to) {
  const auto m = v.mass, p = v.pack;
  for (std::size_t i = from; i < to; ++i) {
    const std::size_t j = v.packed[i];
    p.u[i] = m.u[j];
    p.d[i] = m.d[j];
    p.psi[i] = m.psi[j];
    p.D[i] = m.D[j];
    p.C[i] = m.C[j];
    p.barrier[i] = m.barrier[j];
  }
}
template <class Number>
bool is_number(const Number* x, std::size_t count) {
  return std::all_of(x, x + count, [](Number each) { return each == each; });
}

template <class Scheme, bool fused, class Number>
HWY_ATTR void run_masses(const MassView<Number>& v, std::size_t steps) {
  using T = Lanes<fused, false, Number, false, true>;
  constexpr std::size_t pack = pack_size<T>;
  const auto m = v.mass, p = v.pack;
  for (std::size_t first = 0; first < v.count; first += kernel::block)
    for (std::size_t done = 0; done < steps; done += v.chunk) {
      const std::size_t count = std::min(kernel::block, v.count - first), n = std::min(v.chunk, steps - done);
      const std::size_t near = find_candidates<T>(v, first, count), end = (near + pack - 1) / pack * pack;
      collect(v, 0, near);
      for (Number* column : {p.u, p.d, p.psi, p.D, p.C, p.barrier}) std::fill(column + near, column + end, Number(0));
      step_contacts<Scheme, T>(*v.law, p, 0, end, n);
      for (std::size_t at = 0; at < end; at += pack) {
        if (is_number(p.u + at, pack)) continue;
        collect(v, at, std::min(at + pack, near));  // a power off the tables: again, with powers of any argument
        step_contacts<Scheme, Lanes<fused, true, Number>>(*v.law, p, at, at + pack, n);
      }
      step_free<T>(m, first, first + count, n);
      for (std::size_t i = 0; i < near; ++i) {
        const std::size_t j = v.packed[i];
        m.u[j] = p.u[i];
        m.d[j] = p.d[i];
        m.psi[j] = p.psi[i];
      }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
