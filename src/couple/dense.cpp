// SPDX-License-Identifier: MIT
#include "jawari/couple/dense.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "couple/factor_lanes.h"

namespace jawari {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr double least_pivot = 0.5;  // >= 1 but for rounding
constexpr std::size_t few = 8;       // rows: below, a call for the widest instructions costs more than it saves

}  // namespace

DenseCompliance::DenseCompliance(std::size_t ports)
    : n_(ports),
      m_(ports),
      q_(ports * ports),
      chosen_dense_(new double[ports * ports]),
      upper_(new double[ports * ports]),
      lower_(new double[ports * ports]) {
  for (auto* v : {&ports_, &all_, &position_, &active_, &active_at_, &factored_port_}) v->resize(ports);
  for (auto* v : {&first_, &zero_column_}) v->resize(ports);
  for (auto* v : {&z_, &s_free_, &phi_, &before_, &known_, &marked_, &terms_, &root_, &factored_root_})
    v->assign(ports, 0.0);
  std::iota(all_.begin(), all_.end(), 0u);
  ports_ = all_;
}

void DenseCompliance::refit(std::size_t ports) noexcept {
  n_ = m_ = ports;
  changed_ = true;
  ports_.assign(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(ports));
}

void DenseCompliance::take_pattern(std::vector<std::vector<std::uint32_t>> partners) {
  std::vector<double> values;
  row_.assign(1, 0);
  for (std::size_t i = 0; i < n_; ++i) {
    std::sort(partners[i].begin(), partners[i].end());
    for (const auto j : partners[i]) {
      column_.push_back(j);
      values.push_back(q_[i * n_ + j]);
    }
    row_.push_back(column_.size());
  }
  q_ = std::move(values);
  chosen_dense_.reset();
  upper_.reset();
  chosen_row_.resize(n_ + 1);
  chosen_column_.resize(column_.size());
  chosen_q_.resize(column_.size());
  changed_ = true;
}

std::size_t DenseCompliance::entry(std::size_t i, std::size_t j) const noexcept {
  const auto from = column_.begin() + static_cast<std::ptrdiff_t>(row_[i]);
  const auto to = column_.begin() + static_cast<std::ptrdiff_t>(row_[i + 1]);
  const auto found = std::lower_bound(from, to, j);
  return found != to && *found == j ? static_cast<std::size_t>(found - column_.begin()) : column_.size();
}

double& DenseCompliance::at(std::size_t i, std::size_t j) noexcept {
  changed_ = true;
  if (!sparse()) return q_[i * n_ + j];
  const std::size_t e = entry(i, j);
  nothing_ = 0;
  return e < column_.size() ? q_[e] : nothing_;
}
double DenseCompliance::at(std::size_t i, std::size_t j) const noexcept {
  if (!sparse()) return q_[i * n_ + j];
  const std::size_t e = entry(i, j);
  return e < column_.size() ? q_[e] : 0;
}

void DenseCompliance::select(std::span<const std::uint32_t> ports) noexcept {
  const auto differs = std::mismatch(ports.begin(), ports.end(), ports_.begin(), ports_.end()).first;
  const auto same = static_cast<std::size_t>(differs - ports.begin());
  if (same == ports.size() && same == ports_.size()) return;
  ports_.assign(ports.begin(), ports.end());
  m_ = ports.size();
  arranged_ = false;
  while (factored_ > 0 && factored_port_[factored_ - 1] >= same) --factored_;
}

/// Q of the selected ports side by side.
void DenseCompliance::arrange() noexcept {
  if (std::exchange(changed_, false)) factored_ = 0;
  arranged_ = true;
  if (sparse()) {
    std::fill(position_.begin(), position_.end(), none);
    for (std::size_t i = 0; i < m_; ++i) position_[ports_[i]] = static_cast<std::uint32_t>(i);
    std::size_t at = 0;
    for (std::size_t i = 0; i < m_; ++i) {
      chosen_row_[i] = at;
      for (std::size_t e = row_[ports_[i]]; e < row_[ports_[i] + 1]; ++e) {
        if (position_[column_[e]] == none) continue;
        chosen_column_[at] = position_[column_[e]];
        chosen_q_[at++] = q_[e];
      }
    }
    chosen_row_[m_] = at;
    return;
  }
  stride_ = m_ == n_ ? n_ : m_;
  chosen_ = m_ == n_ ? q_.data() : chosen_dense_.get();
  if (m_ == n_) return;
  for (std::size_t i = 0; i < m_; ++i) {
    const double* row = &q_[ports_[i] * n_];
    double* to = &chosen_dense_[i * m_];
    for (std::size_t j = 0; j < m_; ++j) to[j] = row[ports_[j]];
  }
}

void DenseCompliance::start(std::span<const double> s_free) noexcept {
  if (changed_ || !arranged_) arrange();
  std::copy(s_free.begin(), s_free.end(), s_free_.begin());
  std::fill_n(phi_.begin(), m_, 0.0);
  terms_known_ = false;
}

void DenseCompliance::begin_with(std::span<const double> phi, std::span<double> s) noexcept {
  std::copy(phi.begin(), phi.end(), phi_.begin());
  place(s);
}

void DenseCompliance::newton_step(std::span<const double> f, std::span<const double> b, std::span<double> s) noexcept {
  std::size_t a = 0;
  for (std::size_t i = 0; i < m_; ++i) {
    known_[i] = b[i] < 0 ? 0 : f[i] - phi_[i];
    if (b[i] < 0) active_[a++] = static_cast<std::uint32_t>(i);
  }
  std::fill(s.begin(), s.end(), 0.0);
  load(known_, s);
  for (std::size_t i = 0; i < a; ++i) {
    const std::size_t p = active_[i];
    root_[i] = std::sqrt(-b[p]);
    z_[i] = (f[p] - phi_[p]) / root_[i] - root_[i] * s[p];
  }
  factor(a);
  solve(a);
  std::copy_n(phi_.begin(), m_, before_.begin());
  for (std::size_t i = 0; i < m_; ++i) phi_[i] += known_[i];
  for (std::size_t i = 0; i < a; ++i) phi_[active_[i]] += root_[i] * z_[i];
  place(s);
}

void DenseCompliance::damp_last_step(double share, std::span<double> s) noexcept {
  for (std::size_t i = 0; i < m_; ++i) phi_[i] = before_[i] + share * (phi_[i] - before_[i]);
  place(s);
}

/// (K6)
void DenseCompliance::sweep(PortAnswers& ports, std::span<double> s) noexcept {
  place(s);
  for (std::size_t turn = 0; turn < 2 * m_; ++turn) {
    const std::size_t i = turn < m_ ? turn : 2 * m_ - 1 - turn;
    double q = 0;
    each_partner(i, [&](std::size_t j, double value) {
      if (i == j) q = value;
    });
    const double phi = ports.answer(i, s[i] - q * phi_[i], q), more = phi - phi_[i];
    phi_[i] = phi;
    each_partner(i, [&](std::size_t j, double value) { s[j] += value * more; });
  }
  place(s);
}

void DenseCompliance::mark() noexcept { std::copy_n(phi_.begin(), m_, marked_.begin()); }

void DenseCompliance::go_back(std::span<double> s) noexcept {
  std::copy_n(marked_.begin(), m_, phi_.begin());
  place(s);
}

double DenseCompliance::magnitude(std::size_t i) const noexcept {
  if (!terms_known_) {
    for (std::size_t k = 0; k < m_; ++k) terms_[k] = std::abs(s_free_[k]);
    for (std::size_t j = 0; j < m_; ++j)
      if (phi_[j] != 0) each_partner(j, [&](std::size_t k, double q) { terms_[k] += std::abs(q * phi_[j]); });
    terms_known_ = true;
  }
  return terms_[i];
}

void DenseCompliance::forces(std::span<double> phi) const noexcept { std::copy_n(phi_.begin(), m_, phi.begin()); }

void DenseCompliance::spread(std::span<double> s) const noexcept {
  for (std::size_t i = 0; i < m_; ++i) {
    if (phi_[i] == 0) continue;
    const std::size_t p = ports_[i];
    if (sparse())
      for (std::size_t e = row_[p]; e < row_[p + 1]; ++e) s[column_[e]] += q_[e] * phi_[i];
    else
      add_scaled(&q_[p * n_], n_, phi_[i], s.data());
  }
}

void DenseCompliance::place(std::span<double> s) const noexcept {
  std::copy_n(s_free_.begin(), m_, s.begin());
  load(phi_, s);
  terms_known_ = false;
}

void DenseCompliance::load(const std::vector<double>& phi, std::span<double> s) const noexcept {
  for (std::size_t j = 0; j < m_; ++j) {
    if (phi[j] == 0) continue;
    if (!sparse() && m_ >= few)
      add_scaled(&chosen_[j * stride_], m_, phi[j], s.data());
    else
      each_partner(j, [&](std::size_t i, double q) { s[i] += q * phi[j]; });
  }
}

/// (K4)  The rows whose ports, or those before them, are not what they were.
void DenseCompliance::factor(std::size_t a) noexcept {
  std::size_t known = 0;
  while (known < std::min(a, factored_) && factored_port_[known] == active_[known] &&
         factored_root_[known] == root_[known])
    ++known;
  if (known < std::min(a, inverted_)) inverted_ = 0;
  if (sparse() && known < a) {
    std::fill_n(active_at_.begin(), m_, none);
    for (std::size_t i = 0; i < a; ++i) active_at_[active_[i]] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = known; i < a; ++i) {
    factored_port_[i] = active_[i];
    factored_root_[i] = root_[i];
    if (sparse()) {
      factor_thin_row(i);
      continue;
    }
    const double* q = &chosen_[active_[i] * stride_];
    double* row = &lower_[i * n_];
    for (std::size_t j = 0; j <= i; ++j) row[j] = (i == j) + root_[i] * q[active_[j]] * root_[j];
    factor_row(row, upper_.get(), n_, 0, i, least_pivot);
  }
  factored_ = a;
}

/// From the first port that it is coupled to.
void DenseCompliance::factor_thin_row(std::size_t i) noexcept {
  const std::size_t p = active_[i];
  std::size_t first = i;
  for (std::size_t e = chosen_row_[p]; e < chosen_row_[p + 1]; ++e)
    first = std::min<std::size_t>(first, active_at_[chosen_column_[e]]);
  const std::size_t begin = i == 0 ? 0 : zero_column_[i - 1] + i;
  first_[i] = first;
  zero_column_[i] = begin - first;  // may wrap: column `first` is the first that is used
  double* row = &lower_[begin];
  std::fill_n(row, i - first, 0.0);
  row[i - first] = 1;
  for (std::size_t e = chosen_row_[p]; e < chosen_row_[p + 1]; ++e)
    if (const std::size_t j = active_at_[chosen_column_[e]]; j <= i)
      row[j - first] += root_[i] * chosen_q_[e] * root_[j];
  double& diagonal = row[i - first];
  for (std::size_t k = first; k < i; ++k) {
    double& x = row[k - first];
    for (std::size_t j = std::max(first, first_[k]); j < k; ++j) x -= row[j - first] * lower_[zero_column_[k] + j];
    x /= lower_[zero_column_[k] + k];
    diagonal -= x * x;
  }
  diagonal = std::sqrt(std::max(diagonal, least_pivot));
}

/// z: right-hand side, then solution.
void DenseCompliance::solve(std::size_t a) noexcept {
  if (!sparse()) return solve_factored(lower_.get(), upper_.get(), n_, a, z_.data());
  for (std::size_t i = 0; i < a; ++i) {
    for (std::size_t k = first_[i]; k < i; ++k) z_[i] -= lower_[zero_column_[i] + k] * z_[k];
    z_[i] /= lower_[zero_column_[i] + i];
  }
  for (std::size_t i = a; i-- > 0;) {
    z_[i] /= lower_[zero_column_[i] + i];
    for (std::size_t k = first_[i]; k < i; ++k) z_[k] -= lower_[zero_column_[i] + k] * z_[i];
  }
}

}  // namespace jawari
