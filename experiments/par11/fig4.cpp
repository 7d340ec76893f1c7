// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "par11/par11.h"

namespace jawari::experiments::par11_items {
namespace {

/// (20) as printed, in any number type.
template <class Real>
Real as_printed(const exact::Impact& i, const Real& v) {
  using std::log;
  const Real m = i.mass_kg, mu = i.mu, v_in = i.speed_m_s;
  return m / 2 * v * v - m / mu * (v - v_in) + m / (mu * mu) * log((1 + mu * v) / (1 + mu * v_in));
}

void run(Record& record) {
  const exact::Impact i = rigs::par11_figure1(0.5);
  parameters(record, i);
  const double v_out = exact::outbound_velocity(i), H0 = i.mass_kg / 2 * i.speed_m_s * i.speed_m_s,
               H_end = i.mass_kg / 2 * v_out * v_out;
  Plot& plot = record.plot("Energy over velocity", {"velocity, out of the wall", "m/s"}, {"energy", "µJ"});
  plot.curves.push_back(exact_energy(i));
  plot.curves.push_back({"before", {-0.5, -v_out}, {1e6 * H0, 1e6 * H0}, Curve::dashed});
  plot.curves.push_back({"after", {-0.5, -v_out}, {1e6 * H_end, 1e6 * H_end}, Curve::dashed});
  plot.caption = "Time runs from left to right.";

  const auto& H = plot.curves[0].y;
  double rise = -1e9, work = 0, off = 0, x_before = 0, drag_before = 0;
  for (std::size_t n = 1; n < H.size(); ++n) rise = std::max(rise, H[n] - H[n - 1]);
  for (const double v : velocities(i, 4000)) {  // (19): the work of the loss, along the exact motion
    const double x = exact::compression(i, v), drag = i.mu * i.stiffness * std::pow(x, i.exponent) * v;
    work += (drag + drag_before) / 2 * (x - x_before);
    x_before = x;
    drag_before = drag;
    off = std::max(off, std::abs(H0 - work - exact::hamiltonian(i, v)) / (H0 - H_end));
  }
  const double v_end = rigs::thrown("rk4", i, 64 * rigs::par11_rate_hz).v_m_s.back();
  record.said("(17), it ends at H_tau: energy of a simulation (RK4 at 64 times 44.1 kHz) after the contact over it",
              i.mass_kg / 2 * v_end * v_end / H_end, near(1, 1e-8));
  record.said("(16), it never rises: largest increase", rise, at_most(0), "µJ");
  record.said("(19), H against the work of the loss, integrated: largest difference, of the loss", off, at_most(1e-6));
  record.said("(20) against simulation (RK4 at 64 times 44.1 kHz): deviation (27)",
              deviation(i, rigs::thrown("rk4", i, 64 * rigs::par11_rate_hz)).H, at_most(3e-7), "%");

  std::vector<Today> rows;
  volatile double sink = 0;
  for (const double mu : {0.5, 1e-3, 1e-5}) {
    exact::Impact j = i;
    j.mu = mu;
    const auto add = [&](const std::string& name, auto&& f) {
      double worst = 0;
      for (const double v : {0.4, 0.2, 0.01, -0.2, -0.4}) {
        using Real = boost::multiprecision::cpp_bin_float_50;
        const double right = static_cast<double>(as_printed(j, Real(v)));
        worst = std::max(worst, std::abs(f(v) / right - 1));
      }
      double v = 0;
      rows.push_back({fmt::format("{}, mu = {:g}", name, mu), worst, rigs::ns_per_step(20000, [&] {
                        v = v < 0.4 ? v + 1e-3 : -0.4;
                        sink = f(v);
                      })});
    };
    add("(20) as printed", [&](double v) { return as_printed(j, v); });
    add("exact::hamiltonian", [&](double v) { return exact::hamiltonian(j, v); });
  }
  record.today(
      "(20) in fifty digits at five velocities; error: largest of H in double precision; time: of one evaluation",
      rows);
}

}  // namespace

const Experiment fig4{"par11-fig4",
                      "PAR11",
                      "Fig. 4",
                      "Energy as a function of velocity",
                      "During contact the energy is a closed function of the velocity alone. It falls from the kinetic "
                      "energy before to that after the impact.",
                      "The closed form between the two levels; the loss is integrated along the motion as a check. "
                      "Written as in print it loses its digits "
                      "when mu is small; the table shows how many.",
                      run};

}  // namespace jawari::experiments::par11_items
