// SPDX-License-Identifier: MIT
// Parameters that may change, events that may be told, and when they happen.  What they do is in world_change.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jawari/body/driven.h"
#include "world_stand.h"

namespace jawari {
namespace {

/// How long a movement takes where an event does not say it [s].
constexpr double usual_pluck = 0.02, usual_press = 0.01, usual_release = 0.005, snap = 5e-4;

}  // namespace

std::size_t World::find_body(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < parts_.bodies.size(); ++i)
    if (parts_.bodies[i].name == name) return i;
  return none;
}
std::size_t World::find_knob(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < knobs_.size(); ++i)
    if (knobs_[i].name == name) return i;
  return none;
}

void World::make_knobs() {
  const auto add = [&](std::size_t group, KnobKind kind, std::size_t index, Knob knob) {
    if (find_knob(knob.name) != none) return;  // two pickups of one name: the first answers
    groups_[group].knobs.push_back(knobs_.size());
    knobs_.push_back(std::move(knob)), ramps_.push_back({kind, index}), group_of_knob_.push_back(group);
  };
  for (std::size_t i = 0; i < parts_.bodies.size(); ++i) {
    const NamedBody& b = parts_.bodies[i];
    const std::size_t g = group_of_body_[i];
    const double up = b.body->largest_tension();
    if (b.kind == Kind::string && b.bending_share < 0.999999) {  // else bending carries it: tension tunes nothing
      const double share = b.bending_share;  // (S2): f^2 = f0^2 ((1 - share) T/T0 + share)
      add(g, KnobKind::frequency, i,
          {b.name + ".frequency_hz", "Hz", "lowest frequency, by the tension",
           b.frequency_hz * std::sqrt((1 - share) * 1e-3 + share), b.frequency_hz * std::sqrt((1 - share) * up + share),
           b.frequency_hz});
    }
    if (b.kind == Kind::modes)
      add(g, KnobKind::tuning, i, {b.name + ".tuning", "", "factor of all frequencies", 0.01, std::sqrt(up), 1});
    if (b.kind == Kind::string || b.kind == Kind::modes)
      add(g, KnobKind::damping, i, {b.name + ".damping_1_s", "1/s", "decay added to every mode", 0, 1e5, 0});
  }
  for (std::size_t i = 0; i < parts_.contacts.size(); ++i) {
    const Contact& c = parts_.contacts[i];
    const std::size_t g = group_of_body_[c.sides[0].body];
    if (c.built_stiffness > 0)
      add(g, KnobKind::stiffness, i,
          {c.name + ".stiffness", "N/m^alpha", "of the contact", std::max(1e-6, 1e-9 * c.built_stiffness),
           std::min(1e25, c.stiffest * c.built_stiffness), c.built_stiffness});
    if (c.height_sign != 0)
      add(g, KnobKind::height, i, {c.name + ".height_m", "m", "of the barrier", c.lowest_m, c.highest_m, c.height_m});
    if (c.joint == Joint::friction) {
      add(g, KnobKind::coefficient, i, {c.name + ".coefficient", "", "of friction", 0, 1e3, c.coefficient});
      add(g, KnobKind::normal, i, {c.name + ".normal_N", "N", "force that presses", 0, 1e9, c.normal_N});
    }
  }
  for (std::size_t i = 0; i < parts_.pickups.size(); ++i) {
    const Pickup& p = parts_.pickups[i];
    const std::size_t body = p.contact ? parts_.contacts[p.index].sides[0].body : p.index;
    add(group_of_body_[body], KnobKind::gain, i, {p.name + ".gain", "", "of the pickup", -1e12, 1e12, p.gain});
  }
  for (std::size_t i = 0; i < parts_.drives.size(); ++i)
    add(group_of_body_[parts_.drives[i].body], KnobKind::amplitude, i,
        {parts_.drives[i].name + ".amplitude", "", "factor of the signal", -parts_.drives[i].largest, parts_.drives[i].largest, 1});
}

bool World::serves(EventType type, std::size_t target) const noexcept {
  if (type == EventType::set) return target < knobs_.size();
  if (target >= parts_.bodies.size()) return false;
  const NamedBody& b = parts_.bodies[target];
  switch (type) {
    case EventType::strike:
      return b.kind == Kind::mass;
    case EventType::pluck:
    case EventType::press:
    case EventType::release:
      return b.kind == Kind::hand && b.home != none;
    case EventType::move:
      return b.kind == Kind::hand;
    case EventType::retune:
    case EventType::damp:
      return b.kind == Kind::string || b.kind == Kind::modes;
    case EventType::set:
      break;
  }
  return false;
}

/// The limits of check_scene(), for events that come while it plays.
bool World::takes(const Event& e) const noexcept {
  if (!serves(e.type, e.target) || !(e.duration_s >= 0 && e.duration_s <= 86400)) return false;
  const auto within = [&](std::size_t knob) { return e.value >= knobs_[knob].least && e.value <= knobs_[knob].most; };
  switch (e.type) {
    case EventType::strike:
      return e.value > 0 && e.value <= 1e4;
    case EventType::pluck:
    case EventType::press:
      return e.value > 0 && e.value <= 1;
    case EventType::release:
      return true;
    case EventType::damp:
      return e.value >= 0 && e.value <= 1e5;
    case EventType::move:
      return std::abs(e.value) <= 1e3;
    case EventType::retune:
      for (const auto k : groups_[group_of_body_[e.target]].knobs)
        if (ramps_[k].index == e.target && (ramps_[k].kind == KnobKind::frequency || ramps_[k].kind == KnobKind::tuning))
          return within(k);
      return false;
    case EventType::set:
      return within(e.target);
  }
  return false;
}

void World::plan(const std::vector<EventSpec>& events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const EventSpec& e = events[i];
    const auto field = [&](const char* key) { return fmt::format("event[{}].{}", i, key); };
    const auto type = event_names[static_cast<std::size_t>(e.type)];
    Event event{e.type, 0, e.value, e.duration_s};
    std::size_t target = none, group = 0;
    if (e.type == EventType::set) {
      const auto name = e.target + "." + e.parameter;
      target = find_knob(name);
      std::vector<std::string_view> names;
      for (const auto& k : knobs_) names.push_back(k.name);
      if (target == none) {
        const auto near = nearest(name, names);
        throw Refusal(field("parameter"), fmt::format("event.parameter \"{}\" of \"{}\" cannot be changed{}",
                                                      e.parameter, e.target,
                                                      near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
      }
      const Knob& k = knobs_[target];
      if (!(e.value >= k.least && e.value <= k.most))
        throw Refusal(field("value"), fmt::format("event.value of {} is {:g}, but must lie in [{:g}, {:g}] {}", name,
                                                  e.value, k.least, k.most, k.unit));
    } else {
      target = find_body(e.target);
      if (target == none)
        throw Refusal(field("target"), fmt::format("event.target is \"{}\", but there is no such body", e.target));
      if (!serves(e.type, target))
        throw Refusal(field("target"), fmt::format("event.target is \"{}\", which cannot take \"{}\"", e.target, type));
      group = group_of_body_[target];
      if (e.type == EventType::retune && parts_.bodies[target].kind == Kind::string) {
        const std::size_t tune = find_knob(e.target + ".frequency_hz");
        if (tune == none)
          throw Refusal(field("target"), fmt::format("event.target is \"{}\", which bending alone carries: its tension "
                                                     "does not tune it", e.target));
        const Knob& k = knobs_[tune];
        if (!(e.value >= k.least && e.value <= k.most))
          throw Refusal(field("frequency_hz"),
                        fmt::format("event.frequency_hz is {:g}, but \"{}\" can be tuned from {:g} to {:g} Hz at this "
                                    "rate; give the string highest_hz for more",
                                    e.value, e.target, k.least, k.most));
      }
    }
    event.target = static_cast<std::uint32_t>(target);
    if (e.type == EventType::set) group = group_of_knob_[target];
    groups_[group].planned.push_back({std::llround(e.time_s / dt_), event});
  }
  for (auto& g : groups_)
    std::stable_sort(g.planned.begin(), g.planned.end(), [](auto& a, auto& b) { return a.step < b.step; });
}

bool World::post(std::int64_t steps_from_now, const Event& event) noexcept {
  return takes(event) && queue_.push(steps_ + std::max<std::int64_t>(0, steps_from_now), event);
}

/// In the order of time, so that each group's list is sorted.
void World::announce(std::int64_t frames) noexcept {
  while (queue_.before(steps_ + frames)) {
    const Timed timed = queue_.pop();
    const std::uint32_t target = timed.event.target;
    Group& g = groups_[timed.event.type == EventType::set ? group_of_knob_[target] : group_of_body_[target]];
    const std::size_t here = due_.size();
    due_.push_back({timed, none});
    if (g.due == none) g.due = here;
    else due_[g.last_due].next = here;
    g.last_due = here;
  }
}

void World::happen(Group& g) noexcept {
  while (g.next < g.planned.size() && g.planned[g.next].step <= g.step) apply(g.planned[g.next++].event), g.asleep = false;
  for (; g.due != none && due_[g.due].timed.step <= g.step; g.due = due_[g.due].next) {
    apply(due_[g.due].timed.event);
    g.asleep = false;
  }
}

void World::apply(const Event& e) noexcept {
  const auto lasting = [&](double usual) { return e.duration_s > 0 ? e.duration_s : usual; };
  if (e.type == EventType::set) return turn(e.target, e.value, e.duration_s);
  NamedBody& b = parts_.bodies[e.target];
  const auto hand = [&]() -> DrivenBody& { return static_cast<DrivenBody&>(*b.body); };
  switch (e.type) {
    case EventType::strike:
      strike(e.target, e.value);
      break;
    case EventType::pluck:
      hand().glide(b.toward * e.value, lasting(usual_pluck)), hand().then(-b.toward * b.away_m, snap);
      break;
    case EventType::press:
      hand().glide(b.toward * e.value, lasting(usual_press));
      break;
    case EventType::release:
      hand().glide(-b.toward * b.away_m, lasting(usual_release));
      break;
    case EventType::move:
      hand().glide(e.value, lasting(usual_press));
      break;
    case EventType::retune:
    case EventType::damp: {
      const KnobKind wanted = e.type == EventType::damp         ? KnobKind::damping
                              : b.kind == Kind::string ? KnobKind::frequency
                                                                : KnobKind::tuning;
      for (const auto k : groups_[group_of_body_[e.target]].knobs)
        if (ramps_[k].kind == wanted && ramps_[k].index == e.target) turn(k, e.value, e.duration_s);
      break;
    }
    case EventType::set:
      break;
  }
}

}  // namespace jawari
