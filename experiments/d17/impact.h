// SPDX-License-Identifier: MIT
// The impact of D17 Figures 4 and 5: 1 kg at 20 m/s, 0.6 m before a stiff barrier.  Positions count from the barrier.
#pragma once
#include <string>
#include <vector>

#include "experiment.h"
#include "support/swing.h"
#include "support/throw.h"

namespace jawari::experiments::paper_d17 {

constexpr double impact_speed = 20, impact_start = -0.6, impact_energy = 200;  // [m/s], [m], [J]
inline rigs::Problem impact_problem() { return {.stiffness = 5e9, .exponent = 1.3}; }
inline const std::vector<std::pair<std::string, LawSpec>>& impact_schemes() {
  static const std::vector<std::pair<std::string, LawSpec>> list = {{"benchmark (23)", {"three-point"}},
                                                                    {"s = 1/2", rigs::taylor(0.5)},
                                                                    {"s = 1", rigs::taylor(1)},
                                                                    {"s = 3", rigs::taylor(3)}};
  return list;
}
inline rigs::Thrown impact(const LawSpec& how, double rate_hz) {
  const auto m = rigs::mover(impact_problem(), how, 1 / rate_hz);
  return rigs::throw_mass(*m, impact_start, impact_speed, 1 / rate_hz, static_cast<int>(10 * rate_hz / 44100));
}
inline void impact_parameters(Record& record) {
  record.parameter("mass M", 1, "kg");
  record.parameter("start u0", -0.5, "m");
  record.parameter("barrier h", 0.1, "m");
  record.parameter("speed v0", impact_speed, "m/s");
  record.parameter("stiffness K", 5e9, "N/m^1.3");
  record.parameter("exponent", 1.3);
  record.parameter("sample rates", "44.1 and 441 kHz");
  record.parameter("first step (not printed)", "u1 = u0 + k v0");
}

}  // namespace jawari::experiments::paper_d17
