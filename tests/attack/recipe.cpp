// SPDX-License-Identifier: MIT
#include "recipe.h"

#include <sstream>

namespace jawari::attack {

std::string text_of(const Recipe& recipe) {
  std::string text;
  for (const auto& part : recipe) {
    if (!part.head.empty()) text += "\n" + part.head + "\n";
    for (const auto& [key, value] : part.keys) text += key + " = " + value + "\n";
  }
  return text;
}

Recipe recipe_of(const std::string& text) {
  Recipe recipe(1);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      recipe.push_back({line, {}});
    } else if (const auto equals = line.find(" = "); equals != std::string::npos) {
      recipe.back().keys.emplace_back(line.substr(0, equals), line.substr(equals + 3));
    }
  }
  return recipe;
}

}  // namespace jawari::attack
