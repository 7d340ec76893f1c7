// SPDX-License-Identifier: MIT
#include "jawari/engine/capacity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "jawari/core/param.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/run.h"

namespace jawari {
namespace {

constexpr std::size_t stretches = 5;
constexpr double long_s = 1;  // of CPU time: what disturbs is small beside it

struct Runner {
  Capacity result;
  Scene scene;
  std::unique_ptr<System> system;
  std::array<double, stretches> least_s = {};  // of each stretch: they differ, as attack and decay do
};

void start(Runner& r, Kernels kernels) {
  try {
    r.system = compile(r.scene, kernels);
    r.system->audit_every(256);
  } catch (const InputError& error) {
    r.result.failure = error.what();
  }
}

void sum_up(Runner& r, std::int64_t steps, double rate_hz) {
  double sum = 0, most = 0;
  for (const double s : r.least_s) {
    sum += s;
    most = std::max(most, s);
  }
  const auto count = static_cast<double>(steps);
  r.result.ns_per_step = 1e9 * sum / (stretches * count);
  r.result.real_time = stretches * count / (rate_hz * sum);
  r.result.at_worst = count / (rate_hz * most);
}

/// In blocks, as an engine does.
void play(System& system, std::int64_t steps) {
  constexpr std::int64_t block = 64;
  std::vector<std::vector<double>> sound(system.pickup_count(), std::vector<double>(block));
  std::vector<double*> tracks;
  for (auto& t : sound) tracks.push_back(t.data());
  for (std::int64_t n = 0; n < steps && !system.failed(); n += block)
    system.play(std::min(block, steps - n), tracks.data());
}

}  // namespace

std::vector<Capacity> capacity(const Scene& scene, const std::vector<std::string>& schemes, double seconds,
                               const std::function<bool(double)>& go_on, Kernels kernels, double from_s) {
  compile(scene);  // what is wrong with the scene itself is not a scheme's failure
  const double rate_hz = step_rate_hz(scene);
  const std::int64_t before = std::llround(from_s * rate_hz);
  const std::int64_t steps = std::max<std::int64_t>(1, std::llround(seconds * rate_hz / stretches));
  std::vector<Runner> runners;
  for (const auto& name : schemes) {
    Runner& r = runners.emplace_back();
    r.result.scheme = name;
    r.scene = scene;
    r.least_s.fill(std::numeric_limits<double>::infinity());
    use_scheme(r.scene, {name});
  }
  const double all = 2.0 * stretches * static_cast<double>(runners.size());
  double done = 0;
  bool stopped = false;
  for (int round = 0; round < 2 && !stopped; ++round)
    for (std::size_t k = 0; k < stretches && !stopped; ++k)
      for (auto& r : runners) {
        if (go_on && !go_on(done++ / all)) {
          stopped = true;
          break;
        }
        if (!r.result.failure.empty() ||
            (round > 0 && r.result.ns_per_step * stretches * static_cast<double>(steps) > 1e9 * long_s))
          continue;
        if (k == 0) start(r, kernels);
        if (!r.system) continue;
        if (k == 0) play(*r.system, before);
        const double from = thread_cpu_s();
        play(*r.system, steps);
        r.least_s[k] = std::min(r.least_s[k], thread_cpu_s() - from);
        if (r.system->failed())
          r.result.failure = "the run failed: " + r.system->failure_text();
        else if (k + 1 == stretches)
          sum_up(r, steps, rate_hz);
      }
  std::vector<Capacity> results;
  for (auto& r : runners) {
    if (!r.result.failure.empty()) r.result = {.scheme = r.result.scheme, .failure = r.result.failure};
    results.push_back(std::move(r.result));
  }
  return results;
}

}  // namespace jawari
