// SPDX-License-Identifier: MIT
// Scenes compiled and run: geometry, input errors, ledger, monitor, integrators of one mass, comparison.
#include <cmath>
#include <functional>

#include "jawari/engine/compare.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/monitor.h"
#include "jawari/engine/run.h"
#include "jawari/engine/signal.h"
#include "jawari/impact/closed_form.h"
#include "jawari/impact/corrections.h"
#include "support/golden.h"

namespace jawari {
namespace {

LawSpec hertz(double stiffness = 1e8) { return {"power", {{"stiffness", stiffness}, {"exponent", 1.5}}}; }
Scene thrown(double v = 2, const std::string& scheme = "two-point") {
  Scene s;
  s.rate_hz = 48000;
  s.duration_s = 0.01;
  s.masses = {{.name = "ball", .mass_kg = 0.01, .position_m = -1e-3, .velocity_m_s = v}};
  s.contacts = {{.bodies = {"ball", "wall"}, .law = hertz(), .scheme = LawSpec{scheme}}};
  return s;
}
std::vector<double> last_row(System& system, long steps) {
  run(system, steps);
  std::vector<double> row(system.channels().size());
  system.read(row);
  return row;
}
std::string input_error(const Scene& s) {
  try {
    compile(s);
  } catch (const InputError& r) {
    return r.field() + ": " + r.what();
  }
  return "not refused";
}

TEST(World, ReboundsFromAWallAboveAndFromAFloorBelow) {
  Scene s = thrown();
  EXPECT_TRUE(test::close(last_row(*compile(s), 480)[1], -2, 1e-12));
  s.masses[0].position_m = 1e-3;
  s.masses[0].velocity_m_s = -2;
  s.contacts[0].bodies = {"wall", "ball"};
  EXPECT_TRUE(test::close(last_row(*compile(s), 480)[1], 2, 1e-12));
}

TEST(World, DoesNotCareWhereTheOriginIs) {
  Scene here = thrown(), there = thrown();
  there.masses[0].position_m += 100;
  there.masses[0].rest_m = 100;
  there.contacts[0].height_m = 100;
  auto a = compile(here), b = compile(there);
  const auto x = last_row(*a, 480), y = last_row(*b, 480);
  EXPECT_TRUE(test::close(y[0] - 100, x[0], 0, 1e-11));
  EXPECT_TRUE(test::close(y[1], x[1], 1e-10));
  EXPECT_LE(b->ledger().imbalance(), 1e-12);
}

TEST(World, AVeryHeavyMassIsAWall) {
  Scene s = thrown(), heavy = thrown();
  heavy.masses.push_back({.name = "rock", .mass_kg = 1e9, .position_m = 0});
  heavy.contacts[0].bodies = {"ball", "rock"};
  auto a = compile(s), b = compile(heavy);
  EXPECT_TRUE(test::close(last_row(*b, 480)[0], last_row(*a, 480)[0], 1e-9));
}

TEST(World, EqualMassesExchangeTheirVelocities) {
  Scene s = thrown(3);
  s.masses.push_back({.name = "other", .mass_kg = 0.01, .position_m = 0});
  s.contacts[0].bodies = {"ball", "other"};
  s.contacts[0].height_m = 1e-4;
  auto system = compile(s);
  const auto row = last_row(*system, 480);
  EXPECT_TRUE(test::close(row[1], 0, 0, 1e-12));
  EXPECT_TRUE(test::close(row[3], 3, 1e-12));
}

TEST(World, ABallBetweenTwoWallsIsOneIsland) {
  Scene s = thrown(5);
  s.contacts.push_back({.bodies = {"wall", "ball"}, .height_m = -2e-3, .law = hertz(), .scheme = LawSpec{"secant-2"}});
  s.duration_s = 0.5;
  auto system = compile(s);
  run(*system, step_count(s));
  EXPECT_GT(system->contacts()[0].record.impacts, 100u);
  EXPECT_GT(system->contacts()[1].record.impacts, 100u);
  EXPECT_LE(system->ledger().imbalance(), 1e-12);
  s.contacts[1].scheme = LawSpec{"taylor"};
  EXPECT_EQ(input_error(s),
            "scheme: scheme of contact \"wall-ball\" is \"taylor\", which serves points that do not feel one another, "
            "but these do");
}

TEST(World, StartsInsideAContactToSecondOrder) {
  const auto end = [](int times) {
    Scene s = thrown(0);
    s.rate_hz *= times;
    s.masses[0].position_m = 2e-4;  // pressed in and let go
    auto system = compile(s);
    run(*system, 144 * times + 1);  // t = 3 ms
    std::vector<double> row(system->channels().size());
    system->read(row);
    return row[0];
  };
  const double best = end(256), coarse = std::abs(end(4) - best), fine = std::abs(end(8) - best);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15);
}

TEST(World, TheWorkOfAPulseIsAccounted) {
  Scene s = thrown(0);
  s.contacts.clear();
  s.excitations = {{.body = "ball", .type = SignalType::pulse, .amplitude_N = 4, .start_s = 1e-3, .duration_s = 2e-3}};
  auto system = compile(s);
  const auto row = last_row(*system, 480);
  EXPECT_TRUE(test::close(row[1], 4 * 2e-3 / 2 / 0.01, 1e-12));  // impulse A T/2 over m
  EXPECT_TRUE(test::close(system->ledger().injected_J, 0.01 * row[1] * row[1] / 2, 1e-12));
  EXPECT_LE(system->ledger().imbalance(), 1e-13);
}

TEST(World, SinesKeepTheirPhaseForMinutes) {
  Signal sine({.body = "", .type = SignalType::sine, .amplitude_N = 2, .frequency_hz = 440}, 1 / 44100.0);
  double worst = 0;
  for (long n = 0; n < 1000000; ++n) {
    const double x = sine.next();
    if (n % 997 == 0)
      worst = std::max(worst,
                       std::abs(x - 2 * std::sin(2 * M_PI * std::fmod(440.0 * static_cast<double>(n), 44100) / 44100)));
  }
  EXPECT_LE(worst, 1e-8);
}

TEST(Compile, NamesTheFieldItRefuses) {
  Scene s = thrown();
  s.masses[0].mass_kg = -1;
  EXPECT_EQ(input_error(s), "mass[0].mass_kg: mass \"ball\".mass_kg is -1, but must lie in [1e-12, 1e+12] kg");
  s = thrown();
  s.masses[0].velocity_m_s = std::nan("");
  EXPECT_EQ(input_error(s),
            "mass[0].velocity_m_s: mass \"ball\".velocity_m_s is nan, but must lie in [-1e+06, 1e+06] m/s");
  s = thrown();
  s.contacts[0].law.values["stiffness"] = 0;
  EXPECT_EQ(input_error(s), "contact[0].law.stiffness: law.stiffness is 0, but must lie in (0, 1e+25] N/m^alpha");
  s = thrown();
  s.contacts[0].bodies[1] = "wal";
  EXPECT_EQ(input_error(s),
            "contact[0].bodies: contact.bodies names \"wal\", but there is no such body (did you mean \"wall\"?)");
  s = thrown();
  s.contacts[0].scheme = LawSpec{"two-pont"};
  EXPECT_EQ(input_error(s).find("contact[0].scheme: scheme is \"two-pont\""), 0u);
  s = thrown();
  s.rate_hz = 10;
  EXPECT_EQ(input_error(s), "rate_hz: rate_hz is 10, but must lie in [100, 1e+08] Hz");
  s = thrown();
  s.duration_s = 86000;
  s.rate_hz = 1e8;
  EXPECT_EQ(input_error(s).find("duration_s: "), 0u);
  s = thrown();
  s.masses.push_back(s.masses[0]);
  EXPECT_EQ(input_error(s), "mass[1].name: mass.name is \"ball\" twice, but names must differ");
  s = thrown();
  s.pickups = {{.of = "ball", .quantity = Quantity::force}};
  EXPECT_EQ(input_error(s),
            "pickup[0].quantity: pickup.quantity is \"force\", but a body other than a string has "
            "displacement, velocity and acceleration");
  s = thrown();
  s.masses.clear();
  s.contacts.clear();
  EXPECT_EQ(input_error(s), "mass: mass is missing; a scene needs at least one body, a [[mass]] or a [[string]]");
  s = thrown();
  s.masses[0].spring_N_m = 1e15;
  EXPECT_NE(input_error(s).find("omega_rad_s"), std::string::npos);
}

TEST(Compile, RunsTheIntegratorsOfOneMassInTheSameScene) {
  for (const auto* name :
       {"am1", "verlet", "heun", "rk4", "two-variable", "invariant", "symplectic-4", "rk4+projected", "heun+hybrid"}) {
    Scene s = thrown(2, name);
    auto system = compile(s);
    const auto row = last_row(*system, 480);
    EXPECT_TRUE(test::close(row[1], -2, 0.01)) << name;
    EXPECT_EQ(system->contacts()[0].record.impacts, 1u) << name;
    EXPECT_EQ(system->channels()[0], "ball.displacement_m");
  }
  Scene s = thrown(2, "rk4+projected");
  s.gravity_m_s2 = 9.81;
  EXPECT_NE(input_error(s).find("without load, spring and damper only"), std::string::npos);
  s = thrown(2, "rk4");
  s.masses.push_back({.name = "b", .mass_kg = 1});
  EXPECT_NE(input_error(s).find("one mass against one wall only, but the scene has 2 masses"), std::string::npos);
}

TEST(Monitor, IsSilentAboutAGoodRun) {
  auto system = compile(thrown());
  run(*system, 480);
  EXPECT_TRUE(judge(*system).empty());
}
TEST(Monitor, WarnsOfUnresolvedContactsAndSaysWhatToChange) {
  Scene s = thrown(2, "quadratised");
  s.contacts[0].law = hertz(1e13);
  auto system = compile(s);
  run(*system, 480);
  const auto verdicts = judge(*system);
  ASSERT_FALSE(verdicts.empty());
  EXPECT_EQ(verdicts[0].severity, Severity::warning);
  bool samples = false, locked = false;
  for (const auto& v : verdicts) {
    samples |= v.sentence.find("raise the rate to") != std::string::npos;
    locked |= v.sentence.find("stays locked") != std::string::npos;
  }
  EXPECT_TRUE(samples);
  EXPECT_TRUE(locked);
}
TEST(Monitor, ReportsSoftenedContactsAndRaisedS) {
  Scene s = thrown(2, "guarded-two-point");
  s.contacts[0].law = {"hunt-crossley", {{"stiffness", 1e13}, {"exponent", 1.5}, {"mu", 0.6}}};
  auto system = compile(s);
  run(*system, 480);
  ASSERT_EQ(judge(*system).size(), 1u);
  EXPECT_NE(judge(*system)[0].sentence.find("were softened"), std::string::npos);
  Scene t = thrown(20, "taylor");  // D17 Fig. 4
  t.rate_hz = 44100;
  t.masses[0].mass_kg = 1;
  t.masses[0].position_m = -0.5;
  t.contacts[0].height_m = 0.1;
  t.duration_s = 0.05;
  t.contacts[0].law = {"power", {{"stiffness", 5e9}, {"exponent", 1.3}}};
  auto raised = compile(t);
  run(*raised, step_count(t));
  EXPECT_NE(judge(*raised).back().sentence.find("s was raised"), std::string::npos);
}
TEST(Monitor, CallsAComplexRootWhatItIs) {
  Scene s = thrown(20, "taylor-strict");
  s.rate_hz = 44100;
  s.masses[0].mass_kg = 1;
  s.masses[0].position_m = -0.5;
  s.contacts[0].height_m = 0.1;
  s.duration_s = 0.05;
  s.contacts[0].law = {"power", {{"stiffness", 5e9}, {"exponent", 1.3}}};
  auto system = compile(s);
  const jawari::Run r = run(*system, step_count(s));
  EXPECT_TRUE(system->failed());
  EXPECT_LT(r.steps, step_count(s));
  EXPECT_EQ(judge(*system)[0].severity, Severity::failure);
  EXPECT_NE(judge(*system)[0].sentence.find("complex"), std::string::npos);
}

TEST(Compare, OrdersSchemesByTheirError) {
  const auto result =
      compare(thrown(2), {"two-point", "three-point", "quadratised", "matched-two-point", "rk4"}, {1, 2});
  ASSERT_EQ(result.entries.size(), 10u);
  EXPECT_LE(result.reference_change, 1e-8);
  const auto error = [&](std::size_t i) { return result.entries[2 * i].error; };
  EXPECT_LT(error(0), error(1));
  EXPECT_LT(error(1), error(2));
  EXPECT_LT(error(3), 0.2 * error(0));
  EXPECT_NEAR(std::log2(result.entries[0].error / result.entries[1].error), 2, 0.3);
  EXPECT_THROW(compare(thrown(2), {"no-such"}, {1}), InputError);
}

TEST(MinMaxRecorder, KeepsEverythingOfAShortRunAndTheExtremesOfALongOne) {
  MinMaxRecorder all(100), some(10);
  all.begin({"x"}, 10, 50);
  some.begin({"x"}, 10, 50);
  for (int n = 0; n < 50; ++n) {
    const double x = n == 23 ? 7 : n == 37 ? -5 : 0;
    all.row(0, {&x, 1});
    some.row(0, {&x, 1});
  }
  all.end();
  some.end();
  EXPECT_EQ(all.data[0].size(), 50u);
  EXPECT_FALSE(all.min_max);
  EXPECT_TRUE(some.min_max);
  EXPECT_LE(some.data[0].size(), 10u);
  EXPECT_EQ(*std::max_element(some.data[0].begin(), some.data[0].end()), 7);
  EXPECT_EQ(*std::min_element(some.data[0].begin(), some.data[0].end()), -5);
}

TEST(Corrections, LeaveAMassAloneAfterItsExit) {
  for (const auto* name :
       {"verlet+hybrid", "heun+hybrid", "heun+hybrid+approximate", "rk4+hybrid", "am1+hybrid", "rk4+projected"})
    for (const double stiffness : {1e7, 1e9}) {  // beyond, RK4 explodes
      OneMass m{HuntCrossley({stiffness, 1.5, 0.5})};
      m.mass_kg = 0.01;
      auto stepper = make_stepper(name, m, 1 / 44100.0);
      stepper->start(0, 1);
      for (int n = 0; n < 2000 && !(stepper->v() < 0 && stepper->x() <= 0); ++n) stepper->step();
      const double v = stepper->v();
      ASSERT_LT(v, 0) << name;
      for (int n = 0; n < 5; ++n) stepper->step();
      EXPECT_EQ(stepper->v(), v) << name << " " << stiffness;
    }
}

}  // namespace
}  // namespace jawari
