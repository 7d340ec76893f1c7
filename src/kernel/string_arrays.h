// SPDX-License-Identifier: MIT
// Arrays of StringKernel for its inner loops: columns of numbers, one entry per node, and the coefficients of a step.
// Everything is mirrored so that the barrier is above: y = offset + u.  Two copies of u and d, read and written in
// turn: a block in contact starts again from the old one.
// Fused double keeps two levels of u instead, one store per step: with its terms collected it rounds as u does anyway.
// Levels are stored as X = s u, s = + + - - + + ...: then X+ = X- + c L X, c = + - + - ..., and nothing is subtracted
// (NEON has no fused a b - c).
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "jawari/body/string_step.h"
#include "kernel/contact_model.h"

namespace jawari::kernel {

/// Vectors that are solved together: the latency of division and table look-ups overlaps.  Four in lock-step need more
/// than 32 registers.
inline constexpr std::size_t unit_rows = 2;
/// Units that the free pass compares together: 16 nodes, or a few more for its pipeline.
constexpr std::size_t units_per_block(std::size_t width) { return width <= 4 ? 4 : 2; }
constexpr std::size_t block_size(std::size_t width) { return unit_rows * width * units_per_block(width); }
inline constexpr std::size_t front = 16;  ///< entries before node 0: supports and ghosts, an aligned start

/// A unit is steady after so many steps with a force on every lane and no change in the statistics.
inline constexpr std::uint8_t steady = 8;

/// How the state of a string is stored, and how the free pass rounds: fused double; float; as the reference path.
enum class StepForm { levels, collected, differences };

/// (S4) without modulation and with A = 1 + s0.
struct StringNumbers {
  double tension = 0, bending = 0, s0 = 0, s1 = 0, q0 = 0;
  double share = 1, q = 0;  ///< 1/(1 + s0); receptance of a node
  /// The same step with the terms collected, for fused rounding:
  ///   d+ = d0 d + d1 (d-1 + d+1) + u0 u + u1 (u-1 + u+1) + u2 (u-2 + u+2) + q (load + f)                        (N3)
  double u0 = 0, u1 = 0, u2 = 0, d0 = 1, d1 = 0;
  double l0 = 0, l1 = 0;  ///< and in levels: u+ = l0 u + l1 (u-1 + u+1) + u2 (u-2 + u+2) - d0 u- - d1 (u--1 + u-+1)
  double left_ghost = -1, right_ghost = -1;  ///< StringEnd

  StringNumbers() = default;
  /// exact_sum: rounded so that a straight string has no force at all, for floats.
  StringNumbers(const GridNumbers& g, bool exact_sum)
      : tension(g.tension),
        bending(g.bending),
        s0(g.s0),
        s1(g.s1),
        q0(g.q0),
        share(1 / (1 + g.s0)),
        q(g.q0 * share),
        left_ghost(g.left.ghost),
        right_ghost(g.right.ghost) {
    const CollectedString c(g);
    u0 = c.u0 * share;
    u1 = c.u1 * share;
    u2 = c.u2 * share;
    if (exact_sum) {
      u1 = std::round(u1 * 0x1p24) * 0x1p-24;
      u2 = std::round(u2 * 0x1p24) * 0x1p-24;
      u0 = -2 * (u1 + u2);
    }
    d0 = 1 + c.d0 * share;
    d1 = c.d1 * share;
    l0 = 1 + d0 + u0;
    l1 = u1 + d1;
  }
  bool lossy() const { return s0 != 0 || s1 != 0; }
};

template <class Number>
struct StringArrays;
/// Steps those units of the listed blocks that touch, or are active, through law and scheme.
template <class Number>
using ContactStep = void (*)(StringArrays<Number>&, std::size_t blocks) noexcept;

/// Counted in the contact path, per lane.  Extremes stay from one note() to the next: what does not exceed them is
/// skipped.
template <class Number>
struct alignas(64) ContactCounts {
  static constexpr std::size_t lanes = 64 / sizeof(Number);
  Number deepest[lanes] = {}, deepest_half[lanes] = {}, strongest[lanes] = {}, lost[lanes] = {}, landed[lanes] = {};
  Number free_lanes[lanes] = {};  ///< vectors in which this lane had no force
  Number deep[lanes] = {};        ///< threshold of deepest_half
  Number ended[lanes] = {}, shortest[lanes] = {},
         longest[lanes] = {};  ///< contacts; shortest as clock_period - samples
  Number entry[lanes] = {},
         left[lanes] = {};  ///< largest s_free of an entry; largest psi^2 of a node that does not touch
  Number solves[lanes] = {}, iterations[lanes] = {}, unsettled[lanes] = {};
  Number work[lanes] = {};  ///< f s
  int most_iterations = 0, steps = 0, units = 0;
};

/// What landing has beside its states (couple/line.h); null for other schemes.
template <class Number>
struct LandingColumns {
  Number *share = nullptr, *stretch = nullptr;  ///< LandingPlace
  Number* landed_at = nullptr;                  ///< when the contact under way began, by the clock
  Number* slaps = nullptr;                      ///< 1: (LD4), in this step
  Number* clock = nullptr;  ///< steps; as many times as a vector has lanes, or of the string in each
};
/// Points side by side whose landings are compared (LD4).
struct LandingLine {
  std::size_t first = 0, count = 0;
  double together = 0;
  double clock = 0;  ///< steps
};

template <class Number>
struct StringColumns {
  Number *u, *d, *u_next, *d_next;  ///< in levels: u, u-, u+, nothing
  Number* state[most_kept];         ///< of the contact, as its StateOf::kept lists it
  Number* phi;                      ///< force on the node, 0 where a unit is not active
  Number* began;                    ///< when a contact under way did, by the clock
  const Number* offset;
  Number* load;  ///< [N], of this step
  LandingColumns<Number> landing;
};

template <class Number>
struct StringArrays : StringColumns<Number> {
  using StringColumns<Number>::u, StringColumns<Number>::d, StringColumns<Number>::u_next,
      StringColumns<Number>::d_next;
  const void *law, *scheme;  ///< of the types that `step_contacts` is made for
  StringNumbers a;
  std::size_t nodes, padded;
  const Number* level;  ///< per block: no node touches at or below this
  std::uint8_t*
      active_units;  ///< per unit: 0 idle, otherwise active; up to `steady`: for how many steps without an event
  bool loaded;       ///< a load somewhere: detection is on for the whole string
  bool lossy_contact;
  std::uint32_t *blocks, *units;  ///< first nodes of the blocks where something may touch; room for all units
  ContactStep<Number> step_contacts;
  ContactCounts<Number> counts;
  std::uint64_t clock = 0;  ///< steps since it was made
  /// The clock as a number, exact; durations beyond a period are not resolved.
  static constexpr std::uint64_t clock_period = sizeof(Number) == 4 ? 1u << 22 : std::uint64_t{1} << 40;
  /// Steps that the contact of a node under way has lasted; 0: it does not touch.
  std::int64_t lasted(std::size_t i) const {
    if (this->phi[i] == 0) return 0;
    return static_cast<std::int64_t>(
        (clock % clock_period + clock_period - static_cast<std::uint64_t>(this->began[i])) % clock_period);
  }
  /// How long the contact of a node has lasted when its state is loaded.
  void resume(std::size_t i, std::int64_t samples, double phi_N) {
    if (samples == 0 || phi_N == 0) return;
    this->phi[i] = static_cast<Number>(phi_N);
    this->began[i] =
        static_cast<Number>((clock % clock_period + clock_period - static_cast<std::uint64_t>(samples)) % clock_period);
  }
  int phase = -1;                        ///< of the signs, 0..3; below: increments
  std::array<LandingLine, 8> line = {};  ///< of every string that goes along the lanes
  std::size_t strings = 1;               ///< neighbours are so many entries apart
  bool compares = false;                 ///< landings (LD4)
  StepForm form = StepForm::differences;
  std::size_t detect_from = 0, detect_to = 0;  ///< nodes of the blocks where something may touch

  /// Floats resolve a quarter of a step up to so many: landing times are modulo this there.
  static constexpr double landing_period = sizeof(Number) == 4 ? 4096 : 0;
  double on_landing_clock(double time) const { return landing_period > 0 ? std::fmod(time, landing_period) : time; }
  void set_landing_clock(std::size_t string, double now) {
    line[string].clock = now;
    for (std::size_t i = strings == 1 ? 0 : string; i < (strings == 1 ? 64 / sizeof(Number) : string + 1); ++i)
      this->landing.clock[i] = static_cast<Number>(on_landing_clock(now));
  }
  void advance_landing() {
    if (!this->landing.clock) return;
    for (std::size_t i = 0; i < strings; ++i) set_landing_clock(i, line[i].clock + 1);
  }
  void set_landed_at(std::size_t at, std::size_t string, double time) {
    if (landing_period > 0)
      time = on_landing_clock(line[string].clock - std::min(line[string].clock - time, landing_period / 2) +
                              landing_period);
    this->landing.landed_at[at] = static_cast<Number>(time);
  }
  double landed_at(std::size_t at, std::size_t string) const {
    const double time = static_cast<double>(this->landing.landed_at[at]), now = line[string].clock;
    if (landing_period == 0) return time;
    const double ago = on_landing_clock(now) - time;
    return now - (ago < -2 ? ago + landing_period : ago);
  }

  bool in_levels() const { return phase >= 0; }
  /// s of a level, so many steps from now.
  double sign(int ahead = 0) const { return ((phase + ahead) & 2) != 0 ? -1 : 1; }
  double now(std::ptrdiff_t i) const {
    return in_levels() ? sign() * static_cast<double>(u[i]) : static_cast<double>(u[i]);
  }
  double after(std::ptrdiff_t i) const {
    return in_levels() ? sign(1) * static_cast<double>(u_next[i]) : static_cast<double>(u_next[i]);
  }
  double increment(std::ptrdiff_t i) const {
    return in_levels() ? now(i) - sign(-1) * static_cast<double>(d[i]) : static_cast<double>(d[i]);
  }
  double next_increment(std::ptrdiff_t i) const {
    return in_levels() ? after(i) - now(i) : static_cast<double>(d_next[i]);
  }
  /// Continues a column beyond the ends (StringEnd).
  void set_ghosts(Number* column) const {
    column[-2] = static_cast<Number>(a.left_ghost) * column[0];
    column[nodes + 1] = static_cast<Number>(a.right_ghost) * column[nodes - 1];
  }
  void turn() {
    if (in_levels()) {
      Number* const oldest = d;
      d = u;
      u = u_next;
      u_next = oldest;
      phase = (phase + 1) & 3;
    } else {
      std::swap(u, u_next);
      std::swap(d, d_next);
    }
  }
};

}  // namespace jawari::kernel
