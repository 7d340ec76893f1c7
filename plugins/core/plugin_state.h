// SPDX-License-Identifier: MIT
// The state of a plug-in as text: its version, its parameters by name, and the scene as it is written.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jawari::plugin {

struct PluginState {
  std::string preset, scene, tuning;
  std::vector<std::pair<std::string, double>> values, controls;  ///< controls in units of the scene
};

std::string state_text(const PluginState& state);
/// Of this version and older ones; lines that it does not know are skipped.  Throws InputError.
PluginState parse_state(std::string_view text);

}  // namespace jawari::plugin
