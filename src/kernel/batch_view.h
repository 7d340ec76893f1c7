// SPDX-License-Identifier: MIT
// Arrays of StringBatch for its inner loops.  A group is `rows` vectors of strings that step together; every column
// holds for node i and row r the lanes at [(i rows + r) width], node by node.  Mirrored so that every barrier is above:
// y = offset + u. Beyond a string's last node everything stays 0: support, ghost, and the room that shorter strings
// leave. So does a lane whose string is not active; rows without an active string are not stepped.
#pragma once
#include <cstddef>
#include <cstdint>

#include "jawari/contact/power_law.h"
#include "jawari/impact/elastic_samples.h"
#include "kernel/string_arrays.h"

namespace jawari::kernel {

inline constexpr std::size_t most_rows = 2;    ///< of a group: two hide the latency, four leave the first cache
inline constexpr std::size_t most_width = 8;   ///< doubles of the widest vector
inline constexpr std::size_t step_room = 8;    ///< numbers in a scheme's Step, at most
inline constexpr std::size_t batch_front = 2;  ///< nodes before the first; as many and one more follow the last
inline constexpr double no_barrier = -1e30;    ///< [m] offset where there is none

/// One vector of strings: a number per lane.
struct alignas(64) LaneNumbers {
  double at[most_width] = {};
};

/// A power per lane, of one exponent: the tables of lane l begin `apart` numbers behind those of lane 0.
struct LanePowers {
  const Power* of[most_width] = {};
  alignas(64) std::int64_t apart[most_width] = {};
};
/// The law of every lane: one exponent, a stiffness each.  Of a law that is no power law the tables are not used.
struct LaneLaws {
  const void* law = nullptr;  ///< of the first lane: what is the same in all of them
  LaneNumbers stiffness;
  double exponent = 1;
  LanePowers force, slope;
  const ElasticSamples* true_samples[most_width] = {};
};

/// Coefficients of (S4).
struct BatchNumbers {
  LaneNumbers nodes, tension, bending, s0_2, s1_2, q0, middle, first, last, side, far;  // s0_2 = 2 s0
  LaneNumbers left_ghost, right_ghost;                                                  ///< StringEnd
  LaneNumbers u0, u1, u2, d0, d1;  ///< the right-hand side with its terms collected, for fused rounding
  LaneNumbers s0, s1;              ///< of the losses
};

/// Counted in contact, per lane.
struct BatchCounts {
  LaneNumbers deepest, deepest_half, strongest, touching, left, solves, iterations, most_iterations, unsettled;
  LaneNumbers impacts, longest, shortest, fewest;  ///< contacts that ended, their samples; fewest true samples
  LaneNumbers lost, lost_rest, lost_in_contact, lost_in_contact_rest, landed, landed_rest, taken, taken_rest;
};

/// The contact points of one string, and its `together` of (LD4).
struct BatchBarrier {
  std::size_t first = 0, count = 0;
  double together = 0;
};

struct BatchGroup {
  std::size_t rows, nodes, least;  ///< nodes of its longest and shortest string
  bool penta, lossy;
  double *u, *d, *change;  ///< u^n, d^n and what the step under way adds to d: d+ = d + change, u+ = u + d+
  double *rhs, *pivot, *lower, *lower2;  ///< pivot is its inverse where fused
  double *offset, *q, *load;
  double* state[most_kept];        ///< of the contact, as its StateOf::kept lists it
  double *phi, *samples;           ///< last forces; steps that contacts have lasted
  LandingColumns<double> landing;  ///< of schemes that land; clock: not used
  BatchBarrier barrier[most_rows * most_width];
  LaneNumbers clock[most_rows];  ///< (LD4) steps
  bool pending;                  ///< change has still to be added
  bool loaded;
  std::uint8_t in_contact[most_rows];                                      ///< a contact is under way or stores energy
  LaneNumbers holds[most_rows];                                            ///< the same lane by lane, above 0
  LaneNumbers highest[most_rows], squares[most_rows], stretch[most_rows];  ///< found by the free step
  bool on[most_rows];                                                      ///< some string of the row is active
  std::size_t first[most_rows], last[most_rows];                           ///< nodes with a barrier, of active strings
  BatchNumbers a[most_rows];
  LaneLaws law[most_rows];
  BatchCounts counts[most_rows];
};

/// Scratch for the contacts of a group, in columns like the group's own.
struct BatchScratch {
  double *e, *before, *held, *step, *pivot, *lower, *lower2;  ///< as GridCompliance has them
  double *f, *b, *s_free, *s, *old, *gap, *phi, *silent;      ///< as Island has them
  double* reach;         ///< of a silent port that acts ahead: it responds where reach + share s > 0
  double* scheme;        ///< Steps: step_room vectors per node
  std::uint8_t* active;  ///< per node and row: its scheme has begun
  std::size_t from[most_rows], to[most_rows];  ///< active nodes are among from ... to - 1; elsewhere f, b and phi are 0
  bool pushed[most_rows];                      ///< some silent port responds now
  LaneNumbers near[most_rows], open[most_rows];  ///< lanes that take part, and those not settled yet: above 0
};

struct BatchView;
/// Law and scheme on row r of a group, and their traits.
struct BatchScheme {
  void (*begin)(BatchView&, std::size_t r) noexcept;
  void (*respond)(BatchView&, std::size_t r) noexcept;
  void (*refine)(BatchView&, std::size_t r) noexcept;
  void (*finish)(BatchView&, std::size_t r) noexcept;
  int passes;
  double share;  ///< reach_share
  bool ahead;    ///< acts in the very step that arrives; otherwise a step that begins outside is free
};

struct BatchView {
  const void *scheme_numbers, *law_of_any_lane;
  double dt_s;
  BatchScheme scheme;
  BatchGroup* group;
  BatchScratch scratch;
};

}  // namespace jawari::kernel
