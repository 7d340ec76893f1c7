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
  const auto play_to = [&](std::int64_t end) {
    const std::int64_t first = done;
    for (; done < end && (!go_on || go_on()); done += block) {
      run.control.announce(done, block);
      for (std::size_t u = 0; u < run.stepper.units(); ++u) run.stepper.play(u, 0, block, block, tracks.data());
      run.control.block_done();
    }
    return done - first;
  };
  play_to(std::llround(from_s / model->dt_s));
  run.stepper.set_times(&times);
  const double start = thread_cpu_s();
  const std::int64_t steps = play_to(done + std::max<std::int64_t>(block, std::llround(seconds / model->dt_s)));
  const auto count = static_cast<double>(std::max<std::int64_t>(steps, 1));
  PartShares shares{1e9 * (thread_cpu_s() - start) / count};
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
