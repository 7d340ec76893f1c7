// SPDX-License-Identifier: MIT
// Which bodies each of several threads steps, where one group has most of the work.
#include <algorithm>
#include <numeric>

#include "jawari/body/modal.h"
#include "stepper.h"

namespace jawari {
namespace {

// About what steps take on one core [ns].
constexpr double least_shared = 3000;  // two waits for each other take a fifth of this
constexpr double most_of_all = 0.75;

double step_ns(const Body& body) {
  const auto taps = static_cast<double>(body.taps());
  const auto* modal = dynamic_cast<const ModalBody*>(&body);
  if (!modal) return 200 + 4 * taps;
  const double rows = modal->tap_rules().together ? taps / 8 : taps / 2;
  return 50 + static_cast<double>(modal->modes()) * (4 + rows);
}

}  // namespace

Crew* Stepper::share(std::size_t threads) {
  crew_.reset();
  if (threads < 2 || model_.groups.empty()) return nullptr;
  std::vector<double> ns(model_.bodies.size());
  std::vector<double> of_group(model_.groups.size(), 0.0);
  for (std::size_t b = 0; b < ns.size(); ++b) {
    ns[b] = step_ns(*instance_.bodies[b].body);
    of_group[model_.group_of_body[b]] += ns[b];
  }
  const auto largest = std::max_element(of_group.begin(), of_group.end());
  if (*largest < least_shared || *largest < most_of_all * std::accumulate(of_group.begin(), of_group.end(), 0.0))
    return nullptr;
  crew_group_ = static_cast<std::size_t>(largest - of_group.begin());
  auto bodies = model_.groups[crew_group_].bodies;
  for (const auto b : bodies)
    if (const auto* s = kernels_.binding(b); s && kernels_.shared(s->kernel).bodies.size() > 1) return nullptr;
  std::stable_sort(bodies.begin(), bodies.end(), [&](auto a, auto b) { return ns[a] > ns[b]; });
  crew_bodies_.assign(threads, {});
  std::vector<double> load(threads, 0.0);
  for (const auto b : bodies) {
    const auto least = static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
    load[least] += ns[b];
    crew_bodies_[least].push_back(b);
  }
  for (auto& list : crew_bodies_) std::sort(list.begin(), list.end());
  if (*std::max_element(load.begin(), load.end()) > most_of_all * *largest) return nullptr;
  crew_ = std::make_unique<Crew>(threads);
  return crew_.get();
}

}  // namespace jawari
