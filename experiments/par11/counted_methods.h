// SPDX-License-Identifier: MIT
// The methods of PAR11 coded as printed, line by line, on numbers that count (support/counted.h): (23)-(26) with the
// sign of the force corrected, the corrections (3) and (7), one iteration on (6).  Coefficients made of h, m and the
// parameters alone are not computed again in every step; everything else is.
#pragma once
#include "support/counted.h"
#include "support/impact_rig.h"

namespace jawari::experiments::par11_items {

class CountedMass {
 public:
  using Number = rigs::Counted;
  CountedMass(const exact::Impact& impact, double rate_hz);
  void start(double x_m, double v_m_s);
  void verlet();  ///< (24)
  void heun();    ///< (25)
  void rk4();     ///< (26)
  /// (23) by the K-method: what a sample costs before the force is known, and one Newton step for the force.
  void am1_sample();
  void am1_newton();
  void am1_finish();

  double x() const { return x_.value(); }
  double v() const { return v_.value(); }
  double force() const { return f_.value(); }

 private:
  Number contact(Number x, Number v) const;  // (1)
  Number m_, k_, alpha_, mu_, h_, half_h_over_m_, quarter_h2_over_m_;
  Number x_, v_, f_, free_x_, free_v_;
};

/// x(v) by (3); v_out by (7), (8); one bisection of (6) for `wanted` = mu v_in - log(1 + mu v_in).
rigs::Counted counted_compression(const exact::Impact& impact, rigs::Counted v);
rigs::Counted counted_rebound(const exact::Impact& impact, rigs::Counted v_in);
void counted_bisection(const exact::Impact& impact, double wanted, rigs::Counted& low, rigs::Counted& high);

}  // namespace jawari::experiments::par11_items
