// SPDX-License-Identifier: MIT
// Scenes from text, and helpers of the tests.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "jawari/engine/compile.h"
#include "jawari/engine/run.h"
#include "jawari/engine/world.h"
#include "jawari/io/scene_file.h"
#include "support/golden.h"

namespace jawari::test {

inline Scene scene_of(const std::string& text) { return parse_scene(text, "test.toml").scene; }

/// Every sample of every channel, by name.
class Channels final : public RowSink {
 public:
  void begin(const std::vector<std::string>& channels, double, std::int64_t) override {
    names_ = channels;
    data_.resize(names_.size());
  }
  void row(double, std::span<const double> values) override {
    for (std::size_t i = 0; i < values.size(); ++i) data_[i].push_back(values[i]);
  }
  const std::vector<double>& of(const std::string& name) const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) return data_[i];
    throw std::runtime_error("no channel " + name);
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> data_;
};
struct Played {
  Channels channels;
  std::vector<double> sound;
  std::unique_ptr<World> world;
};
inline Played play(const Scene& scene) {
  Played p;
  p.world = compile_world(scene);
  RowSink* sinks[] = {&p.channels};
  p.sound = run(*p.world, step_count(scene), sinks).sound;
  EXPECT_FALSE(p.world->failed());
  return p;
}
inline Played play(const std::string& text) { return play(scene_of(text)); }

/// Largest residual of any account, over the largest energy of the run.
inline double worst_account(const World& world) {
  double worst = 0;
  for (const auto& a : world.accounts())
    if (!(std::abs(a.residual_J) <= worst)) worst = std::abs(a.residual_J);
  return worst == 0 ? 0 : worst / world.ledger().largest_J;  // nothing moves: nothing to be off by
}

/// Frequency of the strongest partial near `about`, by a Hann-windowed spectrum and a parabola on its logarithm.
inline double pitch_near(const std::vector<double>& x, double rate, double about, double width = 0.06) {
  const double n = static_cast<double>(x.size());
  double mean = 0;
  for (const double v : x) mean += v / n;
  const auto power = [&](double f) {
    double re = 0, im = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double t = static_cast<double>(i), w = 0.5 - 0.5 * std::cos(2 * M_PI * t / n);
      re += w * (x[i] - mean) * std::cos(2 * M_PI * f * t / rate);
      im += w * (x[i] - mean) * std::sin(2 * M_PI * f * t / rate);
    }
    return re * re + im * im;
  };
  const double step = rate / n / 4;
  double best = about, most = 0;
  for (double f = about * (1 - width); f < about * (1 + width); f += step)
    if (const double p = power(f); p > most) {
      most = p;
      best = f;
    }
  const double a = std::log(power(best - step)), b = std::log(power(best)), c = std::log(power(best + step));
  return best + step * 0.5 * (a - c) / (a - 2 * b + c);
}
inline double cents(double f, double reference) { return 1200 * std::log2(f / reference); }

}  // namespace jawari::test
