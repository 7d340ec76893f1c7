// SPDX-License-Identifier: MIT
// The contact of CW17: 1 kg at 1 m/s from 0.1 mm below a wall with exponent 1, 50 kHz.  Durations are delays between
// the incoming and the outgoing straight line, in time steps.
#pragma once
#include <algorithm>
#include <numbers>
#include <string>
#include <vector>

#include "experiment.h"
#include "jawari/impact/closed_form.h"
#include "support/throw.h"

namespace jawari::experiments::paper_cw17 {

constexpr double pi = std::numbers::pi, rate_hz = 50000, dt_s = 1 / rate_hz, start_m = -1e-4, speed_m_s = 1;

inline rigs::Problem wall(double stiffness, double exponent = 1) {
  return {.stiffness = stiffness, .exponent = exponent};
}
inline exact::Impact closed_form(double stiffness) { return {1, stiffness, 1, 0, speed_m_s}; }
/// (8) is the library's two-variable integrator, the same method as the scheme two-point; (7) its three-point scheme.
inline rigs::Thrown collide(const std::string& scheme, double stiffness) {
  const auto m = rigs::mover(wall(stiffness), {scheme}, dt_s);
  return rigs::throw_mass(*m, start_m, speed_m_s, dt_s);
}
/// (14) as printed, t from the start.
inline double printed_solution(double stiffness, double t_s) {
  const double w = std::sqrt(stiffness), t1 = -start_m / speed_m_s, t2 = t1 + pi / w;
  return t_s < t1   ? start_m + speed_m_s * t_s
         : t_s < t2 ? speed_m_s / w * std::sin(w * (t_s - t1))
                    : -speed_m_s * (t_s - t2);
}

inline Curve curve(const std::string& name, const rigs::Thrown& t, double from_s, double to_s) {
  Curve c{name, {}, {}, Curve::both};
  for (std::size_t n = 0; n < t.u.size(); ++n)
    if (const double at = static_cast<double>(n) * dt_s; at >= from_s && at <= to_s) {
      c.x.push_back(1e3 * at);
      c.y.push_back(1e6 * t.u[n]);
    }
  return c;
}
inline Curve exact_curve(double stiffness, double from_s, double to_s) {
  Curve c{"exact (14)", {}, {}};
  for (int i = 0; i <= 300; ++i) {
    const double t = from_s + (to_s - from_s) * i / 300;
    c.x.push_back(1e3 * t);
    c.y.push_back(1e6 * exact::motion(closed_form(stiffness), t + start_m / speed_m_s).x_m);
  }
  return c;
}
inline double deepest(const rigs::Thrown& t) { return *std::max_element(t.u.begin(), t.u.end()); }

inline void contact_parameters(Record& record, const std::string& rate = "50 kHz") {
  record.parameter("mass m", 1, "kg");
  record.parameter("start y(0)", start_m, "m");
  record.parameter("speed v(0)", speed_m_s, "m/s");
  record.parameter("exponent", 1);
  record.parameter("sample rate", rate);
}
/// Rows of `today` for one wall, over 48 entry phases.
inline std::vector<Today> contact_today(const rigs::EntryPhases& phases,
                                        const std::vector<std::pair<std::string, std::string>>& schemes) {
  std::vector<Today> rows;
  for (const auto& [name, scheme] : schemes)
    rows.push_back({name, phases.error({scheme}).motion, phases.cost({scheme})});
  return rows;
}

}  // namespace jawari::experiments::paper_cw17
