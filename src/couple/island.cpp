// SPDX-License-Identifier: MIT
#include "jawari/couple/island.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jawari {

Island::Island(Compliance& compliance, std::vector<ContactLine*> lines)
    : compliance_(compliance), lines_(std::move(lines)) {
  for (auto* l : lines_) n_ += l->port.size(), smooth_.resize(n_, l->smooth()), all_smooth_ &= l->smooth();
  for (auto* v : {&s_, &old_, &phi_, &gap_, &f_, &b_}) v->assign(n_, 0.0);
}

void Island::refit() noexcept {
  n_ = 0;
  for (const auto* l : lines_) n_ += l->port.size();
  for (auto* v : {&s_, &old_, &phi_, &gap_, &f_, &b_}) v->resize(n_);
  smooth_.resize(n_, 1);
}

Outcome Island::solve() noexcept {
  Outcome out;
  int wanted = 0;
  bool any = false, iterate = false;
  each([&](ContactLine& l, std::size_t at) {
    any |= l.look(), iterate |= l.passes() == 0, wanted = std::max(wanted, l.passes());
    std::copy(l.s.begin(), l.s.end(), &s_[at]), std::fill_n(&phi_[at], l.s.size(), 0.0);
  });
  if (!any) return out;  // nobody can touch: the free steps are the solution, and no state changes
  double scale = 0;
  for (const double s : s_) scale = std::max(scale, std::abs(s));
  for (auto* l : lines_) l->scale_m = scale, l->begin(true);  // who cannot touch by himself may be pushed by his neighbours
  compliance_.start(s_), ask();
  double last = 1;
  for (bool more = true; more; ++out.passes) {
    std::copy(s_.begin(), s_.end(), old_.begin());
    for (std::size_t i = 0; i < n_; ++i) gap_[i] = phi_[i] - f_[i];
    compliance_.improve(f_, b_, s_), compliance_.forces(phi_);  // (K2) (Q^-1 - B) ds = f(s) - Q^-1 (s - s_free)
    const int done = out.passes + 1;
    each([&](ContactLine& l, std::size_t at) {
      if (done < l.passes()) l.refine({&s_[at], l.port.size()}, {&phi_[at], l.port.size()});
    });
    if (iterate || done < wanted) ask();
    double change = 0;  // of the full step, in terms of what s is made of: s itself vanishes at turning points
    for (std::size_t i = 0; iterate && i < n_; ++i)
      change = std::max(change, std::abs(s_[i] - old_[i]) /
                                    (compliance_.terms(i) + (smooth_[i] ? 1e-16 : 1) * scale + 1e-300));
    const bool search = all_smooth_ ? change > 1e-12 : change > 1e-6 && out.passes / 8 % 2 == 0;
    if (iterate && done >= wanted && search) {
      shorten(out);
      if (change < 1e-8 && std::equal(s_.begin(), s_.end(), old_.begin())) break;  // shorter than rounding: this is it
    }
    more = done < wanted || (iterate && change > 1e-15 && !(change < 1e-12 && change >= std::exchange(last, change)));
    if (more && done == 200) out.settled = more = false;
  }
  each([&](ContactLine& l, std::size_t at) {
    std::copy_n(&s_[at], l.s.size(), l.s.begin()), std::copy_n(&phi_[at], l.s.size(), l.phi.begin());
    l.record.solved(out.passes, out.settled);
    l.finish();
  });
  return out;
}

/// (K5) Along a Newton step the convex energy of the island has the slope ds.(phi - f), which only rises: a step
/// that overshoots shows by its sign.  80,000 extreme random problems: without this 0.4 % are not settled after 2000
/// iterations, with it all are after 166.  A shortened step is no sign of convergence: `change` is of the full one.
void Island::shorten(Outcome& out) noexcept {
  double start = 0;
  for (std::size_t i = 0; i < n_; ++i) start += smooth_[i] ? (s_[i] - old_[i]) * gap_[i] : 0;
  if (!(start < 0)) return;  // negative but for rounding: what is left to do is smaller than the others' rounding
  for (int tries = 0; tries < 30; ++tries) {
    double end = 0;
    for (std::size_t i = 0; i < n_; ++i) end += smooth_[i] ? (s_[i] - old_[i]) * (phi_[i] - f_[i]) : 0;
    if (!(end > -0.5 * start)) return;
    compliance_.back_off(std::clamp(start / (start - end), 0.1, 0.5), s_), compliance_.forces(phi_), ask();
    ++out.shortened;
  }
}

void Island::ask() noexcept {
  each([&](ContactLine& l, std::size_t at) {
    if (!l.smooth()) std::copy_n(&phi_[at], l.phi.size(), l.phi.begin());
    l.respond({&s_[at], l.port.size()}, {&f_[at], l.port.size()}, {&b_[at], l.port.size()});
  });
}

}  // namespace jawari
