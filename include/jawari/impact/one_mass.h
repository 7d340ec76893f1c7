// SPDX-License-Identifier: MIT
// One mass against one wall, without ports: the problem of PAR11.  x is the compression, v its rate; both positive
// into the wall.  Everything of impact/ moves this.
#pragma once
#include "jawari/contact/hunt_crossley.h"

namespace jawari {

struct OneMass {
  HuntCrossley law;
  double mass_kg = 1;
  double load_N = 0;                  ///< constant force into the wall; PAR11 (21) with its sign mended
  double spring_N_m = 0, rest_m = 0;  ///< spring, relaxed at x = rest
  double damper_N_s_m = 0;
  bool suspended = false;  ///< the load acts while x <= 0 only, PAR11 IV-B2

  double load(double x_m) const noexcept { return suspended && x_m > 0 ? 0 : load_N; }
  /// PAR11 (1): not cut at zero, as printed.  Below v = -1/mu it pulls: explicit methods can get there.
  double contact_force(double x_m, double v_m_s) const noexcept {
    return x_m > 0 ? law.force(x_m) * (1 + law.loss_factor() * v_m_s) : 0;
  }
  /// PAR11 (2), (23)-(26) with the sign of f mended, and the linear terms.
  double acceleration(double x_m, double v_m_s) const noexcept {
    return (load(x_m) - contact_force(x_m, v_m_s) - spring_N_m * (x_m - rest_m) - damper_N_s_m * v_m_s) / mass_kg;
  }
  /// Nothing but the contact acts during contact: the closed forms hold.
  bool free_in_contact() const noexcept { return (load_N == 0 || suspended) && spring_N_m == 0 && damper_N_s_m == 0; }
  double load_energy(double x_m) const noexcept {  // [J], from x = 0
    return -load_N * (suspended && x_m > 0 ? 0 : x_m);
  }
  double energy(double x_m, double v_m_s) const noexcept {  // [J], load counted from x = 0
    const double stretch = x_m - rest_m;
    return mass_kg * v_m_s * v_m_s / 2 + law.potential(x_m) + spring_N_m * stretch * stretch / 2 + load_energy(x_m);
  }
};

/// Moves a OneMass by fixed steps.  Not erased further: one virtual call per step.
class Stepper {
 public:
  Stepper(const OneMass& mass, double dt_s) : mass_(mass), h_(dt_s) {}
  virtual ~Stepper() = default;
  virtual void start(double x_m, double v_m_s) noexcept {
    x_ = x_m;
    v_ = v_m_s;
  }
  virtual void step() noexcept = 0;
  /// Moves the state without touching what a method has stored (corrections, impact/corrections.h).
  virtual void put(double x_m, double v_m_s) noexcept {
    x_ = x_m;
    v_ = v_m_s;
  }
  virtual int iterations() const noexcept { return 0; }  ///< of the last step
  virtual bool settled() const noexcept { return true; }
  virtual bool holds_on() const noexcept { return false; }  ///< a contact that should have ended long ago goes on
  virtual double predicted_velocity() const noexcept { return v_; }  ///< of the last step, for PAR11 Table III

  double x() const noexcept { return x_; }
  double v() const noexcept { return v_; }
  const OneMass& mass() const noexcept { return mass_; }
  double dt_s() const noexcept { return h_; }

 protected:
  OneMass mass_;
  double h_, x_ = 0, v_ = 0;
};

}  // namespace jawari
