// SPDX-License-Identifier: MIT
// What a world shows: books, readings, pictures.
#include <algorithm>
#include <cmath>
#include <limits>

#include "jawari/core/denormals.h"
#include "jawari/core/elementary.h"
#include "jawari/engine/world.h"
#include "sample.h"

namespace jawari {

void World::weigh(std::size_t index) noexcept {
  Group& group = groups_[index];
  show(group);
  for (const auto b : group.bodies) body_stored_[b] = parts_.bodies[b].body->stored();
  for (const auto c : group.contacts) contact_stored_[c] = parts_.contacts[c].line->stored();
  group.weighed = true;
  look_at_energies(group);
  if (group.step < group.next_look || group.asleep) return;
  for (const auto b : group.bodies) band_share_[b].look();
  group.next_look = group.step + look_steps;
}

void World::book() noexcept {
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (!groups_[g].weighed) weigh(g);
  Stored sum;
  ledger_.contact_J = ledger_.dissipated_J = ledger_.unresolved_J = ledger_.injected_J = ledger_.tools_J = 0;
  for (std::size_t i = 0; i < parts_.bodies.size(); ++i) {
    const Body& b = *parts_.bodies[i].body;
    const Stored& e = body_stored_[i];
    sum.kinetic += e.kinetic, sum.elastic += e.elastic, sum.load += e.load;
    sum.bending += e.bending, sum.modulation += e.modulation;
    if (parts_.bodies[i].home != none || parts_.bodies[i].kind == Kind::hand) ledger_.tools_J += e.kinetic + e.elastic;
    ledger_.dissipated_J += b.lost.value(), ledger_.injected_J += b.given.value() + books_[i].changed.value();
  }
  ledger_.kinetic_J = sum.kinetic, ledger_.elastic_J = sum.elastic, ledger_.load_J = sum.load;
  ledger_.bending_J = sum.bending, ledger_.modulation_J = sum.modulation;
  for (std::size_t i = 0; i < parts_.contacts.size(); ++i) {
    const Contact& c = parts_.contacts[i];
    ledger_.contact_J += contact_stored_[i], ledger_.dissipated_J += contact_lost(c);
    ledger_.unresolved_J += c.line->landed.value();
    ledger_.injected_J += books_[parts_.bodies.size() + i].changed.value();
  }
}

void World::watch_rounding() {
  for (auto& c : parts_.contacts) {
    c.line->watch_rounding();
    if (c.spare) c.spare->watch_rounding();
  }
}

/// Of the energy against constant forces, load (u - origin): u is known to eps |u|.
double World::load_rounding(const Body& body) const noexcept {
  const auto* modal = dynamic_cast<const ModalBody*>(&body);
  if (!modal) return 0;
  const auto u = modal->displacements();
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    sum += std::abs(modal->load_N(i)) * (std::abs(u[i]) + std::abs(modal->load_origin_m(i)));
  return std::numeric_limits<double>::epsilon() * sum;
}

double World::contact_lost(const Contact& c) const noexcept {
  return c.line->lost.value() + (c.spare ? c.spare->lost.value() : 0);
}

double World::stored(std::size_t i) const noexcept {
  return i < parts_.bodies.size() ? parts_.bodies[i].body->stored().total() : parts_.contacts[i - parts_.bodies.size()].line->stored();
}

/// Of a body or contact; `start` is what this was when the books were opened.
double World::residual(std::size_t i, double stored_J) const noexcept {
  const Books& books = books_[i];
  const double rest = books.received.value() + books.changed.value() + books.start;
  if (i < parts_.bodies.size()) {
    const Body& b = *parts_.bodies[i].body;
    return stored_J + b.lost.value() - b.given.value() - rest;
  }
  const Contact& c = parts_.contacts[i - parts_.bodies.size()];
  return stored_J + contact_lost(c) - rest;
}

const ContactRecord& World::record(std::size_t contact) const noexcept {
  show();
  return parts_.contacts[contact].line->record;
}

std::vector<Account> World::accounts() const {
  show();
  std::vector<Account> list;
  for (std::size_t i = 0; i < account_count(); ++i) {
    const bool contact = i >= parts_.bodies.size();
    Account a;
    a.contact = contact;
    if (contact) {
      const Contact& c = parts_.contacts[i - parts_.bodies.size()];
      a.name = c.name, a.stored_J = c.line->stored(), a.lost_J = contact_lost(c);
      a.unresolved_J = c.line->landed.value();
      a.rounding_J = c.line->rounding_J + (c.spare ? c.spare->rounding_J : 0);
    } else {
      const Body& b = *parts_.bodies[i].body;
      a.name = parts_.bodies[i].name, a.stored_J = b.stored().total(), a.lost_J = b.lost.value();
      a.given_J = b.given.value(), a.rounding_J = load_rounding(b);
    }
    a.received_J = books_[i].received.value(), a.changed_J = books_[i].changed.value(), a.residual_J = residual(i, a.stored_J);
    list.push_back(std::move(a));
  }
  return list;
}

void World::read_accounts(std::span<double> out) const noexcept {
  show();
  const auto put = [&](std::size_t i, double stored_J) { out[2 * i] = residual(i, stored_J), out[2 * i + 1] = stored_J; };
  for (const Group& g : groups_) {
    for (const auto b : g.bodies) put(b, g.weighed ? body_stored_[b].total() : stored(b));
    for (const auto c : g.contacts) {
      const std::size_t i = parts_.bodies.size() + c;
      put(i, g.weighed ? contact_stored_[c] : stored(i));
    }
  }
}

std::vector<BandReport> World::bands() const {
  show();
  std::vector<BandReport> list;
  for (std::size_t i = 0; i < parts_.bodies.size(); ++i) {
    const NamedBody& b = parts_.bodies[i];
    const BandShare& s = band_share_[i];
    if (!s.measured()) continue;
    BandReport r{b.name, s.share(), s.half_hz(), s.highest_hz(), b.kind == Kind::string, s.on_grid(), false};
    for (const auto& c : parts_.contacts)
      for (const auto& side : c.sides)
        if (side.body == i && c.joint == Joint::contact && c.line->record.touching_steps > 0) r.touched = true;
    list.push_back(std::move(r));
  }
  return list;
}

std::vector<ContactReport> World::contacts() const {
  show();
  std::vector<ContactReport> reports;
  for (const auto& c : parts_.contacts) {
    ContactReport r{c.name, c.law, c.scheme, c.line->record, 0, c.half_step, c.on_string, c.why};
    if (c.stiffness > 0) {  // Phi(y) <= E, and (Phi(y^n) + Phi(y^{n-1}))/2 <= E for whole steps: B14 (23)
      const double share = c.half_step ? 1 : 2;
      r.energy_bound_m = elementary::pow(share * (c.exponent + 1) * ledger_.largest_J / c.stiffness, 1 / (c.exponent + 1));
    }
    reports.push_back(std::move(r));
  }
  return reports;
}

double World::value(const NamedBody& named, std::size_t tap, Quantity quantity) const noexcept {
  const Body& b = *named.body;
  switch (quantity) {
    case Quantity::displacement:
      return b.w[tap] - b.d[tap] + named.origin_m;
    case Quantity::velocity:
      return b.s[tap] / (2 * dt_);
    case Quantity::acceleration:
      return (2 * b.d[tap] - b.s[tap]) / (dt_ * dt_);
    case Quantity::bridge_force:
    case Quantity::nut_force:
      return b.w[tap] - b.d[tap];
    case Quantity::force:
      break;
  }
  return 0;
}

double World::value(const Pickup& p) const noexcept {
  if (!p.contact) return normal_or_zero(p.gain * value(parts_.bodies[p.index], p.tap, p.quantity));
  double sum = 0;
  for (const double phi : parts_.contacts[p.index].line->phi) sum += phi;
  return normal_or_zero(-p.gain * sum);
}

// Readings flush subnormal numbers as steps do: a difference that play() flushes is not to be heard here.
double World::sound() const noexcept {
  const FlushDenormals flush;
  double sum = 0;
  for (const auto& p : parts_.pickups) sum += value(p);
  return sum;
}
void World::hear(std::span<double> per_pickup) const noexcept {
  const FlushDenormals flush;
  for (std::size_t i = 0; i < parts_.pickups.size(); ++i) per_pickup[i] = value(parts_.pickups[i]);
}
std::vector<Track> World::track_list() const {
  std::vector<Track> list;
  for (const auto& p : parts_.pickups) list.push_back({p.name, p.pan});
  return list;
}

void World::read(std::span<double> row) const noexcept {
  const FlushDenormals flush;
  show();
  std::size_t at = 0;
  for (const auto& b : parts_.bodies)
    for (const auto& r : b.readings) row[at++] = value(b, r.tap, r.quantity);
  for (const auto& c : parts_.contacts) {
    double deepest = c.line->port[0].y, force = 0;
    for (const auto& p : c.line->port) deepest = std::max(deepest, p.y);
    for (const double phi : c.line->phi) force -= phi;
    row[at++] = deepest, row[at++] = force, row[at++] = c.line->stored();
  }
  for (const double x : ledger_.values()) row[at++] = x;
}

void World::read_shape(std::size_t string, std::span<double> u) const noexcept {
  show();
  const Drawing& drawing = parts_.drawings[string];
  const Body& body = *parts_.bodies[drawing.body].body;
  if (drawing.modes.empty()) {
    u.front() = u.back() = 0;
    for (std::size_t i = 1; i + 1 < u.size(); ++i) u[i] = body.w[i - 1];
    return;
  }
  const auto q = static_cast<const ModalBody&>(body).displacements();
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = 0;
    for (std::size_t p = 0; p < q.size(); ++p) u[i] += drawing.modes[i][p] * q[p];
  }
}

std::span<const double> World::point_forces(std::size_t barrier) const noexcept {
  show();
  return parts_.contacts[parts_.barriers[barrier].contact].line->phi;
}

}  // namespace jawari
