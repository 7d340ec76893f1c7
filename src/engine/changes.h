// SPDX-License-Identifier: MIT
// What events and parameters change while an instance runs.  No change begins a contact anew while it stores energy:
//   height      the contact's surface is a wall on the move, h per step, and a part of the free step of the scheme; the
//               mover's work is -phi (h^{n+1} - h^{n-1})/2                                                        (V2)
//   stiffness   what is stored changes by the factor K+/K, and the difference is the work                          (V3)
//   strike      a push m (v - v_now)/dt for one step, work force times displacement; a hammer that touches nothing else
//               is placed anew and can only give energy up in its contact                                          (V4)
//   place       a point that moves along its body gains W(x') u - W(x) u, known before the step: the work is -phi times
//               what the place adds to the double step, over two (V5)
//   force       on a finger: what its energy against that force gains
//   tuning      the body's own stored energy is read before and after, and the difference is the work
#pragma once
#include <algorithm>

#include "islands.h"
#include "kernel_set.h"

namespace jawari {

class Changes {
 public:
  Changes(const Model& model, Instance& instance, Islands& islands, KernelSet& kernels) noexcept
      : model_(model), instance_(instance), islands_(islands), kernels_(kernels) {}

  void strike(std::size_t body, double speed_m_s) noexcept;
  /// Of a parameter, now; its work is accounted for.
  void set(std::size_t parameter, double value) noexcept;
  void add_blow(std::size_t body) noexcept;  ///< the push of a strike, in the step that comes
  /// "auto": another scheme where contacts turned out shorter than its choice resolves.
  void switch_to_fallback(std::size_t contact) noexcept;
  /// For so many steps the group is stepped by the reference path.
  void require_reference(std::size_t group, std::int64_t steps) noexcept {
    GroupState& g = instance_.groups[group];
    g.reference_until = std::max(g.reference_until, g.step + steps);
  }

  /// After a step: what moved along a body is where it is.  The work (V5), with phi as the line has it.
  double finish_moves(std::size_t contact) noexcept;

  // Without any account: to read a saved state.
  void apply_tuning(std::size_t body, const Tuning& tuning) noexcept;
  void apply_stiffness(std::size_t contact, double factor) noexcept;
  void switch_scheme(std::size_t contact) noexcept;
  void apply_position(std::size_t parameter, double value) noexcept;  ///< of parameters that are positions

 private:
  void move_along(std::size_t contact, double value) noexcept;
  void listen_at(std::size_t pickup, double x_m) noexcept;
  void press(std::size_t body, double force_N) noexcept;
  void apply_force(std::size_t body, double force_N) noexcept;
  bool place_hammer(std::size_t body, double speed_m_s) noexcept;
  void tune(std::size_t body, const Tuning& tuning) noexcept;
  void stiffen(std::size_t contact, double factor) noexcept;
  const Model& model_;
  Instance& instance_;
  Islands& islands_;
  KernelSet& kernels_;
};

}  // namespace jawari
