// SPDX-License-Identifier: MIT
// What is added to the bare work: exact arithmetic to fused, losses to none, the engine to the kernel, kernels to one
// mass, set-up to a short run, a report or a trace to a render.  Ratios of CPU times in turns, the best of each.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <vector>

#include "blocks.h"
#include "goals.h"
#include "jawari/engine/batch.h"
#include "jawari/engine/compile.h"
#include "jawari/io/render.h"
#include "jawari/io/scene_file.h"
#include "jawari/kernel/kernel_factory.h"
#include "works.h"

namespace jawari::bench {
namespace {

constexpr std::size_t block = 64;
constexpr int rounds = 7;

/// All threads: a batch plays on a pool.
double process_cpu_s() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The least CPU time of each of some things, which are done in turns.
class Turns {
 public:
  void add(const std::string& name, const std::function<double()>& seconds) { all_.push_back({name, seconds, {}}); }
  void play(Yardstick& yardstick) {
    for (int round = 0; round < rounds; ++round) {
      for (auto& one : all_) one.ns.push_back(1e9 * one.seconds());
      for (int i = 0; i < 5; ++i) yardstick.slice();
    }
  }
  double ns(const std::string& name) const {
    for (const auto& one : all_)
      if (one.name == name) return row(name, one.ns).best_ns;
    return std::nan("");
  }
  std::vector<Row> rows() const {
    std::vector<Row> list;
    for (const auto& one : all_) list.push_back(row(one.name, one.ns));
    return list;
  }

 private:
  struct One {
    std::string name;
    std::function<double()> seconds;
    std::vector<double> ns;
  };
  std::vector<One> all_;
};

/// CPU seconds per frame.
double play_s(const Scene& scene, Kernels kernels) {
  Engine engine(scene, {.kernels = kernels});
  return frame_s(engine, block_count(scene));
}

Scene buzzing_string(bool lossy) {
  return parse_scene(work_head(48000, 0.5) +
                         "[[string]]\nname = \"s\"\nlength_m = 0.68\ntension_N = 12.1\nradius_m = 2e-4\n" +
                         (lossy ? "sigma0_1_s = 0.6\nsigma1_m2_s = 2e-4\n" : "") +
                         "start = { shape = \"pluck\", position_m = 0.2, height_m = 3e-3 }\n[[barrier]]\nstring = "
                         "\"s\"\nshape = \"flat\"\nheight_m = -1e-3\npoints_per_cell = 1\nscheme = \"two-point\"\nlaw "
                         "= { type = "
                         "\"hunt-crossley\", stiffness = 1e10, exponent = 1.3, mu = 0 }\n[[pickup]]\nof = "
                         "\"s\"\nposition_m = 0.6\nquantity = \"velocity\"\n",
                     "buzzing")
      .scene;
}

/// The string of buzzing_string(true) by its kernel alone.
double kernel_s() {
  constexpr double dt_s = 1.0 / 48000;
  StringData data = round_string(0.68, 12.1, 2e-4, 7850, 2e11);
  data.stretching_N = 0;
  data.sigma0_1_s = 0.6;
  data.sigma1_m2_s = 2e-4;
  const StringGrid body(data, {}, dt_s);
  const std::vector<double> offset(body.nodes(), -1e-3);
  const LawSpec law{"hunt-crossley", {{"stiffness", 1e10}, {"exponent", 1.3}, {"mu", 0}}};
  const LawSpec scheme{"two-point"};
  const auto kernel = kernel::make_kernel(body, {law, scheme, 1, 0, -1, offset}, StringKernel::Arithmetic::as_double);
  std::vector<double> u(body.nodes()), d(body.nodes());
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double x = body.position_m(i);
    u[i] = 3e-3 * (x < 0.2 ? x / 0.2 : (0.68 - x) / 0.48);
  }
  kernel->place(u, d);
  constexpr std::size_t blocks = 24000 / block;
  const double start = thread_cpu_s();
  for (std::size_t i = 0; i < blocks; ++i) kernel->run(block);
  return (thread_cpu_s() - start) / static_cast<double>(blocks * block);
}

double open_s(const Scene& scene) {
  const double start = thread_cpu_s();
  const auto model = compile_model(scene);
  return thread_cpu_s() - start + (model ? 0 : 1);
}

Scene masses_on_a_wall(int count, double exponent = 1.5) {
  std::string text = work_head(44100, 0.1);
  for (int i = 0; i < count; ++i)
    text += fmt::format(
        "[[mass]]\nname = \"m{0}\"\nmass_kg = 0.01\nposition_m = 1e-3\nvelocity_m_s = -1\n[[contact]]\nbodies = "
        "[\"wall\", \"m{0}\"]\nlaw = {{ type = \"hunt-crossley\", stiffness = 1e7, exponent = {1}, mu = 0.6 }}\n",
        i, exponent);
  return parse_scene(text, "masses").scene;
}

Scene bare_string(int points) {
  return parse_scene(
             work_head(44100, 0.1) +
                 fmt::format("[[string]]\nname = \"s\"\nlength_m = 1\ntension_N = 100\ndensity_kg_m = "
                             "1e-3\nintervals = {}\n[[barrier]]\nstring = \"s\"\nshape = \"flat\"\nheight_m = -1e-3\n"
                             "points_per_cell = 1\nlaw = {{ type = \"power\", stiffness_per_m = 1e9, exponent "
                             "= 1.3 }}\n",
                             points + 1),
             "string")
      .scene;
}

/// Fifty impacts of so many seconds with other speeds.
double sweep_s(double seconds) {
  constexpr std::size_t runs = 50;
  Scene scene = masses_on_a_wall(1);
  scene.duration_s = seconds;
  BatchValues speeds{"mass.m0.velocity_m_s", std::vector<Value>(runs)};
  for (std::size_t i = 0; i < runs; ++i) speeds.values[i].is = -0.5 - 0.05 * static_cast<double>(i);
  const Batch batch(scene, {speeds}, Quality::draft);
  struct Nothing final : BatchSink {
    void end(std::size_t, const BatchEnd&) override {}
  } nothing;
  const double start = process_cpu_s();
  BatchOptions options;
  options.threads = 1;
  batch.play(options, nothing);
  return (process_cpu_s() - start) / static_cast<double>(runs);
}

/// Every channel of every step, in memory: what simulate() keeps.
class Kept final : public RowSink {
 public:
  void begin(const std::vector<std::string>& names, double, std::int64_t) override { columns_.resize(names.size()); }
  void rows(const RowBlock& b) override {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      columns_[c].insert(columns_[c].end(), b.channels[c], b.channels[c] + b.steps);
  }
  std::int64_t next_reading(std::int64_t) const noexcept override { return never; }

 private:
  std::vector<std::vector<double>> columns_;
};

enum class What { render, report, run, trace };
/// The first two as the command line does it, files included; the others in memory.
double piece_s(const std::string& name, What what) {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string stem = (folder / fmt::format("jawari-bench-{}", ::getpid())).string();
  const double start = thread_cpu_s();
  SceneFile file = read_scene(std::string(JAWARI_SCENES) + "/" + name + ".toml");
  file.scene.duration_s = std::min(file.scene.duration_s, 9.0);
  const auto system = compile(file.scene);
  if (what == What::trace) {
    Kept kept;
    RowSink* sinks[] = {&kept};
    run(*system, step_count(file.scene), sinks);
  } else if (what == What::run) {
    system->audit_every(64);
    run(*system, step_count(file.scene));
  } else {
    Rendering r = render(*system, file.scene, {{}, what == What::report, {}});
    const auto channels = r.channels(system->pickups(), ChannelChoice::as_panned);
    write_audio(stem + ".wav", channels, file.scene.rate_hz, {});
    if (what == What::report) write_report(stem + ".html", file, *system, r);
  }
  const double took = thread_cpu_s() - start;
  std::remove((stem + ".wav").c_str());
  std::remove((stem + ".html").c_str());
  return took;
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari::bench;
  using jawari::Kernels;
  using jawari::Scene;
  const Flags flags = take_flags(argc, argv);
  const Scene lossy = buzzing_string(true), lossless = buzzing_string(false);
  const auto wall = jawari::parse_scene(mass_and_wall(true), "wall").scene;
  const auto flight = jawari::parse_scene(mass_and_wall(false), "flight").scene;
  const Scene one = masses_on_a_wall(1), many = masses_on_a_wall(65);
  const Scene few_points = bare_string(500), many_points = bare_string(5000);
  const char* const pieces[] = {"bridge", "tanpura", "piano", "snare-drum"};
  Turns t;
  t.add("string on a barrier, exact", [&] { return play_s(lossy, Kernels::exact); });
  t.add("string on a barrier, fused", [&] { return play_s(lossy, Kernels::fused); });
  t.add("string on a barrier, lossless", [&] { return play_s(lossless, Kernels::exact); });
  t.add("its kernel alone", [&] { return kernel_s(); });
  t.add("mass on a wall", [&] { return play_s(wall, Kernels::exact); });
  t.add("mass on a wall, reference path", [&] { return play_s(wall, Kernels::off); });
  t.add("mass in flight", [&] { return play_s(flight, Kernels::exact); });
  t.add("mass in flight, reference path", [&] { return play_s(flight, Kernels::off); });
  t.add("opening one mass", [&] { return open_s(one); });
  t.add("opening 65 masses", [&] { return open_s(many); });
  double exponent = 1.5;
  t.add("opening one mass of another exponent", [&] { return open_s(masses_on_a_wall(1, exponent += 0.013)); });
  t.add("opening a string of 500 points", [&] { return open_s(few_points); });
  t.add("opening a string of 5000 points", [&] { return open_s(many_points); });
  t.add("an impact of 50 ms in a sweep", [&] { return sweep_s(0.05); });
  t.add("an impact of 100 ms in a sweep", [&] { return sweep_s(0.1); });
  for (const std::string name : pieces) {
    t.add("render " + name, [=] { return piece_s(name, What::render); });
    t.add("render --report " + name, [=] { return piece_s(name, What::report); });
    t.add("run " + name, [=] { return piece_s(name, What::run); });
    t.add("run with trace " + name, [=] { return piece_s(name, What::trace); });
  }
  Yardstick yardstick;
  Scale scale;
  for (int i = 0; i < 3; ++i) scale.round();
  t.play(yardstick);
  Findings found{.item = "frame, opening or run", .yardstick = yardstick.row()};
  found.rows = t.rows();
  print_rows(found);
  const auto over = [&](const std::string& a, const std::string& b) { return t.ns(a) / t.ns(b); };
  const double each_ms = (t.ns("opening 65 masses") - t.ns("opening one mass")) / 64e6;
  const double set_up = 2 * t.ns("an impact of 50 ms in a sweep") - t.ns("an impact of 100 ms in a sweep");
  const double scaled = scale.value(found.yardstick);
  fmt::print("\n{}\nA Hunt-Crossley contact opens in {:.3f} ms.\n", scale.sentence(found.yardstick), each_ms);
  found.verdicts = {
      {"exact over fused", over("string on a barrier, exact", "string on a barrier, fused"), 0, 1.3},
      {"lossy over lossless", over("string on a barrier, exact", "string on a barrier, lossless"), 0, 1.3},
      {"the engine over its kernel", over("string on a barrier, exact", "its kernel alone"), 0, 1.15},
      {"one mass on a wall, kernels over none", over("mass on a wall", "mass on a wall, reference path"), 0, 1},
      {"one mass in flight, kernels over none", over("mass in flight", "mass in flight, reference path"), 0, 1},
      {"opening of a Hunt-Crossley contact [ms]", each_ms, 0, 0.3 * scaled},
      {"opening of 5000 points over ten times that of 500",
       over("opening a string of 5000 points", "opening a string of 500 points") / 10, 0, 1.5},
      {"share of set-up in a sweep of impacts of 50 ms", set_up / t.ns("an impact of 50 ms in a sweep"), 0, 1.0 / 3}};
  for (const std::string name : pieces) {
    found.verdicts.push_back(
        {"report over render: " + name, over("render --report " + name, "render " + name), 0, 1.3});
    found.verdicts.push_back({"trace over none: " + name, over("run with trace " + name, "run " + name), 0, 1.5});
  }
  return conclude(found, flags);
}
