// SPDX-License-Identifier: MIT
#include "jawari/couple/dense.h"

#include <algorithm>
#include <cmath>

namespace jawari {

DenseCompliance::DenseCompliance(std::size_t ports)
    : n_(ports), q_(ports * ports), chol_(ports * ports), active_(ports) {
  for (auto* v : {&z_, &s_free_, &phi_, &before_, &known_}) v->assign(ports, 0.0);
}

void DenseCompliance::refit(std::size_t ports) noexcept {
  n_ = ports, active_.resize(ports);
  for (auto* v : {&z_, &s_free_, &phi_, &before_, &known_}) v->resize(ports);
}

void DenseCompliance::start(std::span<const double> s_free) noexcept {
  std::copy(s_free.begin(), s_free.end(), s_free_.begin());
  std::fill(phi_.begin(), phi_.end(), 0.0);
}

void DenseCompliance::improve(std::span<const double> f, std::span<const double> b, std::span<double> s) noexcept {
  std::size_t m = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    known_[i] = b[i] < 0 ? 0 : f[i] - phi_[i];
    if (b[i] < 0) active_[m++] = i;
  }
  std::fill(s.begin(), s.end(), 0.0);
  load(known_, s);
  for (std::size_t i = 0; i < m; ++i) {  // (K4)
    const std::size_t p = active_[i];
    const double di = std::sqrt(-b[p]);
    for (std::size_t j = 0; j <= i; ++j)
      chol_[i * n_ + j] = (i == j) + di * q_[p * n_ + active_[j]] * std::sqrt(-b[active_[j]]);
    z_[i] = (f[p] - phi_[p]) / di - di * s[p];
  }
  solve(m);
  std::copy(phi_.begin(), phi_.end(), before_.begin());
  for (std::size_t i = 0; i < n_; ++i) phi_[i] += known_[i];
  for (std::size_t i = 0; i < m; ++i) phi_[active_[i]] += std::sqrt(-b[active_[i]]) * z_[i];
  place(s);
}

void DenseCompliance::back_off(double share, std::span<double> s) noexcept {
  for (std::size_t i = 0; i < n_; ++i) phi_[i] = before_[i] + share * (phi_[i] - before_[i]);
  place(s);
}

double DenseCompliance::terms(std::size_t i) const noexcept {
  double sum = std::abs(s_free_[i]);
  for (std::size_t j = 0; j < n_; ++j) sum += std::abs(q_[i * n_ + j] * phi_[j]);
  return sum;
}

void DenseCompliance::forces(std::span<double> phi) const noexcept { std::copy(phi_.begin(), phi_.end(), phi.begin()); }

void DenseCompliance::place(std::span<double> s) const noexcept {
  std::copy(s_free_.begin(), s_free_.end(), s.begin());
  load(phi_, s);
}

void DenseCompliance::load(const std::vector<double>& phi, std::span<double> s) const noexcept {
  for (std::size_t j = 0; j < n_; ++j)
    if (phi[j] != 0)
      for (std::size_t i = 0; i < n_; ++i) s[i] += q_[j * n_ + i] * phi[j];
}

void DenseCompliance::solve(std::size_t m) noexcept {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = chol_[i * n_ + j];
      for (std::size_t k = 0; k < j; ++k) sum -= chol_[i * n_ + k] * chol_[j * n_ + k];
      chol_[i * n_ + j] = j < i ? sum / chol_[j * n_ + j] : std::sqrt(sum);
    }
    for (std::size_t k = 0; k < i; ++k) z_[i] -= chol_[i * n_ + k] * z_[k];
    z_[i] /= chol_[i * n_ + i];
  }
  for (std::size_t i = m; i-- > 0;) {
    for (std::size_t k = i + 1; k < m; ++k) z_[i] -= chol_[k * n_ + i] * z_[k];
    z_[i] /= chol_[i * n_ + i];
  }
}

}  // namespace jawari
