// SPDX-License-Identifier: MIT
// Lines of a spectrum by direct sums under a Blackman-Harris window (four terms, side lobes below -92 dB): no grid of
// frequencies, so no interpolation between bins.
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>
#include <vector>

namespace jawari::rigs {

class Spectrum {
 public:
  /// hann: a narrower line between higher side lobes.
  Spectrum(std::vector<double> signal, double fs_hz, bool hann = false)
      : x_(std::move(signal)), fs_(fs_hz), guess_(crossings() * fs_) {
    const double step = 2 * std::numbers::pi / static_cast<double>(x_.size());
    for (std::size_t n = 0; n < x_.size(); ++n) {
      const double a = step * static_cast<double>(n);
      x_[n] *= hann ? 0.5 - 0.5 * std::cos(a)
                    : 0.35875 - 0.48829 * std::cos(a) + 0.14128 * std::cos(2 * a) - 0.01168 * std::cos(3 * a);
    }
  }
  double magnitude(double f_hz) const {
    const double turn = 2 * std::numbers::pi * f_hz / fs_;
    std::complex<double> sum = 0;
    constexpr std::size_t block = 256;  // the phasor is set anew in every block: its rounding does not add up
    const std::complex<double> rotate = std::polar(1.0, -turn);
    for (std::size_t from = 0; from < x_.size(); from += block) {
      std::complex<double> phasor = std::polar(1.0, -turn * static_cast<double>(from));
      for (std::size_t n = from; n < std::min(from + block, x_.size()); ++n) {
        sum += x_[n] * phasor;
        phasor = {phasor.real() * rotate.real() - phasor.imag() * rotate.imag(),
                  phasor.real() * rotate.imag() + phasor.imag() * rotate.real()};
      }
    }
    return std::abs(sum);
  }
  /// The strongest line of a nearly sinusoidal signal [Hz]: within three bins of where the crossings of zero put it.
  double peak() const {
    const double bin = fs_ / static_cast<double>(x_.size());
    return highest(guess_ - 3 * bin, guess_ + 3 * bin, 40);
  }
  /// The strongest line between two frequencies [Hz].
  double strongest(double from_hz, double to_hz) const {
    const double step = fs_ / static_cast<double>(x_.size()) / 4;
    double best = from_hz, most = 0;
    for (double f = from_hz; f <= to_hz; f += step)
      if (const double m = magnitude(f); m > most) {
        most = m;
        best = f;
      }
    return highest(best - step, best + step, 30);
  }
  /// Share of the power above a frequency: all of it (Parseval) less the bins below.
  double share_above(double f_hz) const {
    double all = 0, below = 0;
    for (const double x : x_) all += x * x;
    const double size = static_cast<double>(x_.size());
    for (double bin = 0; bin * fs_ / size <= f_hz; ++bin) {
      const double m = magnitude(bin * fs_ / size);
      below += (bin > 0 ? 2 : 1) * m * m / size;
    }
    return (all - below) / all;
  }
  /// Level of a harmonic over the fundamental [dB].
  double level(double fundamental_hz, int harmonic) const {
    return 20 * std::log10(magnitude(harmonic * fundamental_hz) / magnitude(fundamental_hz));
  }

 private:
  double highest(double from_hz, double to_hz, int bits) const;  // by Brent's method
  /// Periods per sample between the first and the last upward crossing of zero.
  double crossings() const {
    double first = 0, last = 0;
    int count = 0;
    for (std::size_t n = 1; n < x_.size(); ++n)
      if (x_[n - 1] < 0 && x_[n] >= 0) {
        last = static_cast<double>(n) - x_[n] / (x_[n] - x_[n - 1]);
        if (count++ == 0) first = last;
      }
    return (count - 1) / (last - first);
  }
  std::vector<double> x_;
  double fs_, guess_;
};

}  // namespace jawari::rigs
