// SPDX-License-Identifier: MIT
// Every scene that is shipped, as an audio thread plays it: blocks of 64 frames, ledger included.  Its first seconds,
// some times in turns; CPU time, the best of them.  A word as argument picks scenes by name.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "jawari/engine/engine.h"
#include "jawari/engine/run.h"
#include "jawari/io/scene_file.h"
#include "report.h"

namespace jawari::bench {
namespace {

constexpr std::size_t block = 64;
constexpr double longest_s = 2;

struct Piece {
  std::string name;
  Scene scene;
  std::size_t blocks;
  std::vector<double> ns = {};  // per frame
  bool failed = false;
};

void play(Piece& p) {
  Engine engine(p.scene);
  std::vector<double> sound(block);
  double* out[] = {sound.data()};
  const double start = thread_cpu_s();
  for (std::size_t i = 0; i < p.blocks; ++i) engine.process(out, block);
  p.ns.push_back(1e9 * (thread_cpu_s() - start) / static_cast<double>(p.blocks * block));
  p.failed |= engine.failed();
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari::bench;
  const Flags flags = take_flags(argc, argv);
  std::vector<Piece> pieces;
  for (const auto& file : std::filesystem::directory_iterator(JAWARI_SCENES)) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() != ".toml" || (argc > 1 && name.find(argv[1]) == std::string::npos)) continue;
    const auto scene = jawari::read_scene(file.path().string()).scene;
    const double frames = std::min(longest_s, scene.duration_s) * scene.rate_hz;
    pieces.push_back({name, scene, std::max<std::size_t>(1, static_cast<std::size_t>(frames / block))});
  }
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.name < b.name; });
  Yardstick yardstick;
  for (int round = 0; round < 3; ++round)
    for (auto& p : pieces) {
      play(p);
      for (int i = 0; i < 3; ++i) yardstick.slice();
    }
  Findings found{.item = "frame", .yardstick = yardstick.row()};
  for (const auto& p : pieces) found.rows.push_back(row(p.name, p.ns));
  print_rows(found);
  fmt::print(
      "\n| the first {:g} s | frames per second | times real time | CPU ms per second of sound "
      "|\n|---|---:|---:|---:|\n",
      longest_s);
  bool failed = false;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const double share = found.rows[i].best_ns * 1e-9 * pieces[i].scene.rate_hz;
    fmt::print("| {}{} | {:.0f} | {:.1f} | {:.1f} |\n", pieces[i].name, pieces[i].failed ? " (FAILED)" : "",
               pieces[i].scene.rate_hz, 1 / share, 1e3 * share);
    failed |= pieces[i].failed;
  }
  const int status = conclude(found, flags);
  return failed ? 1 : status;
}
