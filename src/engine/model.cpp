// SPDX-License-Identifier: MIT
#include "jawari/engine/model.h"

#include <algorithm>
#include <cmath>

namespace jawari {
namespace {

template <class List>
std::size_t find(const List& list, std::string_view name) noexcept {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return i;
  return no_index;
}

}  // namespace

std::size_t Model::find_body(std::string_view name) const noexcept { return find(bodies, name); }
std::size_t Model::find_parameter(std::string_view name) const noexcept { return find(parameters, name); }

bool Model::meets(std::size_t contact, std::size_t body) const noexcept {
  const auto& sides = contacts[contact].sides;
  return std::any_of(sides.begin(), sides.end(), [&](const Side& s) { return s.body == body; });
}

bool Model::serves(EventType type, std::size_t target) const noexcept {
  if (type == EventType::set) return target < parameters.size();
  if (target >= bodies.size()) return false;
  const BodyInfo& b = bodies[target];
  switch (type) {
    case EventType::strike:
      return b.kind == BodyKind::mass;
    case EventType::pluck:
    case EventType::press:
    case EventType::release:
      return b.kind == BodyKind::hand && b.target_contact != no_index;
    case EventType::move:
      return b.kind == BodyKind::hand;
    case EventType::retune:
    case EventType::damp:
      return b.kind == BodyKind::string || b.kind == BodyKind::modes;
    case EventType::set:
      break;
  }
  return false;
}

bool Model::taps_move(std::size_t body) const noexcept {
  const auto moves = [&](const ContactInfo& c) {
    return c.slide.moves() && c.slide.side != no_index && c.sides[c.slide.side].body == body;
  };
  const auto listens = [&](const Pickup& p) { return !p.contact && p.index == body && p.most_m > 0; };
  return std::any_of(contacts.begin(), contacts.end(), moves) || std::any_of(pickups.begin(), pickups.end(), listens);
}

/// The limits of check(), for events that come while it plays.
bool Model::takes(const Event& e) const noexcept {
  if (!serves(e.type, e.target) || !(e.duration_s >= 0 && e.duration_s <= 86400)) return false;
  const auto within = [&](const Parameter& p) { return e.value >= p.least && e.value <= p.most; };
  switch (e.type) {
    case EventType::strike:
    case EventType::pluck:
    case EventType::press:
    case EventType::damp:
    case EventType::move:
      return event_value(e.type).allows(e.value);
    case EventType::release:
      return true;
    case EventType::retune:
      for (const auto i : groups[group_of_body[e.target]].parameters) {
        const Parameter& p = parameters[i];
        if (p.index == e.target && (p.kind == ParameterKind::frequency || p.kind == ParameterKind::tuning))
          return within(p);
      }
      return false;
    case EventType::set:
      return within(parameters[e.target]);
  }
  return false;
}

}  // namespace jawari
