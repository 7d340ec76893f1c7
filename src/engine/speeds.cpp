// SPDX-License-Identifier: MIT
#include "speeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jawari/core/param.h"

namespace jawari {
namespace {

constexpr double fastest_m_s = 1e5;

double peak_N(const ExcitationSpec& e) {
  double peak = e.type == SignalType::samples ? 0 : std::abs(e.amplitude_N);  // samples_N hold their amplitude already
  for (const double f : e.samples_N) peak = std::max(peak, std::abs(f));
  return peak;
}

}  // namespace

void check_speeds(const Scene& scene, const World::Parts& parts) {
  for (std::size_t i = 0; i < scene.excitations.size(); ++i) {
    const World::Drive& d = parts.drives[i];
    const double peak = peak_N(scene.excitations[i]);
    const double speed = peak * parts.bodies[d.body].body->receptance(d.tap, d.tap) / (2 * parts.dt_s);
    if (!(speed <= fastest_m_s))
      throw Refusal(fmt::format("excitation[{}].{}", i, scene.excitations[i].samples_N.empty() ? "amplitude_N" : "samples_N"),
                    fmt::format("excitation of \"{}\": {:g} N push this point at {:.3g} m/s within one time step, but at most "
                                "{:g} m/s are allowed; the body is too light for this force",
                                parts.bodies[d.body].name, peak, speed, fastest_m_s));
  }
}

}  // namespace jawari
