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

#include "jawari/body/string_step.h"
#include "jawari/couple/contact_point.h"
#include "jawari/couple/single_port.h"
#include "kernel/lanes.h"
#include "kernel/string_arrays.h"
#include "kernel/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using kernel::StepForm;
using kernel::StringArrays;
using kernel::StringColumns;
using kernel::StringNumbers;
using kernel::unit_rows;

/// Five neighbours of a vector of nodes, and three increments.
template <class T>
struct Neighbours {
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
constexpr StringTerms terms_of(Loss loss, bool load = false) {
  return {load, true, loss != Loss::none, loss == Loss::both};
}

/// Without contact, rounded as StringGrid::predict() does it: the change of the increment.
template <Loss loss, bool loaded, class T>
HWY_ATTR inline T free_change(const StringCoefficientsOf<T>& a, const T& share, const Neighbours<T>& n, const T& load) {
  const T before = second_difference(n.left2, n.left, n.u), here = second_difference(n.left, n.u, n.right),
          after = second_difference(n.u, n.right, n.right2);
  T d_curve(0);
  if constexpr (loss == Loss::both) d_curve = second_difference(n.d_left, n.d, n.d_right);
  T rhs = string_rhs<terms_of(loss, loaded)>(a, here, second_difference(before, here, after), n.d, d_curve, load);
  if constexpr (loss != Loss::none) rhs = rhs * share;
  return rhs;
}

/// A scheme's constants, in registers where they are few.
template <class Scheme>
using SchemeHere = std::conditional_t<(sizeof(Scheme) > 64), const Scheme&, const Scheme>;

/// What stays the same through a step, away from the memory it writes to.
template <class T, class LawType>
struct StringConstants {
  using Number = typename T::number;
  using Law = LawType;
  StringColumns<Number> columns;
  StringNumbers a;
  const Law& law;
  double before = 1, now = 1, after = 1;  ///< signs of levels

  HWY_ATTR explicit StringConstants(const StringArrays<Number>& v)
      : columns(v), a(v.a), law(*static_cast<const Law*>(v.law)) {
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
  T free;  ///< from the free pass: level or increment; by differences: change of the increment
  T f, s, lost;
  T landed, lands_now;  ///< lost to unresolved waves; 1: the contact begins (schemes that land)
  T u, d;               ///< after the step; in levels: u as it is stored, and no d
  State state;
  PortOf<T> port;
  typename Scheme::template StepOf<T> step;

  template <class Number>
  HWY_ATTR void load_state(const StringColumns<Number>& v, std::size_t at) {
    unroll<std::size(State::kept)>([&](auto k) HWY_ATTR { state.*State::kept[k] = T::load(v.state[k] + at); });
  }
  template <class Constants>
  HWY_ATTR void store(const Constants& c, std::size_t at) const {
    const auto& v = c.columns;
    unroll<std::size(State::kept)>([&](auto k) HWY_ATTR { (state.*State::kept[k]).store(v.state[k] + at); });
    if constexpr (lands<Scheme>) note_landing(v.landing, at);
    f.store(v.phi + at);
    u.store(v.u_next + at);
    if constexpr (!T::in_levels) d.store(v.d_next + at);
  }
  template <class Constants>
  HWY_ATTR static T increment(const Constants& c, std::size_t at) {
    const auto& v = c.columns;
    if constexpr (T::in_levels)
      return T(c.now) * T::load(v.u + at) - T(c.before) * T::load(v.d + at);
    else
      return T::load(v.d + at);
  }
  /// y a step later.
  template <class Constants>
  HWY_ATTR T next(const Constants& c, std::size_t at) const {
    const T offset = T::load_anew(c.columns.offset + at, u);
    if constexpr (T::in_levels)
      return offset + T(c.after) * u;
    else
      return offset + u;
  }
  /// plain: neither loss nor load, as far as the free pass has not added them.
  /// lossy: with the scheme's own loss.
  template <bool plain, bool lossy, class Constants>
  HWY_ATTR void begin(const Scheme& scheme, const Constants& c, std::size_t at) {
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
      Neighbours<T> n;
      n.load(v, at);
      if constexpr (!plain) n.load_sides(v, at);
      const StringCoefficientsOf<T> a(c.a);
      if constexpr (plain)
        free = free_change<Loss::none, false>(a, T(c.a.share), n, T(0));
      else
        free = free_change<Loss::both, true>(a, T(c.a.share), n, T::load(v.load + at));
      y = offset + n.u;
      s_free = T(2) * before + free;
    }
    load_state(v, at);
    port = {y, before, s_free, T(c.a.q)};
    begin(scheme, c.law, v.landing, at);
  }
  template <class Law, class Number>
  HWY_ATTR void begin(const Scheme& scheme, const Law& law, const kernel::LandingColumns<Number>& v, std::size_t at) {
    if constexpr (lands<Scheme>) {
      const LandingPlaceOf<T> place{T::load(v.share + at), T::load(v.stretch + at)};
      step = scheme.begin(law, port, state, place, T::load(v.slaps + at) > T(0));
    } else {
      step = scheme.begin(law, port, state);
    }
  }
  template <class Law>
  HWY_ATTR void solve(const Law& law, const Scheme& scheme) {
    Outcome outcome;
    f = solve_single_port(scheme, law, step, port, s, outcome);
    if constexpr (Scheme::acts_ahead) {
      const auto takes_part = near(law, scheme);
      f = select(takes_part, f, T(0));
      s = select(takes_part, s, port.s_free);
    }
  }
  /// As Line::detect(): the others do not take part, whatever rounding makes of their half-steps.
  template <class Law>
  HWY_ATTR typename T::Mask near(const Law& law, const Scheme& scheme) const {
    return may_touch(law, port) || scheme.holds(law, state);
  }
  template <class Law>
  HWY_ATTR void finish(const Law& law, const Scheme& scheme) {
    State next = state;
    lost = scheme.finish(law, step, s, f, next);
    if constexpr (Scheme::acts_ahead) {
      const auto takes_part = near(law, scheme);
      unroll<std::size(State::kept)>([&](auto k) HWY_ATTR {
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
  template <class Constants>
  HWY_ATTR void move(const Constants& c, std::size_t at) {
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
  /// Above zero while the unit takes part in the next step.
  HWY_ATTR T activity(const T& next) const {
    const T acting = max_fast(next, abs(f));
    if constexpr (requires { state.psi; }) {
      if constexpr (Scheme::keeps_psi)
        return acting;
      else if constexpr (Scheme::acts_ahead)
        return max_fast(max_fast(acting, port.y), abs(state.psi));
      else
        return max_fast(acting, abs(state.psi));
    } else if constexpr (requires { state.half; }) {
      return max_fast(max_fast(max_fast(acting, port.y), max_fast(state.from, state.to)), state.half);
    } else {
      return max_fast(max_fast(acting, port.y), max_fast(state.from, state.to));
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

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
