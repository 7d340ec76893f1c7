// SPDX-License-Identifier: MIT
// The contacts of one step.  Nodes that may touch lie in few lanes: these write what they know to shared memory, a list
// of such nodes is made (ballots and sums of bits), and all lanes of the warp take a node of the list each, of any
// lane. Laws and schemes are those of contact/, scheme/ and couple/.
#pragma once
#include <cstdint>

#include "jawari/couple/contact_point.h"
#include "jawari/couple/single_port.h"
#include "warp/string_lanes.h"

namespace jawari::warp {

/// Shared memory of a warp.
template <class T, class Scheme, int n>
struct StringMemory {
  using State = typename Scheme::template StateOf<T>;
  // Of lanes that touch, a row each; when there are more, in rounds.
  static constexpr int rows = 16, cells = rows * n;
  alignas(16) T u[cells];  // after the solve what was lost there [J]
  alignas(16) T d[cells];  // after the solve the force [N]
  alignas(16) T change[cells];
  State state[lanes * n];
  StringNumbers<T> problem[most_groups];
  StringCoefficientsOf<T> a[most_groups];
  T force[most_groups][most_lines];  // of the lines, where they are heard [N]
  std::uint32_t dropped[lanes];      // nodes whose contact is over, a bit each
  int failed[most_groups];           // the step
  std::uint16_t list[cells];         // cell, and a bit above: it was kept
  std::uint8_t lane_of[rows];
};
inline constexpr std::uint32_t kept_bit = 0x8000;

/// Where the nodes of a lane go on the list, and how many there are in all.
template <int n, class W>
JAWARI_WARP int place_in_list(const W& warp, const typename W::template PerLane<std::uint32_t>& nodes,
                              typename W::template PerLane<int>& at) {
  int total = 0;
  typename W::template PerLane<bool> bit;
  warp.each([&](int l) { at[l] = 0; });
  JAWARI_UNROLL
  for (int b = 0; (1 << b) <= n; ++b) {
    warp.each([&](int l) { bit[l] = (bits_in(nodes[l]) >> b & 1) != 0; });
    const std::uint32_t voted = warp.ballot(bit);
    total += bits_in(voted) << b;
    warp.each([&](int l) { at[l] += bits_in(voted & ((1u << l) - 1)) << b; });
  }
  return total;
}

/// The line of a problem that a node belongs to.
template <class T>
JAWARI_WARP int line_of(const StringNumbers<T>& problem, int node) {
  int i = 0;
  while (i + 1 < problem.lines && node >= problem.line[i].first + problem.line[i].count) ++i;
  return i;
}

/// The sums of a lane.
template <class T>
JAWARI_WARP LaneSums& sums_of(const StringLaunch<T>& launch, int first_problem, int l) {
  return launch.sums[static_cast<std::size_t>(first_problem) * static_cast<std::size_t>(launch.width) +
                     static_cast<std::size_t>(l)];
}

/// One node: its port, its solve, its state.  True: nothing is left of the contact.
/// full: for accounts and forces that are heard.  sums: of the lane that has the node, where accounts are wanted.
template <bool full, class W, class Scheme, class T, int n>
JAWARI_WARP bool touch_node(const W& warp, LaneSums* sums, StringMemory<T, Scheme, n>& memory,
                            const StringLaunch<T>& launch, const LawSlot<T, Scheme>* laws, int first_problem, int cell,
                            int slot, bool kept, bool& failed) {
  const int group = slot / n / launch.width;
  const StringNumbers<T>& problem = memory.problem[group];
  const int number = line_of(problem, slot - group * launch.slots);
  const StringLine<T>& line = problem.line[number];
  const LawSlot<T, Scheme>& of = laws[launch.common_law != 0 ? 0 : line.law];
  const auto law = of.tables.law();
  const T offset = launch.offset[static_cast<std::size_t>(first_problem) * static_cast<std::size_t>(launch.slots) +
                                 static_cast<std::size_t>(slot)];
  const T change = memory.change[cell];
  const T d = memory.d[cell];
  const T s_free = 2 * d + change;
  const PortOf<T> port{offset + line.sign * memory.u[cell], line.sign * d, line.sign * s_free, problem.q};
  auto state = memory.state[slot];
  T f(0), lost(0);
  if (kept || may_touch(law, port) || of.scheme.holds(law, state)) {
    auto fixed = of.scheme.begin(law, port, state);
    T s(0);
    Outcome out;
    f = solve_single_port(of.scheme, law, fixed, port, s, out);
    if constexpr (requires { of.scheme.finish(law, fixed, s, f, state); })
      lost = of.scheme.finish(law, fixed, s, f, state);
    else
      lost = of.scheme.finish(law, fixed, s, state);
    failed = !out.settled || !(f - f == T(0));
    memory.state[slot] = state;
    T push = problem.q0 * (line.sign * f);
    push = push * problem.share;
    memory.change[cell] = change + push;
    if (full && sums)
      if (const double depth = static_cast<double>(port.y); depth > 0)
        warp.set_largest(sums->line[number].deepest_m, depth);
  }
  if constexpr (full) {
    memory.u[cell] = lost;
    memory.d[cell] = f;
  }
  if constexpr (Scheme::keeps_psi)
    return f == T(0);
  else
    return f == T(0) && !of.scheme.holds(law, state);
}

/// What the contacts of a lane have lost, and how they came and went.
template <class Scheme, class T, int n>
JAWARI_WARP void account_contacts(const StringMemory<T, Scheme, n>& memory, StringLane<T, n>& x, LaneSums& sums,
                                  const StringNumbers<T>& problem, int first_node, int row, std::uint32_t nodes) {
  std::uint32_t pushed = 0;
  for (std::uint32_t left = nodes; left != 0; left &= left - 1) {
    const int j = lowest_bit(left);
    const double f = jawari::abs(static_cast<double>(memory.d[row * n + j]));
    LineSums& line = sums.line[line_of(problem, first_node + j)];
    line.lost_J += static_cast<double>(memory.u[row * n + j]);
    line.largest_force_N = max_fast(f, line.largest_force_N);
    count_step(f != 0, (x.pushed >> j & 1) != 0, line.touching_steps, line.impacts);
    if (f != 0) pushed |= 1u << j;
  }
  x.pushed = pushed;
}

/// Nodes of the lanes of a round: to shared memory, and on the list.  Returns how many.
template <class W, class T, class Scheme, int n>
JAWARI_WARP int list_nodes(const W& warp, typename W::template PerLane<StringLane<T, n>>& lane,
                           const typename W::template PerLane<std::uint32_t>& nodes,
                           const typename W::template PerLane<int>& row, StringMemory<T, Scheme, n>& memory) {
  typename W::template PerLane<std::uint32_t> here;
  typename W::template PerLane<int> at;
  warp.each([&](int l) { here[l] = row[l] >= 0 && row[l] < memory.rows ? nodes[l] : 0; });
  const int listed = place_in_list<n>(warp, here, at);
  warp.each([&](int l) {
    if (here[l] == 0) return;
    const StringLane<T, n>& x = lane[l];
    const int first = row[l] * n;
    memory.lane_of[row[l]] = static_cast<std::uint8_t>(l);
    JAWARI_UNROLL
    for (int j = 0; j < n; ++j) {
      memory.u[first + j] = x.u[j];
      memory.d[first + j] = x.d[j];
      memory.change[first + j] = x.change[j];
    }
    int to = at[l];
    JAWARI_UNROLL
    for (int j = 0; j < n; ++j)
      if (here[l] >> j & 1)
        memory.list[to++] = static_cast<std::uint16_t>((first + j) | ((x.kept >> j & 1) != 0 ? kept_bit : 0u));
  });
  return listed;
}

/// The forces of a round to those of the step: point by point, as Probes does it.
template <class W, class T, class Scheme, int n>
JAWARI_WARP void add_forces(const W& warp, int width, StringMemory<T, Scheme, n>& memory, int listed) {
  warp.each([&](int l) {
    const int group = l / most_lines;
    if (group >= lanes / width) return;
    T& sum = memory.force[group][l % most_lines];
    for (int i = 0; i < listed; ++i) {
      const int cell = memory.list[i] & (kept_bit - 1);
      const int owner = memory.lane_of[cell / n];
      if (owner / width != group) continue;
      const int node = W::position(owner, width) * n + cell % n;
      if (line_of(memory.problem[group], node) == l % most_lines) sum = sum + memory.d[cell];
    }
  });
  warp.sync();
}

/// change of all nodes that touch.
template <bool full, class Scheme, class W, class T, int n>
JAWARI_WARP void touch(const W& warp, typename W::template PerLane<StringLane<T, n>>& lane,
                       StringMemory<T, Scheme, n>& memory, const StringLaunch<T>& launch,
                       const LawSlot<T, Scheme>* laws, int first_problem, int step) {
  typename W::template PerLane<std::uint32_t> nodes;
  typename W::template PerLane<int> row;
  typename W::template PerLane<bool> some;
  warp.each([&](int l) {
    StringLane<T, n>& x = lane[l];
    std::uint32_t near = x.near | x.kept;
    if constexpr (Scheme::acts_ahead) {
      T next[n];
      JAWARI_UNROLL
      for (int j = 0; j < n; ++j) next[j] = x.u[j] + (x.d[j] + x.change[j]);
      near |= x.before | x.reach.near(next);
    }
    nodes[l] = near;
    some[l] = near != 0;
  });
  if (full && launch.forces != 0) {
    warp.each([&](int l) {
      if (l < most_groups * most_lines) memory.force[l / most_lines][l % most_lines] = T(0);
    });
    warp.sync();
  }
  const std::uint32_t touching = warp.ballot(some);
  if (touching == 0) return;
  warp.each([&](int l) { row[l] = bits_in(touching & ((1u << l) - 1)); });
  for (int left = bits_in(touching); left > 0; left -= memory.rows) {
    const int listed = list_nodes(warp, lane, nodes, row, memory);
    warp.sync();
    for (int first = 0; first < listed; first += lanes)
      warp.each([&](int l) {
        if (first + l >= listed) return;
        const std::uint32_t entry = memory.list[first + l];
        const int cell = static_cast<int>(entry & (kept_bit - 1));
        const int owner = memory.lane_of[cell / n];
        bool failed = false;
        LaneSums* const sums = full && launch.accounts != 0 ? &sums_of(launch, first_problem, owner) : nullptr;
        const bool over = touch_node<full>(warp, sums, memory, launch, laws, first_problem, cell, owner * n + cell % n,
                                           (entry & kept_bit) != 0, failed);
        if (over) warp.set_bits(memory.dropped[owner], 1u << cell % n);
        if (failed) warp.set_least(memory.failed[owner / launch.width], step);
      });
    warp.sync();
    if (full && launch.forces != 0) add_forces(warp, launch.width, memory, listed);
    warp.each([&](int l) {
      const bool here = nodes[l] != 0 && row[l] >= 0 && row[l] < memory.rows;
      row[l] -= memory.rows;
      if (!here) return;
      StringLane<T, n>& x = lane[l];
      const int first = (row[l] + memory.rows) * n;
      JAWARI_UNROLL
      for (int j = 0; j < n; ++j) x.change[j] = memory.change[first + j];
      x.kept = nodes[l] & ~memory.dropped[l];
      memory.dropped[l] = 0;
      if (full && launch.accounts != 0) {
        const int group = l / launch.width;
        account_contacts(memory, x, sums_of(launch, first_problem, l), memory.problem[group],
                         W::position(l, launch.width) * n, row[l] + memory.rows, nodes[l]);
      }
    });
    warp.sync();
  }
}

}  // namespace jawari::warp
