// SPDX-License-Identifier: MIT
// Sound files through libsndfile: .wav and .flac.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jawari {

struct AudioOptions {
  std::optional<double> gain;  ///< none: the peak is brought to -1 dB of full scale
};
struct AudioFacts {
  double gain = 0;     ///< factor that was applied
  double peak = 0;     ///< of the signal before the gain
  double mean = 0;     ///< its DC
  long clipped = 0;    ///< samples beyond full scale (only with a given gain)
};

/// Throws Refusal.  24-bit samples; the file appears when it is complete.
AudioFacts write_audio(const std::string& path, std::span<const double> signal, double rate_hz, const AudioOptions& options = {});
/// The same as bytes of a 16-bit FLAC file, for embedding.
std::vector<unsigned char> flac_bytes(std::span<const double> signal, double rate_hz);

}  // namespace jawari
