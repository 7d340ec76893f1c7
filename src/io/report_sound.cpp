// SPDX-License-Identifier: MIT
// What a report says of the sound: its curve, pitch and spectra.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jawari/io/audio_file.h"
#include "jawari/io/spectrum.h"
#include "report_parts.h"

namespace jawari {
namespace {

/// The unit of the pickups, if all have the same one.
std::string pickup_unit(const Scene& scene) {
  static constexpr const char* units[] = {"m", "m/s", "m/s²", "N", "N", "N"};
  std::string unit;
  for (const auto& p : scene.pickups) {
    const std::string one = units[static_cast<std::size_t>(*p.quantity)];
    if (p.gain != 1 || (!unit.empty() && unit != one)) return "";
    unit = one;
  }
  return unit;
}

}  // namespace

void add_sound(ReportPage& page, const Scene& scene, std::span<const std::vector<double>> channels,
               const PlayedSound& played) {
  const double rate = scene.rate_hz;
  const std::size_t count = channels[0].size();
  const AudioFacts facts = audio_facts(channels, rate, {played.gain});
  const bool stereo = channels.size() == 2;
  MinMaxRecorder wave;
  wave.begin(stereo ? std::vector<std::string>{"left", "right"} : std::vector<std::string>{"sound"}, rate,
             static_cast<std::int64_t>(count));
  std::vector<double> frame(channels.size());
  for (std::size_t n = 0; n < count; ++n) {
    for (std::size_t c = 0; c < channels.size(); ++c) frame[c] = facts.gain * channels[c][n];
    wave.row(0, frame);
  }
  wave.end();
  std::vector<ReportPage::Series> series;
  for (std::size_t c = 0; c < channels.size(); ++c) series.push_back({wave.channels[c], "of full scale", wave.data[c]});
  const bool playable = rate >= 3000 && rate <= 192000 && rate == std::round(rate) && count > 0 &&
                        static_cast<double>(count) < 600 * rate;
  const std::string unit = pickup_unit(scene);
  page.time_panel("Sound",
                  fmt::format("The pickups, {}. The largest value, {:.3g}{}{}, is played at {:.2g} of full scale.",
                              stereo ? "panned left and right" : "summed up", facts.peak, unit.empty() ? "" : " ", unit,
                              std::min(1.0, facts.gain * facts.peak)),
                  series, wave.step_s, false,
                  playable ? flac_bytes(channels, rate, {played.gain}) : std::vector<unsigned char>{});
}

double single_pitch(const PitchTrack& pitch) {
  const double usual = pitch.usual_hz();
  std::size_t voiced = 0, near = 0;
  for (const float f : pitch.frequency_hz) {
    if (!(f > 0)) continue;
    ++voiced;
    near += std::abs(std::log2(f / usual)) < 1.0 / 12;
  }
  return usual > 0 && 10 * near >= 6 * voiced ? usual : 0;
}

void add_pitch(ReportPage& page, const PitchTrack& pitch) {
  const double usual = pitch.usual_hz();
  if (!(usual > 0)) return;
  const std::string most = single_pitch(pitch) > 0
                               ? fmt::format("Mostly {}, {:.2f} Hz", note_name(nearest_note(usual)), usual)
                               : "No single pitch";
  page.pitch_panel("Pitch", most + "; nothing is drawn where the sound has no clear period.", pitch.frequency_hz,
                   pitch.start_s, pitch.step_s);
}

void add_spectra(ReportPage& page, std::span<const double> sound, double rate_hz) {
  const Spectrogram gram = spectrogram(sound, rate_hz);
  page.map_panel("Spectrogram", "The sound over time and frequency.",
                 {.step_s = gram.step_s,
                  .y = gram.frequency_hz,
                  .y_label = "frequency",
                  .y_unit = "Hz",
                  .y_log = true,
                  .columns = gram.columns,
                  .label = "level",
                  .unit = "dB",
                  .low = Spectrogram::floor_dB,
                  .high = 0});
  const Spectrum s = spectrum(sound, rate_hz);
  page.plane_panel("Spectrum", "Level below the strongest line, over the loudest seconds.",
                   {{"level", "dB", s.level_dB, s.frequency_hz}},
                   {.x_label = "frequency", .x_unit = "Hz", .x_log = true});
}

}  // namespace jawari
