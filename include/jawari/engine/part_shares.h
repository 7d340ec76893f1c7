// SPDX-License-Identifier: MIT
// Which bodies and contacts of a scene take the time of its steps.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "jawari/engine/kernels.h"
#include "jawari/engine/scene.h"

namespace jawari {

struct PartShare {
  std::string name;  ///< a body, with the contact that its kernel solves; or contacts that are solved together
  double ns_per_step = 0;
};
struct PartShares {
  double ns_per_step = 0;             ///< all of it
  std::vector<PartShare> parts = {};  ///< the most expensive first; what they leave is signals, events and accounts
};

/// Plays `seconds` of the scene from `from_s` on, on this thread and with a clock around every part, which makes it
/// slower: shares are what counts.  Throws InputError.  `go_on` is called now and then; false ends early.
PartShares part_shares(const Scene& scene, double seconds, Kernels kernels = Kernels::exact,
                       const std::function<bool()>& go_on = {}, double from_s = 0);

}  // namespace jawari
