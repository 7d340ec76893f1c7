// SPDX-License-Identifier: MIT
// --tuning, --kbm, --tonic and --a4, for the commands that play notes.
#pragma once
#include <optional>
#include <string>

#include "command_line.h"
#include "jawari/instrument/key_tuning.h"

namespace jawari::cli {

struct TuningOptions {
  std::string tuning, kbm, tonic;
  std::optional<double> a4_hz;
};
void add_tuning(Command& command, TuningOptions& options);
/// None: nothing is said.  Throws InputError.
std::optional<KeyTuning> tuning_of(const TuningOptions& options);

}  // namespace jawari::cli
