// SPDX-License-Identifier: MIT
// Laws and schemes run on dual numbers: a value and its derivative.  Derivatives of laws against their own formulas, of impacts
// against energy (a lossless impact returns every change of speed), closed forms and differences.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "jawari/contact/hunt_crossley.h"
#include "jawari/contact/power_law.h"
#include "jawari/couple/alone.h"
#include "jawari/impact/closed_form.h"
#include "jawari/scheme/gradient.h"
#include "jawari/scheme/quadratised.h"

namespace jawari {
namespace {

struct Dual {
  double v = 0, d = 0;
  Dual() = default;
  Dual(double value, double derivative = 0) : v(value), d(derivative) {}
};
Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
Dual operator/(Dual a, Dual b) { return {a.v / b.v, (a.d - a.v / b.v * b.d) / b.v}; }
Dual operator-(Dual a) { return {-a.v, -a.d}; }
bool operator<(Dual a, Dual b) { return a.v < b.v; }
bool operator>(Dual a, Dual b) { return a.v > b.v; }
bool operator<=(Dual a, Dual b) { return a.v <= b.v; }
bool operator>=(Dual a, Dual b) { return a.v >= b.v; }
bool operator==(Dual a, Dual b) { return a.v == b.v; }
Dual select(bool which, Dual yes, Dual no) { return which ? yes : no; }
Dual root(Dual x) { return {std::sqrt(x.v), x.v > 0 ? x.d / (2 * std::sqrt(x.v)) : 0}; }
Dual size(Dual x) { return x.v < 0 ? -x : x; }
Dual larger(Dual a, Dual b) { return a.v > b.v ? a : b; }
Dual smaller(Dual a, Dual b) { return a.v < b.v ? a : b; }
Dual raise(const Power& power, Dual x) { return {power(x.v), power.exponent() * power(x.v) / x.v * x.d}; }
double value(double x) { return x; }
double value(Dual x) { return x.v; }

template <class T>
struct Rebound {
  T speed;  // after the contact [m/s]
  int steps = 0;
};

/// A mass meets a wall.  The force is found in doubles and follows the other numbers by one Newton step, which is exact for
/// derivatives.
template <class Scheme, class Law, class T>
Rebound<T> impact(const Law& law, double mass_kg, T speed_m_s, double dt_s, double gap_m) {
  Scheme scheme;
  scheme.prepare(law, dt_s);
  PortOf<T> p{T(-gap_m), speed_m_s * dt_s, T(0), T(dt_s * dt_s / mass_kg)};
  auto state = scheme.start(law, p.y, p.d);
  bool met = false;
  for (int n = 0; n < 4000000; ++n) {
    p.s_free = 2 * p.d;
    auto step = scheme.begin(law, p, state);
    T s = p.s_free, f(0);
    if constexpr (Scheme::passes > 0) {
      for (int pass = 1;; ++pass) {
        const auto a = scheme.respond(law, step, p.s_free);
        f = a.f / (1 - p.q * a.b);
        s = p.s_free + p.q * f;
        if (pass == Scheme::passes) break;
        scheme.refine(law, step, s, p.s_free);
      }
    } else {
      double settled = value(s);
      Outcome out;
      const auto respond = [&](double trial) {
        const auto a = scheme.respond(law, step, T(trial));
        return Response{value(a.f), value(a.b)};
      };
      solve_between(respond, value(p.s_free), value(p.q), settled, out);
      EXPECT_TRUE(out.settled);
      const auto a = scheme.respond(law, step, T(settled));
      s = T(settled) - (T(settled) - p.s_free - p.q * a.f) / (1 - p.q * a.b);
      f = (s - p.s_free) / p.q;
    }
    scheme.finish(law, step, s, f, state);
    p.d = s - p.d;
    p.y = p.y + p.d;
    met = met || value(p.y) > 0;
    const double far_m = 1e-3;  // some schemes keep energy for ever
    if (met && value(p.y) < 0 && value(p.d) < 0 && (!scheme.holds(law, state) || value(p.y) < -far_m))
      return {p.d / dt_s, n};
  }
  ADD_FAILURE() << "it does not come back";
  return {};
}

TEST(DualNumbers, DifferentiateTheLawAsItsFormulasDo) {
  for (const double exponent : {1.0, 1.5, 2.3, 4.0}) {
    const PowerLaw law({1e6, exponent});
    for (const double y : {1e-7, 3e-5, 2e-3}) {
      SCOPED_TRACE(std::to_string(exponent) + " " + std::to_string(y));
      const Dual at(y, 1);
      EXPECT_NEAR(law.potential(at).d, law.force(y), 1e-13 * law.force(y));
      EXPECT_NEAR(law.force(at).d, law.curvature(y), 1e-13 * law.curvature(y));
      EXPECT_NEAR(law.psi(at).d, law.psi_slope(y), 1e-13 * law.psi_slope(y));
      for (const double r : {-3 * y, 0.03 * y, 0.4 * y}) {  // out of the contact, near, far
        const auto m = law.mean_force(law.anchor(Dual(y)), Dual(r, 1));
        EXPECT_NEAR(m.value.d, m.slope.v, 1e-12 * std::abs(m.slope.v)) << r;
      }
    }
  }
}

template <class Scheme>
void expect_every_change_returned(double tolerance) {
  SCOPED_TRACE(Scheme::facts.name);
  const PowerLaw law({2e6, 1.5});
  for (const double speed : {0.3, 1.0, 4.0}) {
    const auto r = impact<Scheme>(law, 0.01, Dual(speed, 1), 1.0 / 44100, 3e-6);
    EXPECT_NEAR(r.speed.v, -speed, 1e-10 * speed);
    EXPECT_NEAR(r.speed.d, -1, tolerance) << speed;
  }
}
TEST(DualNumbers, ALosslessImpactReturnsEveryChangeOfSpeed) {
  expect_every_change_returned<TwoPoint>(1e-9);
  expect_every_change_returned<ThreePoint>(1e-9);
  expect_every_change_returned<QuadratisedReset>(1e-9);
  expect_every_change_returned<QuadratisedBounded>(1e-9);
  expect_every_change_returned<SecantOnce>(1e-9);
  expect_every_change_returned<SecantTwice>(1e-9);
}

/// v_out = -v e(mu v), where e is the restitution: the derivative of a converged run against that of the closed form.
TEST(DualNumbers, DifferentiateTheRestitutionOfALossyImpact) {
  const double mu = 0.6;
  const HuntCrossley law({2e6, 1.5, mu});
  for (const double speed : {0.5, 2.0}) {
    const auto out = [&](double v) { return -v * exact::restitution(mu * v); };
    const double h = 1e-3 * speed;
    const double slope = (8 * (out(speed + h) - out(speed - h)) - (out(speed + 2 * h) - out(speed - 2 * h))) / (12 * h);
    const auto error = [&](double rate_hz, auto scheme) {
      const auto r = impact<decltype(scheme)>(law, 0.01, Dual(speed, 1), 1 / rate_hz, 3e-6);
      return r.speed.d - slope;
    };
    // Second order: what is left at twice the rate is a quarter, and what both say of the limit is better than either.
    const double coarse = error(4e6, TwoPoint()), fine = error(8e6, TwoPoint());
    EXPECT_LE(std::abs(fine), 1e-8);
    EXPECT_LE(std::abs(fine + (fine - coarse) / 3), 1e-10) << coarse << ' ' << fine;
  }
}

/// Schemes that leave energy behind, and lossy ones at audio rate, against differences.
template <class Scheme, class Law>
void expect_differences(const Law& law) {
  SCOPED_TRACE(Scheme::facts.name);
  for (const double speed : {0.7, 3.0}) {
    const auto at = [&](double v) { return impact<Scheme>(law, 0.01, v, 1.0 / 44100, 3e-6); };
    const double h = 1e-6 * speed;
    const auto more = at(speed + h), less = at(speed - h);
    const auto r = impact<Scheme>(law, 0.01, Dual(speed, 1), 1.0 / 44100, 3e-6);
    ASSERT_EQ(more.steps, less.steps);
    EXPECT_NEAR(r.speed.v, at(speed).speed, 1e-12 * speed);
    EXPECT_NEAR(r.speed.d, (more.speed - less.speed) / (2 * h), 1e-6) << speed;
  }
}
TEST(DualNumbers, AgreeWithDifferences) {
  const PowerLaw elastic({2e6, 1.5});
  const HuntCrossley lossy({2e6, 1.5, 0.6});
  expect_differences<QuadratisedPlain>(elastic);
  expect_differences<QuadratisedSign>(elastic);
  expect_differences<QuadratisedReturning>(elastic);
  expect_differences<TwoPoint>(lossy);
  expect_differences<ThreePoint>(lossy);
  expect_differences<QuadratisedBounded>(lossy);
  expect_differences<SecantOnce>(lossy);
  expect_differences<SecantTwice>(lossy);
}

}  // namespace
}  // namespace jawari
