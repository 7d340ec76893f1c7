// SPDX-License-Identifier: MIT
// How far the shipped scenes are from converged, in what is heard (engine/timbre.h): spectral centroid and third-octave
// levels of the first 0.4 s of motion in draft, standard and high quality, mean of four starts that differ by 1e-6,
// against the same scene with its strings in modes and two-point barriers at 16 times the rate (8 or 4 times where that
// is too much work; the table marks it).
//   bench-converged [--jobs N] [scene or file.toml ...]      a table in Markdown
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "jawari/engine/compile.h"
#include "jawari/engine/quality.h"
#include "jawari/engine/run.h"
#include "jawari/engine/timbre.h"
#include "jawari/io/scene_file.h"
#include "lower.h"
#include "step_work.h"
#include "variants.h"

namespace jawari::bench {
namespace {

constexpr int starts = 4;
constexpr double most_s = 0.4, most_work = 4e10;  // numbers touched by one run of a reference

double work(const Scene& scene) { return step_work(lower_scene(scene)) * static_cast<double>(step_count(scene)); }

Scene reference_scene(const Scene& scene, int times) {
  Scene s = at_rate_and_bandwidth(scene, times);
  s.oversample = 1;
  make_exact(s);
  return s;
}

struct Task {
  Scene scene;
  std::vector<Timbre> heard = {};  // of every start
  std::vector<std::string> failures = {};
  explicit Task(Scene s) : scene(std::move(s)), heard(starts), failures(starts) {}
  std::string failure() const {
    const auto at = std::find_if(failures.begin(), failures.end(), [](auto& f) { return !f.empty(); });
    return at == failures.end() ? "" : *at;
  }
};

void play(Task& task, int start, double limit_hz) {
  const auto i = static_cast<std::size_t>(start);
  const Scene s = start == 0 ? task.scene : nudged(task.scene, -1e-6 * start);
  try {
    auto system = compile(s);
    system->audit_every(0);
    const Run r = run(*system, step_count(s));
    if (system->failed()) task.failures[i] = system->failure_text();
    task.heard[i] = timbre(r.sound, step_rate_hz(s), limit_hz);
  } catch (const InputError& r) {
    task.failures[i] = r.what();
  }
}

std::string cell(const Task& task, const Task& reference) {
  if (!task.failure().empty()) return task.failure();
  const TimbreDistance d = timbre_distance(task.heard, reference.heard);
  return d.known() ? fmt::format("{:.0f} %, {:.1f} dB", 100 * d.centroid, d.level_dB) : "silent";
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari;
  using namespace jawari::bench;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]) == "--jobs" && i + 1 < argc)
      jobs = static_cast<unsigned>(std::max(1, std::atoi(argv[++i])));
    else
      wanted.emplace_back(argv[i]);
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(JAWARI_SCENES))
    if (file.path().extension() == ".toml" &&
        (wanted.empty() || std::find(wanted.begin(), wanted.end(), file.path().stem().string()) != wanted.end()))
      files.push_back(file.path());
  for (const auto& w : wanted)
    if (w.find(".toml") != std::string::npos) files.emplace_back(w);
  std::sort(files.begin(), files.end());
  struct Row {
    std::string name;
    int times;
    std::vector<Task> tasks;  // the reference last
  };
  std::vector<Row> rows;
  for (const auto& file : files) {
    Scene scene = read_scene(file.string()).scene;
    use_quality(scene, Quality::draft);
    const double from_s = first_motion_s(scene);
    scene.duration_s = std::min(scene.duration_s, from_s + most_s);
    int times = 16;
    while (times > 4 && work(reference_scene(scene, times)) > most_work) times /= 2;
    Row row{file.stem().string(), times, {}};
    for (const auto quality : {Quality::draft, Quality::standard, Quality::high}) {
      Scene s = scene;
      use_quality(s, quality);
      row.tasks.emplace_back(std::move(s));
    }
    row.tasks.emplace_back(reference_scene(scene, times));
    rows.push_back(std::move(row));
  }
  struct Item {
    Task* task;
    int start;
    double limit_hz, work;
  };
  std::vector<Item> items;
  for (auto& row : rows)
    for (auto& task : row.tasks)
      for (int start = 0; start < starts; ++start) {
        const double own = row.tasks[0].scene.rate_hz;
        items.push_back({&task, start, timbre_limit_hz(own, own), work(task.scene)});
      }
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.work > b.work; });
  std::atomic<std::size_t> next{0};
  const auto labour = [&] {
    for (std::size_t i = next++; i < items.size(); i = next++) play(*items[i].task, items[i].start, items[i].limit_hz);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < jobs; ++i) threads.emplace_back(labour);
  labour();
  for (auto& t : threads) t.join();
  fmt::print("| scene | draft | standard | high | reference |\n| --- | --- | --- | --- | --- |\n");
  for (const auto& row : rows) {
    fmt::print("| {} |", row.name);
    for (std::size_t i = 0; i + 1 < row.tasks.size(); ++i) fmt::print(" {} |", cell(row.tasks[i], row.tasks.back()));
    fmt::print(" {} kHz{} |\n", row.tasks.back().scene.rate_hz / 1000, row.tasks.back().failure());
  }
}
