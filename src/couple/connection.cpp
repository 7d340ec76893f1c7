// SPDX-License-Identifier: MIT
#include "jawari/couple/connection.h"

#include <algorithm>
#include <cmath>

namespace jawari {

SpringLine::SpringLine(std::size_t points, double K, double R, double dt_s)
    : ContactLine(points), K_(K), built_(K), R_(R), dt_(dt_s), mean_(points, 0.0) {}

void SpringLine::start() noexcept {
  for (std::size_t i = 0; i < port.size(); ++i) mean_[i] = port[i].y - port[i].d / 2;
}
bool SpringLine::detect() noexcept {
  for (std::size_t i = 0; i < port.size(); ++i) {
    s[i] = port[i].s_free;
    phi[i] = 0;
  }
  taking_part.all(K_ != 0 || R_ != 0 ? port.size() : 0);
  return !taking_part.empty();
}
void SpringLine::begin(bool) noexcept {}

void SpringLine::respond(std::span<const double> trial, std::span<double> f, std::span<double> b) noexcept {
  for (std::size_t i = 0; i < port.size(); ++i) {  // (X1): y+ + 2y + y- = 4 mean + s
    b[i] = -(K_ / 4 + R_ / (2 * dt_));
    f[i] = b[i] * trial[i] - K_ * mean_[i];
  }
}
void SpringLine::solve_independent() noexcept {
  for (std::size_t i = 0; i < port.size(); ++i) {
    double f = 0, b = 0;
    b = -(K_ / 4 + R_ / (2 * dt_));
    f = b * port[i].s_free - K_ * mean_[i];
    phi[i] = f / (1 - port[i].q * b);
    s[i] = port[i].s_free + port[i].q * phi[i];
  }
}
double SpringLine::answer(std::size_t i, double s_free, double q, Outcome& out) noexcept {
  out.used(1);
  const double b = -(K_ / 4 + R_ / (2 * dt_));
  return (b * s_free - K_ * mean_[i]) / (1 - q * b);
}
void SpringLine::finish() noexcept {
  for (std::size_t i = 0; i < port.size(); ++i) {
    if (R_ != 0) lost.add(R_ * s[i] * s[i] / (4 * dt_));
    mean_[i] += s[i] / 2;  // by increments: read off the positions it would lose eps |y|/|s|
    record.largest_force_N = std::max(record.largest_force_N, std::abs(phi[i]));
  }
}
double SpringLine::stored(std::size_t i) const noexcept { return K_ / 2 * mean_[i] * mean_[i]; }
double SpringLine::stored() const noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < mean_.size(); ++i) sum += stored(i);
  return sum;
}
bool SpringLine::scale_stiffness(double factor) noexcept {
  K_ = built_ * factor;
  return true;
}

bool FrictionLine::detect() noexcept {
  bool any = false;
  for (std::size_t i = 0; i < port.size(); ++i) {
    any |= limit[i] > 0;
    s[i] = port[i].s_free;
    phi[i] = 0;
  }
  taking_part.all(any ? port.size() : 0);
  return any;
}
void FrictionLine::begin(bool) noexcept {
  for (std::size_t i = 0; i < port.size(); ++i)
    width_[i] = 1e-12 * (scale_m + port[i].q * limit[i]) + 1e-300;  // above the rounding of s
}
void FrictionLine::solve_independent() noexcept {
  for (std::size_t i = 0; i < port.size(); ++i) {  // (X2)
    const Port& p = port[i];
    const double reach = p.q * limit[i], slip = std::abs(p.s_free) - reach;
    const bool rests = std::abs(p.d - p.s_free) <= reach && (p.d - p.s_free) * p.d <= 0;  // (X3)
    s[i] = slip > 0 ? std::copysign(slip, p.s_free) : rests ? p.d : 0;
    phi[i] = slip > 0 ? -std::copysign(limit[i], p.s_free) : p.q > 0 ? (s[i] - p.s_free) / p.q : 0;
    record.solved(1, true);
  }
}
void FrictionLine::respond(std::span<const double> trial, std::span<double> f, std::span<double> b) noexcept {
  for (std::size_t i = 0; i < port.size(); ++i) {
    if (curve_m_ > 0) {  // (X5)
      const double share = trial[i] / curve_m_;
      const bool slips = std::abs(share) >= 1;
      b[i] = slips ? 0 : -limit[i] / curve_m_;
      f[i] = slips ? -std::copysign(limit[i], trial[i]) : b[i] * trial[i];
      continue;
    }
    const double pull = phi[i] - trial[i] / port[i].q;  // (X4) what the port would have to bear to stand still
    const bool sticks = std::abs(pull) <= limit[i];
    b[i] = sticks ? -limit[i] / width_[i] : 0;
    f[i] = sticks ? phi[i] + b[i] * trial[i] : std::copysign(limit[i], pull);
  }
}
double FrictionLine::answer(std::size_t i, double s_free, double q, Outcome& out) noexcept {
  out.used(1);
  if (std::abs(s_free) > q * limit[i]) return -std::copysign(limit[i], s_free);  // (X2)
  return q > 0 ? -s_free / q : 0;
}
void FrictionLine::finish() noexcept {
  for (std::size_t i = 0; i < port.size(); ++i) {
    lost.add(-phi[i] * s[i] / 2);
    if (phi[i] != 0) ++record.touching_steps;
    record.largest_force_N = std::max(record.largest_force_N, std::abs(phi[i]));
  }
}

}  // namespace jawari
