// SPDX-License-Identifier: MIT
// Any linear body as a set of modes; a free mass is one mode of frequency 0, a string is many.  For every mode
//   d+ = E d - D u + C f,   u+ = u + d+                                                                       (M1)
// passive for any C > 0 and 0 <= D <= 2 (1 + E), with the energy and the loss of one step
//   H = (2 + 2E - D)/8C d^2 + D/2C (u - d/2)^2,   lost = (1 - E)/4C s^2                                       (M2)
// What E, D and C are is the choice of Stepping:
//   exact     frequency and decay without error up to Nyquist; C = (k^2/4m)(A + B), van Walstijn et al. 2024   (M3)
//   constant  the same poles with C = k^2/m for every mode: points at jL/(P+1) do not feel one another         (M4)
//   leapfrog  D17 (22), DB19 (19), (57): ends at fs/pi, 185 cents sharp at 10 kHz                              (M5)
//   midpoint  the trapezoid rule: CW17 (8), flat towards Nyquist                                               (M6)
// Increments first, then positions: 1400 times less drift than u+ = 2u - u- + ...; A and 2 - (wk)^2 are never stored.
// Cost per step: modes x taps, plus modes per pushed tap.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "jawari/body/body.h"

namespace jawari {

enum class Stepping { exact, constant, leapfrog, midpoint };
inline constexpr std::string_view stepping_names[] = {"exact", "constant", "leapfrog", "midpoint"};

struct Mode {
  double mass_kg = 1, omega_rad_s = 0, decay_1_s = 0;  ///< decay: sigma of exp(-sigma t)
};

class ModalBody : public Body {
 public:
  /// shape[tap][mode].  Allocates; predict, advance, push and the queries are for the audio thread.
  /// Throws Refusal if a mode is faster than its stepping allows (leapfrog: omega k < 2, exact and constant: < pi).
  ModalBody(const std::vector<Mode>& modes, std::vector<std::vector<double>> shape, double dt_s, Stepping stepping);

  /// State (u, u^n - u^{n-1}) of one mode.
  void place(std::size_t mode, double u_m, double step_m) noexcept;
  /// Position and velocity of one mode at t = 0; the sample before follows from the exact motion under `load`.
  void throw_mode(std::size_t mode, double u_m, double velocity_m_s) noexcept;
  /// Modal force that stays (gravity).  Its energy is stored, and zero at `origin_m`.
  void load(std::size_t mode, double force_N, double origin_m) noexcept;

  void predict() noexcept override;
  void advance() noexcept override;
  double receptance(std::size_t tap, std::size_t other) const noexcept override;
  Stored stored() const noexcept override;
  void push(std::size_t tap, double force_N) noexcept override;

  struct Coeffs {
    double lag, D, C;               // (M1): lag = 1 - E
    double kinetic, elastic, loss;  // (M2)
  };
  static Coeffs coeffs(const Mode& mode, double dt_s, Stepping stepping);

 private:
  void project(const std::vector<double>& modal, std::vector<double>& out) const noexcept;
  void read() noexcept;
  static void add(double& sum, double& rest, double x) noexcept;

  std::vector<Mode> mode_;
  std::vector<std::vector<double>> shape_;
  std::vector<Coeffs> c_;
  std::vector<double> u_, d_, s_, change_, load_, origin_, push_, rest_u_, rest_d_;
  double dt_;
};

}  // namespace jawari
