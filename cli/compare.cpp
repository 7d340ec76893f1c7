// SPDX-License-Identifier: MIT
// jawari compare SCENE --schemes a,b,c --rates 1,2,4
#include "jawari/engine/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "jawari/engine/number_text.h"
#include "jawari/io/atomic_file.h"
#include "jawari/io/compare_report.h"
#include "jawari/io/scene_file.h"
#include "kernels_option.h"
#include "options.h"
#include "scenes.h"

namespace jawari::cli {
namespace {

struct Options {
  std::string scene, plot, below;
  std::vector<std::string> schemes;
  std::vector<int> rates{1, 2, 4};
  std::optional<double> duration;
  bool json = false;
  Kernels kernels = Kernels::exact;
};

nlohmann::json known(double x) { return x >= 0 ? nlohmann::json(x) : nlohmann::json(); }

int compare(const Options& o, Console& console) {
  check_duration(o.duration);
  if (!o.plot.empty()) check_output(o.plot);
  SceneFile file = open_scene(o.scene, o.below);
  if (o.duration) file.scene.duration_s = *o.duration;
  for (const int r : o.rates)
    if (r < 1 || r > 1024)
      throw InputError("rates", fmt::format("rates holds {}, but must hold whole numbers in [1, 1024]", r));
  std::vector<std::string> schemes = o.schemes;
  console.progress(0, "converged reference");
  Comparison result;
  try {
    if (schemes.empty()) schemes = comparable_schemes(file.scene);
    result = jawari::compare(
        file.scene, schemes, o.rates,
        [&](double share) {
          console.progress(share, o.scene);
          return !interrupted();
        },
        o.kernels);
  } catch (const InputError& r) {
    throw r.path() == "schemes" ? r : file.located(r);
  }
  console.done();
  if (!o.plot.empty()) {
    write_comparison(o.plot, file, result);
    console.say(fmt::format("{}: plot", o.plot));
  }
  if (o.json) {
    nlohmann::ordered_json out{{"reference", result.reference},
                               {"reference_change", result.reference_change},
                               {"reference_centroid_change", known(result.reference_heard.centroid)},
                               {"reference_level_change_dB", known(result.reference_heard.level_dB)},
                               {"entries", nlohmann::json::array()}};
    for (const auto& e : result.entries)
      out["entries"].push_back({{"scheme", e.scheme},
                                {"rate_hz", e.rate_hz},
                                {"error", e.failure.empty() ? nlohmann::json(e.error) : nlohmann::json()},
                                {"centroid_error", known(e.heard.centroid)},
                                {"level_error_dB", known(e.heard.level_dB)},
                                {"failure", e.failure},
                                {"energy_imbalance", e.imbalance},
                                {"samples_per_contact", e.samples},
                                {"iterations", e.iterations},
                                {"ns_per_step", e.ns_per_step},
                                {"real_time_factor", e.real_time}});
    fmt::print("{}\n", out.dump(2));
    return success;
  }
  fmt::print("{:<22} {:>10} {:>10} {:>9} {:>9} {:>10} {:>9} {:>7} {:>9}\n", "scheme", "rate [Hz]", "error", "centroid",
             "levels", "energy", "samples", "solves", "ns/step");
  for (const auto& e : result.entries)
    fmt::print("{:<22} {:>10g} {:>10} {:>9} {:>9} {:>10.1e} {:>9g} {:>7.1f} {:>9.1f}\n", e.scheme, e.rate_hz,
               e.failure.empty() ? fmt::format("{:.2e}", e.error) : "failed", percent(e.heard.centroid),
               decibels(e.heard.level_dB), e.imbalance, e.samples, e.iterations, e.ns_per_step);
  console.say(fmt::format("error: rms distance to {} over the rms motion; the reference itself is good to about {:.1e}",
                          result.reference, result.reference_change));
  if (result.reference_heard.known())
    console.say(fmt::format(
        "centroid and levels: what is heard, rms over windows of 0.1 s and third octaves, mean of two starts "
        "that differ by 1e-6; the reference is good to about {} and {}",
        percent(result.reference_heard.centroid), decibels(result.reference_heard.level_dB)));
  return success;
}

}  // namespace

void add_compare(Command& app, Job& job) {
  auto command = app.add_subcommand("compare", "Run a scene with many schemes and rates against a converged reference");
  auto o = std::make_shared<Options>();
  command->add_option("scene", o->scene, "Scene file (TOML), or the name of a built-in scene")->required();
  command->add_option("--schemes", o->schemes, "Names, separated by commas; all that fit by default")->delimiter(',');
  command->add_option("--rates", o->rates, "Multiples of the scene's rate")->delimiter(',')->capture_default_str();
  command->add_option("--duration", o->duration, "Length instead of the scene's [s]");
  command->add_option("--plot", o->plot, "HTML page with the table and the plot of error over rate and cost");
  add_kernels(*command, o->kernels);
  add_below(*command, o->below);
  command->add_flag("--json", o->json, "Machine-readable");
  command->callback([&job, o] { job = [o](Console& console) { return compare(*o, console); }; });
}

}  // namespace jawari::cli
