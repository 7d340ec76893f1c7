// SPDX-License-Identifier: MIT
// A body never sees a law.  Through its taps (points that touch or listen) it says where they are, where they would go
// and how they yield; it receives the forces.  One virtual call per body and phase, not per tap.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "jawari/core/archive.h"
#include "jawari/core/sum.h"

namespace jawari {

/// Where a body keeps its energy [J]; read off the state, never summed up.
struct Stored {
  double kinetic = 0, elastic = 0;     ///< motion; springs and tension
  double bending = 0, modulation = 0;  ///< of a string; tension modulation
  double load = 0;                     ///< against constant forces
  double total() const noexcept { return kinetic + elastic + bending + modulation + load; }
};

/// Twice the decay per sample (damper/(mass rate) of a mass) from which on a start is not followed back in time.
inline constexpr double unresolved_damping = 0.1;

class Body {
 public:
  virtual ~Body() = default;
  virtual std::unique_ptr<Body> clone() const = 0;  ///< another one in the same state; allocates
  virtual void predict() noexcept = 0;              ///< fills s_free: the step with no contact force on any tap
  virtual void advance() noexcept = 0;              ///< applies and clears `force`, moves on by one step
  virtual double receptance(std::size_t tap, std::size_t other) const noexcept = 0;  ///< [m/N], of this step
  virtual bool coupled(std::size_t tap, std::size_t other) const noexcept { return receptance(tap, other) != 0; }
  virtual bool receptance_varies() const noexcept { return false; }  ///< tension modulation
  /// A start under `force` (contacts, at t = 0): the sample before t = 0 includes them.  Applies and clears `force`.
  virtual void apply_initial_forces() noexcept = 0;
  virtual Stored stored() const noexcept = 0;
  /// Force on a tap for the next step alone (a signal); its work is added to given.  Call before predict().
  virtual void add_force(std::size_t tap, double force_N) noexcept = 0;

  /// Other tension (factors of what was built: of the elastic part, of the bending part) and added decay from now on.
  /// State stays; the caller accounts for the energy and reads receptances again.  Allocates nothing.
  virtual void retune(double /*tension*/, double /*bending*/, double /*added_decay_1_s*/) noexcept {}
  virtual double largest_tension() const noexcept { return 1; }  ///< the factor up to which it stays stable

  /// A tap that may move (StringGrid::allow_moves, ModalBody::allow_moves) is at x from now on, and reads w and d
  /// there. Of the others nothing changes; the caller reads receptances again.  Allocates nothing.
  virtual void move_tap(std::size_t /*tap*/, double /*x_m*/) noexcept {}

  /// Whether nothing would be missed if it stood still: its vibration holds less than this, and nothing moves or loads
  /// it.
  virtual bool is_silent(double /*energy_J*/) const noexcept { return false; }
  virtual void clear() noexcept {}                      ///< vibrations vanish; the caller accounts for the energy
  virtual bool held() const noexcept { return false; }  ///< springs hold all of it: rest() leaves it at zero

  /// What it carries from step to step, between two steps; not its tuning, which the owner applies first.
  virtual void archive(Archive& a) noexcept { a(w, d, s_free, s, lost, given); }

  std::size_t taps() const noexcept { return w.size(); }
  std::vector<double> w, d, s_free;  ///< per tap: displacement, last increment, free double step [m]
  std::vector<double> s;             ///< per tap: the double step just taken by advance() [m]
  std::vector<double> force;         ///< per tap, from contacts [N]
  Sum lost, given;                   ///< summed so far [J]
};

}  // namespace jawari
