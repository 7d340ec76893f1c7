// SPDX-License-Identifier: MIT
// Two threads against one: 128 strings over their barriers on a ThreadPool, each visited for 64 samples, and in an
// Engine twelve strings with bridges and sixteen piano keys on one soundboard, blocks of 256 frames. This needs wall
// time, which other programs disturb: slices of some milliseconds with one and with two threads in turns, and the best
// of many counts (where more programs run than there are cores, even that means little).  CPU time of the whole process
// beside it: sharing must not make the work longer.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "jawari/core/thread_pool.h"
#include "jawari/engine/engine.h"
#include "jawari/io/scene_file.h"
#include "player.h"
#include "report.h"
#include "works.h"

namespace jawari::bench {
namespace {

double seconds(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Contestant {
  std::string name;
  double items;                 // per slice
  std::function<void()> slice;  // some milliseconds
  std::vector<double> wall_ns = {}, cpu_ns = {};
};

/// Both thread counts play the same strings through the same half second.
struct Strings {
  std::vector<std::unique_ptr<Player>> players;
  ThreadPool pool;
  explicit Strings(std::size_t threads) : pool(threads) {
    for (int i = 0; i < 128; ++i)
      players.push_back(std::make_unique<Player>(Setup{.scheme = "bounded", .curve = 1 + 0.005 * i}));
  }
  void slice() {
    pool.run(players.size(), [&](std::size_t i) { players[i]->play(); });
  }
  double items() const {
    return static_cast<double>(visit) * static_cast<double>(players.size() * players[0]->u.size());
  }
};

Scene chord() {
  std::string text = "rate_hz = 48000.0\nduration_s = 60.0\n";
  for (int i = 0; i < 12; ++i)
    text += fmt::format(
        "[[string]]\nname = \"s{0}\"\nlength_m = 0.65\nfrequency_hz = {1}\nradius_m = 0.0004\ndecay_s = [8.0, 2.0]\n"
        "decay_hz = [110.0, 2000.0]\nstart = {{ shape = \"pluck\", position_m = 0.2, height_m = 0.003 }}\n"
        "[[barrier]]\nstring = \"s{0}\"\nshape = \"parabola\"\ncurvature_1_m = 0.5\nto_m = 0.05\n"
        "law = {{ type = \"power\", stiffness = 1e6, exponent = 1.3 }}\nscheme = \"secant-1\"\n",
        i, 90.0 + 5 * i);
  return parse_scene(text, "chord").scene;
}
struct Piece {
  static constexpr std::size_t block = 256;
  Engine engine;
  std::vector<double> sound = std::vector<double>(block);
  int blocks, played = 0;
  Piece(const Scene& scene, int threads)
      : engine(scene, {.channels = 1, .threads = threads}),
        blocks(static_cast<int>(scene.duration_s * scene.rate_hz / block)) {}
  void slice() {  // again from its beginning where it has ended
    if (played++ % blocks == 0) engine.reset();
    double* out[] = {sound.data()};
    engine.process(out, block);
  }
};

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari::bench;
  const Flags flags = take_flags(argc, argv);
  Strings strings_1(1), strings_2(2);
  Piece chord_1(chord(), 1), chord_2(chord(), 2);
  const jawari::Scene piano = jawari::parse_scene(piano_keys(16), "piano").scene;
  Piece piano_1(piano, 1), piano_2(piano, 2);
  std::vector<Contestant> all;
  all.push_back({"128 strings on a pool, one thread", strings_1.items(), [&] { strings_1.slice(); }});
  all.push_back({"128 strings on a pool, two threads", strings_2.items(), [&] { strings_2.slice(); }});
  all.push_back({"engine, twelve strings with bridges, one thread", Piece::block, [&] { chord_1.slice(); }});
  all.push_back({"engine, twelve strings with bridges, two threads", Piece::block, [&] { chord_2.slice(); }});
  all.push_back({"engine, sixteen piano keys on a board, one thread", Piece::block, [&] { piano_1.slice(); }});
  all.push_back({"engine, sixteen piano keys on a board, two threads", Piece::block, [&] { piano_2.slice(); }});
  Yardstick yardstick;
  for (int round = 0; round < 500; ++round) {
    for (auto& c : all) {
      const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
      c.slice();
      c.wall_ns.push_back(1e9 * (seconds(CLOCK_MONOTONIC) - wall) / c.items);
      std::this_thread::sleep_for(std::chrono::microseconds(200));  // the other thread's time counts once it sleeps
      c.cpu_ns.push_back(1e9 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / c.items);
    }
    yardstick.slice();
  }
  if (chord_1.engine.failed() || chord_2.engine.failed() || piano_1.engine.failed() || piano_2.engine.failed()) {
    fmt::print(stderr, "the engine failed\n");
    return 1;
  }

  Findings found{.item = "point and step, or frame", .yardstick = yardstick.row()};
  for (const auto& c : all) {
    found.rows.push_back(row(c.name + ", wall", c.wall_ns));
    found.rows.push_back(row(c.name + ", CPU", c.cpu_ns));
  }
  const auto best = [](const std::vector<double>& ns) { return *std::min_element(ns.begin(), ns.end()); };
  const auto all_of = [](const std::vector<double>& ns) { return std::accumulate(ns.begin(), ns.end(), 0.0); };
  found.verdicts = {
      {"pool: two threads, times as fast", best(all[0].wall_ns) / best(all[1].wall_ns), 1.9},
      {"engine: two threads, times as fast", best(all[2].wall_ns) / best(all[3].wall_ns), 1.9},
      {"piano keys: two threads, times as fast", all_of(all[4].wall_ns) / all_of(all[5].wall_ns), 1.6},
      {"pool: CPU time with two threads against one", best(all[1].cpu_ns) / best(all[0].cpu_ns), 0, 1.05},
      {"engine: CPU time with two threads against one", best(all[3].cpu_ns) / best(all[2].cpu_ns), 0, 1.05}};
  print_rows(found);
  double load = 0;
  if (getloadavg(&load, 1) == 1)
    fmt::print("\nLoad of the machine in the last minute, this program included: {:.1f}.\n", load);
  return conclude(found, flags);
}
