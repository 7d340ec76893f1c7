// SPDX-License-Identifier: MIT
// Lines whose ports are coupled are solved together; schemes may be mixed.  Newton on all ports at once (K2);
// where it does not end, ports in turn and Newton from there (K6).  The Compliance does the algebra; solve() allocates
// nothing.
// Springs are linear: where nothing else takes part, their forces are a constant matrix times what they would push at
// their free steps (K9).
// Newton begins with the forces of the last step, where a body yields by a matrix.
// A port that takes part alone is solved as one that is not coupled, in its bracket (K1).
// Only points that can touch by their own motion take part.  The others have no force if they do not touch where the
// solution leads them; otherwise they take part, too, and the step is solved again.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "jawari/couple/compliance.h"
#include "jawari/couple/line.h"

namespace jawari {

class DenseCompliance;

class Island : private PortAnswers {
 public:
  Island(Compliance& compliance, std::vector<ContactLine*> lines);
  Outcome solve() noexcept;
  void replace(ContactLine* old, ContactLine* other) noexcept {  ///< of the same number of points
    for (auto*& l : lines_)
      if (l == old) l = other;
  }
  /// Springs with nothing beside them are solved by a matrix that is found anew only where Q or a spring changes.  For
  /// a Q that does not change from step to step.
  void keep_springs();
  /// The lines have other numbers of points, in all at most as many as when it was made.
  void refit() noexcept;

 private:
  void shorten(Outcome& out) noexcept;
  double largest_step(double scale) const noexcept;
  void solve_by_curves(double scale, Outcome& out) noexcept;
  /// Where Newton does not end: rounds of sweeps over the ports (K6), each longer than the last, and Newton from there.
  void solve_by_sweeps(double scale, Outcome& out) noexcept;
  void sweep_rounds(double scale, bool in_sight, Outcome& out) noexcept;  ///< in_sight: until nothing is hidden()
  bool newton(double scale, int most, Outcome& out) noexcept;
  /// Every response is met as well as s is known: |phi - f(s)| within so many units of the rounding of f and |b| times
  /// that of s.
  bool at_rounding(double units) const noexcept;
  bool finite() const noexcept;
  /// Some s is a difference of terms that hide it: forces that are wrong by any amount may seem to settle.
  bool hidden() const noexcept;
  double residual() const noexcept;  ///< sum of |phi - f(s)| |s|: what the account of the step is off by, at most [J]
  /// Once more by sweeps from the free steps, where every force is that of a port alone; the better of the two stays
  /// (K7).
  void solve_again(double scale, Outcome& out) noexcept;
  double answer(std::size_t port, double s_free_m, double q) noexcept override;
  void list_ports() noexcept;
  void solve_ports(double scale, Outcome& out) noexcept;
  /// One port that no other takes part with, as where it is not coupled: no matrix.  False: there are more, or they do
  /// not settle so.
  bool solve_alone(Outcome& out) noexcept;
  bool springs_alone() const noexcept;
  bool solve_springs(Outcome& out) noexcept;  ///< false: not by a matrix that is kept
  bool spread() noexcept;
  void free_steps() noexcept;
  void newton_step() noexcept;  ///< all ports at once, from what they have answered
  void take_secants() noexcept;
  void ask() noexcept;
  /// Lines that take part, and where their ports begin.
  template <class F>
  void each(F&& visit) noexcept {
    for (std::size_t i = 0; i < live_count_; ++i) visit(*live_[i].line, live_[i].at);
  }
  struct Live {
    ContactLine* line;
    std::size_t at;
  };
  Compliance& compliance_;
  DenseCompliance* dense_;  // the same, where it is dense
  std::vector<ContactLine*> lines_;
  std::size_t total_ = 0, n_ = 0;  // ports of all lines; those that take part
  std::vector<Live> live_;
  std::size_t live_count_ = 0;
  std::vector<std::uint32_t> ports_;
  std::vector<double> numbers_, all_, last_N_;  // last_N: forces of the last step, of all ports
  std::span<double> s_, old_, phi_, gap_, f_, b_, full_, kept_;
  std::vector<char> smooth_;
  std::size_t springs_ = 0;  // the first lines, where springs are solved by a matrix of their own
  bool all_smooth_ = true;   // near the end, a kink of friction looks like an overshoot
};

}  // namespace jawari
