// SPDX-License-Identifier: MIT
// Any symmetric Q >= 0, also singular (more ports than modes).  Cholesky on the ports with b != 0 only:
//   (I + D Q D) z = D^-1 r - D Q r_0,  dphi = D z,  D = |b|^1/2,  r = f - phi,  r_0 = r where b = 0             (K4)
// Eigenvalues >= 1: nothing to pivot, nothing to tune.  s is rebuilt from phi every time: adding up steps ds
// instead loses the energy by eps q|b| (1e-3 at K = 1e13).
#pragma once
#include <vector>

#include "jawari/couple/compliance.h"

namespace jawari {

class DenseCompliance final : public Compliance {
 public:
  explicit DenseCompliance(std::size_t ports);
  double& at(std::size_t i, std::size_t j) noexcept { return q_[i * n_ + j]; }  ///< Q [m/N]
  double at(std::size_t i, std::size_t j) const noexcept { return q_[i * n_ + j]; }

  /// Another number of ports, at most what it was made for; all of Q is to be written again.  Allocates nothing.
  void refit(std::size_t ports) noexcept;

  void start(std::span<const double> s_free_m) noexcept override;
  void improve(std::span<const double> f_N, std::span<const double> b, std::span<double> s_m) noexcept override;
  void back_off(double share, std::span<double> s_m) noexcept override;
  void sweep(PortAnswers& ports, std::span<double> s_m) noexcept override;
  void mark() noexcept override;
  void go_back(std::span<double> s_m) noexcept override;
  double terms(std::size_t port) const noexcept override;
  void forces(std::span<double> phi_N) const noexcept override;

 private:
  void place(std::span<double> s) const noexcept;
  void load(const std::vector<double>& phi, std::span<double> s) const noexcept;  // s += Q phi
  void factor_row(std::size_t row) noexcept;
  void solve(std::size_t active) noexcept;

  std::size_t n_;
  std::vector<double> q_, chol_, z_, s_free_, phi_, before_, known_, marked_;
  std::vector<std::size_t> active_;
  mutable std::vector<double> terms_;  // of all ports, for the forces of now
  mutable bool terms_known_ = false;
};

}  // namespace jawari
