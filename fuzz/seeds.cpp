// SPDX-License-Identifier: MIT
// fuzz-seeds FOLDER: where the fuzzers start from.  FOLDER/scene: a text per feature; FOLDER/c-api: a stream of calls per
// scene; FOLDER/scene.dict: the words of scene files.
#include <filesystem>
#include <fstream>
#include <random>

#include "realtime/scenes.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  namespace fs = std::filesystem;
  using namespace jawari;
  const fs::path folder = argv[1];
  fs::create_directories(folder / "scene"), fs::create_directories(folder / "c-api");
  const auto scenes = test::every_feature();
  std::mt19937 random(1);
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    std::ofstream(folder / "scene" / ("feature-" + std::to_string(i))) << scenes[i].text;
    std::string calls{static_cast<char>(i), 1};
    for (int n = 0; n < 300; ++n) calls += static_cast<char>(random() % 256);
    std::ofstream(folder / "c-api" / ("calls-" + std::to_string(i)), std::ios::binary) << calls;
  }
  std::ofstream words(folder / "scene.dict");
  const auto keys = [&](const auto& fields) {
    for (const auto& f : fields) words << '"' << f.param.name << " = \"\n";
  };
  keys(scene_fields), keys(mass_fields), keys(string_fields), keys(start_fields), keys(barrier_fields);
  keys(contact_fields), keys(excitation_fields), keys(pickup_fields), keys(bar_fields), keys(membrane_fields);
  keys(plate_fields), keys(hammer_fields), keys(rattle_fields), keys(snare_fields), keys(event_fields);
  for (const auto* list : {"1e9", "1e-9", "1e300", "1e-300", "0.0", "-1.0", "nan", "inf", "100000", "86400.0"})
    words << "\" = " << list << "\\x0a\"\n";
  const auto names = [&](const auto& list) {
    for (const auto& n : list) words << "\"\\\"" << n << "\\\"\"\n";
  };
  names(start_names), names(barrier_names), names(quantity_names), names(signal_names), names(event_names);
  names(stepping_names), names(grid_operator_names), names(string_method_names);
  for (const auto& l : laws()) words << "\"\\\"" << l.name << "\\\"\"\n";
  for (const auto& s : schemes()) words << "\"\\\"" << s.facts.name << "\\\"\"\n";
}
