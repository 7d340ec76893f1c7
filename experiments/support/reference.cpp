// SPDX-License-Identifier: MIT
#include "experiments/support/reference.h"

#include <array>
#include <boost/numeric/odeint.hpp>
#include <utility>

namespace jawari::rigs {
namespace {

using State = std::array<double, 2>;  // compression and its rate

auto motion(const Problem& p) {
  return [p](const State& x, State& rate, double) {
    const double w = p.omega_rad_s, elastic = x[0] > 0 ? p.stiffness * std::pow(x[0], p.exponent) : 0;
    rate = {x[1], -elastic / p.mass_kg - w * w * (x[0] + p.barrier_m)};
  };
}
auto integrator() {
  using namespace boost::numeric::odeint;
  static const runge_kutta_dopri5<State> method;  // static: its scratch is copied, and zero is not uninitialised
  return make_controlled(1e-18, 1e-13, method);
}

}  // namespace

void Reference::contact(const std::vector<double>& times, double* u) const {
  State x{0, speed_};
  bool start = true;
  const auto write = [&](const State& at, double) {
    if (!std::exchange(start, false)) *u++ = at[0] + p_.barrier_m;
  };
  boost::numeric::odeint::integrate_times(integrator(), motion(p_), x, times.begin(), times.end(), 1e-9 * turn_, write);
}

void Reference::find_turn() {
  const exact::Impact free{p_.mass_kg, p_.stiffness, p_.exponent, 0, speed_};
  turn_ = exact::elastic_contact_time(free) / 2;
  for (int i = 0; i < 6; ++i) {
    State x{0, speed_}, rate{};
    boost::numeric::odeint::integrate_adaptive(integrator(), motion(p_), x, 0.0, turn_, 1e-9 * turn_);
    motion(p_)(x, rate, 0);
    turn_ -= rate[0] / rate[1];
    depth_ = x[0];
  }
}

}  // namespace jawari::rigs
