// SPDX-License-Identifier: MIT
// A law seen with another stiffness and another loss factor: a view of three numbers, for schemes that adjust those of
// one impact (scheme/impact_adapted.h).  Every elastic quantity is proportional to K, psi to its root.  F is the number
// type of both factors.
#pragma once
#include "jawari/core/number.h"
#include "jawari/core/port.h"

namespace jawari {

template <class Law, class F = NumberOf<Law>>
class Scaled {
 public:
  static constexpr Sides sides = Law::sides;
  static constexpr bool power_form = Law::power_form;
  using Number = F;
  JAWARI_HD Scaled(const Law& law, F factor, F loss = F(1)) noexcept
      : law_(law), factor_(factor), root_(sqrt(factor)), loss_(loss) {}

  JAWARI_HD auto exponent() const noexcept { return law_.exponent(); }
  JAWARI_HD F stiffness() const noexcept { return factor_ * law_.stiffness(); }
  JAWARI_HD F loss_factor() const noexcept { return loss_ * law_.loss_factor(); }
  JAWARI_HD F loss_share() const noexcept { return loss_; }  ///< mu over that of the law a scheme was prepared for
  template <class T>
  JAWARI_HD T depth(T y_m) const noexcept {
    return law_.depth(y_m);
  }
  template <class T>
  JAWARI_HD auto touches(T y_m) const noexcept {
    return law_.touches(y_m);
  }
  template <class T>
  JAWARI_HD T potential(T y_m) const noexcept {
    return factor_ * law_.potential(y_m);
  }
  template <class T>
  JAWARI_HD T force(T y_m) const noexcept {
    return factor_ * law_.force(y_m);
  }
  template <class T>
  JAWARI_HD T curvature(T y_m) const noexcept {
    return factor_ * law_.curvature(y_m);
  }
  template <class T>
  JAWARI_HD T psi(T y_m) const noexcept {
    return root_ * law_.psi(y_m);
  }
  template <class T>
  JAWARI_HD T psi_slope(T y_m) const noexcept {
    return root_ * law_.psi_slope(y_m);
  }
  template <class T>
  JAWARI_HD PsiOf<T> psi_pair(T y_m) const noexcept {
    const PsiOf<T> p = law_.psi_pair(y_m);
    return {root_ * p.value, root_ * p.slope};
  }
  template <class T>
  JAWARI_HD AnchorOf<T> anchor(T y_m) const noexcept {
    return law_.anchor(y_m);
  }  // in the law's own scale
  template <class T>
  JAWARI_HD QuotientOf<T> mean_force(const AnchorOf<T>& a, T r_m) const noexcept {
    const QuotientOf<T> m = law_.mean_force(a, r_m);
    return {factor_ * m.value, factor_ * m.slope};
  }

 private:
  const Law& law_;
  F factor_, root_, loss_;
};
template <class Law, std::integral F>
Scaled(const Law&, F, F = 1) -> Scaled<Law>;

}  // namespace jawari
