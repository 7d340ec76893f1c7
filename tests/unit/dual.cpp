// SPDX-License-Identifier: MIT
// Laws and impacts on dual numbers: derivatives of laws against their own formulas, of impacts against energy (a
// lossless impact returns every change of speed) and against closed forms of contact time and restitution.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "jawari/impact/closed_form.h"
#include "jawari/scheme/list.h"
#include "support/number_runs.h"

namespace jawari {
namespace {

using test::Parameter;
using test::Problem;

/// Derivatives with respect to the compression.
template <class Law>
void expect_formulas(const Law& law, double y) {
  SCOPED_TRACE(std::to_string(law.exponent()) + " " + std::to_string(y));
  const Dual at(y, 1);
  EXPECT_NEAR(law.potential(at).d, law.force(y), 1e-13 * std::abs(law.force(y)));
  EXPECT_NEAR(law.force(at).d, law.curvature(y), 1e-13 * law.curvature(y));
  EXPECT_NEAR(law.psi(at).d, law.psi_slope(y), 1e-13 * law.psi_slope(y));
  EXPECT_EQ(law.psi_pair(at).slope.v, law.psi_slope(y));
  for (const double r : {-3 * y, 0.03 * y, 0.4 * y}) {  // to the other side, near, far
    const auto m = law.mean_force(law.anchor(Dual(y)), Dual(r, 1));
    EXPECT_EQ(m.value.v, law.mean_force(law.anchor(y), r).value) << r;
    EXPECT_NEAR(m.value.d, m.slope.v, 1e-12 * std::abs(m.slope.v)) << r;
  }
}
TEST(DualNumbers, DifferentiateTheLawAsItsFormulasDo) {
  for (const double exponent : {1.0, 1.5, 2.3, 4.0})
    for (const double y : {1e-7, 3e-5, 2e-3}) {
      expect_formulas(PowerLaw({1e6, exponent}), y);
      expect_formulas(HuntCrossley({1e6, exponent, 0.3}), y);
      expect_formulas(OddPower({1e6, exponent}), y);
      expect_formulas(OddPower({1e6, exponent}), -y);
      expect_formulas(CentreLimited({1e6, exponent, 0.4 * y}), y);
      expect_formulas(CentreLimited({1e6, exponent, 0.4 * y}), -y);
      const PowerLaw law({1e6, exponent});
      expect_formulas(Scaled(law, 0.7, 1.3), y);
    }
}

/// K and alpha: F = K y^alpha, Phi = F y/(alpha+1).
TEST(DualNumbers, DifferentiateTheLawByItsParameters) {
  const double K = 1e6, alpha = 2.3;
  for (const double y : {1e-7, 3e-5, 2e-3}) {
    const PowerLaw law({K, alpha});
    const PowerLawOf<Dual> by_stiffness({{K, 1}, alpha}), by_exponent({K, {alpha, 1}});
    EXPECT_EQ(by_stiffness.force(Dual(y)).v, law.force(y));
    EXPECT_EQ(by_exponent.psi(Dual(y)).v, law.psi(y));
    const double F = law.force(y), Phi = law.potential(y), psi = law.psi(y), log_y = std::log(y);
    EXPECT_NEAR(by_stiffness.force(Dual(y)).d, F / K, 1e-14 * F / K);
    EXPECT_NEAR(by_stiffness.potential(Dual(y)).d, Phi / K, 1e-14 * Phi / K);
    EXPECT_NEAR(by_stiffness.psi(Dual(y)).d, psi / (2 * K), 1e-14 * psi / K);
    EXPECT_NEAR(by_exponent.force(Dual(y)).d, F * log_y, 1e-13 * F * std::abs(log_y));
    const double by_alpha = Phi * (log_y - 1 / (alpha + 1));
    EXPECT_NEAR(by_exponent.potential(Dual(y)).d, by_alpha, 1e-13 * std::abs(by_alpha));
    EXPECT_NEAR(by_exponent.psi(Dual(y)).d, by_alpha / psi, 1e-13 * std::abs(by_alpha / psi));
    EXPECT_NEAR(by_stiffness.weighted({3, 1}).force(Dual(y)).d, 3 * F / K + F, 1e-13 * F);
    EXPECT_NEAR(by_stiffness.stiffened({3, 1}).force(Dual(y)).d, 3 * F / K + F, 1e-13 * F);
  }
}

template <class T>
struct Rebound {
  T speed;  // after the contact [m/s]
  T lasts;  // from touch to touch, along the straight lines before and after [s]
};
/// A mass meets a wall.
template <class S, class MakeLaw, class T>
Rebound<T> impact(const Problem<T>& problem, double dt_s, double gap_m) {
  const auto law = MakeLaw::make(problem);
  const T speed = problem[Parameter::speed];
  S scheme;
  scheme.prepare(law, dt_s);
  PortOf<T> p{T(-gap_m), speed * dt_s, T(0), T(dt_s * dt_s) / problem[Parameter::mass]};
  auto state = scheme.start(law, p.y, p.d);
  bool met = false;
  for (int n = 1; n < 4000000; ++n) {
    p.s_free = 2 * p.d;
    auto step = scheme.begin(law, p, state);
    T s = p.s_free;
    Outcome out;
    const T f = solve_single_port(scheme, law, step, p, s, out);
    EXPECT_TRUE(out.settled);
    scheme.finish(law, step, s, f, state);
    p.d = s - p.d;
    p.y = p.y + p.d;
    met = met || p.y > 0.0;
    const double far_m = 1e-3;  // some schemes keep energy for ever
    if (met && p.y < 0.0 && p.d < 0.0 && (!scheme.holds(law, state) || p.y < -far_m))
      return {p.d / dt_s, (n - p.y / p.d) * dt_s - gap_m / speed};
  }
  ADD_FAILURE() << "it does not come back";
  return {};
}

template <template <class> class SchemeOf>
void expect_every_change_returned(double tolerance) {
  SCOPED_TRACE(SchemeOf<Dual>::facts.name);
  for (const double speed : {0.3, 1.0, 4.0}) {
    const Problem<Dual> p{{2e6, 1.5, 0, 0, 0.01, {speed, 1}}};
    const auto r = impact<SchemeOf<Dual>, test::MakePowerLaw>(p, 1.0 / 44100, 3e-6);
    EXPECT_NEAR(r.speed.v, -speed, 1e-10 * speed);
    EXPECT_NEAR(r.speed.d, -1, tolerance) << speed;
  }
}
TEST(DualNumbers, ALosslessImpactReturnsEveryChangeOfSpeed) {
  expect_every_change_returned<TwoPointOf>(1e-9);
  expect_every_change_returned<ThreePointOf>(1e-9);
  expect_every_change_returned<QuadratisedResetOf>(1e-9);
  expect_every_change_returned<QuadratisedBoundedOf>(1e-9);
  expect_every_change_returned<SecantOnceOf>(1e-9);
  expect_every_change_returned<SecantTwiceOf>(1e-9);
  expect_every_change_returned<MatchedTwoPointOf>(1e-9);
  expect_every_change_returned<GuardedTwoPointOf>(1e-9);
}

/// Of a closed form, by differences of fourth order.
template <class F>
double slope_of(F&& f, double x) {
  const double h = 1e-3 * x;
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

/// Converged runs: second order, so what is left at twice the rate is a quarter, and the limit that both extrapolate to
/// is better than either.
template <class Exact>
void expect_closed_form(const Exact& exact, const Problem<double>& at, Parameter by, bool time) {
  SCOPED_TRACE(std::string(time ? "contact time" : "restitution") + " by " +
               std::string(test::parameter_names[static_cast<std::size_t>(by)]));
  const auto along = [&](double x) {
    Problem<double> p = at;
    p[by] = x;
    return exact(p);
  };
  const double wanted = slope_of(along, at[by]), scale = std::abs(exact(at)) / at[by];
  const auto derivative = [&](double rate_hz) {
    Problem<Dual> p = at.as<Dual>();
    p[by].d = 1;
    const auto r = impact<TwoPointOf<Dual>, test::MakeHuntCrossley>(p, 1 / rate_hz, 3e-6);
    return time ? r.lasts.d : r.speed.d;
  };
  const double coarse = derivative(4e6), fine = derivative(8e6);
  EXPECT_LE(std::abs(fine - wanted), 1e-6 * scale);
  EXPECT_LE(std::abs(fine + (fine - coarse) / 3 - wanted), 1e-9 * scale) << coarse << ' ' << fine << ' ' << wanted;
}
TEST(DualNumbers, DifferentiateRestitutionAndContactTimeAsTheClosedForms) {
  const auto impact_of = [](const Problem<double>& p) {
    return exact::Impact{p[Parameter::mass], p[Parameter::stiffness], p[Parameter::exponent], p[Parameter::mu],
                         p[Parameter::speed]};
  };
  const auto lasts = [&](const Problem<double>& p) { return exact::contact_time(impact_of(p)); };
  const auto leaves = [&](const Problem<double>& p) { return exact::outbound_velocity(impact_of(p)); };
  for (const double speed : {0.5, 2.0}) {
    const Problem<double> p{{2e6, 1.5, 0.6, 0, 0.01, speed}};
    for (const Parameter by :
         {Parameter::stiffness, Parameter::exponent, Parameter::mu, Parameter::mass, Parameter::speed}) {
      expect_closed_form(lasts, p, by, true);
      expect_closed_form(leaves, p, by, false);
    }
  }
}

}  // namespace
}  // namespace jawari
