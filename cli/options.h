// SPDX-License-Identifier: MIT
// Options that several commands share, and the check of every number given on the command line.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "command_line.h"
#include "jawari/core/param.h"

namespace jawari::cli {

/// Refuses a number in the words of its option: "--rate is 7, but must lie in [100, 1e+08] Hz".  NaN is never allowed.
inline void check_option(std::string_view option, double value, Limit from, Limit to, std::string_view unit = "") {
  check(Param{option, "", unit, from, to, required, ""}, value, "");
}
inline void check_option(std::string_view option, const std::optional<double>& value, Limit from, Limit to,
                         std::string_view unit = "") {
  if (value) check_option(option, *value, from, to, unit);
}
inline void check_rate(const std::optional<double>& rate) {
  check_option("--rate", rate, at_least(100), at_most(1e8), "Hz");
}
inline void check_duration(const std::optional<double>& duration) {
  check_option("--duration", duration, above(0), at_most(86400), "s");
}
inline void check_gain(const std::optional<double>& gain) {
  check_option("--gain", gain, at_least(-1e12), at_most(1e12));
}

inline void add_below(Command& command, std::string& below) {
  command.add_option("--below", below, "Open no file outside of this folder, whatever the scene names");
}

}  // namespace jawari::cli
