// SPDX-License-Identifier: MIT
// The scenes of the repository, by name.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace jawari::test {

inline std::vector<std::string> scene_files() {
  std::vector<std::string> list;
  for (const auto& e : std::filesystem::directory_iterator(JAWARI_SOURCE_DIR "/scenes"))
    if (e.path().extension() == ".toml") list.push_back(e.path().string());
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace jawari::test
