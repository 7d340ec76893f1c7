// SPDX-License-Identifier: MIT
#include "db19/oscillator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/timing.h"

namespace jawari::experiments::paper_db19 {

using namespace rigs;

Problem oscillator(double stiffness) {
  return {.mass_kg = 0.01, .stiffness = stiffness, .exponent = 1.1, .omega_rad_s = omega0_rad_s, .barrier_m = 0.2};
}

std::size_t Ride::at(double seconds) const { return static_cast<std::size_t>(std::lround(seconds / dt_s)); }

Ride ride_from(std::string label, const Problem& p, const std::string& scheme, int times, double seconds,
               double step_m) {
  Ride r{.label = std::move(label), .dt_s = 1 / (44100.0 * times)};
  Rig rig(p, {scheme}, r.dt_s);
  rig.place(u0_m + step_m, step_m);
  const double H = r.energy_J = rig.energy(), bound = std::sqrt(2 * H / p.mass_kg);
  const double at_barrier =
      p.mass_kg * p.omega_rad_s * p.omega_rad_s * p.barrier_m * p.barrier_m / 2;  // in the spring [J]
  double least = 0, most = 0;
  std::uint64_t impacts = 0;
  const std::size_t steps = r.at(seconds);
  for (std::size_t n = 0; n <= steps; ++n, rig.step()) {
    const double change = (rig.energy() - H) / H;
    r.t_s.push_back(static_cast<double>(n) * r.dt_s);
    r.u_m.push_back(n ? rig.u() : u0_m);
    r.contact_J.push_back(rig.contact_energy());
    r.variation.push_back(change);
    least = std::min(least, change);
    most = std::max(most, change);
    r.speed_over_bound = std::max(r.speed_over_bound, std::abs(rig.v()) / bound);
    r.push_N = std::max(r.push_N, -rig.contact_force());
    r.pull_N = std::max(r.pull_N, rig.contact_force());
    if (rig.record().impacts == impacts) continue;
    const double left = rig.contact_energy();
    if (impacts++ == 0) {
      r.rebound = std::copysign(std::sqrt((H - left - at_barrier) / (H - at_barrier)), rig.v());
      r.locked = left / H;
    }
    r.most_locked = std::max(r.most_locked, left / H);
  }
  r.drift = most - least;
  r.iterations = rig.record().most_iterations;
  if (!rig.settled()) r.drift = std::numeric_limits<double>::quiet_NaN();
  return r;
}

Ride ride(std::string label, const Problem& p, const std::string& scheme, int times, double seconds) {
  const double k = 1 / (44100.0 * times);
  return ride_from(std::move(label), p, scheme, times, seconds,
                   k * v0_m_s - k * k * p.omega_rad_s * p.omega_rad_s * u0_m / 2);
}

double apart(const Ride& a, const Ride& b, double seconds) {
  double most = 0;
  for (std::size_t n = 0; n <= a.at(seconds); ++n) most = std::max(most, std::abs(a.u_m.at(n) - b.u_m.at(n)));
  return most;
}
double rms_error(const Ride& a, const Reference& exact, double seconds) {
  const std::size_t count = a.at(seconds) + 1;
  return rms_difference(a.u_m, exact.samples(a.dt_s, count), count);
}
double largest(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }

void note_parameters(Record& record, const Problem& p, int times) {
  record.parameter("mass M", 1e3 * p.mass_kg, "g");
  record.parameter("spring f0", p.omega_rad_s / (2 * std::numbers::pi), "Hz");
  record.parameter("barrier b", p.barrier_m, "m");
  record.parameter("stiffness K", p.stiffness, "N/m^1.1");
  record.parameter("exponent alpha", p.exponent);
  record.parameter("start u0", u0_m, "m");
  record.parameter("start v0", v0_m_s, "m/s");
  record.parameter("sample rate", 44100.0 * times, "Hz");
}

void draw(Record& record, const std::vector<Ride>& rides, const Reference& exact, double seconds) {
  const auto cut = [](const Ride& r, const std::vector<double>& y, double from, double to) {
    Curve c{r.label, {}, {}};
    for (std::size_t n = r.at(from); n <= std::min(r.at(to), y.size() - 1); ++n) {
      c.x.push_back(r.t_s[n]);
      c.y.push_back(y[n]);
    }
    return c;
  };
  auto& motion = record.plot("Displacement", {"time", "s"}, {"displacement u", "m"});
  for (const auto& r : rides) motion.curves.push_back(cut(r, r.u_m, 0, seconds));
  Ride expected{.label = "exact", .dt_s = rides[0].dt_s, .t_s = rides[0].t_s};
  expected.u_m = exact.samples(expected.dt_s, expected.t_s.size());
  motion.curves.push_back(cut(expected, expected.u_m, 0, seconds));
  motion.curves.back().style = Curve::dashed;
  motion.caption = "Mass on a spring, stopped by the barrier at 0.2 m and thrown back.";

  const double entry = exact.first_contact(), wide = exact.duration(), late = entry + 5 * exact.period();
  for (const double from : {entry, late}) {
    auto& plot =
        record.plot(from == entry ? "Energy in the contact, first impact" : "Energy in the contact, sixth impact",
                    {"time", "s"}, {"contact energy", "J"});
    for (const auto& r : rides) plot.curves.push_back(cut(r, r.contact_J, from - wide, from + 4 * wide));
    plot.caption =
        "Around the instant at which the exact motion touches; the quadratised scheme stores psi squared over two.";
  }
  auto& energy = record.plot("Energy variation", {"time", "s"}, {"(H - H0)/H0", "1"});
  for (const auto& r : rides) energy.curves.push_back(cut(r, r.variation, 0, seconds));
  energy.caption = "Rounding only: state and increment are carried, not differences of positions.";
}

void compare(Record& record, const Problem& p, const Reference& exact, int times) {
  std::vector<Today> rows;
  const auto row = [&](const std::string& text, const std::string& scheme, Stepping stepping) {
    Problem q = p;
    q.stepping = stepping;
    const Ride r = ride(text, q, scheme, times, 0.25);
    const std::size_t count = r.u_m.size();
    Rig rig(q, {scheme}, r.dt_s);
    rig.start(u0_m, v0_m_s);
    rows.push_back({text, relative_distance(r.u_m, exact.samples(r.dt_s, count)),
                    ns_per_step(static_cast<long>(count), [&] { rig.step(); })});
  };
  row("three-point (paper, iterative)", "three-point", Stepping::leapfrog);
  row("quadratised (paper)", "quadratised", Stepping::leapfrog);
  row("bounded, exact spring", "bounded", Stepping::exact);
  row("two-point, exact spring", "two-point", Stepping::exact);
  row("secant-2, exact spring (fixed cost)", "secant-2", Stepping::exact);
  row("matched-secant-2, exact spring (fixed cost)", "matched-secant-2", Stepping::exact);
  row("guarded-two-point, exact spring (default)", "guarded-two-point", Stepping::exact);
  record.today("Exact motion over 0.25 s: closed form in flight, an adaptive integrator at 1e-13 in contact.",
               std::move(rows));
}

}  // namespace jawari::experiments::paper_db19
