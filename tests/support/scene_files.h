// SPDX-License-Identifier: MIT
// The scenes and presets of the repository, by name.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace jawari::test {

inline std::vector<std::string> scenes_in(const std::string& folder) {
  std::vector<std::string> list;
  for (const auto& e : std::filesystem::directory_iterator(JAWARI_SOURCE_DIR "/" + folder))
    if (e.path().extension() == ".toml") list.push_back(e.path().string());
  std::sort(list.begin(), list.end());
  return list;
}
inline std::vector<std::string> scene_files() { return scenes_in("scenes"); }
inline std::vector<std::string> preset_files() { return scenes_in("presets"); }

}  // namespace jawari::test
