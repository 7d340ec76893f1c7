// SPDX-License-Identifier: MIT
#include "work.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace jawari::attack {
namespace {

double value(const World& world, std::size_t parameter) {
  return parameter == no_index ? 1 : world.parameter(parameter);
}

}  // namespace

Work::Work(const World& world) : row_(world.channels().size()) {
  const auto channel = [&](const std::string& name) {
    const auto& all = world.channels();
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin());
  };
  const auto accounts = world.accounts();
  for (std::size_t i = 0; i < accounts.size(); ++i) {
    if (!accounts[i].contact) continue;
    const std::string& name = accounts[i].name;
    Contact c{name,
              i,
              channel(name + ".force_N"),
              channel(name + ".energy_J"),
              world.model().find_parameter(name + ".height_m"),
              world.model().find_parameter(name + ".stiffness")};
    if (c.force == row_.size() || c.energy == row_.size()) continue;
    c.changed = accounts[i].changed_J;
    c.stored = accounts[i].stored_J;
    c.h[0] = c.h[1] = value(world, c.height);
    c.k = value(world, c.stiffness);
    contacts_.push_back(c);
  }
}

std::string Work::look(const World& world) {
  world.read(row_);
  const auto accounts = world.accounts();
  const double largest = std::max(world.ledger().largest_J, faint_J);
  std::string found;
  for (Contact& c : contacts_) {
    const double h = value(world, c.height);
    const double k = value(world, c.stiffness);
    const double work = std::abs(accounts[c.account].changed_J - c.changed);
    const double most = std::abs(row_[c.force]) * std::abs(h - c.h[0]) / 2 + std::abs(k / c.k - 1) * std::abs(c.stored);
    if (!(work <= most * (1 + 1e-6) + 1e-9 * largest) && found.empty()) {
      char text[200];
      std::snprintf(text, sizeof text, "%.100s: %.3g J for at most %.3g J", c.name.c_str(), work, most);
      found = text;
    }
    c.changed = accounts[c.account].changed_J;
    c.stored = row_[c.energy];
    c.h[0] = c.h[1];
    c.h[1] = h;
    c.k = k;
  }
  return found;
}

}  // namespace jawari::attack
