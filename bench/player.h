// SPDX-License-Identifier: MIT
// A string for the kernel benchmarks: that of DB19, Fig. 8, or a short thin one.
#pragma once
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jawari/kernel/match.h"

namespace jawari::bench {

using Arithmetic = StringKernel::Arithmetic;
inline constexpr std::size_t visit = 64;  // samples per call, as an engine would

struct Setup {
  std::string scheme = "quadratised";
  double K = 5e6, alpha = 1.4;    // per point
  double level_m = 0, curve = 1;  // barrier: level - curve (1e-4 + 1e-4 x + 1e-3 x^2)
  double sigma0 = 0, sigma1 = 0;
  Arithmetic arithmetic = Arithmetic::fused;
  int intervals = 220;
  double rate_hz = 44100;
  bool accounts = true;
  bool short_string = false;  // 138 points of thin steel at 48 kHz
  bool wound = false;         // over a barrier that bulges by 2.5 mm, so that its tension presses it on everywhere
};

inline StringData data(const Setup& s) {
  if (s.short_string) {
    StringData thin = round_string(0.68, 12.1, 2e-4, 7850, 2e11);
    thin.stretching_N = 0;
    return thin;
  }
  return {.length_m = 1,
          .tension_N = 500,
          .density_kg_m = 0.063,
          .bending_N_m2 = 0.009817477042468105,
          .stretching_N = 0,
          .sigma0_1_s = s.sigma0,
          .sigma1_m2_s = s.sigma1};
}
inline constexpr double bulge_1_m = 0.01;
inline double barrier_m(const Setup& s, double x) {
  if (s.wound) return bulge_1_m * x * (1 - x);
  return s.level_m - s.curve * (1e-4 + 1e-4 * x + 1e-3 * x * x);
}
/// How deep a wound string lies: K y^alpha = T |b''| at every point.
inline double depth_m(const Setup& s, double spacing_m) {
  return std::pow(2 * bulge_1_m * data(s).tension_N * spacing_m / s.K, 1 / s.alpha);
}
/// DB19's pulse of 1 ms at 0.3 L.
inline double pulse_N(std::size_t n, double dt_s) {
  const double t = static_cast<double>(n) * dt_s;
  return t < 1e-3 ? 5 * (1 - std::cos(2 * M_PI * t / 1e-3)) : 0;
}

/// Half a second of sound, again and again: contacts come and go as they do in the piece.
struct Player {
  std::unique_ptr<StringKernel> kernel;
  std::vector<double> force, u, d;
  StringGrid::Spread at;
  std::size_t n = 0, length = 22016;

  explicit Player(const Setup& s) {
    const double dt_s = 1 / (s.short_string ? 48000.0 : s.rate_hz);
    const StringGrid body(data(s), {.intervals = s.short_string ? 139 : s.intervals}, dt_s);
    std::vector<double> offset;
    for (std::size_t i = 0; i < body.nodes(); ++i) offset.push_back(barrier_m(s, body.position_m(i)));
    const LawSpec law{"power", {{"stiffness", s.K}, {"exponent", s.alpha}}}, scheme{s.scheme};
    kernel = kernel::match(body, {law, scheme, s.short_string ? body.spacing_m() : 1, 0, -1, offset}, s.arithmetic);
    kernel->keep_books(s.accounts);
    u.resize(body.nodes());
    d.resize(body.nodes());
    if (s.short_string)
      for (std::size_t i = 0; i < u.size(); ++i) {  // plucked by 2 mm
        const double x = body.position_m(i) / 0.68;
        u[i] = 2e-3 * (x < 0.3 ? x / 0.3 : (1 - x) / 0.7);
      }
    else if (s.wound)
      for (std::size_t i = 0; i < u.size(); ++i) u[i] = offset[i] - depth_m(s, body.spacing_m());
    else
      for (std::size_t i = 0; i < visit; ++i) force.push_back(pulse_N(i, dt_s));
    at = {s.short_string ? 0u : static_cast<std::size_t>(0.3 * s.intervals) - 1, 1, {1}};
    kernel->place(u, d);
    n = 0;
  }
  void play() {
    if (n == length) {
      kernel->place(u, d);
      n = 0;
    }
    const StringDrive drive{at, force.data()};
    if (n == 0 && !force.empty())
      kernel->run(visit, std::span(&drive, 1));
    else
      kernel->run(visit);
    n += visit;
  }
};

}  // namespace jawari::bench
