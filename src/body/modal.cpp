// SPDX-License-Identifier: MIT
#include "jawari/body/modal.h"

#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "jawari/core/param.h"

namespace jawari {

ModalBody::ModalBody(const std::vector<Mode>& modes, std::vector<std::vector<double>> shape, double dt_s,
                     Stepping stepping)
    : mode_(modes), shape_(std::move(shape)), dt_(dt_s) {
  for (const Mode& m : modes) c_.push_back(coeffs(m, dt_s, stepping));
  for (auto* v : {&u_, &d_, &s_, &change_, &load_, &origin_, &push_, &rest_u_, &rest_d_}) v->assign(modes.size(), 0.0);
  for (auto* v : {&w, &d, &s_free, &s, &force}) v->assign(shape_.size(), 0.0);
}

ModalBody::Coeffs ModalBody::coeffs(const Mode& m, double k, Stepping stepping) {
  const double c = m.decay_1_s, w = m.omega_rad_s, wk = w * k;
  double E = 1, lag = 0, D = 0, C = k * k / m.mass_kg;  // lag = 1 - E, without cancellation
  const double limit = stepping == Stepping::leapfrog ? 2 : std::numbers::pi;
  if (stepping != Stepping::midpoint && !(wk < limit))
    throw Refusal("omega_rad_s", fmt::format("omega_rad_s is {:g}, but must lie below {:g} at this sample rate with "
                                             "stepping \"{}\"",
                                             w, limit / k, stepping_names[static_cast<int>(stepping)]));
  switch (stepping) {
    case Stepping::exact:
    case Stepping::constant: {
      E = std::exp(-2 * c * k), lag = -std::expm1(-2 * c * k);
      if (w == 0) {
        D = 0;
      } else if (c < w) {
        const double half = std::sin(std::sqrt((w - c) * (w + c)) * k / 2);
        D = std::expm1(-c * k) * std::expm1(-c * k) + 4 * std::exp(-c * k) * half * half;
      } else {  // overdamped: two real poles
        const double slow = w * w / (c + std::sqrt((c - w) * (c + w)));
        D = std::expm1(-slow * k) * std::expm1(-(2 * c - slow) * k);
      }
      if (stepping == Stepping::exact) C *= (2 + 2 * E - D) / 4;  // (A + B)/4, A = 1 + E - D, B = 1 + E
      break;
    }
    case Stepping::leapfrog:
      E = (1 - c * k) / (1 + c * k), lag = 2 * c * k / (1 + c * k), D = wk * wk / (1 + c * k), C /= 1 + c * k;
      break;
    case Stepping::midpoint: {
      const double heavy = 1 + wk * wk / 4 + c * k;
      E = (1 + wk * wk / 4 - c * k) / heavy, lag = 2 * c * k / heavy, D = wk * wk / heavy, C /= heavy;
      break;
    }
  }
  return {lag, D, C, (2 + 2 * E - D) / (8 * C), D / (2 * C), lag / (4 * C)};
}

void ModalBody::place(std::size_t mode, double u_m, double step_m) noexcept {
  u_[mode] = u_m, d_[mode] = step_m, rest_u_[mode] = rest_d_[mode] = 0, read();
}

void ModalBody::throw_mode(std::size_t mode, double u_m, double v) noexcept {
  const Mode& m = mode_[mode];
  const double k = dt_, c = m.decay_1_s, w = m.omega_rad_s, a = load_[mode] / m.mass_kg;
  // u(-k) - u(0), exactly: displacement from rest (a/w^2), or uniform acceleration with damping.
  double back = 0;
  if (w == 0 && c == 0) {
    back = -v * k + a * k * k / 2;
  } else if (w == 0) {
    const double e = std::expm1(2 * c * k), drift = a / (2 * c);  // u' = drift + (v - drift) e^{-2ct}
    back = -drift * k - (v - drift) * e / (2 * c);
  } else {
    const double x = u_m - a / (w * w), grow = std::exp(c * k), wd2 = (w - c) * (w + c), r = std::sqrt(std::abs(wd2));
    const double half = wd2 >= 0 ? std::sin(r * k / 2) : std::sinh(r * k / 2);
    const double cos_less_1 = wd2 >= 0 ? -2 * half * half : 2 * half * half;
    const double sine = r == 0 ? k : (wd2 >= 0 ? std::sin(r * k) : std::sinh(r * k)) / r;
    back = x * (std::expm1(c * k) + grow * cos_less_1) - (v + c * x) * grow * sine;
  }
  place(mode, u_m, -back);
}

void ModalBody::load(std::size_t mode, double force_N, double origin_m) noexcept {
  load_[mode] = force_N, origin_[mode] = origin_m;
}

void ModalBody::push(std::size_t tap, double force_N) noexcept {
  for (std::size_t i = 0; i < c_.size(); ++i) push_[i] += shape_[tap][i] * force_N;
}

void ModalBody::predict() noexcept {
  for (std::size_t i = 0; i < c_.size(); ++i) {  // (M1) as d+ = d + change, s = u+ - u- = 2 d + change
    change_[i] = c_[i].C * (load_[i] + push_[i]) - c_[i].D * u_[i] - c_[i].lag * d_[i];
    s_[i] = 2 * d_[i] + change_[i];
  }
  project(s_, s_free);
}

void ModalBody::advance() noexcept {
  for (std::size_t t = 0; t < force.size(); ++t)
    if (const double f = std::exchange(force[t], 0.0); f != 0)
      for (std::size_t i = 0; i < c_.size(); ++i) change_[i] += c_[i].C * shape_[t][i] * f;
  double loss = 0, work = 0;
  for (std::size_t i = 0; i < c_.size(); ++i) {
    s_[i] = 2 * d_[i] + change_[i];
    loss += c_[i].loss * s_[i] * s_[i];
    work += std::exchange(push_[i], 0.0) * s_[i] / 2;
    if (load_[i] == 0) {
      d_[i] += change_[i], u_[i] += d_[i];
    } else {  // the same increment at every step rounds the same way: without its rest kept, energy drifts linearly
      add(d_[i], rest_d_[i], change_[i]), add(u_[i], rest_u_[i], d_[i]);
    }
  }
  lost.add(loss), given.add(work);
  project(s_, s), read();
}

/// sum += x, keeping what rounding takes away (two-sum).
void ModalBody::add(double& sum, double& rest, double x) noexcept {
  x += rest;
  const double t = sum + x, v = t - sum;
  rest = (sum - (t - v)) + (x - v);
  sum = t;
}

double ModalBody::receptance(std::size_t tap, std::size_t other) const noexcept {
  double q = 0;
  for (std::size_t i = 0; i < c_.size(); ++i) q += c_[i].C * (shape_[tap][i] * shape_[other][i]);
  return q;
}

Stored ModalBody::stored() const noexcept {  // (M2)
  Stored e;
  for (std::size_t i = 0; i < c_.size(); ++i) {
    const double mean = u_[i] - d_[i] / 2;
    e.kinetic += c_[i].kinetic * d_[i] * d_[i], e.elastic += c_[i].elastic * mean * mean;
    e.load -= load_[i] * (mean - origin_[i]);
  }
  return e;
}

void ModalBody::project(const std::vector<double>& modal, std::vector<double>& out) const noexcept {
  for (std::size_t t = 0; t < out.size(); ++t) {
    double sum = 0;
    for (std::size_t i = 0; i < modal.size(); ++i) sum += shape_[t][i] * modal[i];
    out[t] = sum;
  }
}

void ModalBody::read() noexcept { project(u_, w), project(d_, d); }

}  // namespace jawari
