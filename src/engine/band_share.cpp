// SPDX-License-Identifier: MIT
#include "jawari/engine/band_share.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "jawari/body/modal.h"
#include "jawari/body/string_grid.h"
#include "jawari/core/elementary.h"

namespace jawari {
namespace {

/// Bodies of fewer modes have no band to speak of: masses, a table with a few resonances.
constexpr std::size_t fewest_modes = 16;
constexpr double usual_bandwidth = 0.9;

/// Angle per step of the poles of (M1): E = 1 - lag, D = 1 + E - 2 sqrt(E) cos(angle).
double angle(const ModalBody::Coeffs& c) {
  const double E = 1 - c.lag;
  if (!(E > 0)) return 0;
  return elementary::acos(std::clamp((1 + E - c.D) / (2 * std::sqrt(E)), -1.0, 1.0));
}

/// H of the nodes: what alternates from one to the next.  Odd beyond the supports, which are nodes -1 and n.
void alternating(const double* from, std::vector<double>& to) noexcept {
  const auto n = static_cast<std::ptrdiff_t>(to.size());
  const auto at = [&](std::ptrdiff_t i) {
    if (i >= 0 && i < n) return from[i];
    const std::ptrdiff_t mirrored = i < 0 ? -2 - i : 2 * n - i;
    return mirrored >= 0 && mirrored < n ? -from[mirrored] : 0.0;
  };
  const auto put = [&](std::ptrdiff_t i, double near, double far) {
    to[static_cast<std::size_t>(i)] = (16 * from[i] - 9 * near + far) / 32;
  };
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    if (i >= 3 && i + 3 < n)
      put(i, from[i - 1] + from[i + 1], from[i - 3] + from[i + 3]);
    else
      put(i, at(i - 1) + at(i + 1), at(i - 3) + at(i + 3));
  }
}

}  // namespace

BandShare::BandShare(const Body& body, double dt_s) {
  const double turn_hz = 1 / (2 * std::numbers::pi * dt_s);  // of an angle of 1 per step
  highest_hz_ = 0.5 / dt_s;
  half_hz_ = 0.25 / dt_s;
  grid_ = dynamic_cast<const StringGrid*>(&body);
  if (grid_ != nullptr) {
    u_.resize(grid_->nodes());
    d_.resize(grid_->nodes());
  }
  const auto* modes = dynamic_cast<const ModalBody*>(&body);
  if (modes == nullptr || modes->modes() < fewest_modes) return;
  modes_ = modes;
  std::vector<double> angles(modes->modes());
  for (std::size_t i = 0; i < angles.size(); ++i) angles[i] = angle(modes->coeffs(i));
  const double most = *std::max_element(angles.begin(), angles.end());
  const double half = std::min(std::numbers::pi, most / usual_bandwidth) / 2;
  highest_hz_ = most * turn_hz;
  half_hz_ = half * turn_hz;
  for (const double a : angles) is_high_.push_back(a > half);
}

void BandShare::measure() noexcept {
  if (!measured()) return;
  const Kinetic k = modes_ != nullptr ? of_modes() : of_grid();
  if (!std::isfinite(k.all) || !std::isfinite(k.high)) return;
  high_ += k.high;
  all_ += k.all;
}

BandShare::Kinetic BandShare::of_modes() const noexcept {
  const auto d = modes_->increments();
  Kinetic k;
  for (std::size_t i = 0; i < d.size(); ++i) {
    const double one = modes_->coeffs(i).kinetic * d[i] * d[i];
    k.all += one;
    if (is_high_[i]) k.high += one;
  }
  return k;
}

BandShare::Kinetic BandShare::of_grid() noexcept {
  const auto energy = [&](std::span<const double> d) {
    for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = d[i] / 2;
    return grid_energy(grid_->numbers(), u_, d).total();
  };
  alternating(grid_->d.data(), d_);
  return {energy(d_), energy({grid_->d.data(), u_.size()})};
}

}  // namespace jawari
