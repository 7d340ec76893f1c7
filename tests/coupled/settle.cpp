// SPDX-License-Identifier: MIT
// Motion ends in silence and solves end in a solution: idle bodies, strings at rest on a barrier, overdamped starts,
// islands of stiff contacts and friction, tension modulation and quadratised contacts far beyond their usual depth.
#include <cstdlib>
#include <filesystem>

#include "jawari/body/modal.h"
#include "jawari/body/string_grid.h"
#include "jawari/contact/hunt_crossley.h"
#include "jawari/couple/single_port.h"
#include "jawari/engine/work.h"
#include "jawari/scheme/gradient.h"
#include "jawari/scheme/quadratised.h"
#include "support.h"
#include "support/scene_files.h"

namespace jawari {
namespace {

/// Some begin so deep in a contact that they are refused by default: the solver holds there too.
Scene case_scene(const std::string& name) {
  Scene scene = read_scene(std::string(JAWARI_SOURCE_DIR "/tests/cases/") + name + ".toml").scene;
  scene.limits.release_m_s = 1e30;
  return scene;
}

struct Course {
  bool failed = true, finite = false;
  std::int64_t steps = 0;
  double start_J = 0, most_J = 0, end_J = 0, imbalance = 1, loudest_late = 0;
};
/// Plays a scene; most_J: largest stored energy less what was injected.  Late: after `late_s`.
Course outcome(const Scene& scene, Kernels kernels = Kernels::exact, double late_s = 1e9) {
  const auto world = compile_world(scene, kernels);
  Course o;
  o.finite = true;
  o.start_J = o.most_J = world->ledger().start_J;
  std::vector<std::vector<double>> sound(world->pickup_count(), std::vector<double>(64));
  std::vector<double*> tracks;
  for (auto& t : sound) tracks.push_back(t.data());
  const std::int64_t steps = step_count(scene);
  world->audit_every(64);
  while (o.steps < steps && !world->failed()) {
    const std::int64_t n = world->play(std::min<std::int64_t>(64, steps - o.steps), tracks.data());
    for (const auto& t : sound)
      for (std::int64_t i = 0; i < n; ++i) {
        const double x = t[static_cast<std::size_t>(i)];
        o.finite = o.finite && std::isfinite(x);
        if (static_cast<double>(o.steps + i) * world->dt_s() > late_s)
          o.loudest_late = std::max(o.loudest_late, std::abs(x));
      }
    o.steps += n;
    const Ledger& l = world->ledger();
    if (!(l.stored_J() - l.injected_J <= o.most_J)) o.most_J = l.stored_J() - l.injected_J;
  }
  world->audit();
  o.failed = world->failed();
  o.end_J = world->ledger().stored_J();
  o.imbalance = world->ledger().imbalance();
  return o;
}
void expect_whole(const Course& o, double account) {
  EXPECT_FALSE(o.failed) << "after " << o.steps << " steps";
  EXPECT_TRUE(o.finite);
  EXPECT_LE(o.imbalance, account);
  EXPECT_LE(o.most_J, o.start_J + account * (std::abs(o.start_J) + std::abs(o.most_J)));
}

/// A string over a barrier at its height at rest, struck once and left alone until it is silent: amplitudes pass
/// 1e-160.
std::string fading(const std::string& method, const std::string& more) {
  return "duration_s = 0.15\n[[string]]\nname = \"s\"\nlength_m = 0.65\nfrequency_hz = 1500\nradius_m = 2e-4\n"
         "decay_s = [0.002, 0.0018]\ndecay_hz = [1500, 8000]\n" +
         method +
         "\n[[barrier]]\nshape = \"flat\"\nstring = \"s\"\nlaw = { type = \"power\", stiffness_per_m = 1e9, exponent = "
         "1.5 }\n"
         "[[excitation]]\nbody = \"s\"\nposition_m = 0.1\ntype = \"pulse\"\namplitude_N = 1\nduration_s = 2e-3\n" +
         more + "[[pickup]]\nof = \"s\"\nat = 0.2\n";
}

TEST(Fading, AStringLeftAloneFallsSilentAndTheNextPulseWakesIt) {
  const std::string later =
      "[[excitation]]\nbody = \"s\"\nposition_m = 0.1\ntype = \"pulse\"\namplitude_N = 1\n"
      "start_s = 0.1\nduration_s = 2e-3\n";
  for (const std::string method : {"", "method = \"modes\"", "operator = \"unconditional\""})
    for (const auto kernels : {Kernels::exact, Kernels::off}) {
      SCOPED_TRACE(method);
      const Course silent = outcome(test::scene_of(fading(method, "")), kernels, 0.09);
      EXPECT_FALSE(silent.failed);
      EXPECT_EQ(silent.end_J, 0);
      EXPECT_EQ(silent.loudest_late, 0);
      const Course woken = outcome(test::scene_of(fading(method, later)), kernels, 0.101);
      EXPECT_FALSE(woken.failed);
      EXPECT_GE(woken.loudest_late, 1e-6);
    }
}

TEST(Fading, AStringThatIsKeptActiveDecaysBelowSquaresThatAreNumbers) {
  const std::string hum =
      "[[excitation]]\nbody = \"s\"\nposition_m = 0.3\ntype = \"sine\"\nfrequency_hz = 100\namplitude_N = 1e-300\n";
  for (const std::string method :
       {"", "method = \"modes\"", "operator = \"unconditional\"", "operator = \"gamma\"\ngamma = 0.3"})
    for (const std::string scheme :
         {"two-point", "three-point", "secant-2", "bounded", "returning", "reset", "sign-rule"}) {
      SCOPED_TRACE(method + " " + scheme);
      Scene scene = test::scene_of(fading(method, hum));
      scene.barriers[0].scheme = LawSpec{scheme};
      const Course o = outcome(scene);
      EXPECT_FALSE(o.failed) << o.steps;
      EXPECT_TRUE(o.finite);
      EXPECT_LE(o.imbalance, 1e-12);
    }
}

TEST(Fading, AMassAndAWallDecayBelowSquaresThatAreNumbers) {
  for (const std::string scheme :
       {"guarded-two-point", "two-point", "three-point", "secant-2", "taylor", "taylor-star"}) {
    SCOPED_TRACE(scheme);
    const Course o =
        outcome(test::scene_of("duration_s = 0.6\n[[mass]]\nname = \"m\"\nmass_kg = 0.01\nspring_N_m = "
                               "4e4\ndamper_N_s_m = 14\nvelocity_m_s = 1\n"
                               "[[contact]]\nbodies = [\"m\", \"wall\"]\nlaw = { type = \"power\", stiffness = 1e8, "
                               "exponent = 1.5 }\nscheme = \"" +
                               scheme +
                               "\"\n[[excitation]]\nbody = \"m\"\ntype = \"sine\"\nfrequency_hz = 100\namplitude_N = "
                               "1e-300\n[[pickup]]\nof = \"m\"\n"));
    EXPECT_FALSE(o.failed) << o.steps;
    EXPECT_TRUE(o.finite);
  }
}

/// Where nothing moves a solve cannot fail: every scale of port from 1e-320 m to 1 m.
TEST(Fading, OnePortSettlesAtEveryScale) {
  const HuntCrossley lossy({1e9, 1.5, 2});
  const PowerLaw linear({1e12, 1});
  const auto ask = [](const auto& law, auto scheme) {
    scheme.prepare(law, 1e-5);
    for (double y = 1e-320; y < 1; y *= 31)
      for (const double side : {-1.0, 0.0, 1.0})
        for (double s_free = 1e-320; s_free < 1; s_free *= 1e5)
          for (const double way : {-1.0, 1.0}) {
            const Port p{side * y, way * s_free / 2, way * s_free, 1e-4};
            auto t = scheme.begin(law, p, scheme.start(law, p.y, p.d));
            Outcome out;
            double s = 0;
            const double f = solve_single_port(scheme, law, t, p, s, out);
            ASSERT_TRUE(out.settled && std::isfinite(s) && std::isfinite(f)) << p.y << ' ' << p.s_free;
          }
  };
  ask(lossy, TwoPoint());
  ask(lossy, ThreePoint());
  ask(linear, TwoPoint());
  ask(linear, ThreePoint());
  ask(lossy, SecantTwice());
  ask(linear, QuadratisedReturning());
  ask(linear, QuadratisedReset());
  ask(lossy, QuadratisedBounded());
}

TEST(AtRestOnABarrier, ImplicitStringsStayNumbers) {
  for (const auto op : {GridOperator::unconditional, GridOperator::optimal, GridOperator::gamma})
    for (const double exponent : {1.0, 1.5, 3.0}) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(op) << ' ' << exponent);
      Scene scene = case_scene("04-implicit-string-rest-on-barrier-nan");
      scene.duration_s = 0.001;
      scene.strings[0].op = op;
      scene.strings[0].gamma = op == GridOperator::gamma ? 0.3 : 0;
      scene.barriers[0].law.values["exponent"] = exponent;
      for (const auto kernels : {Kernels::exact, Kernels::off}) expect_whole(outcome(scene, kernels), 1e-12);
    }
}

/// The stored energy of a start is that of the body at t = 0, whatever the damping; resolved damping of x per sample
/// takes x.
TEST(Overdamped, MassesBeginWithTheirEnergy) {
  const double rate = 44100, mass = 0.01;
  for (const auto stepping : {Stepping::exact, Stepping::constant, Stepping::leapfrog, Stepping::midpoint})
    for (const double x : {0.0, 1e-3, 0.01, 0.05, 0.2, 1.0, 5.0, 22.7, 100.0, 1e4, 1e6})
      for (const double omega : {0.0, 30.0, 316.0, 4000.0})
        for (const auto& [u, v] : {std::pair{1e-3, 0.0}, {0.0, 0.3}, {1e-3, -0.3}}) {
          if (omega == 0 && v == 0) continue;
          SCOPED_TRACE(testing::Message() << stepping_names[static_cast<std::size_t>(stepping)] << " x " << x
                                          << " omega " << omega << " u " << u << " v " << v);
          ModalBody b({{mass, omega, x * rate / 2}}, {{1.0}}, 1 / rate, stepping);
          b.set_mode_state(0, u, v);
          const double energy = mass / 2 * (v * v + omega * omega * u * u),
                       second_order = std::pow(omega / rate, 2) / 8;
          EXPECT_TRUE(test::close(b.stored().total(), energy, 0.01 + second_order + (x <= 0.1 ? 1.1 * x : 0)));
        }
}

TEST(Overdamped, AConstantForceMovesAMassAsFarAndAsFastAsItShould) {
  const double rate = 44100, mass = 0.01, force = 2;
  for (const double x : {0.2, 1.0, 5.0, 22.7, 100.0, 1e4}) {
    ModalBody held({{mass, 3000, x * rate / 2}}, {{1.0}}, 1 / rate, Stepping::exact);
    ModalBody loose({{mass, 0, x * rate / 2}}, {{1.0}}, 1 / rate, Stepping::exact);
    for (int n = 0; n < 400; ++n) {
      loose.add_force(0, force);
      loose.predict();
      loose.advance();
    }
    EXPECT_TRUE(test::close(loose.d[0] * rate, force / (mass * x * rate), 1e-9)) << x;
    if (x < 1000) {
      for (int n = 0; n < 4000000 && n < 60 * x * std::pow(rate / 3000, 2); ++n) {
        held.add_force(0, force);
        held.predict();
        held.advance();
      }
      const double far = force / (mass * 3000 * 3000);
      if (x * rate / 2 >= 3000) {
        EXPECT_TRUE(test::close(held.w[0], far, 1e-3)) << x;
      }
    }
  }
}

TEST(Overdamped, StringsBeginWithTheirEnergy) {
  StringData string;
  string.length_m = 0.65;
  string.tension_N = 60;
  string.density_kg_m = 1e-3;
  const double dt = 1 / 44100.0;
  for (const double sigma0 : {0.0, 1e4, 1e5, 1e7, 1e9})
    for (const auto op : {GridOperator::explicit_, GridOperator::unconditional}) {
      string.sigma0_1_s = sigma0;
      StringGrid grid(string, {op, 0, false, 40}, dt);
      std::vector<double> u(grid.nodes()), v(grid.nodes());
      double energy = 0, before = 0;
      for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = 1e-3 * std::sin(M_PI * grid.position_m(i) / 0.65);
        v[i] = 2 * std::sin(2 * M_PI * grid.position_m(i) / 0.65);
        energy += string.density_kg_m * grid.spacing_m() / 2 * v[i] * v[i];
        energy += string.tension_N / (2 * grid.spacing_m()) * (u[i] - before) * (u[i] - before);
        before = u[i];
      }
      energy += string.tension_N / (2 * grid.spacing_m()) * before * before;
      grid.release(u, v);
      EXPECT_TRUE(test::close(grid.stored().total(), energy, 0.01)) << sigma0 << ' ' << static_cast<int>(op);
    }
  Scene scene = test::scene_of(
      "duration_s = 0.002\n[[string]]\nname = \"s\"\nlength_m = 0.65\nfrequency_hz = 147\nradius_m = 2e-4\n"
      "sigma1_m2_s = 4\nmethod = \"modes\"\nstart = { shape = \"pluck\", position_m = 0.2, height_m = 1e-3 }\n");
  const double damped = compile_world(scene)->ledger().start_J;
  scene.strings[0].sigma1_m2_s = 0;
  EXPECT_TRUE(test::close(damped, compile_world(scene)->ledger().start_J, 0.05));
}

TEST(Overdamped, TheMassOfTheCaseIsNotShot) {
  const auto played = test::play(case_scene("22-overdamped-start"));
  EXPECT_TRUE(test::close(played.world->ledger().start_J, 5e-4, 0.01));
  for (const double x : played.sound) EXPECT_LE(std::abs(x), 1e-2);
}

TEST(Islands, StiffLossyPointsOnOneStringSettle) {
  expect_whole(outcome(case_scene("10-two-contacts-unsettled")), 1e-9);
}
TEST(Islands, FrictionWithABoltAndContactsSettles) {
  for (const auto kernels : {Kernels::exact, Kernels::off})
    expect_whole(outcome(case_scene("11-friction-island-unsettled"), kernels), 1e-9);
}
TEST(Islands, TabulatedLawsSettle) {
  expect_whole(outcome(case_scene("26-tabulated-line-swings")), 1e-9);  // a step shortened by the slope of the full one
  expect_whole(outcome(case_scene("27-tabulated-fret-unsettled")), 1e-9);
}
TEST(Contacts, OnAPointThatNoForceMovesStayNumbers) {
  const LawSpec law{"hunt-crossley", {{"stiffness", 7.2e5}, {"exponent", 2.3}, {"mu", 0.004}}};
  for (const auto scheme : schemes_for(law)) {
    Scene s;
    s.rate_hz = 22050;
    s.duration_s = 0.01;
    s.modals = {{.name = "t",
                 .frequencies_hz = {212},
                 .decay_s = {9},
                 .masses_kg = {0.02},
                 .points = {{"here", {-0.9}}, {"there", {0.0}}}}};
    s.contacts = {
        {.bodies = {std::string(wall), "t"}, .height_m = 8.3e-4, .law = law, .scheme = LawSpec{std::string(scheme)}}};
    s.contacts[0].at[1] = Location{0, 0, "there"};
    SCOPED_TRACE(scheme);
    expect_whole(outcome(s), 1e-9);
  }
}
TEST(Contacts, PressedOntoAPointThatNoForceMovesStayNumbers) {
  for (const LawSpec& law : {LawSpec{"power", {{"stiffness", 5e-11}, {"exponent", 6}}},
                             LawSpec{"hunt-crossley", {{"stiffness", 7.2e5}, {"exponent", 2.3}, {"mu", 0.4}}}})
    for (const auto scheme : schemes_for(law)) {
      Scene s = test::scene_of(
          "rate_hz = 8000\nduration_s = 0.02\n[[modal]]\nname = \"t\"\nfrequencies_hz = [4]\ndecay_s = [0.07]\n"
          "masses_kg = [5e-5]\npoints = { there = [0.0] }\n[[plectrum]]\nname = \"z\"\ntarget = \"t\"\nat = \"there\"\n"
          "law = { type = \"power\", stiffness = 1e3, exponent = 1 }\n"
          "[[event]]\ndo = \"press\"\ntarget = \"z\"\ndepth_m = 5.1e-4\n");
      s.plectrums[0].law = law;
      s.plectrums[0].scheme = LawSpec{std::string(scheme)};
      SCOPED_TRACE(law.type + " " + std::string(scheme));
      const Course o = outcome(s);
      EXPECT_FALSE(o.failed);
      EXPECT_TRUE(o.finite);
      EXPECT_TRUE(std::isfinite(o.end_J) && std::isfinite(o.imbalance)) << o.end_J;
    }
}
TEST(Islands, TouchesSlowerThanNumbersSettle) {
  expect_whole(outcome(case_scene("28-touch-slower-than-numbers")), 1e-9);
  expect_whole(outcome(case_scene("29-implicit-string-touched-slowly")), 1e-9);
}
TEST(Islands, APortAtTheKinkOfItsResponseSettles) { expect_whole(outcome(case_scene("30-island-at-a-kink")), 1e-9); }
TEST(Islands, SettlePortByPortWhereNewtonDoesNot) {
  for (const char* name : {"31-newton-in-circles", "32-newton-before-a-kink", "33-friction-and-a-contact-at-one-point",
                           "34-friction-beside-a-table", "35-friction-at-rounding"}) {
    SCOPED_TRACE(name);
    expect_whole(outcome(case_scene(name)), 1e-9);
  }
}
TEST(Islands, AreNotSettledByForcesThatHideTheMotion) {
  expect_whole(outcome(case_scene("38-forces-that-hide-the-motion")), 1e-8);
}
TEST(Islands, StiffLossyQuadratisedContactsKeepTheirAccount) {
  expect_whole(outcome(case_scene("37-stiff-lossy-quadratised")), 1e-9);
}
TEST(Islands, OfTwoBarriersOnOneGridStringAreCounted) {
  for (const GridOperator op : {GridOperator::explicit_, GridOperator::unconditional}) {
    Scene scene = case_scene("36-held-by-friction");
    StringSpec string;
    string.name = "s";
    string.length_m = 0.6;
    string.density_kg_m = 1e-3;
    string.tension_N = 60;
    string.op = op;
    string.method = StringMethod::grid;
    scene.strings = {string};
    BarrierSpec above;
    above.string = "s";
    scene.barriers = {above};
    EXPECT_LE(dense_points(scene), 2);  // the mass and its friction; a barrier alone is solved along the string
    scene.barriers.push_back(above);
    const int intervals = plan_grid(string_data(string), {op}, 1 / step_rate_hz(scene)).intervals;
    if (op == GridOperator::explicit_)
      EXPECT_LE(dense_points(scene), 2);  // pairs at the same node
    else
      EXPECT_EQ(dense_points(scene), 2 * (intervals - 1));
  }
}
TEST(Accounts, OfWhatIsHeldStillAreKeptToTheRoundingTheySay) {
  const auto world = compile_world(case_scene("36-held-by-friction"), Kernels::off);
  world->watch_rounding();
  for (int i = 0; i < 500; ++i) world->step();
  double rounding_J = 0;
  for (const auto& a : world->accounts()) rounding_J += a.rounding_J;
  const Ledger& l = world->ledger();
  EXPECT_LE(l.largest_J, 1e-20);  // it does not move, and no energy is its scale
  EXPECT_GT(rounding_J, 0);
  EXPECT_LE(rounding_J, 1e-12 * 500 * 0.66 * 3.4e-8);  // eps times the work that friction keeps the force from doing
  EXPECT_LE(l.worst_residual_J, rounding_J);
}
TEST(Islands, TensionModulationDeepInABarrierGainsNothing) {
  expect_whole(outcome(case_scene("15-tension-modulation-gain")), 1e-9);
}
TEST(Islands, ImplicitStringsWithQuadratisedContactsGainNothing) {
  Scene scene = case_scene("16-implicit-two-contacts-gain");
  scene.duration_s = 0.001;
  expect_whole(outcome(scene), 1e-9);
}

std::string refused_field(const Scene& scene) {
  try {
    compile(scene);
  } catch (const InputError& r) {
    return r.field();
  }
  return "";
}
TEST(Scale, ForcesThatABodyIsTooLightForAreRefused) {
  Scene scene;
  StringSpec string;
  string.name = "s";
  string.length_m = 0.6;
  string.density_kg_m = 1e-3;
  string.tension_N = 60;
  scene.strings = {string};
  scene.excitations = {{.body = "s", .position_m = 0.2, .amplitude_N = 1}};
  EXPECT_EQ(refused_field(scene), "");
  scene.excitations[0].amplitude_N = 1e6;
  EXPECT_EQ(refused_field(scene), "excitation[0].amplitude_N");
  scene.excitations[0] = {.body = "s", .position_m = 0.2, .type = SignalType::samples, .samples_N = {0, -1e6}};
  EXPECT_EQ(refused_field(scene), "excitation[0].samples_N");
  scene.excitations[0] = {
      .body = "s", .position_m = 0.2, .type = SignalType::samples, .amplitude_N = 1e6, .samples_N = {0, -1}};
  EXPECT_EQ(refused_field(scene), "");  // samples are forces; the amplitude is in them
}
/// A ball of 1 mg that begins 1 mm inside a wall of stiffness K leaves it at sqrt(K/m) 1 mm: 1e6 m/s for K = 1e12.
Scene ball_in_a_wall(double stiffness, double depth_m) {
  Scene scene;
  scene.rate_hz = 48000;
  scene.masses = {{.name = "b", .mass_kg = 1e-6, .position_m = depth_m}};
  scene.contacts = {
      {.name = "c", .bodies = {"b", std::string(wall)}, .law = {"power", {{"stiffness", stiffness}, {"exponent", 1}}}}};
  return scene;
}
TEST(Scale, ContactsThatStoreTooMuchAtTheStartAreRefused) {
  EXPECT_EQ(refused_field(ball_in_a_wall(0.9e12, 1e-3)), "");
  EXPECT_EQ(refused_field(ball_in_a_wall(1.1e12, 1e-3)), "height_m");
  EXPECT_EQ(refused_field(ball_in_a_wall(1.1e12, -1e-3)), "");
}
/// K k^2/m = 1e12 at 48 kHz for K = 2.304e15.
TEST(Scale, ContactsThatLeaveNoDigitsAreRefused) {
  EXPECT_EQ(refused_field(ball_in_a_wall(2.2e15, -1e-3)), "");
  EXPECT_EQ(refused_field(ball_in_a_wall(2.4e15, -1e-3)), "stiffness");
}
TEST(Scale, EventsStayBelowWhatASceneMayBeginWith) {
  Scene scene = ball_in_a_wall(1e9, -1e-3);
  scene.contacts[0].height_m = 0;
  scene.excitations = {{.body = "b", .amplitude_N = 1}};
  const auto refused = [&](const std::string& target, const std::string& parameter, double value) {
    Scene changed = scene;
    changed.events = {{.type = EventType::set, .target = target, .parameter = parameter, .value = value}};
    return refused_field(changed) == "event[0].value";
  };
  EXPECT_FALSE(refused("c", "stiffness", 2.2e15));
  EXPECT_TRUE(refused("c", "stiffness", 2.4e15));
  EXPECT_FALSE(refused("c", "height_m", -1e-3));  // sqrt(K/m) depth: 3e-2 m is 1e6 m/s
  EXPECT_TRUE(refused("c", "height_m", -1));
  EXPECT_FALSE(refused("c", "height_m", 1));            // away from the ball
  EXPECT_FALSE(refused("b-signal", "amplitude", 4e3));  // 1 N for 1/48000 s on 1 mg: 21 m/s
  EXPECT_TRUE(refused("b-signal", "amplitude", 1e4));
}
TEST(Scale, StartsManyTimesAsHighAsTheStringIsLongAreRefused) {
  Scene scene;
  StringSpec string;
  string.name = "s";
  string.length_m = 0.6;
  string.density_kg_m = 1e-3;
  string.tension_N = 60;
  string.start = {.shape = StartShape::pluck, .position_m = 0.2, .height_m = -600};
  scene.strings = {string};
  EXPECT_EQ(refused_field(scene), "");
  scene.strings[0].start.height_m = -610;
  EXPECT_EQ(refused_field(scene), "string[0].start.height_m");
  scene.strings[0].start = {.shape = StartShape::profile, .x_m = {0.1, 0.3}, .u_m = {0.001, 700}};
  EXPECT_EQ(refused_field(scene), "string[0].start.u_m");
}

/// Every scene of the repository rings out: here damped so strongly that exp(-sigma t) falls below all numbers, in
/// script/soak as it is, JAWARI_RING_S seconds of each (an hour), or of the file JAWARI_RING_SCENE alone.
TEST(Fading, EveryShippedSceneRingsOut) {
  const char* seconds = std::getenv("JAWARI_RING_S");
  const char* one = std::getenv("JAWARI_RING_SCENE");
  int rung = 0;
  for (const auto& path : test::scene_files()) {
    if (one && std::filesystem::path(path).filename() != one) continue;
    SCOPED_TRACE(path);
    ++rung;
    Scene scene = read_scene(path).scene;
    scene.duration_s = seconds ? std::atof(seconds) : 0.25;
    const auto damp = [&](const auto& bodies) {
      if (seconds) return;
      for (const auto& b : bodies) scene.events.push_back({.type = EventType::damp, .target = b.name, .value = 4000});
    };
    damp(scene.strings);
    damp(scene.bars);
    damp(scene.membranes);
    damp(scene.plates);
    std::erase_if(scene.events, [&](const EventSpec& e) { return e.time_s > scene.duration_s; });
    const Course o = outcome(scene);
    EXPECT_FALSE(o.failed) << o.steps;
    EXPECT_TRUE(o.finite);
  }
  EXPECT_GT(rung, 0);
}

}  // namespace
}  // namespace jawari
