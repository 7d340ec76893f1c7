// SPDX-License-Identifier: MIT
// Three prepared strings at 44.1 kHz under one hammer, heard at two places each: Csound's prepiano and the scene of
// works.h, with the same tension, stiffness, loss and detuning, a rattle and a rubber per string (Csound has one of
// each for all), through the engine as a user gets it: blocks of 64, losses, drive, pickups and accounts.  In turns
// within one run.  prepiano has no barrier along the strings; that row stands beside it.
#include "csound.h"

#include <fmt/format.h>

#include <vector>

#include "blocks.h"
#include "jawari/io/scene_file.h"
#include "report.h"
#include "works.h"

namespace jawari::bench {
namespace {

struct Strings {
  std::string name;
  Scene scene;
  Kernels kernels = Kernels::exact;
  std::vector<double> ns = {};
  bool failed = false;

  void play() {
    Engine engine(scene, {.kernels = kernels});
    ns.push_back(1e9 * frame_s(engine, block_count(scene)));
    failed |= engine.failed();
  }
};

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari::bench;
  using jawari::Kernels;
  const Flags flags = take_flags(argc, argv);
  const auto prepared = jawari::parse_scene(prepared_strings(false), "prepared").scene;
  const auto barriers = jawari::parse_scene(prepared_strings(true), "barriers").scene;
  std::vector<Strings> ours{{"jawari, exact", prepared},
                            {"jawari, fused", prepared, Kernels::fused},
                            {"jawari, reference path", prepared, Kernels::off},
                            {"jawari, exact, and a barrier along every string", barriers}};
  CsoundTime csound;
  Yardstick yardstick;
  for (int round = 0; round < 5; ++round) {
    if (!csound.round()) {
      fmt::print("Csound is not installed: nothing to compare with.\n");
      return 0;
    }
    for (auto& s : ours) s.play();
    for (int i = 0; i < 10; ++i) yardstick.slice();
  }
  Findings found{.item = "sample", .yardstick = yardstick.row()};
  found.rows.push_back(row("Csound, prepiano", csound.ns()));
  bool failed = false;
  for (const auto& s : ours) {
    found.rows.push_back(row(s.name, s.ns));
    failed |= s.failed;
  }
  print_rows(found);
  const auto ratio = [&](std::size_t i) { return found.rows[0].best_ns / found.rows[i].best_ns; };
  found.verdicts = {{"three prepared strings, times as fast as Csound", ratio(1), 1}, {"the same, fused", ratio(2), 1}};
  const int status = conclude(found, flags);
  return failed ? 1 : status;
}
