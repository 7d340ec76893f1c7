// SPDX-License-Identifier: MIT
// How far a simulated contact strays from the closed forms: PAR11 (27), (28) with their errata (the absolute value
// is inside the maximum; only samples with x > 0 count), rebound error and timing.  All in percent.
#pragma once
#include <vector>

#include "jawari/impact/closed_form.h"
#include "jawari/impact/one_mass.h"

namespace jawari {

/// Samples of one contact, from x_0 <= 0 to the first x_n <= 0 afterwards.
struct ContactSamples {
  std::vector<double> x_m, v_m_s;
  double dt_s = 0;
  double exit_predicted_m_s = 0;  ///< predictor velocity of the exit step (PAR11 Table III, Heun)
  std::size_t exit() const noexcept { return x_m.size() - 1; }
};
/// Throws a mass at the wall from x = start_m (<= 0) and records until it has left; at most `limit` samples.
ContactSamples record_contact(Stepper& stepper, double v_in_m_s, double start_m = 0, std::size_t limit = 1000000);

struct Deviation {
  double x = 0;                   ///< (28)
  double H = 0;                   ///< (27)
  double v_out = 0;               ///< relative error of the rebound speed, signed
  double exit_H = 0;              ///< 100 (H_exit - H_tau)/|Delta H|, signed
  double time_x = 0, time_v = 0;  ///< largest waveform error, of x_max and v_in
};
/// Against the exact rebound, or with `approximate` against PAR11 (7) as Table II(b) does.
Deviation deviation(const exact::Impact& impact, const ContactSamples& samples, bool approximate = false);
/// The waveform errors alone; they cost a root search per sample.  The exit sample counts in x only if wanted.
void add_timing(const exact::Impact& impact, const ContactSamples& samples, bool exit_counts, Deviation& deviation);

}  // namespace jawari
