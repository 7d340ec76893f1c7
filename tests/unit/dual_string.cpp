// SPDX-License-Identifier: MIT
// A string in modes that meets a barrier, on dual numbers: derivatives with respect to the pluck, the tension and the
// law against differences of long-double runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "jawari/body/modal.h"
#include "jawari/body/mode_step.h"
#include "jawari/scheme/list.h"
#include "support/number_runs.h"

namespace jawari {
namespace {

constexpr int modes = 24;
constexpr double rate_hz = 48000, dt_s = 1 / rate_hz, mass_kg = 4e-3, decay_1_s = 3;

/// The number p of modes and the numbers of (M5).
template <class T>
struct Coefficients {
  T lag, D, C;
};
template <class T>
Coefficients<T> leapfrog(int mode, const T& tension) {
  const double w = 2 * std::numbers::pi * 110 * mode, damped = decay_1_s * dt_s;
  return {T(2 * damped / (1 + damped)), tension * T(w * dt_s * w * dt_s / (1 + damped)),
          T(dt_s * dt_s / mass_kg / (1 + damped))};
}
double shape(int mode, double place) { return std::sin(mode * std::numbers::pi * place); }

template <class T>
struct String {
  T pluck_m, tension, stiffness, exponent;
};
template <class T>
struct Played {
  T y, energy, force;
  int touching = 0;
};

/// Plucked, over a barrier below one point.
template <template <class> class SchemeOf, class T>
Played<T> play(const String<T>& s, int steps) {
  const double at = 0.31, plucked_at = 0.2, height_m = -2e-4;
  const PowerLawOf<T> law({s.stiffness, s.exponent});
  SchemeOf<T> scheme;
  scheme.prepare(law, dt_s);
  std::vector<Coefficients<T>> c;
  std::vector<T> u, d, change(modes, T(0));
  T q(0), y(height_m);
  for (int p = 1; p <= modes; ++p) {
    c.push_back(leapfrog(p, s.tension));
    u.push_back(s.pluck_m * T(shape(p, plucked_at) / (p * p)));
    d.push_back(T(0));
    q = q + T(shape(p, at) * shape(p, at)) * c.back().C;
    y = y - T(shape(p, at)) * u.back();
  }
  PortOf<T> port{y, T(0), T(0), q};
  auto state = scheme.start(law, port.y, port.d);
  Played<T> out{y, T(0), T(0)};
  for (int n = 0; n < steps; ++n) {
    T s_free(0);
    for (std::size_t i = 0; i < modes; ++i) {
      change[i] = mode_change(c[i].lag, c[i].D, c[i].C, u[i], d[i], T(0));
      s_free = s_free - T(shape(static_cast<int>(i) + 1, at)) * mode_double_step(d[i], change[i]);
    }
    port.s_free = s_free;
    auto step = scheme.begin(law, port, state);
    T solved = s_free;
    Outcome outcome;
    const T f = solve_single_port(scheme, law, step, port, solved, outcome);
    EXPECT_TRUE(outcome.settled);
    scheme.finish(law, step, solved, f, state);
    for (std::size_t i = 0; i < modes; ++i) {
      change[i] = mode_pushed(c[i].C, change[i], T(-T(shape(static_cast<int>(i) + 1, at)) * f));
      mode_move(change[i], u[i], d[i]);
    }
    port.d = solved - port.d;
    port.y = port.y + port.d;
    out.touching += f != T(0);
    out.force = out.force + f;
  }
  out.y = port.y;
  out.energy = scheme.energy(law, state);
  return out;
}

template <template <class> class SchemeOf>
void expect_derivatives() {
  SCOPED_TRACE(SchemeOf<double>::facts.name);
  const int steps = 700;
  const String<double> at{3e-3, 1, 1e7, 1.5};
  const auto wanted = play<SchemeOf>(at, steps);
  EXPECT_GT(wanted.touching, 20);
  EXPECT_LT(wanted.touching, steps - 100);
  const auto with = [&]<class T>(std::type_identity<T>, int which, T more) {
    String<T> s{T(at.pluck_m), T(at.tension), T(at.stiffness), T(at.exponent)};
    T* const all[] = {&s.pluck_m, &s.tension, &s.stiffness, &s.exponent};
    *all[which] = *all[which] + more;
    return play<SchemeOf>(s, steps);
  };
  const double values[] = {at.pluck_m, at.tension, at.stiffness, at.exponent};
  for (int which = 0; which < 4; ++which) {
    SCOPED_TRACE(which);
    constexpr bool by_tables = requires { SchemeOf<double>::own_stiffness; };
    if (by_tables && which == 3) continue;  // scheme/impact_adapted.h: without that of its tables
    const auto dual = with(std::type_identity<Dual>(), which, Dual(0, 1));
    EXPECT_EQ(dual.y.v, wanted.y);  // the same bits
    EXPECT_EQ(dual.force.v, wanted.force);
    const long double h = 1e-9L * values[which];
    const auto a = with(std::type_identity<long double>(), which, h),
               b = with(std::type_identity<long double>(), which, -h);
    const auto c = with(std::type_identity<long double>(), which, 2 * h),
               e = with(std::type_identity<long double>(), which, -2 * h);
    const auto slope = [&](auto of) { return static_cast<double>((8 * (of(a) - of(b)) - (of(c) - of(e))) / (12 * h)); };
    const double y = slope([](const auto&x) { return x.y; }), force = slope([](const auto&x) { return x.force; });
    EXPECT_NEAR(dual.y.d, y, 1e-7 * std::abs(y));
    EXPECT_NEAR(dual.force.d, force, 1e-7 * std::abs(force));
  }
}
TEST(DualString, DerivativesAreThoseOfDifferences) {
  expect_derivatives<TwoPointOf>();
  expect_derivatives<QuadratisedBoundedOf>();
  expect_derivatives<SecantTwiceOf>();
  expect_derivatives<GuardedTwoPointOf>();
}

/// The parts of mode_step() are what the body does, to the bit.
TEST(DualString, TheStepIsThatOfTheBody) {
  std::vector<Mode> list;
  for (int p = 1; p <= 5; ++p) list.push_back({mass_kg, 2 * std::numbers::pi * 110 * p, decay_1_s, 0});
  const std::vector<double> row{0.3, 0.2, -0.5, 0.1, 0.7};
  ModalBody body(list, {row}, dt_s, Stepping::exact);
  std::vector<double> u, d;
  for (std::size_t i = 0; i < list.size(); ++i) {
    body.place(i, 1e-3 / static_cast<double>(i + 1), 1e-6);
    u.push_back(body.displacements()[i]);
    d.push_back(body.increments()[i]);
  }
  for (int n = 0; n < 300; ++n) {
    const double force = 0.1 * ((n * 37) % 11 - 5);
    body.predict();
    body.force[0] = force;
    body.advance();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto c = ModalBody::coeffs(list[i], dt_s, Stepping::exact);
      const double change = mode_pushed(c.C, mode_change(c.lag, c.D, c.C, u[i], d[i], 0.0), row[i] * force);
      mode_move(change, u[i], d[i]);
      ASSERT_EQ(body.displacements()[i], u[i]) << n;
      ASSERT_EQ(body.increments()[i], d[i]) << n;
    }
  }
}

}  // namespace
}  // namespace jawari
