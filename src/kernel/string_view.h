// SPDX-License-Identifier: MIT
// What StringKernel shows its inner loops: columns of numbers, one entry per node, and the coefficients of a step.
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

#include "jawari/contact/power_law.h"
#include "kernel/schemes.h"

namespace jawari::kernel {

/// Vectors that go through the contact together: division and table look-ups of one hide behind the other.  Four in
/// lock-step need more than 32 registers.
inline constexpr std::size_t unit_rows = 2;
/// Units that are looked at together by the pass along the string: 16 nodes, or a few more for its belt.
constexpr std::size_t units_per_block(std::size_t width) { return width <= 4 ? 4 : 2; }
constexpr std::size_t block_size(std::size_t width) { return unit_rows * width * units_per_block(width); }
inline constexpr std::size_t front = 16;  ///< entries before node 0: supports and ghosts, an aligned start

/// A unit that has gone through the contact for so many steps: a force on every lane, and nothing to note.
inline constexpr std::uint8_t steady = 8;

/// What a string's state is, and how the pass along it rounds: fused double, float, and the readable path.
enum class Way { levels, collected, differences };

/// (S4) without modulation and with A = 1 + s0.
struct StringNumbers {
  double tension = 0, bending = 0, s0 = 0, s1 = 0, q0 = 0;
  double share = 1, q = 0;  ///< 1/(1 + s0); receptance of a node
  /// The same step with the terms collected, for fused rounding:
  ///   d+ = d0 d + d1 (d-1 + d+1) + u0 u + u1 (u-1 + u+1) + u2 (u-2 + u+2) + q (load + f)                        (N3)
  double u0 = 0, u1 = 0, u2 = 0, d0 = 1, d1 = 0;
  double l0 = 0, l1 = 0;  ///< and in levels: u+ = l0 u + l1 (u-1 + u+1) + u2 (u-2 + u+2) - d0 u- - d1 (u--1 + u-+1)
  bool lossy() const { return s0 != 0 || s1 != 0; }
};

template <class Number>
struct StringView;
/// Takes those units of the listed blocks that touch, or must be looked at, through law and scheme.
template <class Number>
using StringContact = void (*)(StringView<Number>&, std::size_t blocks) noexcept;

/// Counted in the contact path, per lane.  Extremes stay from one note to the next: what does not pass them is skipped.
template <class Number>
struct alignas(64) StringTouches {
  static constexpr std::size_t lanes = 64 / sizeof(Number);
  Number deepest[lanes] = {}, deepest_half[lanes] = {}, strongest[lanes] = {}, lost[lanes] = {}, landed[lanes] = {};
  Number free_lanes[lanes] = {};                                        ///< vectors, where this lane had no force
  Number deep[lanes] = {};                                              ///< what may be a record of deepest_half
  Number ended[lanes] = {}, shortest[lanes] = {}, longest[lanes] = {};  ///< contacts; shortest as clock_turn - samples
  Number entry[lanes] = {},
         left[lanes] = {};  ///< largest s_free of an entry; largest psi^2 of a node that does not touch
  Number solves[lanes] = {}, iterations[lanes] = {}, unsettled[lanes] = {};
  Number work[lanes] = {};  ///< f s
  int most_iterations = 0, steps = 0, units = 0;
};

/// What landing keeps beside its states (couple/line.h), and what it is told; null for other schemes.
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
  Number* phi;                      ///< force on the node, 0 where a unit is not busy
  Number* began;                    ///< when a contact under way did, by the clock
  const Number* offset;
  Number* load;  ///< [N], of this step
  LandingColumns<Number> landing;
};

template <class Number>
struct StringView : StringColumns<Number> {
  using StringColumns<Number>::u, StringColumns<Number>::d, StringColumns<Number>::u_next,
      StringColumns<Number>::d_next;
  const PowerLaw* law;
  const void* scheme;
  StringNumbers a;
  std::size_t nodes, padded;
  const Number* level;  ///< per block: no node touches at or below this
  std::uint8_t* busy;   ///< per unit: must go through the contact; up to `steady`: for how many steps without an event
  bool loaded;          ///< a load somewhere: the whole string takes the long way
  bool lossy_contact;
  std::uint32_t *blocks, *units;  ///< where something may touch; room for all units: where it does; first nodes
  StringContact<Number> touch;
  StringTouches<Number> touches;
  std::uint64_t clock = 0;  ///< steps since it was made
  /// The clock as a number, exact; what lasts longer than a turn is not told.
  static constexpr std::uint64_t clock_turn = sizeof(Number) == 4 ? 1u << 22 : std::uint64_t{1} << 40;
  /// Steps that the contact of a node under way has lasted; 0: it does not touch.
  std::int64_t lasted(std::size_t i) const {
    if (this->phi[i] == 0) return 0;
    return static_cast<std::int64_t>((clock % clock_turn + clock_turn - static_cast<std::uint64_t>(this->began[i])) %
                                     clock_turn);
  }
  /// The contact of a node has lasted so long when the kernel takes over.
  void resume(std::size_t i, std::int64_t samples, double phi_N) {
    if (samples == 0 || phi_N == 0) return;
    this->phi[i] = static_cast<Number>(phi_N);
    this->began[i] =
        static_cast<Number>((clock % clock_turn + clock_turn - static_cast<std::uint64_t>(samples)) % clock_turn);
  }
  int phase = -1;                        ///< of the signs, 0..3; below: increments
  std::array<LandingLine, 8> line = {};  ///< of every string that goes along the lanes
  std::size_t strings = 1;               ///< neighbours are so many entries apart
  bool compares = false;                 ///< landings (LD4)
  Way way = Way::differences;
  std::size_t look_from = 0, look_to = 0;  ///< nodes of the blocks where something may touch

  /// Floats know a quarter of a step for so many: there landing times go round.
  static constexpr double landing_turn = sizeof(Number) == 4 ? 4096 : 0;
  double on_landing_clock(double time) const { return landing_turn > 0 ? std::fmod(time, landing_turn) : time; }
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
    if (landing_turn > 0)
      time =
          on_landing_clock(line[string].clock - std::min(line[string].clock - time, landing_turn / 2) + landing_turn);
    this->landing.landed_at[at] = static_cast<Number>(time);
  }
  double landed_at(std::size_t at, std::size_t string) const {
    const double time = static_cast<double>(this->landing.landed_at[at]), now = line[string].clock;
    if (landing_turn == 0) return time;
    const double ago = on_landing_clock(now) - time;
    return now - (ago < -2 ? ago + landing_turn : ago);
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
