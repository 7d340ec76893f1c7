// SPDX-License-Identifier: MIT
// Plays strings by the program that a device runs (src/warp), on warps that are emulated lane by lane.
#pragma once
#include <memory>

#include "warp/string_job.h"

namespace jawari::test {

std::unique_ptr<warp::StringRunner> emulated_runner();

}  // namespace jawari::test
