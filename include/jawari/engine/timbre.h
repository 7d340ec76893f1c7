// SPDX-License-Identifier: MIT
// What is heard of a sound, as numbers: the spectral centroid and the levels of third octaves, in windows of 0.1 s.
// Waveforms of colliding strings are chaotic and never converge; these do, to about 4 % and 0.7 dB, less if averaged
// over a few starts that differ by 1e-6.
//   centroid   sum of f P(f) / sum of P(f), 60 Hz to 18 kHz, P the power under a Hann window
//   levels     10 log10 of the power in third octaves, 125 Hz to 10 kHz: 1000 Hz 2^(i/3), i = -9 .. 10
// Windows overlap by half.  A band more than 60 dB below the loudest band of its window in the reference counts as
// being 60 dB below it, so what is empty in both sounds is equal.  A window more than 60 dB below the loudest window of
// the reference is left out.
#pragma once
#include <array>
#include <limits>
#include <span>
#include <vector>

namespace jawari {

struct Timbre {
  static constexpr double window_s = 0.1, lowest_hz = 60, highest_hz = 18000, floor_dB = -60;
  static constexpr std::size_t bands = 20;
  static constexpr double shortest_s = 0.05;  ///< of a sound that has a timbre at all
  static double band_hz(std::size_t band);    ///< its middle
  struct Window {
    double power = 0, centroid_hz = 0;     ///< between lowest_hz and the limit
    std::array<double, bands> power_in{};  ///< of every band below the limit
  };
  double limit_hz = highest_hz;
  std::vector<Window> windows;  ///< every half window
};
/// Up to where sounds of two rates can be compared: 18 kHz, or as much less as the lower rate is below 44.1 kHz.
double timbre_limit_hz(double rate_hz, double other_rate_hz);
/// Empty if the sound is shorter than shortest_s.  Samples that are no numbers count as zero.
Timbre timbre(std::span<const double> sound, double rate_hz, double limit_hz = Timbre::highest_hz);

/// NaN: not defined, because one of the sounds is silent or too short.
struct TimbreDistance {
  double centroid = std::numeric_limits<double>::quiet_NaN();  ///< rms over windows of the relative difference
  double level_dB = std::numeric_limits<double>::quiet_NaN();  ///< rms over windows and bands
  double brighter = std::numeric_limits<double>::quiet_NaN();  ///< mean relative difference, with its sign
  bool known() const noexcept { return centroid >= 0 && level_dB >= 0; }
  /// What is called converged: 10 % and 1.5 dB.
  static constexpr double good_centroid = 0.10, good_dB = 1.5;
  bool good() const noexcept { return centroid <= good_centroid && level_dB <= good_dB; }
};
/// Of the mean centroid and the mean levels of some starts to those of the reference.  All with the same limit.
TimbreDistance timbre_distance(std::span<const Timbre> starts, std::span<const Timbre> reference);

}  // namespace jawari
