// SPDX-License-Identifier: MIT
// Lines whose ports feel one another are solved together; schemes may be mixed.  Newton on all ports at once (K2),
// the Compliance does the linear algebra.  Scratch is sized once: solve() allocates nothing.
#pragma once
#include <vector>

#include "jawari/couple/compliance.h"
#include "jawari/couple/line.h"

namespace jawari {

class Island {
 public:
  Island(Compliance& compliance, std::vector<ContactLine*> lines);
  Outcome solve() noexcept;
  void replace(ContactLine* old, ContactLine* other) noexcept {  ///< of the same number of points
    for (auto*& l : lines_)
      if (l == old) l = other;
  }
  /// Newton steps before `change` is measured by the largest terms of the island as well: ports of small terms feel the
  /// rounding of stiff ones beside them.  And the most there are.
  static constexpr int patience = 20, limit = 600;
  static constexpr double enough = 1e-13;  ///< of those terms

  /// The lines have other numbers of points, in all at most as many as when it was made.  Not with friction.
  void refit() noexcept;

 private:
  void shorten(Outcome& out) noexcept;
  double largest_step(double scale) const noexcept;
  void solve_by_curves(double scale, Outcome& out) noexcept;
  void free_steps() noexcept;
  void take_secants() noexcept;
  void ask() noexcept;
  template <class F>
  void each(F&& visit) noexcept {
    std::size_t at = 0;
    for (auto* l : lines_) visit(*l, at), at += l->port.size();
  }
  Compliance& compliance_;
  std::vector<ContactLine*> lines_;
  std::size_t n_ = 0;
  std::vector<double> s_, old_, phi_, gap_, f_, b_, full_, kept_;
  std::vector<char> smooth_;
  bool all_smooth_ = true;  // near the end, a kink of friction looks like an overshoot
};

}  // namespace jawari
