// SPDX-License-Identifier: MIT
#include "jawari/body/string_grid.h"

#include <algorithm>
#include <utility>

#include "jawari/body/string_step.h"

namespace jawari {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
}  // namespace

StringGrid::StringGrid(const StringData& string, const GridOptions& choice, double dt_s,
                       std::span<const StringTap> extra)
    : string_(string), dt_(dt_s) {
  const GridPlan plan = plan_grid(string, choice, dt_s);
  n_ = static_cast<std::size_t>(plan.intervals - 1);
  h_ = string.length_m / plan.intervals;
  gamma_ = plan.gamma;
  unconditional_ = choice.op == GridOperator::unconditional;
  centred_ = choice.centred_loss || choice.op != GridOperator::explicit_;
  nearest_ = choice.nearest;
  left_ = choice.left;
  right_ = choice.right;
  q0_ = dt_s * dt_s / (string.density_kg_m * h_);
  tension_ = q0_ * string.tension_N / h_;
  bending_ = q0_ * string.bending_N_m2 / (h_ * h_ * h_);
  s0_ = string.sigma0_1_s * dt_s;
  s1_ = string.sigma1_m2_s * dt_s / (h_ * h_);
  kap_ = q0_ * string.stretching_N / (4 * string.length_m * h_ * h_);
  a_ = Band(std::vector<double>(n_), 0, 0);
  own_.resize(n_);
  shape_band();
  if (!unconditional_) {  // stability is a matter of the tension: (S5), (S6)
    const auto fits = [&](double factor) {
      StringData tighter = string;
      tighter.tension_N *= factor;
      return (centred_ ? smallest_spacing(tighter, dt_s, gamma_) : smallest_explicit_spacing(tighter, dt_s)) <= h_;
    };
    double low = 1, high = 1e6;
    for (int i = 0; i < 60; ++i) (fits((low + high) / 2) ? low : high) = (low + high) / 2;
    largest_tension_ = low;
  }
  for (const auto& tap : extra) extra_.push_back(spread(tap));
  for (auto* v : {&curve_, &bend_, &rhs_, &change_, &s_, &load_, &scratch_, &w_, &z_}) v->assign(n_, 0.0);
  for (auto* v : {&w, &d, &s_free, &s, &force}) v->assign(n_ + extra_.size(), 0.0);
  column_.resize(taps());
}

void StringGrid::shape_band() noexcept {
  const GridBand a = grid_band(numbers());
  a_.change(a.middle, a.first, a.last, a.side, a.far);
  a_.factor({});
  a_.inverse_diagonal(own_);
  for (std::size_t tap = 0; tap < column_.size(); ++tap)
    if (!column_[tap].empty()) fill_column(tap);
}

/// Bending stays what it is: a string is tuned by its tension.
void StringGrid::retune(double tension, double, double added_decay_1_s) noexcept {
  tension_ = q0_ * string_.tension_N * tension / h_;
  s0_ = (string_.sigma0_1_s + added_decay_1_s) * dt_;
  shape_band();
  for (Spread& p : extra_)
    if (p.kind != StringTap::point) p = support(p.kind, string_.tension_N * tension);
  read_taps();
}

/// left and right: the values at the supports.
void StringGrid::second_differences(const double* u, double left, double right, double* out) const noexcept {
  const std::size_t n = n_;
  out[0] = second_difference(left, u[0], u[1]);
  for (std::size_t i = 1; i + 1 < n; ++i) out[i] = second_difference(u[i - 1], u[i], u[i + 1]);
  out[n - 1] = second_difference(u[n - 2], u[n - 1], right);
}

template <bool bending, bool sigma0, bool sigma1>
void StringGrid::right_hand_side() noexcept {
  constexpr StringTerms terms{true, bending, sigma0, sigma1};
  const StringCoefficientsOf<double> a(numbers());
  for (std::size_t i = 0; i < n_; ++i) rhs_[i] = string_rhs<terms>(a, curve_[i], bend_[i], d[i], scratch_[i], load_[i]);
}

/// (A + kap w w^T) x = rhs - kap w across.  Returns across + w.x, the factor of -kap w that was applied: found by a
/// quotient, because the sum cancels where the modulation is stiff.
double StringGrid::solve(std::span<const double> rhs, std::span<double> x, double across) noexcept {
  if (explicit_step()) {  // A is a number; a product is ten times as fast as a quotient
    const double share = 1 / (1 + s0_);
    for (std::size_t i = 0; i < n_; ++i) x[i] = rhs[i] * share;
    return 0;
  }
  std::copy(rhs.begin(), rhs.end(), x.begin());
  a_.solve(x);
  a_.apply(x, scratch_);
  for (std::size_t i = 0; i < n_; ++i) scratch_[i] = rhs[i] - scratch_[i];
  a_.solve(scratch_);
  for (std::size_t i = 0; i < n_; ++i) x[i] += scratch_[i];
  if (kap_ == 0) return 0;
  const double sum = (across + dot(w_, x)) / (1 + kap_ * wz_);
  for (std::size_t i = 0; i < n_; ++i) x[i] -= kap_ * sum * z_[i];
  return sum;
}

/// X = w.u-, (S11); read off the state where it was placed.
double StringGrid::crossing() const noexcept {
  if (crossing_known_) return crossing_;
  double sum = 0, d0 = 0, u0 = 0;
  for (std::size_t i = 0; i <= n_; ++i) {
    const double di = i < n_ ? d[i] : 0, ui = i < n_ ? w[i] : 0, slope = di - d0, now = ui - u0;
    sum -= now * (now - slope);
    d0 = di;
    u0 = ui;
  }
  return sum;
}

void StringGrid::modulation() noexcept {
  std::copy(curve_.begin(), curve_.end(), w_.begin());
  std::copy(w_.begin(), w_.end(), z_.begin());
  a_.solve(z_);
  a_.apply(z_, scratch_);
  for (std::size_t i = 0; i < n_; ++i) scratch_[i] = w_[i] - scratch_[i];
  a_.solve(scratch_);
  for (std::size_t i = 0; i < n_; ++i) z_[i] += scratch_[i];
  wz_ = dot(w_, z_);
}

void StringGrid::predict() noexcept {  // (S4)
  second_differences(w.data(), 0, 0, curve_.data());
  if (bending_ != 0) second_differences(curve_.data(), left_.curve() * w[0], right_.curve() * w[n_ - 1], bend_.data());
  if (s1_ != 0) second_differences(d.data(), 0, 0, scratch_.data());
  if (s1_ != 0)
    bending_ != 0 ? right_hand_side<true, true, true>() : right_hand_side<false, true, true>();
  else if (s0_ != 0)
    bending_ != 0 ? right_hand_side<true, true, false>() : right_hand_side<false, true, false>();
  else
    bending_ != 0 ? right_hand_side<true, false, false>() : right_hand_side<false, false, false>();
  double across = 0;
  if (kap_ != 0) {
    modulation();
    crossing_ = crossing();
    crossing_known_ = true;
    across = 2 * (crossing_ + dot(w_, {d.data(), n_}));
  }
  sum_ = solve(rhs_, change_, across);
  for (std::size_t i = 0; i < n_; ++i) s_free[i] = 2 * d[i] + change_[i];
  for (std::size_t t = 0; t < extra_.size(); ++t) s_free[n_ + t] = read(extra_[t], s_free.data());
}

void StringGrid::advance() noexcept {
  if (std::any_of(force.begin(), force.end(), [](double f) { return f != 0; })) {
    for (std::size_t i = 0; i < n_; ++i) rhs_[i] = q0_ * force[i];
    for (std::size_t t = 0; t < extra_.size(); ++t)
      for (std::size_t i = 0; i < extra_[t].count; ++i)
        rhs_[extra_[t].first + i] += q0_ * extra_[t].weight[i] * force[n_ + t];
    sum_ += solve(rhs_, s_, 0);
    for (std::size_t i = 0; i < n_; ++i) change_[i] += s_[i];
    std::fill(force.begin(), force.end(), 0.0);
  }
  crossing_ = sum_ - crossing_;  // (S11)
  double work = 0;
  StringLoss<double> loss;
  for (std::size_t i = 0; i < n_; ++i) {
    const double before = d[i];
    d[i] += change_[i];
    w[i] += d[i];
    s[i] = before + d[i];
    work += std::exchange(load_[i], 0.0) * s[i] / 2;
    loss.add(s[i]);
  }
  loss.end();
  if (s0_ != 0 || s1_ != 0) lost.add(string_loss_J(numbers(), loss.squares, loss.stretch));
  if (work != 0) given.add(work);
  for (std::size_t t = 0; t < extra_.size(); ++t) s[n_ + t] = read(extra_[t], s.data());
  read_taps();
}

void StringGrid::apply_initial_forces() noexcept {
  for (std::size_t i = 0; i < n_; ++i) rhs_[i] = q0_ * force[i];
  for (std::size_t t = 0; t < extra_.size(); ++t)
    for (std::size_t i = 0; i < extra_[t].count; ++i)
      rhs_[extra_[t].first + i] += q0_ * extra_[t].weight[i] * force[n_ + t];
  second_differences(w.data(), 0, 0, curve_.data());
  if (kap_ != 0) modulation();
  solve(rhs_, s_, 0);
  for (std::size_t i = 0; i < n_; ++i) d[i] -= s_[i] / 2;
  std::fill(force.begin(), force.end(), 0.0);
  read_taps();
  crossing_known_ = false;
}

void StringGrid::clear() noexcept {
  for (auto* v : {&w, &d, &s, &s_free}) std::fill(v->begin(), v->end(), 0.0);
  crossing_known_ = false;
}

void StringGrid::place(std::span<const double> u, std::span<const double> step) noexcept {
  std::copy_n(u.begin(), n_, w.begin());
  std::copy_n(step.begin(), n_, d.begin());
  read_taps();
  crossing_known_ = false;
}

void StringGrid::release(std::span<const double> u, std::span<const double> v) noexcept {
  std::copy_n(u.begin(), n_, w.begin());
  std::fill_n(d.begin(), n_, 0.0);
  crossing_known_ = false;
  double most = stored().total();  // what it holds at t = 0
  for (std::size_t i = 0; i < n_; ++i) {
    d[i] = v[i] * dt_;
    most += d[i] * d[i] / (2 * q0_);
  }
  crossing_known_ = false;
  predict();  // u(-k) = u - k v + change/2: second order, and time-symmetric from rest
  for (std::size_t i = 0; i < n_; ++i) d[i] -= change_[i] / 2;
  crossing_known_ = false;
  if (2 * s0_ > unresolved_damping || 8 * s1_ > unresolved_damping) bound_start(most);
  read_taps();
}

/// A speed that damping takes within a few samples has no sample before: the last increment is then as large as the
/// energy of the start allows.
void StringGrid::bound_start(double most_J) noexcept {
  if (stored().total() <= most_J) return;
  std::copy_n(d.begin(), n_, scratch_.begin());
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double share = (low + high) / 2;
    for (std::size_t j = 0; j < n_; ++j) d[j] = share * scratch_[j];
    (stored().total() <= most_J ? low : high) = share;
  }
  for (std::size_t j = 0; j < n_; ++j) d[j] = low * scratch_[j];
}

Stored StringGrid::stored() const noexcept {  // (S10)
  Stored e = grid_energy(numbers(), {w.data(), n_}, {d.data(), n_});
  if (kap_ == 0) return e;
  const double crossed = crossing() / h_;
  e.modulation = string_.stretching_N / (8 * string_.length_m) * crossed * crossed;
  return e;
}

}  // namespace jawari
