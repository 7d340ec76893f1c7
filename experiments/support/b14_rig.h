// SPDX-License-Identifier: MIT
// The strings of B14, on its grids and in our modes: plucks, pulses and their sine series, exact linear motion, pitch.
#pragma once
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "experiments/support/string_rig.h"

namespace jawari::rigs {

inline double cents(double f, double of) { return 1200 * std::log2(f / of); }

/// Figs. 1 and 2: no tension modulation, no contact.
inline StringData b14_linear_string(double radius_m) {
  StringData s = b14_string(radius_m);
  s.stretching_N = 0;
  return s;
}
/// Grid of the unconditionally stable scheme, which the paper does not give: that of the default scheme.
inline GridOptions b14_grid(const StringData& string, GridOperator op, double dt_s) {
  GridOptions choice{.op = op};
  if (op == GridOperator::unconditional) choice.intervals = plan_grid(string, {}, dt_s).intervals;
  return choice;
}

/// Fig. 3: pluck at L/4 above the parabola; K per length, so that every node has K h.
inline StringProblem b14_problem(GridOperator op, const std::string& scheme, double stiffness = 1e13,
                                 double height_m = 0.004) {
  StringProblem p{.string = b14_linear_string(1e-4)};
  p.grid = b14_grid(p.string, op, p.dt_s);
  p.law = {"power", {{"stiffness", stiffness}, {"exponent", 2.3}}};
  p.scheme = {scheme};
  p.weight = p.string.length_m / plan_grid(p.string, p.grid, p.dt_s).intervals;
  p.barrier = b14_barrier;
  p.out_m = 0.72;
  p.start = [height_m](double x) { return height_m / 0.004 * triangle(x); };
  return p;
}

/// Coefficient of sin(p pi x/L) of a triangle with its tip at `share` L, and of a raised cosine of unit height or its
/// slope.
inline double triangle_mode(int p, double height_m, double share) {
  const double n = p * std::numbers::pi;
  return 2 * height_m / (share * (1 - share) * n * n) * std::sin(n * share);
}
inline double raised_cosine(double x, double centre_m, double width_m) {
  return std::abs(x - centre_m) < width_m / 2 ? 0.5 * (1 + std::cos(2 * std::numbers::pi * (x - centre_m) / width_m))
                                              : 0;
}
inline double raised_cosine_slope(double x, double centre_m, double width_m) {
  const double a = 2 * std::numbers::pi / width_m;
  return std::abs(x - centre_m) < width_m / 2 ? -a / 2 * std::sin(a * (x - centre_m)) : 0;
}
inline double raised_cosine_mode(const StringData& s, int p, double centre_m, double width_m, bool of_slope = false) {
  const double beta = s.wave_number(p), a = 2 * std::numbers::pi / width_m;
  const auto half = [&](double b) { return b == 0 ? width_m / 2 : std::sin(b * width_m / 2) / b; };
  const double weight = 2 / s.length_m * (half(beta) + (half(a + beta) + half(a - beta)) / 2);
  return of_slope ? -beta * std::cos(beta * centre_m) * weight : std::sin(beta * centre_m) * weight;
}

/// Makes a problem ours: modes of constant gain up to 0.9 of Nyquist, as many contact points; q(p) and its rate at t =
/// 0.
inline StringProblem in_modes(StringProblem p, int times, const std::string& scheme, std::function<double(int)> q,
                              std::function<double(int)> rate = {}) {
  p.modal = p.sines = true;
  p.stepping = Stepping::constant;
  p.dt_s /= times;
  p.scheme = {scheme};
  p.modes = ModalBody::good_sine_count(p.string.modes(0.9 * std::numbers::pi / p.dt_s, 100000).size());
  p.weight = p.string.length_m / static_cast<double>(p.modes + 1);
  p.prepare = [q = std::move(q), rate = std::move(rate)](ModalBody& body) {
    for (std::size_t i = 0; i < body.modes(); ++i) {
      const int n = static_cast<int>(i) + 1;
      body.set_mode_state(i, q(n), rate ? rate(n) : 0);
    }
  };
  return p;
}

/// Exact motion of a lossless linear string that starts at rest.
inline double exact_displacement(const StringData& s, const std::vector<double>& q, double x_m, double t_s) {
  double u = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const int p = static_cast<int>(i) + 1;
    u += q[i] * std::cos(s.omega(p) * t_s) * std::sin(s.wave_number(p) * x_m);
  }
  return u;
}

/// Exact first mode of amplitude a under tension modulation: q'' + w^2 q + (c/a^2) q^3 = 0, q = a cn(W t).
struct ModulatedMode {
  double amplitude_m, W, modulus;
  ModulatedMode(const StringData& s, double a_m) : amplitude_m(a_m) {
    const double w2 = s.omega(1) * s.omega(1),
                 c = s.stretching_N * std::pow(s.wave_number(1), 4) / (4 * s.density_kg_m) * a_m * a_m;
    W = std::sqrt(w2 + c);
    modulus = std::sqrt(c / 2) / W;
  }
  double frequency_hz() const { return W / (4 * boost::math::ellint_1(modulus)); }
  double displacement(double t_s) const { return amplitude_m * boost::math::jacobi_cn(modulus, W * t_s); }
};

/// Frequency from the upward crossings of zero, over whole periods [Hz].
inline double crossing_frequency(const std::vector<double>& u, double dt_s) {
  double first = -1, last = 0;
  long crossings = 0;
  for (std::size_t n = 1; n < u.size(); ++n)
    if (u[n - 1] < 0 && u[n] >= 0) {
      last = (static_cast<double>(n) - u[n] / (u[n] - u[n - 1])) * dt_s;
      if (crossings++ == 0) first = last;
    }
  return static_cast<double>(crossings - 1) / (last - first);
}

}  // namespace jawari::rigs
