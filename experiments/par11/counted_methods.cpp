// SPDX-License-Identifier: MIT
#include "par11/counted_methods.h"

namespace jawari::experiments::par11_items {

using rigs::Counted;

CountedMass::CountedMass(const exact::Impact& i, double rate_hz)
    : m_(i.mass_kg),
      k_(i.stiffness),
      alpha_(i.exponent),
      mu_(i.mu),
      h_(1 / rate_hz),
      half_h_over_m_(0.5 / rate_hz / i.mass_kg),
      quarter_h2_over_m_(0.25 / (rate_hz * rate_hz) / i.mass_kg) {}

void CountedMass::start(double x_m, double v_m_s) {
  x_ = x_m;
  v_ = v_m_s;
  f_ = contact(x_, v_);
}

Counted CountedMass::contact(Number x, Number v) const {
  if (!(x > 0.0)) return 0;
  return k_ * pow(x, alpha_) * (1 + mu_ * v);
}

void CountedMass::verlet() {
  x_ = x_ + h_ * v_ - half(h_ * h_) * (f_ / m_);
  const Number middle = v_ - half(h_) * (f_ / m_);
  f_ = contact(x_, middle);
  v_ = middle - half(h_) * (f_ / m_);
}

void CountedMass::heun() {
  const Number predicted = v_ - h_ * (f_ / m_);
  x_ = x_ + half(h_) * (v_ + predicted);
  const Number next = contact(x_, predicted);
  v_ = v_ - half(h_) * ((f_ + next) / m_);
  f_ = next;
}

void CountedMass::rk4() {
  const Number l1 = h_ * v_, k1 = h_ * (-contact(x_, v_) / m_);
  const Number l2 = h_ * (v_ + half(k1)), k2 = h_ * (-contact(x_ + half(l1), v_ + half(k1)) / m_);
  const Number l3 = h_ * (v_ + half(k2)), k3 = h_ * (-contact(x_ + half(l2), v_ + half(k2)) / m_);
  const Number l4 = h_ * (v_ + k3), k4 = h_ * (-contact(x_ + l3, v_ + k3) / m_);
  x_ = x_ + (l1 + twice(l2) + twice(l3) + l4) / 6;
  v_ = v_ + (k1 + twice(k2) + twice(k3) + k4) / 6;
}

void CountedMass::am1_sample() {
  free_x_ = x_ + h_ * v_ - quarter_h2_over_m_ * f_;
  free_v_ = v_ - half_h_over_m_ * f_;
}

/// g(f) = f(x, v) - f with x and v as f makes them; the slope takes x^(alpha-1) from x^alpha.
void CountedMass::am1_newton() {
  const Number x = free_x_ - quarter_h2_over_m_ * f_, v = free_v_ - half_h_over_m_ * f_;
  Number miss = -f_, slope = -1;
  if (x > 0.0) {
    const Number elastic = k_ * pow(x, alpha_), loss = 1 + mu_ * v;
    miss = elastic * loss - f_;
    slope = -1 - (alpha_ * elastic * loss * quarter_h2_over_m_ / x + elastic * mu_ * half_h_over_m_);
  }
  f_ = f_ - miss / slope;
}

void CountedMass::am1_finish() {
  x_ = free_x_ - quarter_h2_over_m_ * f_;
  v_ = free_v_ - half_h_over_m_ * f_;
}

Counted counted_compression(const exact::Impact& i, Counted v) {
  const Counted mu = i.mu, v_in = i.speed_m_s, m = i.mass_kg, k = i.stiffness, n = i.exponent + 1;
  const Counted bracket = log((1 + mu * v) / (1 + mu * v_in)) - mu * (v - v_in);
  return pow(m * n / (k * (mu * mu)) * bracket, 1 / n);
}

Counted counted_rebound(const exact::Impact& i, Counted v_in) {
  const Counted U = Counted(i.mu) * v_in;
  const Counted P = 1 + U * (1 + U * (Counted(2.0 / 3) + U * (Counted(2.0 / 9) + U * Counted(14.0 / 135))));
  return (P * exp(-twice(U)) - 1) / Counted(i.mu);
}

void counted_bisection(const exact::Impact& i, double wanted, Counted& low, Counted& high) {
  const Counted v = half(low + high), mu_v = Counted(i.mu) * v;
  (mu_v - log(1 + mu_v) > wanted ? low : high) = v;
}

}  // namespace jawari::experiments::par11_items
