// SPDX-License-Identifier: MIT
#include "jawari/engine/capacity.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "jawari/core/param.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/run.h"

namespace jawari {
namespace {

constexpr long rounds = 5;

struct Runner {
  Capacity result;
  std::unique_ptr<System> system;
};

Runner prepare(Scene scene, const std::string& scheme, Kernels kernels) {
  Runner r;
  r.result.scheme = scheme;
  for (auto& c : scene.contacts) c.scheme = Choice{scheme};
  for (auto& b : scene.barriers) b.scheme = Choice{scheme};
  try {
    r.system = compile(scene, kernels), r.system->audit_every(256);
  } catch (const Refusal& refusal) {
    r.result.failure = refusal.what();
  }
  return r;
}

/// In blocks, as an engine does.
void play(System& system, long steps) {
  constexpr long block = 64;
  std::vector<std::vector<double>> sound(system.tracks(), std::vector<double>(block));
  std::vector<double*> tracks;
  for (auto& t : sound) tracks.push_back(t.data());
  for (long n = 0; n < steps && !system.failed(); n += block) system.play(std::min(block, steps - n), tracks.data());
}

}  // namespace

std::vector<Capacity> capacity(const Scene& scene, const std::vector<std::string>& schemes, double seconds,
                               const std::function<bool(double)>& go_on, Kernels kernels) {
  compile(scene);  // what is wrong with the scene itself is not a scheme's failure
  const long steps = std::max(1L, std::lround(seconds * scene.rate_hz / rounds));
  std::vector<Runner> runners;
  for (const auto& name : schemes) runners.push_back(prepare(scene, name, kernels));
  double done = 0;
  for (long round = 0; round < rounds; ++round)
    for (auto& r : runners) {
      if (go_on && !go_on(done++ / static_cast<double>(rounds * static_cast<long>(runners.size())))) break;
      if (!r.result.failure.empty()) continue;
      const double start = thread_cpu_s();
      play(*r.system, steps);
      const double ns = 1e9 * (thread_cpu_s() - start) / static_cast<double>(steps);
      if (r.system->failed()) r.result.failure = "the run failed";
      r.result.ns_per_step = r.result.ns_per_step == 0 ? ns : std::min(r.result.ns_per_step, ns);
      r.result.real_time = 1e9 / (scene.rate_hz * r.result.ns_per_step);
    }
  std::vector<Capacity> all;
  for (auto& r : runners) all.push_back(std::move(r.result));
  return all;
}

}  // namespace jawari
