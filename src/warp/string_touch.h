// SPDX-License-Identifier: MIT
// The contacts of one step.  Nodes that may touch lie in few lanes: these write what they know to shared memory, a list
// of such nodes is made (ballots and sums of bits), and all lanes of the warp take a node of the list each, whoever's
// it is.  Laws and schemes are those of contact/, scheme/ and couple/.
#pragma once
#include <cstdint>

#include "jawari/couple/single_port.h"
#include "warp/string_lanes.h"

namespace jawari::warp {

/// Shared memory of a warp.
template <class T, class Scheme, int n>
struct StringMemory {
  using State = typename Scheme::template StateOf<T>;
  static constexpr int slots = lanes * n;
  alignas(16) T u[slots];  // of nodes on the list; after the solve what was lost there [J]
  alignas(16) T d[slots];  // after the solve the force [N]
  alignas(16) T change[slots];
  State state[slots];
  StringNumbers<T> problem[most_groups];
  StringCoefficientsOf<T> a[most_groups];
  LaneSums sums[lanes];
  std::uint32_t dropped[lanes];  // nodes whose contact is over, a bit each
  int failed[most_groups];       // the step
  std::uint16_t list[slots];     // slot, and a bit above: it was kept
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
JAWARI_WARP const StringLine<T>& line_at(const StringNumbers<T>& problem, int node) {
  int i = 0;
  while (i + 1 < problem.lines && node >= problem.line[i].first + problem.line[i].count) ++i;
  return problem.line[i];
}

/// One node: its port, its solve, its state.  True: nothing is left of the contact.
template <class Scheme, class T, int n>
JAWARI_WARP bool touch_node(StringMemory<T, Scheme, n>& memory, const StringLaunch<T>& launch,
                            const LawSlot<T, Scheme>* laws, int first_problem, int slot, bool kept, bool& failed) {
  const int group = slot / n / launch.width;
  const int node = slot - group * launch.slots;
  const StringNumbers<T>& problem = memory.problem[group];
  const StringLine<T>& line = line_at(problem, node);
  const LawSlot<T, Scheme>& of = laws[launch.common_law != 0 ? 0 : line.law];
  const auto law = of.tables.law();
  const T offset = launch.offset[static_cast<std::size_t>(first_problem) * static_cast<std::size_t>(launch.slots) +
                                 static_cast<std::size_t>(slot)];
  const T change = memory.change[slot];
  const T d = memory.d[slot];
  const T s_free = 2 * d + change;
  const PortOf<T> port{offset + line.sign * memory.u[slot], line.sign * d, line.sign * s_free, problem.q};
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
    memory.change[slot] = change + push;
  }
  if (launch.accounts != 0) memory.u[slot] = lost;
  if (launch.accounts != 0 || launch.forces != 0) memory.d[slot] = f;
  if constexpr (Scheme::keeps_psi)
    return f == T(0);
  else
    return f == T(0) && !of.scheme.holds(law, state);
}

/// What the contacts of a lane have lost, and how they came and went.
template <class Scheme, class T, int n>
JAWARI_WARP void account_contacts(StringMemory<T, Scheme, n>& memory, StringLane<T, n>& x, int l, std::uint32_t nodes) {
  LaneSums& sums = memory.sums[l];
  std::uint32_t pushed = 0;
  for (std::uint32_t left = nodes; left != 0; left &= left - 1) {
    const int j = lowest_bit(left);
    const double f = jawari::abs(static_cast<double>(memory.d[l * n + j]));
    sums.lost_in_contact_J += static_cast<double>(memory.u[l * n + j]);
    if (f != 0) pushed |= 1u << j;
    if (f > sums.largest_force_N) sums.largest_force_N = f;
  }
  sums.touching_steps += bits_in(pushed);
  sums.impacts += bits_in(x.pushed & ~pushed);
  x.pushed = pushed;
}

/// change of all nodes that touch.  Returns how many were near: the length of the list.
template <class Scheme, class W, class T, int n>
JAWARI_WARP int touch(const W& warp, typename W::template PerLane<StringLane<T, n>>& lane,
                      StringMemory<T, Scheme, n>& memory, const StringLaunch<T>& launch, const LawSlot<T, Scheme>* laws,
                      int first_problem, int step) {
  typename W::template PerLane<std::uint32_t> nodes;
  typename W::template PerLane<int> at;
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
  if (!warp.any(some)) return 0;
  const int listed = place_in_list<n>(warp, nodes, at);
  warp.each([&](int l) {
    if (nodes[l] == 0) return;
    const StringLane<T, n>& x = lane[l];
    JAWARI_UNROLL
    for (int j = 0; j < n; ++j) {
      memory.u[l * n + j] = x.u[j];
      memory.d[l * n + j] = x.d[j];
      memory.change[l * n + j] = x.change[j];
    }
    int to = at[l];
    JAWARI_UNROLL
    for (int j = 0; j < n; ++j)
      if (nodes[l] >> j & 1)
        memory.list[to++] = static_cast<std::uint16_t>((l * n + j) | ((x.kept >> j & 1) != 0 ? kept_bit : 0u));
  });
  warp.sync();
  for (int first = 0; first < listed; first += lanes)
    warp.each([&](int l) {
      if (first + l >= listed) return;
      const std::uint32_t entry = memory.list[first + l];
      const int slot = static_cast<int>(entry & (kept_bit - 1));
      bool failed = false;
      const bool over = touch_node<Scheme>(memory, launch, laws, first_problem, slot, (entry & kept_bit) != 0, failed);
      if (over) warp.set_bits(memory.dropped[slot / n], 1u << slot % n);
      if (failed) warp.set_least(memory.failed[slot / n / launch.width], step);
    });
  warp.sync();
  warp.each([&](int l) {
    if (nodes[l] == 0) return;
    StringLane<T, n>& x = lane[l];
    JAWARI_UNROLL
    for (int j = 0; j < n; ++j) x.change[j] = memory.change[l * n + j];
    x.kept = nodes[l] & ~memory.dropped[l];
    memory.dropped[l] = 0;
    if (launch.accounts != 0) account_contacts(memory, x, l, nodes[l]);
  });
  return listed;
}

}  // namespace jawari::warp
