// SPDX-License-Identifier: MIT
// Forces from outside and starts, against closed forms and finely integrated equations of motion: second order, also
// where a force jumps and where the tension is modulated.
#include <cmath>
#include <vector>

#include "jawari/body/modal.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/run.h"
#include "jawari/impact/corrections.h"
#include "support/golden.h"

namespace jawari {
namespace {

constexpr double pi = M_PI;

/// Displacement of the first channel after `seconds`, a whole number of steps.
double place_after(const Scene& s, double seconds) {
  auto system = compile(s);
  run(*system, std::lround(seconds * s.rate_hz) + 1);
  EXPECT_FALSE(system->failed());
  std::vector<double> row(system->channels().size());
  system->read(row);
  return row[0];
}
Scene pushed(double rate_hz, double spring_N_m, ExcitationSpec force) {
  Scene s;
  s.rate_hz = rate_hz;
  s.masses = {{.name = "ball", .mass_kg = 0.01, .spring_N_m = spring_N_m}};
  force.body = "ball";
  s.excitations = {std::move(force)};
  s.duration_s = 1;
  return s;
}

TEST(ConstantForce, MovesAFreeMassAsItShould) {
  const auto ball = [](double start_s, double duration_s) {
    return place_after(
        pushed(8000, 0, {.type = SignalType::constant, .amplitude_N = 2, .start_s = start_s, .duration_s = duration_s}),
        0.01);
  };
  EXPECT_TRUE(test::close(ball(0, 0), 2 / 0.01 * 0.01 * 0.01 / 2, 1e-12));
  for (const double start_s : {0.001, 0.00107, 0.0011}) {  // on a step, and between two
    EXPECT_TRUE(test::close(ball(start_s, 0), 200 * std::pow(0.01 - start_s, 2) / 2, 1e-12)) << start_s;
    for (const double T : {0.002, 0.00213, 0.00003}) {
      const double drift = 200 * T * (0.01 - start_s - T), during = 200 * T * T / 2;
      EXPECT_TRUE(test::close(ball(start_s, T), drift + during, 1e-12)) << start_s << ' ' << T;
    }
  }
}

/// Steps of the error per halving of the time step.
template <class Error>
double order(Error&& error) {
  return std::log2(std::abs(error(1)) / std::abs(error(2)));
}

TEST(ForcesThatJump, AreSecondOrderOnAnOscillator) {
  const double w = 2 * pi * 300, K = 0.01 * w * w;
  const auto constant = [&](double rate) {
    const double end =
        place_after(pushed(rate, K, {.type = SignalType::constant, .amplitude_N = 2, .start_s = 0.0005}), 0.004);
    return end - 2 / K * (1 - std::cos(w * 0.0035));
  };
  EXPECT_NEAR(order([&](int n) { return constant(8000 * n); }), 2, 0.1);
  EXPECT_NEAR(order([&](int n) { return constant(16000 * n); }), 2, 0.1);
  // a sine that ends where it is not zero: afterwards the sum of what began and what ended
  const auto sine = [&](double rate) {
    const double W = 2 * pi * 210, T = 0.0015, at = 0.004;
    const double end = place_after(
        pushed(rate, K, {.type = SignalType::sine, .amplitude_N = 2, .frequency_hz = 210, .duration_s = T}), at);
    const auto u = [&](double t) { return 2 / 0.01 / (w * w - W * W) * (std::sin(W * t) - W / w * std::sin(w * t)); };
    const auto v = [&](double t) { return 2 / 0.01 / (w * w - W * W) * (W * std::cos(W * t) - W * std::cos(w * t)); };
    return end - (u(T) * std::cos(w * (at - T)) + v(T) / w * std::sin(w * (at - T)));
  };
  EXPECT_NEAR(order([&](int n) { return sine(8000 * n); }), 2, 0.15);
}

TEST(AmplitudeOfASignal, JumpsAtItsStep) {
  Scene s = pushed(8000, 0, {.type = SignalType::constant, .amplitude_N = 2});
  s.events = {{.time_s = 0.005, .type = EventType::set, .target = "ball-signal", .parameter = "amplitude", .value = 3}};
  const double before = 200, after = 600, T = 0.005;
  EXPECT_TRUE(test::close(place_after(s, 2 * T), before * T * T / 2 + before * T * T + after * T * T / 2, 1e-12));
  s.events[0].time_s = 0;  // set before the first step: no jump
  EXPECT_TRUE(test::close(place_after(s, T), after * T * T / 2, 1e-12));
}

/// (M9): J at t = 0 rings as J/(m w_d) exp(-c t) sin(w_d t), however high the mode.
TEST(ConstantGain, RingsAfterAnImpulseAsLoudAsItShould) {
  const double k = 1 / 44100.0;
  for (const double wk : {0.01, 0.5, 1.5, 2.8})
    for (const double ck : {0.0, 1e-3, 0.2}) {
      if (ck >= wk) continue;
      ModalBody body({{.mass_kg = 0.03, .omega_rad_s = wk / k, .decay_1_s = ck / k}}, {{1.0}}, k, Stepping::constant);
      const double wd = std::sqrt(wk * wk - ck * ck);
      for (int n = 0; n < 50; ++n) {
        if (n == 0) body.add_force(0, 5);
        body.predict();
        body.advance();
        const double t = n + 1, wanted = 5 * k * k / (0.03 * wd) * std::exp(-ck * t) * std::sin(wd * t);
        EXPECT_TRUE(test::close(body.displacements()[0], wanted, 1e-9, 1e-9 * 5 * k * k / 0.03))
            << wk << ' ' << ck << ' ' << n;
      }
    }
}

/// One mode of a string whose tension it modulates is a Duffing oscillator: Runge and Kutta's steps, a thousand per
/// sample.
TEST(TensionModulation, InModesStartsToSecondOrder) {
  const auto error = [](int times, double velocity) {
    Scene s;
    s.rate_hz = 22050.0 * times;
    StringSpec string;
    string.name = "s";
    string.length_m = 0.65;
    string.frequency_hz = 110;
    string.radius_m = 2e-4;
    string.tension_modulation = true;
    string.method = StringMethod::modes;
    string.stepping = Stepping::exact;
    string.start.shape = StartShape::function;
    string.start.displacement = [](double x) { return 8e-3 * std::sin(pi * x / 0.65); };
    string.start.velocity = [velocity](double x) { return velocity * std::sin(pi * x / 0.65); };
    s.strings = {string};
    s.pickups = {{.of = "s", .quantity = Quantity::displacement, .position_m = 0.325}};
    s.duration_s = 0.1;
    const double end_s = 30 / 22050.0;
    auto system = compile(s);
    run(*system, 30L * times + 1);
    const StringData d = string_data(string);
    const double m = d.density_kg_m * d.length_m / 2, w = d.omega(1), beta = d.wave_number(1),
                 l = d.length_m / 2 * beta * beta;
    const double cubic = 4 * d.stretching_N / (8 * d.length_m) * l * l / m;
    const auto a = [&](double u) { return -w * w * u - cubic * u * u * u; };
    double u = 8e-3, v = velocity;
    const int steps = 20000;
    const double h = end_s / steps;
    for (int n = 0; n < steps; ++n) {
      const double v1 = v, a1 = a(u), v2 = v + h / 2 * a1, a2 = a(u + h / 2 * v1), v3 = v + h / 2 * a2,
                   a3 = a(u + h / 2 * v2), v4 = v + h * a3, a4 = a(u + h * v3);
      u += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return system->sound() - u;
  };
  for (const double velocity : {0.0, 2.0})
    EXPECT_NEAR(order([&](int n) { return error(n, velocity); }), 2, 0.15) << velocity;
}

/// PAR11 IV-A with Heun: a few of 400 impacts never let go of the wall.  Each of them is noticed, and none of the
/// others.
TEST(HybridCorrection, SaysWhenItNeverLetsGoOfTheWall) {
  const double dt = 1 / 44100.0;
  int held = 0;
  for (int i = 0; i < 400; ++i) {
    const double v = 0.5 + 0.01 * i, y = -3 * v * dt * (1 + std::fmod(0.037 * i, 1));
    auto stepper = make_stepper("heun+hybrid", {HuntCrossley({1e9, 1.5, 0.6}), 0.01}, dt);
    stepper->start(y, v);
    const auto away = [&] { return stepper->x() <= 0 && stepper->v() <= 0; };
    int n = 0;
    for (; n < 2000 && !away(); ++n) stepper->step();
    EXPECT_EQ(stepper->holds_on(), !away()) << v;
    if (away()) continue;
    ++held;
    Scene s;
    s.masses = {{.name = "ball", .mass_kg = 0.01, .position_m = y, .velocity_m_s = v}};
    s.contacts = {
        {.bodies = {"ball", "wall"}, .law = {"hunt-crossley", {{"stiffness", 1e9}, {"exponent", 1.5}, {"mu", 0.6}}}}};
    s.contacts[0].scheme = LawSpec{"heun+hybrid"};
    s.rate_hz = 44100;
    s.duration_s = 0.1;
    auto system = compile(s);
    run(*system, 4410);
    EXPECT_NE(system->failure_text().find("\"ball-wall\" does not end"), std::string::npos) << system->failure_text();
  }
  EXPECT_TRUE(held >= 1 && held <= 12) << held;
}

}  // namespace
}  // namespace jawari
