// SPDX-License-Identifier: MIT
// jawari check SCENE: what is wrong or risky, and how long it will take, before rendering.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "commands.h"
#include "converge_option.h"
#include "jawari/engine/doubts.h"
#include "jawari/engine/monitor.h"
#include "jawari/engine/roots.h"
#include "jawari/engine/run.h"
#include "jawari/io/scene_file.h"
#include "options.h"
#include "quality_option.h"
#include "scenes.h"

namespace jawari::cli {
namespace {

struct Options {
  std::string scene, below;
  double seconds = 1;
  bool converge = false;
  std::optional<Quality> quality;
};

/// Enough to tell a second from an hour: a slow scene is not tried for longer than this.
constexpr double most_cpu_s = 10;

int check(const Options& o, Console& console) {
  check_option("--try", o.seconds, above(0), at_most(86400), "s");
  SceneFile file = open_scene(o.scene, o.below);  // refuses with file, line, field, value
  use_quality(file.scene, quality_of(file.scene, o.quality, Quality::standard));
  const double before = thread_cpu_s();
  auto system = compile(file);
  const double set_up = thread_cpu_s() - before;
  const Scene& s = file.scene;
  fmt::print("{}: {:g} s at {:g} Hz, {}\n", printable(s.title.empty() ? o.scene : s.title), s.duration_s, s.rate_hz,
             quality_text(s));
  for (const auto& a : system->accounts())
    if (!a.contact) fmt::print("  {:<28} holds {:.3g} J at the start\n", printable(a.name), a.stored_J);
  const auto reports = system->contacts();
  for (const auto& c : reports)
    fmt::print("  {:<28} {}, {}\n", printable(c.name), c.law, printable(c.why.empty() ? c.scheme : c.why));
  auto doubted = doubts(s, *system);
  for (const auto& r : check_roots(s, *system)) {
    const std::string line = fmt::format("contact \"{}\" has {}", r.contact, r.sentence);
    if (r.ends && r.share > 0)
      doubted.push_back(line);
    else
      fmt::print("  {}\n", printable(line));
  }
  fmt::print("  heard:");
  for (const auto& t : system->pickups()) fmt::print(" {}", printable(t.name));
  fmt::print("\n");
  system->audit_every(16);
  const std::int64_t all = step_count(s);
  const std::int64_t steps =
      std::max<std::int64_t>(1, std::llround(std::min(static_cast<double>(all), o.seconds / system->dt_s())));
  const double begun = thread_cpu_s();
  const Run result =
      run(*system, steps, {}, [&](std::int64_t) { return thread_cpu_s() - begun < most_cpu_s && !interrupted(); });
  const double played = static_cast<double>(result.steps) * system->dt_s(),
               factor = played / std::max(result.cpu_s, 1e-9);
  fmt::print("  set-up {:.2g} s; {:.3g} times real time on this core: the whole takes about {:.2g} s\n", set_up, factor,
             s.duration_s / factor);
  if (factor < 1)
    fmt::print("  slower than real time: lower rate_hz or the number of modes, or shorten barriers (from_m, to_m)\n");
  double peak = 0;
  for (const double x : result.sound) peak = std::max(peak, std::abs(x));
  if (peak == 0)
    fmt::print("  nothing is heard in the first {:.2g} s: is something thrown, plucked or driven?\n", played);
  for (const auto& sentence : doubted) fmt::print("  warning: {}\n", printable(sentence));
  int status = success;
  std::optional<Convergence> measured;
  if (o.converge) measured = measure(s, console);
  const auto verdicts = judge(s, *system, measured ? &*measured : nullptr);
  static constexpr const char* words[] = {"note", "warning", "wrong"};
  for (const auto& v : verdicts) {
    fmt::print("  {}: {}\n", words[static_cast<int>(v.severity)], printable(v.sentence));
    if (v.severity == Severity::failure) status = wrong_result;
  }
  const bool careful =
      std::any_of(verdicts.begin(), verdicts.end(), [](auto& v) { return v.severity != Severity::note; });
  if (!careful && doubted.empty())
    fmt::print("  good: nothing speaks against the first {:.2g} s. {}\n", played,
               in_favour(*system, measured ? &*measured : nullptr));
  return status;
}

}  // namespace

void add_check(Command& app, Job& job) {
  auto command = app.add_subcommand("check", "Say what is wrong or risky in a scene, and how long it takes");
  auto o = std::make_shared<Options>();
  command->add_option("scene", o->scene, "Scene file (TOML), or the name of a built-in scene")->required();
  command->add_option("--try", o->seconds, "How much of it is tried [s]; 1 by default");
  add_converge(*command, o->converge);
  add_quality(*command, o->quality, Quality::standard);
  add_below(*command, o->below);
  command->callback([&job, o] { job = [o](Console& console) { return check(*o, console); }; });
}

}  // namespace jawari::cli
