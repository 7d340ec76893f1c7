// SPDX-License-Identifier: MIT
// What a listener would notice in the scenes, with numbers.
#include "ear.h"
#include "jawari/impact/closed_form.h"

namespace jawari {
namespace {

using test::dB;
using test::hear;
using test::keep_events;
using test::lines;
using test::scene_file;

TEST(Listener, PitchRisesWithAmplitudeOverACurvedBarrier) {
  double last = 0;
  for (const double height : {5e-5, 1e-3, 3e-3, 8e-3}) {
    Scene s = scene_file("bridge");
    s.strings.at(0).start.height_m = height;
    auto h = hear(s, 0.2);
    const double above = test::cents(test::pitch_near(h.sound, h.rate_hz, 111, 0.04), 110);
    EXPECT_GT(above, last + 4) << height;  // cents; 11, 19, 27, 42 in a first measurement
    last = above;
  }
  EXPECT_LT(last, 100);
}

/// One tanpura string alone; energy above its 8th partial 20 ms after the pluck, 0.4 s and 1.1 s after it.
std::array<double, 3> shimmer(bool bridge, bool thread) {
  Scene s = scene_file("tanpura");
  const auto other = [](const std::string& name) { return name != "pa" && !name.ends_with("-pa"); };
  std::erase_if(s.strings, [&](auto& x) { return other(x.name); });
  std::erase_if(s.barriers, [&](auto& x) { return !bridge || other(x.string); });
  std::erase_if(s.threads, [&](auto& x) { return !thread || other(x.string); });
  std::erase_if(s.plectrums, [&](auto& x) { return other(x.name); });
  std::erase_if(s.pickups, [&](auto& x) { return other(x.of); });
  keep_events(s, "finger-pa");
  s.events.at(0).time_s = 0.05;  // released at 0.1 s
  const auto h = hear(s, 1.3);
  if (bridge) {
    EXPECT_GT(h.impacts("bridge-pa"), 50u);
  }
  const double partial8 = 8.5 * s.strings.at(0).frequency_hz;
  return {lines(h, 0.12).above(partial8), lines(h, 0.5).above(partial8), lines(h, 1.2).above(partial8)};
}
TEST(Listener, TheTanpurasBridgeMakesHighPartialsGrowAndItsThreadKeepsThem) {
  const auto both = shimmer(true, true), bridge = shimmer(true, false), none = shimmer(false, false);
  EXPECT_GT(dB(both[1] / both[0]), 1.5);   // it blooms; 3.3 in a first measurement
  EXPECT_LT(dB(none[1] / none[0]), -2.0);  // a string fades; -9.1
  EXPECT_GT(dB(both[2] / bridge[2]), 6);   // after a second; 11.6
}

TEST(Listener, HarderAndFasterHammersAreBrighter) {
  const auto centroid = [](double speed, double felt) {
    Scene s = scene_file("piano");
    keep_events(s, "hammer");
    s.events.at(0).value = speed;
    s.hammers.at(0).law.values["stiffness"] *= felt;
    for (auto& c : s.contacts) c.law.values["stiffness"] *= felt;
    return lines(hear(s, 0.2), 0.01).centroid_hz();
  };
  const double soft = centroid(2, 0.1), usual = centroid(2, 1), hard = centroid(2, 10);
  EXPECT_GT(usual, 1.15 * soft) << soft << ' ' << usual;
  EXPECT_GT(hard, 1.15 * usual) << usual << ' ' << hard;
  EXPECT_GT(centroid(4.5, 1), 1.1 * centroid(0.8, 1));
}

TEST(Listener, FretsBuzzAboveAHeightAndNotBelow) {
  const auto pluck = [](double height) {
    Scene s = scene_file("guitar");
    keep_events(s, "pick");
    s.barriers.at(0).height_m = height;
    s.barriers.at(0).heights_m.clear();
    return hear(s, 0.5);
  };
  const auto low = pluck(-1.8e-3), high = pluck(-4e-4), lower = pluck(-3e-3);
  EXPECT_EQ(low.impacts("frets"), 0u);
  EXPECT_GT(high.impacts("frets"), 50u);
  for (std::size_t i = 0; i < low.sound.size(); ++i) ASSERT_EQ(low.sound[i], lower.sound[i]);  // not there at all
  const auto clean = lines(low, 0.1), buzz = lines(high, 0.1);
  EXPECT_GT(dB(buzz.above(2500) / buzz.above(0)) - dB(clean.above(2500) / clean.above(0)), 3);
}

/// Times at which a contact begins, and the speed of the marble just before.
struct Bounces {
  std::vector<double> time_s, speed_m_s;
};
Bounces bounces(const Scene& scene, const std::string& force, double least_gap_s) {
  const auto p = test::play(scene);
  const auto &f = p.channels.of(force + ".force_N"), &v = p.channels.of("marble.velocity_m_s");
  Bounces b;
  for (std::size_t i = 1; i < f.size(); ++i) {
    const double t = static_cast<double>(i) / scene.rate_hz;
    if (f[i] != 0 && f[i - 1] == 0 && (b.time_s.empty() || t - b.time_s.back() > least_gap_s)) {
      b.time_s.push_back(t);
      b.speed_m_s.push_back(std::abs(v[i - 1]));
    }
  }
  return b;
}
TEST(Listener, AMarblesBounceIntervalsShrinkByItsRestitution) {
  const auto worst = [](double rate_hz) {
    Scene s = scene_file("marble");
    s.rate_hz = rate_hz;
    const double mu = s.contacts.at(0).law.values.at("mu");
    const auto b = bounces(s, "wall-marble", 0.01);
    EXPECT_GE(b.time_s.size(), 8u);
    double off = 0;
    for (std::size_t i = 0; i + 2 < std::min<std::size_t>(8, b.time_s.size()); ++i) {
      const double first = b.time_s[i + 1] - b.time_s[i], second = b.time_s[i + 2] - b.time_s[i + 1];
      const double e = exact::restitution(mu * b.speed_m_s[i + 1]);  // at the bounce between the two
      EXPECT_LT(e, 0.95);
      if (const double here = std::abs(second / first / e - 1); !(here <= off)) off = here;
    }
    return off;
  };
  const double coarse = worst(48000), fine = worst(384000);
  EXPECT_LE(coarse, 1e-2);  // the contact lasts 2.4 samples and is softened
  EXPECT_LE(fine, coarse / 3) << coarse << ' ' << fine;
}
TEST(Listener, OnABarTheRestitutionIsLessThanThatOfTheGlass) {
  Scene s = scene_file("marble-bar");
  s.duration_s = 1.2;
  const double mu = s.contacts.at(0).law.values.at("mu");
  const auto b = bounces(s, "click", 0.02);
  ASSERT_GE(b.time_s.size(), 4u);
  const double first = b.time_s[1] - b.time_s[0], last = b.time_s[3] - b.time_s[2];
  EXPECT_LT(last, first);
  // v after the first impact from the time of flight, against v before it: the bar has taken its share
  const double e = 9.81 * first / 2 / b.speed_m_s[0];
  EXPECT_LT(e, exact::restitution(mu * b.speed_m_s[0]));
  EXPECT_GT(e, 0.3);
}

TEST(Listener, SnaresRattleOnlyAboveAThreshold) {
  const auto stroke = [](double speed, bool wires) {
    Scene s = scene_file("snare-drum");
    keep_events(s, "stick");
    s.events.at(0).value = speed;
    if (!wires) s.snares.clear();
    const auto tail = lines(hear(s, 0.3), 0.15);  // the stick has left
    return dB(tail.above(1500) / tail.above(0));
  };
  const auto rattle_dB = [&](double speed) { return stroke(speed, true) - stroke(speed, false); };
  EXPECT_LT(std::abs(rattle_dB(0.1)), 2);
  EXPECT_LT(std::abs(rattle_dB(0.3)), 2);
  EXPECT_GT(rattle_dB(3.0), 10);
}

TEST(Listener, ABoltMakesThePianoInharmonic) {
  const auto harmonic_share = [](bool bolt) {
    Scene s = scene_file("prepared-piano");
    keep_events(s, "hammer-c");
    if (!bolt) s.bolts.clear();
    const auto l = lines(hear(s, 0.6), 0.15, 16384);
    double share = 0;
    for (int k = 1; k <= 16; ++k)
      share += l.between(262 * k - 12, 262 * k + 12 + 0.1 * k * k * k / 4);  // stiff strings stretch
    return share / l.above(0);
  };
  EXPECT_GT(harmonic_share(false), 0.8);
  EXPECT_LT(harmonic_share(true), 0.3);
}

class EveryScene : public testing::TestWithParam<const char*> {};
TEST_P(EveryScene, IsFiniteWithoutDriftAndItsAccountCloses) {
  const Scene s = scene_file(GetParam());
  const auto h = hear(s, 1.0);
  double peak = 0, mean = 0;
  for (const double x : h.sound) {
    ASSERT_TRUE(std::isfinite(x));
    peak = std::max(peak, std::abs(x));
    mean += x / static_cast<double>(h.sound.size());
  }
  EXPECT_GT(peak, 0);
  EXPECT_LE(std::abs(mean), 1e-3 * peak);  // what is heard is a motion: it has no constant
  EXPECT_LE(h.world->ledger().imbalance(), 1e-9);
  EXPECT_LE(test::worst_account(*h.world), 1e-9);
  for (const auto& v : judge(*h.world)) EXPECT_EQ(v.severity, Severity::note) << v.sentence;
}
INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene,
                         testing::Values("tanpura", "sitar", "piano", "prepared-piano", "dulcimer", "guitar",
                                         "guitar-buzz", "slap-bass", "snare-drum", "marble-bar", "marble-plate",
                                         "marble-glass", "mbira", "mallet-roll"),
                         [](const auto& scene) {
                           std::string name = scene.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace jawari
