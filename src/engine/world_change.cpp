// SPDX-License-Identifier: MIT
// What changes while a world runs: parameters and strikes.  No change begins a contact anew while it stores energy:
//   height      the contact's surface is a wall on the move, h per step: the scheme sees it as a part of its free step, and
//               the mover's work is -phi (h^{n+1} - h^{n-1})/2                                                    (V2)
//   stiffness   what is stored changes by the factor K+/K, and the difference is the work                          (V3)
//   strike      a push m (v - v_now)/dt for one step, work force times displacement; a hammer that touches nothing else
//               is placed anew and can only give energy up in its contact                                          (V4)
//   tuning      the body's own stored energy is read before and after, and the difference is the work
#include <algorithm>
#include <cmath>
#include <utility>

#include "jawari/body/modal.h"
#include "world_stand.h"

namespace jawari {

bool World::meets(const Contact& c, std::size_t body) const noexcept {
  return std::any_of(c.sides.begin(), c.sides.end(), [&](const Side& s) { return s.body == body; });
}

void World::NamedBody::hold() noexcept {
  auto& mass = static_cast<ModalBody&>(*body);
  held_N = mass.load_N(0);
  held_origin_m = mass.load_origin_m(0);
  mass.load(0, 0, 0);
  mass.throw_mode(0, mass.displacements()[0], 0);
}

/// A hammer comes into touch with its target where that is now.  Any other mass, and a hammer that something holds, gets
/// the speed by a push of one step, m (v - v_now)/dt: its contacts go on as they are, and the work is force times
/// displacement.
void World::strike(std::size_t index, double speed) noexcept {
  NamedBody& b = parts_.bodies[index];
  auto& mass = static_cast<ModalBody&>(*b.body);
  Group& group = groups_[group_of_body_[index]];
  leave(group);
  const double before = mass.stored().total();
  if (b.held_N != 0) mass.load(0, std::exchange(b.held_N, 0.0), b.held_origin_m);
  if (!(b.home != none && place_hammer(index, speed))) {
    const double sign = b.home == none ? 1 : b.toward;
    b.blow_N = mass.mass_kg(0) * (sign * speed - mass.increments()[0] / dt_) / dt_;
    busy(group, 1);
  }
  books_[index].changed.add(mass.stored().total() - before);
}

/// In touch with its target, or with whatever else it meets first.  False: the hammer would jump out of a contact or into
/// one, and stays where it is.  Its own contact gives up what it stores, and begins anew with nothing.
bool World::place_hammer(std::size_t index, double speed) noexcept {
  NamedBody& hammer = parts_.bodies[index];
  auto& body = static_cast<ModalBody&>(*hammer.body);
  const Group& group = groups_[group_of_body_[index]];
  Contact& home = parts_.contacts[hammer.home];
  const auto others = [&](auto&& held) {
    return std::any_of(group.contacts.begin(), group.contacts.end(), [&](std::size_t c) {
      Contact& other = parts_.contacts[c];
      return c != hammer.home && other.joint != Joint::friction && meets(other, index) && held(other);
    });
  };
  const bool held = others([](const Contact& c) { return c.joint == Joint::spring || c.line->stored() != 0; });
  if (held || home.rise_m != 0 || home.next_rise_m != 0) return false;
  double there = home.offset_m[0], closing = speed * dt_, sign = 1;
  for (const Side& s : home.sides) {
    const Body& side = *parts_.bodies[s.body].body;
    if (s.body == index) {
      sign = s.sign;
    } else {
      there += s.sign * side.w[s.at(0)];
      closing += s.sign * side.d[s.at(0)];
    }
  }
  const double u = body.displacements()[0], d = body.increments()[0];
  const double little_N = 1e-9 * body.mass_kg(0) * speed / dt_;  // rounding of a contact just touched
  const auto pushes = [&](Contact& c) {
    fill_ports(c);
    return std::any_of(c.line->port.begin(), c.line->port.end(), [&](const Port& p) {
      return !(std::abs(c.line->force_at(p.y, 0)) <= little_N && std::abs(c.line->force_at(p.y - p.d, 0)) <= little_N);
    });
  };
  double back = 0;  // a hammer of several strings waits behind the one that is nearest
  for (int tries = 0;; ++tries) {
    body.throw_mode(0, sign * (std::min(closing, 0.0) - there - back), sign * speed);  // not deeper a sample ago than now
    const bool blocked = pushes(home);
    if (!blocked && !others(pushes)) break;
    if (blocked || tries == 2) {
      body.place(0, u, d);
      return false;
    }
    double deepest = 0;
    others([&](Contact& c) {
      fill_ports(c);
      for (const Port& p : c.line->port) deepest = std::max({deepest, p.y, p.y - p.d});
      return false;
    });
    back += deepest;
  }
  const double before = home.line->stored();
  home.line->start();
  books_[parts_.bodies.size() + hammer.home].changed.add(home.line->stored() - before);
  return true;
}

/// A height moves for one step at least: it is a wall on the move, never one that jumps.
void World::turn(std::size_t index, double value, double duration_s) noexcept {
  Knob& knob = knobs_[index];
  Ramp& r = ramps_[index];
  value = std::clamp(value, knob.least, knob.most);
  r.from = knob.value, r.to = value, r.done = 0;
  r.steps = std::llround(std::min(duration_s / dt_, 1e15));
  if (r.kind == KnobKind::height) {
    r.steps = std::max<std::int64_t>(r.steps, 1);
    busy(groups_[group_of_knob_[index]], 1);
  } else if (r.steps < 1) {
    r.steps = 0;
    set(r, value);
    knob.value = value;
  }
}

void World::ramp(Ramp& r, std::int64_t steps) noexcept {
  r.done = std::min(r.steps, r.done + steps);
  const double t = static_cast<double>(r.done) / static_cast<double>(r.steps);
  const auto index = static_cast<std::size_t>(&r - ramps_.data());
  const double value = r.done == r.steps ? r.to : r.from + t * (r.to - r.from);
  if (r.done == r.steps) r.steps = 0;
  set(r, value);
  knobs_[index].value = value;
  if (r.kind == KnobKind::height) busy(groups_[group_of_knob_[index]], 2);  // this step, and the one that still sees it move
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
      tune(r.index);
      break;
    }
    case KnobKind::stiffness:
      stiffen(r.index, value / parts_.contacts[r.index].built_stiffness);
      break;
    case KnobKind::height: {
      Contact& c = parts_.contacts[r.index];
      c.next_rise_m = c.height_sign * (value - c.height_m);
      c.height_m = value;
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

/// So many times as stiff as built.  What the contacts store changes by K+/K, and nothing else: the difference is the work.
void World::stiffen(std::size_t contact, double factor) noexcept {
  Contact& c = parts_.contacts[contact];
  leave(groups_[group_of_body_[c.sides[0].body]]);
  const double before = c.line->stored();
  if (c.stiffness > 0) c.stiffness = std::min(c.stiffness, c.stiffness * (factor / c.factor));
  set_stiffness(contact, factor);
  books_[parts_.bodies.size() + contact].changed.add(c.line->stored() - before);
}
void World::set_stiffness(std::size_t contact, double factor) noexcept {
  Contact& c = parts_.contacts[contact];
  const std::size_t body = c.sides[0].body;
  c.factor = factor;
  c.line->weigh(factor);
  if (c.spare) c.spare->weigh(factor);
  if (Stand* s = stands_[body].get(); s && s->contact == contact) {
    for (auto* kernel : {s->kernel.get(), s->spare.get()})
      if (kernel) kernel->weigh(factor);
    if (s->lone) s->lone->weigh(factor);
  }
}

/// Contacts go on as they are: what changes is what the body stores, and how it yields.
void World::tune(std::size_t body) noexcept {
  const Body& b = *parts_.bodies[body].body;
  leave(groups_[group_of_body_[body]]);
  const double before = b.stored().total();
  set_tuning(body);
  books_[body].changed.add(b.stored().total() - before);
}
void World::set_tuning(std::size_t body) noexcept {
  parts_.bodies[body].body->tune(tuning_[body].tension, tuning_[body].bending, tuning_[body].added);
  Group& group = groups_[group_of_body_[body]];
  for (const auto i : group.solvers) {
    Solver& solver = solvers_[i];
    const auto touches = [&](std::size_t c) { return meets(parts_.contacts[c], body); };
    if (std::none_of(solver.contacts.begin(), solver.contacts.end(), touches)) continue;
    if (solver.compliance) solver.compliance->refresh();
    assemble(solver);
  }
  Stand* s = stands_[body].get();
  if (!s || !s->lone) return;
  if (const bool fits = s->lone->refresh(); fits == s->retired) {
    s->retired = !fits;
    sort_out(group);
  }
}

/// "auto" thinks again when contacts turn out shorter than its choice resolves.  Between contacts, where the new scheme
/// begins with nothing; what the old one left stored counts as taken away.
void World::reconsider(Contact& c) noexcept {
  const std::size_t body = c.sides[0].body;
  if (stands_[body]) show(*stands_[body]);
  if (c.made_up || !(c.line->record.fewest_true_samples < 6)) return;
  for (const double phi : c.line->phi)
    if (phi != 0) return;
  leave(groups_[group_of_body_[body]]);
  fill_ports(c);
  for (const Port& p : c.line->port)
    if (c.line->force_at(p.y, 0) != 0 || c.line->force_at(p.y - p.d, 0) != 0) return;
  const auto index = static_cast<std::size_t>(&c - parts_.contacts.data());
  const double before = c.line->stored();
  std::copy(c.line->port.begin(), c.line->port.end(), c.spare->port.begin());
  c.spare->record = c.line->record;
  change_scheme(c);
  std::fill(c.line->phi.begin(), c.line->phi.end(), 0.0);
  c.line->start();
  books_[parts_.bodies.size() + index].changed.add(c.line->stored() - before);
}
void World::change_scheme(Contact& c) noexcept {
  for (auto& solver : solvers_)
    if (solver.island) solver.island->replace(c.line.get(), c.spare.get());
  std::swap(c.line, c.spare);
  c.scheme.swap(c.spare_scheme);
  c.why.swap(c.spare_why);
  const std::size_t body = c.sides[0].body;
  const auto index = static_cast<std::size_t>(&c - parts_.contacts.data());
  if (Stand* s = stands_[body].get(); s && s->contact == index) {
    s->kernel.swap(s->spare);
    sort_out(groups_[group_of_body_[body]]);
  }
  c.made_up = !c.made_up;
}

}  // namespace jawari
