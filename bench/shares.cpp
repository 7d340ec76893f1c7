// SPDX-License-Identifier: MIT
// Where the time of every shipped scene goes: the shares of its bodies and contacts in the second in which most of them
// sound, as `jawari bench` measures them.  A word as argument picks scenes by name.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "jawari/engine/capacity.h"
#include "jawari/engine/part_shares.h"
#include "jawari/io/scene_file.h"
#include "report.h"

namespace jawari::bench {
namespace {

constexpr double seconds = 1;
constexpr std::size_t most = 6;  ///< parts that are named

struct Profile {
  std::string name;
  double from_s;
  PartShares shares;
};

Profile profile(const std::filesystem::path& file) {
  const Scene scene = read_scene(file.string()).scene;
  const double from_s = busiest_s(scene, seconds);
  return {file.stem().string(), from_s, part_shares(scene, seconds, Kernels::exact, {}, from_s)};
}

void print(const std::vector<Profile>& all) {
  fmt::print("| scene | from, s | its parts, of the time of a step |\n|---|---:|---|\n");
  for (const Profile& p : all) {
    std::string parts;
    double rest = 100;
    for (std::size_t i = 0; i < std::min(most, p.shares.parts.size()); ++i) {
      const double share = 100 * p.shares.parts[i].ns_per_step / p.shares.ns_per_step;
      rest -= share;
      parts += fmt::format("{} {:.0f} %, ", p.shares.parts[i].name, share);
    }
    fmt::print("| {} | {:.1f} | {}all else {:.0f} % |\n", p.name, p.from_s, parts, std::max(rest, 0.0));
  }
}

void write(const std::string& path, const std::vector<Profile>& all) {
  nlohmann::ordered_json out{{"item", "step"},
                             {"rows", nlohmann::json::array()},
                             {"goals", nlohmann::json::array()},
                             {"profiles", nlohmann::json::array()}};
  for (const Profile& p : all) {
    nlohmann::ordered_json parts = nlohmann::json::array();
    for (std::size_t i = 0; i < std::min(most, p.shares.parts.size()); ++i)
      parts.push_back({{"name", p.shares.parts[i].name},
                       {"share", std::max(0.0, p.shares.parts[i].ns_per_step / p.shares.ns_per_step)}});
    out["profiles"].push_back({{"name", p.name}, {"ns_per_step", p.shares.ns_per_step}, {"parts", parts}});
  }
  std::ofstream(path) << out.dump(1) << "\n";
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari::bench;
  const Flags flags = take_flags(argc, argv);
  std::vector<Profile> all;
  for (const auto& file : std::filesystem::directory_iterator(JAWARI_SCENES)) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() != ".toml" || (argc > 1 && name.find(argv[1]) == std::string::npos)) continue;
    all.push_back(profile(file.path()));
  }
  std::sort(all.begin(), all.end(), [](const Profile& a, const Profile& b) { return a.name < b.name; });
  print(all);
  if (!flags.json.empty()) write(flags.json, all);
  return 0;
}
