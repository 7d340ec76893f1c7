// SPDX-License-Identifier: MIT
// A kernel in the place of a string on a grid and of the barrier along it, as a world uses it (world_kernel.cpp).
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "jawari/engine/world.h"
#include "jawari/kernel/string_kernel.h"
#include "lone_kernel.h"

namespace jawari {

struct World::Stand {
  static constexpr std::int64_t most_steps = 256;  ///< at once
  struct Pushed {
    std::size_t index, tap;  ///< of the drive
    StringGrid::Spread at;
    std::vector<double> force_N;
  };
  std::size_t body = none, contact = none, solver = none;
  StringGrid* string = nullptr;                 ///< null: a lone kernel
  ContactLine* line = nullptr;                  ///< null: no barrier
  std::unique_ptr<StringKernel> kernel, spare;  ///< null: none fits (the scheme "auto" has changed to)
  std::unique_ptr<LoneKernel> lone;             ///< instead of the two, for a body that meets nobody else
  bool retired = false;                         ///< the body was changed so that its lone kernel does not fit
  std::vector<std::size_t> taps;                ///< where contacts solved elsewhere meet the string
  std::vector<Pushed> drives;
  std::vector<std::size_t> pickups, readings;  ///< readings: taps whose double step is shown after a block
  std::vector<StringDrive> pushes;
  std::vector<StringListener> listeners;  ///< pickups, then taps, then readings
  std::vector<StringForce> forces;
  std::vector<double> steps_m;            ///< double step of every tap
  std::vector<LoneKernel::Drive> lone_drives;
  std::vector<LoneKernel::Listener> lone_listeners;
  bool holds = false;                     ///< the state is the kernel's
  bool ahead = false;                     ///< of what string, line and books show

  bool plays() const noexcept { return kernel || (lone && !retired); }
  std::uint64_t unsettled() const noexcept { return lone ? lone->unsettled() : kernel->record().unsettled; }
  void reserve(Body& its) {
    if (lone) {
      for (const auto& d : drives) lone_drives.push_back({d.tap, d.force_N.data()});
      lone_listeners.resize(pickups.size());
      for (const auto t : readings) lone_listeners.push_back({t, StringListener::double_step, &its.s[t]});
      return;
    }
    steps_m.resize(taps.size()), listeners.resize(pickups.size() + taps.size());
    for (std::size_t i = 0; i < taps.size(); ++i)
      listeners[pickups.size() + i] = {string->at(taps[i]), StringListener::double_step, &steps_m[i]};
    for (const auto t : readings) listeners.push_back({string->at(t), StringListener::double_step, &its.s[t]});
    for (const auto& d : drives) pushes.push_back({d.at, d.force_N.data()});
    forces.reserve(4 * taps.size());
  }
  void push(std::size_t drive, double force_N) noexcept {
    for (auto& d : drives)
      if (d.index == drive) d.force_N[0] = force_N;
  }
  void look() noexcept {
    for (const auto t : taps) {
      const StringLook l = kernel->look(string->at(t), pushes);
      string->w[t] = l.w, string->d[t] = l.d, string->s_free[t] = l.s_free;
    }
  }
  /// The forces on the taps, by nodes: in the order of StringGrid::advance().
  void collect() noexcept {
    forces.clear();
    const GridNumbers a = string->numbers();
    for (const auto t : taps) {
      const double force = std::exchange(string->force[t], 0.0);
      if (force == 0) continue;
      const auto at = string->at(t);
      for (std::size_t i = 0; i < at.count; ++i) {
        const double push = t < string->nodes() ? a.q0 * force : a.q0 * at.weight[i] * force;
        const std::size_t node = at.first + i;
        const auto there = std::find_if(forces.begin(), forces.end(), [&](auto& f) { return f.node == node; });
        if (there == forces.end()) forces.push_back({node, push});
        else there->push_m += push;  // summed before the product, as there
      }
    }
    const double share = 1 / (1 + a.s0);
    for (auto& f : forces) f.push_m *= share;
  }
  /// last: of a block, one step.
  void run(std::size_t steps, bool last) noexcept {
    ahead = true;
    if (lone) return lone->run(steps, lone_drives, std::span(lone_listeners).first(pickups.size() + (last ? readings.size() : 0)));
    const std::size_t heard = pickups.size() + (steps == 1 ? taps.size() : 0) + (last ? readings.size() : 0);
    kernel->run(steps, pushes, {listeners.data(), heard}, forces);
    forces.clear();
  }
  void pushed() noexcept {
    for (std::size_t i = 0; i < taps.size(); ++i) string->s[taps[i]] = steps_m[i];
  }
};

}  // namespace jawari
