// SPDX-License-Identifier: MIT
// The device that plays batches, if there is one: a shared object beside this library or program, or where the system
// loads shared objects.  Loaded once, when it is asked for.
#pragma once
#include <memory>
#include <string>

#include "warp/string_job.h"

namespace jawari {

/// Null: `why` says in a sentence what is missing.  The environment variable JAWARI_CUDA names another file.
std::unique_ptr<warp::StringRunner> open_cuda(std::string& why);

}  // namespace jawari
