// SPDX-License-Identifier: MIT
// From a scene to all that a run leaves: sound at the rate of the scene, a trace, a report.  The scene is run once,
// whatever is asked for; the command line and Python render by these calls.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "jawari/engine/motion_recorder.h"
#include "jawari/engine/run.h"
#include "jawari/io/report.h"

namespace jawari {

struct RenderOptions {
  std::string trace = {};     ///< file of the time series; empty: none
  bool report = false;        ///< keep what a report shows
  RecorderOptions film = {};  ///< of the report
};

/// A finished run.
struct Rendering {
  Run run;                   ///< one value per time step
  double played_s = 0;       ///< less than the scene after a failure or a stop
  MinMaxRecorder envelope;   ///< filled where a report is wanted
  MotionRecorder film;       ///< the same
  int steps_per_sample = 1;  ///< of the run

  /// Silence from where a run has failed to the end of the scene.
  void fill(std::int64_t steps);
  /// The sound at the rate of the scene.
  std::vector<std::vector<double>> channels(const std::vector<PickupInfo>& pickups, ChannelChoice choice) const;
};

/// Runs a scene that has been compiled from its beginning to its end.  `go_on`: as for run().
Rendering render(System& system, const Scene& scene, const RenderOptions& options = {},
                 const std::function<bool(std::int64_t done)>& go_on = {});

/// Throws InputError if the page cannot be written.  `measured`: how far the sound is from converged, if that is known.
void write_report(const std::string& path, const SceneFile& file, const System& system, const Rendering& rendering,
                  PlayedSound played = {}, const Convergence* measured = nullptr);

}  // namespace jawari
