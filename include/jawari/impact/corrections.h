// SPDX-License-Identifier: MIT
// Corrections around any stepper of a free mass, from the closed forms of one impact.
//   position   PAR11 IV-A1 alone: during contact x := x(v) (3); the end of the contact is the stepper's own
//   rebound    PAR11 IV-A2 alone: at the end of the contact v := v_out, x := 0; the contact is the stepper's own
//   hybrid     both.  Zero energy deviation by construction, but it spoils the timing (28 % of x_max for Heun in the
//              paper's hard case)
//   ...+approximate   v_out by (7) to some order instead of the zero of (6), and only where (7) is good enough
//   projected  each contact sample is projected on the invariant (I1), scaled by x_max and v_in; the exit keeps x.
//              The same zero deviation without spoiling the timing
// v_in is the velocity at touch: that of the last free sample, and what a suspended load adds on the way.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jawari/core/param.h"
#include "jawari/impact/closed_form.h"
#include "jawari/impact/one_mass.h"
#include "jawari/impact/rebound_series.h"

namespace jawari {

struct Correction {
  bool position = false, rebound = false, projected = false;
  bool approximate = false;  ///< v_out by (7)
  int order = 4;             ///< n of (7)
  double threshold = 1;      ///< PAR11 IV-A2: an impact for which (7) is off by more keeps the stepper's own rebound
  bool any() const noexcept { return position || rebound || projected; }
};

class Corrected final : public Stepper {
 public:
  Corrected(std::unique_ptr<Stepper> inner, const Correction& how);
  void start(double x_m, double v_m_s) noexcept override;
  void step() noexcept override;
  int iterations() const noexcept override { return inner_->iterations(); }
  bool settled() const noexcept override { return inner_->settled(); }
  /// A correction may come to rest before the exit, as x := x(v) does with a recycled force in 1 to 2 % of hard
  /// impacts.
  bool holds_on() const noexcept override { return holds_on_; }

 private:
  void enter(double v_in) noexcept;
  void project() noexcept;
  std::unique_ptr<Stepper> inner_;
  Correction how_;
  exact::ReboundSeries formula_;
  void check_duration() noexcept;
  void end_contact() noexcept;
  bool touching_ = false, holds_on_ = false, constrained_ = true;
  double touched_steps_ = 0, patience_steps_ = 0;
  bool timed_ = false;
  exact::Impact impact_;
  double x_max_ = 0, v_out_ = 0, v_exit_ = 0;
};

/// Every integrator by name: a base name, then nothing or one of correction_names.
std::vector<std::string_view> integrator_base_names();
inline constexpr std::string_view correction_names[] = {
    "+position", "+rebound", "+rebound+approximate", "+hybrid", "+hybrid+approximate", "+projected"};
/// Parameters that a scene may give beside the name: suspend_load; for formulas also order and threshold.
std::span<const Param> integrator_params(std::string_view name);
/// Throws InputError (field "scheme") for an unknown name or a mass the integrator cannot carry.  `values`: of
/// integrator_params, in their order; none: the defaults.
std::unique_ptr<Stepper> make_stepper(std::string_view name, const OneMass& mass, double dt_s,
                                      std::span<const double> values = {});
bool is_integrator(std::string_view name);
/// Samples of a contact before its timing is to be trusted.
double integrator_samples(std::string_view name);

}  // namespace jawari
