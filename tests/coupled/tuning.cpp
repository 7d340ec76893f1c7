// SPDX-License-Identifier: MIT
// Every string of the scenes sounds and fades as its data prescribe, at every rate; "auto" changes its scheme;
// oversampling filters.
#include <complex>
#include <filesystem>
#include <numbers>

#include "jawari/engine/decimate.h"
#include "support.h"
#include "support/scene_files.h"

namespace jawari {
namespace {

using test::cents;
constexpr double pi = std::numbers::pi;

using test::scene_files;
/// The component at frequency f over a stretch of samples, under a Hann window.
std::complex<double> component(const std::vector<double>& x, std::size_t from, std::size_t count, double turn) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double w = 0.5 - 0.5 * std::cos(2 * pi * static_cast<double>(i) / static_cast<double>(count));
    sum += w * x[from + i] * std::polar(1.0, -turn * static_cast<double>(from + i));
  }
  return sum;
}

TEST(Tuning, EveryStringOfTheScenesSoundsWithinACentAndFadesWithinTwoPercent) {
  std::size_t strings = 0;
  std::set<std::string> seen;
  for (const auto& path : scene_files()) {
    const Scene whole = read_scene(path).scene;
    for (StringSpec s : whole.strings) {
      const StringData data = string_data(s);
      if (!seen.insert(std::to_string(data.omega(1)) + std::to_string(data.density_kg_m) +
                       std::to_string(data.decay(1)))
               .second)
        continue;
      if (++strings > 12) continue;  // there are many alike
      for (const double rate : {44100.0, 48000.0, 96000.0}) {
        SCOPED_TRACE(path + " " + s.name + " " + std::to_string(rate));
        Scene bare;
        bare.rate_hz = rate;
        bare.duration_s = 1.2;
        s.start = {.shape = StartShape::mode, .height_m = 1e-6};
        s.tension_modulation = false;
        bare.strings = {s};
        auto world = compile_world(bare);
        world->audit_every(0);
        const auto sound = run(*world, step_count(bare)).sound;
        // The phase of the lowest mode between two windows a second apart, and how much smaller it has become.
        const double wanted = std::sqrt(data.omega(1) * data.omega(1) - data.decay(1) * data.decay(1)),
                     turn = wanted / rate;
        const auto window = static_cast<std::size_t>(0.15 * rate), gap = static_cast<std::size_t>(rate);
        const auto early = component(sound, 0, window, turn), late = component(sound, gap, window, turn);
        const double off = std::arg(late / early) / static_cast<double>(gap) * rate;  // rad/s
        EXPECT_LE(std::abs(cents(wanted + off, wanted)), 1.0) << off;
        const double decay = -std::log(std::abs(late / early)) * rate / static_cast<double>(gap);
        EXPECT_TRUE(test::close(decay, data.decay(1), 0.02)) << decay << ' ' << data.decay(1);
      }
    }
  }
  EXPECT_GE(strings, 10u);
}

TEST(Auto, ThinksAgainWhenContactsTurnOutShort) {
  // The scene has no speed, so 1 m/s is assumed: 12 samples.  It falls at 20 m/s.
  const Scene scene = test::scene_of(
      "rate_hz = 44100\nduration_s = 0.4\ngravity_m_s2 = 1000\n[[mass]]\nname = \"m\"\nmass_kg = 0.01\nposition_m = "
      "0.2\n"
      "[[contact]]\nname = \"c\"\nbodies = [\"wall\", \"m\"]\nlaw = { type = \"power\", stiffness = 1e12, exponent = "
      "2.5 }\nscheme = \"auto\"\n");
  auto world = compile_world(scene);
  EXPECT_EQ(world->contacts()[0].scheme, "secant-2");
  EXPECT_NE(world->contacts()[0].why.find("well resolved"), std::string::npos) << world->contacts()[0].why;
  run(*world, step_count(scene));
  EXPECT_EQ(world->contacts()[0].scheme, "guarded-two-point");
  EXPECT_NE(world->contacts()[0].why.find("turned out shorter"), std::string::npos);
  EXPECT_LE(world->ledger().imbalance(), 1e-11);
  EXPECT_LE(test::worst_account(*world), 1e-11);
  EXPECT_GE(world->contacts()[0].record.impacts, 5u);  // those before the change are counted too
}

TEST(Decimator, PassesWhatIsHeardAndStopsWhatWouldFold) {
  for (const std::size_t factor : {2u, 4u, 8u}) {
    const auto gain = [&](double share) {  // of the output's sample rate
      std::vector<double> x(factor * 4000);
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = std::sin(2 * pi * share * static_cast<double>(i) / static_cast<double>(factor) + 0.3);
      const auto y = decimated(x, factor);
      double power = 0;
      for (std::size_t i = 500; i < 3500; ++i) power += y[i] * y[i] / 3000;
      return std::sqrt(2 * power);
    };
    for (const double share : {0.01, 0.1, 0.25, 0.4, 0.45}) EXPECT_NEAR(gain(share), 1, 2e-3) << factor << ' ' << share;
    for (const double share : {0.56, 0.7, 0.95}) EXPECT_LT(gain(share), 2e-5) << factor << ' ' << share;
    std::vector<double> impulse(factor * 200, 0.0);
    impulse[factor * 100] = static_cast<double>(factor);
    const auto y = decimated(impulse, factor);
    EXPECT_EQ(std::max_element(y.begin(), y.end()) - y.begin(), 100);  // no delay
  }
}

}  // namespace
}  // namespace jawari
