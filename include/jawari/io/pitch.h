// SPDX-License-Identifier: MIT
// The pitch of a sound over time: the lag at which its autocorrelation, freed from the shape of the window, has its
// first high maximum, read off several periods later where they still agree.  Samples that are no numbers count as
// zero.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace jawari {

struct PitchTrack {
  static constexpr double lowest_hz = 30, highest_hz = 5000;
  double start_s = 0, step_s = 0;   ///< value i belongs to start_s + i step_s; at most 800
  std::vector<float> frequency_hz;  ///< NaN where there is no pitch: silence, noise, clicks
  std::vector<float> clarity;       ///< 0 (noise) to 1 (periodic)

  /// Where most of the pitches are, in the middle; 0 if fewer than a tenth of the loud windows have one.
  double usual_hz() const;
};
/// Steady tones are found to less than a cent.  Empty for sounds shorter than a window (some 90 ms).
PitchTrack pitch_track(std::span<const double> sound, double rate_hz);

struct Note {
  int midi = 0;      ///< 69: a' at 440 Hz
  double cents = 0;  ///< beyond it, -50 to 50
};
Note nearest_note(double frequency_hz);
std::string note_name(const Note& note);  ///< "A4 +3 ct"

}  // namespace jawari
