// SPDX-License-Identifier: MIT
// ITU-R BS.1770-4.  The two filters of its K weighting are given there by coefficients at 48 kHz; here they are made
// from the analogue filters that belong to those (corner, quality, gain) by the bilinear transform, for any rate.
#include "jawari/io/loudness.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

/// y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y''
class Biquad {
 public:
  /// s^2 high + s middle/q + low over s^2 + s/q + 1, s in units of the corner.
  Biquad(double corner_hz, double q, double high, double middle, double low, double rate_hz) {
    const double t = elementary::tan(std::numbers::pi * corner_hz / rate_hz), whole = 1 + t / q + t * t;
    b0_ = (high + middle * t / q + low * t * t) / whole;
    b1_ = 2 * (low * t * t - high) / whole;
    b2_ = (high - middle * t / q + low * t * t) / whole;
    a1_ = 2 * (t * t - 1) / whole;
    a2_ = (1 - t / q + t * t) / whole;
  }
  double operator()(double x) noexcept {
    const double y = b0_ * x + first_;
    first_ = b1_ * x - a1_ * y + second_;
    second_ = b2_ * x - a2_ * y;
    return y;
  }

 private:
  double b0_ = 0, b1_ = 0, b2_ = 0, a1_ = 0, a2_ = 0, first_ = 0, second_ = 0;
};

constexpr double shelf_hz = 1681.974450955533, shelf_q = 0.7071752369554196;  // + 4 dB above: the head
constexpr double shelf_dB = 3.999843853973347, shelf_middle = 0.4996667741545416;
constexpr double bass_hz = 38.13547087602444, bass_q = 0.5003270373238773;  // less bass
constexpr double block_s = 0.4, steps_per_block = 4, silence_LUFS = -70, gate_LU = -10;

double to_LUFS(double power) { return -0.691 + 10 * std::log10(power); }
double mean_above(const std::vector<double>& power, double least_LUFS) {
  double sum = 0, count = 0;
  for (const double p : power)
    if (to_LUFS(p) > least_LUFS) {
      sum += p;
      ++count;
    }
  return count > 0 ? sum / count : 0;
}

}  // namespace

std::optional<double> loudness_LUFS(std::span<const std::vector<double>> channels, double rate_hz) {
  const auto step = static_cast<std::size_t>(std::llround(block_s / steps_per_block * rate_hz));
  if (channels.empty() || step == 0 || !(rate_hz > 4 * shelf_hz)) return {};
  const std::size_t steps = channels[0].size() / step;
  const double treble = elementary::pow(10, shelf_dB / 20);
  const double edge = elementary::tan(std::numbers::pi * bass_hz / rate_hz);
  std::vector<double> energy(steps, 0.0);  // of all channels, in pieces of a quarter of a block
  for (const auto& signal : channels) {
    Biquad shelf(shelf_hz, shelf_q, treble, elementary::pow(treble, shelf_middle), 1, rate_hz);
    Biquad bass(bass_hz, bass_q, 1 + edge / bass_q + edge * edge, 0, 0, rate_hz);  // numerator 1, -2, 1, as in the text
    for (std::size_t n = 0; n < steps * step; ++n) {
      const double y = bass(shelf(std::isfinite(signal[n]) ? signal[n] : 0));
      energy[n / step] += y * y;
    }
  }
  std::vector<double> power;
  const auto blocks = static_cast<std::size_t>(steps_per_block);
  for (std::size_t i = 0; i + blocks <= steps; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < blocks; ++k) sum += energy[i + k];
    power.push_back(sum / static_cast<double>(blocks * step));
  }
  const double loud = mean_above(power, silence_LUFS);
  if (!(loud > 0)) return {};
  return to_LUFS(mean_above(power, std::max(silence_LUFS, to_LUFS(loud) + gate_LU)));
}

}  // namespace jawari
