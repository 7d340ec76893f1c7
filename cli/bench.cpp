// SPDX-License-Identifier: MIT
// jawari bench SCENE: how many of this scene can this machine play in real time?
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "commands.h"
#include "kernels_option.h"
#include "jawari/engine/capacity.h"
#include "jawari/io/scene_file.h"
#include "jawari/registry.h"

namespace jawari::cli {
namespace {

struct Options {
  std::string scene;
  std::vector<std::string> schemes;
  double seconds = 1;
  bool json = false;
  Kernels kernels = Kernels::exact;
};

int bench(const Options& o, Face& face) {
  const SceneFile file = read_scene(o.scene);
  if (!(o.seconds > 0 && o.seconds <= 3600))
    throw Refusal("seconds", fmt::format("seconds is {:g}, but must lie in (0, 3600]", o.seconds));
  std::vector<std::string> names = o.schemes;
  for (const auto& name : names) scheme(name, "schemes");
  if (names.empty()) {
    const auto& scene = file.scene;
    const Choice* law = !scene.barriers.empty() ? &scene.barriers[0].law : !scene.contacts.empty() ? &scene.contacts[0].law : nullptr;
    if (!law) throw Refusal("scene", "the scene has no contact and no barrier, but bench compares their schemes");
    for (const auto name : schemes_for(*law))
      if (name != "taylor-strict") names.emplace_back(name);
  }
  const auto all = capacity(file.scene, names, o.seconds, [&](double share) {
    face.progress(share, o.scene);
    return !interrupted();
  }, o.kernels);
  face.done();
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  if (o.json) {
    nlohmann::ordered_json out{{"rate_hz", file.scene.rate_hz}, {"cores", cores}, {"schemes", nlohmann::json::array()}};
    for (const auto& c : all)
      out["schemes"].push_back({{"scheme", c.scheme}, {"ns_per_step", c.ns_per_step}, {"at_once_per_core", c.real_time}, {"failure", c.failure}});
    fmt::print("{}\n", out.dump(2));
    return success;
  }
  fmt::print("{:<22} {:>10} {:>14} {:>14}\n", "scheme", "ns/step", "at once, core", fmt::format("{} cores", cores));
  for (const auto& c : all)
    if (c.failure.empty())
      fmt::print("{:<22} {:>10.0f} {:>14.1f} {:>14.1f}\n", c.scheme, c.ns_per_step, c.real_time, cores * c.real_time);
    else
      fmt::print("{:<22} {}\n", c.scheme, c.failure);
  return success;
}

}  // namespace

void add_bench(CLI::App& app, Job& job) {
  auto* command = app.add_subcommand("bench", "How many of this scene can this machine play in real time, per scheme");
  auto o = std::make_shared<Options>();
  command->add_option("scene", o->scene, "Scene file (TOML)")->required();
  command->add_option("--schemes", o->schemes, "Names, separated by commas; all that fit by default")->delimiter(',');
  command->add_option("--seconds", o->seconds, "Sound to play with each scheme [s]")->capture_default_str();
  add_kernels(*command, o->kernels);
  command->add_flag("--json", o->json, "Machine-readable");
  command->callback([&job, o] { job = [o](Face& face) { return bench(*o, face); }; });
}

}  // namespace jawari::cli
