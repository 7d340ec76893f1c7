// SPDX-License-Identifier: MIT
// A scene with a fault, made as small as it goes while the fault stays of the same kind.
#pragma once
#include <cstdint>
#include <functional>

#include "job.h"
#include "recipe.h"

namespace jawari::attack {

/// In a process of its own: a crash or an endless loop is a verdict too.
Verdict judge_apart(const Job& job, const std::string& text, std::uint64_t seed, double cpu_s);

/// Drops parts, then keys, then digits.  `same`: whether a recipe still has the fault.
Recipe shrink(Recipe recipe, const std::function<bool(const Recipe&)>& same);

/// Any text or bytes: leaves out pieces, large ones first.
std::string shrink_bytes(const std::string& text, const std::function<bool(const std::string&)>& same);

}  // namespace jawari::attack
