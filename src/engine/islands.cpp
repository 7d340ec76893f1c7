// SPDX-License-Identifier: MIT
// Which contacts feel one another within a step, and who solves them.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "jawari/engine/world.h"

namespace jawari {

double World::receptance(const Contact& a, std::size_t i, const Contact& b, std::size_t j) const noexcept {
  double q = 0;
  for (const Side& x : a.sides)
    for (const Side& y : b.sides)
      if (x.body == y.body) q += x.sign * y.sign * parts_.bodies[x.body].body->receptance(x.at(i), y.at(j));
  return q;
}

bool World::coupled(const Contact& a, std::size_t i, const Contact& b, std::size_t j) const noexcept {
  for (const Side& x : a.sides)
    for (const Side& y : b.sides)
      if (x.body == y.body && parts_.bodies[x.body].body->coupled(x.at(i), y.at(j))) return true;
  return false;
}

void World::assemble(Solver& solver) noexcept {
  std::size_t row = 0;
  for (const auto i : solver.contacts)
    for (std::size_t p = 0; p < parts_.contacts[i].offset_m.size(); ++p, ++row) {
      Contact& c = parts_.contacts[i];
      c.line->port[p].q = receptance(c, p, c, p);
      std::size_t column = 0;
      if (!solver.dense) continue;
      for (const auto j : solver.contacts)
        for (std::size_t r = 0; r < parts_.contacts[j].offset_m.size() && column <= row; ++r, ++column)
          solver.dense->at(row, column) = solver.dense->at(column, row) = receptance(c, p, parts_.contacts[j], r);
    }
}

void World::find_islands() {
  const auto& contacts = parts_.contacts;
  const std::size_t n = contacts.size();
  std::size_t most = 0;
  for (const auto& c : contacts) most = std::max(most, c.offset_m.size());
  if (most > 30000)
    throw Refusal("points", fmt::format("a contact has {} points, but at most 30000 are allowed; lower the rate, or "
                                        "the number of points",
                                        most));
  std::vector<std::size_t> group(n);
  std::iota(group.begin(), group.end(), std::size_t{0});
  std::vector<char> together(n, 0);
  const auto any_coupled = [&](std::size_t i, std::size_t j) {
    for (std::size_t p = 0; p < contacts[i].offset_m.size(); ++p)
      for (std::size_t r = i == j ? p + 1 : 0; r < contacts[j].offset_m.size(); ++r)
        if (coupled(contacts[i], p, contacts[j], r)) return true;
    return false;
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) {
      if (!any_coupled(i, j)) continue;
      together[i] = together[j] = 1;
      const std::size_t from = group[j], to = group[i];
      for (auto& g : group)
        if (g == from) g = to;
    }
  for (std::size_t g = 0; g < n; ++g) {
    std::vector<std::size_t> members;
    bool dense = false;
    for (std::size_t i = 0; i < n; ++i)
      if (group[i] == g) members.push_back(i), dense |= together[i] != 0;
    if (!members.empty()) solvers_.push_back(make_solver(std::move(members), dense));
  }
}

World::Solver World::make_solver(std::vector<std::size_t> members, bool together) {
  Solver solver;
  solver.contacts = std::move(members);
  std::size_t ports = 0;
  std::vector<ContactLine*> lines;
  for (const auto i : solver.contacts) {
    const Contact& c = parts_.contacts[i];
    ports += c.offset_m.size(), lines.push_back(c.line.get());
    for (const Side& s : c.sides) solver.varies |= parts_.bodies[s.body].body->receptance_varies();
    if (together && !c.couples)
      throw Refusal("scheme",
                    fmt::format("scheme of contact \"{}\" is \"{}\", which serves points that do not feel one "
                                "another, but these do",
                                c.name, c.scheme));
  }
  if (together) {
    const Contact& first = parts_.contacts[solver.contacts[0]];
    auto* string = dynamic_cast<StringGrid*>(parts_.bodies[first.sides[0].body].body.get());
    if (solver.contacts.size() == 1 && first.sides.size() == 1 && string &&
        first.sides[0].stride == 1 && first.sides[0].tap + ports <= string->nodes()) {
      solver.compliance = std::make_unique<GridCompliance>(*string, first.sides[0].tap, ports);
    } else {
      const double MB = 16e-6 * static_cast<double>(ports) * static_cast<double>(ports);  // two matrices
      if (ports > 8000 || MB > parts_.limits.memory_MB)
        throw Refusal("points",
                      fmt::format("{} contact points feel one another, which needs {:.3g} MB, but at most 8000 points "
                                  "and {:g} MB are allowed; use fewer points, or a grid string",
                                  ports, MB, parts_.limits.memory_MB));
      auto dense = std::make_unique<DenseCompliance>(ports);
      std::vector<std::pair<std::size_t, std::size_t>> point;  // contact, point of it
      for (const auto i : solver.contacts)
        for (std::size_t p = 0; p < parts_.contacts[i].offset_m.size(); ++p) point.emplace_back(i, p);
      dense->set_pattern([&](std::size_t a, std::size_t b) {
        return coupled(parts_.contacts[point[a].first], point[a].second, parts_.contacts[point[b].first], point[b].second);
      });
      solver.dense = dense.get(), solver.compliance = std::move(dense);
    }
    solver.island = std::make_unique<Island>(*solver.compliance, std::move(lines));
  }
  assemble(solver);
  return solver;
}

/// Bodies joined by contacts, connections or friction, and whatever presses a friction.
void World::find_groups() {
  const std::size_t n = parts_.bodies.size();
  std::vector<std::size_t> root(n);
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto join = [&](std::size_t a, std::size_t b) {
    const std::size_t from = std::max(root[a], root[b]), to = std::min(root[a], root[b]);
    for (auto& r : root)
      if (r == from) r = to;
  };
  for (const auto& c : parts_.contacts) {
    for (const Side& s : c.sides) join(c.sides[0].body, s.body);
    if (c.normal != none) join(c.sides[0].body, parts_.contacts[c.normal].sides[0].body);
  }
  group_of_body_.resize(n);
  for (std::size_t r = 0; r < n; ++r) {
    Group g;
    for (std::size_t b = 0; b < n; ++b)
      if (root[b] == r) g.bodies.push_back(b), group_of_body_[b] = groups_.size();
    if (!g.bodies.empty()) groups_.push_back(std::move(g));
  }
  const auto of_contact = [&](std::size_t c) { return group_of_body_[parts_.contacts[c].sides[0].body]; };
  for (std::size_t i = 0; i < parts_.contacts.size(); ++i) groups_[of_contact(i)].contacts.push_back(i);
  const auto rubs = [&](std::size_t i) {
    const auto& list = solvers_[i].contacts;
    return std::any_of(list.begin(), list.end(), [&](auto c) { return parts_.contacts[c].normal != none; });
  };
  for (const bool friction : {false, true})  // what presses comes first
    for (std::size_t i = 0; i < solvers_.size(); ++i)
      if (rubs(i) == friction) groups_[of_contact(solvers_[i].contacts[0])].solvers.push_back(i);
  for (std::size_t i = 0; i < parts_.drives.size(); ++i)
    groups_[group_of_body_[parts_.drives[i].body]].drives.push_back(i);
  for (std::size_t i = 0; i < parts_.pickups.size(); ++i) {
    const Pickup& p = parts_.pickups[i];
    groups_[p.contact ? of_contact(p.index) : group_of_body_[p.index]].pickups.push_back(i);
  }
}

}  // namespace jawari
