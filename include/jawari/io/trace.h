// SPDX-License-Identifier: MIT
// Time series of a run as a file: .csv, .npy (a structured array, so numpy.load(...)["ball.force_N"] works) or .json.
#pragma once
#include <memory>
#include <string>

#include "jawari/engine/run.h"

namespace jawari {

/// Writes when the run ends; throws Refusal for an unknown ending or a file that cannot be written.
std::unique_ptr<RowSink> make_trace(const std::string& path);

}  // namespace jawari
