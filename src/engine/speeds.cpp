// SPDX-License-Identifier: MIT
#include "speeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jawari/core/param.h"

namespace jawari {
namespace {

constexpr double fastest_m_s = 1e5, usual_m_s = 1;

double peak_N(const ExcitationSpec& e) {
  double peak = e.type == SignalType::samples ? 0 : std::abs(e.amplitude_N);  // samples_N hold their amplitude already
  for (const double f : e.samples_N) peak = std::max(peak, std::abs(f));
  return peak;
}

/// The compression that stops a body of this speed: f(y) y = m v^2.  At most 1 km.
double stopping_depth(const ContactLine& line, double q, double dt_s, double side, double speed_m_s) {
  const double energy = q > 0 ? dt_s * dt_s * speed_m_s * speed_m_s / q : HUGE_VAL;
  double below = 1e-30, above = 1e3;
  for (int i = 0; i < 40; ++i) {
    const double middle = std::sqrt(below * above), y = side * middle;
    (line.force_at(y, 0) * y < energy ? below : above) = middle;
  }
  return above;
}

}  // namespace

void limit_excitations(const Scene& scene, World::Parts& parts) {
  for (std::size_t i = 0; i < scene.excitations.size(); ++i) {
    World::Drive& d = parts.drives[i];
    const double peak = peak_N(scene.excitations[i]);
    const double speed = peak * parts.bodies[d.body].body->receptance(d.tap, d.tap) / (2 * parts.dt_s);
    if (!(speed <= fastest_m_s))
      throw Refusal(fmt::format("excitation[{}].{}", i, scene.excitations[i].samples_N.empty() ? "amplitude_N" : "samples_N"),
                    fmt::format("excitation of \"{}\": {:g} N push this point at {:.3g} m/s within one time step, but at most "
                                "{:g} m/s are allowed; the body is too light for this force",
                                parts.bodies[d.body].name, peak, speed, fastest_m_s));
    if (speed > 0) d.largest = std::min(d.largest, fastest_m_s / speed);
  }
}

void limit_stiffness(World::Parts& parts) {
  const double stiffest = parts.limits.stiffness;  // (P3) a force is known to about eps times this ratio
  for (auto& c : parts.contacts) {
    if (c.joint != World::Joint::contact) continue;
    double q = 0;  // of its lightest point
    for (const Port& port : c.line->port) q = std::max(q, port.q);
    const double ratio = q * std::abs(c.line->slope_at(stopping_depth(*c.line, q, parts.dt_s, 1, usual_m_s)));
    if (!(ratio <= stiffest))
      throw Refusal("stiffness", fmt::format("the contact \"{}\" is {:.2g} times as stiff as its bodies are heavy within one time "
                                             "step (stiffness times time step squared over mass), but at most {:g} is allowed: a "
                                             "rounding error of the displacement would be a force",
                                             c.name, ratio, stiffest));
    if (ratio > 0) c.stiffest = std::min(c.stiffest, stiffest / ratio);
  }
}

void limit_heights(World::Parts& parts) {
  for (auto& c : parts.contacts) {
    if (c.height_sign == 0) continue;
    double q = 0;
    for (const Port& port : c.line->port) q = std::max(q, port.q);
    const auto [least, most] = std::minmax_element(c.offset_m.begin(), c.offset_m.end());
    const double up = stopping_depth(*c.line, q, parts.dt_s, 1, parts.limits.release_m_s) - *most;
    const double down = stopping_depth(*c.line, q, parts.dt_s, -1, parts.limits.release_m_s) + *least;
    const double highest = c.height_m + (c.height_sign > 0 ? up : down), lowest = c.height_m - (c.height_sign > 0 ? down : up);
    c.highest_m = std::max(c.height_m, std::min(highest, 1e3));  // where it is remains allowed
    c.lowest_m = std::min(c.height_m, std::max(lowest, -1e3));
  }
}

void check_compressed(const World::Parts& parts) {
  for (const auto& c : parts.contacts) {
    for (std::size_t i = 0; i < c.line->port.size(); ++i) {
      const Port& port = c.line->port[i];
      const double stored = c.line->stored(i);  // some schemes store from the first step on
      const double energy = stored > 0 ? stored : c.line->force_at(port.y, 0) * port.y / 2;
      const double speed = std::sqrt(2 * std::max(energy, 0.0) * port.q) / parts.dt_s;
      if (speed <= parts.limits.release_m_s) continue;
      throw Refusal("height_m", fmt::format("the contact \"{}\" is compressed at the start and stores {:.3g} J, which push its "
                                            "bodies apart at {:.3g} m/s, but at most {:g} m/s are allowed; start them farther "
                                            "apart, or make the contact softer",
                                            c.name, energy, speed, parts.limits.release_m_s));
    }
  }
}

}  // namespace jawari
