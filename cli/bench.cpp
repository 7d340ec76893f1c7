// SPDX-License-Identifier: MIT
// jawari bench SCENE: how many of this scene can this machine play in real time?
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "commands.h"
#include "jawari/engine/capacity.h"
#include "jawari/engine/part_shares.h"
#include "jawari/io/scene_file.h"
#include "jawari/registry.h"
#include "kernels_option.h"
#include "options.h"
#include "quality_option.h"
#include "scenes.h"

namespace jawari::cli {
namespace {

struct Options {
  std::string scene, below;
  std::vector<std::string> schemes;
  double seconds = 1;
  std::optional<double> from_s;
  bool json = false;
  Kernels kernels = Kernels::exact;
  std::optional<Quality> quality;
};

/// Schemes that every law of the scene takes.
std::vector<std::string> that_fit(const Scene& scene) {
  const auto laws = laws_of(scene);
  if (laws.empty())
    throw InputError("scene", "the scene has no contact and no barrier, but bench compares their schemes");
  std::vector<std::string> names;
  for (const auto name : schemes_for(laws[0])) {
    const bool all = std::all_of(laws.begin(), laws.end(), [&](const LawSpec& law) {
      const auto those = schemes_for(law);
      return std::find(those.begin(), those.end(), name) != those.end();
    });
    if (all && !scheme(name).complex_root_ends) names.emplace_back(name);
  }
  if (names.empty()) throw InputError("schemes", "no scheme fits every contact of the scene; name one with --schemes");
  return names;
}

/// Those that take most of the time of the scene as it is.
void print_shares(const PartShares& all) {
  constexpr std::size_t most = 12;
  fmt::print("Where the time goes, with the schemes of the scene:\n");
  double rest = all.ns_per_step;
  for (std::size_t i = 0; i < std::min(most, all.parts.size()); ++i) {
    fmt::print("{:>5.1f} %  {}\n", 100 * all.parts[i].ns_per_step / all.ns_per_step, all.parts[i].name);
    rest -= all.parts[i].ns_per_step;
  }
  fmt::print("{:>5.1f} %  all else\n", 100 * std::max(rest, 0.0) / all.ns_per_step);
}

int bench(const Options& o, Console& console) {
  check_option("--seconds", o.seconds, above(0), at_most(3600), "s");
  check_option("--from", o.from_s, at_least(0), at_most(3600), "s");
  SceneFile file = open_scene(o.scene, o.below);
  use_quality(file.scene, quality_of(file.scene, o.quality, Quality::draft));
  std::vector<std::string> names = o.schemes;
  for (const auto& name : names) scheme(name, "schemes");
  if (names.empty()) names = that_fit(file.scene);
  const auto go_on = [&](double share) {
    console.progress(share, o.scene);
    return !interrupted();
  };
  const double from_s = o.from_s ? *o.from_s : busiest_s(file.scene, o.seconds, o.kernels, go_on);
  const auto all = capacity(file.scene, names, o.seconds, go_on, o.kernels, from_s);
  const PartShares parts = part_shares(
      file.scene, o.seconds, o.kernels, [] { return !interrupted(); }, from_s);
  console.done();
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  if (o.json) {
    nlohmann::ordered_json out{{"rate_hz", file.scene.rate_hz},
                               {"steps_per_sample", steps_per_sample(file.scene)},
                               {"cores", cores},
                               {"from_s", from_s},
                               {"seconds", o.seconds},
                               {"schemes", nlohmann::json::array()},
                               {"parts", nlohmann::json::array()}};
    for (const auto& c : all)
      out["schemes"].push_back({{"scheme", c.scheme},
                                {"ns_per_step", c.ns_per_step},
                                {"at_once_per_core", c.real_time},
                                {"at_once_per_core_at_worst", c.at_worst},
                                {"failure", c.failure}});
    for (const auto& p : parts.parts)
      out["parts"].push_back({{"name", p.name}, {"share", p.ns_per_step / parts.ns_per_step}});
    fmt::print("{}\n", out.dump(2));
    return success;
  }
  fmt::print("How many of this scene play in real time at once ({:g} s of it from {:g} s on, {}):\n", o.seconds, from_s,
             quality_text(file.scene));
  fmt::print("{:<22} {:>10} {:>12} {:>14} {:>12}\n", "scheme", "ns/step", "on one core", "at its worst",
             fmt::format("on {} cores", cores));
  for (const auto& c : all)
    if (!c.failure.empty())
      fmt::print("{:<22} {}\n", c.scheme, c.failure);
    else if (c.ns_per_step == 0)
      fmt::print("{:<22} not finished\n", c.scheme);
    else
      fmt::print("{:<22} {:>10.0f} {:>12.1f} {:>14.1f} {:>12.1f}\n", c.scheme, c.ns_per_step, c.real_time, c.at_worst,
                 cores * c.real_time);
  print_shares(parts);
  return success;
}

}  // namespace

void add_bench(Command& app, Job& job) {
  auto command = app.add_subcommand("bench", "How many of this scene can this machine play in real time, per scheme");
  auto o = std::make_shared<Options>();
  command->add_option("scene", o->scene, "Scene file (TOML), or the name of a built-in scene")->required();
  command->add_option("--schemes", o->schemes, "Names, separated by commas; all that fit by default")->delimiter(',');
  command->add_option("--seconds", o->seconds, "Sound to play with each scheme [s]")->capture_default_str();
  command->add_option("--from", o->from_s,
                      "Where in the scene that sound begins [s]; by itself where most parts sound");
  add_kernels(*command, o->kernels);
  add_quality(*command, o->quality, Quality::draft);
  add_below(*command, o->below);
  command->add_flag("--json", o->json, "Machine-readable");
  command->callback([&job, o] { job = [o](Console& console) { return bench(*o, console); }; });
}

}  // namespace jawari::cli
