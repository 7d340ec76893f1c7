// SPDX-License-Identifier: MIT
// Where Newton on all ports at once does not end: sweeps over the ports (K6), curves in place of friction (X5), and
// forces that hide the motion (K7).
#include <algorithm>
#include <cmath>
#include <limits>

#include "jawari/couple/island.h"
#include "jawari/couple/newton_rules.h"

namespace jawari {

/// (X5) From wide curves to steep ones, each from where the last one ended.  What is left of the width is 1e-13 of the
/// largest terms.
void Island::solve_by_curves(double scale, Outcome& out) noexcept {
  double terms = scale;
  for (std::size_t i = 0; i < n_; ++i) terms = std::max(terms, compliance_.magnitude(i));
  free_steps();
  compliance_.start(s_);
  std::fill_n(smooth_.begin(), n_, char{1});
  for (double width = terms; width > NewtonRules::enough * terms; width /= 30) {
    each([&](ContactLine& l, std::size_t) { l.widen(width); });
    ask();
    out.settled = false;
    for (int i = 0; i < NewtonRules::limit && !out.settled; ++i, ++out.passes) {
      newton_step();
      ask();
      const double step = largest_step(scale);
      if (step > NewtonRules::search) shorten(out);
      out.settled = step <= NewtonRules::enough ||
                    (i > NewtonRules::patience && step <= 1e-10 && std::equal(s_.begin(), s_.end(), old_.begin()));
    }
  }
  each([&](ContactLine& l, std::size_t at) {
    l.widen(0);
    std::fill_n(&smooth_[at], l.taking_part.size(), static_cast<char>(l.smooth()));
  });
}

bool Island::at_rounding(double units) const noexcept {
  const double eps = units * std::numeric_limits<double>::epsilon();
  for (std::size_t i = 0; i < n_; ++i) {
    const double known = std::abs(f_[i]) + std::abs(b_[i]) * compliance_.magnitude(i);
    if (!(std::abs(phi_[i] - f_[i]) <= eps * known + 1e-300)) return false;
  }
  return true;
}

/// From where the ports are; true: settled.
bool Island::newton(double scale, int most, Outcome& out) noexcept {
  ask();
  for (int i = 0; i < most; ++i, ++out.passes) {
    if (at_rounding(8)) return true;
    newton_step();
    ask();
    const double step = largest_step(scale);
    if (!finite()) return false;
    if (step <= NewtonRules::enough) return true;
    if (all_smooth_ && step > NewtonRules::search) shorten(out);
  }
  return false;
}

void Island::solve_by_sweeps(double scale, Outcome& out) noexcept {
  out.settled = finite() && newton(scale, 1, out);
  if (!finite()) {
    free_steps();
    compliance_.start(s_);
  }
  sweep_rounds(scale, false, out);
}

void Island::sweep_rounds(double scale, bool in_sight, Outcome& out) noexcept {
  constexpr int first = 8, last = 1024, steps = 30;
  for (int sweeps = first; sweeps <= last && !out.settled; sweeps *= 2) {
    for (int i = 0; i < sweeps; ++i, ++out.passes) compliance_.sweep(*this, s_);
    compliance_.mark();
    compliance_.forces(phi_);
    out.settled = newton(scale, steps, out) && !(in_sight && hidden());
    if (!out.settled) compliance_.go_back(s_);  // where every sweep comes nearer
  }
  compliance_.forces(phi_);
}

bool Island::hidden() const noexcept {
  constexpr double much = 1e8;
  double reach = 0;
  for (std::size_t i = 0; i < live_count_; ++i)
    for (const auto p : live_[i].line->taking_part)
      reach = std::max({reach, std::abs(live_[i].line->port[p].s_free), live_[i].line->port[p].y});
  for (std::size_t i = 0; i < n_; ++i)
    if (smooth_[i] && compliance_.magnitude(i) > much * reach) return true;
  return false;
}

double Island::residual() const noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < n_; ++i) sum += std::abs(phi_[i] - f_[i]) * std::abs(s_[i]);
  return sum;
}

void Island::solve_again(double scale, Outcome& out) noexcept {
  constexpr double small = 1e-6;
  const double before = residual();
  double work = 0;
  for (std::size_t i = 0; i < n_; ++i) work += std::abs(phi_[i]) * std::abs(s_[i]);
  if (before <= small * work) return;
  std::copy(phi_.begin(), phi_.end(), kept_.begin());
  std::copy(s_.begin(), s_.end(), full_.begin());
  free_steps();
  compliance_.start(s_);
  out.settled = false;
  sweep_rounds(scale, true, out);
  ask();
  if (out.settled && finite() && residual() <= before) return;
  std::copy(kept_.begin(), kept_.end(), phi_.begin());
  std::copy(full_.begin(), full_.end(), s_.begin());
  out.settled = true;
}

}  // namespace jawari
