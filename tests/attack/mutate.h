// SPDX-License-Identifier: MIT
// Changed texts of the shipped scenes and changed MIDI files: refused with a sentence, or they play and stay finite.
#pragma once
#include <cstdint>
#include <string>

#include "trial.h"

namespace jawari::attack {

std::string mutant_scene(std::uint64_t seed);  ///< bytes, words, numbers, lines: swapped, doubled, left out, replaced
std::string mutant_midi(std::uint64_t seed);

/// Reads, checks, compiles where that is cheap, and plays some steps.
Verdict judge_text(const std::string& text, std::uint64_t seed);
/// Reads, and spells the score out on a small instrument.
Verdict judge_midi(const std::string& bytes, std::uint64_t seed);

}  // namespace jawari::attack
