// SPDX-License-Identifier: MIT
// What a listener measures: scenes from scenes/, their sound, levels of bands of it.
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <unsupported/Eigen/FFT>

#include "jawari/engine/monitor.h"
#include "support.h"

namespace jawari::test {

inline Scene scene_file(const std::string& name) {
  return read_scene(std::string(JAWARI_SOURCE_DIR) + "/scenes/" + name + ".toml").scene;
}
struct Heard {
  std::vector<double> sound;
  std::unique_ptr<World> world;
  double rate_hz = 0;
  /// How often a contact or barrier was touched and left.
  std::uint64_t impacts(const std::string& contact) const {
    for (const auto& c : world->contacts())
      if (c.name == contact) return c.record.impacts;
    throw std::runtime_error("no contact " + contact);
  }
};
/// The sound alone: no readings, so it is as fast as `jawari render`.
inline Heard hear(Scene scene, double duration_s) {
  scene.duration_s = duration_s;
  Heard h;
  h.world = compile_world(scene);
  h.rate_hz = scene.rate_hz;
  h.sound = run(*h.world, step_count(scene)).sound;
  EXPECT_FALSE(h.world->failed());
  return h;
}

/// Power of the lines of a Hann-windowed piece of sound.
struct Lines {
  std::vector<double> power;
  double width_hz = 0;
  double between(double low_hz, double high_hz) const {
    double sum = 0;
    for (std::size_t i = 0; i < power.size(); ++i)
      if (const double f = width_hz * static_cast<double>(i); f >= low_hz && f < high_hz) sum += power[i];
    return sum;
  }
  double above(double hz) const { return between(hz, 1e9); }
  double centroid_hz() const {
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < power.size(); ++i) {
      sum += width_hz * static_cast<double>(i) * power[i];
      all += power[i];
    }
    return sum / all;
  }
};
inline Lines lines(const Heard& h, double from_s, std::size_t n = 4096) {
  const auto first = static_cast<std::size_t>(std::lround(from_s * h.rate_hz));
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = h.sound.at(first + i) * (0.5 - 0.5 * std::cos(2 * M_PI * static_cast<double>(i) / static_cast<double>(n)));
  std::vector<std::complex<double>> out;
  Eigen::FFT<double>().fwd(out, x);
  Lines l{{}, h.rate_hz / static_cast<double>(n)};
  for (std::size_t i = 0; i < n / 2; ++i) l.power.push_back(std::norm(out[i]));
  return l;
}
inline double dB(double power_ratio) { return 10 * std::log10(power_ratio); }

/// What happens to one target only.
inline void keep_events(Scene& scene, const std::string& target, std::size_t most = 1) {
  std::vector<EventSpec> kept;
  for (const auto& e : scene.events)
    if (e.target == target && kept.size() < most) kept.push_back(e);
  ASSERT_EQ(kept.size(), most) << target;
  scene.events = kept;
}

}  // namespace jawari::test
