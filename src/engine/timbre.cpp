// SPDX-License-Identifier: MIT
#include "jawari/engine/timbre.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <unsupported/Eigen/FFT>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

double ten_log(double power) { return 10 / elementary::log(10) * elementary::log(std::max(power, 1e-300)); }

/// One-sided powers of the lines k rate / size under a Hann window, without the mean.
class Lines {
 public:
  Lines(std::size_t window, double rate_hz)
      : window_(window),
        time_(std::bit_ceil(window)),
        power_(time_.size() / 2 + 1),
        width_hz_(rate_hz / static_cast<double>(time_.size())) {
    const auto n = static_cast<std::int64_t>(window);
    for (std::size_t i = 0; i < window; ++i) {
      const double s = elementary::sin_pi(2 * static_cast<std::int64_t>(i) + 1, 2 * n);
      window_[i] = s * s;
      sum_ += window_[i];
      squares_ += window_[i] * window_[i];
    }
    fft_.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  }
  double width_hz() const { return width_hz_; }
  const std::vector<double>& operator()(std::span<const double> part) {
    const auto sample = [&](std::size_t i) { return std::isfinite(part[i]) ? part[i] : 0; };
    double mean = 0;
    for (std::size_t i = 0; i < window_.size(); ++i) mean += window_[i] * sample(i) / sum_;
    std::fill(time_.begin(), time_.end(), 0.0);
    for (std::size_t i = 0; i < window_.size(); ++i) time_[i] = window_[i] * (sample(i) - mean);
    fft_.fwd(lines_, time_);
    const double scale = 2 / (squares_ * static_cast<double>(time_.size()));
    for (std::size_t k = 0; k < power_.size(); ++k) power_[k] = scale * std::norm(lines_[k]);
    return power_;
  }

 private:
  std::vector<double> window_, time_, power_;
  std::vector<std::complex<double>> lines_;
  Eigen::FFT<double> fft_;
  double sum_ = 0, squares_ = 0, width_hz_;
};

/// Half a third octave up from the middle of a band.
double half_band() { return elementary::exp2(1.0 / 6); }

std::size_t bands_below(double limit_hz) {
  std::size_t count = 0;
  while (count < Timbre::bands && Timbre::band_hz(count) * half_band() <= limit_hz) ++count;
  return count;
}

Timbre::Window measured(const std::vector<double>& power, double width_hz, double limit_hz) {
  Timbre::Window w;
  const std::size_t bands = bands_below(limit_hz);
  for (std::size_t k = 0; k < power.size(); ++k) {
    const double f = width_hz * static_cast<double>(k);
    if (f < Timbre::lowest_hz || f > limit_hz) continue;
    w.power += power[k];
    w.centroid_hz += f * power[k];
  }
  if (w.power > 0) w.centroid_hz /= w.power;
  for (std::size_t b = 0; b < bands; ++b) {
    const double from = Timbre::band_hz(b) / half_band(), to = Timbre::band_hz(b) * half_band();
    const auto last = std::min(power.size(), static_cast<std::size_t>(std::ceil(to / width_hz)));
    for (auto k = static_cast<std::size_t>(std::ceil(from / width_hz)); k < last; ++k) w.power_in[b] += power[k];
  }
  return w;
}

/// Centroid and levels of one window, averaged over starts.
struct Mean {
  double power = 0, centroid_hz = 0;
  std::array<double, Timbre::bands> level_dB{};
};
Mean mean_of(std::span<const Timbre> starts, std::size_t window) {
  Mean m;
  const double share = 1 / static_cast<double>(starts.size());
  for (const Timbre& t : starts) {
    const Timbre::Window& w = t.windows[window];
    m.power += share * w.power;
    m.centroid_hz += share * w.centroid_hz;
    for (std::size_t b = 0; b < Timbre::bands; ++b) m.level_dB[b] += share * ten_log(w.power_in[b]);
  }
  return m;
}
std::size_t common_windows(std::span<const Timbre> starts) {
  std::size_t count = starts.empty() ? 0 : starts[0].windows.size();
  for (const Timbre& t : starts) count = std::min(count, t.windows.size());
  return count;
}

}  // namespace

double Timbre::band_hz(std::size_t band) { return 1000 * elementary::exp2((static_cast<double>(band) - 9) / 3); }

double timbre_limit_hz(double rate_hz, double other_rate_hz) {
  return std::min(Timbre::highest_hz, std::min(rate_hz, other_rate_hz) * (18.0 / 44.1));
}

Timbre timbre(std::span<const double> sound, double rate_hz, double limit_hz) {
  Timbre out;
  out.limit_hz = limit_hz;
  const double most = Timbre::window_s * rate_hz;
  if (!(rate_hz > 0 && std::isfinite(rate_hz) && most < 1e9)) return out;
  if (static_cast<double>(sound.size()) < std::max(16.0, Timbre::shortest_s * rate_hz)) return out;
  const std::size_t n = std::min(sound.size(), static_cast<std::size_t>(std::llround(most)));
  Lines lines(n, rate_hz);
  const double hop = most / 2;
  for (std::size_t i = 0;; ++i) {
    const auto first = static_cast<std::size_t>(std::llround(hop * static_cast<double>(i)));
    if (first + n > sound.size()) return out;
    out.windows.push_back(measured(lines(sound.subspan(first, n)), lines.width_hz(), limit_hz));
  }
}

TimbreDistance timbre_distance(std::span<const Timbre> starts, std::span<const Timbre> reference) {
  const std::size_t count = std::min(common_windows(starts), common_windows(reference));
  std::vector<Mean> ours, true_ones;
  double loudest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    ours.push_back(mean_of(starts, i));
    true_ones.push_back(mean_of(reference, i));
    loudest = std::max(loudest, true_ones[i].power);
  }
  const std::size_t bands = count == 0 ? 0 : bands_below(reference[0].limit_hz);
  double squares = 0, sum = 0, level_squares = 0, used = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Mean &a = ours[i], &r = true_ones[i];
    if (!(r.power > 1e-6 * loudest) || !(r.centroid_hz > 0)) continue;
    const double off = a.centroid_hz / r.centroid_hz - 1;
    const double floor =
        *std::max_element(r.level_dB.begin(), r.level_dB.begin() + static_cast<std::ptrdiff_t>(bands)) +
        Timbre::floor_dB;
    for (std::size_t b = 0; b < bands; ++b) {
      const double d = std::max(a.level_dB[b], floor) - std::max(r.level_dB[b], floor);
      level_squares += d * d;
    }
    squares += off * off;
    sum += off;
    used += 1;
  }
  if (!(used > 0) || bands == 0) return {};
  return {std::sqrt(squares / used), std::sqrt(level_squares / (used * static_cast<double>(bands))), sum / used};
}

}  // namespace jawari
