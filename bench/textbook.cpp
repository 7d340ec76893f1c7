// SPDX-License-Identifier: MIT
#include "textbook.h"

#include <cmath>

namespace jawari::bench {
namespace {

double slope(const Textbook& p, double y) { return y > 0 ? p.psi_scale * std::pow(y, p.psi_exponent) : 0; }

void step(const Textbook& p, Mass& m) {
  const double g = slope(p, m.u - p.barrier), free = m.d - p.D * m.u, s_free = m.d + free;
  const double f = -(g * m.psi + g * g / 4 * s_free) / (1 + p.C * g * g / 4);  // DB19 (28)
  const double s = s_free + p.C * f;
  m.d = free + p.C * f;
  m.u += m.d;
  m.psi += g * s / 2;
}

void short_step(const Textbook& p, Mass& m) {
  const double g = slope(p, m.u - p.barrier);
  const double s = (2 * m.d - p.D * m.u - p.C * g * m.psi) / (1 + p.C * g * g / 4);
  m.d = s - m.d;
  m.u += m.d;
  m.psi += g * s / 2;
}

}  // namespace

void textbook(const Textbook& p, std::span<Mass> masses, std::size_t steps) {
  for (Mass& mass : masses) {
    Mass m = mass;
    for (std::size_t n = 0; n < steps; ++n) step(p, m);
    mass = m;
  }
}

void textbook_side_by_side(const Textbook& p, std::span<Mass> masses, std::size_t steps) {
  for (std::size_t n = 0; n < steps; ++n)
    for (Mass& m : masses) step(p, m);
}

void textbook_short(const Textbook& p, std::span<Mass> masses, std::size_t steps) {
  for (Mass& mass : masses) {
    Mass m = mass;
    for (std::size_t n = 0; n < steps; ++n) short_step(p, m);
    mass = m;
  }
}

void textbook_string(const TextbookString& p, std::span<const double> barrier, std::span<const double> u,
                     std::span<const double> before, std::span<double> next, std::span<double> psi) {
  const std::size_t last = u.size() - 3;  // inner nodes 2 .. last
  for (std::size_t i = 2; i <= last; ++i) {
    const double y = barrier[i] - u[i], g = y > 0 ? p.psi_scale * std::pow(y, p.psi_exponent) : 0;
    const double free = p.a0 * u[i] + p.a1 * (u[i - 1] + u[i + 1]) + p.a2 * (u[i - 2] + u[i + 2]) - before[i];
    const double r = (free - before[i] + p.C * g * psi[i]) / (1 + p.C * g * g / 4);  // u+ - u-
    psi[i] -= g * r / 2;
    next[i] = before[i] + r;
  }
  next[0] = -next[2];
  next[last + 2] = -next[last];
}

void textbook_string_by_the_letter(const TextbookString& p, std::span<const double> barrier, std::span<const double> u,
                                   std::span<const double> before, std::span<double> next, std::span<double> psi) {
  const std::size_t last = u.size() - 3;
  for (std::size_t i = 2; i <= last; ++i) {
    const double y = barrier[i] - u[i], g = p.psi_scale * std::pow(std::fmax(y, 0.0), p.psi_exponent);
    const double free = p.a0 * u[i] + p.a1 * (u[i - 1] + u[i + 1]) + p.a2 * (u[i - 2] + u[i + 2]) - before[i];
    const double r = (free - before[i] + p.C * g * psi[i]) / (1 + p.C * g * g / 4);
    psi[i] -= g * r / 2;
    next[i] = before[i] + r;
  }
  next[0] = -next[2];
  next[last + 2] = -next[last];
}

void newton_string(const NewtonString& p, std::span<const double> barrier, std::span<const double> u,
                   std::span<const double> before, std::span<double> next) {
  const double a = p.exponent, K = p.stiffness;
  const auto potential = [=](double y) { return K / (a + 1) * std::pow(std::fmax(y, 0.0), a + 1); };
  const auto force = [=](double y) { return K * std::pow(std::fmax(y, 0.0), a); };
  const std::size_t last = u.size() - 3;
  for (std::size_t i = 2; i <= last; ++i) {
    const double free = p.a0 * u[i] + p.a1 * (u[i - 1] + u[i + 1]) + p.a2 * (u[i - 2] + u[i + 2]) - before[i];
    const double y = barrier[i] - before[i], s_free = before[i] - free, here = potential(y);
    double r = s_free;
    for (int k = 0; k < 20; ++k) {  // r - s_free + C (Phi(y + r) - Phi(y))/r = 0
      const double F = force(y + r);
      double mean = F, slope = 0;
      if (std::fabs(r) > 1e-14) {
        mean = (potential(y + r) - here) / r;
        slope = (F - mean) / r;
      }
      r -= (r - s_free + p.C * mean) / (1 + p.C * slope);
    }
    next[i] = before[i] - r;
  }
  next[0] = -next[2];
  next[last + 2] = -next[last];
}

}  // namespace jawari::bench
