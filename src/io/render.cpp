// SPDX-License-Identifier: MIT
#include "jawari/io/render.h"

#include <memory>

#include "jawari/engine/compile.h"
#include "jawari/io/audio_file.h"
#include "jawari/io/trace.h"

namespace jawari {

void Rendering::fill(std::int64_t steps) {
  const auto size = static_cast<std::size_t>(steps);
  run.sound.resize(size, 0.0);
  for (auto& track : run.tracks) track.resize(size, 0.0);
}

std::vector<std::vector<double>> Rendering::channels(const std::vector<PickupInfo>& pickups,
                                                     ChannelChoice choice) const {
  return mix(run, pickups, choice, static_cast<std::size_t>(steps_per_sample));
}

Rendering render(System& system, const Scene& scene, const RenderOptions& options,
                 const std::function<bool(std::int64_t done)>& go_on) {
  Rendering r;
  r.film = MotionRecorder(options.film);
  r.steps_per_sample = steps_per_sample(scene);
  std::vector<RowSink*> sinks;
  std::unique_ptr<RowSink> trace;
  if (!options.trace.empty()) {
    trace = make_trace(options.trace);
    sinks.push_back(trace.get());
  } else {
    system.audit_every(options.report ? 8 : 64);  // a trace shows the energies of every step
  }
  if (options.report) {
    sinks.push_back(&r.envelope);
    sinks.push_back(&r.film);
  }
  r.run = run(system, step_count(scene), sinks, go_on);
  r.played_s = static_cast<double>(r.run.steps) * system.dt_s();
  return r;
}

void write_report(const std::string& path, const SceneFile& file, const System& system, const Rendering& r,
                  PlayedSound played, const Convergence* measured) {
  write_report(path, file, system, r.run, r.envelope, r.film, played, measured);
}

}  // namespace jawari
