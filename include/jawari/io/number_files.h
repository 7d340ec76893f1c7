// SPDX-License-Identifier: MIT
// Reading lists of numbers: one value per line of a text file, the first channel of a sound file at the same rate, or
// two columns of a text file.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jawari/io/input_file.h"

namespace jawari {

/// Throws InputError with a sentence that begins with the path and holds nothing of the file.  All values are finite.
/// `below`: a folder that the file may not lie outside of; empty: anywhere.
std::vector<double> read_samples(const std::string& path, double rate_hz, const std::string& below = {});
std::vector<double> read_samples(const Sources& sources, const std::string& name,
                                 double rate_hz);  ///< named in a scene

/// Two columns of a text file, separated by a comma or blanks; a first line of words is passed over, and so are lines
/// that begin with #.  Numbers may be anything, also nan: check_scene() tests them.
struct Columns {
  std::vector<double> x, y;
};
Columns read_columns(const std::string& path, const std::string& below = {});
Columns read_columns(const Sources& sources, const std::string& name);  ///< named in a scene

/// The first channel of a sound file (jawari::audio), given as a path to open or as its bytes; none: it is no sound
/// file. Throws InputError; `name` stands in its sentence.
std::optional<std::vector<double>> sound_samples(const std::string& path, const std::string& name, double rate_hz);
std::optional<std::vector<double>> sound_samples_of(std::string_view bytes, const std::string& name, double rate_hz);

}  // namespace jawari
