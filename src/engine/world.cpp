// SPDX-License-Identifier: MIT
#include "jawari/engine/world.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jawari {
namespace {

constexpr const char* channel_suffix[] = {".displacement_m", ".velocity_m_s", ".acceleration_m_s2",
                                          ".force_N",        ".force_N",      ".force_N"};

}  // namespace

World::World(Parts parts) : parts_(std::move(parts)) {
  dt_ = parts_.dt_s;
  for (const auto& b : parts_.bodies)
    for (const auto& r : b.readings) channels_.push_back(r.name + channel_suffix[static_cast<std::size_t>(r.quantity)]);
  for (const auto& c : parts_.contacts)
    for (const auto* q : {".compression_m", ".force_N", ".energy_J"}) channels_.push_back(c.name + q);
  for (const auto* q : Ledger::names) channels_.emplace_back(std::string("ledger.") + q);
  for (const auto& d : parts_.drawings) strings_.push_back(d.view);
  for (const auto& b : parts_.barriers) barriers_.push_back(b.view);
  for (auto& b : parts_.bodies) b.body->predict();  // receptances of a modulated string belong to its shape
  find_islands(), settle();
  for (auto& c : parts_.contacts)
    fill_ports(c), c.line->start();  // bodies are placed: now the contacts, then the books
  book(), ledger_.begin();
}

/// A body that begins inside a contact: the sample before t = 0 follows the contact force too, or the whole run would
/// be first order.  Only where the step resolves the contact; elsewhere the half-step is meaningless.
void World::settle() noexcept {
  for (auto& c : parts_.contacts) {
    fill_ports(c);
    for (std::size_t p = 0; p < c.offset_m.size(); ++p) {
      const Port& port = c.line->port[p];
      const double force = c.line->force_at(port.y, port.d / dt_);
      if (force == 0 || port.q * c.line->slope_at(port.y) > 1) continue;
      for (const Side& s : c.sides) parts_.bodies[s.body].body->force[s.tap + p] -= s.sign * force;
    }
  }
  for (auto& b : parts_.bodies)
    if (std::any_of(b.body->force.begin(), b.body->force.end(), [](double f) { return f != 0; })) b.body->settle();
}

void World::step() noexcept {
  for (auto& d : parts_.drives) parts_.bodies[d.body].body->push(d.tap, d.signal->next());
  for (auto& b : parts_.bodies) b.body->predict();
  for (auto& solver : solvers_) {
    for (const auto i : solver.contacts) fill_ports(parts_.contacts[i]);
    if (solver.varies) assemble(solver);
    if (solver.island) {
      solver.island->solve();
    } else if (ContactLine& line = *parts_.contacts[solver.contacts[0]].line; line.look()) {
      line.begin(false), line.solve_independent(), line.finish();
    }
    for (const auto i : solver.contacts)
      for (const Side& s : parts_.contacts[i].sides) {
        const auto& phi = parts_.contacts[i].line->phi;
        double* force = &parts_.bodies[s.body].body->force[s.tap];
        for (std::size_t p = 0; p < phi.size(); ++p) force[p] += s.sign * phi[p];
      }
  }
  for (auto& b : parts_.bodies) b.body->advance();
  ++steps_;
  book(), ledger_.note();
  for (const auto& c : parts_.contacts) failed_ |= c.line->record.unsettled > 0;
  failed_ |= !std::isfinite(ledger_.stored_J());
}

void World::fill_ports(Contact& c) noexcept {
  for (std::size_t p = 0; p < c.offset_m.size(); ++p) {
    Port& port = c.line->port[p];
    port.y = c.offset_m[p], port.d = port.s_free = 0;
  }
  for (const Side& s : c.sides) {
    const Body& b = *parts_.bodies[s.body].body;
    for (std::size_t p = 0; p < c.offset_m.size(); ++p) {
      Port& port = c.line->port[p];
      port.y += s.sign * b.w[s.tap + p], port.d += s.sign * b.d[s.tap + p], port.s_free += s.sign * b.s_free[s.tap + p];
    }
  }
}

void World::book() noexcept {
  Stored sum;
  ledger_.contact_J = ledger_.dissipated_J = ledger_.injected_J = 0;
  for (const auto& b : parts_.bodies) {
    const Stored e = b.body->stored();
    sum.kinetic += e.kinetic, sum.elastic += e.elastic, sum.load += e.load;
    sum.bending += e.bending, sum.modulation += e.modulation;
    ledger_.dissipated_J += b.body->lost.value(), ledger_.injected_J += b.body->given.value();
  }
  ledger_.kinetic_J = sum.kinetic, ledger_.elastic_J = sum.elastic, ledger_.load_J = sum.load;
  ledger_.bending_J = sum.bending, ledger_.modulation_J = sum.modulation;
  for (const auto& c : parts_.contacts)
    ledger_.contact_J += c.line->stored(), ledger_.dissipated_J += c.line->lost.value();
}

std::vector<ContactReport> World::contacts() const {
  std::vector<ContactReport> reports;
  for (const auto& c : parts_.contacts) {
    ContactReport r{c.name, c.law, c.scheme, c.line->record, 0, c.half_step, c.on_string};
    if (c.stiffness > 0) {  // Phi(y) <= E, and (Phi(y^n) + Phi(y^{n-1}))/2 <= E for whole steps: B14 (23)
      const double share = c.half_step ? 1 : 2;
      r.energy_bound_m = std::pow(share * (c.exponent + 1) * ledger_.largest_J / c.stiffness, 1 / (c.exponent + 1));
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

double World::sound() const noexcept {
  double sum = 0;
  for (const auto& p : parts_.pickups) {
    if (p.contact)
      for (const double phi : parts_.contacts[p.index].line->phi) sum -= p.gain * phi;
    else
      sum += p.gain * value(parts_.bodies[p.index], p.tap, p.quantity);
  }
  return sum;
}

void World::read(std::span<double> row) const noexcept {
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
  const Drawing& drawing = parts_.drawings[string];
  const Body& body = *parts_.bodies[drawing.body].body;
  u.front() = u.back() = 0;
  for (std::size_t i = 1; i + 1 < u.size(); ++i) {
    if (drawing.modes.empty()) {
      u[i] = body.w[i - 1];
      continue;
    }
    const auto q = static_cast<const ModalBody&>(body).displacements();
    u[i] = 0;
    for (std::size_t p = 0; p < q.size(); ++p) u[i] += drawing.modes[i][p] * q[p];
  }
}

std::span<const double> World::point_forces(std::size_t barrier) const noexcept {
  return parts_.contacts[parts_.barriers[barrier].contact].line->phi;
}

}  // namespace jawari
