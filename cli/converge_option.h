// SPDX-License-Identifier: MIT
// --converge: how far the sound is from converged, for the commands that judge a run.
#pragma once

#include "command_line.h"
#include "console.h"
#include "jawari/engine/converge.h"

namespace jawari::cli {

inline void add_converge(Command& command, bool& converge) {
  command.add_flag(
      "--converge", converge,
      "Also measure how far the sound is from converged: 0.4 s from the first motion on, at twice and at half the "
      "rate, two starts");
}
inline Convergence measure(const Scene& scene, Console& console) {
  const Convergence c = converge(scene, [&](double share) {
    console.progress(share, "convergence");
    return !interrupted();
  });
  console.done();
  return c;
}

}  // namespace jawari::cli
