// SPDX-License-Identifier: MIT
// The ring of body.patch, played: its modes have the frequencies of Hoppe, and it rings after a push, with no energy
// from nowhere.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "jawari/body/modal.h"
#include "jawari/engine/body_scene.h"

using namespace jawari;

int main() {
  RingSpec ring;
  ring.name = "ring";
  ring.radius_m = 0.1;
  ring.width_m = 0.01;
  ring.thickness_m = 0.003;
  ring.density_kg_m3 = 7800;
  ring.young_Pa = 2e11;
  ring.sigma0_1_s = 3;
  constexpr double rate_hz = 44100, pi = std::numbers::pi;
  const TableBody table = table_body(ring, rate_hz);
  const double kappa = ring.thickness_m * std::sqrt(ring.young_Pa / (12 * ring.density_kg_m3));
  const double lowest_hz = kappa / (0.1 * 0.1) * 6 / std::sqrt(5.0) / (2 * pi);
  const double found_hz = table.table.modes.at(0).omega_rad_s / (2 * pi);

  ModalBody body(table.table.modes, {table.table.row({0.05, 0})}, 1 / rate_hz, Stepping::exact);
  double largest_m = 0, after_push_J = 0, stored_J = 0;
  for (int n = 0; n < 4000; ++n) {
    body.predict();
    body.force[0] = n == 0 ? 10.0 : 0.0;
    body.advance();
    largest_m = std::max(largest_m, std::abs(body.w[0]));
    stored_J = body.stored().total();
    if (n == 0) after_push_J = stored_J;
    if (!(stored_J <= after_push_J * (1 + 1e-12))) return 1;
  }
  const double decayed = stored_J / after_push_J, expected = std::exp(-2 * 3 * 3999 / rate_hz);
  std::printf("%zu modes from %.5g Hz, by Hoppe %.5g Hz; moved %.3g m, energy fell to %.4g, by its loss to %.4g\n",
              table.table.modes.size(), found_hz, lowest_hz, largest_m, decayed, expected);
  return std::abs(found_hz / lowest_hz - 1) < 1e-12 && largest_m > 1e-9 && std::abs(decayed / expected - 1) < 0.02 ? 0
                                                                                                                   : 1;
}
