// SPDX-License-Identifier: MIT
// compile(): from a scene to what runs.  May allocate, and refuses with a sentence that names the field.
#pragma once
#include <cstdint>
#include <memory>

#include "jawari/engine/kernels.h"
#include "jawari/engine/scene.h"
#include "jawari/engine/system.h"

namespace jawari {

/// Throws InputError.  Not for the audio thread.
std::unique_ptr<System> compile(const Scene& scene, Kernels kernels = Kernels::exact);

/// The same, as an immutable model that any number of runs share.  Refuses the integrators of one mass.
struct Model;
std::shared_ptr<const Model> compile_model(const Scene& scene, Kernels kernels = Kernels::exact);

/// A run of its own model: takes events, plays in blocks.
class World;
std::unique_ptr<World> compile_world(const Scene& scene, Kernels kernels = Kernels::exact);

/// Number of time steps of a scene.
std::int64_t step_count(const Scene& scene);

}  // namespace jawari
