// SPDX-License-Identifier: MIT
// The three-point scheme with a fixed number of Newton iterations from the free step, as DB19 uses it: no test whether
// they are enough.  Points that do not touch may iterate, too, and evaluate their powers in every iteration, as code
// for whole arrays does.
#pragma once
#include <functional>
#include <memory>

#include "jawari/contact/power_law.h"
#include "jawari/couple/line.h"
#include "jawari/scheme/gradient.h"
#include "support/string_rig.h"

namespace jawari::experiments::paper_db19 {

struct FixedThreePoint : ThreePoint {
  int iterations = 20;
  bool everywhere = false;  ///< also where nothing touches, with the powers of a point that does

  template <class Law>
  bool solve(const Law& law, const Step& t, const Port& p, double& s_m, double& f_N) const noexcept {
    double s = p.s_free;
    const bool idle = everywhere && !law.touches(t.from.y) && !law.touches(t.from.y + s);
    const Anchor inside = law.anchor(1e-5);
    for (int i = 0; i < iterations; ++i) {
      Response a = respond(law, t, s);
      if (idle) a.f += 0 * law.mean_force(inside, 1e-6 * (i + 1)).value;  // the cost of a power, and nothing else
      s -= (s - p.s_free - p.q * a.f) / (1 - p.q * a.b);
    }
    s_m = s;
    f_N = (s - p.s_free) / p.q;
    return true;
  }
  template <class Law>
  bool holds(const Law& law, const State& e) const noexcept {
    return everywhere || ThreePoint::holds(law, e);
  }
};

/// A barrier of this string with its law and these iterations.
inline std::function<std::unique_ptr<ContactLine>(std::size_t)> fixed_newton(const rigs::StringProblem& p,
                                                                             int iterations, bool everywhere) {
  FixedThreePoint scheme;
  scheme.iterations = iterations;
  scheme.everywhere = everywhere;
  const PowerLaw law({p.law.values.at("stiffness") * p.weight, p.law.values.at("exponent")});
  return [=, dt_s = p.dt_s](std::size_t points) -> std::unique_ptr<ContactLine> {
    return std::make_unique<Line<PowerLaw, FixedThreePoint>>(law, scheme, points, dt_s);
  };
}

}  // namespace jawari::experiments::paper_db19
