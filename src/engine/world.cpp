// SPDX-License-Identifier: MIT
#include "jawari/engine/world.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace jawari {

World::World(double dt_s, std::vector<NamedBody> bodies, std::vector<Contact> contacts, std::vector<Drive> drives,
             const std::vector<PickupSpec>& pickups)
    : bodies_(std::move(bodies)), contacts_(std::move(contacts)), drives_(std::move(drives)) {
  dt_ = dt_s;
  for (const auto& b : bodies_)
    channels_.push_back(b.name + ".displacement_m"), channels_.push_back(b.name + ".velocity_m_s");
  for (const auto& c : contacts_)
    for (const auto* q : {".compression_m", ".force_N", ".energy_J"}) channels_.push_back(c.name + q);
  for (const auto* q : {"kinetic_J", "elastic_J", "load_J", "contact_J", "dissipated_J", "injected_J", "residual_J"})
    channels_.emplace_back(std::string("ledger.") + q);
  for (const auto& p : pickups) {
    const auto is = [&](const auto& thing) { return thing.name == p.of; };
    const auto body = std::find_if(bodies_.begin(), bodies_.end(), is);
    const auto contact = std::find_if(contacts_.begin(), contacts_.end(), is);
    if (body != bodies_.end())
      pickups_.push_back({false, static_cast<std::size_t>(body - bodies_.begin()), p.quantity, p.gain});
    else if (contact != contacts_.end())
      pickups_.push_back({true, static_cast<std::size_t>(contact - contacts_.begin()), p.quantity, p.gain});
  }
  if (pickups.empty())
    for (std::size_t i = 0; i < contacts_.size(); ++i) pickups_.push_back({true, i, Quantity::force, 1});
  find_islands();
  for (auto& c : contacts_) fill_ports(c), c.line->start();  // bodies are placed: now the contacts, then the books
  book(), ledger_.begin();
}

void World::step() noexcept {
  for (auto& d : drives_) bodies_[d.body].body->push(d.tap, d.signal->next());
  for (auto& b : bodies_) b.body->predict();
  for (auto& solver : solvers_) {
    for (const auto i : solver.contacts) fill_ports(contacts_[i]);
    if (solver.island) {
      if (solver.varies) assemble(solver);
      solver.island->solve();
    } else if (ContactLine& line = *contacts_[solver.contacts[0]].line; line.look()) {
      line.begin(false), line.solve_independent(), line.finish();
    }
    for (const auto i : solver.contacts) {
      Contact& c = contacts_[i];
      for (std::size_t p = 0; p < c.wires.size(); ++p)
        if (const double phi = c.line->phi[p]; phi != 0)
          for (const Wire& w : c.wires[p]) bodies_[w.body].body->force[w.tap] += w.sign * phi;
    }
  }
  for (auto& b : bodies_) b.body->advance();
  ++steps_;
  book(), ledger_.note();
  for (const auto& c : contacts_) failed_ |= c.line->record.unsettled > 0;
  failed_ |= !std::isfinite(ledger_.stored_J());
}

void World::fill_ports(Contact& c) noexcept {
  for (std::size_t p = 0; p < c.wires.size(); ++p) {
    Port& port = c.line->port[p];
    port.y = c.offset_m[p], port.d = port.s_free = 0;
    for (const Wire& w : c.wires[p]) {
      const Body& b = *bodies_[w.body].body;
      port.y += w.sign * b.w[w.tap], port.d += w.sign * b.d[w.tap], port.s_free += w.sign * b.s_free[w.tap];
    }
  }
}

double World::receptance(const std::vector<Wire>& a, const std::vector<Wire>& b) const noexcept {
  double q = 0;
  for (const Wire& x : a)
    for (const Wire& y : b)
      if (x.body == y.body) q += x.sign * y.sign * bodies_[x.body].body->receptance(x.tap, y.tap);
  return q;
}

void World::assemble(Solver& solver) noexcept {
  std::size_t row = 0;
  for (const auto i : solver.contacts)
    for (std::size_t p = 0; p < contacts_[i].wires.size(); ++p, ++row) {
      std::size_t column = 0;
      for (const auto j : solver.contacts)
        for (std::size_t r = 0; r < contacts_[j].wires.size(); ++r, ++column) {
          const double q = receptance(contacts_[i].wires[p], contacts_[j].wires[r]);
          if (solver.dense) solver.dense->at(row, column) = q;
          if (row == column) contacts_[i].line->port[p].q = q;
        }
    }
}

/// Connected components of "receptance between two ports is not zero".  Computed, never assumed from a body's type.
void World::find_islands() {
  const std::size_t n = contacts_.size();
  std::vector<std::size_t> group(n);
  std::iota(group.begin(), group.end(), std::size_t{0});
  std::vector<char> dense(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j)
      for (std::size_t p = 0; p < contacts_[i].wires.size(); ++p)
        for (std::size_t r = 0; r < contacts_[j].wires.size(); ++r) {
          if (i == j && p == r) continue;
          if (receptance(contacts_[i].wires[p], contacts_[j].wires[r]) == 0) continue;
          dense[i] = dense[j] = 1;
          const std::size_t from = group[j], to = group[i];
          for (auto& g : group)
            if (g == from) g = to;
        }
  for (std::size_t g = 0; g < n; ++g) {
    Solver solver;
    bool together = false;
    std::size_t ports = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (group[i] == g) {
        solver.contacts.push_back(i), ports += contacts_[i].wires.size(), together |= dense[i] != 0;
        for (const auto& point : contacts_[i].wires)
          for (const Wire& w : point) solver.varies |= bodies_[w.body].body->receptance_varies();
      }
    if (solver.contacts.empty()) continue;
    if (together) {
      std::vector<ContactLine*> lines;
      for (const auto i : solver.contacts) {
        if (!contacts_[i].couples)
          throw Refusal("scheme", fmt::format("scheme of contact \"{}\" is \"{}\", which serves a single contact, but "
                                              "this one shares a body with others",
                                              contacts_[i].name, contacts_[i].scheme));
        lines.push_back(contacts_[i].line.get());
      }
      solver.dense = std::make_unique<DenseCompliance>(ports);
      solver.island = std::make_unique<Island>(*solver.dense, std::move(lines));
    }
    assemble(solver);
    solvers_.push_back(std::move(solver));
  }
}

void World::book() noexcept {
  ledger_.kinetic_J = ledger_.elastic_J = ledger_.load_J = ledger_.contact_J = 0;
  ledger_.dissipated_J = ledger_.injected_J = 0;
  for (const auto& b : bodies_) {
    const Stored e = b.body->stored();
    ledger_.kinetic_J += e.kinetic, ledger_.elastic_J += e.elastic, ledger_.load_J += e.load;
    ledger_.dissipated_J += b.body->lost.value(), ledger_.injected_J += b.body->given.value();
  }
  for (const auto& c : contacts_)
    ledger_.contact_J += c.line->stored(), ledger_.dissipated_J += c.line->lost.value();
}

std::vector<ContactReport> World::contacts() const {
  std::vector<ContactReport> reports;
  for (const auto& c : contacts_) {
    ContactReport r{c.name, c.law, c.scheme, c.line->record, 0, c.half_step};
    if (c.stiffness > 0) {  // Phi(y) <= E, and (Phi(y^n) + Phi(y^{n-1}))/2 <= E for whole steps: B14 (23)
      const double share = c.half_step ? 1 : 2;
      r.energy_bound_m = std::pow(share * (c.exponent + 1) * ledger_.largest_J / c.stiffness, 1 / (c.exponent + 1));
    }
    reports.push_back(std::move(r));
  }
  return reports;
}

double World::sound() const noexcept {
  double sum = 0;
  for (const auto& p : pickups_) {
    if (p.contact) {
      for (const double phi : contacts_[p.index].line->phi) sum -= p.gain * phi;
      continue;
    }
    const Body& b = *bodies_[p.index].body;
    switch (p.quantity) {
      case Quantity::displacement: sum += p.gain * (b.w[0] - b.d[0] + bodies_[p.index].origin_m); break;
      case Quantity::velocity: sum += p.gain * b.s[0] / (2 * dt_); break;
      case Quantity::acceleration: sum += p.gain * (2 * b.d[0] - b.s[0]) / (dt_ * dt_); break;
      case Quantity::force: break;
    }
  }
  return sum;
}

void World::read(std::span<double> row) const noexcept {
  std::size_t at = 0;
  for (const auto& b : bodies_)
    row[at++] = b.body->w[0] - b.body->d[0] + b.origin_m, row[at++] = b.body->s[0] / (2 * dt_);
  for (const auto& c : contacts_) {
    double deepest = c.line->port[0].y, force = 0;
    for (const auto& p : c.line->port) deepest = std::max(deepest, p.y);
    for (const double phi : c.line->phi) force -= phi;
    row[at++] = deepest, row[at++] = force, row[at++] = c.line->stored();
  }
  for (const double x : {ledger_.kinetic_J, ledger_.elastic_J, ledger_.load_J, ledger_.contact_J, ledger_.dissipated_J,
                         ledger_.injected_J, ledger_.residual_J()})
    row[at++] = x;
}

}  // namespace jawari
