// SPDX-License-Identifier: MIT
#include "accounts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "failures.h"
#include "jawari/body/modal.h"
#include "jawari/core/elementary.h"

namespace jawari {
namespace {

constexpr std::int64_t band_steps = 256;  ///< between two measurements of the bands, at least

/// Of the energy against constant forces, load (u - origin): u is known to eps |u|.
double load_rounding(const Body& body) noexcept {
  const auto* modal = dynamic_cast<const ModalBody*>(&body);
  if (!modal) return 0;
  const auto u = modal->displacements();
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    sum += std::abs(modal->load_N(i)) * (std::abs(u[i]) + std::abs(modal->load_origin_m(i)));
  return std::numeric_limits<double>::epsilon() * sum;
}

}  // namespace

Accounts::Accounts(const Model& model, Instance& instance)
    : model_(model),
      instance_(instance),
      body_stored_(model.bodies.size()),
      contact_stored_(model.contacts.size()),
      body_energies_(model.bodies.size()),
      contact_energies_(model.contacts.size()) {
  for (const auto& b : instance.bodies) band_share_.emplace_back(*b.body, model.dt_s);
}

void Accounts::measure(std::size_t index) noexcept {
  const GroupInfo& info = model_.groups[index];
  GroupState& group = instance_.groups[index];
  for (const auto b : info.bodies) body_stored_[b] = instance_.bodies[b].body->stored();
  for (const auto c : info.contacts) contact_stored_[c] = instance_.contacts[c].line->stored();
  group.measured = true;
  find_failures(index);
  if (group.step < group.next_band || group.asleep) return;
  for (const auto b : info.bodies) band_share_[b].measure();
  group.next_band = group.step + band_steps;
}

/// What kernels have counted, and energies beyond all numbers.
void Accounts::find_failures(std::size_t index) noexcept {
  const GroupInfo& info = model_.groups[index];
  GroupState& group = instance_.groups[index];
  const std::int64_t last = std::max<std::int64_t>(group.step - 1, 0);
  const std::int64_t first = std::min(last, group.measured_step);
  group.measured_step = group.step;
  for (const auto i : info.contacts)
    if (!group.failure && (instance_.contacts[i].line->record.unsettled > 0 || !std::isfinite(contact_stored_[i])))
      group.failure = contact_failure(model_, instance_, i, first, last);
  for (const auto b : info.bodies)
    if (!group.failure && !std::isfinite(body_stored_[b].total()))
      group.failure = {Failure::Why::not_finite, Failure::Part::body, b, first, last};
}

BodyEnergy Accounts::body_energy(std::size_t index, const Stored& stored) const noexcept {
  const Body& b = *instance_.bodies[index].body;
  return {stored, b.lost.value(), b.given.value(), instance_.accounts[index].changed.value()};
}

ContactEnergy Accounts::contact_energy(std::size_t index, double stored_J) const noexcept {
  const ContactState& c = instance_.contacts[index];
  return {stored_J, instance_.lost_in(c), c.line->landed.value(),
          instance_.accounts[model_.bodies.size() + index].changed.value()};
}

void Accounts::sum_up() noexcept {
  for (std::size_t g = 0; g < model_.groups.size(); ++g)
    if (!instance_.groups[g].measured) measure(g);
  for (std::size_t i = 0; i < body_energies_.size(); ++i) body_energies_[i] = body_energy(i, body_stored_[i]);
  for (std::size_t i = 0; i < contact_energies_.size(); ++i)
    contact_energies_[i] = contact_energy(i, contact_stored_[i]);
  sum_up(body_energies_, contact_energies_);
}

void Accounts::sum_up(std::span<const BodyEnergy> bodies, std::span<const ContactEnergy> contacts) noexcept {
  Stored sum;
  ledger_.contact_J = ledger_.dissipated_J = ledger_.unresolved_J = ledger_.injected_J = ledger_.tools_J = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyInfo& info = model_.bodies[i];
    const BodyEnergy& e = bodies[i];
    sum.kinetic += e.stored.kinetic;
    sum.elastic += e.stored.elastic;
    sum.load += e.stored.load;
    sum.bending += e.stored.bending;
    sum.modulation += e.stored.modulation;
    if (info.target_contact != no_index || info.kind == BodyKind::hand)
      ledger_.tools_J += e.stored.kinetic + e.stored.elastic;
    ledger_.dissipated_J += e.lost_J;
    ledger_.injected_J += e.given_J + e.changed_J;
  }
  ledger_.kinetic_J = sum.kinetic;
  ledger_.elastic_J = sum.elastic;
  ledger_.load_J = sum.load;
  ledger_.bending_J = sum.bending;
  ledger_.modulation_J = sum.modulation;
  for (const ContactEnergy& e : contacts) {
    ledger_.contact_J += e.stored_J;
    ledger_.dissipated_J += e.lost_J;
    ledger_.unresolved_J += e.landed_J;
    ledger_.injected_J += e.changed_J;
  }
}

void Accounts::note(std::span<const BodyEnergy> bodies, std::span<const ContactEnergy> contacts) noexcept {
  sum_up(bodies, contacts);
  ledger_.note();
}

void Accounts::note() noexcept {
  sum_up();
  ledger_.note();
}

void Accounts::begin() noexcept {
  sum_up();
  ledger_.begin();
}

void Accounts::watch_rounding() {
  for (auto& c : instance_.contacts) {
    c.line->watch_rounding();
    if (c.fallback) c.fallback->watch_rounding();
  }
}

void Accounts::read(std::span<double> out) const noexcept {
  const auto put = [&](std::size_t i, double stored_J) {
    out[2 * i] = instance_.residual(i, stored_J);
    out[2 * i + 1] = stored_J;
  };
  for (std::size_t g = 0; g < model_.groups.size(); ++g) {
    const bool measured = instance_.groups[g].measured;
    for (const auto b : model_.groups[g].bodies) put(b, measured ? body_stored_[b].total() : instance_.stored(b));
    for (const auto c : model_.groups[g].contacts) {
      const std::size_t i = model_.bodies.size() + c;
      put(i, contact_J(c));
    }
  }
}

double Accounts::contact_J(std::size_t i) const noexcept {
  const bool measured = instance_.groups[model_.group_of_contact(i)].measured;
  return measured ? contact_stored_[i] : instance_.contacts[i].line->stored();
}

Account Accounts::body(std::size_t i) const {
  const Body& b = *instance_.bodies[i].body;
  Account a;
  a.name = model_.bodies[i].name;
  a.stored_J = b.stored().total();
  a.lost_J = b.lost.value();
  a.given_J = b.given.value();
  a.rounding_J = load_rounding(b);
  return a;
}

Account Accounts::contact(std::size_t i) const {
  const ContactState& c = instance_.contacts[i];
  Account a;
  a.contact = true;
  a.name = model_.contacts[i].name;
  a.stored_J = c.line->stored();
  a.lost_J = instance_.lost_in(c);
  a.unresolved_J = c.line->landed.value();
  a.rounding_J = c.line->rounding_J + (c.fallback ? c.fallback->rounding_J : 0);
  return a;
}

std::vector<Account> Accounts::list() const {
  std::vector<Account> list;
  for (std::size_t i = 0; i < model_.accounts(); ++i) {
    Account a = i < model_.bodies.size() ? body(i) : contact(i - model_.bodies.size());
    a.received_J = instance_.accounts[i].received.value();
    a.changed_J = instance_.accounts[i].changed.value();
    a.residual_J = instance_.residual(i, a.stored_J);
    list.push_back(std::move(a));
  }
  return list;
}

std::vector<BandReport> Accounts::bands() const {
  std::vector<BandReport> list;
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
    const BodyInfo& b = model_.bodies[i];
    const BandShare& s = band_share_[i];
    if (!s.measured()) continue;
    BandReport r{b.name, s.share(), s.half_hz(), s.highest_hz(), b.kind == BodyKind::string, s.on_grid(), false};
    for (std::size_t c = 0; c < model_.contacts.size(); ++c)
      if (model_.meets(c, i) && model_.contacts[c].joint == Joint::contact &&
          instance_.contacts[c].line->record.touching_steps > 0)
        r.touched = true;
    list.push_back(std::move(r));
  }
  return list;
}

std::vector<ContactReport> Accounts::contacts() const {
  std::vector<ContactReport> reports;
  for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
    const ContactInfo& info = model_.contacts[i];
    const ContactState& c = instance_.contacts[i];
    ContactReport r{
        info.name,      info.law,       c.fallback_used ? info.fallback_scheme : info.scheme, c.line->record, 0,
        info.half_step, info.on_string, c.fallback_used ? info.fallback_why : info.why};
    if (c.stiffness > 0) {  // Phi(y) <= E, and (Phi(y^n) + Phi(y^{n-1}))/2 <= E for whole steps: B14 (23)
      const double share = info.half_step ? 1 : 2;
      r.energy_bound_m =
          elementary::pow(share * (info.exponent + 1) * ledger_.largest_J / c.stiffness, 1 / (info.exponent + 1));
    }
    reports.push_back(std::move(r));
  }
  return reports;
}

void Accounts::archive(Archive& a) noexcept {
  a(ledger_, body_stored_, contact_stored_);
  for (auto& b : band_share_) b.archive(a);
}

}  // namespace jawari
