// SPDX-License-Identifier: MIT
// Sound files through libsndfile: .wav and .flac.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jawari/engine/run.h"

namespace jawari {

enum class SampleFormat { bits16, bits24, floating };
inline constexpr std::string_view sample_format_names[] = {"16", "24", "float"};
struct AudioOptions {
  std::optional<double> gain = {};  ///< none: loudness -23 LUFS (EBU R 128), the peak at most -1 dB of full scale
  SampleFormat samples = SampleFormat::bits24;
};
struct AudioFacts {
  double gain = 0;           ///< factor that was applied
  double peak = 0;           ///< of the signal before the gain
  double mean = 0;           ///< its DC
  std::int64_t clipped = 0;  ///< samples beyond full scale (only with a given gain)
};

/// Whether a sound of so many channels and samples can be written: ending, format, gain, rate, size, folder.  Throws
/// InputError.
void check_audio(const std::string& path, std::size_t channels, double frames, double rate_hz,
                 const AudioOptions& options);

/// Throws InputError as check_audio() does, OutputError while writing.  The file appears when it is complete; "-" is a
/// WAV file on stdout.
AudioFacts write_audio(const std::string& path, std::span<const std::vector<double>> channels, double rate_hz,
                       const AudioOptions& options = {});
AudioFacts write_audio(const std::string& path, std::span<const double> signal, double rate_hz,
                       const AudioOptions& options = {});

struct SoundFile {
  std::vector<std::vector<double>> channels;
  double rate_hz = 0;
};
/// A whole file; what is not finite in it stays so.  Throws InputError.
SoundFile read_audio(const std::string& path);
SoundFile at_rate(SoundFile sound, double rate_hz);

enum class ChannelChoice { as_panned, mono, stereo, split };  ///< as_panned: stereo if a pickup is panned
inline constexpr std::string_view channel_names[] = {"auto", "mono", "stereo", "split"};
std::size_t channel_count(const std::vector<PickupInfo>& tracks, ChannelChoice choice);  ///< of what mix() makes
/// The channels of a sound file: the pickups together, panned with equal power, or each by itself; at the scene's rate.
std::vector<std::vector<double>> mix(const Run& run, const std::vector<PickupInfo>& tracks, ChannelChoice choice,
                                     std::size_t oversample = 1);
/// What write_audio does to samples, without a file.
AudioFacts audio_facts(std::span<const std::vector<double>> channels, double rate_hz, const AudioOptions& options = {});
/// The same as bytes of a 16-bit FLAC file, for embedding; none if it cannot be encoded.
std::vector<unsigned char> flac_bytes(std::span<const std::vector<double>> channels, double rate_hz,
                                      const AudioOptions& options = {});
std::vector<unsigned char> flac_bytes(std::span<const double> signal, double rate_hz);

}  // namespace jawari
