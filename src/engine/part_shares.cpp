// SPDX-License-Identifier: MIT
#include "jawari/engine/part_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "jawari/core/denormals.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/run.h"
#include "world_run.h"

namespace jawari {
namespace {

double time_of_the_clock() noexcept {
  StepTimes nothing{{0}, {}, 0};
  double least = std::numeric_limits<double>::max();
  for (int round = 0; round < 20; ++round) {
    nothing.body_ns[0] = 0;
    for (int i = 0; i < 100; ++i) timed(&nothing, &StepTimes::body_ns, 0, [] {});
    least = std::min(least, nothing.body_ns[0] / 100);
  }
  return least;
}

/// sum + to - from, of every part.
void add_difference(StepTimes& sum, const StepTimes& to, const StepTimes& from) noexcept {
  for (std::size_t i = 0; i < sum.body_ns.size(); ++i) sum.body_ns[i] += to.body_ns[i] - from.body_ns[i];
  for (std::size_t i = 0; i < sum.island_ns.size(); ++i) sum.island_ns[i] += to.island_ns[i] - from.island_ns[i];
}

std::string name_of(const Model& model, const IslandInfo& island) {
  constexpr std::size_t most = 3;
  std::string name;
  for (std::size_t i = 0; i < std::min(most, island.contacts.size()); ++i)
    name += (i > 0 ? ", " : "") + model.contacts[island.contacts[i]].name;
  if (island.contacts.size() > most) name += fmt::format(" and {} more", island.contacts.size() - most);
  return name;
}

}  // namespace

PartShares part_shares(const Scene& scene, double seconds, Kernels kernels, const std::function<bool()>& go_on,
                       double from_s) {
  constexpr std::int64_t block = 64;
  const auto model = compile_model(scene, kernels);
  Instance instance(*model->start);
  WorldRun run(*model, instance);
  run.accounts.begin();
  StepTimes times{std::vector<double>(model->bodies.size()), std::vector<double>(model->islands.size()), 0};
  times.clock_ns = time_of_the_clock();
  std::vector<std::vector<double>> sound(model->pickups.size(), std::vector<double>(block));
  std::vector<double*> tracks;
  for (auto& t : sound) tracks.push_back(t.data());
  const FlushDenormals flush;
  std::int64_t done = 0;
  const auto play_block = [&] {
    run.control.announce(done, block);
    for (std::size_t u = 0; u < run.stepper.units(); ++u) run.stepper.play(u, 0, block, block, tracks.data());
    run.control.block_done();
    done += block;
  };
  const std::int64_t from = std::llround(from_s / model->dt_s);
  while (done < from && (!go_on || go_on())) play_block();
  run.stepper.set_times(&times);
  const std::int64_t to = done + std::max<std::int64_t>(block, std::llround(seconds / model->dt_s));
  StepTimes kept = times;
  double all_ns = 0, kept_ns = 0, all_steps = 0, kept_steps = 0;
  while (done < to && (!go_on || go_on())) {
    const StepTimes before = times;
    const double wall_ns = StepTimes::now_ns(), cpu_s = thread_cpu_s();
    play_block();
    const double cpu_ns = 1e9 * (thread_cpu_s() - cpu_s), took_ns = StepTimes::now_ns() - wall_ns;
    all_ns += took_ns;
    all_steps += block;
    if (took_ns > 1.2 * cpu_ns) continue;  // another thread had the core: its time would count as that of a part
    add_difference(kept, times, before);
    kept_ns += took_ns;
    kept_steps += block;
  }
  if (kept_steps > 0) times = kept;
  const double count = std::max(kept_steps > 0 ? kept_steps : all_steps, 1.0);
  PartShares shares{(kept_steps > 0 ? kept_ns : all_ns) / count};
  for (std::size_t b = 0; b < model->bodies.size(); ++b) {
    const KernelSet::Binding* binding = run.kernels.binding(b);
    std::string name = model->bodies[b].name;
    if (binding && binding->contact != no_index) name += ", " + model->contacts[binding->contact].name;
    shares.parts.push_back({std::move(name), times.body_ns[b] / count});
  }
  for (std::size_t i = 0; i < model->islands.size(); ++i)
    if (!run.kernels.owns(model->islands[i].contacts[0]))
      shares.parts.push_back({name_of(*model, model->islands[i]), times.island_ns[i] / count});
  std::stable_sort(shares.parts.begin(), shares.parts.end(),
                   [](const PartShare& a, const PartShare& b) { return a.ns_per_step > b.ns_per_step; });
  return shares;
}

}  // namespace jawari
