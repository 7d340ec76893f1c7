// SPDX-License-Identifier: MIT
// The accuracy monitor: a run can conserve energy and be wrong, so it is asked more than that.  Plain words: what
// should not be trusted, and what to change.
#pragma once
#include <string>
#include <vector>

#include "jawari/engine/system.h"

namespace jawari {

struct Scene;
struct Convergence;

enum class Severity { note, warning, failure };
struct Verdict {
  Severity severity;
  std::string sentence;
};

/// Worst first.  Empty: nothing to say against the run.
std::vector<Verdict> judge(const System& system);
/// With what only the scene knows (contacts that never touched, modes that end too early) and, where it was measured,
/// how far the sound is from converged: then that decides, and what is seen of it from inside is left out.
std::vector<Verdict> judge(const Scene& scene, const System& system, const Convergence* measured = nullptr);
/// One sentence for a run without warnings: what is known in its favour.
std::string in_favour(const System& system, const Convergence* measured = nullptr);

}  // namespace jawari
