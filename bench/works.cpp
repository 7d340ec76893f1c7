// SPDX-License-Identifier: MIT
// Works that other programs were measured on, each as a whole and as an audio thread plays it: blocks of 64 frames,
// accounts and pickups on, set-up apart.  CPU time per frame, the best of some rounds in turns, against the goals of
// goals.h.  A word as argument picks works by name.
#include "works.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "blocks.h"
#include "goals.h"
#include "jawari/io/scene_file.h"
#include "report.h"

namespace jawari::bench {
namespace {

struct Work {
  std::string name, text;
  TimeGoal goal = {};
  std::vector<double> ns = {}, open_ms = {};
  double worst_us = 1e300, rate_hz = 1;
  bool failed = false;
};

void play(Work& w) {
  const double before = thread_cpu_s();
  const Scene scene = parse_scene(w.text, w.name).scene;
  Engine engine(scene);
  w.open_ms.push_back(1e3 * (thread_cpu_s() - before));
  w.rate_hz = scene.rate_hz;
  const std::size_t blocks = block_count(scene);
  w.ns.push_back(1e9 * frame_s(engine, blocks));
  w.failed |= engine.failed();
  engine.reset();
  const auto times = block_times_s(engine, blocks);
  w.worst_us = std::min(w.worst_us, 1e6 * *std::max_element(times.begin(), times.end()));
  w.failed |= engine.failed();
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari::bench;
  const Flags flags = take_flags(argc, argv);
  std::vector<Work> works;
  for (auto& w : all_works()) works.push_back({w.name, w.text, {w.must_ns, w.reach_ns}});
  if (argc > 1) std::erase_if(works, [&](const Work& w) { return w.name.find(argv[1]) == std::string::npos; });
  Yardstick yardstick;
  Scale scale;
  for (int round = 0; round < 3; ++round) {
    scale.round();
    for (auto& w : works) {
      play(w);
      for (int i = 0; i < 3; ++i) yardstick.slice();
    }
  }
  Findings found{.item = "frame", .yardstick = yardstick.row()};
  for (const auto& w : works) found.rows.push_back(row(w.name, w.ns));
  print_rows(found);
  const double scaled = scale.value(found.yardstick);
  fmt::print(
      "\n{}\n\n| | us per frame | goal | reach | times real time | worst block of 64, of its time | opens in ms "
      "|\n|---|---:|---:|---:|---:|---:|---:|\n",
      scale.sentence(found.yardstick));
  bool failed = false;
  for (std::size_t i = 0; i < works.size(); ++i) {
    const Work& w = works[i];
    const double us = found.rows[i].best_ns / 1e3, frame_us = 1e6 / w.rate_hz;
    fmt::print("| {}{} | {:.3f} | {:.3f} | {:.3f} | {:.2f} | {:.2f} | {:.1f} |\n", w.name, w.failed ? " (FAILED)" : "",
               us, scaled * w.goal.must_ns / 1e3, scaled * w.goal.reach_ns / 1e3, frame_us / us,
               w.worst_us / (static_cast<double>(block) * frame_us), row("", w.open_ms).best_ns);
    found.verdicts.push_back(verdict(w.name, found.rows[i].best_ns, w.goal, scaled));
    failed |= w.failed;
  }
  const int status = conclude(found, flags);
  return failed ? 1 : status;
}
