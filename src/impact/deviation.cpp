// SPDX-License-Identifier: MIT
#include "jawari/impact/deviation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

/// |x_n - x(v_n)|.  Beyond v_out the bracket of PAR11 (3) is negative; the paper's figures come from the modulus with
/// the complex principal power, and are only reproduced so.
double stray(const exact::Impact& i, double x, double v) {
  const double n = i.exponent + 1, v_in = i.speed_m_s;
  const double B = exact::specific_kinetic(i.mu, v_in) - exact::specific_kinetic(i.mu, v);
  if (B >= 0 && v >= exact::outbound_velocity(i) && v <= v_in) return std::abs(x - exact::compression(i, v));
  const double size = elementary::pow(std::abs(i.mass_kg * n / i.stiffness * B), 1 / n);
  if (B >= 0) return std::abs(x - size);
  const auto [re, im] = elementary::sine_cosine(std::numbers::pi / n);
  return elementary::hypot(x - size * re, size * im);
}

}  // namespace

ContactSamples record_contact(Stepper& stepper, double v_in, double start_m, std::size_t limit) {
  stepper.start(start_m, v_in);
  ContactSamples samples{{stepper.x()}, {stepper.v()}, stepper.dt_s()};
  bool touched = false;
  while (samples.x_m.size() < limit) {
    stepper.step();
    samples.x_m.push_back(stepper.x());
    samples.v_m_s.push_back(stepper.v());
    samples.exit_predicted_m_s = stepper.predicted_velocity();
    touched |= stepper.x() > 0;
    if ((touched || start_m == 0) && stepper.x() <= 0) break;
  }
  return samples;
}

Deviation deviation(const exact::Impact& i, const ContactSamples& c, bool approximate) {
  const double v_in = i.speed_m_s, m = i.mass_kg, n = i.exponent + 1, x_max = exact::max_compression(i);
  const double v_out = approximate ? -v_in * exact::restitution_approximate(i.mu * v_in) : exact::outbound_velocity(i);
  const double range = approximate ? m / 2 * (v_in * v_in - v_out * v_out) : -exact::energy_change(i);
  Deviation d;
  for (std::size_t k = 0; k < c.x_m.size(); ++k) {
    const double x = c.x_m[k], v = c.v_m_s[k];
    if (!(x > 0)) continue;
    const double H = m * v * v / 2 + i.stiffness * elementary::pow(x, n) / n;
    const double B = exact::specific_kinetic(i.mu, v_in) - exact::specific_kinetic(i.mu, v);
    const bool on_curve = v >= exact::outbound_velocity(i) && v <= v_in;
    const double wanted = on_curve ? exact::hamiltonian(i, v) : m * (v * v / 2 + B);
    d.x = std::max(d.x, 100 * stray(i, x, v) / x_max);
    d.H = std::max(d.H, 100 * std::abs(H - wanted) / range);
  }
  const double v_exit = c.v_m_s.back();
  d.v_out = 100 * (v_exit / v_out - 1);
  d.exit_H = 100 * m / 2 * (v_exit * v_exit - v_out * v_out) / range;
  return d;
}

void add_timing(const exact::Impact& i, const ContactSamples& c, bool exit_counts, Deviation& d) {
  const double x_max = exact::max_compression(i);
  for (std::size_t k = 0; k < c.x_m.size(); ++k) {
    const exact::Motion at = exact::motion(i, static_cast<double>(k) * c.dt_s + c.x_m[0] / i.speed_m_s);
    if (exit_counts || k != c.exit()) d.time_x = std::max(d.time_x, 100 * std::abs(c.x_m[k] - at.x_m) / x_max);
    d.time_v = std::max(d.time_v, 100 * std::abs(c.v_m_s[k] - at.v_m_s) / i.speed_m_s);
  }
}

}  // namespace jawari
