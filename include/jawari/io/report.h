// SPDX-License-Identifier: MIT
// The HTML report of a rendered scene.
#pragma once
#include <optional>
#include <string>

#include "jawari/engine/motion_recorder.h"
#include "jawari/engine/run.h"
#include "jawari/io/audio_file.h"
#include "jawari/io/scene_file.h"

namespace jawari {

struct Convergence;

/// What the page plays: the same channels at the same level as the sound file (split: as panned).  Pitch and spectra
/// are those of the sum of the pickups.
struct PlayedSound {
  ChannelChoice channels = ChannelChoice::as_panned;
  std::optional<double> gain = {};  ///< none: as loud as sound files, -23 LUFS
};

/// Throws InputError if the page cannot be written.  `envelope` and `film` have listened to the run.  `measured`: how
/// far the sound is from converged, if that is known.
void write_report(const std::string& path, const SceneFile& file, const System& system, const Run& run,
                  const MinMaxRecorder& envelope, const MotionRecorder& film = MotionRecorder(),
                  PlayedSound played = {}, const Convergence* measured = nullptr);

}  // namespace jawari
