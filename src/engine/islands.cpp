// SPDX-License-Identifier: MIT
#include "islands.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "jawari/body/string_grid.h"
#include "jawari/couple/connection.h"

namespace jawari {
namespace {

/// A line along consecutive nodes of one string, which its own band solves.
StringGrid* own_band(const Model& model, const Instance& instance, const IslandInfo& info) {
  const ContactInfo& first = model.contacts[info.contacts[0]];
  const std::size_t points = instance.contacts[info.contacts[0]].offset_m.size();
  auto* string = dynamic_cast<StringGrid*>(instance.bodies[first.sides[0].body].body.get());
  const bool along = info.contacts.size() == 1 && first.sides.size() == 1 && string && first.sides[0].stride == 1 &&
                     first.sides[0].tap + points <= string->nodes();
  return along ? string : nullptr;
}

void check_island(const Model& model, const Instance& instance, const IslandInfo& info, const Limits& limits) {
  if (!info.together) return;
  std::size_t ports = 0;
  for (const auto i : info.contacts) {
    const ContactInfo& c = model.contacts[i];
    ports += instance.contacts[i].offset_m.size();
    if (!c.couples)
      throw InputError("scheme",
                       fmt::format("scheme of contact \"{}\" is \"{}\", which serves points that are not coupled, "
                                   "but these are",
                                   c.name, c.scheme),
                       fmt::format("\"{}\"", c.scheme), "serve coupled points");
  }
  if (own_band(model, instance, info)) return;
  const double MB = 32e-6 * static_cast<double>(ports) * static_cast<double>(ports);  // four matrices
  if (ports > 8000 || MB > limits.memory_MB)
    throw InputError("points",
                     fmt::format("{} contact points are coupled, which needs {:.3g} MB, but at most 8000 points "
                                 "and {:g} MB are allowed; use fewer points, or a grid string",
                                 ports, MB, limits.memory_MB),
                     fmt::format("{}", ports),
                     fmt::format("be at most 8000 coupled points, of at most {:g} MB", limits.memory_MB));
}

}  // namespace

double receptance(const Model& model, const Instance& instance, std::size_t a, std::size_t i, std::size_t b,
                  std::size_t j) noexcept {
  double q = 0;
  for (const Side& x : model.contacts[a].sides)
    for (const Side& y : model.contacts[b].sides)
      if (x.body == y.body) q += x.sign * y.sign * instance.bodies[x.body].body->receptance(x.at(i), y.at(j));
  return q;
}

bool coupled(const Model& model, const Instance& instance, std::size_t a, std::size_t i, std::size_t b,
             std::size_t j) noexcept {
  for (const Side& x : model.contacts[a].sides)
    for (const Side& y : model.contacts[b].sides)
      if (x.body == y.body && instance.bodies[x.body].body->coupled(x.at(i), y.at(j))) return true;
  return false;
}

std::vector<IslandInfo> find_islands(const Model& model, const Instance& instance, const Limits& limits) {
  const auto& contacts = instance.contacts;
  const std::size_t n = contacts.size();
  std::size_t most = 0;
  for (const auto& c : contacts) most = std::max(most, c.offset_m.size());
  if (most > 30000)
    throw InputError("points",
                     fmt::format("a contact has {} points, but at most 30000 are allowed; lower the rate, or "
                                 "the number of points",
                                 most),
                     fmt::format("{}", most), "be at most 30000");
  std::vector<std::size_t> group(n);
  std::iota(group.begin(), group.end(), std::size_t{0});
  std::vector<char> together(n, 0);
  // Points on consecutive nodes of an explicit grid are coupled to themselves alone: no need to try all pairs.
  std::vector<const StringGrid*> on_nodes(n, nullptr);
  for (std::size_t i = 0; i < n; ++i) {
    const Side& side = model.contacts[i].sides[0];
    const auto* string = dynamic_cast<const StringGrid*>(instance.bodies[side.body].body.get());
    if (string && string->explicit_step() && model.contacts[i].sides.size() == 1 && side.stride == 1 &&
        side.tap + contacts[i].offset_m.size() <= string->nodes())
      on_nodes[i] = string;
  }
  const auto any_coupled = [&](std::size_t i, std::size_t j) {
    if (on_nodes[i] && on_nodes[j]) {
      const std::size_t a = model.contacts[i].sides[0].tap;
      const std::size_t b = model.contacts[j].sides[0].tap;
      return i != j && on_nodes[i] == on_nodes[j] && a < b + contacts[j].offset_m.size() &&
             b < a + contacts[i].offset_m.size();
    }
    for (std::size_t p = 0; p < contacts[i].offset_m.size(); ++p)
      for (std::size_t r = i == j ? p + 1 : 0; r < contacts[j].offset_m.size(); ++r)
        if (coupled(model, instance, i, p, j, r)) return true;
    return false;
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) {
      if (!any_coupled(i, j)) continue;
      together[i] = together[j] = 1;
      const std::size_t from = group[j];
      const std::size_t to = group[i];
      for (auto& g : group)
        if (g == from) g = to;
    }
  std::vector<IslandInfo> islands;
  for (std::size_t g = 0; g < n; ++g) {
    IslandInfo info;
    for (std::size_t i = 0; i < n; ++i) {
      if (group[i] != g) continue;
      info.contacts.push_back(i);
      info.together |= together[i] != 0;
      for (const Side& s : model.contacts[i].sides) info.varies |= instance.bodies[s.body].body->receptance_varies();
    }
    if (info.contacts.empty()) continue;
    // springs first: their part of the factor stays (DenseCompliance)
    std::stable_partition(info.contacts.begin(), info.contacts.end(),
                          [&](std::size_t i) { return model.contacts[i].joint == Joint::spring; });
    check_island(model, instance, info, limits);
    islands.push_back(std::move(info));
  }
  return islands;
}

Islands::Islands(const Model& model, Instance& instance) : model_(model), instance_(instance) {
  for (const auto& info : model.islands) solvers_.push_back(make(info));
  for (std::size_t i = 0; i < solvers_.size(); ++i) assemble(i);
}

Islands::Solver Islands::make(const IslandInfo& info) const {
  Solver solver;
  if (!info.together) return solver;
  std::vector<ContactLine*> lines;
  auto& point = solver.ports;
  for (const auto i : info.contacts) {
    lines.push_back(instance_.contacts[i].line.get());
    for (std::size_t p = 0; p < instance_.contacts[i].offset_m.size(); ++p) point.emplace_back(i, p);
  }
  if (StringGrid* string = own_band(model_, instance_, info)) {
    solver.compliance =
        std::make_unique<GridCompliance>(*string, model_.contacts[info.contacts[0]].sides[0].tap, point.size());
  } else {
    auto dense = std::make_unique<DenseCompliance>(point.size());
    dense->set_pattern([&](std::size_t a, std::size_t b) {
      return coupled(model_, instance_, point[a].first, point[a].second, point[b].first, point[b].second);
    });
    solver.dense = dense.get();
    solver.compliance = std::move(dense);
  }
  solver.island = std::make_unique<Island>(*solver.compliance, std::move(lines));
  if (!info.varies) solver.island->keep_springs();
  return solver;
}

void Islands::assemble(std::size_t index) noexcept {
  Solver& solver = solvers_[index];
  if (solver.dense)
    solver.dense->assemble([&](std::size_t a, std::size_t b) {
      const auto [i, p] = solver.ports[a];
      const auto [j, r] = solver.ports[b];
      return receptance(model_, instance_, i, p, j, r);
    });
  std::size_t row = 0;
  for (const auto i : model_.islands[index].contacts)
    for (std::size_t p = 0; p < instance_.contacts[i].offset_m.size(); ++p, ++row)
      instance_.contacts[i].line->port[p].q =
          solver.dense ? std::as_const(*solver.dense).at(row, row) : receptance(model_, instance_, i, p, i, p);
}

void Islands::solve(std::size_t index) noexcept {
  const IslandInfo& info = model_.islands[index];
  Solver& solver = solvers_[index];
  for (const auto i : info.contacts) {
    instance_.fill_ports(model_.contacts[i], instance_.contacts[i]);
    if (model_.contacts[i].joint == Joint::friction) update_friction_limit(i);
  }
  if (info.varies) assemble(index);
  if (solver.island) {
    solver.island->solve();
  } else if (ContactLine& line = *instance_.contacts[info.contacts[0]].line; line.detect()) {
    line.begin(false);
    line.solve_independent();
    if (line.watched()) line.note_rounding();
    line.finish();
  }
  for (const auto i : info.contacts)
    for (const Side& s : model_.contacts[i].sides) {
      const ContactLine& line = *instance_.contacts[i].line;
      double* force = instance_.bodies[s.body].body->force.data();
      for (const auto p : line.taking_part) force[s.at(p)] += s.sign * line.phi[p];
    }
}

/// (X2) The normal force is that of this step where its island came first, of the last step where it is the same
/// island.
void Islands::update_friction_limit(std::size_t contact) noexcept {
  const ContactInfo& info = model_.contacts[contact];
  const ContactState& friction = instance_.contacts[contact];
  auto& line = static_cast<FrictionLine&>(*friction.line);
  double normal = friction.normal_N;
  if (info.normal != no_index)
    for (const double phi : instance_.contacts[info.normal].line->phi) normal += std::abs(phi);
  const double each = friction.coefficient * normal / static_cast<double>(line.limit.size());
  std::fill(line.limit.begin(), line.limit.end(), each);
}

void Islands::refresh(std::size_t body) noexcept {
  for (const auto i : model_.groups[model_.group_of_body[body]].islands) {
    const auto& contacts = model_.islands[i].contacts;
    if (std::none_of(contacts.begin(), contacts.end(), [&](std::size_t c) { return model_.meets(c, body); })) continue;
    if (solvers_[i].compliance) solvers_[i].compliance->refresh();
    assemble(i);
  }
}

void Islands::moved(std::size_t contact, std::size_t point) noexcept {
  for (const auto i : model_.groups[model_.group_of_contact(contact)].islands) {
    const auto& contacts = model_.islands[i].contacts;
    if (std::find(contacts.begin(), contacts.end(), contact) == contacts.end()) continue;
    Solver& solver = solvers_[i];
    if (solver.dense) {
      const auto port = static_cast<std::size_t>(
          std::find(solver.ports.begin(), solver.ports.end(), std::pair(contact, point)) - solver.ports.begin());
      solver.dense->assemble_port(port, [&](std::size_t other) {
        return receptance(model_, instance_, contact, point, solver.ports[other].first, solver.ports[other].second);
      });
    }
    instance_.contacts[contact].line->port[point].q = receptance(model_, instance_, contact, point, contact, point);
  }
}

void Islands::replace(std::size_t contact, ContactLine* other) noexcept {
  ContactLine* line = instance_.contacts[contact].line.get();
  for (const auto i : model_.groups[model_.group_of_contact(contact)].islands)  // those of other groups may be in use
    if (solvers_[i].island) solvers_[i].island->replace(line, other);
}

}  // namespace jawari
