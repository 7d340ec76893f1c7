// SPDX-License-Identifier: MIT
// Time series of a run as a file: .csv, .npy (a structured array, so numpy.load(...)["ball.force_N"] works) or .json.
#pragma once
#include <memory>
#include <string>

#include "jawari/engine/run.h"

namespace jawari {

/// Throws InputError for an unknown ending or a file that could not be written.
void check_trace(const std::string& path);
/// Writes when the run ends; throws InputError as check_trace() does, OutputError while writing.
std::unique_ptr<RowSink> make_trace(const std::string& path);

}  // namespace jawari
