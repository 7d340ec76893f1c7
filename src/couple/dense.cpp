// SPDX-License-Identifier: MIT
#include "jawari/couple/dense.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "couple/factor_lanes.h"

namespace jawari {

DenseCompliance::DenseCompliance(std::size_t ports) : n_(ports), q_(ports * ports), upper_(ports * ports) {
  for (auto* v : {&active_, &first_, &last_, &order_, &block_}) v->resize(ports);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  for (auto* v : {&z_, &s_free_, &phi_, &before_, &known_, &marked_, &terms_, &root_, &row_}) v->assign(ports, 0.0);
}

void DenseCompliance::refit(std::size_t ports) noexcept {
  n_ = ports;
  for (auto* v : {&active_, &first_, &last_, &order_, &block_}) v->resize(ports);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  for (auto* v : {&z_, &s_free_, &phi_, &before_, &known_, &marked_, &terms_, &root_, &row_}) v->resize(ports);
}

/// Blocks in the order of their first ports, and the ports of a block in their own order.
void DenseCompliance::take_pattern(std::vector<std::vector<std::size_t>> partners) {
  for (auto& list : partners) std::sort(list.begin(), list.end());
  partners_ = std::move(partners);
  std::vector<char> found(n_, 0);
  order_.clear();
  for (std::size_t seed = 0, blocks = 0; seed < n_; ++seed) {
    if (found[seed]) continue;
    const auto begin = order_.size();
    order_.push_back(seed);
    found[seed] = 1;
    for (std::size_t at = begin; at < order_.size(); ++at) {
      block_[order_[at]] = blocks;
      for (const auto k : partners_[order_[at]])
        if (!std::exchange(found[k], char{1})) order_.push_back(k);
    }
    std::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin), order_.end());
    ++blocks;
  }
}

void DenseCompliance::start(std::span<const double> s_free) noexcept {
  std::copy(s_free.begin(), s_free.end(), s_free_.begin());
  std::fill(phi_.begin(), phi_.end(), 0.0);
  terms_known_ = false;
}

void DenseCompliance::newton_step(std::span<const double> f, std::span<const double> b, std::span<double> s) noexcept {
  std::size_t m = 0;
  for (const auto i : order_) {
    known_[i] = b[i] < 0 ? 0 : f[i] - phi_[i];
    if (!(b[i] < 0)) continue;
    first_[m] = m > 0 && block_[active_[m - 1]] == block_[i] ? first_[m - 1] : m;
    active_[m++] = i;
  }
  for (std::size_t i = m; i-- > 0;) last_[i] = i + 1 < m && first_[i + 1] == first_[i] ? last_[i + 1] : i + 1;
  std::fill(s.begin(), s.end(), 0.0);
  load(known_, s);
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t p = active_[i];
    root_[i] = std::sqrt(-b[p]);
    z_[i] = (f[p] - phi_[p]) / root_[i] - root_[i] * s[p];
  }
  solve(m);
  std::copy(phi_.begin(), phi_.end(), before_.begin());
  for (std::size_t i = 0; i < n_; ++i) phi_[i] += known_[i];
  for (std::size_t i = 0; i < m; ++i) phi_[active_[i]] += root_[i] * z_[i];
  place(s);
}

void DenseCompliance::damp_last_step(double share, std::span<double> s) noexcept {
  for (std::size_t i = 0; i < n_; ++i) phi_[i] = before_[i] + share * (phi_[i] - before_[i]);
  place(s);
}

void DenseCompliance::sweep(PortAnswers& ports, std::span<double> s) noexcept {
  place(s);
  for (std::size_t turn = 0; turn < 2 * n_; ++turn) {
    const std::size_t i = turn < n_ ? turn : 2 * n_ - 1 - turn;
    const double q = q_[i * n_ + i], phi = ports.answer(i, s[i] - q * phi_[i], q), more = phi - phi_[i];
    phi_[i] = phi;
    each_partner(i, [&](std::size_t j) { s[j] += q_[i * n_ + j] * more; });
  }
  place(s);
}

void DenseCompliance::mark() noexcept { std::copy(phi_.begin(), phi_.end(), marked_.begin()); }

void DenseCompliance::go_back(std::span<double> s) noexcept {
  std::copy(marked_.begin(), marked_.end(), phi_.begin());
  place(s);
}

double DenseCompliance::magnitude(std::size_t i) const noexcept {
  if (!terms_known_) {
    for (std::size_t k = 0; k < n_; ++k) terms_[k] = std::abs(s_free_[k]);
    for (std::size_t j = 0; j < n_; ++j)
      if (phi_[j] != 0) each_partner(j, [&](std::size_t k) { terms_[k] += std::abs(q_[j * n_ + k] * phi_[j]); });
    terms_known_ = true;
  }
  return terms_[i];
}

void DenseCompliance::forces(std::span<double> phi) const noexcept { std::copy(phi_.begin(), phi_.end(), phi.begin()); }

void DenseCompliance::place(std::span<double> s) const noexcept {
  std::copy(s_free_.begin(), s_free_.end(), s.begin());
  load(phi_, s);
  terms_known_ = false;
}

void DenseCompliance::load(const std::vector<double>& phi, std::span<double> s) const noexcept {
  for (std::size_t j = 0; j < n_; ++j)
    if (phi[j] != 0) each_partner(j, [&](std::size_t i) { s[i] += q_[j * n_ + i] * phi[j]; });
}

/// (K4)  z: right-hand side, then solution.
void DenseCompliance::solve(std::size_t m) noexcept {
  constexpr double least = 0.5;  // >= 1 but for rounding
  for (std::size_t i = 0; i < m; ++i) {
    const double* q = &q_[active_[i] * n_];
    for (std::size_t j = first_[i]; j <= i; ++j) row_[j] = (i == j) + root_[i] * q[active_[j]] * root_[j];
    factor_row(row_.data(), upper_.data(), n_, first_[i], i, least);
    for (std::size_t k = first_[i]; k < i; ++k) z_[i] -= row_[k] * z_[k];
    z_[i] /= row_[i];
  }
  for (std::size_t i = m; i-- > 0;) {
    const double* column = &upper_[i * n_];
    for (std::size_t k = i + 1; k < last_[i]; ++k) z_[i] -= column[k] * z_[k];
    z_[i] /= column[i];
  }
}

}  // namespace jawari
