// SPDX-License-Identifier: MIT
#include "jawari/io/spectrum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/FFT>

namespace jawari {
namespace {

constexpr std::size_t most_points = 4096, most_rows = 300, most_columns = 1000;
constexpr double lowest_hz = 30, spectrum_lowest_hz = 20, longest_s = 6;
/// Below this a line is what rounding leaves of a constant (full scale is 1).
constexpr double silence = 1e-13;

/// Full scale is the largest sample; what is no number is zero.
std::vector<double> normalised(std::span<const double> sound) {
  double most = 0;
  for (const double x : sound)
    if (std::isfinite(x)) most = std::max(most, std::abs(x));
  std::vector<double> out(sound.size());
  if (most > 0)
    std::transform(sound.begin(), sound.end(), out.begin(), [&](double x) { return std::isfinite(x) ? x / most : 0; });
  return out;
}

std::vector<double> hann(std::size_t n) {
  std::vector<double> w(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double s = std::sin(std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(n));
    w[i] = s * s;
  }
  return w;
}

/// Amplitudes of the lines k rate / size, k <= size / 2, under a window, without the mean.
class Lines {
 public:
  Lines(std::size_t window, std::size_t size) : window_(hann(window)), time_(size), lines_(size / 2 + 1) {
    for (const double w : window_) sum_ += w;
    fft_.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  }
  /// The samples from `first` on; behind the end of the sound there is nothing.
  const std::vector<double>& operator()(std::span<const double> sound, std::size_t first) {
    std::fill(time_.begin(), time_.end(), 0.0);
    const auto part = sound.subspan(first, std::min(window_.size(), sound.size() - first));
    const std::size_t n = part.size();
    double mean = 0, weight = 0;
    for (std::size_t i = 0; i < n; ++i) {
      mean += window_[i] * part[i];
      weight += window_[i];
    }
    if (weight > 0) mean /= weight;
    for (std::size_t i = 0; i < n; ++i) time_[i] = window_[i] * (part[i] - mean);
    fft_.fwd(freq_, time_);
    for (std::size_t k = 0; k < lines_.size(); ++k) lines_[k] = 2 * std::sqrt(std::norm(freq_[k])) / sum_;
    return lines_;
  }

 private:
  std::vector<double> window_, time_, lines_;
  std::vector<std::complex<double>> freq_;
  Eigen::FFT<double> fft_;
  double sum_ = 0;
};

float level(double amplitude, double peak, float floor_dB) {
  return amplitude > 0 && peak > silence ? std::max(floor_dB, static_cast<float>(20 * std::log10(amplitude / peak)))
                                         : floor_dB;
}

/// Where the `n` loudest samples begin, to an eighth of n.
std::size_t loudest(std::span<const double> sound, std::size_t n) {
  const std::size_t hop = std::max<std::size_t>(1, n / 8);
  std::vector<double> energy(sound.size() / hop);
  for (std::size_t i = 0; i < energy.size() * hop; ++i) energy[i / hop] += sound[i] * sound[i];
  std::size_t best = 0;
  double most = -1;
  for (std::size_t b = 0; b * hop + n <= sound.size(); ++b) {
    double sum = 0;
    for (std::size_t i = b; i < std::min(b + 8, energy.size()); ++i) sum += energy[i];
    if (sum > most) {
      most = sum;
      best = b;
    }
  }
  return best * hop;
}

}  // namespace

Spectrum spectrum(std::span<const double> sound, double rate_hz) {
  if (sound.empty() || !(rate_hz > 0 && std::isfinite(rate_hz))) return {};
  const auto x = normalised(sound);
  const auto n = static_cast<std::size_t>(std::min(std::max(1.0, longest_s * rate_hz), static_cast<double>(x.size())));
  const std::size_t size = std::max<std::size_t>(64, 2 * std::bit_ceil(n));
  Lines transform(n, size);
  const auto& lines = transform(x, loudest(x, n));

  const double bin_hz = rate_hz / static_cast<double>(size), top = rate_hz / 2;
  const double bottom = std::max(bin_hz, std::min(spectrum_lowest_hz, top / 10));
  const auto first = static_cast<std::size_t>(std::ceil(bottom / bin_hz));
  const double peak = *std::max_element(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end());
  const double per_bin = static_cast<double>(most_points - 1) / std::log(top / bottom);
  Spectrum out;
  double group = -1, loud = 0;
  for (std::size_t k = first; k < lines.size(); ++k) {
    const double f = static_cast<double>(k) * bin_hz, g = std::floor(std::log(f / bottom) * per_bin);
    if (g != group) {
      out.frequency_hz.push_back(0);
      out.level_dB.push_back(0);
      loud = -1;
      group = g;
    }
    if (lines[k] <= loud) continue;
    loud = lines[k];
    out.frequency_hz.back() = static_cast<float>(f);
    out.level_dB.back() = level(loud, peak, Spectrum::floor_dB);
  }
  return out;
}

Spectrogram spectrogram(std::span<const double> sound, double rate_hz) {
  if (sound.empty() || !(rate_hz > 0 && std::isfinite(rate_hz))) return {};
  const auto x = normalised(sound);
  // A window of 60 ms or a little more; a quarter of a sound shorter than that.
  const auto wanted = std::bit_ceil(static_cast<std::size_t>(std::clamp(0.06 * rate_hz, 16.0, 65536.0)));
  const std::size_t window = std::min(wanted, std::max<std::size_t>(16, std::bit_floor(x.size()) / 4)),
                    size = 2 * window;
  const std::size_t count = std::clamp<std::size_t>(8 * x.size() / window, 1, most_columns);
  const double hop = static_cast<double>(x.size()) / static_cast<double>(count);
  // Windows per column, half a window apart at most: nothing is missed between them.
  const auto looks = static_cast<std::size_t>(std::ceil(2 * hop / static_cast<double>(window)));

  const double bin_hz = rate_hz / static_cast<double>(size), top = rate_hz / 2, bottom = std::min(lowest_hz, top / 10);
  const std::size_t rows = std::min(most_rows, size);
  const double ratio = std::pow(top / bottom, 1 / static_cast<double>(rows));
  struct Row {
    std::size_t from, to;  ///< lines in it; where there is none, between which lines it lies
    double between;
  };
  std::vector<Row> row(rows);
  Spectrogram out{.step_s = hop / rate_hz, .frequency_hz = {}, .columns = {}};
  for (std::size_t r = 0; r < rows; ++r) {
    const double low = bottom * std::pow(ratio, static_cast<double>(r)), middle = low * std::sqrt(ratio);
    out.frequency_hz.push_back(static_cast<float>(middle));
    const auto from = static_cast<std::size_t>(std::ceil(low / bin_hz)),
               to = static_cast<std::size_t>(std::ceil(low * ratio / bin_hz));
    row[r] = {std::min(from, size / 2), std::min(to, size / 2 + 1), middle / bin_hz};
  }

  Lines transform(window, size);
  std::vector<std::vector<double>> loud(count, std::vector<double>(rows, 0.0));
  double peak = 0;
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t l = 0; l < looks; ++l) {
      const double middle =
          (static_cast<double>(c) + (static_cast<double>(l) + 0.5) / static_cast<double>(looks)) * hop;
      // Kept inside the sound: where it begins or stops at once, a window halfway out would see a click.
      const auto first = static_cast<std::size_t>(std::max(0.0, std::round(middle - static_cast<double>(window) / 2)));
      const auto& lines = transform(x, std::min(first, x.size() - std::min(x.size(), window)));
      for (std::size_t r = 0; r < rows; ++r) {
        const auto [from, to, between] = row[r];
        double most = 0;
        for (std::size_t k = from; k < to; ++k) most = std::max(most, lines[k]);
        if (from >= to) {
          const std::size_t k = std::min(static_cast<std::size_t>(between), size / 2 - 1);
          most = std::lerp(lines[k], lines[k + 1], between - static_cast<double>(k));
        }
        loud[c][r] = std::max(loud[c][r], most);
        peak = std::max(peak, most);
      }
    }
  out.columns.assign(count, std::vector<float>(rows));
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t r = 0; r < rows; ++r) out.columns[c][r] = level(loud[c][r], peak, Spectrogram::floor_dB);
  return out;
}

}  // namespace jawari
