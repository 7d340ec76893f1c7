// SPDX-License-Identifier: MIT
// What a film keeps of a run: frames of everything that moves, the stretch worth a close-up, where the energy is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "jawari/engine/compile.h"
#include "jawari/engine/motion_recorder.h"

namespace jawari {
namespace {

/// A ball on a floor: falls from `height`, and a second one from four times as high.
Scene balls(double height_m) {
  Scene scene{.rate_hz = 20000, .duration_s = 0.5, .gravity_m_s2 = 9.81};
  scene.masses = {{.name = "near", .mass_kg = 0.01, .position_m = height_m},
                  {.name = "far", .mass_kg = 0.1, .position_m = 4 * height_m}};
  for (const auto& m : scene.masses)
    scene.contacts.push_back({.bodies = {std::string(wall), m.name},
                              .law = {"hunt-crossley", {{"stiffness", 1e6}, {"exponent", 1.5}, {"mu", 0.5}}},
                              .scheme = LawSpec{"two-point"}});
  return scene;
}
MotionRecorder filmed(const Scene& scene, const RecorderOptions& choice = {}) {
  auto system = compile(scene);
  MotionRecorder film(choice);
  RowSink* sinks[] = {&film};
  run(*system, step_count(scene), sinks);
  return film;
}
double fall_s(double height_m) { return std::sqrt(2 * height_m / 9.81); }

TEST(Film, BothReelsFollowEveryPoint) {
  const Scene scene = balls(0.05);
  const auto film = filmed(scene);
  EXPECT_EQ(film.points, (std::vector<std::string>{"near", "far"}));
  EXPECT_EQ(film.contacts, (std::vector<std::string>{"wall-near", "wall-far"}));
  ASSERT_EQ(film.whole.heights.size(), 2u);
  EXPECT_NEAR(static_cast<double>(film.whole.heights[0].size()) * film.whole.step_s, scene.duration_s, 0.01);
  for (std::size_t i = 0; i < film.whole.heights[1].size(); ++i) {
    const double t = static_cast<double>(i) * film.whole.step_s;
    if (t > fall_s(0.2)) break;
    ASSERT_NEAR(film.whole.heights[1][i], 0.2 - 9.81 / 2 * t * t, 1e-5) << t;
  }
  EXPECT_EQ(film.close.heights[0].size(), film.close.pushes[1].size());
}

TEST(Film, TheCloseUpShowsTheHardestTouch) {
  // The second ball is ten times as heavy and twice as fast: the close-up moves on to it.
  const auto film = filmed(balls(0.08));
  EXPECT_GE(film.close.start_s, fall_s(0.32));
  EXPECT_LE(film.close.start_s, fall_s(0.32) + 1e-3) << "before the contact is over";
  EXPECT_GT(*std::max_element(film.close.pushes[1].begin(), film.close.pushes[1].end()), 0);
  // Alone, the first one is it; its later bounces are weaker.
  Scene one = balls(0.08);
  one.masses.pop_back();
  one.contacts.pop_back();
  EXPECT_NEAR(filmed(one).close.start_s, fall_s(0.08), 1e-4) << "two time steps";
  // Where nothing touches, the beginning; where a time is given, there.
  one.contacts.clear();
  one.pickups = {{.of = "near"}};
  EXPECT_EQ(filmed(one).close.start_s, 0);
  const auto asked = filmed(balls(0.08), {.from_s = 0.2, .length_s = 0.01, .frames = 50});
  EXPECT_NEAR(asked.close.start_s, 0.2, 1e-9);
  EXPECT_EQ(asked.close.heights[0].size(), 50u);
}

TEST(Film, TheEnergyOfAllBodiesIsTheLedger) {
  const Scene scene = balls(0.05);
  auto system = compile(scene);
  MotionRecorder film;
  RowSink* sinks[] = {&film};
  run(*system, step_count(scene), sinks);
  const EnergyTrack& e = film.energy;
  ASSERT_EQ(e.forms.size(), Ledger::names.size());
  ASSERT_EQ(e.parts.size(), 4u) << "two bodies, two contacts";
  const double start = system->ledger().start_J;
  ASSERT_GT(start, 0.1);
  for (std::size_t i = 0; i < e.forms[0].size(); ++i) {
    double all = 0;
    for (std::size_t k = 0; k + 2 < e.forms.size(); ++k) all += e.forms[k][i];  // without injected and residual
    ASSERT_NEAR(all, start, 1e-6 * start) << i;
  }
  for (std::size_t i = 0; i < e.parts[0].stored_J.size(); ++i) {
    double all = 0;
    for (const auto& p : e.parts) all += p.stored_J[i] + p.lost_J[i];
    ASSERT_NEAR(all, start, 1e-6 * start) << i;
  }
  EXPECT_FALSE(e.parts[1].contact);
  EXPECT_TRUE(e.parts[2].contact);
  EXPECT_GT(e.parts[3].lost_J.back(), 0);
}

}  // namespace
}  // namespace jawari
