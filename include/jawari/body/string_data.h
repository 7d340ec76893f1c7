// SPDX-License-Identifier: MIT
// A stiff lossy string, simply supported, as the wave equation needs it (B14 (1), (2); DB19 (29)):
//   rho u_tt = T u_xx - EI u_xxxx - 2 rho sigma_0 u_t + 2 rho sigma_1 u_txx  [+ EA/2L (int u_x^2 dx) u_xx]        (S1)
// Mode p has the shape sin(beta_p x), beta_p = p pi/L, and
//   omega_p^2 = (T beta^2 + EI beta^4)/rho,   decay sigma_p = sigma_0 + sigma_1 beta^2                             (S2)
#pragma once
#include <vector>

#include "jawari/body/modal.h"

namespace jawari {

/// A place where the string is touched, driven or heard.
struct StringTap {
  enum Kind { point, left_bridge, right_bridge };  ///< a bridge reads the force on it: T u_x - EI u_xxx [N], upwards
  Kind kind = point;
  double x_m = 0;
};

struct StringData {
  double length_m = 1, tension_N = 100;
  double density_kg_m = 1e-3;  ///< rho, per length
  double bending_N_m2 = 0;     ///< EI
  double stretching_N = 0;     ///< EA; 0: no tension modulation
  double sigma0_1_s = 0, sigma1_m2_s = 0;

  double wave_number(int p) const noexcept;  ///< beta_p [1/m]
  double omega(int p) const noexcept;        ///< (S2) [rad/s], without loss
  double decay(int p) const noexcept;        ///< (S2) [1/s]
  /// The modes with omega below the limit, at most `largest` of them; modal mass rho L/2.
  std::vector<Mode> modes(double omega_limit_rad_s, std::size_t largest) const;
  double bending_share(int p) const noexcept;                                ///< of the elastic energy of mode p
  std::vector<double> shape(const StringTap& tap, std::size_t modes) const;  ///< what a tap reads of every mode
};

/// Solid round string: rho = density pi r^2, EI = E pi r^4/4, EA = E pi r^2.
StringData round_string(double length_m, double tension_N, double radius_m, double density_kg_m3, double young_Pa);

struct DecayTime {
  double frequency_hz, seconds;  ///< time for 60 dB at this frequency
};
/// (S3) sigma_0 and sigma_1 from decay times at two frequencies: sigma(omega) = sigma_0 + sigma_1 beta(omega)^2 = ln
/// 1000/T. Throws InputError if no loss that never feeds energy has these times.
void set_loss(StringData& string, DecayTime low, DecayTime high);

}  // namespace jawari
