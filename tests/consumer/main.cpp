// SPDX-License-Identifier: MIT
// A mass thrown at a wall through the installed library; returns 0 if it comes back with its speed.
#include <cmath>
#include <cstdio>

#include "jawari/jawari.h"

int main() {
  jawari::Scene scene;
  scene.rate_hz = 48000;
  scene.duration_s = 0.01;
  scene.masses = {{.name = "ball", .mass_kg = 0.01, .position_m = -1e-3, .velocity_m_s = 2}};
  scene.contacts = {{.bodies = {"ball", "wall"}, .law = {"power", {{"stiffness", 1e8}, {"exponent", 1.5}}}}};
  auto system = jawari::compile(scene);
  jawari::run(*system, jawari::step_count(scene));
  std::vector<double> row(system->channels().size());
  system->read(row);
  std::printf("velocity %g m/s, account closes to %.1e\n", row[1], system->ledger().imbalance());
  return std::abs(row[1] + 2) < 1e-9 && system->ledger().imbalance() < 1e-12 ? 0 : 1;
}
