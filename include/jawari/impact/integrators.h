// SPDX-License-Identifier: MIT
// Classic integrators for one mass, as PAR11 III-A uses them (conventions found by search, docs/theory/impact.md):
//   am1     trapezoid rule (23), Newton to rounding          verlet  velocity Verlet (24), force recycled
//   heun    predictor and trapezoid (25), force recycled     rk4     fourth-order Runge-Kutta (26)
// "Recycled": the force is evaluated once per step, at the predicted velocity, and used again in the next one; the
// -fresh variants evaluate it anew.  The printed sign of f/m in (23)-(26) is wrong.  None of these keeps energy.
#pragma once
#include "jawari/impact/one_mass.h"

namespace jawari {

class Am1 final : public Stepper {
 public:
  using Stepper::Stepper;
  void start(double x_m, double v_m_s) noexcept override;
  void step() noexcept override;
  int iterations() const noexcept override { return iterations_; }
  bool settled() const noexcept override { return settled_; }

 private:
  double a_ = 0;
  int iterations_ = 0;
  bool settled_ = true;
};

class Verlet final : public Stepper {
 public:
  Verlet(const OneMass& mass, double dt_s, bool fresh) : Stepper(mass, dt_s), fresh_(fresh) {}
  void start(double x_m, double v_m_s) noexcept override;
  void step() noexcept override;

 private:
  bool fresh_;
  double a_ = 0;
};

class Heun final : public Stepper {
 public:
  Heun(const OneMass& mass, double dt_s, bool fresh) : Stepper(mass, dt_s), fresh_(fresh) {}
  void start(double x_m, double v_m_s) noexcept override;
  void step() noexcept override;
  double predicted_velocity() const noexcept override { return predicted_; }

 private:
  bool fresh_;
  double a_ = 0, predicted_ = 0;
};

class Rk4 final : public Stepper {
 public:
  using Stepper::Stepper;
  void step() noexcept override;
};

}  // namespace jawari
