// SPDX-License-Identifier: MIT
#include "jawari/impact/integrators.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jawari {

void Am1::start(double x, double v) noexcept {
  x_ = x;
  v_ = v;
  a_ = mass_.acceleration(x, v);
}

/// Newton on v' in  v' = v + h/2 (a + a(x', v')),  x' = x + h/2 (v + v').
void Am1::step() noexcept {
  const OneMass& m = mass_;
  const double eps = std::numeric_limits<double>::epsilon(), known = v_ + h_ / 2 * a_;
  double next = v_, lo = -std::numeric_limits<double>::infinity(), hi = -lo;
  settled_ = false;
  for (iterations_ = 1; iterations_ <= 100; ++iterations_) {
    const double x = x_ + h_ / 2 * (v_ + next), a = m.acceleration(x, next), G = next - known - h_ / 2 * a;
    const double gain = 1 + m.law.loss_factor() * next;
    const double slope = h_ / 2 * (m.law.curvature(x) * gain + m.spring_N_m) + m.law.force(x) * m.law.loss_factor() +
                         m.damper_N_s_m;  // -m da/dv'
    const double dv = -G / (1 + h_ / 2 * slope / m.mass_kg);
    if (std::abs(dv) <= 2 * eps * (std::abs(next) + std::abs(v_))) {
      next += dv;
      settled_ = true;
      break;
    }
    (G > 0 ? hi : lo) = next;
    const double trial = next + dv;
    next = trial > lo && trial < hi ? trial : std::isfinite(lo + hi) ? lo + (hi - lo) / 2 : known + h_ / 2 * a;
  }
  x_ += h_ / 2 * (v_ + next);
  v_ = next;
  a_ = m.acceleration(x_, v_);
}

void Verlet::start(double x, double v) noexcept {
  x_ = x;
  v_ = v;
  a_ = mass_.acceleration(x, v);
}

void Verlet::step() noexcept {
  const double half = v_ + h_ / 2 * a_;
  x_ += h_ * v_ + h_ * h_ / 2 * a_;
  a_ = mass_.acceleration(x_, half);
  v_ = half + h_ / 2 * a_;
  if (fresh_) a_ = mass_.acceleration(x_, v_);
}

void Heun::start(double x, double v) noexcept {
  x_ = x;
  v_ = predicted_ = v;
  a_ = mass_.acceleration(x, v);
}

void Heun::step() noexcept {
  predicted_ = v_ + h_ * a_;
  x_ += h_ / 2 * (v_ + predicted_);
  const double a = mass_.acceleration(x_, predicted_);
  v_ += h_ / 2 * (a_ + a);
  a_ = fresh_ ? mass_.acceleration(x_, v_) : a;
}

void Rk4::step() noexcept {
  const double k1 = h_ * mass_.acceleration(x_, v_), l1 = h_ * v_;
  const double k2 = h_ * mass_.acceleration(x_ + l1 / 2, v_ + k1 / 2), l2 = h_ * (v_ + k1 / 2);
  const double k3 = h_ * mass_.acceleration(x_ + l2 / 2, v_ + k2 / 2), l3 = h_ * (v_ + k2 / 2);
  const double k4 = h_ * mass_.acceleration(x_ + l3, v_ + k3), l4 = h_ * (v_ + k3);
  x_ += (l1 + 2 * l2 + 2 * l3 + l4) / 6;
  v_ += (k1 + 2 * k2 + 2 * k3 + k4) / 6;
}

}  // namespace jawari
