// SPDX-License-Identifier: MIT
// Reading lists of numbers: one value per line of a text file, the first channel of a sound file at the same rate, or
// two columns of a text file.
#pragma once
#include <string>
#include <vector>

namespace jawari {

/// Throws InputError with a sentence that begins with the path and holds nothing of the file.  All values are finite.
/// `below`: a folder that the file may not lie outside of; empty: anywhere.
std::vector<double> read_samples(const std::string& path, double rate_hz, const std::string& below = {});

/// Two columns of a text file, separated by a comma or blanks; a first line of words is passed over, and so are lines
/// that begin with #.  Numbers may be anything, also nan: check_scene() looks at them.
struct Columns {
  std::vector<double> x, y;
};
Columns read_columns(const std::string& path, const std::string& below = {});

}  // namespace jawari
