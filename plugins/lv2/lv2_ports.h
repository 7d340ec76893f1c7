// SPDX-License-Identifier: MIT
// What the LV2 plug-ins and the files that describe them agree on: one plug-in per preset, with its controls as ports.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "../core/plugin_core.h"

namespace jawari::plugin {

enum Lv2Port : std::uint32_t {
  lv2_midi,
  lv2_left,
  lv2_right,
  lv2_latency,
  lv2_level,
  lv2_enabled,
  lv2_tuning,
  lv2_tonic,
  lv2_a4,
  lv2_first_control
};
/// Behind the controls come ports of sound that comes in, where a preset takes any.
inline std::uint32_t lv2_first_input(std::size_t controls) noexcept {
  return lv2_first_control + static_cast<std::uint32_t>(controls);
}
constexpr const char* lv2_state_uri = "urn:jawari:state";

/// "Hammered dulcimer" -> "hammered-dulcimer"; part of the URI, which stays what it is.
inline std::string lv2_word(std::string_view name, char between) {
  std::string word;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      word += upper ? static_cast<char>(c + ('a' - 'A')) : c;
    else if (!word.empty() && word.back() != between)
      word += between;
  }
  while (!word.empty() && word.back() == between) word.pop_back();
  return word;
}
inline std::string lv2_uri(std::string_view preset) { return "urn:jawari:" + lv2_word(preset, '-'); }

}  // namespace jawari::plugin
