// SPDX-License-Identifier: MIT
// The string (S1) on a grid of N intervals, its ends supported or clamped.  With D the second difference without 1/h^2,
// q0 = k^2/(rho h),
//   P = q0 (T/h D - EI/h^3 D^2),   w = D u,   kap = q0 EA/(4 L h^2)
//   (A + kap w w^T) change = P u - 2 s0 d + 2 s1 D d - 2 kap w (w.u) + q0 f,   d+ = d + change,   u+ = u + d+     (S4)
//   A = 1 + s0 - gamma/4 D [- s1 D]    l_gamma, B14 (15a); s0 = sigma_0 k, s1 = sigma_1 k/h^2
//   A = 1 + s0 - s1 D - P/4            l_unc, B14 (15b)
// One right-hand side for all: operator and loss differ in A only.  Without the bracket sigma_1 is a backward
// difference and the step explicit.  State as displacement and increment, stencils on differences: the literal
// three-level form misses the golden values at 5 times the rate.  Implicit solves are refined once, or the energy
// drifts linearly. Tension modulation is Kirchhoff-Carrier, B14 (27)-(32) with the right signs: rank one, exactly
// conservative.  Its energy is EA/(8 L h^2) X^2 with X = w.u-, and w.(u+ + u-) = X+ + X.  X is carried, X+ = (X+ + X) -
// X from the sum whose force was applied: read off large displacements it would be rounding (a gain of 345 times, deep
// in a barrier).              (S11)
#pragma once
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "jawari/body/band.h"
#include "jawari/body/body.h"
#include "jawari/body/choices.h"
#include "jawari/body/string_data.h"
#include "jawari/body/string_grid_numbers.h"
#include "jawari/couple/compliance.h"

namespace jawari {

struct GridOptions {
  GridOperator op = GridOperator::explicit_;
  double gamma = 0;           ///< for op = gamma
  bool centred_loss = false;  ///< sigma_1 by a centred difference, B14 (15); op = explicit may do without
  int intervals = 0;          ///< N; 0: as many as stability allows
  bool nearest = false;       ///< places between nodes are the nearest node, DB19 (40); otherwise a cubic through four
  StringEnd left = {}, right = {};  ///< supported, or clamped
};

/// (S5) Smallest stable grid spacing of l_gamma: B14 (21) with the (1 + gamma) it lacks under the root.
double smallest_spacing(const StringData& string, double dt_s, double gamma);
/// (S6) The same for the explicit step with sigma_1 as a backward difference.
double smallest_explicit_spacing(const StringData& string, double dt_s);
struct OptimalGrid {
  double gamma, spacing_m;
};
/// (S7) gamma_* and h_*, B14 (22): as many grid modes as the string has below Nyquist.
OptimalGrid optimal_grid(const StringData& string, double dt_s);

/// What the operator makes of the choice at this rate: gamma, spacing, number of intervals.  Throws InputError: too few
/// points, too many for stability.  With tension modulation a tenth fewer points than the limit: a string at the limit
/// has modes that cost no energy, and rounding fills them (3 % fewer are enough without a barrier only).
struct GridPlan {
  double gamma;
  int intervals;
};
GridPlan plan_grid(const StringData& string, const GridOptions& choice, double dt_s);
/// (S8) Frequency of mode p as the grid plays it, without loss [Hz].
double grid_frequency_hz(const StringData& string, const GridOptions& choice, const GridPlan& plan, double dt_s, int p);

class StringGrid final : public Body {
 public:
  /// Taps: first the inner nodes 0..N-2, then `extra` in their order.
  StringGrid(const StringData& string, const GridOptions& choice, double dt_s, std::span<const StringTap> extra = {});
  std::unique_ptr<Body> clone() const override { return std::make_unique<StringGrid>(*this); }

  std::size_t nodes() const noexcept { return n_; }
  double spacing_m() const noexcept { return h_; }
  double position_m(std::size_t node) const noexcept { return h_ * static_cast<double>(node + 1); }
  double gamma() const noexcept { return gamma_; }
  double dt_s() const noexcept { return dt_; }
  GridNumbers numbers() const noexcept {
    return {tension_, bending_, s0_, s1_, q0_, gamma_, unconditional_, centred_, left_, right_};
  }
  bool explicit_step() const noexcept { return a_.diagonal() && kap_ == 0; }

  /// State at t = 0: displacement and last increment of every node.
  void place(std::span<const double> u_m, std::span<const double> d_m) noexcept;
  /// Displacement and velocity at t = 0; the sample before follows to second order from the equation.
  void release(std::span<const double> u_m, std::span<const double> v_m_s) noexcept;

  struct Spread {  ///< u(x) = sum of weight[i] u[first + i]
    std::size_t first = 0, count = 0;
    std::array<double, 4> weight{};
    StringTap::Kind kind = StringTap::point;
  };
  Spread at(std::size_t tap) const noexcept;  ///< what a tap reads of the nodes
  /// A tap between nodes may move within a range.
  void allow_moves(std::size_t tap, double least_m, double most_m);
  /// All nodes that it may ever read: first and count.
  std::pair<std::size_t, std::size_t> reach(std::size_t tap) const noexcept;

  void read_taps() noexcept;  ///< after w and d of the nodes were written: the taps between them follow

  void move_tap(std::size_t tap, double x_m) noexcept override;
  void predict() noexcept override;
  void advance() noexcept override;
  void apply_initial_forces() noexcept override;
  double receptance(std::size_t tap, std::size_t other) const noexcept override;
  bool coupled(std::size_t tap, std::size_t other) const noexcept override;
  bool receptance_varies() const noexcept override { return kap_ != 0; }
  Stored stored() const noexcept override;
  void add_force(std::size_t tap, double force_N) noexcept override;
  void retune(double tension, double bending, double added_decay_1_s) noexcept override;
  double largest_tension() const noexcept override { return largest_tension_; }
  bool is_silent(double energy_J) const noexcept override { return stored().total() < energy_J; }
  void clear() noexcept override;
  bool held() const noexcept override { return true; }
  void archive(Archive& a) noexcept override {
    Body::archive(a);
    a(load_, crossing_, sum_, crossing_known_);
  }

 private:
  friend class GridCompliance;
  void shape_band() noexcept;  // A, its factor, and what was kept of its inverse
  Spread spread(const StringTap& tap) const;
  Spread support(StringTap::Kind kind, double tension_N) const noexcept;
  static double read(const Spread& s, const double* nodes) noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < s.count; ++i) sum += s.weight[i] * nodes[s.first + i];
    return sum;
  }
  void second_differences(const double* u, double left, double right, double* out) const noexcept;
  template <bool bending, bool sigma0, bool sigma1>
  void right_hand_side() noexcept;
  double solve(std::span<const double> rhs, std::span<double> x, double across) noexcept;
  double crossing() const noexcept;
  void bound_start(double most_J) noexcept;
  void modulation() noexcept;                             // w and A^-1 w of this step
  std::span<const double> column(std::size_t tap) const;  // A^-1 of a tap, kept
  void fill_column(std::size_t tap) const noexcept;

  StringData string_;
  std::size_t n_;
  double dt_, h_, gamma_, q0_, tension_, bending_, s0_, s1_, kap_, largest_tension_ = 1e6;
  bool unconditional_, centred_, nearest_;
  StringEnd left_, right_;
  Band a_;
  std::vector<Spread> extra_;
  std::vector<std::pair<std::size_t, std::size_t>> reach_;  // of the extra taps, where one may move; else empty
  std::vector<double> curve_, bend_, rhs_, change_, s_, load_, scratch_, w_, z_;  // w = D u, z = A^-1 w
  double wz_ = 0, crossing_ = 0, sum_ = 0;                                        // (S11) X and X+ + X
  bool crossing_known_ = false;
  std::vector<double> own_;  // diagonal of A^-1
  mutable std::vector<std::vector<double>> column_;
};

/// A line of contact points on consecutive nodes of one string, solved through the string's own band: slopes on the
/// diagonal of A, tension modulation by Sherman-Morrison on top (S9).  O(N) per Newton step however many points touch.
class GridCompliance final : public Compliance {
 public:
  GridCompliance(StringGrid& string, std::size_t first, std::size_t count);
  void start(std::span<const double> s_free_m) noexcept override;
  void newton_step(std::span<const double> f_N, std::span<const double> b, std::span<double> s_m) noexcept override;
  void damp_last_step(double share, std::span<double> s_m) noexcept override;
  void sweep(PortAnswers& ports, std::span<double> s_m) noexcept override;
  void mark() noexcept override;
  void go_back(std::span<double> s_m) noexcept override;
  double magnitude(std::size_t port) const noexcept override;
  void forces(std::span<double> phi_N) const noexcept override;
  void refresh() noexcept override { b_ = string_.a_; }

 private:
  void place(std::span<double> s) noexcept;
  StringGrid& string_;
  Band b_;
  std::size_t first_, count_;
  std::vector<double> e_, before_, held_, step_, z_, extra_, s_free_;  // e = S - S_free on all nodes, held = (A + ..) e
  std::vector<char> silent_, was_silent_, marked_silent_;
  std::vector<double> marked_;
  double marked_along_ = 0;
  double scale_ = 0, along_ = 0, along_before_ = 0;  // along = w.e, carried: as a sum it cancels
};

}  // namespace jawari
