// SPDX-License-Identifier: MIT
// Closed forms of one mass and one wall, over arrays; the words are in python/jawari/exact.py.
#include "bind.h"
#include "jawari/contact/hunt_crossley.h"
#include "jawari/impact/advice.h"
#include "jawari/impact/corrections.h"
#include "jawari/impact/deviation.h"
#include "jawari/io/scene_keys.h"

namespace jawari::python {
namespace {

using exact::Impact;
constexpr Param speed{"speed_m_s", "v_in", "m/s", above(0), at_most(1e6), 1.0, "speed at touch"};

Impact impact(double mass_kg, double stiffness, double exponent, double mu, double speed_m_s) {
  check(*find_param("mass", "mass_kg"), mass_kg, "");
  const double law[] = {stiffness, exponent, mu};
  for (std::size_t i = 0; i < 3; ++i) check(HuntCrossley::table[i], law[i], "");
  check(speed, speed_m_s, "");
  if (mu * speed_m_s > 1000)
    throw InputError("mu", "mu times speed_m_s is " + std::to_string(mu * speed_m_s) + ", but must not exceed 1000",
                     std::to_string(mu * speed_m_s), "be at most 1000 / speed_m_s");
  return {mass_kg, stiffness, exponent, mu, speed_m_s};
}
template <class F>
void each(py::module_& m, const char* name, F f) {
  m.def(name,
        py::vectorize([f](double a, double b, double c, double d, double e) { return f(impact(a, b, c, d, e)); }));
}
template <class F>
void each_at(py::module_& m, const char* name, F f) {
  m.def(name, py::vectorize([f](double x, double a, double b, double c, double d, double e) {
          return f(impact(a, b, c, d, e), x);
        }));
}

}  // namespace

void add_exact(py::module_& m) {
  m.def("restitution", py::vectorize([](double mu_v) { return exact::restitution(mu_v); }));
  m.def("restitution_deficit", py::vectorize([](double mu_v) { return exact::restitution_deficit(mu_v); }));
  m.def("restitution_approximate", py::vectorize([](double mu_v) { return exact::restitution_approximate(mu_v); }));
  m.def("mu_v_for_restitution", py::vectorize([](double e) {
          if (!(e > 0 && e <= 1)) throw not_allowed("restitution", "restitution", std::to_string(e), "lie in (0, 1]");
          return exact::mu_v_for_restitution(e);
        }));
  m.def("duration_bias", py::vectorize([](double exponent) { return exact::duration_bias(exponent); }));
  each(m, "check_impact", [](const Impact&) { return 0.0; });
  each(m, "outbound_velocity", [](const Impact& i) { return exact::outbound_velocity(i); });
  each(m, "max_compression", [](const Impact& i) { return exact::max_compression(i); });
  each(m, "energy_change", [](const Impact& i) { return exact::energy_change(i); });
  each(m, "peak_force", [](const Impact& i) { return exact::peak_force(i); });
  each(m, "contact_time", [](const Impact& i) { return exact::contact_time(i); });
  each(m, "compression_time", [](const Impact& i) { return exact::compression_time(i); });
  each(m, "elastic_contact_time", [](const Impact& i) { return exact::elastic_contact_time(i); });
  each_at(m, "compression", [](const Impact& i, double v) { return exact::compression(i, v); });
  each_at(m, "hamiltonian", [](const Impact& i, double v) { return exact::hamiltonian(i, v); });
  each_at(m, "force", [](const Impact& i, double v) { return exact::force(i, v); });
  each_at(m, "position_at", [](const Impact& i, double t) { return exact::motion(i, t).x_m; });
  each_at(m, "velocity_at", [](const Impact& i, double t) { return exact::motion(i, t).v_m_s; });
  m.def("advise", [](double a, double b, double c, double d, double e, double rate_hz) {
    check(*find_param("", "rate_hz"), rate_hz, "");
    const Advice advice = advise(impact(a, b, c, d, e), rate_hz);
    return std::tuple(advice.samples_per_contact, advice.scheme, advice.sentence);
  });
  m.def("record_contact",
        [](double a, double b, double c, double d, double e, const std::string& integrator, double rate_hz) {
          check(*find_param("", "rate_hz"), rate_hz, "");
          const Impact i = impact(a, b, c, d, e);
          const auto stepper =
              make_stepper(integrator, {HuntCrossley({i.stiffness, i.exponent, i.mu}), i.mass_kg}, 1 / rate_hz);
          ContactSamples samples = record_contact(*stepper, i.speed_m_s);
          Deviation off = deviation(i, samples);
          add_timing(i, samples, false, off);
          py::dict facts;
          facts["x"] = off.x;
          facts["H"] = off.H;
          facts["v_out"] = off.v_out;
          facts["exit_H"] = off.exit_H;
          facts["time_x"] = off.time_x;
          facts["time_v"] = off.time_v;
          return py::make_tuple(own(std::move(samples.x_m)), own(std::move(samples.v_m_s)), facts);
        });
}

}  // namespace jawari::python
