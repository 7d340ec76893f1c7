// SPDX-License-Identifier: MIT
// What the rounding of a secant scheme is measured by.
#pragma once
#include <algorithm>
#include <cmath>

#include "jawari/contact/hunt_crossley.h"
#include "jawari/scheme/quadratised.h"

namespace jawari::test {

/// The smallest double step that the passes of a secant scheme divide by.
template <int passes>
double smallest_secant_step(const HuntCrossley& law, const Port& port, double energy_J) {
  Quadratised<Rule::secant, passes> scheme;
  scheme.prepare(law, 1 / 44100.0);
  auto t = scheme.begin(law, port, {std::sqrt(2 * energy_J)});
  double smallest = INFINITY;
  for (int pass = 1; pass < passes; ++pass) {
    const Response a = scheme.respond(law, t, port.s_free);
    const double s = port.s_free + port.q * a.f / (1 - port.q * a.b);
    smallest = std::min(smallest, std::abs(s));
    scheme.refine(law, t, s, port.s_free);
  }
  return smallest;
}

}  // namespace jawari::test
