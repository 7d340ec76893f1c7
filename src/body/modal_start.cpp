// SPDX-License-Identifier: MIT
// How modes begin: the sample before t = 0.
#include <cmath>

#include "jawari/body/modal.h"
#include "jawari/core/elementary.h"

namespace jawari {

void ModalBody::set_mode_state(std::size_t mode, double u_m, double v) noexcept {
  place(mode, u_m, first_step(mode, u_m, v));
}

void ModalBody::set_mode_states(std::span<const double> u_m, std::span<const double> v) noexcept {
  for (std::size_t i = 0; i < u_m.size(); ++i) set_mode(i, u_m[i], first_step(i, u_m[i], v[i]));
  until_read_ = 0;
  read(true);
}

/// u(0) - u(-k) of a mode that has this displacement and velocity at t = 0.
double ModalBody::first_step(std::size_t mode, double u_m, double v) const noexcept {
  const Mode& m = mode_[mode];
  const double k = dt_, c = m.decay_1_s, w = m.omega_rad_s, a = load_[mode] / m.mass_kg;
  if (2 * c * k > unresolved_damping) return bounded_step(mode, u_m, v);
  // u(-k) - u(0), exactly: displacement from rest (a/w^2), or uniform acceleration with damping.
  double back = 0;
  if (w == 0 && c == 0) {
    back = -v * k + a * k * k / 2;
  } else if (w == 0) {
    const double e = elementary::expm1(2 * c * k), drift = a / (2 * c);  // u' = drift + (v - drift) e^{-2ct}
    back = -drift * k - (v - drift) * e / (2 * c);
  } else {
    const double x = u_m - a / (w * w), grow = elementary::exp(c * k), wd2 = (w - c) * (w + c),
                 r = std::sqrt(std::abs(wd2));
    const double half = wd2 >= 0 ? elementary::sin(r * k / 2) : elementary::sinh(r * k / 2);
    const double cos_less_1 = wd2 >= 0 ? -2 * half * half : 2 * half * half;
    const double sine = r == 0 ? k : (wd2 >= 0 ? elementary::sin(r * k) : elementary::sinh(r * k)) / r;
    back = x * (elementary::expm1(c * k) + grow * cos_less_1) - (v + c * x) * grow * sine;
  }
  return -back;
}

/// u(-k) = u - k v + k^2 (a + a_mod)/2 to second order; set_mode_state has all but a_mod.  Its force is that of the
/// step from here, found as the step finds it, so that no modulation is too stiff to begin with.
void ModalBody::throw_modulated() noexcept {
  if (c_modulation_ == 0) return;
  predict();
  for (std::size_t i = 0; i < c_.size(); ++i) d_[i] += c_modulation_ * sum_ * modal_[i];
  crossing_known_ = false;
  until_read_ = 0;
  read(true);
}

/// Followed back along exp(+2 c t), a speed that damping takes within a few samples would begin with any energy.  Here
/// the step before t = 0 holds what the mode holds at t = 0: m v^2/2 + m w^2 u^2/2 = kinetic d^2 + elastic (u - d/2)^2,
/// of the two solutions the one next to v k; where there is none, the step that holds least.  A constant force does the
/// rest.
double ModalBody::bounded_step(std::size_t mode, double u, double v) const noexcept {
  const Mode& m = mode_[mode];
  const double elastic = c_.elastic[mode], square = c_.kinetic[mode] + elastic / 4;
  const double line = load_[mode] / 2 - elastic * u;
  const double rest = elastic * u * u - m.mass_kg / 2 * (v * v + m.omega_rad_s * m.omega_rad_s * u * u);
  const double middle = -line / (2 * square), inside = middle * middle - rest / square;
  if (!(inside > 0)) return middle;
  return v * dt_ >= middle ? middle + std::sqrt(inside) : middle - std::sqrt(inside);
}

}  // namespace jawari
