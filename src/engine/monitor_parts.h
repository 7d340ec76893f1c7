// SPDX-License-Identifier: MIT
// What the monitor asks a run besides its account and its contacts: resolution in space, bandwidth, contacts that never
// were.
#pragma once
#include <vector>

#include "jawari/engine/monitor.h"
#include "jawari/engine/scene.h"

namespace jawari {

/// Energy in the upper half of a string's band, loss taken by landing, points under a barrier: signs that the sound has
/// not converged.
void judge_resolution(const System& system, std::vector<Verdict>& out);
/// Bars, membranes and plates whose modes end below what contacts excite.
void judge_bandwidth(const Scene& scene, const System& system, std::vector<Verdict>& out);
/// Barriers and contacts of bodies that moved, and yet never touched.
void judge_untouched(const Scene& scene, const System& system, std::vector<Verdict>& out);

/// Energy that landing took out of strings as waves the grid cannot carry [J].
double landing_loss_J(const System& system);

}  // namespace jawari
