// SPDX-License-Identifier: MIT
// A ball on a wall with the law of law.patch: known by its name, lossless, and as deep as energy says.  Linked without
// the patched registry, the law is unknown.
#include <cmath>
#include <cstdio>

#include "jawari/engine/compile.h"
#include "jawari/engine/run.h"
#include "jawari/registry.h"

using namespace jawari;

int main() try {
  constexpr double mass_kg = 0.01, speed_m_s = 1, stiffness = 1e5, depth_m = 1e-4;
  Scene scene;
  scene.rate_hz = 192000;
  scene.duration_s = 0.01;
  MassSpec ball;
  ball.name = "ball";
  ball.mass_kg = mass_kg;
  ball.velocity_m_s = speed_m_s;
  scene.masses.push_back(ball);
  ContactSpec contact;
  contact.bodies = {"ball", std::string(wall)};
  contact.law.type = "pad";
  contact.law.values = {{"stiffness", stiffness}, {"depth_m", depth_m}};
  scene.contacts.push_back(contact);
  PickupSpec speed;
  speed.of = "ball";
  speed.quantity = Quantity::velocity;
  scene.pickups.push_back(speed);
  const auto system = compile(scene);
  const Run played = run(*system, step_count(scene));
  // K y^2/2 + K y^4/(4 d^2) = m v^2/2 at the turning point
  const double q = mass_kg * speed_m_s * speed_m_s / stiffness, d2 = depth_m * depth_m;
  const double y = std::sqrt(d2 * (std::sqrt(1 + 2 * q / d2) - 1));
  const double force_N = stiffness * y * (1 + y * y / d2), found_N = system->contacts()[0].record.largest_force_N;
  std::printf("after the impact %.9g m/s; largest force %.4g N, by energy %.4g N\n", played.sound.back(), found_N,
              force_N);
  const bool bounced = std::abs(played.sound.back() + speed_m_s) < 1e-9 && std::abs(found_N / force_N - 1) < 0.01;
  return !system->failed() && bounced && system->ledger().imbalance() < 1e-12 ? 0 : 1;
} catch (const InputError& e) {
  std::printf("%s\n", e.what());
  return 1;
}
