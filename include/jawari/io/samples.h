// SPDX-License-Identifier: MIT
// Reading a list of numbers: one value per line of a text file, or the first channel of a sound file at the same rate.
#pragma once
#include <string>
#include <vector>

namespace jawari {

/// Throws Refusal with a sentence that begins with the path in quotes.
std::vector<double> read_samples(const std::string& path, double rate_hz);

}  // namespace jawari
