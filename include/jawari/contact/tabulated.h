// SPDX-License-Identifier: MIT
// A law given by its force at equal steps of compression, from 0 to max_m: measured, or a function of the user's own.
// Between the values cubics that neither fall nor overshoot (Fritsch and Carlson 1980), so F stays continuous with its
// slope and P2 holds; the potential is their exact integral, so every scheme keeps its energy.  Beyond the last value F
// goes on straight.  + - * / sqrt only.
// Not served: schemes that ask the closed forms of a power law (matched, softened, guarded, linear, Taylor).
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "jawari/core/number.h"
#include "jawari/core/param.h"
#include "jawari/core/port.h"

namespace jawari {

class Tabulated {
 public:
  static constexpr std::string_view name = "tabulated";
  static constexpr Sides sides = Sides::one;
  static constexpr Param table[] = {
      {"max_m", "", "m", above(0), at_most(1e3), required, "compression of the last force; the first belongs to 0"},
      {"mu", "mu", "s/m", at_least(0), at_most(1e6), 0.0, "loss factor; 0: elastic"}};

  /// Throws Refusal (law.force_N) unless the forces begin at 0, never fall and end above 0.
  Tabulated(std::span<const double> force_N, double max_m, double mu);

  double loss_factor() const noexcept { return mu_; }
  /// Of the power law with the same force and energy at max_m: for what is said about contact times, not for motion.
  double stiffness() const noexcept { return weight_ * stiffness_; }
  double exponent() const noexcept { return exponent_; }

  bool touches(double y_m) const noexcept { return y_m > surface_; }
  double depth(double y_m) const noexcept { return y_m - surface_; }
  double potential(double y_m) const noexcept {
    if (!touches(y_m)) return 0;
    const auto [p, t] = at(y_m);
    return weight_ * (p.before + t * (p.c0 + t * (p.c1 / 2 + t * (p.c2 / 3 + t * (p.c3 / 4)))));
  }
  double force(double y_m) const noexcept {
    if (!touches(y_m)) return 0;
    const auto [p, t] = at(y_m);
    return weight_ * (p.c0 + t * (p.c1 + t * (p.c2 + t * p.c3)));
  }
  double curvature(double y_m) const noexcept {
    if (!touches(y_m)) return 0;
    const auto [p, t] = at(y_m);
    return weight_ * (p.c1 + t * (2 * p.c2 + t * (3 * p.c3)));
  }
  double psi(double y_m) const noexcept { return root(2 * potential(y_m)); }
  double psi_slope(double y_m) const noexcept { return psi_pair(y_m).slope; }
  PsiOf<double> psi_pair(double y_m) const noexcept {
    const double value = psi(y_m);
    return {value, value > 0 ? force(y_m) / value : 0};
  }
  Anchor anchor(double y_m) const noexcept { return {y_m, force(y_m), potential(y_m)}; }
  /// Within one cubic the mean is a polynomial of both ends, without a difference; across a border the potentials of
  /// whole cubics lie between.
  Quotient mean_force(const Anchor& a, double r_m) const noexcept;

  Tabulated weighted(double weight) const {
    Tabulated law(*this);
    law.weight_ *= weight;
    law.built_ = law.weight_;
    return law;
  }
  Tabulated stiffened(double factor) const {
    Tabulated law(*this);
    law.weight_ = built_ * factor;
    return law;
  }

 private:
  struct Piece {
    double c0, c1, c2, c3;  ///< force: c0 + c1 t + c2 t^2 + c3 t^3, t from its left border
    double before;          ///< energy up to its left border
  };
  struct Place {
    const Piece& piece;
    double t;
  };
  std::size_t index(double y_m) const noexcept {
    const double i = y_m * per_m_;
    return i >= last_ ? static_cast<std::size_t>(last_) : static_cast<std::size_t>(i);
  }
  double border(std::size_t i) const noexcept { return static_cast<double>(i) / per_m_; }
  Place at(double y_m) const noexcept {
    const std::size_t i = index(y_m);
    return {(*pieces_)[i], y_m - border(i)};
  }
  static Quotient within(const Piece& p, double a, double b) noexcept;

  std::shared_ptr<const std::vector<Piece>> pieces_;  // the last one goes on beyond max_m
  double per_m_, last_, surface_ = 1e-100, mu_, weight_ = 1, built_ = 1, stiffness_, exponent_;
};
static_assert(ContactLaw<Tabulated>);

}  // namespace jawari
