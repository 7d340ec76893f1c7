// SPDX-License-Identifier: MIT
// Events, and parameters that change while a world runs.  Every change goes through change_body or change_contact,
// which read the stored energy before and after and book the difference: a change is passive by construction.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jawari/body/driven.h"
#include "jawari/body/modal.h"
#include "jawari/couple/connection.h"
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
    knobs_.push_back(std::move(knob)), ramps_.push_back({kind, index});
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
           std::min(1e25, 1e9 * c.built_stiffness), c.built_stiffness});
    if (c.height_sign != 0)
      add(g, KnobKind::height, i, {c.name + ".height_m", "m", "of the barrier", -1e3, 1e3, c.height_m});
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
        {parts_.drives[i].name + ".amplitude", "", "factor of the signal", -1e12, 1e12, 1});
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
    if (e.type == EventType::set)
      for (std::size_t g = 0; g < groups_.size(); ++g)
        if (std::find(groups_[g].knobs.begin(), groups_[g].knobs.end(), target) != groups_[g].knobs.end()) group = g;
    groups_[group].planned.push_back({std::llround(e.time_s / dt_), event});
  }
  for (auto& g : groups_)
    std::stable_sort(g.planned.begin(), g.planned.end(), [](auto& a, auto& b) { return a.step < b.step; });
}

bool World::post(std::int64_t steps_from_now, const Event& event) noexcept {
  if (!takes(event)) return false;
  std::size_t group = event.type == EventType::set ? none : group_of_body_[event.target];
  for (std::size_t g = 0; group == none && g < groups_.size(); ++g)
    for (const auto k : groups_[g].knobs)
      if (k == event.target) group = g;
  if (group == none) return false;
  Group& g = groups_[group];
  if (g.waiting == g.posted.size()) return false;
  const Timed timed{g.step + std::max<std::int64_t>(0, steps_from_now), event};
  std::size_t at = g.waiting++;
  for (; at > 0 && g.posted[at - 1].step > timed.step; --at) g.posted[at] = g.posted[at - 1];
  g.posted[at] = timed;
  return true;
}

void World::happen(Group& g) noexcept {
  while (g.next < g.planned.size() && g.planned[g.next].step <= g.step) apply(g.planned[g.next++].event), g.asleep = false;
  std::size_t due = 0;
  while (due < g.waiting && g.posted[due].step <= g.step) apply(g.posted[due++].event);
  if (due == 0) return;
  g.asleep = false;
  std::move(g.posted.begin() + static_cast<std::ptrdiff_t>(due), g.posted.begin() + static_cast<std::ptrdiff_t>(g.waiting),
            g.posted.begin());
  g.waiting -= due;
}

void World::apply(const Event& e) noexcept {
  const auto lasting = [&](double usual) { return e.duration_s > 0 ? e.duration_s : usual; };
  if (e.type == EventType::set) return turn(e.target, e.value, e.duration_s);
  NamedBody& b = parts_.bodies[e.target];
  const auto hand = [&]() -> DrivenBody& { return static_cast<DrivenBody&>(*b.body); };
  switch (e.type) {
    case EventType::strike:
      change_body(e.target, true, [&] { strike(b, e.value); });
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

/// A hammer comes into touch with its target where that is now; a mass without target is thrown from where it is.
void World::strike(NamedBody& hammer, double speed) noexcept {
  auto& body = static_cast<ModalBody&>(*hammer.body);
  double u = body.displacements()[0], v = speed;
  if (hammer.home != none) {
    const Contact& c = parts_.contacts[hammer.home];
    double others = c.offset_m[0], closing = speed * dt_, sign = 1;
    for (const Side& s : c.sides) {
      if (parts_.bodies[s.body].body.get() == hammer.body.get())
        sign = s.sign;
      else
        others += s.sign * parts_.bodies[s.body].body->w[s.at(0)], closing += s.sign * parts_.bodies[s.body].body->d[s.at(0)];
    }
    u = sign * (std::min(closing, 0.0) - others), v = sign * speed;  // not deeper a sample ago than now
  }
  body.throw_mode(0, u, v);
}

void World::turn(std::size_t index, double value, double duration_s) noexcept {
  Knob& knob = knobs_[index];
  Ramp& r = ramps_[index];
  value = std::clamp(value, knob.least, knob.most);
  r.from = knob.value, r.to = value, r.done = 0;
  r.steps = std::llround(std::min(duration_s / dt_, 1e15));
  if (r.kind == KnobKind::stiffness || r.steps < 1) {  // the tables of a stiffness are not fitted every few steps
    r.steps = 0;
    knob.value = value, set(r, value);
  }
}

void World::ramp(Ramp& r, double share) noexcept {
  r.done = std::min(r.steps, r.done + static_cast<std::int64_t>(share));
  const double t = static_cast<double>(r.done) / static_cast<double>(r.steps);
  Knob& knob = knobs_[static_cast<std::size_t>(&r - ramps_.data())];
  knob.value = r.done == r.steps ? r.to : r.from + t * (r.to - r.from);
  if (r.done == r.steps) r.steps = 0;
  set(r, knob.value);
}

void World::set(const Ramp& r, double value) noexcept {
  switch (r.kind) {
    case KnobKind::frequency:
    case KnobKind::tuning:
    case KnobKind::damping: {
      const NamedBody& b = parts_.bodies[r.index];
      Tuning& t = tuning_[r.index];
      if (r.kind == KnobKind::damping) t.added = value;
      if (r.kind == KnobKind::tuning) t.tension = t.bending = value * value;
      if (r.kind == KnobKind::frequency) {
        const double ratio = value / b.frequency_hz;
        t.tension = std::max((ratio * ratio - b.bending_share) / (1 - b.bending_share), 1e-4);
      }
      change_body(r.index, false, [&] { b.body->tune(t.tension, t.bending, t.added); });
      break;
    }
    case KnobKind::stiffness: {
      Contact& c = parts_.contacts[r.index];
      change_contact(r.index, [&] {
        c.line->weigh(value / r.from);
        if (c.spare) c.spare->weigh(value / r.from);
        if (Stand* s = stands_[c.sides[0].body].get(); s && s->contact == r.index)
          for (auto* kernel : {s->kernel.get(), s->spare.get()})
            if (kernel) kernel->weigh(value / r.from);
        if (c.stiffness > 0) c.stiffness = std::min(c.stiffness, c.stiffness * (value / r.from));
      });
      break;
    }
    case KnobKind::height: {
      Contact& c = parts_.contacts[r.index];
      change_contact(r.index, [&] {
        for (double& y : c.offset_m) y += c.height_sign * (value - c.height_m);
        c.height_m = value;
      });
      break;
    }
    case KnobKind::coefficient:
      parts_.contacts[r.index].coefficient = value;
      break;
    case KnobKind::normal:
      parts_.contacts[r.index].normal_N = value;
      break;
    case KnobKind::gain:
      parts_.pickups[r.index].gain = value;
      break;
    case KnobKind::amplitude:
      parts_.drives[r.index].amplitude = value;
      break;
  }
}

template <class Apply>
void World::change_contact(std::size_t contact, Apply&& apply) noexcept {
  Contact& c = parts_.contacts[contact];
  leave(groups_[group_of_body_[c.sides[0].body]]), retire(c.sides[0].body);
  const double before = c.line->stored();
  apply();
  fill_ports(c), c.line->start();
  books_[parts_.bodies.size() + contact].changed.add(c.line->stored() - before);
}

template <class Apply>
void World::change_body(std::size_t body, bool moved, Apply&& apply) noexcept {
  Body& b = *parts_.bodies[body].body;
  leave(groups_[group_of_body_[body]]), retire(body);
  const double before = b.stored().total();
  apply();
  books_[body].changed.add(b.stored().total() - before);
  const auto touches = [&](std::size_t c) {
    const auto& sides = parts_.contacts[c].sides;
    return std::any_of(sides.begin(), sides.end(), [&](const Side& s) { return s.body == body; });
  };
  for (const auto i : groups_[group_of_body_[body]].solvers) {
    Solver& solver = solvers_[i];
    if (std::none_of(solver.contacts.begin(), solver.contacts.end(), touches)) continue;
    if (moved) {
      for (const auto c : solver.contacts)
        if (touches(c)) change_contact(c, [] {});
      continue;
    }
    if (solver.compliance) solver.compliance->refresh();
    assemble(solver);
  }
}

/// "auto" thinks again when contacts turn out shorter than its choice resolves.  Between contacts nothing is stored, so
/// nothing is lost; where something is, it is booked like any change.
void World::reconsider(Contact& c) noexcept {
  const std::size_t body = c.sides[0].body;
  if (stands_[body]) show(*stands_[body]);
  if (c.made_up || !(c.line->record.fewest_true_samples < 6)) return;
  for (const double phi : c.line->phi)
    if (phi != 0) return;
  const auto index = static_cast<std::size_t>(&c - parts_.contacts.data());
  change_contact(index, [&] {
    std::copy(c.line->port.begin(), c.line->port.end(), c.spare->port.begin());
    c.spare->record = c.line->record;
    for (auto& solver : solvers_)
      if (solver.island) solver.island->replace(c.line.get(), c.spare.get());
    std::swap(c.line, c.spare), c.scheme.swap(c.spare_scheme), c.why.swap(c.spare_why);
    std::fill(c.line->phi.begin(), c.line->phi.end(), 0.0);
    if (Stand* s = stands_[body].get(); s && s->contact == index) s->kernel.swap(s->spare), sort_out(groups_[group_of_body_[body]]);
  });
  c.made_up = true;
}

}  // namespace jawari
