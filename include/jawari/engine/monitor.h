// SPDX-License-Identifier: MIT
// The accuracy monitor: a run can conserve energy and be wrong, so it is asked more than that.  Plain words: what
// should not be trusted, and what to change.
#pragma once
#include <string>
#include <vector>

#include "jawari/engine/system.h"

namespace jawari {

enum class Severity { note, warning, failure };
struct Verdict {
  Severity severity;
  std::string sentence;
};

/// Worst first.  Empty: nothing to say against the run.
std::vector<Verdict> judge(const System& system);

}  // namespace jawari
