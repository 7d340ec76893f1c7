// SPDX-License-Identifier: MIT
// Lines that are no contact laws: a spring with a damper, and dry friction.  Both are falling responses, so they share
// islands with contacts.
//   spring    f = -K (y+ + 2y + y-)/4 - R s/2k,   energy K/2 ((y + y-)/2)^2,   lost R s^2/4k                      (X1)
//   friction  |f| <= N, f = -N sign(s) while it slips: alone it is the soft threshold
//             s = sign(s_free) max(|s_free| - q N, 0), which sticks exactly and loses N |s|/2                     (X2)
//             s = 0 alone would leave the two last samples taking turns for ever.  Where the force allows it and it
//             loses energy, the step ends where the last one did: s = d, so that d+ = 0 (X3)
// In an island a port sticks or slips by the force it would have to bear, f - s/q, and Newton's step settles the rest
// (an active-set method: the step of a saturating curve would swing between its two sides for ever).               (X4)
// A sticking port there has a spring that gives by 1e-12 of the island's free step: a creep near rounding.
// Where the active set goes in circles the island takes f = -N s/width, cut at N, for widths that shrink to rounding: a
// falling response, on which (K5) cannot go in circles. (X5)
#pragma once
#include "jawari/couple/line.h"

namespace jawari {

class SpringLine final : public ContactLine {
 public:
  SpringLine(std::size_t points, double stiffness_N_m, double damping_N_s_m, double dt_s);
  std::unique_ptr<ContactLine> clone() const override { return std::make_unique<SpringLine>(*this); }
  int passes() const noexcept override { return 1; }
  void start() noexcept override;
  bool detect() noexcept override;
  void begin(bool all) noexcept override;
  void solve_independent() noexcept override;
  void respond(std::span<const double> s_m, std::span<double> f_N, std::span<double> b) noexcept override;
  double answer(std::size_t point, double s_free_m, double q, Outcome& out) noexcept override;
  void refine(std::span<const double>, std::span<const double>) noexcept override {}
  void finish() noexcept override;
  double stored() const noexcept override;
  double stored(std::size_t point) const noexcept override;
  double force_at(double y_m, double v_m_s) const noexcept override { return K_ * y_m + R_ * v_m_s; }
  double slope_at(double) const noexcept override { return K_; }
  bool scale_stiffness(double factor) noexcept override;
  using ContactLine::states;
  std::span<std::byte> states() noexcept override { return std::as_writable_bytes(std::span(mean_)); }

 private:
  double K_, built_, R_, dt_;
  std::vector<double> mean_;  // (y + y-)/2 of the state
};

class FrictionLine final : public ContactLine {
 public:
  explicit FrictionLine(std::size_t points) : ContactLine(points), limit(points, 0.0), width_(points) {}
  std::unique_ptr<ContactLine> clone() const override { return std::make_unique<FrictionLine>(*this); }
  int passes() const noexcept override { return 0; }
  bool smooth() const noexcept override { return false; }
  void widen(double width_m) noexcept override { curve_m_ = width_m; }
  void start() noexcept override {}
  bool detect() noexcept override;
  void begin(bool all) noexcept override;
  void solve_independent() noexcept override;
  void respond(std::span<const double> s_m, std::span<double> f_N, std::span<double> b) noexcept override;
  double answer(std::size_t point, double s_free_m, double q, Outcome& out) noexcept override;
  void refine(std::span<const double>, std::span<const double>) noexcept override {}
  void finish() noexcept override;
  double stored() const noexcept override { return 0; }
  double stored(std::size_t) const noexcept override { return 0; }
  double force_at(double, double) const noexcept override { return 0; }
  double slope_at(double) const noexcept override { return 0; }
  using ContactLine::states;
  std::span<std::byte> states() noexcept override { return {}; }

  std::vector<double> limit;  ///< N = coefficient times normal force [N]; written before look()

 private:
  std::vector<double> width_;
  double curve_m_ = 0;
};

}  // namespace jawari
