// SPDX-License-Identifier: MIT
#include "jawari/engine/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace jawari {

std::string percent(double share) {
  if (!std::isfinite(share)) return "–";
  const double x = 100 * share;
  return std::abs(x) < 9.95 ? fmt::format("{:.1f} %", x) : fmt::format("{:.0f} %", x);
}
std::string decibels(double level) { return std::isfinite(level) ? fmt::format("{:.1f} dB", level) : "–"; }

std::string first_names(const std::vector<std::string>& names) {
  static constexpr std::size_t most = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) out += (i ? ", " : "") + names[i];
  return names.size() > most ? fmt::format("{} and {} more", out, names.size() - most) : out;
}

}  // namespace jawari
