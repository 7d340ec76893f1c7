// SPDX-License-Identifier: MIT
// How much of a scene this machine can play in real time, scheme by scheme.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "jawari/engine/kernels.h"
#include "jawari/engine/scene.h"

namespace jawari {

struct Capacity {
  std::string scheme = {};
  double ns_per_step = 0;    ///< thread CPU time
  double real_time = 0;      ///< seconds of sound per second of CPU: so many of this scene at once, on one core
  double at_worst = 0;       ///< the same in its worst fifth
  std::string failure = {};  ///< why there are no numbers, else empty
};

/// Plays `seconds` of the scene from `from_s` on with each scheme on every contact, in turns so that all see the same
/// machine; twice, unless that takes long, and the shorter time counts. Throws InputError for a scene that does not
/// compile as it stands. `go_on` is called before each stretch with the share of the work done; false ends early with
/// what there is.
std::vector<Capacity> capacity(const Scene& scene, const std::vector<std::string>& schemes, double seconds,
                               const std::function<bool(double)>& go_on = {}, Kernels kernels = Kernels::exact,
                               double from_s = 0);

/// Where the stretch of so many seconds begins in which most bodies sound and most contacts touch; of several the
/// first.  Plays the scene once, to its end.  A body sounds while it holds a ten thousandth of the most energy that it
/// ever holds.  `go_on` gets the share that is done; false ends early, with the best stretch until then.
double busiest_s(const Scene& scene, double seconds, Kernels kernels = Kernels::exact,
                 const std::function<bool(double)>& go_on = {});

}  // namespace jawari
