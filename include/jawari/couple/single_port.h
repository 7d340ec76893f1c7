// SPDX-License-Identifier: MIT
// One port: solve s = s_free + q f(s).  A scheme's own closed form where it has one, one division per pass for an
// affine answer, otherwise Newton inside a proven bracket (K1).  On a number type T with derivatives the root is found
// for plain numbers, and one Newton step gives the derivatives: those of the implicit function s(s_free, q, ...).
#pragma once
#include <type_traits>
#include <utility>

#include "jawari/core/number.h"
#include "jawari/core/port.h"

namespace jawari {

/// How a solve ended.  Failures are counted by the monitor and reported by the run.
struct Outcome {
  int passes = 0;       ///< linear solves or Newton iterations used
  int shortened = 0;    ///< Newton steps that had to be shortened (island.h)
  bool settled = true;  ///< false: the tolerance was not met, or a root is complex
  JAWARI_HD void used(int count) noexcept { passes = count > passes ? count : passes; }
};

/// Newton steps before every other one is a bisection, which ends whatever the law, and the most there are: a bracket
/// 1e70 times as wide as the root is halved to rounding.
inline constexpr int single_port_patience = 50, single_port_limit = 700;

/// Newton inside a bracket: f never rises, so the root lies between s_free and s_free + q f(s_free) (K1).  One step at
/// a time, for a number or for lanes that settle one by one: a = f and its slope at s is asked for between the steps.
template <class T>
struct BracketedNewton {
  using Mask = decltype(std::declval<const T&>() > std::declval<const T&>());
  T s, lo, hi, f_held;  // trial; bracket; force that holds s, where settled
  Mask open;            // not settled

  JAWARI_HD BracketedNewton(const ResponseOf<T>& a, const T& s_free, const T& q, const Mask& takes_part) noexcept
      : s(s_free), f_held(T(0)), open(takes_part) {
    const T reach = q * a.f;
    const T room = T(4 * epsilon_of<T>) * (abs(s) + abs(reach));  // the root may be an end: do not halve towards it
    lo = s + min(T(0), reach) - room;
    hi = s + max(T(0), reach) + room;
  }
  JAWARI_HD void step(const ResponseOf<T>& a, const T& s_free, const T& q, int i) noexcept {
    const T G = s - s_free - q * a.f;  // G' >= 1
    const T ds = -G / (1 - q * a.b);
    const T least = T(4 * epsilon_of<T>) * (abs(s) + abs(s_free));  // not |G|: it moves in q|b| ulp
    Mask settled = abs(ds) <= least;
    if (i >= single_port_patience) settled = settled || T(hi - lo) <= least;
    // The last step is taken: Newton comes from one side, and a one-sided remainder adds up (5e-12 instead of 2e-13 in
    // 4410 steps, K = 1e13).
    f_held = select(open && settled, T(a.f + a.b * ds), f_held);
    open = open && !settled;
    const Mask above = G > T(0);
    hi = select(above, s, hi);
    lo = select(above, lo, s);
    const T next = s + ds;
    const T middle = lo + (hi - lo) / 2;
    const bool halve = i >= single_port_patience && i % 2 == 1;
    s = halve ? middle : select(next > lo && next < hi, next, middle);
  }
  /// The force that holds s, and s itself.
  JAWARI_HD T end(const T& s_free, const T& q, T& s_end) const noexcept {
    T f = f_held;
    s_end = s_free + q * f;
    if (any_lane(open)) {
      f = select(open, T((s - s_free) / q), f);
      s_end = select(open, s, s_end);
    }
    return f;
  }
};

/// Newton inside a bracket for one port.  Returns the force that holds s.  `respond` gives f and its slope at a trial
/// s.
template <class T, class Respond>
JAWARI_HD T newton_bracketed(Respond&& respond, T s_free, T q, T& s, Outcome& out) noexcept {
  using Plain = PlainOf<T>;
  if constexpr (!std::is_same_v<T, Plain>) {
    Plain root_s = plain(s_free);
    const auto plain_response = [&](Plain trial) {
      const ResponseOf<T> a = respond(T(trial));
      return ResponseOf<Plain>{plain(a.f), plain(a.b)};
    };
    const Plain root_f = newton_bracketed(plain_response, plain(s_free), plain(q), root_s, out);
    // (K8) ds/dx = (ds_free/dx + f dq/dx + q f_x)/(1 - q b): only derivatives are added to the root.
    const ResponseOf<T> a = respond(T(root_s));
    const T f = T(root_f) + (a.f - T(plain(a.f)));
    const T moved = s_free + q * f;
    const T ds = (moved - T(plain(moved))) / (1 - q * a.b);
    s = T(root_s) + ds;
    return f + a.b * ds;
  } else {
    ResponseOf<T> a = respond(s_free);
    BracketedNewton<T> newton(a, s_free, q, true);
    for (int i = 0; i < single_port_limit; ++i) {
      newton.step(a, s_free, q, i);
      if (!newton.open) {
        out.used(i);
        return newton.end(s_free, q, s);
      }
      a = respond(newton.s);
    }
    out.passes = single_port_limit;
    out.settled = false;
    return newton.end(s_free, q, s);
  }
}

/// (K3) The force of a line f + b (s - s_free).  b <= 0 <= q: the divisor is >= 1, here with both signs turned.
template <class T>
JAWARI_HD inline T divide_port(const ResponseOf<T>& a, const PortOf<T>& p) noexcept {
  return -a.f / (minus_one(p.s_free) - p.q * -a.b);
}

/// One port of a scheme: by its closed form, by its passes, or by Newton (K1).  Returns the force that holds s.
template <class S, class Law, class Step, class T>
requires SchemeFor<S, Law> JAWARI_HD T solve_single_port(const S& scheme, const Law& law, Step& t, const PortOf<T>& p,
                                                         T& s, Outcome& out)
noexcept {
  if constexpr (requires(T f) { scheme.solve(law, t, p, s, f); }) {
    T f(0);
    out.settled = scheme.solve(law, t, p, s, f) && out.settled;
    out.used(1);
    return f;
  } else if constexpr (S::passes > 0) {
    out.used(S::passes);
    for (int pass = 1;; ++pass) {
      const ResponseOf<T> a = scheme.respond(law, t, p.s_free);
      const T f = divide_port(a, p);
      s = p.s_free + p.q * f;
      if (pass == S::passes) return f;
      scheme.refine(law, t, s, p.s_free);
    }
  } else {
    return newton_bracketed([&](T trial) { return scheme.respond(law, t, trial); }, p.s_free, p.q, s, out);
  }
}

}  // namespace jawari
