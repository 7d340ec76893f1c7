// SPDX-License-Identifier: MIT
// The HTML report of a rendered scene.
#pragma once
#include <string>

#include "jawari/engine/film.h"
#include "jawari/engine/run.h"
#include "jawari/io/scene_file.h"

namespace jawari {

/// Throws Refusal if the page cannot be written.  `envelope` and `film` have listened to the run.
void write_report(const std::string& path, const SceneFile& file, const System& system, const Run& run,
                  const Envelope& envelope, const StringFilm& film = StringFilm());

}  // namespace jawari
