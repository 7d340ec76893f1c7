// SPDX-License-Identifier: MIT
#include "jawari/body/modal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "jawari/body/mode_step.h"
#include "jawari/core/elementary.h"
#include "jawari/core/param.h"
#include "modal_fold.h"
#include "modal_lanes.h"
#include "sine.h"
#include "sums.h"

namespace jawari {
namespace {

constexpr std::size_t most_kept_taps = 512;  // of which all receptances are kept: 2 MB

/// (M9)  An impulse J moves a mode by J/(m w_d) exp(-ck) sin(w_d k) in the step after it; C f makes it J k/m.  An
/// overdamped mode gets the share that moves it as far as a constant force should.
double outer_share(const Mode& m, double k, double D) {
  const double c = m.decay_1_s, w = m.omega_rad_s;
  if (w == 0) return c == 0 ? 1 : -elementary::expm1(-2 * c * k) / (2 * c * k);
  if (c >= w) return D / (w * k * w * k);
  const double turn = std::sqrt((w - c) * (w + c)) * k;
  return elementary::exp(-c * k) * elementary::sin(turn) / turn;
}

}  // namespace

ModalBody::ModalBody(const std::vector<Mode>& modes, const std::vector<std::vector<double>>& rows, double dt_s,
                     Stepping stepping, bool sines, bool alike)
    : mode_(modes), rows_(rows.size()), sines_(sines ? modes.size() : 0), dt_(dt_s), stepping_(stepping) {
  c_.resize(modes.size());
  for (std::size_t i = 0; i < modes.size(); ++i) {
    use(i, coeffs(modes[i], dt_s, stepping));
    c_.bending[i] = modes[i].bending;
  }
  std::vector<double> shapes;
  shapes.reserve(rows.size() * modes.size());
  for (const auto& row : rows) shapes.insert(shapes.end(), row.begin(), row.end());
  if (alike && !sines) fold_ = ModalFold::make(shapes, modes.size());
  if (fold_) fold_room_.assign(fold_->room(), 0.0);
  shapes_ = std::make_shared<const std::vector<double>>(std::move(shapes));
  follow_ = sines || modes.size() >= 16;
  if (sines) {
    transform_ = std::make_unique<SineTransform>(sines_);
    sine_table_ = elementary::sine_table(sines_ + 1);
  }
  for (auto* v : {&u_, &d_, &s_, &change_, &load_, &origin_, &push_, &rest_u_, &rest_d_, &modal_, &w_})
    v->assign(c_.size(), 0.0);
  for (auto* v : {&w, &d, &s_free, &s, &force, &tap_compliance_}) v->assign(sines_ + rows_, 0.0);
  if (follow_ && !sines) keep_receptances();
}
ModalBody::ModalBody(const ModalBody& other) = default;
ModalBody::~ModalBody() = default;
std::size_t ModalBody::good_sine_count(std::size_t modes) { return SineTransform::good_count(modes); }

void ModalBody::modulate(double c, std::vector<double> l) {
  c_modulation_ = c;
  l_ = std::move(l);
  if (c != 0) keep_receptances();
}

void ModalBody::keep_receptances() {
  if (taps() > most_kept_taps) return;
  still_.assign(taps() * taps(), 0.0);
  column_known_.assign(taps(), 0);
}

void ModalBody::bridge(std::size_t tap, std::vector<double> tension_part) {
  std::vector<double> rest(c_.size());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = shape(tap, i) - tension_part[i];
  bridges_.push_back({tap - sines_, std::move(tension_part), std::move(rest), std::vector<double>(c_.size())});
}

ModalBody::Coeffs ModalBody::coeffs(const Mode& m, double k, Stepping stepping) {
  const double c = m.decay_1_s, w = m.omega_rad_s, wk = w * k;
  double E = 1, lag = 0, D = 0, C = k * k / m.mass_kg;  // lag = 1 - E, without cancellation
  const double limit = stepping == Stepping::leapfrog ? 2 : std::numbers::pi;
  if (stepping != Stepping::midpoint && !(wk < limit))
    throw not_allowed("omega_rad_s", "omega_rad_s", fmt::format("{:g}", w),
                      fmt::format("lie below {:g} at this sample rate with stepping \"{}\"", limit / k,
                                  stepping_names[static_cast<int>(stepping)]));
  switch (stepping) {
    case Stepping::exact:
    case Stepping::constant: {
      E = elementary::exp(-2 * c * k);
      lag = -elementary::expm1(-2 * c * k);
      if (w == 0) {
        D = 0;
      } else if (c < w) {
        const double half = elementary::sin(std::sqrt((w - c) * (w + c)) * k / 2);
        D = elementary::expm1(-c * k) * elementary::expm1(-c * k) + 4 * elementary::exp(-c * k) * half * half;
      } else {  // overdamped: two real poles
        const double slow = w * w / (c + std::sqrt((c - w) * (c + w)));
        D = elementary::expm1(-slow * k) * elementary::expm1(-(2 * c - slow) * k);
      }
      if (stepping == Stepping::exact) {
        if (c >= w && 2 * c * k > unresolved_damping)  // (M8)
          C = w == 0 ? k * lag / (2 * c * m.mass_kg) : D / (m.mass_kg * w * w);
        else
          C *= (2 + 2 * E - D) / 4;  // (A + B)/4, A = 1 + E - D, B = 1 + E
      }
      break;
    }
    case Stepping::leapfrog:
      E = (1 - c * k) / (1 + c * k);
      lag = 2 * c * k / (1 + c * k);
      D = wk * wk / (1 + c * k);
      C /= 1 + c * k;
      break;
    case Stepping::midpoint: {
      const double heavy = 1 + wk * wk / 4 + c * k;
      E = (1 + wk * wk / 4 - c * k) / heavy;
      lag = 2 * c * k / heavy;
      D = wk * wk / heavy;
      C /= heavy;
      break;
    }
  }
  return {lag,
          D,
          C,
          (2 + 2 * E - D) / (8 * C),
          D / (2 * C),
          lag / (4 * C),
          stepping == Stepping::constant ? outer_share(m, k, D) : 1};
}

void ModalBody::use(std::size_t mode, const Coeffs& c) noexcept {
  c_.lag[mode] = c.lag;
  c_.D[mode] = c.D;
  c_.C[mode] = c.C;
  c_.kinetic[mode] = c.kinetic;
  c_.elastic[mode] = c.elastic;
  c_.loss[mode] = c.loss;
  c_.share[mode] = c.share;
  same_gain_ = (mode == 0 || same_gain_) && c.C == c_.C[0];
}

/// omega^2 is a sum of a tension part and a bending part; the shapes stay.  Above the limit of its stepping a mode
/// stays at it: largest_tension() says when.
void ModalBody::retune(double tension, double bending, double added_decay_1_s) noexcept {
  const double limit = 0.9999 * (stepping_ == Stepping::leapfrog ? 2 : std::numbers::pi) / dt_;
  const bool built = tension == 1 && bending == 1;  // then the bits are those of the constructor
  for (std::size_t i = 0; i < c_.size(); ++i) {
    Mode m = mode_[i];
    if (!built) m.omega_rad_s *= std::sqrt((1 - m.bending) * tension + m.bending * bending);
    if (!built && stepping_ != Stepping::midpoint) m.omega_rad_s = std::min(m.omega_rad_s, limit);
    m.decay_1_s += added_decay_1_s;
    use(i, coeffs(m, dt_, stepping_));
  }
  retuned_ = !built;
  for (Bridge& b : bridges_)
    for (std::size_t i = 0; i < c_.size(); ++i) b.now[i] = tension * b.tension[i] + b.rest[i];
  if (!bridges_.empty()) until_read_ = 0;
  std::fill(column_known_.begin(), column_known_.end(), char{0});
}

double ModalBody::largest_tension() const noexcept {
  if (stepping_ == Stepping::midpoint) return 1e6;
  const double limit = 0.9999 * (stepping_ == Stepping::leapfrog ? 2 : std::numbers::pi) / dt_;
  double least = 1e6;
  for (const Mode& m : mode_) {
    const double most = (limit / m.omega_rad_s) * (limit / m.omega_rad_s);
    if (m.omega_rad_s > 0 && m.bending < 1) least = std::min(least, (most - m.bending) / (1 - m.bending));
    if (m.omega_rad_s > 0 && m.bending == 1) least = std::min(least, most);
  }
  return std::max(least, 1.0);
}

void ModalBody::place(std::size_t mode, double u_m, double step_m) noexcept {
  set_mode(mode, u_m, step_m);
  until_read_ = 0;
  read(true);
}

void ModalBody::set_mode(std::size_t mode, double u_m, double step_m) noexcept {
  u_[mode] = u_m;
  d_[mode] = step_m;
  rest_u_[mode] = rest_d_[mode] = 0;
  crossing_known_ = false;
}

modal_lanes::Modes ModalBody::lanes() noexcept {
  return {c_.size(), c_.C.data(), c_.D.data(), c_.lag.data(), c_.loss.data(),
          u_.data(), d_.data(),   s_.data(),   change_.data()};
}

ModalBody::Coeffs ModalBody::coeffs(std::size_t i) const noexcept {
  return {c_.lag[i], c_.D[i], c_.C[i], c_.kinetic[i], c_.elastic[i], c_.loss[i], c_.share[i]};
}

void ModalBody::load(std::size_t mode, double force_N, double origin_m) noexcept {
  load_[mode] = force_N;
  origin_[mode] = origin_m;
  loaded_ = std::any_of(load_.begin(), load_.end(), [](double f) { return f != 0; });
}

void ModalBody::add_force(std::size_t tap, double force_N) noexcept {
  for (std::size_t i = 0; i < c_.size(); ++i) push_[i] += shape(tap, i) * (c_.share[i] * force_N);
  pushed_ = true;
}

/// A mass, or another single mode: all of a step in registers, with the bits of the loops over modes.
void ModalBody::predict_single() noexcept {
  change_[0] = mode_change(c_.lag[0], c_.D[0], c_.C[0], u_[0], d_[0], load_[0] + push_[0]);
  s_[0] = mode_double_step(d_[0], change_[0]);
  show_single(s_[0], s_free);
}
void ModalBody::advance_single() noexcept {
  double modal = 0;
  bool touched = false;
  const double* shape = shapes_->data();
  for (std::size_t t = 0; t < force.size(); ++t) {
    if (force[t] == 0) continue;
    modal += shape[t] * std::exchange(force[t], 0.0);
    touched = true;
  }
  if (touched) change_[0] = mode_pushed(c_.C[0], change_[0], modal);
  s_[0] = mode_double_step(d_[0], change_[0]);
  lost.add(mode_loss(c_.loss[0], s_[0]));
  if (std::exchange(pushed_, false)) given.add(mode_work(std::exchange(push_[0], 0.0), s_[0]) / 2);
  if (loaded_) {
    add(d_[0], rest_d_[0], change_[0]);
    add(u_[0], rest_u_[0], d_[0]);
  } else {
    mode_move(change_[0], u_[0], d_[0]);
  }
  show_single(s_[0], s);
  show_single(u_[0], w);
  show_single(d_[0], d);
  until_read_ = 63;  // as read() leaves it
}
void ModalBody::show_single(double modal, std::span<double> taps) const noexcept {
  const double* shape = shapes_->data();
  for (std::size_t t = 0; t < taps.size(); ++t) taps[t] = 0 + shape[t] * modal;  // as a sum begins: no -0
}

void ModalBody::predict() noexcept {
  if (single()) return predict_single();
  if (c_modulation_ == 0) {  // (M1) as d+ = d + change, s = u+ - u- = 2 d + change
    const bool forced = loaded_ || pushed_;
    modal_lanes::predict_read(lanes(), forced ? load_.data() : nullptr, push_.data(), shapes_->data(),
                              fold_ ? 0 : rows_, s_free.data() + sines_);
    if (fold_) project_rows(s_, s_free);
    if (sines_ != 0) transform_->apply(s_, std::span(s_free).first(sines_));
    if (retuned_)
      for (const Bridge& b : bridges_)
        modal_lanes::times(b.now.data(), 1, c_.size(), s_.data(), &s_free[sines_ + b.row]);
  } else {  // (M7): X+ + X = 2X + w.s, one unknown number
    modal_lanes::predict(lanes(), load_.data(), push_.data());
    double along = 0;
    w_Cw_ = 0;
    for (std::size_t i = 0; i < c_.size(); ++i) {
      w_[i] = l_[i] * u_[i];
      along += w_[i] * (2 * d_[i] + change_[i]);
      w_Cw_ += c_.C[i] * w_[i] * w_[i];
    }
    crossing_ = crossing();
    crossing_known_ = true;
    sum_ = (2 * crossing_ + along) / (1 + 2 * c_modulation_ * w_Cw_);
    const double share = 2 * c_modulation_ * sum_;
    for (std::size_t i = 0; i < c_.size(); ++i) {
      modal_[i] = c_.C[i] * w_[i];
      change_[i] -= share * modal_[i];
    }
    project(modal_, tap_compliance_);
    modal_lanes::steps(lanes());
    project(s_, s_free);
  }
}

void ModalBody::gather() noexcept {
  if (fold_ && fold_->gains(force))
    fold_->push(force.data(), modal_.data(), fold_room_.data());
  else
    std::fill(modal_.begin(), modal_.end(), 0.0);
  const auto pushed = [](double f) { return f != 0; };
  if (std::any_of(force.begin(), force.begin() + static_cast<std::ptrdiff_t>(sines_), pushed))
    transform_->apply({force.data(), sines_}, modal_);
  for (std::size_t t = 0; t < rows_; ++t)
    if (const double f = force[sines_ + t]; f != 0) modal_lanes::add_row(row(t), c_.size(), f, modal_.data());
  std::fill(force.begin(), force.end(), 0.0);
}

void ModalBody::advance() noexcept {
  if (single()) return advance_single();
  const std::size_t n = c_.size();
  const auto pushed = [](double f) { return f != 0; };
  const auto rows = force.begin() + static_cast<std::ptrdiff_t>(sines_);
  const bool at_rows = std::any_of(rows, force.end(), pushed),
             touched = at_rows || std::any_of(force.begin(), rows, pushed);
  // Points that are independent need no transform.
  const bool apart = same_gain_ && !at_rows && c_modulation_ == 0 && transform_ && transform_->fast();
  if (apart)
    for (std::size_t t = 0; t < sines_; ++t) s[t] = s_free[t] + receptance(t, t) * force[t];
  const auto count_pushed = static_cast<std::size_t>(std::count_if(rows, force.end(), pushed));
  const bool by_columns = touched && reads_by_columns() && !(fold_ && count_pushed * s.size() > fold_->work());
  if (by_columns) {  // s = s_free + Q f: of few forces this is less than all modes at every tap
    std::copy(s_free.begin(), s_free.end(), s.begin());
    for (std::size_t t = 0; t < force.size(); ++t)
      if (force[t] != 0) modal_lanes::add_row(column(t), s.size(), force[t], s.data());
  }
  constexpr std::size_t most = 32;
  const double* pushed_row[most];
  double push_N[most];
  std::size_t count = 0;  // of rows that are pushed; few are summed up in the pass that moves the modes
  const bool few = !loaded_ && c_modulation_ == 0 && count_pushed <= most &&
                   std::none_of(force.begin(), rows, pushed) && !(fold_ && fold_->gains(force));
  for (std::size_t t = 0; few && at_rows && t < rows_; ++t) {
    if (force[sines_ + t] == 0) continue;
    pushed_row[count] = row(t);
    push_N[count++] = std::exchange(force[sines_ + t], 0.0);
  }
  if (touched && !few) {
    gather();
    if (c_modulation_ != 0) {
      for (std::size_t i = 0; i < n; ++i) modal_[i] *= c_.C[i];
      const double more = dot(w_.data(), modal_.data(), n) / (1 + 2 * c_modulation_ * w_Cw_),
                   share = 2 * c_modulation_ * more;
      for (std::size_t i = 0; i < n; ++i) modal_[i] -= share * c_.C[i] * w_[i];
      sum_ += more;
      for (std::size_t i = 0; i < n; ++i) change_[i] += modal_[i];
    } else if (loaded_) {
      modal_lanes::push(lanes(), modal_.data());
    }
  }
  crossing_ = sum_ - crossing_;  // (M7)
  if (loaded_)
    lost.add(modal_lanes::losses(lanes()));
  else
    lost.add(
        modal_lanes::advance(lanes(), pushed_row, push_N, count, modal_.data(), touched && !few && c_modulation_ == 0));
  if (pushed_) {
    given.add(sum_of(n, [&](std::size_t i) { return mode_work(push_[i], s_[i]); }) / 2);
    std::fill(push_.begin(), push_.end(), 0.0);
    pushed_ = false;
  }
  for (std::size_t i = 0; loaded_ && i < n; ++i) {  // the same increment at every step rounds the same way: without its
    add(d_[i], rest_d_[i], change_[i]);             // rest kept, energy drifts linearly
    add(u_[i], rest_u_[i], d_[i]);
  }
  if ((touched && !by_columns) || !follow_) {
    if (!apart && sines_ != 0) transform_->apply(s_, {s.data(), sines_});
    project_rows(s_, s);
  } else if (!touched) {
    std::copy(s_free.begin(), s_free.end(), s.begin());
  }
  read(false);
}

bool ModalBody::is_silent(double energy_J) const noexcept {
  double energy = 0;
  for (std::size_t i = 0; i < c_.size(); ++i) {
    if (load_[i] != 0 || (c_.D[i] == 0 && c_.lag[i] != 0 && d_[i] != 0)) return false;
    if (c_.D[i] != 0) energy += mode_kinetic(c_.kinetic[i], d_[i]) + mode_elastic(c_.elastic[i], u_[i], d_[i]);
  }
  return energy < energy_J;
}

bool ModalBody::held() const noexcept {
  return std::all_of(c_.D.begin(), c_.D.end(), [](double D) { return D != 0; });
}

void ModalBody::archive(Archive& a) noexcept {
  Body::archive(a);
  a(u_, d_, s_, load_, origin_, push_, rest_u_, rest_d_, loaded_, pushed_, crossing_, sum_, crossing_known_,
    until_read_);
}

void ModalBody::clear() noexcept {
  for (std::size_t i = 0; i < c_.size(); ++i)
    if (c_.D[i] != 0) u_[i] = d_[i] = s_[i] = rest_u_[i] = rest_d_[i] = 0;
  crossing_known_ = false;
  project(s_, s);
  read(true);
}

void ModalBody::apply_initial_forces() noexcept {
  gather();
  for (std::size_t i = 0; i < c_.size(); ++i) d_[i] -= c_.C[i] * modal_[i] / 2;
  crossing_known_ = false;
  read(true);
}

/// sum += x, keeping what rounding takes away (two-sum).
void ModalBody::add(double& sum, double& rest, double x) noexcept {
  x += rest;
  const double t = sum + x, v = t - sum;
  rest = (sum - (t - v)) + (x - v);
  sum = t;
}

double ModalBody::shape(std::size_t tap, std::size_t mode) const noexcept {
  return tap < sines_ ? sine_table_[(tap + 1) * (mode + 1) % sine_table_.size()] : row(tap - sines_)[mode];
}

bool ModalBody::coupled(std::size_t tap, std::size_t other) const noexcept {
  if (c_modulation_ != 0) return true;  // also at rest, where the receptance does not show it yet
  if (tap < sines_ && other < sines_ && same_gain_) return tap == other;
  for (std::size_t i = 0; i < c_.size(); ++i)  // by shape: a sum that is zero need not stay so when the body is retuned
    if (shape(tap, i) * shape(other, i) != 0) return true;
  return false;
}

double ModalBody::still_receptance(std::size_t tap, std::size_t other) const noexcept {
  if (tap < sines_ && other < sines_ && same_gain_)  // sum_p sin sin = (P+1)/2 or 0
    return tap == other ? c_.C[0] * static_cast<double>(sines_ + 1) / 2 : 0;
  if (tap < sines_ || other < sines_)
    return sum_of(c_.size(), [&](std::size_t i) { return c_.C[i] * (shape(tap, i) * shape(other, i)); });
  const double* one = row(tap - sines_);
  const double* two = row(other - sines_);
  return sum_of(c_.size(), [&](std::size_t i) { return c_.C[i] * (one[i] * two[i]); });
}

/// They change only when the body is retuned.
const double* ModalBody::column(std::size_t tap) const noexcept {
  const std::size_t n = taps();
  double* q = &still_[tap * n];
  if (column_known_[tap]) return q;
  for (std::size_t k = 0; k < n; ++k) q[k] = column_known_[k] ? still_[k * n + tap] : still_receptance(tap, k);
  column_known_[tap] = 1;
  return q;
}

double ModalBody::receptance(std::size_t tap, std::size_t other) const noexcept {
  const double q = still_.empty() ? still_receptance(tap, other) : column(tap)[other];
  if (c_modulation_ == 0) return q;
  return q - 2 * c_modulation_ * tap_compliance_[tap] * tap_compliance_[other] / (1 + 2 * c_modulation_ * w_Cw_);
}

Stored ModalBody::stored() const noexcept {  // (M2)
  const std::size_t n = c_.size();
  Stored e = modal_energy(n, u_.data(), d_.data(), c_.kinetic.data(), c_.elastic.data(), c_.bending.data());
  if (loaded_) e.load = -sum_of(n, [&](std::size_t i) { return load_[i] * (u_[i] - d_[i] / 2 - origin_[i]); });
  if (c_modulation_ == 0) return e;
  const double X = crossing();
  e.modulation = c_modulation_ * X * X;
  return e;
}

/// X of (M7), read off the state where it was placed.
double ModalBody::crossing() const noexcept {
  if (crossing_known_) return crossing_;
  return sum_of(c_.size(), [&](std::size_t i) { return l_[i] * u_[i] * (u_[i] - d_[i]); });
}

void ModalBody::project(std::span<const double> modal, std::span<double> taps) noexcept {
  if (sines_ != 0) transform_->apply(modal, taps.first(sines_));
  project_rows(modal, taps);
}
void ModalBody::project_rows(std::span<const double> modal, std::span<double> taps) noexcept {
  if (fold_) {
    for (const auto& [first, count] : fold_->others())
      modal_lanes::times(row(first), count, c_.size(), modal.data(), &taps[first]);
    return fold_->read(modal.data(), taps.data(), fold_room_.data());
  }
  modal_lanes::times(shapes_->data(), rows_, c_.size(), modal.data(), taps.data() + sines_);
  if (!retuned_) return;
  for (const Bridge& b : bridges_) modal_lanes::times(b.now.data(), 1, c_.size(), modal.data(), &taps[sines_ + b.row]);
}

const double* ModalBody::row(std::size_t index) const noexcept {
  if (retuned_)
    for (const Bridge& b : bridges_)
      if (b.row == index) return b.now.data();
  return shapes_->data() + index * c_.size();
}

/// Taps of many modes follow by increments, d+ = s - d, and are read again from the modes every 64 steps: one
/// projection per free step instead of three.
void ModalBody::read(bool all) noexcept {
  if (!follow_ || all || until_read_ == 0) {
    project(u_, w);
    project(d_, d);
    until_read_ = 64;
  } else {
    for (std::size_t t = 0; t < w.size(); ++t) {
      d[t] = s[t] - d[t];
      w[t] += d[t];
    }
  }
  --until_read_;
}

}  // namespace jawari
