// SPDX-License-Identifier: MIT
// One port: solve s = s_free + q f(s).  A scheme's own closed form where it has one, one division per pass for an
// affine answer, otherwise Newton inside a proven bracket (K1).
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "jawari/core/port.h"

namespace jawari {

/// How a solve went.  Nobody hides a failure: the monitor counts it and the run says so.
struct Outcome {
  int passes = 0;       ///< linear solves or Newton iterations used
  int shortened = 0;    ///< Newton steps that had to be shortened (island.h)
  bool settled = true;  ///< false: the tolerance was not met, or a root is complex
};

/// Newton steps before every other one is a bisection, which ends whatever the law, and the most there are: a bracket 1e70
/// times as wide as the root is halved to rounding.
inline constexpr int alone_patience = 50, alone_limit = 700;

/// Newton inside a bracket: f never rises, so the root lies between s_free and s_free + q f(s_free) (K1).  Returns the
/// force that holds s.  `respond` gives f and its slope at a trial s.
template <class Respond>
double solve_between(Respond&& respond, double s_free, double q, double& s, Outcome& out) noexcept {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  s = s_free;
  Response a = respond(s);
  const double room = 4 * eps * (std::abs(s) + std::abs(q * a.f));  // the root may be an end: do not halve towards it
  double lo = s + std::min(q * a.f, 0.0) - room, hi = s + std::max(q * a.f, 0.0) + room;
  for (int i = 0; i < alone_limit; ++i) {
    const double G = s - s_free - q * a.f, ds = -G / (1 - q * a.b);   // G' >= 1
    const double least = 4 * eps * (std::abs(s) + std::abs(s_free));  // not |G|: it moves in q|b| ulp
    if (std::abs(ds) <= least || (i >= alone_patience && hi - lo <= least)) {
      const double f = a.f + a.b * ds;  // the last step is taken: Newton comes from one side, and a one-sided
      s = s_free + q * f;               // remainder adds up (5e-12 instead of 2e-13 in 4410 steps, K = 1e13)
      out.passes = std::max(out.passes, i);
      return f;
    }
    (G > 0 ? hi : lo) = s;
    const bool halve = i >= alone_patience && i % 2 == 1;
    s = !halve && s + ds > lo && s + ds < hi ? s + ds : lo + (hi - lo) / 2;
    a = respond(s);
  }
  out.passes = alone_limit, out.settled = false;
  return (s - s_free) / q;
}

/// One port of a scheme: by its closed form, by its passes, or between (K1).  Returns the force that holds s.
template <class S, ContactLaw Law>
  requires SchemeFor<S, Law>
double solve_alone(const S& scheme, const Law& law, typename S::Step& t, const Port& p, double& s,
                   Outcome& out) noexcept {
  if constexpr (requires(double f) { scheme.solve(law, t, p, s, f); }) {
    double f = 0;
    out.settled = scheme.solve(law, t, p, s, f) && out.settled;
    out.passes = std::max(out.passes, 1);
    return f;
  } else if constexpr (S::passes > 0) {
    out.passes = std::max(out.passes, S::passes);
    for (int pass = 1;; ++pass) {
      const Response a = scheme.respond(law, t, p.s_free);
      const double f = a.f / (1 - p.q * a.b);  // (K3) b <= 0 <= q: the divisor is >= 1
      s = p.s_free + p.q * f;
      if (pass == S::passes) return f;
      scheme.refine(law, t, s, p.s_free);
    }
  } else {
    return solve_between([&](double trial) { return scheme.respond(law, t, trial); }, p.s_free, p.q, s, out);
  }
}

}  // namespace jawari
