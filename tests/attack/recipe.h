// SPDX-License-Identifier: MIT
// A scene as parts and keys, between a drawing and its text: what is found is made smaller part by part, key by key.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace jawari::attack {

struct Part {
  std::string head = {};                                       ///< "[[string]]"; empty: the scene itself
  std::vector<std::pair<std::string, std::string>> keys = {};  ///< key, value as TOML

  void set(const std::string& key, const std::string& value) {
    for (auto& [k, v] : keys)
      if (k == key) {
        v = value;
        return;
      }
    keys.emplace_back(key, value);
  }
  void name(const std::string& key, const std::string& value) { set(key, "\"" + value + "\""); }
  std::string get(const std::string& key) const {  ///< as TOML; empty: not there
    for (const auto& [k, v] : keys)
      if (k == key) return v;
    return {};
  }
};
using Recipe = std::vector<Part>;  ///< the first part is the scene itself

std::string text_of(const Recipe& recipe);

/// The recipe of a text that text_of() wrote.
Recipe recipe_of(const std::string& text);

}  // namespace jawari::attack
