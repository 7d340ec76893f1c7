// SPDX-License-Identifier: MIT
// A vector of nodes in contact: law and scheme as they stand in contact/ and scheme/, on lanes.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_STRING_ROW_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_STRING_ROW_H
#undef JAWARI_KERNEL_STRING_ROW_H
#else
#define JAWARI_KERNEL_STRING_ROW_H
#endif

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "jawari/couple/single_port.h"
#include "kernel/each.h"
#include "kernel/lanes.h"
#include "kernel/string_view.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using kernel::StringColumns;
using kernel::StringNumbers;
using kernel::StringView;
using kernel::unit_rows;
using kernel::Way;

/// Five neighbours of a vector of nodes, and three increments.
template <class T>
struct Around {
  T u, left, right, left2, right2;
  T d, d_left, d_right;

  template <class Number>
  HWY_ATTR void load(const StringColumns<Number>& v, std::size_t at) {
    u = T::load(v.u + at);
    left = T::load(v.u + at - 1);
    right = T::load(v.u + at + 1);
    left2 = T::load(v.u + at - 2);
    right2 = T::load(v.u + at + 2);
    d = T::load(v.d + at);
  }
  template <class Number>
  HWY_ATTR void load_sides(const StringColumns<Number>& v, std::size_t at) {
    d_left = T::load(v.d + at - 1);
    d_right = T::load(v.d + at + 1);
  }
};

enum class Loss { none, sigma0, both };

template <class T>
HWY_ATTR inline T second_difference(const T& left, const T& middle, const T& right) {
  return (right - middle) - (middle - left);
}
template <Loss loss, class T>
HWY_ATTR inline T finish_rhs(const StringNumbers& a, const Around<T>& n, T rhs) {
  if (a.bending != 0) {
    const T before = second_difference(n.left2, n.left, n.u), here = second_difference(n.left, n.u, n.right),
            after = second_difference(n.u, n.right, n.right2);
    rhs = rhs - T(a.bending) * second_difference(before, here, after);
  }
  if constexpr (loss != Loss::none) {
    if (a.s0 != 0) rhs = rhs - T(2 * a.s0) * n.d;
    if constexpr (loss == Loss::both)
      if (a.s1 != 0) rhs = rhs + T(2 * a.s1) * second_difference(n.d_left, n.d, n.d_right);
    rhs = rhs * T(a.share);
  }
  return rhs;
}

/// Without contact, rounded as StringGrid::predict() does it: the change of the increment.
template <Loss loss, class T>
HWY_ATTR inline T free_step(const StringNumbers& a, const Around<T>& n) {
  return finish_rhs<loss>(a, n, T(T(a.tension) * second_difference(n.left, n.u, n.right)));
}
/// The same with a load on the nodes.
template <Loss loss, class T>
HWY_ATTR inline T loaded_step(const StringNumbers& a, const Around<T>& n, const typename T::number* load) {
  return finish_rhs<loss>(a, n, T(a.tension) * second_difference(n.left, n.u, n.right) + T(a.q0) * T::load(load));
}

/// A scheme's constants, in registers where they are few.
template <class Scheme>
using SchemeHere = std::conditional_t<(sizeof(Scheme) > 64), const Scheme&, const Scheme>;

/// What stays the same through a step, away from the memory it writes to.
template <class T>
struct StringConstants {
  using Number = typename T::number;
  StringColumns<Number> columns;
  StringNumbers a;
  const PowerLaw& law;
  double before = 1, now = 1, after = 1;  ///< signs of levels

  HWY_ATTR explicit StringConstants(const StringView<Number>& v) : columns(v), a(v.a), law(*v.law) {
    if constexpr (T::in_levels) {
      before = v.sign(-1);
      now = v.sign();
      after = v.sign(1);
    }
  }
};

template <class Scheme, class T>
struct StringRow {
  using State = typename Scheme::template StateOf<T>;
  T free;  ///< what the pass along the string has found: level or increment; as readable: change of the increment
  T f, s, lost;
  T landed, lands_now;  ///< lost to unresolved waves; 1: the contact begins (schemes that land)
  T u, d;               ///< after the step; in levels: u as it is stored, and no d
  State state;
  PortOf<T> port;
  typename Scheme::template StepOf<T> step;

  template <class Number>
  HWY_ATTR void load_state(const StringColumns<Number>& v, std::size_t at) {
    each<std::size(State::kept)>([&](auto k) HWY_ATTR { state.*State::kept[k] = T::load(v.state[k] + at); });
  }
  HWY_ATTR void store(const StringConstants<T>& c, std::size_t at) const {
    const auto& v = c.columns;
    each<std::size(State::kept)>([&](auto k) HWY_ATTR { (state.*State::kept[k]).store(v.state[k] + at); });
    if constexpr (lands<Scheme>) note_landing(v.landing, at);
    f.store(v.phi + at);
    u.store(v.u_next + at);
    if constexpr (!T::in_levels) d.store(v.d_next + at);
  }
  HWY_ATTR static T increment(const StringConstants<T>& c, std::size_t at) {
    const auto& v = c.columns;
    if constexpr (T::in_levels)
      return T(c.now) * T::load(v.u + at) - T(c.before) * T::load(v.d + at);
    else
      return T::load(v.d + at);
  }
  /// y a step later.
  HWY_ATTR T next(const StringConstants<T>& c, std::size_t at) const {
    const T offset = T::load_anew(c.columns.offset + at, u);
    if constexpr (T::in_levels)
      return offset + T(c.after) * u;
    else
      return offset + u;
  }
  /// plain: neither loss nor load, as far as the pass along the string has not seen to it.
  /// lossy: with the scheme's own loss.
  template <bool plain, bool lossy>
  HWY_ATTR void begin(const Scheme& scheme, const StringConstants<T>& c, std::size_t at) {
    const auto& v = c.columns;
    const T offset = T::load(v.offset + at);
    T y, s_free, before = offset;
    if constexpr (!T::in_levels || lossy || Scheme::acts_ahead) before = increment(c, at);  // otherwise it is not used
    if constexpr (T::in_levels) {
      free = T::load(v.u_next + at);
      if constexpr (!plain) free = free + T(c.after * c.a.q) * T::load(v.load + at);
      y = offset + T(c.now) * T::load(v.u + at);
      s_free = T(c.after) * (free + T::load(v.d + at));  // two steps apart signs differ
    } else if constexpr (T::is_fused) {
      free = T::load(v.d_next + at);
      if constexpr (!plain) free = free + T(c.a.q) * T::load(v.load + at);
      y = offset + T::load(v.u + at);
      s_free = before + free;
    } else {
      Around<T> n;
      n.load(v, at);
      if constexpr (!plain) n.load_sides(v, at);
      if constexpr (plain)
        free = free_step<Loss::none>(c.a, n);
      else
        free = loaded_step<Loss::both>(c.a, n, v.load + at);
      y = offset + n.u;
      s_free = T(2) * before + free;
    }
    load_state(v, at);
    port = {y, before, s_free, T(c.a.q)};
    begin(scheme, c.law, v.landing, at);
  }
  template <class Number>
  HWY_ATTR void begin(const Scheme& scheme, const PowerLaw& law, const kernel::LandingColumns<Number>& v,
                      std::size_t at) {
    if constexpr (lands<Scheme>) {
      const LandingPlaceOf<T> place{T::load(v.share + at), T::load(v.stretch + at)};
      step = scheme.begin(law, port, state, place, T::load(v.slaps + at) > T(0));
    } else {
      step = scheme.begin(law, port, state);
    }
  }
  /// As solve_single_port() does.
  HWY_ATTR void solve(const PowerLaw& law, const Scheme& scheme) {
    for (int pass = 1;; ++pass) {
      const ResponseOf<T> a = scheme.respond(law, step, port.s_free);
      f = -a.f / (T::minus_one(port.s_free) - port.q * -a.b);  // (K3) with both signs turned: one operation less
      s = port.s_free + port.q * f;
      if (pass == Scheme::passes) break;
      scheme.refine(law, step, s, port.s_free);
    }
    if constexpr (Scheme::acts_ahead) {
      const auto takes_part = near(law, scheme);
      f = select(takes_part, f, T(0));
      s = select(takes_part, s, port.s_free);
    }
  }
  /// As look() of a line: the others do not take part, whatever rounding makes of their half-steps.
  HWY_ATTR typename T::Truth near(const PowerLaw& law, const Scheme& scheme) const {
    const T before = port.y - port.d;
    return law.touches(port.y) || law.touches(before) || law.touches(before + port.s_free) || scheme.holds(law, state);
  }
  HWY_ATTR void finish(const PowerLaw& law, const Scheme& scheme) {
    State next = state;
    lost = scheme.finish(law, step, s, f, next);
    if constexpr (Scheme::acts_ahead) {
      const auto takes_part = near(law, scheme);
      each<std::size(State::kept)>([&](auto k) HWY_ATTR {
        next.*State::kept[k] = select(takes_part, next.*State::kept[k], state.*State::kept[k]);
      });
      if constexpr (lands<Scheme>) {
        lost = select(takes_part, lost, T(0));
        landed = select(takes_part, next.landed, T(0));
        const auto arrives = step.half.y <= T(0) && step.half.y + s / 2 > T(0);
        lands_now = select(takes_part && arrives, T(1), T(0));
      }
    }
    state = next;
  }
  HWY_ATTR void move(const StringConstants<T>& c, std::size_t at) {
    if constexpr (T::in_levels) {
      u = free + T(c.after * c.a.q) * f;
      return;
    } else if constexpr (T::is_fused) {
      d = free + port.q * f;
    } else {
      T push = T(c.a.q0) * f;
      if (c.a.s0 != 0) push = push * T(c.a.share);
      d = port.d + (free + push);
    }
    u = T::load(c.columns.u + at) + d;
  }
  /// Something that is above zero while the block must be looked at again.
  HWY_ATTR T activity(const T& next) const {
    const T acting = most(next, abs(f));
    if constexpr (requires { state.psi; }) {
      if constexpr (Scheme::keeps_psi)
        return acting;
      else if constexpr (Scheme::acts_ahead)
        return most(most(acting, port.y), abs(state.psi));
      else
        return most(acting, abs(state.psi));
    } else if constexpr (requires { state.half; }) {
      return most(most(most(acting, port.y), most(state.from, state.to)), state.half);
    } else {
      return most(most(acting, port.y), most(state.from, state.to));
    }
  }

 private:
  /// As Line::note_landing().
  template <class Number>
  HWY_ATTR void note_landing(const kernel::LandingColumns<Number>& v, std::size_t at) const {
    const auto now = lands_now > T(0);
    if (!any_lane(now)) return;
    const T time = T::load(v.clock) - 2 * step.half.y / s;
    select(now, time, T::load(v.landed_at + at)).store(v.landed_at + at);
  }
};

/// Newton as solve_single_port() has it, every lane until it is settled; those that are wait.
template <class Scheme, class T>
struct NewtonRow {
  T s, lo, hi, f_held;
  ResponseOf<T> a;
  typename T::Truth open;  ///< not settled

  HWY_ATTR NewtonRow() : open(T(0) > T(0)) {}
  HWY_ATTR void begin(const PowerLaw& law, const Scheme& scheme, const StringRow<Scheme, T>& row) {
    open = row.near(law, scheme);
    s = row.port.s_free;
    a = scheme.respond(law, row.step, s);
    f_held = T(0);
    const T reach = row.port.q * a.f, room = T(4 * eps) * (abs(s) + abs(reach));
    lo = s + min(reach, T(0)) - room;
    hi = s + max(reach, T(0)) + room;
  }
  HWY_ATTR void improve(const PowerLaw& law, const Scheme& scheme, StringRow<Scheme, T>& row, int i) {
    const T q = row.port.q, s_free = row.port.s_free;
    const T G = s - s_free - q * a.f, ds = -G / (1 - q * a.b);
    const T least = T(4 * eps) * (abs(s) + abs(s_free));
    auto settled = abs(ds) <= least;
    if (i >= single_port_patience) settled = settled || T(hi - lo) <= least;
    f_held = select(open && settled, a.f + a.b * ds, f_held);
    open = open && !settled;
    const auto above = G > T(0);
    hi = select(above, s, hi);
    lo = select(above, lo, s);
    const T next = s + ds;
    const T middle = lo + (hi - lo) / 2;
    s = i >= single_port_patience && i % 2 == 1 ? middle : select(next > lo && next < hi, next, middle);
    a = scheme.respond(law, row.step, s);
  }
  HWY_ATTR void end(StringRow<Scheme, T>& row) const {
    const T s_free = row.port.s_free, q = row.port.q;
    row.f = select(open, (s - s_free) / q, f_held);
    row.s = select(open, s, s_free + q * row.f);
  }
  static constexpr double eps = std::is_same_v<typename T::number, float> ? 0x1p-23 : 0x1p-52;
};

template <class T>
HWY_ATTR inline void count(typename T::number* lanes, const T& more) {
  (T::load(lanes) + more).store(lanes);
}
template <class T>
HWY_ATTR inline void keep_largest(typename T::number* lanes, const T& x) {
  most(T::load(lanes), x).store(lanes);
}
template <class T>
HWY_ATTR inline T ones(const typename T::Truth& where) {
  return select(where, T(1), T(0));
}

/// What a solve adds to the record, if its result is kept.
template <class T>
struct NewtonCounts {
  T solves = T(0), iterations = T(0), unsettled = T(0);
  int most_iterations = 0;

  HWY_ATTR void hand_in(kernel::StringTouches<typename T::number>& touches) const {
    count(touches.solves, solves);
    count(touches.iterations, iterations);
    count(touches.unsettled, unsettled);
    touches.most_iterations = std::max(touches.most_iterations, most_iterations);
  }
};

template <class Scheme, class T>
HWY_ATTR inline NewtonCounts<T> solve_newton(StringRow<Scheme, T>* row, const PowerLaw& law, const Scheme& scheme) {
  NewtonRow<Scheme, T> n[unit_rows];
  NewtonCounts<T> c;
  each<unit_rows>([&](auto i) HWY_ATTR {
    n[i].begin(law, scheme, row[i]);
    c.solves = c.solves + ones<T>(n[i].open);
  });
  const auto open = [&]() HWY_ATTR {
    typename T::Truth all = n[0].open;
    each<unit_rows>([&](auto i) HWY_ATTR { all = all || n[i].open; });
    return any_lane(all);
  };
  int used = 0;
  for (; used < single_port_limit && open(); ++used)
    each<unit_rows>([&](auto i) HWY_ATTR {
      n[i].improve(law, scheme, row[i], used);
      c.iterations = c.iterations + ones<T>(n[i].open);
    });
  each<unit_rows>([&](auto i) HWY_ATTR {
    n[i].end(row[i]);
    c.unsettled = c.unsettled + ones<T>(n[i].open);
  });
  c.most_iterations = used - 1;
  return c;
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
