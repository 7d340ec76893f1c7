// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "par11/par11.h"

namespace jawari::experiments::par11_items {

Errors measured(const exact::Impact& impact, bool approximate) {
  Errors e{};
  for (std::size_t k = 0; k < methods.size(); ++k) {
    const Deviation d = deviation(impact, rigs::thrown(methods[k], impact), approximate);
    e.x[k] = d.x;
    e.v[k] = d.v_out;
    e.H[k] = d.H;
  }
  return e;
}

void show(Record& record, const std::string& title, const Errors& printed, const Errors& ours) {
  Table& t = record.table(title, {"error [%]", "", "AM1", "Verlet", "Heun", "RK4"});
  const auto row = [&](const char* name, const char* whose, const std::array<double, 4>& values) {
    std::vector<std::string> cells{name, whose};
    for (const double v : values) cells.push_back(fmt::format("{:.5g}", v));
    t.rows.push_back(cells);
  };
  row("deviation of x (28)", "printed", printed.x);
  row("", "ours", ours.x);
  row("rebound speed", "printed", printed.v);
  row("", "ours", ours.v);
  row("deviation of H (27)", "printed", printed.H);
  row("", "ours", ours.H);
}

void parameters(Record& record, const exact::Impact& i) {
  record.parameter("mass m", i.mass_kg, "kg");
  record.parameter("stiffness k", i.stiffness, "N/m^alpha");
  record.parameter("exponent alpha", i.exponent);
  record.parameter("loss factor mu", i.mu, "s/m");
  record.parameter("speed at touch", i.speed_m_s, "m/s");
  record.parameter("sample rate", rigs::par11_rate_hz, "Hz");
  record.parameter("contact time, exact", exact::contact_time(i) * rigs::par11_rate_hz, "samples");
}

std::vector<double> velocities(const exact::Impact& i, int count) {
  const double v_in = i.speed_m_s, v_out = exact::outbound_velocity(i);
  std::vector<double> v;
  for (int n = 0; n <= count; ++n)
    v.push_back(v_out + (v_in - v_out) * (1 + std::cos(std::numbers::pi * n / count)) / 2);
  v.back() = v_out;
  return v;
}

Curve energy_curve(const std::string& label, const exact::Impact& i, const ContactSamples& s) {
  Curve c{label, {}, {}, Curve::both};
  const OneMass mass = rigs::mass_of(i);
  for (std::size_t n = 0; n < s.x_m.size(); ++n) {
    c.x.push_back(-s.v_m_s[n]);
    c.y.push_back(1e6 * mass.energy(std::max(0.0, s.x_m[n]), s.v_m_s[n]));
  }
  return c;
}
Curve exact_energy(const exact::Impact& i) {
  Curve c{"exact, (20)", {}, {}};
  for (const double v : velocities(i)) {
    c.x.push_back(-v);
    c.y.push_back(1e6 * exact::hamiltonian(i, v));
  }
  return c;
}
Curve phase_curve(const std::string& label, const ContactSamples& s) {
  Curve c{label, {}, s.v_m_s, Curve::both};
  for (const double x : s.x_m) c.x.push_back(1e6 * x);
  return c;
}
Curve exact_phase(const exact::Impact& i, const std::string& label) {
  Curve c{label, {}, velocities(i)};
  for (const double v : c.y) c.x.push_back(1e6 * exact::compression(i, v));
  return c;
}

std::vector<std::string> usual_schemes() {
  return {"am1",
          "verlet",
          "heun",
          "rk4",
          "heun+hybrid+approximate",
          "two-point",
          "invariant",
          "rk4+projected",
          "symplectic-4+projected"};
}

void today_waveform(Record& record, const exact::Impact& impact, const std::vector<std::string>& schemes) {
  std::vector<Today> rows;
  const rigs::ExactContact reference = rigs::exact_contact(impact);
  for (const auto& name : schemes)
    rows.push_back({name, rigs::waveform_error(name, impact, reference), rigs::contact_cost_ns(name, impact)});
  record.today(
      "exact motion by quadrature of (9) (1e-12); error: largest of x over the contact, of the largest compression",
      rows);
}

}  // namespace jawari::experiments::par11_items
