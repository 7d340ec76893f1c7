// SPDX-License-Identifier: MIT
// Fifty random scenes (tests/attack), stored as text in tests/golden/scenes, that between them use everything.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "jawari/engine/scene.h"
#include "jawari/engine/system.h"

namespace jawari::test {

struct DrawnScene {
  std::string name;  ///< "drawn-17": of seed 17
  std::string text;
};

inline constexpr std::size_t drawn_count = 50;

std::vector<DrawnScene> stored_scenes();
void store_scenes(const std::vector<DrawnScene>& scenes);  ///< instead of those that are stored

/// Kinds of parts, events, shapes, signals, operators, ... that a scene names.
std::set<std::string> features_of(const Scene& scene);
/// Laws and schemes of contacts that have touched.
void add_touched(std::set<std::string>& features, const System& played);
/// All that the stored scenes must have between them.
std::set<std::string> needed_features();

/// Draws many scenes and chooses some that are accepted, do not fail, are heard and have all needed features.
std::vector<DrawnScene> choose_scenes();

}  // namespace jawari::test
