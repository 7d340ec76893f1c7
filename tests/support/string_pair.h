// SPDX-License-Identifier: MIT
// A string over a barrier twice: the reference path, step by step, and the kernel that stands in for it.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "jawari/couple/line.h"
#include "jawari/kernel/kernel_factory.h"
#include "jawari/kernel/string_kernel.h"
#include "jawari/registry.h"

namespace jawari::test {

using Arithmetic = StringKernel::Arithmetic;
inline constexpr double pi = std::numbers::pi;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // fifty times slower, and after other things
inline constexpr int steps = 200, looks = 10;
inline constexpr unsigned enough = 20;  // touching steps of such a run
#else
inline constexpr int steps = 600, looks = 220;  // of 1002 steps: five seconds
inline constexpr unsigned enough = 100;
#endif

/// A string of 0.65 m that swings by 2 mm over a curved barrier: a third of all steps touch somewhere.
struct Case {
  std::string scheme;
  std::string law = "power";
  double exponent = 1.3, stiffness = 1e9, sigma0 = 0, sigma1 = 0, bending = 1e-3;
  int intervals = 0;
  bool slap = false;                    // all nodes land on a flat barrier at once
  bool above = false, pressed = false;  // pressed: the whole string lies in the barrier, all the time

  std::string name() const {
    return scheme + ", " + law + ", exponent " + std::to_string(exponent) + ", K " + std::to_string(stiffness) +
           ", sigma " + std::to_string(sigma0) + " " + std::to_string(sigma1) + ", EI " + std::to_string(bending) +
           ", N " + std::to_string(intervals) + (above ? ", above" : "") + (pressed ? ", pressed" : "");
  }
};

inline std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto scheme : kernel::schemes())
    for (const std::string law : {"power", "hunt-crossley"})
      for (const auto& [s0, s1] : {std::pair{0.0, 0.0}, {1.5, 0.0}, {0.0, 2e-3}, {1.5, 2e-3}})
        cases.push_back({std::string(scheme), law, 1.3, 1e9, s0, s1});
  for (const auto scheme : kernel::schemes()) {
    for (const double alpha : {1.0, 1.5, 2.0, 3.0})
      cases.push_back({std::string(scheme), "power", alpha, std::pow(10, 6 + 2 * alpha)});
    cases.push_back({.scheme = std::string(scheme), .bending = 0});
    cases.push_back({.scheme = std::string(scheme), .stiffness = 1e13});
    for (const int n : {8, 9, 16, 17, 31, 33}) cases.push_back({.scheme = std::string(scheme), .intervals = n});
    cases.push_back({.scheme = std::string(scheme), .above = true});
    for (const std::string law : {"power", "hunt-crossley"})
      cases.push_back({.scheme = std::string(scheme),
                       .law = law,
                       .stiffness = 1e6,
                       .sigma0 = 1.5,
                       .sigma1 = 2e-3,
                       .pressed = true});
    cases.push_back({.scheme = std::string(scheme), .stiffness = 1e6, .pressed = true});
  }
  return cases;
}

inline double height(double x) { return -4e-4 - 8e-3 * (x - 0.2) * (x - 0.2); }

/// The reference path, step by step, and the kernel that matches it.
struct Pair {
  std::unique_ptr<StringGrid> string;
  std::unique_ptr<ContactLine> line;
  std::unique_ptr<StringKernel> kernel;
  std::vector<double> offset;
  double sign;
  std::size_t n;
  double largest_u = 0, largest_d = 0, largest_psi = 0;  // terms of the last step

  Pair(const Case& c, Arithmetic arithmetic) : sign(c.above ? 1 : -1) {
    const StringData data{.length_m = 0.65,
                          .tension_N = 60,
                          .density_kg_m = 2e-3,
                          .bending_N_m2 = c.bending,
                          .stretching_N = 0,
                          .sigma0_1_s = c.sigma0,
                          .sigma1_m2_s = c.sigma1};
    const double dt_s = 1 / 44100.0;
    const StringTap taps[] = {{StringTap::point, 0.123}, {StringTap::point, 0.48}};
    string = std::make_unique<StringGrid>(data, GridOptions{.intervals = c.intervals}, dt_s, taps);
    n = string->nodes();
    LawSpec law{c.law, {{"stiffness", c.stiffness}, {"exponent", c.exponent}}};
    if (c.law == "hunt-crossley") law.values["mu"] = 0.7;
    line = make_line(law, {c.scheme}, n, dt_s, string->spacing_m());
    for (std::size_t i = 0; i < n; ++i) {
      const double gap = c.slap ? 1.1e-4 : std::abs(height(string->position_m(i)));
      offset.push_back((c.pressed ? 4e-3 : 0) - gap);
    }
    kernel = kernel::make_kernel(*string, {law, {c.scheme}, string->spacing_m(), 0, sign, offset}, arithmetic);
    std::vector<double> u(n), d(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double x = string->position_m(i) / 0.65;
      u[i] = 2e-3 * (std::sin(pi * x) + 0.3 * std::sin(3 * pi * x));
      d[i] = 2e-6 * std::sin(2 * pi * x);
      if (c.slap) {
        u[i] = 0;
        d[i] = sign * 2e-5;
      }
    }
    string->place(u, d);
    for (std::size_t i = 0; i < n; ++i) line->port[i].q = string->receptance(i, i);
    for (std::size_t i = 0; i < n; ++i) line->place[i] = {i % 3 == 0 ? 0.8 : 1, i % 5 == 0 ? 1.5 : 1};  // for landing
    line->together = 0.5;
    fill();
    line->start();
    if (kernel) kernel::load_state(*kernel, *string, line.get());
  }
  void fill() {
    for (std::size_t i = 0; i < n; ++i) {
      Port& p = line->port[i];
      p.y = offset[i] + sign * string->w[i];
      p.d = sign * string->d[i];
      p.s_free = sign * string->s_free[i];
    }
  }
  /// As World::step() does.
  void step() {
    string->predict();
    fill();
    if (line->detect()) {
      line->begin(false);
      line->solve_independent();
      line->finish();
    }
    for (std::size_t i = 0; i < n; ++i) string->force[i] += sign * line->phi[i];
    string->advance();
  }
  double energy() const { return string->stored().total() + line->stored(); }
  double kernel_energy() const { return kernel->stored().total() + kernel->contact_J(); }
};

/// Same numbers; the sign of zero is free.  NaN is never the same.
inline ::testing::AssertionResult same(const Pair& p) {
  std::vector<double> u(p.n), d(p.n), phi(p.n);
  p.kernel->read(u, d);
  p.kernel->read_forces(phi);
  for (std::size_t i = 0; i < p.n; ++i) {
    if (!(u[i] == p.string->w[i]))
      return ::testing::AssertionFailure() << "u[" << i << "] " << u[i] << " and " << p.string->w[i];
    if (!(d[i] == p.string->d[i]))
      return ::testing::AssertionFailure() << "d[" << i << "] " << d[i] << " and " << p.string->d[i];
    if (!(phi[i] == p.line->phi[i]))
      return ::testing::AssertionFailure() << "phi[" << i << "] " << phi[i] << " and " << p.line->phi[i];
  }
  return ::testing::AssertionSuccess();
}

}  // namespace jawari::test
