// SPDX-License-Identifier: MIT
// One mass, one wall, Hunt-Crossley contact: everything of PAR11 section II in closed form or by quadrature, in forms
// that keep their digits from mu = 0 (elastic) to mu v = 1000.  Velocities point into the wall; v_out <= 0.
// The printed formulas lose every digit below mu v = 1e-8 (differences of logarithms); the forms used here are
// derived in docs/theory/impact.md.
#pragma once

namespace jawari::exact {

struct Impact {
  double mass_kg = 0.01;
  double stiffness = 1e9;  ///< K  [N/m^alpha]
  double exponent = 1.5;   ///< alpha >= 1
  double mu = 0;           ///< loss factor [s/m]; 0: elastic
  double speed_m_s = 1;    ///< v_in >= 0
};

/// (E1) PAR11 (6), solved: |v_out|/v_in as a function of mu v_in alone.  Within 4 ulp for mu v_in in [0, 1e3].
double restitution(double mu_v) noexcept;
/// 1 - restitution, without the cancellation at small mu v.
double restitution_deficit(double mu_v) noexcept;
/// (E2) The inverse: mu v_in for a restitution in (0, 1].
double mu_v_for_restitution(double restitution);
/// PAR11 (7), (8): the fourth-order formula for |v_out|/v_in; off by at most 2.05 % (at mu v = 3).
double restitution_approximate(double mu_v) noexcept;

/// Phi(v) = (mu v - log(1 + mu v))/mu^2, the kinetic part of the invariant (I1) per mass; v^2/2 at mu = 0.
double specific_kinetic(double mu, double v_m_s) noexcept;
double outbound_velocity(const Impact&) noexcept;          ///< v_out [m/s], negative
double one_plus_mu_v_out(const Impact&) noexcept;          ///< 1 + mu v_out, all digits (it tends to exp(-mu v))
double max_compression(const Impact&) noexcept;            ///< (E3) PAR11 (4) [m]
double compression(const Impact&, double v_m_s) noexcept;  ///< (E4) PAR11 (3), for v_out <= v <= v_in [m]
double hamiltonian(const Impact&, double v_m_s) noexcept;  ///< (E5) PAR11 (20) [J]
double energy_change(const Impact&) noexcept;              ///< H_tau - H_0 <= 0 [J]
double force(const Impact&, double v_m_s) noexcept;        ///< K x^alpha (1 + mu v) along the contact [N]
double peak_force(const Impact&);                          ///< [N]
/// (E11) Where a constant force into the wall holds the mass at rest: PAR11 below (22), mended.  Speed and loss do not
/// matter.
double rest_compression(const Impact&, double force_N) noexcept;  ///< [m]
double contact_time(const Impact&);                               ///< (E6) PAR11 (9) [s]
double compression_time(const Impact&);                           ///< from touch to the largest compression [s]
struct Motion {
  double x_m, v_m_s;
};
/// (E10) Where the mass is t_s after touching: (E6) inverted within the contact, straight lines before and after.
Motion motion(const Impact&, double t_s);
/// (E7) mu = 0, any exponent: 2 x_max/v sqrt(pi) Gamma(1+p)/Gamma(1/2+p), p = 1/(alpha+1) [s]
double elastic_contact_time(const Impact&) noexcept;

/// (E8) Relative error of the simulated contact time is c (dt/tau)^2: two-point and secant c, three-point 5/2 c.
double duration_bias(double exponent) noexcept;
enum class Match { tan, sec, polynomial };
/// (E9) Stiffness factor that gives the two-point (tan) or three-point (sec) scheme the right contact time when the
/// elastic contact lasts `samples` time steps.  0: no stiffness can do it.  Exponent 1 is CW17's beta*; the
/// polynomial is the low-order form (1 + c/N^2)^(alpha+1), kept for comparison.
double duration_match(double exponent, double samples, Match form, double bias) noexcept;

}  // namespace jawari::exact
