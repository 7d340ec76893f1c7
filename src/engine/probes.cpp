// SPDX-License-Identifier: MIT
#include "probes.h"

#include <algorithm>

#include "body/modal_lanes.h"
#include "jawari/body/modal.h"
#include "jawari/body/tap_reading.h"
#include "jawari/core/denormals.h"
#include "sample.h"

namespace jawari {

double tap_value(const Model& model, const Instance& instance, std::size_t body, std::size_t tap,
                 Quantity quantity) noexcept {
  const Body& b = *instance.bodies[body].body;
  const double dt = model.dt_s;
  switch (quantity) {
    case Quantity::displacement:
      return read_tap(TapReading::displacement, b.w[tap], b.d[tap], b.s[tap]) + model.bodies[body].origin_m;
    case Quantity::velocity:
      return read_tap(TapReading::double_step, b.w[tap], b.d[tap], b.s[tap]) / (2 * dt);
    case Quantity::acceleration:
      return read_tap(TapReading::second_difference, b.w[tap], b.d[tap], b.s[tap]) / (dt * dt);
    case Quantity::bridge_force:
    case Quantity::nut_force:
      return read_tap(TapReading::displacement, b.w[tap], b.d[tap], b.s[tap]);
    case Quantity::force:
      break;
  }
  return 0;
}

StringProbe::What kernel_probe(Quantity quantity) noexcept {
  switch (quantity) {
    case Quantity::velocity:
      return StringProbe::double_step;
    case Quantity::acceleration:
      return StringProbe::second_difference;
    case Quantity::force:
      return StringProbe::force;
    default:
      return StringProbe::displacement;
  }
}

void convert_probe(Quantity quantity, double dt, double origin_m, double gain, std::span<double> values) noexcept {
  switch (quantity) {
    case Quantity::displacement:
      for (double& x : values) x = gain * (x + origin_m);
      break;
    case Quantity::velocity:
      for (double& x : values) x = gain * (x / (2 * dt));
      break;
    case Quantity::acceleration:
      for (double& x : values) x = gain * (x / (dt * dt));
      break;
    case Quantity::bridge_force:
    case Quantity::nut_force:
      for (double& x : values) x = gain * x;
      break;
    case Quantity::force:
      for (double& x : values) x = -gain * x;
      break;
  }
}

double Probes::pickup(std::size_t index) const noexcept {
  const Pickup& p = model_.pickups[index];
  const double gain = instance_.gains[index];
  if (!p.contact) return normal_or_zero(gain * tap_value(model_, instance_, p.index, p.tap, p.quantity));
  double sum = 0;
  for (const double phi : instance_.contacts[p.index].line->phi) sum += phi;
  return normal_or_zero(-gain * sum);
}

// Readings flush subnormal numbers as steps do: a difference that a step flushes must not appear here.
double Probes::sound() const noexcept {
  const FlushDenormals flush;
  double sum = 0;
  for (std::size_t i = 0; i < model_.pickups.size(); ++i) sum += pickup(i);
  return sum;
}

void Probes::pickups(std::span<double> values) const noexcept {
  const FlushDenormals flush;
  for (std::size_t i = 0; i < model_.pickups.size(); ++i) values[i] = pickup(i);
}

void Probes::channels(const Accounts& accounts, std::span<double> row) const noexcept {
  const FlushDenormals flush;
  std::size_t at = 0;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    for (const auto& r : model_.bodies[b].readings) row[at++] = tap_value(model_, instance_, b, r.tap, r.quantity);
  for (std::size_t i = 0; i < instance_.contacts.size(); ++i) {
    const ContactState& c = instance_.contacts[i];
    double deepest = c.line->port[0].y;
    double force = 0;
    for (const auto& p : c.line->port) deepest = std::max(deepest, p.y);
    for (const double phi : c.line->phi) force -= phi;
    row[at++] = deepest;
    row[at++] = force;
    row[at++] = accounts.contact_J(i);
  }
  for (const double x : accounts.ledger().values()) row[at++] = x;
}

void Probes::shape(std::size_t index, std::span<double> u) const noexcept {
  const Drawing& drawing = model_.drawings[index];
  const Body& body = *instance_.bodies[drawing.body].body;
  if (drawing.modes.empty()) {
    u.front() = u.back() = 0;
    for (std::size_t i = 1; i + 1 < u.size(); ++i) u[i] = body.w[i - 1];
    return;
  }
  const auto q = static_cast<const ModalBody&>(body).displacements();
  for (std::size_t i = 0; i < u.size(); ++i) modal_lanes::times(drawing.modes[i].data(), 1, q.size(), q.data(), &u[i]);
}

std::span<const double> Probes::point_forces(std::size_t barrier) const noexcept {
  return instance_.contacts[model_.barriers[barrier].contact].line->phi;
}

}  // namespace jawari
