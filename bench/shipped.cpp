// SPDX-License-Identifier: MIT
// Every scene that is shipped, as an audio thread plays it: blocks of 64 frames, ledger included, from the first block
// to the last.  Some times in turns; CPU time, the best of them, and of every block its best time: the worst block is
// the one that takes longest even so.  Goals are those of goals.h.  A word as argument picks scenes by name.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "blocks.h"
#include "goals.h"
#include "jawari/io/scene_file.h"
#include "report.h"

namespace jawari::bench {
namespace {

constexpr int rounds = 2;

struct Piece {
  std::string name;
  Scene scene;
  std::vector<double> least_s;  // per block
  std::vector<double> ns = {};  // per frame
  bool failed = false;
};

void play(Piece& p) {
  Engine engine(p.scene);
  const auto times = block_times_s(engine, p.least_s.size());
  double all = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    all += times[i];
    p.least_s[i] = std::min(p.least_s[i], times[i]);
  }
  p.ns.push_back(1e9 * all / static_cast<double>(times.size() * block));
  p.failed |= engine.failed();
}

struct PieceGoal {
  double must, reach;  // times real time
  double worst_block = 0.6;
};
const std::map<std::string, PieceGoal>& goals() {
  static const std::map<std::string, PieceGoal> all{{"tanpura", {8, 15}}, {"etude", {8, 15}},
                                                    {"piano", {16, 30}},  {"prepared-piano", {12, 20}},
                                                    {"guitar", {18, 30}}, {"snare-drum, 2000 modes", {1.5, 3, 0.9}}};
  return all;
}

Piece piece(const std::string& name, const Scene& scene) {
  return {name, scene,
          std::vector<double>(std::max<std::size_t>(1, block_count(scene)), std::numeric_limits<double>::infinity())};
}

std::vector<Piece> pieces(const std::string& word) {
  std::vector<Piece> list;
  for (const auto& file : std::filesystem::directory_iterator(JAWARI_SCENES)) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() != ".toml" || name.find(word) == std::string::npos) continue;
    list.push_back(piece(name, read_scene(file.path().string()).scene));
    if (name != "snare-drum") continue;
    Scene many = list.back().scene;
    for (auto& m : many.membranes) m.modes = 2000;
    list.push_back(piece(name + ", 2000 modes", many));
  }
  std::sort(list.begin(), list.end(), [](const Piece& a, const Piece& b) { return a.name < b.name; });
  return list;
}

/// The row of a piece and its verdicts.
void report(const Piece& p, double ns, double scale, std::vector<Verdict>& verdicts) {
  const double share = ns * 1e-9 * p.scene.rate_hz;
  const double budget_s = block / p.scene.rate_hz;
  const double worst =
      *std::max_element(p.least_s.begin() + (p.least_s.size() > 1 ? 1 : 0), p.least_s.end()) / budget_s;
  const auto found = goals().find(p.name);
  const PieceGoal goal = found == goals().end() ? PieceGoal{0, 0} : found->second;
  const auto times = [&](double x) { return x > 0 ? fmt::format("{:.1f}", x / scale) : std::string(); };
  fmt::print("| {}{} | {:.1f} | {:.1f} | {} | {} | {:.2f} | {:.2f} |\n", p.name, p.failed ? " (FAILED)" : "",
             p.scene.duration_s, 1 / share, times(goal.must), times(goal.reach), worst, goal.worst_block * scale);
  if (goal.must > 0) verdicts.push_back({p.name + ": times real time, of its goal", scale / share / goal.must, 1});
  verdicts.push_back({p.name + ": worst block of 64 over its budget", worst, 0, goal.worst_block * scale});
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari::bench;
  const Flags flags = take_flags(argc, argv);
  auto all = pieces(argc > 1 ? argv[1] : "");
  Yardstick yardstick;
  Scale scale;
  for (int round = 0; round < rounds; ++round) {
    scale.round();
    for (auto& p : all) {
      play(p);
      for (int i = 0; i < 3; ++i) yardstick.slice();
    }
  }
  Findings found{.item = "frame", .yardstick = yardstick.row()};
  for (const auto& p : all) found.rows.push_back(row(p.name, p.ns));
  print_rows(found);
  fmt::print(
      "\n{}\n\n| whole pieces | s | times real time | goal | reach | worst block of 64, of its budget | at most "
      "|\n|---|---:|---:|---:|---:|---:|---:|\n",
      scale.sentence(found.yardstick));
  bool failed = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    report(all[i], found.rows[i].best_ns, scale.value(found.yardstick), found.verdicts);
    failed |= all[i].failed;
  }
  const int status = conclude(found, flags);
  return failed ? 1 : status;
}
