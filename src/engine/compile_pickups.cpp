// SPDX-License-Identifier: MIT
#include <algorithm>

#include "compiler.h"

namespace jawari {

void Compiler::add(const ExcitationSpec& e) {
  const std::size_t b = index(e.body);
  const double samples =
      e.type == SignalType::pulse ? e.duration_s / parts_.dt_s : static_cast<double>(e.samples_N.size());
  budget_.spend(samples, 50 * samples, "duration_s",
                fmt::format("excitation of \"{}\" with {:.3g} samples", e.body, samples));
  const std::size_t tap = builders_[b]->tap(e.at.value_or(Location{e.position_m, 0, {}}));
  parts_.drives.push_back({{fmt::format("{}-signal", e.body), b, tap}, {Signal(e, parts_.dt_s)}});
}

void Compiler::listen() {
  for (const auto& p : scene_.pickups) {
    const std::size_t contact = contact_index(p.of);
    const bool support = *p.quantity == Quantity::bridge_force || *p.quantity == Quantity::nut_force;
    if (contact != no_index) {
      parts_.pickups.push_back({p.name.empty() ? p.of : p.name, true, contact, 0, *p.quantity, p.gain, p.pan});
      continue;
    }
    const std::size_t b = index(p.of);
    const bool extended = builders_[b]->extended();
    const Location location = p.at.value_or(Location{p.position_m, 0, {}});
    const auto place = support ? std::string(quantity_names[static_cast<std::size_t>(*p.quantity)])
                       : location.point.empty()
                           ? (location.y_m == 0 ? fmt::format("{:g}m", location.x_m)
                                                : fmt::format("{:g},{:g}m", location.x_m, location.y_m))
                           : location.point;
    const auto name = !p.name.empty() ? p.name : extended ? fmt::format("{}@{}", p.of, place) : p.of;
    std::size_t tap = 0;
    within(fmt::format("pickup[{}]", &p - scene_.pickups.data()), [&] {
      if (extended) tap = support ? string(p.of).tap(support_tap(*p.quantity)) : builders_[b]->tap(location);
    });
    if (extended) read(b, name, tap, *p.quantity);
    parts_.pickups.push_back({name, false, b, tap, *p.quantity, p.gain, p.pan});
    if (p.range_m.empty()) continue;
    within(fmt::format("pickup[{}]", &p - scene_.pickups.data()), [&] {
      if (!is_string(p.of) || support)
        throw InputError("position_range_m",
                         fmt::format("pickup.position_m may change on a string alone, but it is of \"{}\"", p.of),
                         fmt::format("[{:g}, {:g}]", p.range_m[0], p.range_m[1]), "go with a pickup of a string");
      string(p.of).allow_moves(tap, p.range_m[0], p.range_m[1], "position_range_m");
    });
    parts_.pickups.back().least_m = p.range_m[0];
    parts_.pickups.back().most_m = p.range_m[1];
    parts_.pickups.back().start_m = location.x_m;
  }
  const bool silent = scene_.pickups.empty();
  const bool bodies =
      std::any_of(builders_.begin(), builders_.end(), [](auto& b) { return b->usual_location().has_value(); });
  for (std::size_t b = 0; b < builders_.size(); ++b) {
    BodyBuilder& builder = *builders_[b];
    const auto usual = builder.usual_location();
    const bool string_body = is_string(names_[b]);
    const bool seen = std::any_of(builder.readings.begin(), builder.readings.end(),
                                  [](auto& r) { return r.quantity == Quantity::displacement; });
    if (string_body && !seen)
      read(b, names_[b], string(names_[b]).tap(StringTap{StringTap::point, 0.9 * string(names_[b]).data().length_m}),
           Quantity::displacement);
    if (usual && !seen) {
      const std::size_t tap = builder.tap(*usual);
      read(b, names_[b], tap, Quantity::velocity);
      if (silent) parts_.pickups.push_back({names_[b], false, b, tap, Quantity::velocity, 1});
    }
    if (string_body && silent && !bodies) {
      const std::size_t tap = string(names_[b]).tap(StringTap{StringTap::right_bridge});
      builder.readings.push_back({names_[b] + "@bridge-force", tap, Quantity::bridge_force});
      parts_.pickups.push_back({names_[b] + "@bridge-force", false, b, tap, Quantity::bridge_force, 1});
    }
  }
  if (silent && parts_.pickups.empty())
    for (std::size_t i = 0; i < parts_.contacts.size(); ++i)
      parts_.pickups.push_back({parts_.contacts[i].name, true, i, 0, Quantity::force, 1});
}

void Compiler::read(std::size_t body, const std::string& name, std::size_t tap, Quantity quantity) {
  auto& list = builders_[body]->readings;
  if (quantity == Quantity::bridge_force || quantity == Quantity::nut_force) {
    list.push_back({name, tap, quantity});
    return;
  }
  list.push_back({name, tap, Quantity::displacement});
  list.push_back({name, tap, Quantity::velocity});
  if (quantity == Quantity::acceleration) list.push_back({name, tap, quantity});
}

}  // namespace jawari
