// SPDX-License-Identifier: MIT
// One mass thrown at a wall, the problem of PAR11: its cases, rebounds in a row as its Table III makes them, and
// measures that every integrator and every scheme of the registry can be held to.
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
inline exact::Impact par11_noncritical() {
  return {.mass_kg = 0.01, .stiffness = 1e3, .exponent = 1.5, .mu = 0.5, .speed_m_s = 0.5};
}
inline exact::Impact par11_case1() {
  return {.mass_kg = 0.01, .stiffness = 1e7, .exponent = 1.3, .mu = 0.01, .speed_m_s = 0.5};
}
inline exact::Impact par11_case2() {
  return {.mass_kg = 0.01, .stiffness = 1e9, .exponent = 1.5, .mu = 0.5, .speed_m_s = 1};
}
inline exact::Impact par11_figure1(double v_m_s) {
  return {.mass_kg = 0.01, .stiffness = 1e7, .exponent = 1.5, .mu = 0.5, .speed_m_s = v_m_s};
}

inline OneMass mass_of(const exact::Impact& i, double load_N = 0) {
  return {HuntCrossley({i.stiffness, i.exponent, i.mu}), i.mass_kg, load_N};
}
inline std::unique_ptr<Stepper> stepper_of(std::string_view name, const exact::Impact& i,
                                           double rate_hz = par11_rate_hz, double load_N = 0) {
  return make_stepper(name, mass_of(i, load_N), 1 / rate_hz);
}
/// The contact as the paper throws it: the sample n = 0 lies at x = 0.
inline ContactSamples thrown(std::string_view name, const exact::Impact& i, double rate_hz = par11_rate_hz) {
  return record_contact(*stepper_of(name, i, rate_hz), i.speed_m_s);
}

/// (27) and (28) [%] against the curves of a run of RK4 at 64 times the rate instead of the closed forms: corrections
/// are made of those, so that they cannot miss them.  x^(alpha+1) is interpolated over v, which is smooth at both ends.
inline Deviation converged_deviation(const exact::Impact& i, const ContactSamples& s) {
  const ContactSamples fine = thrown("rk4", i, 64 * par11_rate_hz);
  const OneMass mass = mass_of(i);
  const double n = i.exponent + 1, x_max = *std::max_element(fine.x_m.begin(), fine.x_m.end());
  const double lost = mass.energy(0, i.speed_m_s) - mass.energy(0, fine.v_m_s.back());
  Deviation out;
  for (std::size_t j = 1; j < s.exit(); ++j) {
    const double v = s.v_m_s[j];
    std::size_t k = 1;
    while (k + 1 < fine.exit() && fine.v_m_s[k] > v) ++k;
    const double share = (fine.v_m_s[k - 1] - v) / (fine.v_m_s[k - 1] - fine.v_m_s[k]);
    const auto power = [&](std::size_t at) { return std::pow(std::max(fine.x_m[at], 0.0), n); };
    const double stored = power(k - 1) + share * (power(k) - power(k - 1)), x = std::pow(std::max(stored, 0.0), 1 / n);
    out.x = std::max(out.x, 100 * std::abs(s.x_m[j] - x) / x_max);
    out.H = std::max(out.H, 100 * std::abs(mass.energy(s.x_m[j], v) - mass.energy(x, v)) / lost);
  }
  return out;
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
/// The same in one run: gravity acts outside the wall and is suspended during contact (PAR11 IV-B2), so that touch
/// falls anywhere between samples.  Energy after the last impact over the exact one, less 1 [%]; NaN if it does not
/// come to that.
inline double accumulated_with_flights(std::string_view name, const exact::Impact& i, int count, double gravity_m_s2,
                                       double rate_hz = par11_rate_hz) {
  OneMass mass = mass_of(i, gravity_m_s2 * i.mass_kg);
  mass.suspended = true;
  const auto s = make_stepper(name, mass, 1 / rate_hz);
  s->start(0, i.speed_m_s);
  double exact_speed = i.speed_m_s;
  bool inside = false;
  const double longest_s = 2 * count * 2 * i.speed_m_s / gravity_m_s2;
  for (long n = 0; n < std::lround(longest_s * rate_hz); ++n) {
    s->step();
    if (inside && s->x() <= 0) {
      exact_speed *= exact::restitution(i.mu * exact_speed);
      if (--count == 0) return 100 * (mass.energy(s->x(), s->v()) / (i.mass_kg / 2 * exact_speed * exact_speed) - 1);
    }
    inside = s->x() > 0;
  }
  return std::nan("");
}
/// Impacts of a row of rebounds in which formula (7) set the velocity, with this threshold.
inline int formula_used(std::string_view name, exact::Impact i, int count, double threshold) {
  int used = 0;
  for (int n = 0; n < count; ++n) {
    const double values[] = {0, 4, threshold};
    const auto c = record_contact(*make_stepper(name, mass_of(i), 1 / par11_rate_hz, values), i.speed_m_s);
    const double formula = exact::restitution_approximate(i.mu * i.speed_m_s) * i.speed_m_s;
    used += std::abs(c.v_m_s.back() / formula + 1) < 1e-13;
    i.speed_m_s = std::abs(c.v_m_s.back());
  }
  return used;
}

/// An integrator or a scheme of the registry, ready to touch: `early` steps before it does.
struct Throw {
  std::unique_ptr<Mover> mover;
  double start_m = 0;
  int early = 0;
};
/// phase: samples from the last free sample to touch, 0 to 1.
inline Throw throw_with(const std::string& name, const exact::Impact& i, double rate_hz = par11_rate_hz,
                        double phase = 0) {
  const Problem p{
      .mass_kg = i.mass_kg, .stiffness = i.stiffness, .exponent = i.exponent, .law = "hunt-crossley", .mu = i.mu};
  const int early = is_integrator(name) ? 0 : 2;  // schemes carry u^n and u^{n-1}: both must be free at the start
  return {mover(p, {name}, 1 / rate_hz), -(early + phase) * i.speed_m_s / rate_hz, early};
}
/// Exact positions at the samples of a contact and the first one after it, `every`-th of them only where it is long.
struct ExactContact {
  double rate_hz;
  int every;
  std::vector<double> x_m;
};
inline ExactContact exact_contact(const exact::Impact& i, double rate_hz = par11_rate_hz, int most = 64) {
  const int samples = static_cast<int>(std::ceil(exact::contact_time(i) * rate_hz)),
            every = (samples + most - 1) / most;
  ExactContact e{rate_hz, every, {}};
  for (int n = every; n <= samples; n += every) e.x_m.push_back(exact::motion(i, n / rate_hz).x_m);
  return e;
}
/// Largest |x_n - x(t_n)| over x_max at those samples, in a run at `times` the rate.
inline double waveform_error(const std::string& name, const exact::Impact& i, const ExactContact& reference,
                             int times = 1) {
  Throw t = throw_with(name, i, times * reference.rate_hz);
  t.mover->start(t.start_m, i.speed_m_s);
  for (int n = 0; n < t.early; ++n) t.mover->step();
  double worst = 0;
  for (const double x : reference.x_m) {
    for (int n = 0; n < reference.every * times; ++n) t.mover->step();
    worst = std::max(worst, std::abs(t.mover->u() - x));
  }
  return worst / exact::max_compression(i);
}
/// Velocity once the contact is over; a contact never takes ten times its duration [m/s].
inline double leaving_velocity(const std::string& name, const exact::Impact& i, double rate_hz = par11_rate_hz,
                               double phase = 0) {
  Throw t = throw_with(name, i, rate_hz, phase);
  t.mover->start(t.start_m, i.speed_m_s);
  const long most = 20 + std::lround(10 * exact::contact_time(i) * rate_hz);
  for (long n = 0; n < most; ++n) {
    t.mover->step();
    if (n > t.early && t.mover->u() <= 0) break;
  }
  if (t.early > 0) t.mover->step();  // v() of schemes belongs to a half step
  return t.mover->v();
}
/// CPU time per step of contacts one after the other, what an impact needs at its start included [ns].
inline double contact_cost_ns(const std::string& name, const exact::Impact& i, double rate_hz = par11_rate_hz,
                              long steps = 40000) {
  Throw t = throw_with(name, i, rate_hz);
  const long each = t.early + static_cast<long>(std::ceil(exact::contact_time(i) * rate_hz));
  long left = 0;
  return ns_per_step(steps, [&] {
    if (left-- == 0) {
      t.mover->start(t.start_m, i.speed_m_s);
      left = each - 1;
    }
    t.mover->step();
  });
}

}  // namespace jawari::rigs
