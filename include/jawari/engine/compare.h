// SPDX-License-Identifier: MIT
// One scene, many schemes and rates: error against a converged reference, in the motion and in what is heard; energy
// imbalance; cost.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "jawari/engine/kernels.h"
#include "jawari/engine/scene.h"
#include "jawari/engine/timbre.h"

namespace jawari {

struct Comparison {
  struct Entry {
    std::string scheme;
    double rate_hz = 0;
    double error = 0;        ///< rms distance to the reference over the rms motion of the reference
    TimbreDistance heard;    ///< of the sum of the pickups, mean of two starts that differ by 1e-6
    double imbalance = 0;    ///< of the energy account
    double samples = 0;      ///< of the shortest contact; 0: no contact ended
    double iterations = 0;   ///< mean per contact solve
    double ns_per_step = 0;  ///< thread CPU time
    double real_time = 0;    ///< seconds of sound per second of CPU time
    std::string failure;     ///< why there is no error, else empty
  };
  std::vector<Entry> entries;
  std::string reference;           ///< scheme and rate of the reference
  double reference_change = 0;     ///< distance of the reference to the same at half its rate: what it is good for
  TimbreDistance reference_heard;  ///< the same for what is heard
};

/// Schemes that fit every contact of a scene, those of gestures included: what is compared where nothing is said.
std::vector<std::string> comparable_schemes(const Scene& scene);

/// Every scheme replaces the scheme of every contact, those of gestures included; rates are multiples of the scene's
/// rate.  Throws InputError. The reference gets finer until it settles or has touched some 1e8 nodes and modes. `go_on`
/// is asked during the runs with the share of the work done; false ends early with what there is.
Comparison compare(const Scene& scene, const std::vector<std::string>& schemes, const std::vector<int>& rates,
                   const std::function<bool(double)>& go_on = {}, Kernels kernels = Kernels::exact);

}  // namespace jawari
