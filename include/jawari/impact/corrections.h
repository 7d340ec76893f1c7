// SPDX-License-Identifier: MIT
// Corrections around any stepper of a free mass, from the closed forms of one impact.
//   hybrid     PAR11 IV-A: during contact x := x(v) (3); at its end v := v_out, x := 0.  Zero energy deviation by
//              construction, but it spoils the timing (28 % of x_max for Heun in the paper's hard case)
//   projected  each contact sample is projected on the invariant (I1), scaled by x_max and v_in; the exit keeps x.
//              The same zero deviation without spoiling the timing
// v_in is the velocity of the last free sample.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jawari/impact/closed_form.h"
#include "jawari/impact/one_mass.h"

namespace jawari {

enum class Correction { none, hybrid, hybrid_approximate, projected };

class Corrected final : public Stepper {
 public:
  Corrected(std::unique_ptr<Stepper> inner, Correction how);
  void start(double x_m, double v_m_s) noexcept override;
  void step() noexcept override;
  int iterations() const noexcept override { return inner_->iterations(); }
  bool settled() const noexcept override { return inner_->settled(); }
  /// A correction may come to rest before the exit, as x := x(v) does with a recycled force in 1 to 2 % of hard impacts.
  bool holds_on() const noexcept override { return holds_on_; }

 private:
  void enter(double v_in) noexcept;
  void project() noexcept;
  std::unique_ptr<Stepper> inner_;
  Correction how_;
  void look_at_the_clock() noexcept;
  bool touching_ = false, holds_on_ = false;
  double touched_steps_ = 0, patience_steps_ = 0;
  bool timed_ = false;
  exact::Impact impact_;
  double x_max_ = 0, v_out_ = 0, v_exit_ = 0;
};

/// Every integrator by name: a base name, then "+hybrid", "+hybrid+approximate" or "+projected".
std::vector<std::string_view> integrator_base_names();
/// Throws Refusal (field "scheme") for an unknown name or a mass the integrator cannot carry.
std::unique_ptr<Stepper> make_stepper(std::string_view name, const OneMass& mass, double dt_s);
bool is_integrator(std::string_view name);

}  // namespace jawari
