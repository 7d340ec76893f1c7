// SPDX-License-Identifier: MIT
// How the ports of one island yield together: each kind of body in its own cheapest and most accurate way.
// The coupling never forms Q unless it must; it asks where the ports go if each answers with a line f + b (s -
// s_trial). A port with b = 0 costs no elimination: the slopes ARE the active set.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace jawari {

/// The force of one port that answers by itself: s = s_free + q f(s).
class PortAnswers {
 public:
  virtual double answer(std::size_t port, double s_free_m, double q) noexcept = 0;

 protected:
  ~PortAnswers() = default;
};

class Compliance {
 public:
  virtual ~Compliance() = default;
  /// Whether steps may be of some ports alone, which select() lists, ascending: all spans are then as long as the list.
  virtual bool selects() const noexcept { return false; }
  virtual void select(std::span<const std::uint32_t> /*ports*/) noexcept {}
  /// s += Q phi at all ports, whether selected or not.
  virtual void spread(std::span<double> /*s_m*/) const noexcept {}
  virtual void start(std::span<const double> s_free_m) noexcept = 0;
  /// One Newton step: replaces s by the solution of s = s_free + Q (f + b (s - s_trial)).
  virtual void newton_step(std::span<const double> f_N, std::span<const double> b, std::span<double> s_m) noexcept = 0;
  virtual void damp_last_step(double share, std::span<double> s_m) noexcept = 0;  ///< go only part of the last way
  /// Every port once in turn and once back, the others held: coordinate descent on the convex energy of (P1) and (P2),
  /// which comes nearer to the solution with every port, whatever the kinks of the answers.                        (K6)
  virtual void sweep(PortAnswers& ports, std::span<double> s_m) noexcept = 0;
  virtual void mark() noexcept = 0;                          ///< where the ports are
  virtual void go_back(std::span<double> s_m) noexcept = 0;  ///< to the mark
  /// Size of the terms that s was summed up from [m]: the rounding of s is eps times this.
  virtual double magnitude(std::size_t port) const noexcept = 0;
  /// The forces that hold the ports at s.  Not f(s) once more: at q |b| >> 1 that is off by b eps |s|.
  virtual void forces(std::span<double> phi_N) const noexcept = 0;
  virtual void refresh() noexcept {}  ///< the body has changed
};

}  // namespace jawari
