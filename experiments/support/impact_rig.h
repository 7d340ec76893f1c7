// SPDX-License-Identifier: MIT
// One mass thrown at a wall, the problem of PAR11: its cases, rebounds in a row as its Table III makes them, and measures
// that every integrator and every scheme of the registry can be held to.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/support/rig.h"
#include "experiments/support/timing.h"
#include "jawari/impact/closed_form.h"
#include "jawari/impact/corrections.h"
#include "jawari/impact/deviation.h"

namespace jawari::rigs {

inline constexpr double par11_rate_hz = 44100;
inline exact::Impact par11_noncritical() { return {.mass_kg = 0.01, .stiffness = 1e3, .exponent = 1.5, .mu = 0.5, .speed_m_s = 0.5}; }
inline exact::Impact par11_case1() { return {.mass_kg = 0.01, .stiffness = 1e7, .exponent = 1.3, .mu = 0.01, .speed_m_s = 0.5}; }
inline exact::Impact par11_case2() { return {.mass_kg = 0.01, .stiffness = 1e9, .exponent = 1.5, .mu = 0.5, .speed_m_s = 1}; }
inline exact::Impact par11_figure1(double v_m_s) {
  return {.mass_kg = 0.01, .stiffness = 1e7, .exponent = 1.5, .mu = 0.5, .speed_m_s = v_m_s};
}

inline OneMass mass_of(const exact::Impact& i, double load_N = 0) {
  return {HuntCrossley({i.stiffness, i.exponent, i.mu}), i.mass_kg, load_N};
}
inline std::unique_ptr<Stepper> stepper_of(std::string_view name, const exact::Impact& i, double rate_hz = par11_rate_hz,
                                           double load_N = 0) {
  return make_stepper(name, mass_of(i, load_N), 1 / rate_hz);
}
/// The contact as the paper throws it: the sample n = 0 lies at x = 0.
inline ContactSamples thrown(std::string_view name, const exact::Impact& i, double rate_hz = par11_rate_hz) {
  return record_contact(*stepper_of(name, i, rate_hz), i.speed_m_s);
}

/// Impacts in a row; every one starts on a sample at x = 0 with the speed that the last one left with.
struct Rebounds {
  double accumulated = 0;      ///< 100 (H/H_exact - 1) after the last impact
  double max_dev = 0;          ///< largest PAR11 (27), the exit samples included [%]
  double max_dev_contact = 0;  ///< the same with contact samples only [%]
  std::vector<double> speed;   ///< |v_out| of every impact [m/s]
};
inline Rebounds rebounds(std::string_view name, exact::Impact i, int count, double rate_hz = par11_rate_hz,
                         bool restart_with_predictor = false) {
  Rebounds out;
  double exact_speed = i.speed_m_s;
  for (int n = 0; n < count; ++n) {
    const ContactSamples c = thrown(name, i, rate_hz);
    const Deviation d = deviation(i, c);
    out.max_dev_contact = std::max(out.max_dev_contact, d.H);
    out.max_dev = std::max({out.max_dev, d.H, std::abs(d.exit_H)});
    exact_speed *= exact::restitution(i.mu * exact_speed);
    out.speed.push_back(std::abs(c.v_m_s.back()));
    i.speed_m_s = restart_with_predictor ? std::abs(c.exit_predicted_m_s) : out.speed.back();
  }
  out.accumulated = 100 * (std::pow(out.speed.back() / exact_speed, 2) - 1);
  return out;
}
/// The same with flights under gravity between the impacts, so that touch falls between samples.  [%]
inline double accumulated_with_flights(std::string_view name, exact::Impact i, int count, double gravity_m_s2,
                                       double rate_hz = par11_rate_hz) {
  double exact_speed = i.speed_m_s, start = 0, at_wall = 0;
  for (int n = 0; n < count; ++n) {
    const ContactSamples c = record_contact(*stepper_of(name, i, rate_hz), i.speed_m_s, start);
    const double x = c.x_m.back(), v = c.v_m_s.back();  // a parabola from here, exact in every sampled method
    at_wall = std::sqrt(v * v - 2 * gravity_m_s2 * x);
    const double samples = (at_wall - v) / gravity_m_s2 * rate_hz, phase = samples - std::floor(samples);
    exact_speed *= exact::restitution(i.mu * exact_speed);
    i.speed_m_s = at_wall, start = -phase * at_wall / rate_hz;
  }
  return 100 * (std::pow(at_wall / exact_speed, 2) - 1);
}

/// An integrator or a scheme of the registry, ready to touch: `early` steps before it does.
struct Throw {
  std::unique_ptr<Mover> mover;
  double start_m = 0;
  int early = 0;
};
inline Throw throw_with(const std::string& name, const exact::Impact& i, double rate_hz = par11_rate_hz) {
  const Problem p{.mass_kg = i.mass_kg, .stiffness = i.stiffness, .exponent = i.exponent, .law = "hunt-crossley", .mu = i.mu};
  const int early = is_integrator(name) ? 0 : 2;  // schemes carry u^n and u^{n-1}: both must be free at the start
  return {mover(p, {name}, 1 / rate_hz), -early * i.speed_m_s / rate_hz, early};
}
/// Largest |x_n - x(t_n)| over x_max among the samples of the exact contact.
inline double waveform_error(const std::string& name, const exact::Impact& i, double rate_hz = par11_rate_hz) {
  Throw t = throw_with(name, i, rate_hz);
  t.mover->start(t.start_m, i.speed_m_s);
  for (int n = 0; n < t.early; ++n) t.mover->step();
  const double tau = exact::contact_time(i), x_max = exact::max_compression(i);
  double worst = 0;
  for (int n = 1; n <= tau * rate_hz; ++n) {
    t.mover->step();
    worst = std::max(worst, std::abs(t.mover->u() - exact::motion(i, n / rate_hz).x_m));
  }
  return worst / x_max;
}
/// Velocity once the contact is over; a contact never takes ten times its duration [m/s].
inline double leaving_velocity(const std::string& name, const exact::Impact& i, double rate_hz = par11_rate_hz) {
  Throw t = throw_with(name, i, rate_hz);
  t.mover->start(t.start_m, i.speed_m_s);
  const long most = 20 + std::lround(10 * exact::contact_time(i) * rate_hz);
  for (long n = 0; n < most; ++n) {
    t.mover->step();
    if (n > t.early && t.mover->u() <= 0) break;
  }
  t.mover->step();  // of schemes v() belongs to the half step before
  return t.mover->v();
}
/// CPU time per step of contacts one after the other, what an impact needs at its start included [ns].
inline double contact_cost_ns(const std::string& name, const exact::Impact& i, double rate_hz = par11_rate_hz, long steps = 40000) {
  Throw t = throw_with(name, i, rate_hz);
  const long each = t.early + static_cast<long>(std::ceil(exact::contact_time(i) * rate_hz));
  long left = 0;
  return ns_per_step(steps, [&] {
    if (left-- == 0) t.mover->start(t.start_m, i.speed_m_s), left = each - 1;
    t.mover->step();
  });
}

}  // namespace jawari::rigs
