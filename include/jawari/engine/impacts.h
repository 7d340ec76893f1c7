// SPDX-License-Identifier: MIT
// One impact after another of a mass and a wall, in free flight before and after: what a sweep over masses, laws and
// speeds asks for, without a scene for each.
#pragma once
#include <cstdint>
#include <span>

#include "jawari/registry.h"

namespace jawari {

/// A mass that reaches a wall at a speed; law f = stiffness [y]^exponent (1 + mu y').
struct ImpactSpec {
  double mass_kg = 0.01, stiffness = 1e8, exponent = 1.5, mu = 0, speed_m_s = 1;
};
struct ImpactResult {
  double outbound_m_s = 0;   ///< away from the wall; NaN where the solve failed or the contact did not end
  double contact_s = 0;      ///< steps with a force, times the time step
  double compression_m = 0;  ///< largest
  double force_N = 0;        ///< largest
  double lost_J = 0;         ///< in the contact
  double imbalance = 0;      ///< of the energy account, over the energy at the start
  std::int64_t samples = 0;  ///< with a force
};

struct ImpactOptions {
  SchemeSpec scheme = {};  ///< none: the default of the law
  double rate_hz = 44100;
  double phase = 0.5;  ///< where between two samples the mass touches the wall, 0..1
  double longest_s = 1;
};

/// Steps every impact until its mass has left the wall.  Throws InputError, with the index of the impact, for values
/// out of range; `results` is as long as `impacts`.
void play_impacts(std::span<const ImpactSpec> impacts, const ImpactOptions& options, std::span<ImpactResult> results);

}  // namespace jawari
