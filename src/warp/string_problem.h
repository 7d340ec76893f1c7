// SPDX-License-Identifier: MIT
// Strings on explicit grids as plain bytes, for warps: what a device holds and what a launch says.  A problem is one
// string with its contact lines and its taps; `width` lanes of a warp step it, each with so many nodes in a row.
// Arrays of nodes have width * nodes-per-lane slots for a problem, the first `nodes` of them in use; the others stay
// zero.
#pragma once
#include <cstddef>
#include <cstdint>

#include "jawari/body/string_energy.h"
#include "jawari/body/tap_reading.h"
#include "warp/law_tables.h"

namespace jawari::warp {

inline constexpr int most_lines = 4, most_reads = 16, tap_nodes = 4;
inline constexpr int lost_columns = 1 + most_lines;
inline constexpr int no_step = 0x7fffffff;

/// A contact line along consecutive nodes: y = offset + sign u.
template <class T>
struct StringLine {
  int first, count, law;
  T sign;
};

/// What a pickup reads: u(x) = sum of weight[i] u[first + i].
template <class T>
struct StringRead {
  TapReading what;
  int first, count;  ///< of force: `first` is the line
  T weight[tap_nodes];
  T gain, origin, unit;  ///< gain * (reading + origin)/unit
};

/// What steps ask for: kept in shared memory.
template <class T>
struct StringNumbers {
  T tension, bending, s0, s1, q0;  ///< of (S4)
  T share;                         ///< 1/(1 + s0)
  T q;                             ///< receptance of a node
  int nodes, lines;
  StringLine<T> line[most_lines];
};
template <class T>
struct StringProblem {
  StringNumbers<T> numbers;
  StringRead<T> read[most_reads];
  StringEnergyFactors energy;
};

/// A law, and the scheme that was prepared for it.
template <class T, class Scheme>
struct LawSlot {
  LawTables<T> tables;
  Scheme scheme;
};

/// What is carried from launch to launch beside the arrays.
struct StringProgress {
  int failed_step = no_step;  ///< a solve did not settle, or a number is not finite
  int idle = 0;               ///< the step before which it fell silent, plus 1; 0: it moves
};

/// What the nodes of a lane have lost, and how their contacts came and went.
struct LineSums {
  double lost_J = 0, touching_steps = 0, impacts = 0, largest_force_N = 0, deepest_m = 0;
};
struct LaneSums {
  double lost_J = 0;
  LineSums line[most_lines];
};

/// A stretch of steps of many problems.  Rows of snapshots: u of every slot, or u, d and state.
template <class T>
struct StringLaunch {
  const StringProblem<T>* problem;
  StringProgress* progress;
  T *u, *d;              ///< [problem][slot]
  const T* offset;       ///< [problem][slot]
  void* state;           ///< [problem][slot]: states of the scheme, numbers T
  std::uint32_t* masks;  ///< [problem][lane of it][kept, pushed]: nodes of the lane, a bit each
  const void* laws;      ///< LawSlot<T, Scheme>
  LaneSums* sums;        ///< [problem][lane of it], where accounts are wanted
  float* sound;          ///< [problem][read][step]
  double* sound_double;  ///< the same, where sound is null
  T* snapshot;           ///< [problem][row][...]
  double* lost_J;        ///< [problem][row][by the string, by every line]; NaN where the string has failed
  int problems, width, slots, reads;
  int common_law;  ///< all problems share the first law
  int keep;        ///< steps between two evaluations of the taps
  int accounts;    ///< losses and contacts are counted
  int forces;      ///< some read is of kind force
  int first_step, steps;
  int snapshot_stride, snapshot_rows, snapshot_whole;
  int sleep_steps;  ///< between two tests for silence; 0: none
  double silent_J;  ///< what is below falls silent
  T dt_s;

  bool full() const noexcept { return accounts != 0 || forces != 0 || snapshot_stride != 0; }
};

}  // namespace jawari::warp
