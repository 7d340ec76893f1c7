// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "jawari/body/string_grid.h"

namespace jawari {

GridCompliance::GridCompliance(StringGrid& string, std::size_t first, std::size_t count)
    : string_(string),
      b_(string.a_),
      first_(first),
      count_(count),
      silent_(count, 1),
      was_silent_(count, 1),
      marked_silent_(count, 1) {
  for (auto* v : {&e_, &before_, &held_, &step_, &z_, &extra_, &marked_}) v->assign(string.n_, 0.0);
  s_free_.assign(count, 0.0);
}

void GridCompliance::start(std::span<const double> s_free) noexcept {
  std::copy(s_free.begin(), s_free.end(), s_free_.begin());
  std::fill(e_.begin(), e_.end(), 0.0);
  std::fill(held_.begin(), held_.end(), 0.0);
  std::fill(silent_.begin(), silent_.end(), char{1});
  scale_ = 0;
  along_ = 0;
  for (const double x : s_free) scale_ = std::max(scale_, std::abs(x));
}

/// (S9) With e the whole string's answer: (A + kap w w^T - q0 b) step = q0 f - (A + kap w w^T) e.  The residual is
/// formed from e, not carried along: carried, the energy is lost by 4e-9 at K = 1e13.
void GridCompliance::newton_step(std::span<const double> f, std::span<const double> b, std::span<double> s) noexcept {
  StringGrid& g = string_;
  const std::size_t n = g.n_;
  for (std::size_t i = 0; i < n; ++i) {
    step_[i] = -held_[i];
    extra_[i] = 0;
  }
  for (std::size_t i = 0; i < count_; ++i) {
    step_[first_ + i] += g.q0_ * f[i];
    extra_[first_ + i] = -g.q0_ * b[i];
    was_silent_[i] = silent_[i] || held_[first_ + i] == 0;
    silent_[i] = f[i] == 0 && b[i] == 0;
  }
  b_.factor(extra_);
  b_.solve(step_);
  if (g.kap_ != 0) {
    std::copy(g.w_.begin(), g.w_.end(), z_.begin());
    b_.solve(z_);
    double along = -along_, wz = 0;  // of e + step, less what is known of it
    for (std::size_t i = 0; i < n; ++i) {
      along += g.w_[i] * (e_[i] + step_[i]);
      wz += g.w_[i] * z_[i];
    }
    const double more = along / (1 + g.kap_ * wz);
    for (std::size_t i = 0; i < n; ++i) step_[i] -= g.kap_ * more * z_[i];
    along_before_ = along_;
    along_ += more;
  }
  std::copy(e_.begin(), e_.end(), before_.begin());
  for (std::size_t i = 0; i < n; ++i) e_[i] += step_[i];
  place(s);
}

void GridCompliance::damp_last_step(double share, std::span<double> s) noexcept {
  for (std::size_t i = 0; i < e_.size(); ++i) e_[i] = before_[i] + share * (e_[i] - before_[i]);
  along_ = along_before_ + share * (along_ - along_before_);
  for (std::size_t i = 0; i < count_; ++i)
    silent_[i] = silent_[i] && was_silent_[i];  // else a share of its force is left
  place(s);
}

/// Row by row of (A + kap w w^T) e = q0 f; nodes without a port have f = 0.
void GridCompliance::sweep(PortAnswers& ports, std::span<double> s) noexcept {
  const StringGrid& g = string_;
  for (std::size_t turn = 0; turn < 2 * g.n_; ++turn) {
    const std::size_t i = turn < g.n_ ? turn : 2 * g.n_ - 1 - turn;
    const double w = g.kap_ != 0 ? g.w_[i] : 0, own = g.a_.at(i) + g.kap_ * w * w;
    const double others = g.a_.row(i, e_) + g.kap_ * w * along_ - own * e_[i];
    double phi = 0;
    if (i >= first_ && i < first_ + count_) {
      phi = ports.answer(i - first_, s_free_[i - first_] - others / own, g.q0_ / own);
      silent_[i - first_] = phi == 0;
    }
    const double e = (g.q0_ * phi - others) / own;
    along_ += w * (e - e_[i]);
    e_[i] = e;
  }
  place(s);
}

void GridCompliance::mark() noexcept {
  std::copy(e_.begin(), e_.end(), marked_.begin());
  std::copy(silent_.begin(), silent_.end(), marked_silent_.begin());
  marked_along_ = along_;
}

void GridCompliance::go_back(std::span<double> s) noexcept {
  std::copy(marked_.begin(), marked_.end(), e_.begin());
  std::copy(marked_silent_.begin(), marked_silent_.end(), silent_.begin());
  along_ = marked_along_;
  scale_ = 0;  // what was left may have been beyond all numbers
  place(s);
}

void GridCompliance::place(std::span<double> s) noexcept {
  string_.a_.apply(e_, held_);
  if (string_.kap_ != 0)
    for (std::size_t i = 0; i < e_.size(); ++i) held_[i] += string_.kap_ * along_ * string_.w_[i];
  for (std::size_t i = 0; i < count_; ++i) {
    s[i] = s_free_[i] + e_[first_ + i];
    scale_ = std::max(scale_, std::abs(s_free_[i]) + std::abs(e_[first_ + i]));
  }
}

/// One scale for the whole string: a node at rest far from the contact has nothing to settle.
double GridCompliance::magnitude(std::size_t) const noexcept { return scale_; }

void GridCompliance::forces(std::span<double> phi) const noexcept {
  for (std::size_t i = 0; i < count_; ++i) phi[i] = silent_[i] ? 0 : held_[first_ + i] / string_.q0_;
}

}  // namespace jawari
