// SPDX-License-Identifier: MIT
// Corrections of PAR11 one by one, formulas of any order, a load that is suspended during contact, rest under a load.
#include <gtest/gtest.h>

#include <cmath>

#include "jawari/engine/compile.h"
#include "jawari/impact/corrections.h"
#include "jawari/impact/deviation.h"

namespace jawari {
namespace {

const exact::Impact hard{.mass_kg = 0.01, .stiffness = 1e9, .exponent = 1.5, .mu = 0.5, .speed_m_s = 1};
constexpr double dt = 1 / 44100.0;

OneMass mass_of(const exact::Impact& i) { return {HuntCrossley({i.stiffness, i.exponent, i.mu}), i.mass_kg}; }
ContactSamples thrown(std::string_view name, const exact::Impact& i, std::span<const double> values = {}) {
  return record_contact(*make_stepper(name, mass_of(i), dt, values), i.speed_m_s);
}

TEST(ReboundSeries, CoefficientsOfAnyOrderAreRational) {
  const exact::ReboundSeries s(8);
  const double a[] = {-1, 2.0 / 3, -4.0 / 9, 44.0 / 135, -104.0 / 405, 40.0 / 189, -7648.0 / 42525, 2848.0 / 18225};
  const double b[] = {1, 1, 2.0 / 3, 2.0 / 9, 14.0 / 135, -2.0 / 405, 68.0 / 2835, -748.0 / 42525, 2098.0 / 127575};
  for (int j = 1; j <= 8; ++j) EXPECT_NEAR(s.a(j), a[j - 1], 1e-14) << j;
  for (int j = 0; j <= 8; ++j) EXPECT_NEAR(s.b(j), b[j], 1e-13) << j;
}
TEST(ReboundSeries, OrderFourIsFormulaSeven) {
  const exact::ReboundSeries s(4);
  for (double U = 0; U < 20; U += 0.037) EXPECT_NEAR(s.restitution(U), exact::restitution_approximate(U), 2e-15) << U;
}
/// v_out is right up to U^n, so E is off by U^n.
TEST(ReboundSeries, ErrorsAreOfTheirOrder) {
  for (int n = 1; n <= 6; ++n) {
    const exact::ReboundSeries s(n);
    const auto off = [](double got, double U) { return std::abs(got - exact::restitution(U)); };
    EXPECT_NEAR(std::log2(off(s.local(0.04), 0.04) / off(s.local(0.02), 0.02)), n, 0.15) << n;
    EXPECT_NEAR(std::log2(off(s.restitution(0.04), 0.04) / off(s.restitution(0.02), 0.02)), n, 0.3) << n;
  }
}
TEST(ReboundSeries, MoreThanFourTermsDoNotHelpBetween) {
  const auto worst = [](int n) {
    const exact::ReboundSeries s(n);
    double most = 0;
    for (double U = 0.01; U < 30; U += 0.01)
      most = std::fmax(most, std::abs(s.restitution(U) / exact::restitution(U) - 1));
    return 100 * most;
  };
  EXPECT_NEAR(worst(4), 2.05, 0.01);
  EXPECT_NEAR(worst(5), 2.38, 0.01);
  EXPECT_NEAR(worst(6), 2.35, 0.01);
  EXPECT_NEAR(worst(8), 29, 0.5);
}

TEST(Corrections, PositionAloneLeavesTheRebound) {
  for (const char* base : {"heun", "verlet", "rk4"}) {
    const auto plain = thrown(base, hard), position = thrown(std::string(base) + "+position", hard),
               hybrid = thrown(std::string(base) + "+hybrid", hard);
    for (std::size_t n = 1; n < position.exit(); ++n) {
      EXPECT_NEAR(position.x_m[n], exact::compression(hard, position.v_m_s[n]), 1e-18) << base << n;
      EXPECT_EQ(position.x_m[n], hybrid.x_m[n]) << base << n;
    }
    EXPECT_GT(deviation(hard, plain).x, 0.1) << base;
    EXPECT_GT(std::abs(deviation(hard, position).v_out), 1e-3) << base << ": the rebound is the integrator's";
    EXPECT_LT(std::abs(deviation(hard, hybrid).v_out), 1e-10) << base;
  }
}
TEST(Corrections, ReboundAloneLeavesTheContact) {
  for (const char* base : {"am1", "heun", "verlet", "rk4"}) {
    const auto plain = thrown(base, hard), rebound = thrown(std::string(base) + "+rebound", hard),
               formula = thrown(std::string(base) + "+rebound+approximate", hard);
    ASSERT_EQ(plain.exit(), rebound.exit());
    for (std::size_t n = 0; n < plain.exit(); ++n) {
      EXPECT_EQ(plain.x_m[n], rebound.x_m[n]) << base << n;
      EXPECT_EQ(plain.v_m_s[n], formula.v_m_s[n]) << base << n;
    }
    EXPECT_EQ(rebound.x_m.back(), 0) << base;
    EXPECT_NEAR(rebound.v_m_s.back(), exact::outbound_velocity(hard), 1e-15) << base;
    EXPECT_NEAR(formula.v_m_s.back(), -exact::restitution_approximate(0.5), 1e-15) << base;
  }
}
/// mu v = 3: (7) is 2.05 % off.  mu v = 0.5: 0.013 %.
TEST(Corrections, TheFormulaIsUsedUpToItsThreshold) {
  exact::Impact lossy = hard;
  lossy.mu = 3;
  lossy.stiffness = 1e7;
  const double strict[] = {0, 4, 0.01}, loose[] = {0, 4, 0.03}, permille[] = {0, 4, 1e-3}, fine[] = {0, 4, 1e-4};
  const auto own = thrown("rk4", lossy), kept = thrown("rk4+rebound+approximate", lossy, strict),
             set = thrown("rk4+rebound+approximate", lossy, loose);
  EXPECT_EQ(kept.v_m_s.back(), own.v_m_s.back());
  EXPECT_EQ(kept.x_m.back(), own.x_m.back());
  EXPECT_NEAR(set.v_m_s.back(), -exact::restitution_approximate(3), 1e-15);
  EXPECT_NEAR(thrown("rk4+hybrid+approximate", hard, permille).v_m_s.back(), -exact::restitution_approximate(0.5),
              1e-15);
  EXPECT_NE(thrown("rk4+hybrid+approximate", hard, fine).v_m_s.back(), -exact::restitution_approximate(0.5));
}
TEST(Corrections, TheOrderOfTheFormulaCanBeChosen) {
  for (const int n : {2, 3, 6}) {
    const double values[] = {0, static_cast<double>(n), 1};
    EXPECT_NEAR(thrown("heun+hybrid+approximate", hard, values).v_m_s.back(), -exact::ReboundSeries(n).restitution(0.5),
                1e-15)
        << n;
  }
  const double broken[] = {0, 2.5, 1};
  EXPECT_THROW(thrown("heun+hybrid+approximate", hard, broken), InputError);
}

/// Between the impacts the load is conservative, so that every touch has the speed of the last rebound.
TEST(SuspendedLoad, ReboundsFollowTheClosedForm) {
  for (const char* name : {"rk4+hybrid", "verlet+hybrid", "heun+rebound"}) {
    OneMass ball = mass_of(hard);
    ball.load_N = 9.81 * ball.mass_kg;
    ball.suspended = true;
    const auto stepper = make_stepper(name, ball, dt);
    stepper->start(0, hard.speed_m_s);
    double expected = hard.speed_m_s;
    int rebounds = 0;
    bool inside = false;
    for (int n = 0; n < 100000 && rebounds < 20; ++n) {
      stepper->step();
      if (inside && stepper->x() <= 0) {
        expected *= exact::restitution(hard.mu * expected);
        ++rebounds;
        EXPECT_NEAR(stepper->v(), -expected, 1e-12) << name << rebounds;
      }
      inside = stepper->x() > 0;
    }
    EXPECT_EQ(rebounds, 20) << name;
  }
}
TEST(SuspendedLoad, IsAskedForWhereACorrectionNeedsIt) {
  Scene s;
  s.duration_s = 0.1;
  s.gravity_m_s2 = 9.81;
  s.masses = {{.name = "ball", .mass_kg = 0.01, .position_m = 0, .velocity_m_s = -1}};
  s.contacts = {{.bodies = {"wall", "ball"},
                 .law = {"hunt-crossley", {{"stiffness", 1e9}, {"exponent", 1.5}, {"mu", 0.5}}},
                 .scheme = LawSpec{"rk4+hybrid"}}};
  EXPECT_THROW(compile(s), InputError);
  s.contacts[0].scheme->values["suspend_load"] = 1;
  auto system = compile(s);
  for (int n = 0; n < 4410; ++n) system->step();
  const Ledger& l = system->ledger();
  EXPECT_NEAR(l.kinetic_J + l.load_J, std::pow(exact::restitution(0.5), 2) * 0.005, 1e-9) << "in flight again";
  s.contacts[0].scheme->values["order"] = 4;
  EXPECT_THROW(compile(s), InputError) << "rk4+hybrid has no formula";
}

/// The force of the contact carries the load where the mass comes to rest.
TEST(RestCompression, IsWhereALossyMassComesToRest) {
  for (const double exponent : {1.0, 1.5, 2.8})
    for (const char* name : {"rk4", "am1", "two-variable"}) {
      const exact::Impact i{.mass_kg = 0.01, .stiffness = 1e6, .exponent = exponent, .mu = 8, .speed_m_s = 0.01};
      OneMass m = mass_of(i);
      m.load_N = 1;
      const auto stepper = make_stepper(name, m, dt);
      stepper->start(0, i.speed_m_s);
      for (int n = 0; n < 44100; ++n) stepper->step();
      EXPECT_NEAR(stepper->x() / exact::rest_compression(i, 1), 1, 1e-10) << name << exponent;
    }
  EXPECT_EQ(exact::rest_compression(hard, 0), 0);
}

}  // namespace
}  // namespace jawari
