// SPDX-License-Identifier: MIT
// Pictures of a sound: its spectrum and its spectrogram, in dB below their peak, small enough to draw.  Hann windows;
// a constant is silence; samples that are no numbers count as zero, so what comes out always is a number.
#pragma once
#include <span>
#include <vector>

namespace jawari {

struct Spectrum {
  static constexpr float floor_dB = -120;
  std::vector<float> frequency_hz;  ///< rising, at most 4096; of the highest line wherever lines had to be merged
  std::vector<float> level_dB;      ///< of the peak: 0 at most; all `floor_dB` in silence
};
/// Of the whole sound, or of its loudest six seconds.  Empty without sound.
Spectrum spectrum(std::span<const double> sound, double rate_hz);

struct Spectrogram {
  static constexpr float floor_dB = -90;
  double step_s = 0;                        ///< column i covers i step_s to (i + 1) step_s
  std::vector<float> frequency_hz;          ///< log-spaced middles of the rows, at most 300
  std::vector<std::vector<float>> columns;  ///< at most 1000; loudest line in every row, of the peak of the sound
};
Spectrogram spectrogram(std::span<const double> sound, double rate_hz);

}  // namespace jawari
