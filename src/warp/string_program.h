// SPDX-License-Identifier: MIT
// Strings over barriers, a warp for one of them or for several short ones, for any number of steps: the free step
// (string_lanes.h), the contacts (string_touch.h), what is heard (string_taps.h).  State in registers, contacts and
// taps in shared memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>

#include "warp/string_sleep.h"
#include "warp/string_taps.h"
#include "warp/string_touch.h"

namespace jawari::warp {

/// full: with accounts, forces of contacts that are heard, snapshots.  Without, fewer registers are needed.
template <class W, class T, class Scheme, int n, bool full>
class StringProgram {
  template <class X>
  using PerLane = typename W::template PerLane<X>;
  using Lane = StringLane<T, n>;
  using Memory = StringMemory<T, Scheme, n>;
  using State = typename Memory::State;
  using Slot = LawSlot<T, Scheme>;

 public:
  /// Bytes of shared memory behind Memory that the taps of a warp need.
  static constexpr std::size_t ring_bytes(int width, int reads, int keep) {
    const auto pickups = static_cast<std::size_t>(lanes / width * reads);
    const std::size_t rings = pickups * tap_nodes * 2 * static_cast<std::size_t>(keep + 1) * sizeof(T);
    const std::size_t segments = static_cast<std::size_t>(reads * lanes) * sizeof(std::uint16_t);
    return (rings + segments + 15) / 16 * 16;
  }

  /// The problems from `first` on, as many as the warp has groups of lanes.
  static JAWARI_WARP void run(const W& warp, const StringLaunch<T>& launch, Memory& memory, void* ring_memory,
                              const Slot* laws, int first) {
    PerLane<Lane> lane;
    PerLane<std::uint32_t> heard;
    PerLane<bool> loses, moves;
    const int groups = lanes / launch.width;
    const TapRings<T> rings = place_rings(launch, ring_memory, groups);
    fall_silent<Scheme, n>(warp, launch, laws, first);
    load(warp, launch, memory, first);
    warp.sync();
    warp.each([&](int l) { load(launch, lane[l], memory, laws, first + l / launch.width, l); });
    warp.each([&](int l) {
      heard[l] = prepare_taps(launch, lane[l], rings, first + l / launch.width, l);
      const StringNumbers<T>& problem = memory.problem[l / launch.width];
      loses[l] = problem.s0 != T(0) || problem.s1 != T(0);
      moves[l] = problem.nodes > 0;
    });
    const bool lossy = warp.any(loses), rests = !warp.any(moves);
    warp.sync();
    int place = 0, waiting = 0;
    for (int i = 0; i < launch.steps; ++i) {
      const int step = launch.first_step + i;
      if (!rests) {
        if (lossy)
          free_step<true, W, T, n>(warp, lane, memory.a, memory.problem, launch.width);
        else
          free_step<false, W, T, n>(warp, lane, memory.a, memory.problem, launch.width);
        touch<full, Scheme, W, T, n>(warp, lane, memory, launch, laws, first, step);
        if (full && launch.accounts != 0) account_losses(warp, launch, lane, memory, first);
        warp.each([&](int l) { move(lane[l]); });
      }

      place = place + 1 == rings.places ? 0 : place + 1;
      ++waiting;
      warp.each([&](int l) { store_taps(lane[l], rings, heard[l], l, l / launch.width * launch.reads, place); });
      if (full && launch.forces != 0) {
        store_forces(warp, launch, memory, rings, first, groups, place);
        warp.sync();  // the next step sets them to zero
      }
      if (waiting == launch.keep || i + 1 == launch.steps) {
        warp.sync();
        evaluate_taps(warp, launch, rings, memory.failed, first, groups, waiting, place, i);
        warp.sync();
        warp.each([&](int l) {
          if (memory.failed[l / launch.width] != no_step) silence(lane[l], memory, l);
        });
        warp.sync();
        waiting = 0;
      }
      if (full && launch.snapshot_stride != 0 && (step + 1) % launch.snapshot_stride == 0)
        take_snapshot(warp, launch, lane, memory, first,
                      (step + 1) / launch.snapshot_stride - launch.first_step / launch.snapshot_stride - 1);
    }
    store(warp, launch, lane, memory, first);
  }

 private:
  static constexpr int state_numbers = static_cast<int>(sizeof(State) / sizeof(T));
  static_assert(sizeof(State) % sizeof(T) == 0 && alignof(State) == alignof(T));

  static JAWARI_WARP std::size_t index(int problem, int count, int i) {
    return static_cast<std::size_t>(problem) * static_cast<std::size_t>(count) + static_cast<std::size_t>(i);
  }

  static JAWARI_WARP TapRings<T> place_rings(const StringLaunch<T>& launch, void* memory, int groups) {
    T* const ring = static_cast<T*>(memory);
    const int places = launch.keep + 1;
    return {ring, reinterpret_cast<std::uint16_t*>(ring + groups * launch.reads * tap_nodes * 2 * places), places};
  }

  /// What all lanes share.
  static JAWARI_WARP void load(const W& warp, const StringLaunch<T>& launch, Memory& memory, int first) {
    warp.each([&](int l) {
      memory.dropped[l] = 0;
      if (l < most_groups * most_lines) memory.force[l / most_lines][l % most_lines] = T(0);
      if (W::position(l, launch.width) != 0) return;
      const int group = l / launch.width;
      memory.failed[group] = no_step;
      memory.problem[group] = StringNumbers<T>{};
      if (is_alive(launch, first + group)) memory.problem[group] = launch.problem[first + group].numbers;
      memory.a[group] = StringCoefficientsOf<T>(memory.problem[group]);
    });
  }

  static JAWARI_WARP void load(const StringLaunch<T>& launch, Lane& x, Memory& memory, const Slot* laws, int number,
                               int l) {
    const StringNumbers<T>& problem = memory.problem[l / launch.width];
    const int position = W::position(l, launch.width);
    x.reach = {};
    x.near = x.before = x.kept = x.pushed = 0;
    x.beyond = 0;
    if (is_alive(launch, number)) {
      const std::size_t masks = index(number, launch.width, position) * 2;
      x.kept = launch.masks[masks];
      x.pushed = launch.masks[masks + 1];
    }
    JAWARI_UNROLL
    for (int j = 0; j < n; ++j) {
      const int node = position * n + j;
      x.change[j] = T(0);
      if (node >= problem.nodes) {
        x.beyond |= 1u << j;
        x.u[j] = x.d[j] = T(0);
        memory.state[l * n + j] = State{};
        continue;
      }
      const std::size_t from = index(number, launch.slots, node);
      x.u[j] = launch.u[from];
      x.d[j] = launch.d[from];
      memory.state[l * n + j] = static_cast<const State*>(launch.state)[from];
    }
    for (int i = 0; i < 2; ++i) JAWARI_UNROLL
    for (int j = 0; j < n; ++j) {
      const int node = position * n + j;
      if (!has_line(problem, node)) continue;
      const StringLine<T>& line = problem.line[line_of(problem, node)];
      const T offset = launch.offset[index(number, launch.slots, node)];
      if (i == 0) {
        x.reach.look(j, offset, line.sign);
        continue;
      }
      x.reach.set(j, offset, line.sign);
      if constexpr (!Scheme::keeps_psi) {
        const Slot& of = laws[launch.common_law != 0 ? 0 : line.law];
        if (of.scheme.holds(of.tables.law(), memory.state[l * n + j])) x.kept |= 1u << j;
      }
    }
    x.near = x.reach.near(x.u);
    T before[n];
    JAWARI_UNROLL
    for (int j = 0; j < n; ++j) before[j] = x.u[j] - x.d[j];
    x.before = x.reach.near(before);
  }

  static JAWARI_WARP bool has_line(const StringNumbers<T>& problem, int node) {
    if (problem.lines == 0) return false;
    const StringLine<T>& line = problem.line[line_of(problem, node)];
    return node >= line.first && node < line.first + line.count;
  }
  static JAWARI_WARP bool is_alive(const StringLaunch<T>& launch, int problem) {
    if (problem >= launch.problems) return false;
    const StringProgress& progress = launch.progress[problem];
    return progress.failed_step == no_step && progress.idle == 0;
  }

  /// Rings begin with what lies before the first step.
  static JAWARI_WARP std::uint32_t prepare_taps(const StringLaunch<T>& launch, const Lane& x, const TapRings<T>& rings,
                                                int problem, int l) {
    std::uint32_t heard = 0;
    for (int r = 0; r < launch.reads; ++r) {
      std::uint16_t segment = 0;
      if (problem < launch.problems)
        segment = segment_of<n>(launch.problem[problem].read[r], W::position(l, launch.width));
      rings.segment[r * lanes + l] = segment;
      if (segment != 0) heard |= 1u << r;
    }
    store_taps(x, rings, heard, l, l / launch.width * launch.reads, 0);
    return heard;
  }

  static JAWARI_WARP void silence(Lane& x, Memory& memory, int l) {
    JAWARI_UNROLL
    for (int j = 0; j < n; ++j) {
      x.u[j] = x.d[j] = T(0);
      memory.state[l * n + j] = State{};
    }
    x.reach.lined = x.near = x.before = x.kept = 0;
  }

  /// What the string itself loses in this step, (S4).
  static JAWARI_WARP void account_losses(const W& warp, const StringLaunch<T>& launch, PerLane<Lane>& lane,
                                         const Memory& memory, int first) {
    PerLane<T> last, before;
    warp.each([&](int l) {
      const Lane& x = lane[l];
      last[l] = x.d[n - 1] + (x.d[n - 1] + x.change[n - 1]);
    });
    warp.from_left(before, last, launch.width);
    warp.each([&](int l) {
      const Lane& x = lane[l];
      const StringNumbers<T>& problem = memory.problem[l / launch.width];
      if (problem.nodes == 0) return;
      StringLoss<T> loss;
      if (W::position(l, launch.width) != 0) loss.last = before[l];
      JAWARI_UNROLL
      for (int j = 0; j < n; ++j) loss.add(x.d[j] + (x.d[j] + x.change[j]));
      if (W::position(l, launch.width) == launch.width - 1) loss.end();
      sums_of(launch, first, l).lost_J += static_cast<double>(string_loss_J(problem, loss.squares, loss.stretch));
    });
  }

  /// Forces of contacts that are heard.
  static JAWARI_WARP void store_forces(const W& warp, const StringLaunch<T>& launch, const Memory& memory,
                                       const TapRings<T>& rings, int first, int groups, int place) {
    warp.each([&](int l) {
      for (int pickup = l; pickup < groups * launch.reads; pickup += lanes) {
        const int group = pickup / launch.reads;
        if (first + group >= launch.problems) continue;
        const StringRead<T>& read = launch.problem[first + group].read[pickup - group * launch.reads];
        if (read.what == TapReading::force) rings.at(pickup, 0, 0, place) = memory.force[group][read.first];
      }
    });
  }

  static JAWARI_WARP void take_snapshot(const W& warp, const StringLaunch<T>& launch, PerLane<Lane>& lane,
                                        const Memory& memory, int first_problem, int row) {
    const int columns = launch.snapshot_whole != 0 ? 2 + state_numbers : 1;
    PerLane<double> lost[lost_columns];
    warp.each([&](int l) {
      for (auto& column : lost) column[l] = 0;
      if (launch.accounts == 0 || first_problem + l / launch.width >= launch.problems) return;
      const LaneSums& sums = sums_of(launch, first_problem, l);
      lost[0][l] = sums.lost_J;
      for (int i = 0; i < most_lines; ++i) lost[1 + i][l] = sums.line[i].lost_J;
    });
    for (auto& column : lost) warp.sum(column, launch.width);
    warp.each([&](int l) {
      const int problem = first_problem + l / launch.width;
      if (problem >= launch.problems) return;
      if (W::position(l, launch.width) == 0) {
        double* const to_lost = launch.lost_J + index(problem, launch.snapshot_rows, row) * lost_columns;
        for (int i = 0; i < lost_columns; ++i) to_lost[i] = lost[i][l];
        if (memory.failed[l / launch.width] != no_step || launch.progress[problem].failed_step != no_step)
          to_lost[0] = std::numeric_limits<double>::quiet_NaN();
      }
      T* const to = launch.snapshot +
                    index(problem, launch.snapshot_rows, row) * static_cast<std::size_t>(columns * launch.slots);
      const int first = W::position(l, launch.width) * n;
      JAWARI_UNROLL
      for (int j = 0; j < n; ++j) {
        to[first + j] = lane[l].u[j];
        if (launch.snapshot_whole == 0) continue;
        to[launch.slots + first + j] = lane[l].d[j];
        reinterpret_cast<State*>(to + 2 * launch.slots)[first + j] = memory.state[l * n + j];
      }
    });
  }

  static JAWARI_WARP void store(const W& warp, const StringLaunch<T>& launch, PerLane<Lane>& lane, const Memory& memory,
                                int first) {
    warp.sync();
    warp.each([&](int l) {
      const Lane& x = lane[l];
      const int problem = first + l / launch.width, position = W::position(l, launch.width);
      if (problem >= launch.problems) return;
      if (position == 0) {
        int& failed = launch.progress[problem].failed_step;
        if (memory.failed[l / launch.width] < failed) failed = memory.failed[l / launch.width];
      }
      const std::size_t masks = index(problem, launch.width, position) * 2;
      launch.masks[masks] = x.kept;
      launch.masks[masks + 1] = x.pushed;
      JAWARI_UNROLL
      for (int j = 0; j < n; ++j) {
        const std::size_t to = index(problem, launch.slots, position * n + j);
        launch.u[to] = x.u[j];
        launch.d[to] = x.d[j];
        static_cast<State*>(launch.state)[to] = memory.state[l * n + j];
      }
    });
  }
};

}  // namespace jawari::warp
