// SPDX-License-Identifier: MIT
// A scene as TOML.  Reading it again gives the same scene, number for number; what is the default is left out, and
// lists that were read from files (profiles, samples) are written out.
#pragma once
#include <string>

#include "jawari/engine/scene.h"

namespace jawari {

/// Throws InputError for what a file cannot say: a shape given by a function.
std::string scene_text(const Scene& scene);
void write_scene(const std::string& path, const Scene& scene);

}  // namespace jawari
