// SPDX-License-Identifier: MIT
// Strings that fall silent, where Control lets a group sleep: from then on they are at rest and cost nothing.  Tested
// before the first step of a launch, on what lies in the memory of the device; the sums of a string that may be silent
// are those of the reference path, in its order.
#pragma once
#include <cstddef>

#include "warp/string_problem.h"
#include "warp/string_touch.h"

namespace jawari::warp {

template <class T>
JAWARI_WARP std::size_t node_index(const StringLaunch<T>& launch, int problem, int node) {
  return static_cast<std::size_t>(problem) * static_cast<std::size_t>(launch.slots) + static_cast<std::size_t>(node);
}

/// The nodes from `begin` to before `end`; node number `nodes` is the support behind the last one.
template <class T>
JAWARI_WARP StringEnergySums energy_sums(const StringLaunch<T>& launch, int problem, int begin, int end) {
  const int nodes = launch.problem[problem].numbers.nodes;
  StringEnergySums sums;
  const int from = begin < 2 ? 0 : begin - 2;  // two nodes before: slope and curvature
  for (int i = from; i < end && i <= nodes; ++i) {
    if (i == begin) sums.motion = sums.shear = sums.tense = sums.twist = sums.bent = 0;
    const std::size_t at = node_index(launch, problem, i);
    const double u = i < nodes ? static_cast<double>(launch.u[at]) : 0.0;
    const double d = i < nodes ? static_cast<double>(launch.d[at]) : 0.0;
    sums.add(u, d, i == 0);
  }
  if (begin > nodes) sums = StringEnergySums{};
  return sums;
}

/// As Control::silent(): nothing is stored and nothing pushes, or nothing would push at rest.
template <class Scheme, class T>
JAWARI_WARP bool is_silent(const StringLaunch<T>& launch, const LawSlot<T, Scheme>* laws, int problem, int per_lane,
                           const StringLine<T>& line) {
  using State = typename Scheme::template StateOf<T>;
  const LawSlot<T, Scheme>& of = laws[launch.common_law != 0 ? 0 : line.law];
  const auto law = of.tables.law();
  const State* const states = static_cast<const State*>(launch.state);
  double stored = 0;
  bool pushes = false, pushes_at_rest = false;
  for (int node = line.first; node < line.first + line.count; ++node) {
    const std::size_t at = node_index(launch, problem, node);
    stored += static_cast<double>(of.scheme.energy(law, states[at]));
    const std::size_t lane = static_cast<std::size_t>(problem) * static_cast<std::size_t>(launch.width) +
                             static_cast<std::size_t>(node / per_lane);
    pushes = pushes || (launch.masks[lane * 2] >> node % per_lane & 1) != 0;
    pushes_at_rest = pushes_at_rest || law.force(launch.offset[at]) != T(0);
  }
  if (stored == 0 && !pushes) return true;
  return stored <= launch.silent_J && stored >= -launch.silent_J && !pushes_at_rest;
}

/// Marks the strings of a warp, from `first` on, that fall silent before this launch.
template <class Scheme, int n, class W, class T>
JAWARI_WARP void fall_silent(const W& warp, const StringLaunch<T>& launch, const LawSlot<T, Scheme>* laws, int first) {
  if (launch.sleep_steps == 0 || launch.first_step % launch.sleep_steps != 0) return;
  typename W::template PerLane<double> energy;
  warp.each([&](int l) {
    energy[l] = 0;
    const int problem = first + l / launch.width;
    if (problem >= launch.problems) return;
    const int begin = W::position(l, launch.width) * n;
    const bool last = W::position(l, launch.width) == launch.width - 1;
    energy[l] = energy_sums(launch, problem, begin, begin + n + (last ? 1 : 0)).total_J(launch.problem[problem].energy);
  });
  warp.sum(energy, launch.width);
  warp.each([&](int l) {
    const int problem = first + l / launch.width;
    if (W::position(l, launch.width) != 0 || problem >= launch.problems || !(energy[l] < 2 * launch.silent_J)) return;
    const StringProblem<T>& of = launch.problem[problem];
    if (launch.progress[problem].idle != 0) return;
    if (!(energy_sums(launch, problem, 0, of.numbers.nodes + 1).total_J(of.energy) < launch.silent_J)) return;
    for (int i = 0; i < of.numbers.lines; ++i)
      if (!is_silent(launch, laws, problem, n, of.numbers.line[i])) return;
    launch.progress[problem].idle = launch.first_step + 1;
  });
  warp.sync();
}

}  // namespace jawari::warp
