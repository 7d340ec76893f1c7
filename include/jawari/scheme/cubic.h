// SPDX-License-Identifier: MIT
// Cubic oscillator without a root finder: f = -K y^2 (y^{n+1} + y^{n-1})/2, conservative with the energy
// K/4 (y^n y^{n-1})^2.  D17 (25).  Only for the odd law with exponent 3.
#pragma once
#include "jawari/core/facts.h"
#include "jawari/core/number.h"
#include "jawari/core/port.h"

namespace jawari {

template <class P>
struct CubicOf {
  static constexpr Facts facts{"cubic", "conservative scheme of the cubic oscillator", "D17 (25)", order_two, 0};
  static constexpr int passes = 1;
  static constexpr bool both_sided = true;  ///< serves no other law
  static constexpr double only_exponent = 3;
  using Number = P;
  template <class T>
  struct StateOf {
    T product = T(0);  // y^n y^{n-1} [m^2]
  };
  template <class T>
  struct StepOf {
    T y, before, stiffness;  // y^n, y^{n-1} [m]; K [N/m^3]
  };
  using State = StateOf<P>;
  using Step = StepOf<P>;
  template <class Law>
  void prepare(const Law& law, double) {
    stiffness_ = law.stiffness();
  }
  template <class Law, class T>
  JAWARI_HD StateOf<T> start(const Law&, T y_m, T d_m) const noexcept {
    return {y_m * (y_m - d_m)};
  }
  template <class Law, class T>
  JAWARI_HD StepOf<T> begin(const Law&, const PortOf<T>& p, const StateOf<T>&) const noexcept {
    return {p.y, p.y - p.d, T(stiffness_)};
  }
  template <class Law, class T>
  JAWARI_HD ResponseOf<T> respond(const Law&, const StepOf<T>& t, T s_m) const noexcept {
    const T b = -t.stiffness * t.y * t.y / 2;
    return {b * (2 * t.before + s_m), b};
  }
  template <class Law, class T>
  JAWARI_HD void refine(const Law&, StepOf<T>&, T, T) const noexcept {}
  template <class Law, class T>
  JAWARI_HD T finish(const Law&, const StepOf<T>& t, T s_m, StateOf<T>& state) const noexcept {
    state.product = t.y * (t.before + s_m);
    return T(0);
  }
  template <class Law, class T>
  JAWARI_HD T energy(const Law&, const StateOf<T>& e) const noexcept {
    return stiffness_ / 4 * e.product * e.product;
  }
  template <class Law, class T>
  JAWARI_HD auto holds(const Law&, const StateOf<T>& e) const noexcept {
    return e.product != 0.0;
  }

 private:
  P stiffness_ = P(0);
};
using Cubic = CubicOf<double>;

}  // namespace jawari
