// SPDX-License-Identifier: MIT
// Any symmetric Q >= 0, also singular (more ports than modes), and of it the ports that take part in a step: select().
// Cholesky on those with b != 0 only:
//   (I + D Q D) z = D^-1 r - D Q r_0,  dphi = D z,  D = |b|^1/2,  r = f - phi,  r_0 = r where b = 0             (K4)
// Eigenvalues >= 1: nothing to pivot, nothing to tune.  s is rebuilt from phi every time: adding up steps ds
// instead loses the energy by eps q|b| (1e-3 at K = 1e13).
// Rows of the factor stay as long as the ports before them, their b and Q do: springs come first in an island, and
// their part is factored once.
// Most points on an explicit grid are independent: with set_pattern() only entries that can differ from zero are kept,
// and a row of the factor begins at the first port that it is coupled to.  The sums keep their order, so the result is
// the same, bit for bit.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "jawari/couple/compliance.h"

namespace jawari {

class DenseCompliance final : public Compliance {
 public:
  explicit DenseCompliance(std::size_t ports);
  /// Q [m/N]; with a pattern, of a pair that is coupled.
  double& at(std::size_t i, std::size_t j) noexcept;
  double at(std::size_t i, std::size_t j) const noexcept;

  /// Entry (i, j) of Q is zero, now and later, where coupled(i, j) is false; i > j.  Used where most of Q is zero.
  template <class Coupled>
  void set_pattern(const Coupled& coupled) {
    constexpr std::size_t sparse = 4;  // loops without indices are faster by about this factor
    std::vector<std::vector<std::uint32_t>> partners(n_);
    std::size_t entries = n_;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!coupled(i, j)) continue;
        partners[i].push_back(static_cast<std::uint32_t>(j));
        partners[j].push_back(static_cast<std::uint32_t>(i));
        entries += 2;
      }
      if (entries * sparse > n_ * n_) return;
      partners[i].push_back(static_cast<std::uint32_t>(i));
    }
    take_pattern(std::move(partners));
  }
  /// visit(i, j, q) of every entry that can differ from zero, j <= i; q is written to both (i, j) and (j, i).
  template <class Receptance>
  void assemble(const Receptance& receptance) noexcept {
    for (std::size_t i = 0; i < n_; ++i) {
      if (!sparse())
        for (std::size_t j = 0; j <= i; ++j) at(i, j) = at(j, i) = receptance(i, j);
      else
        for (std::size_t e = row_[i]; e < row_[i + 1] && column_[e] <= i; ++e)
          at(i, column_[e]) = at(column_[e], i) = receptance(i, std::size_t{column_[e]});
    }
  }

  /// The same for one port, receptance(other), with all ports that it may be coupled with.
  template <class Receptance>
  void assemble_port(std::size_t port, const Receptance& receptance) noexcept {
    if (!sparse())
      for (std::size_t j = 0; j < n_; ++j) at(port, j) = at(j, port) = receptance(j);
    else
      for (std::size_t e = row_[port]; e < row_[port + 1]; ++e)
        at(port, column_[e]) = at(column_[e], port) = receptance(std::size_t{column_[e]});
  }

  /// Another number of ports, at most what it was made for; all of Q is to be written again.  Not with
  /// a pattern.  Allocates nothing.
  void refit(std::size_t ports) noexcept;

  /// Room for what solve_linear() keeps; allocates.  False: not with a pattern.
  bool keep_inverse();
  /// After start(): f + b (s - s_free) of all selected ports, b < 0; s = s_free before, the solution afterwards.  (K9)
  /// False, and nothing is done: they are so stiff that an inverse is not as exact as a solve.
  bool solve_linear(std::span<const double> f_N, std::span<const double> b, std::span<double> s_m) noexcept;

  bool selects() const noexcept override { return true; }
  void select(std::span<const std::uint32_t> ports) noexcept override;
  void start(std::span<const double> s_free_m) noexcept override;
  /// After start(): these forces to begin with, and where they hold the ports.
  void begin_with(std::span<const double> phi_N, std::span<double> s_m) noexcept;
  void newton_step(std::span<const double> f_N, std::span<const double> b, std::span<double> s_m) noexcept override;
  void damp_last_step(double share, std::span<double> s_m) noexcept override;
  void sweep(PortAnswers& ports, std::span<double> s_m) noexcept override;
  void mark() noexcept override;
  void go_back(std::span<double> s_m) noexcept override;
  double magnitude(std::size_t port) const noexcept override;
  void forces(std::span<double> phi_N) const noexcept override;
  void spread(std::span<double> s_m) const noexcept override;

 private:
  bool sparse() const noexcept { return !row_.empty(); }
  std::size_t entry(std::size_t i, std::size_t j) const noexcept;  // with a pattern; column_.size(): none
  void take_pattern(std::vector<std::vector<std::uint32_t>> partners);
  void arrange() noexcept;
  void place(std::span<double> s) const noexcept;
  void load(const std::vector<double>& phi, std::span<double> s) const noexcept;  // s += Q phi
  void factor(std::size_t active) noexcept;
  void factor_thin_row(std::size_t i) noexcept;
  void solve(std::size_t active) noexcept;
  void invert() noexcept;
  /// visit(j, q) for what the selected port i moves, of the selected ports.
  template <class F>
  void each_partner(std::size_t i, F&& visit) const noexcept {
    if (sparse())
      for (std::size_t e = chosen_row_[i]; e < chosen_row_[i + 1]; ++e) visit(chosen_column_[e], chosen_q_[e]);
    else
      for (std::size_t j = 0; j < m_; ++j) visit(j, chosen_[i * stride_ + j]);
  }

  std::size_t n_, m_;                                // ports; those selected
  std::vector<double> q_;                            // [n][n]; with a pattern, per entry
  std::vector<std::size_t> row_;                     // with a pattern: where the entries of a port begin
  std::vector<std::uint32_t> column_, ports_, all_;  // port of an entry; the selected ports; all ports
  bool changed_ = true, arranged_ = false;           // Q was; the selected ports are
  double nothing_ = 0;                               // of a pair that is not coupled
  const double* chosen_ = nullptr;                   // Q of the selected ports, rows `stride_` apart
  std::size_t stride_ = 0;
  std::unique_ptr<double[]> chosen_dense_, upper_, lower_;  // upper: the factor transposed, for its own making
  std::vector<std::size_t> chosen_row_;
  std::vector<std::uint32_t> chosen_column_, position_;
  std::vector<double> chosen_q_;
  std::vector<double> z_, s_free_, phi_, before_, known_, marked_, root_;
  std::vector<std::uint32_t> active_, active_at_;  // selected ports with b != 0; where they are in that list
  std::vector<std::size_t> first_, zero_column_;   // of a row of the factor: its first column, where column 0 was
  std::vector<std::uint32_t> factored_port_;       // rows of the factor that are known
  std::vector<double> factored_root_;
  std::size_t factored_ = 0;
  std::unique_ptr<double[]> inverse_;  // of what the first rows of the factor are that of
  std::size_t inverted_ = 0;           // of how many; 0: it is not known
  bool too_stiff_ = false;
  mutable std::vector<double> terms_;  // of all ports, for the forces of now
  mutable bool terms_known_ = false;
};

}  // namespace jawari
