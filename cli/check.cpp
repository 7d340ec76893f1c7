// SPDX-License-Identifier: MIT
// jawari check SCENE: what is wrong or risky, and how long it will take, before rendering.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "commands.h"
#include "jawari/engine/monitor.h"
#include "jawari/engine/run.h"
#include "jawari/io/scene_file.h"

namespace jawari::cli {
namespace {

int check(const std::string& scene, double seconds, Face&) {
  const SceneFile file = read_scene(scene);  // refuses with file, line, field, value
  const double before = thread_cpu_s();
  auto system = compile(file);
  const double set_up = thread_cpu_s() - before;
  const Scene& s = file.scene;
  fmt::print("{}: {:g} s at {:g} Hz{}\n", s.title.empty() ? scene : s.title, s.duration_s, s.rate_hz,
             s.oversample > 1 ? fmt::format(", {:g} steps per sample", s.oversample) : "");
  for (const auto& a : system->accounts())
    if (!a.contact) fmt::print("  {:<28} holds {:.3g} J at the start\n", a.name, a.stored_J);
  const auto reports = system->contacts();
  for (const auto& c : reports) fmt::print("  {:<28} {}, {}\n", c.name, c.law, c.why.empty() ? c.scheme : c.why);
  fmt::print("  heard:");
  for (const auto& t : system->track_list()) fmt::print(" {}", t.name);
  fmt::print("\n");
  system->audit_every(16);
  const std::int64_t all = step_count(s), steps = std::min<std::int64_t>(all, std::llround(seconds / system->dt_s()));
  const Run result = run(*system, steps);
  const double played = static_cast<double>(result.steps) * system->dt_s(), factor = played / std::max(result.cpu_s, 1e-9);
  fmt::print("  set-up {:.2g} s; {:.3g} times real time on this core: the whole takes about {:.2g} s\n", set_up, factor,
             s.duration_s / factor);
  if (factor < 1) fmt::print("  slower than real time: lower rate_hz or the number of modes, or shorten barriers (from_m, to_m)\n");
  double peak = 0;
  for (const double x : result.sound) peak = std::max(peak, std::abs(x));
  if (peak == 0) fmt::print("  nothing is heard in the first {:.2g} s: is something thrown, plucked or driven?\n", played);
  int status = success;
  const auto verdicts = judge(*system);
  static constexpr const char* words[] = {"note", "warning", "wrong"};
  for (const auto& v : verdicts) {
    fmt::print("  {}: {}\n", words[static_cast<int>(v.severity)], v.sentence);
    if (v.severity == Severity::failure) status = wrong_result;
  }
  if (verdicts.empty()) fmt::print("  nothing speaks against the first {:.2g} s\n", played);
  return status;
}

}  // namespace

void add_check(CLI::App& app, Job& job) {
  auto* command = app.add_subcommand("check", "Say what is wrong or risky in a scene, and how long it takes");
  auto scene = std::make_shared<std::string>();
  auto seconds = std::make_shared<double>(1.0);
  command->add_option("scene", *scene, "Scene file (TOML)")->required();
  command->add_option("--try", *seconds, "How much of it is tried [s]; 1 by default")->check(CLI::PositiveNumber);
  command->callback([&job, scene, seconds] { job = [scene, seconds](Face& face) { return check(*scene, *seconds, face); }; });
}

}  // namespace jawari::cli
