// SPDX-License-Identifier: MIT
#include "changes.h"

#include <cmath>
#include <utility>

#include "jawari/body/modal.h"

namespace jawari {

/// A hammer comes into touch with its target where that is now.  Any other mass, and a hammer that something holds,
/// gets the speed by a push of one step, m (v - v_now)/dt: its contacts go on as they are, and the work is force times
/// displacement.
void Changes::strike(std::size_t index, double speed) noexcept {
  const BodyInfo& info = model_.bodies[index];
  BodyState& b = instance_.bodies[index];
  auto& mass = static_cast<ModalBody&>(*b.body);
  kernels_.release(model_.group_of_body[index]);
  const double before = mass.stored().total();
  if (b.held_N != 0) mass.load(0, std::exchange(b.held_N, 0.0), b.held_origin_m);
  if (!(info.target_contact != no_index && place_hammer(index, speed))) {
    const double dt = model_.dt_s;
    const double sign = info.target_contact == no_index ? 1 : info.approach_sign;
    b.blow_N = mass.mass_kg(0) * (sign * speed - mass.increments()[0] / dt) / dt;
    require_reference(model_.group_of_body[index], 1);
  }
  instance_.accounts[index].changed.add(mass.stored().total() - before);
}

void Changes::add_blow(std::size_t body) noexcept {
  double& blow = instance_.bodies[body].blow_N;
  if (blow != 0) instance_.bodies[body].body->add_force(0, std::exchange(blow, 0.0));
}

/// In touch with its target, or with whatever else it meets first.  False: the hammer would jump out of a contact or
/// into one, and stays where it is.  Its own contact gives up what it stores, and begins anew with nothing.
bool Changes::place_hammer(std::size_t index, double speed) noexcept {
  const std::size_t target = model_.bodies[index].target_contact;
  auto& body = static_cast<ModalBody&>(*instance_.bodies[index].body);
  const GroupInfo& group = model_.groups[model_.group_of_body[index]];
  const ContactInfo& info = model_.contacts[target];
  ContactState& contact = instance_.contacts[target];
  const auto others = [&](auto&& test) {
    return std::any_of(group.contacts.begin(), group.contacts.end(), [&](std::size_t c) {
      return c != target && model_.contacts[c].joint != Joint::friction && model_.meets(c, index) && test(c);
    });
  };
  const bool held = others([&](std::size_t c) {
    return model_.contacts[c].joint == Joint::spring || instance_.contacts[c].line->stored() != 0;
  });
  if (held || contact.rise_m != 0 || contact.next_rise_m != 0) return false;
  const double dt = model_.dt_s;
  double there = contact.offset_m[0];
  double closing = speed * dt;
  double sign = 1;
  for (const Side& s : info.sides) {
    const Body& side = *instance_.bodies[s.body].body;
    if (s.body == index) {
      sign = s.sign;
    } else {
      there += s.sign * side.w[s.at(0)];
      closing += s.sign * side.d[s.at(0)];
    }
  }
  const double u = body.displacements()[0];
  const double d = body.increments()[0];
  const double little_N = 1e-9 * body.mass_kg(0) * speed / dt;  // rounding of a contact just touched
  const auto ports = [&](std::size_t c) -> const std::vector<Port>& {
    instance_.fill_ports(model_.contacts[c], instance_.contacts[c]);
    return instance_.contacts[c].line->port;
  };
  const auto pushes = [&](std::size_t c) {
    const auto& list = ports(c);
    const ContactLine& line = *instance_.contacts[c].line;
    return std::any_of(list.begin(), list.end(), [&](const Port& p) {
      return !(std::abs(line.force_at(p.y, 0)) <= little_N && std::abs(line.force_at(p.y - p.d, 0)) <= little_N);
    });
  };
  double back = 0;  // a hammer of several strings waits behind the one that is nearest
  for (int tries = 0;; ++tries) {
    body.set_mode_state(0, sign * (std::min(closing, 0.0) - there - back),
                        sign * speed);  // not deeper a sample ago than now
    const bool blocked = pushes(target);
    if (!blocked && !others(pushes)) break;
    if (blocked || tries == 2) {
      body.place(0, u, d);
      return false;
    }
    double deepest = 0;
    others([&](std::size_t c) {
      for (const Port& p : ports(c)) deepest = std::max({deepest, p.y, p.y - p.d});
      return false;
    });
    back += deepest;
  }
  const double before = contact.line->stored();
  contact.line->start();
  instance_.accounts[model_.bodies.size() + target].changed.add(contact.line->stored() - before);
  return true;
}

void Changes::set(std::size_t parameter, double value) noexcept {
  const Parameter& p = model_.parameters[parameter];
  switch (p.kind) {
    case ParameterKind::frequency:
    case ParameterKind::tuning:
    case ParameterKind::damping: {
      const BodyInfo& b = model_.bodies[p.index];
      Tuning t = instance_.bodies[p.index].tuning;
      if (p.kind == ParameterKind::damping) t.added_1_s = value;
      if (p.kind == ParameterKind::tuning) t.tension = t.bending = value * value;
      if (p.kind == ParameterKind::frequency) {
        const double ratio = value / b.frequency_hz;
        t.tension = std::max((ratio * ratio - b.bending_share) / (1 - b.bending_share), 1e-4);
      }
      tune(p.index, t);
      break;
    }
    case ParameterKind::stiffness:
      stiffen(p.index, value / model_.contacts[p.index].built_stiffness);
      break;
    case ParameterKind::height: {
      ContactState& c = instance_.contacts[p.index];
      c.next_rise_m = model_.contacts[p.index].height_sign * (value - c.height_m);
      c.height_m = value;
      break;
    }
    case ParameterKind::coefficient:
      instance_.contacts[p.index].coefficient = value;
      break;
    case ParameterKind::normal:
      instance_.contacts[p.index].normal_N = value;
      break;
    case ParameterKind::gain:
      instance_.gains[p.index] = value;
      break;
    case ParameterKind::amplitude:
      instance_.drives[p.index].amplitude = value;
      break;
    case ParameterKind::position:
      move_along(p.index, value);
      break;
    case ParameterKind::listening:
      listen_at(p.index, value);
      break;
    case ParameterKind::force:
      press(p.index, value);
      break;
  }
}

/// So many times as stiff as built.  What the contacts store changes by K+/K, and nothing else: the difference is the
/// work.
void Changes::stiffen(std::size_t contact, double factor) noexcept {
  ContactState& c = instance_.contacts[contact];
  kernels_.release(model_.group_of_contact(contact));
  const double before = c.line->stored();
  if (c.stiffness > 0) c.stiffness = std::min(c.stiffness, c.stiffness * (factor / c.factor));
  apply_stiffness(contact, factor);
  instance_.accounts[model_.bodies.size() + contact].changed.add(c.line->stored() - before);
}

void Changes::apply_stiffness(std::size_t contact, double factor) noexcept {
  ContactState& c = instance_.contacts[contact];
  c.factor = factor;
  c.line->scale_stiffness(factor);
  if (c.fallback) c.fallback->scale_stiffness(factor);
  kernels_.scale_stiffness(contact, factor);
}

/// Contacts go on as they are: what changes is what the body stores, and how it yields.
void Changes::tune(std::size_t body, const Tuning& tuning) noexcept {
  const Body& b = *instance_.bodies[body].body;
  kernels_.release(model_.group_of_body[body]);
  const double before = b.stored().total();
  apply_tuning(body, tuning);
  instance_.accounts[body].changed.add(b.stored().total() - before);
}

void Changes::apply_tuning(std::size_t body, const Tuning& tuning) noexcept {
  BodyState& b = instance_.bodies[body];
  b.tuning = tuning;
  b.body->retune(tuning.tension, tuning.bending, tuning.added_1_s);
  islands_.refresh(body);
  kernels_.retuned(body);
}

/// Between contacts, where the new scheme begins with nothing; what the old one left stored counts as taken away.
void Changes::switch_to_fallback(std::size_t contact) noexcept {
  ContactState& c = instance_.contacts[contact];
  const std::size_t group = model_.group_of_contact(contact);
  kernels_.sync(group);
  if (c.fallback_used || !(c.line->record.fewest_true_samples < 6)) return;
  for (const double phi : c.line->phi)
    if (phi != 0) return;
  kernels_.release(group);
  instance_.fill_ports(model_.contacts[contact], c);
  for (const Port& p : c.line->port)
    if (c.line->force_at(p.y, 0) != 0 || c.line->force_at(p.y - p.d, 0) != 0) return;
  const double before = c.line->stored();
  std::copy(c.line->port.begin(), c.line->port.end(), c.fallback->port.begin());
  c.fallback->record = c.line->record;
  switch_scheme(contact);
  std::fill(c.line->phi.begin(), c.line->phi.end(), 0.0);
  c.line->start();
  instance_.accounts[model_.bodies.size() + contact].changed.add(c.line->stored() - before);
}

void Changes::switch_scheme(std::size_t contact) noexcept {
  ContactState& c = instance_.contacts[contact];
  islands_.replace(contact, c.fallback.get());
  std::swap(c.line, c.fallback);
  c.fallback_used = !c.fallback_used;
  kernels_.switch_scheme(contact);
}

}  // namespace jawari
