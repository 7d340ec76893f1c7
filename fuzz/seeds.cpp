// SPDX-License-Identifier: MIT
// fuzz-seeds FOLDER: where the fuzzers start from.  FOLDER/scene: a text per feature; FOLDER/include: the same in two
// files, and files that name one another; FOLDER/c-api: streams of calls per scene; FOLDER/scene.dict: the words of
// scene files.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "jawari/io/scene_keys.h"
#include "realtime/scenes.h"
#include "small_scenes.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  namespace fs = std::filesystem;
  using namespace jawari;
  const fs::path folder = argv[1];
  for (const auto* name : {"scene", "include", "c-api", "midi"}) fs::create_directories(folder / name);
  const auto scenes = test::every_feature();
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const std::string& text = scenes[i].text;
    std::ofstream(folder / "scene" / ("feature-" + std::to_string(i))) << text;
    const std::size_t middle = text.find("[[", text.find("[[") + 2);  // the first table stays, the rest is included
    std::ofstream(folder / "include" / ("feature-" + std::to_string(i)))
        << "include = [\"a.toml\"]\n"
        << text.substr(0, middle) << "%%" << text.substr(std::min(middle, text.size()));
  }
  const std::string each = "include = [\"a.toml\", \"b.toml\", \"c.toml\"]\n";
  std::ofstream(folder / "include" / "each-other")
      << each << "duration_s = 1.0\n%%" << each << "%%" << each << "%%" << each;
  std::mt19937 random(1);
  const auto small = fuzz::small_scenes();
  for (std::size_t i = 0; i < small.size(); ++i) {
    std::ofstream(folder / "scene" / ("small-" + std::to_string(i))) << small[i];
    for (int k = 0; k < 4; ++k) {
      std::string calls{static_cast<char>(i), 1};
      for (int n = 0; n < 80; ++n) calls += static_cast<char>(random() % 256);
      const std::string name = "calls-" + std::to_string(i) + "-" + std::to_string(k);
      std::ofstream(folder / "c-api" / name, std::ios::binary) << calls;
    }
  }
  std::ofstream words(folder / "scene.dict");
  std::set<std::string_view> keys;
  for (const auto* tables : {&scene_keys(), &score_keys()})
    for (const auto& table : *tables)
      for (const auto& key : table.keys) keys.insert(key.name);
  for (const auto key : keys) words << '"' << key << " = \"\n";
  for (const auto* list : {"1e9", "1e-9", "1e300", "1e-300", "0.0", "-1.0", "nan", "inf", "100000", "86400.0"})
    words << "\" = " << list << "\\x0a\"\n";
  const auto names = [&](const auto& list) {
    for (const auto& n : list) words << "\"\\\"" << n << "\\\"\"\n";
  };
  names(start_names);
  names(barrier_names);
  names(quantity_names);
  names(signal_names);
  names(event_names);
  names(stepping_names);
  names(grid_operator_names);
  names(string_method_names);
  for (const auto& l : laws()) words << "\"\\\"" << l.name << "\\\"\"\n";
  for (const auto& s : schemes()) words << "\"\\\"" << s.facts.name << "\\\"\"\n";
}
