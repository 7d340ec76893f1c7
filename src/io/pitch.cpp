// SPDX-License-Identifier: MIT
#include "jawari/io/pitch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <unsupported/Eigen/FFT>

namespace jawari {
namespace {

constexpr std::size_t most_values = 800;
constexpr double window_s = 0.09, hop_s = 0.01;
constexpr double soft_hz = 300;    // partials above it count less
constexpr double quiet = 1e-3;     // of the loudest window: below -60 dB there is no pitch
constexpr double clear = 0.5;      // least correlation at the period
constexpr double as_high = 0.8;    // the first maximum at least this high of the highest is the period, not the second
constexpr double agreeing = 0.92;  // periods later that still correlate this well, relative to the first

/// Autocorrelation of windowed sound over that of the window: 1 for anything periodic, at its periods.
class Correlation {
 public:
  explicit Correlation(std::size_t window) : window_(window), time_(2 * window), own_(window) {
    for (std::size_t i = 0; i < window; ++i) {
      const double s = std::sin(std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(window));
      window_[i] = s * s;
    }
    std::copy(window_.begin(), window_.end(), time_.begin());
    transform();
    for (std::size_t i = 0; i < window; ++i) own_[i] = time_[i] / time_[0];
  }
  /// False in silence.
  bool operator()(std::span<const double> part) {
    double mean = 0, weight = 0;
    for (std::size_t i = 0; i < part.size(); ++i) {
      mean += window_[i] * part[i];
      weight += window_[i];
    }
    mean /= weight;
    power = 0;
    std::fill(time_.begin(), time_.end(), 0.0);
    for (std::size_t i = 0; i < part.size(); ++i) {
      time_[i] = window_[i] * (part[i] - mean);
      power += time_[i] * time_[i];
    }
    if (!(power > 1e-20 * mean * mean * weight)) return false;  // what rounding leaves of a constant
    transform();
    const double all = time_[0];
    // Beyond half of the window too little of it is left to divide by.
    for (std::size_t i = 0; i < own_.size() / 2; ++i) time_[i] /= all * own_[i];
    return all > 0;
  }
  double operator[](std::size_t lag) const { return time_[lag]; }
  std::size_t size() const { return own_.size() / 2; }
  /// Of the parabola through a maximum and its neighbours: where, and how high.
  std::pair<double, double> top(std::size_t lag) const {
    const double a = time_[lag - 1], b = time_[lag], c = time_[lag + 1], bend = a - 2 * b + c;
    if (!(bend < 0)) return {static_cast<double>(lag), b};
    const double off = 0.5 * (a - c) / bend;
    return {static_cast<double>(lag) + off, b - 0.25 * (a - c) * off};
  }
  double power = 0;

 private:
  void transform() {  // |X|^2 and back; the zeros behind the window keep lags from wrapping
    fft_.fwd(freq_, time_);
    for (auto& x : freq_) x = std::norm(x);
    fft_.inv(time_, freq_);
  }
  std::vector<double> window_, time_, own_;
  std::vector<std::complex<double>> freq_;
  Eigen::FFT<double> fft_;
};

/// The maximum nearest to a lag, or 0.
std::size_t climb(const Correlation& r, double from) {
  auto lag = static_cast<std::size_t>(std::llround(from));
  if (lag < 2 || lag + 2 >= r.size()) return 0;
  for (int i = 0; i < 3 && lag + 2 < r.size() && lag > 2; ++i) {
    if (r[lag + 1] > r[lag])
      ++lag;
    else if (r[lag - 1] > r[lag])
      --lag;
    else
      return lag;
  }
  return 0;
}

struct Found {
  double period = 0, height = 0;
};
Found find_period(const Correlation& r, double rate_hz) {
  const auto from = static_cast<std::size_t>(std::max(3.0, std::floor(rate_hz / PitchTrack::highest_hz)));
  const std::size_t to = std::min(r.size() - 2, static_cast<std::size_t>(std::ceil(rate_hz / PitchTrack::lowest_hz)));
  std::vector<Found> tops;
  double highest = 0;
  for (std::size_t lag = from; lag < to; ++lag)
    if (r[lag] > 0 && r[lag] >= r[lag - 1] && r[lag] > r[lag + 1]) {
      const auto [where, height] = r.top(lag);
      tops.push_back({where, height});
      highest = std::max(highest, height);
    }
  const auto first = std::find_if(tops.begin(), tops.end(), [&](auto& t) { return t.height >= as_high * highest; });
  if (first == tops.end()) return {};
  // An error of the lag counts less the more periods it spans; twice as many at a time, so that none is miscounted.
  Found best = *first;
  for (double periods = 2;; periods *= 2) {
    const std::size_t lag = climb(r, periods * best.period);
    if (lag == 0) break;
    const auto [where, height] = r.top(lag);
    if (height < agreeing * first->height || std::abs(where / periods / best.period - 1) > 0.01) break;
    best.period = where / periods;
  }
  return {best.period, std::min(1.0, first->height)};
}

}  // namespace

PitchTrack pitch_track(std::span<const double> sound, double rate_hz) {
  if (!(rate_hz >= 1000 && std::isfinite(rate_hz))) return {};
  const std::size_t window = std::bit_ceil(static_cast<std::size_t>(window_s * rate_hz));
  if (sound.size() < window) return {};
  // Through one pole: high partials count less, because those of a stiff string are sharp.
  std::vector<double> x(sound.begin(), sound.end());
  const double share = 1 - std::exp(-2 * std::numbers::pi * soft_hz / rate_hz);
  double y = std::isfinite(x[0]) ? x[0] : 0;
  for (double& v : x) v = y += share * ((std::isfinite(v) ? v : 0) - y);
  const std::size_t room = x.size() - window;
  const auto wanted = static_cast<std::size_t>(static_cast<double>(room) / (hop_s * rate_hz)) + 1;
  const std::size_t count = std::min(wanted, most_values);
  const double hop = count > 1 ? static_cast<double>(room) / static_cast<double>(count - 1) : 0;

  PitchTrack out{
      .start_s = static_cast<double>(window) / 2 / rate_hz, .step_s = hop / rate_hz, .frequency_hz = {}, .clarity = {}};
  Correlation r(window);
  std::vector<double> power;
  double loudest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = std::min(room, static_cast<std::size_t>(std::llround(static_cast<double>(i) * hop)));
    const bool any = r(std::span(x).subspan(first, window));
    const Found f = any ? find_period(r, rate_hz) : Found{};
    power.push_back(any ? r.power : 0);
    loudest = std::max(loudest, power.back());
    out.clarity.push_back(static_cast<float>(f.height));
    out.frequency_hz.push_back(f.height >= clear ? static_cast<float>(rate_hz / f.period)
                                                 : std::numeric_limits<float>::quiet_NaN());
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!(power[i] > quiet * quiet * loudest)) {
      out.frequency_hz[i] = std::numeric_limits<float>::quiet_NaN();
      out.clarity[i] = 0;
    }
  return out;
}

double PitchTrack::usual_hz() const {
  std::vector<float> found;
  std::copy_if(frequency_hz.begin(), frequency_hz.end(), std::back_inserter(found), [](float f) { return f > 0; });
  const auto loud = std::count_if(clarity.begin(), clarity.end(), [](float c) { return c > 0; });
  if (found.empty() || 10 * found.size() < static_cast<std::size_t>(loud)) return 0;
  std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2), found.end());
  return found[found.size() / 2];
}

Note nearest_note(double frequency_hz) {
  const double exact = 69 + 12 * std::log2(frequency_hz / 440);
  const double whole = std::round(exact);
  return {static_cast<int>(whole), 100 * (exact - whole)};
}

std::string note_name(const Note& note) {
  static constexpr const char* names[] = {"C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"};
  const int octave = (note.midi + 120) / 12 - 11, step = (note.midi + 120) % 12;
  const std::int64_t cents = std::llround(note.cents);
  return fmt::format("{}{}{}", names[step], octave, cents == 0 ? "" : fmt::format(" {:+d} ct", cents));
}

}  // namespace jawari
