// SPDX-License-Identifier: MIT
// Any symmetric Q >= 0, also singular (more ports than modes).  Cholesky on the ports with b != 0 only:
//   (I + D Q D) z = D^-1 r - D Q r_0,  dphi = D z,  D = |b|^1/2,  r = f - phi,  r_0 = r where b = 0             (K4)
// Eigenvalues >= 1: nothing to pivot, nothing to tune.  s is rebuilt from phi every time: adding up steps ds
// instead loses the energy by eps q|b| (1e-3 at K = 1e13).
// Most points on an explicit grid are independent: with set_pattern() only entries that can differ from zero
// are used, and Cholesky goes block by block.  The sums keep their order, so the result is the same, bit for bit.
#pragma once
#include <utility>
#include <vector>

#include "jawari/couple/compliance.h"

namespace jawari {

class DenseCompliance final : public Compliance {
 public:
  explicit DenseCompliance(std::size_t ports);
  double& at(std::size_t i, std::size_t j) noexcept { return q_[i * n_ + j]; }  ///< Q [m/N]
  double at(std::size_t i, std::size_t j) const noexcept { return q_[i * n_ + j]; }

  /// Entry (i, j) of Q is zero, now and later, where coupled(i, j) is false; i > j.  Used where most of Q is zero.
  template <class Coupled>
  void set_pattern(const Coupled& coupled) {
    constexpr std::size_t sparse = 4;  // loops without indices are faster by about this factor
    std::vector<std::vector<std::size_t>> partners(n_);
    std::size_t entries = n_;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!coupled(i, j)) continue;
        partners[i].push_back(j);
        partners[j].push_back(i);
        entries += 2;
      }
      if (entries * sparse > n_ * n_) return;
      partners[i].push_back(i);
    }
    take_pattern(std::move(partners));
  }

  /// Another number of ports, at most what it was made for; all of Q is to be written again.  Not with
  /// a pattern.  Allocates nothing.
  void refit(std::size_t ports) noexcept;

  void start(std::span<const double> s_free_m) noexcept override;
  void newton_step(std::span<const double> f_N, std::span<const double> b, std::span<double> s_m) noexcept override;
  void damp_last_step(double share, std::span<double> s_m) noexcept override;
  void sweep(PortAnswers& ports, std::span<double> s_m) noexcept override;
  void mark() noexcept override;
  void go_back(std::span<double> s_m) noexcept override;
  double magnitude(std::size_t port) const noexcept override;
  void forces(std::span<double> phi_N) const noexcept override;

 private:
  void place(std::span<double> s) const noexcept;
  void load(const std::vector<double>& phi, std::span<double> s) const noexcept;  // s += Q phi
  void solve(std::size_t active) noexcept;
  void take_pattern(std::vector<std::vector<std::size_t>> partners);
  template <class F>
  void each_partner(std::size_t port, F&& visit) const noexcept {
    if (partners_.empty())
      for (std::size_t k = 0; k < n_; ++k) visit(k);
    else
      for (const auto k : partners_[port]) visit(k);
  }

  std::size_t n_;
  std::vector<double> q_, upper_, z_, s_free_, phi_, before_, known_, marked_, root_, row_;
  std::vector<std::size_t> active_;                 // ports with b != 0, block by block
  std::vector<std::size_t> first_, last_;           // per active port: where its block begins and ends
  std::vector<std::size_t> order_, block_;          // ports block by block; number of the block of a port
  std::vector<std::vector<std::size_t>> partners_;  // ports that a port moves; empty: every port moves all
  mutable std::vector<double> terms_;               // of all ports, for the forces of now
  mutable bool terms_known_ = false;
};

}  // namespace jawari
