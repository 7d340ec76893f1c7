// SPDX-License-Identifier: MIT
// Numbers and names as printed in tables and sentences; a dash where there is no number (NaN).
#pragma once
#include <string>
#include <vector>

namespace jawari {

std::string percent(double share);                               ///< 0.0731: "7.3 %"
std::string decibels(double level);                              ///< "1.2 dB"
std::string first_names(const std::vector<std::string>& names);  ///< eight of them, and how many more

}  // namespace jawari
