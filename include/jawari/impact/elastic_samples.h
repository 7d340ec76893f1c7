// SPDX-License-Identifier: MIT
// Contact time in samples of an elastic impact, with fitted powers: + - * / only, so it may be asked in the time loop.
#pragma once
#include "jawari/core/port.h"
#include "jawari/core/power.h"
#include "jawari/impact/closed_form.h"

namespace jawari {

class ElasticSamples {
 public:
  template <ContactLaw Law>
  ElasticSamples(const Law& law, double dt_s)
      : inverse_(1 / (law.exponent() + 1)), energy_((law.exponent() + 1) * dt_s * dt_s / (2 * law.stiffness())) {
    // N = T(v = 1, m = 1, K = 1) x_max/(x_max(1) v dt), x_max = ((alpha+1) m v^2/2K)^(1/(alpha+1))
    const exact::Impact unit{.mass_kg = 1, .stiffness = 1, .exponent = law.exponent(), .mu = 0, .speed_m_s = 1};
    built_ = energy_;
    scale_ = exact::elastic_contact_time(unit) / (exact::max_compression(unit) * dt_s);
  }
  double operator()(double v_m_s, double q) const noexcept {
    const double v = v_m_s > slowest_m_s ? v_m_s : slowest_m_s;
    return scale_ / v * inverse_(energy_ * v * v / q);
  }
  void weigh(double factor) noexcept { energy_ = built_ / factor; }  ///< the law as built, so many times as stiff

 private:
  static constexpr double slowest_m_s = 1e-100;  // the square of a smaller one is no number
  Power inverse_;
  double energy_, built_, scale_;  // energy_/q: (alpha+1) m/2K
};

}  // namespace jawari
