// SPDX-License-Identifier: MIT
// Geometric integrators for one mass.  With u = log(1 + mu v)/mu Hunt-Crossley contact is a separable Hamiltonian
// system in (x, u), dx/dt = (e^{mu u} - 1)/mu, du/dt = -F(x)/m, with the exact invariant
//   I = Phi(x)/m + (e^{mu u} - 1 - mu u)/mu^2                                                      (I1)   PAR11 (3)
//   two-variable        discrete gradient of the energy with the loss at the mean velocity; passive, carries a spring,
//                       a damper and a load.  CW17 (8) as printed; equal to the scheme "two-point"
//   two-variable-4      triple jump of it, fourth order, elastic contacts
//   invariant           discrete gradient of I: v_out exact for every entry phase and stiffness
//   symplectic-verlet   kick-drift-kick in (x, u), one force per step, second order
//   symplectic-4        Suzuki composition of five of them, fourth order
// u is carried, not v: for large mu v the velocity rounds to -1/mu.  Invariant and symplectic methods take a load by
// half kicks, but no spring or damper.
#pragma once
#include "jawari/impact/one_mass.h"

namespace jawari {

class TwoVariable final : public Stepper {
 public:
  TwoVariable(const OneMass& mass, double dt_s, bool fourth_order) : Stepper(mass, dt_s), fourth_(fourth_order) {}
  void step() noexcept override;
  int iterations() const noexcept override { return iterations_; }
  bool settled() const noexcept override { return settled_; }

 private:
  void move(double h) noexcept;
  bool fourth_, settled_ = true;
  int iterations_ = 0;
};

/// Carries u = log(1 + mu v)/mu (u = v at mu = 0).
class Canonical : public Stepper {
 public:
  using Stepper::Stepper;
  void start(double x_m, double v_m_s) noexcept override;
  void put(double x_m, double v_m_s) noexcept override;

 protected:
  double velocity(double u) const noexcept;
  double canonical(double v) const noexcept;
  void kick(double h) noexcept;  ///< load for a time h
  virtual void moved() noexcept {}
  double u_ = 0;
};

class InvariantGradient final : public Canonical {
 public:
  using Canonical::Canonical;
  void step() noexcept override;
  int iterations() const noexcept override { return iterations_; }
  bool settled() const noexcept override { return settled_; }

 private:
  int iterations_ = 0;
  bool settled_ = true;
};

class Symplectic final : public Canonical {
 public:
  Symplectic(const OneMass& mass, double dt_s, bool fourth_order) : Canonical(mass, dt_s), fourth_(fourth_order) {}
  void start(double x_m, double v_m_s) noexcept override;
  void step() noexcept override;

 private:
  void move(double h) noexcept;
  void moved() noexcept override { pull_ = mass_.law.force(x_) / mass_.mass_kg; }
  bool fourth_;
  double pull_ = 0;  // F(x)/m
};

}  // namespace jawari
