// SPDX-License-Identifier: MIT
// Cubic oscillator without a root finder: f = -K y^2 (y^{n+1} + y^{n-1})/2, conservative with the energy
// K/4 (y^n y^{n-1})^2.  D17 (25).  Only for the odd law with exponent 3.
#pragma once
#include "jawari/core/facts.h"
#include "jawari/core/port.h"

namespace jawari {

struct Cubic {
  static constexpr Facts facts{"cubic", "conservative scheme of the cubic oscillator", "D17 (25)", order_two, 0};
  static constexpr int passes = 1;
  struct State {
    double product = 0;  // y^n y^{n-1} [m^2]
  };
  struct Step {
    double y, before, stiffness;  // y^n, y^{n-1} [m]; K [N/m^3]
  };
  template <ContactLaw Law>
  void prepare(const Law& law, double) { stiffness_ = law.stiffness(); }
  template <ContactLaw Law>
  State start(const Law&, double y_m, double d_m) const noexcept { return {y_m * (y_m - d_m)}; }
  template <ContactLaw Law>
  Step begin(const Law&, const Port& p, const State&) const noexcept { return {p.y, p.y - p.d, stiffness_}; }
  template <ContactLaw Law>
  Response respond(const Law&, const Step& t, double s_m) const noexcept {
    const double b = -t.stiffness * t.y * t.y / 2;
    return {b * (2 * t.before + s_m), b};
  }
  template <ContactLaw Law>
  void refine(const Law&, Step&, double, double) const noexcept {}
  template <ContactLaw Law>
  double finish(const Law&, const Step& t, double s_m, State& state) const noexcept {
    state.product = t.y * (t.before + s_m);
    return 0;
  }
  template <ContactLaw Law>
  double energy(const Law&, const State& e) const noexcept { return stiffness_ / 4 * e.product * e.product; }
  template <ContactLaw Law>
  bool holds(const Law&, const State& e) const noexcept { return e.product != 0; }

 private:
  double stiffness_ = 0;
};

}  // namespace jawari
