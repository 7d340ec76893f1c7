// SPDX-License-Identifier: MIT
#include "jawari/impact/invariant.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// (e^z - 1 - z)/z and its derivative (z e^z - e^z + 1)/z^2; 0 and 1/2 at z = 0.
struct Chi {
  double value, slope;
};
Chi chi(double z) {
  if (std::abs(z) > 0.5)
    return {(elementary::expm1(z) - z) / z, (z * elementary::exp(z) - elementary::expm1(z)) / (z * z)};
  double value = 0, slope = 0, rest = 1.0 / 6402373705728000;  // 1/18!
  for (int j = 18; j >= 2; --j, rest *= j + 1) {
    value = value * z + rest;
    slope = slope * z + (j - 1) * rest;
  }
  return {value * z, slope};
}

}  // namespace

void TwoVariable::step() noexcept {
  iterations_ = 0;
  settled_ = true;
  if (!fourth_) return move(h_);
  const double g = 1 / (2 - elementary::cbrt(2.0));
  move(g * h_);
  move((1 - 2 * g) * h_);
  move(g * h_);
}

/// Newton on r = x' - x, which never falls behind a bracket: with v' = 2r/h - v,
///   2 (r/h - v) + h/m (mean force (1 + mu r/h)+ + spring (x + r/2 - rest) + damper r/h - load) = 0
void TwoVariable::move(double h) noexcept {
  const OneMass& m = mass_;
  const Anchor from = m.law.anchor(x_);
  const double mu = m.law.loss_factor(), q = h * h / (2 * m.mass_kg);  // multiplied through by h/2
  // Linear part: (1 + q (spring/2 + damper/h)) r = h v + q (load - spring (x - rest)), and the contact on top.  The
  // spring's share is kept as a difference: dividing by 1 + q spring/2 would make the energy drift by eps per step.
  const double stiff = q * (m.spring_N_m / 2 + m.damper_N_s_m / h),
               pull = q * (m.load(x_) - m.spring_N_m * (x_ - m.rest_m));
  const double free = h * v_ + (pull - stiff * h * v_) / (1 + stiff), yields = q / (1 + stiff);
  double r = free, contact = 0;
  if (x_ > 0 || x_ + free > 0) {
    const auto evaluate = [&](double at) -> Response {
      const Quotient f = m.law.mean_force(from, at);
      const double gain = 1 + mu * at / h;
      return gain > 0 ? Response{f.value * gain, f.slope * gain + f.value * mu / h} : Response{0, 0};
    };
    Response a = evaluate(r);
    double lo = std::min(r, r - yields * a.f), hi = std::max(r, r - yields * a.f);
    settled_ = false;
    for (int i = 0; i < 100; ++i, ++iterations_) {
      const double dr = -(r - free + yields * a.f) / (1 + yields * a.b);
      if (std::abs(dr) <= 4 * eps * (std::abs(r) + std::abs(free))) {
        contact = a.f + a.b * dr;
        settled_ = true;
        break;
      }
      (dr < 0 ? hi : lo) = r;
      r = r + dr > lo && r + dr < hi ? r + dr : lo + (hi - lo) / 2;
      a = evaluate(r);
      contact = a.f;
    }
    r = free - yields * contact;
  }
  v_ += 2 * (r - h * v_) / h;
  x_ += r;
}

void Canonical::start(double x, double v) noexcept {
  x_ = x;
  v_ = v;
  u_ = canonical(v);
}
void Canonical::put(double x, double v) noexcept {
  x_ = x;
  v_ = v;
  u_ = canonical(v);
  moved();
}
double Canonical::velocity(double u) const noexcept {
  const double mu = mass_.law.loss_factor();
  return mu == 0 ? u : elementary::expm1(mu * u) / mu;
}
double Canonical::canonical(double v) const noexcept {
  const double mu = mass_.law.loss_factor();
  return mu == 0 ? v : elementary::log1p(mu * v) / mu;
}
void Canonical::kick(double h) noexcept {
  if (mass_.load(x_) != 0) {
    v_ += h * mass_.load(x_) / mass_.mass_kg;
    u_ = canonical(v_);
  }
}

/// d = u' - u solves  d + h/m (mean force over [x, x'])= 0,  x' = x + h (v + (1 + mu v) chi(mu d)/mu).  The left side
/// rises with d for every h, K and mu: one root, between -h/m (mean force over the free way) and 0.
void InvariantGradient::step() noexcept {
  kick(h_ / 2);
  const OneMass& m = mass_;
  const double mu = m.law.loss_factor(), q = elementary::exp(mu * u_), g = h_ / m.mass_kg;
  const Anchor from = m.law.anchor(x_);
  iterations_ = 0;
  settled_ = true;
  if (x_ > 0 || x_ + h_ * v_ > 0) {
    const auto way = [&](double d) {  // x' - x and its slope in d
      const Chi c = chi(mu * d);
      return mu == 0 ? Chi{h_ * (v_ + d / 2), h_ / 2} : Chi{h_ * (v_ + q * c.value / mu), h_ * q * c.slope};
    };
    double lo = -g * m.law.mean_force(from, h_ * v_).value, hi = 0, d = lo / 2;
    settled_ = false;
    for (; iterations_ < 200; ++iterations_) {
      const Chi r = way(d);
      const Quotient f = m.law.mean_force(from, r.value);
      const double G = d + g * f.value, dd = -G / (1 + g * f.slope * r.slope);
      if (std::abs(dd) <= 4 * eps * std::abs(d) || hi - lo <= 4 * eps * std::abs(lo)) {
        d += dd;
        settled_ = true;
        break;
      }
      (G > 0 ? hi : lo) = d;
      d = d + dd > lo && d + dd < hi ? d + dd : lo + (hi - lo) / 2;
    }
    x_ += way(d).value;
    u_ += d;
    v_ = velocity(u_);
  } else {
    x_ += h_ * v_;
  }
  kick(h_ / 2);
}

void Symplectic::start(double x, double v) noexcept {
  Canonical::start(x, v);
  pull_ = mass_.law.force(x) / mass_.mass_kg;
}

void Symplectic::step() noexcept {
  kick(h_ / 2);
  if (fourth_) {
    const double p = 1 / (4 - elementary::cbrt(4.0));
    for (const double share : {p, p, 1 - 4 * p, p, p}) move(share * h_);
  } else {
    move(h_);
  }
  kick(h_ / 2);
}

void Symplectic::move(double h) noexcept {
  u_ -= h / 2 * pull_;
  x_ += h * velocity(u_);
  pull_ = mass_.law.force(x_) / mass_.mass_kg;
  u_ -= h / 2 * pull_;
  v_ = velocity(u_);
}

}  // namespace jawari
