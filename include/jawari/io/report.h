// SPDX-License-Identifier: MIT
// The HTML report of a rendered scene.
#pragma once
#include <span>
#include <string>

#include "jawari/engine/film.h"
#include "jawari/engine/run.h"
#include "jawari/io/scene_file.h"

namespace jawari {

/// What the page plays and analyses, where it is not the sum of the pickups at every time step.
struct Heard {
  std::span<const double> sound = {};
  double rate_hz = 0;
};

/// Throws Refusal if the page cannot be written.  `envelope` and `film` have listened to the run.
void write_report(const std::string& path, const SceneFile& file, const System& system, const Run& run,
                  const Envelope& envelope, const StringFilm& film = StringFilm(), Heard heard = {});

}  // namespace jawari
