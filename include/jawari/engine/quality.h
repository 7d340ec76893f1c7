// SPDX-License-Identifier: MIT
// How finely a scene is computed, in one word:
//   draft      one time step per sample
//   standard   time steps at 88.2 kHz or more
//   high       time steps at 176.4 kHz or more
// and strings without a `method` in modes, where these are the same problem (standard and high).  The sound is filtered
// down to rate_hz (engine/decimate.h).  A scene in which no string, bar, plate or membrane is touched keeps one step
// per sample in standard: modes are exact at any rate, and impacts of masses have the contact time or the restitution
// of their law at any rate. An explicit `oversample`, `method`, `bandwidth`, `modes` or `points_per_cell` stands; a
// rate_hz that is high enough needs no oversampling.  Measured: docs/guide/convergence.md.
#pragma once
#include <optional>

#include "jawari/engine/scene.h"

namespace jawari {

/// Sets quality and quality_steps; lists with a value per time step follow, as at another rate.  May be called again.
void use_quality(Scene& scene, Quality quality);
/// The quality asked for, else that of the scene, else the one given last.
Quality quality_of(const Scene& scene, std::optional<Quality> asked, Quality otherwise);
/// "standard quality, 2 time steps per sample".
std::string quality_text(const Scene& scene);

}  // namespace jawari
