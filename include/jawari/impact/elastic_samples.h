// SPDX-License-Identifier: MIT
// Contact time in samples of an elastic impact, with fitted powers: + - * / only, so it may be called in the time loop.
#pragma once
#include "jawari/core/number.h"
#include "jawari/core/power.h"
#include "jawari/impact/closed_form.h"

namespace jawari {

template <class P>
class ElasticSamplesOf {
 public:
  template <class Law>
  ElasticSamplesOf(const Law& law, double dt_s)
      : inverse_(1 / (law.exponent() + 1)), energy_((law.exponent() + 1) * dt_s * dt_s / (2 * law.stiffness())) {
    built_ = energy_;
    scale_ = at_set_up([dt_s](double exponent) { return scale(exponent, dt_s); }, P(law.exponent()));
  }
  template <class T>
  JAWARI_HD T operator()(T v_m_s, T q) const noexcept {
    const T v = v_m_s > slowest_m_s ? v_m_s : T(slowest_m_s);
    return scale_ / v * raise(inverse_, T(energy_ * v * v / q));
  }
  void scale_stiffness(P factor) noexcept { energy_ = built_ / factor; }  ///< the law as built, so many times as stiff

 private:
  /// N = T(v = 1, m = 1, K = 1) x_max/(x_max(1) v dt), x_max = ((alpha+1) m v^2/2K)^(1/(alpha+1))
  static double scale(double exponent, double dt_s) {
    const exact::Impact unit{.mass_kg = 1, .stiffness = 1, .exponent = exponent, .mu = 0, .speed_m_s = 1};
    return exact::elastic_contact_time(unit) / (exact::max_compression(unit) * dt_s);
  }
  static constexpr double slowest_m_s = 1e-100;  // the square of a smaller one is no number
  PowerOf<P> inverse_;
  P energy_, built_, scale_;  // energy_/q: (alpha+1) m/2K
};
using ElasticSamples = ElasticSamplesOf<double>;

}  // namespace jawari
