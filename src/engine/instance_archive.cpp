// SPDX-License-Identifier: MIT
#include "instance_archive.h"

namespace jawari {
namespace {

void archive_body(Archive& a, std::size_t index, Instance& instance, Changes& changes) noexcept {
  BodyState& b = instance.bodies[index];
  Tuning tuning = b.tuning;
  a(tuning.tension, tuning.bending, tuning.added_1_s);
  if (a.reads() && !(tuning == b.tuning)) changes.apply_tuning(index, tuning);
  a(b.held_N, b.held_origin_m, b.blow_N, b.pressed_N);
  b.body->archive(a);
}

void archive_contact(Archive& a, std::size_t index, Instance& instance, Changes& changes) noexcept {
  ContactState& c = instance.contacts[index];
  double factor = c.factor;
  bool fallback_used = c.fallback_used;
  a(factor, fallback_used);
  if (a.reads() && factor != c.factor) changes.apply_stiffness(index, factor);
  if (a.reads() && fallback_used != c.fallback_used && c.fallback) changes.switch_scheme(index);
  a(c.coefficient, c.normal_N, c.height_m, c.rise_m, c.next_rise_m, c.offset_m, c.stiffness);
  a(c.position_m, c.shift, c.shifts);
  c.line->archive(a);
  if (c.fallback) c.fallback->archive(a);
}

void archive_group(Archive& a, const Model& model, std::size_t index, Instance& instance) noexcept {
  GroupState& g = instance.groups[index];
  a(g.step, g.reference_until, g.asleep, g.measured, g.measured_step, g.next_band);
  a.index(g.next_event, model.groups[index].events.size());
  archive_failure(a, model, g.failure);
  g.due = no_index;
}

}  // namespace

void archive_failure(Archive& a, const Model& model, Failure& failure) noexcept {
  a(failure.why, failure.part, failure.first_step, failure.last_step);
  const bool contact = failure.part == Failure::Part::contact;
  const bool body = failure.part == Failure::Part::body;
  const std::size_t count = contact ? model.contacts.size() : body ? model.bodies.size() : 1;
  a.index(failure.index, count > 0 ? count - 1 : 0);
}

void archive_instance(Archive& a, const Model& model, Instance& instance, Changes& changes) noexcept {
  for (std::size_t i = 0; i < instance.parameters.size(); ++i) {
    ParameterState& p = instance.parameters[i];
    a(p.value, p.from, p.to, p.steps, p.done);
    if (a.reads()) changes.apply_position(i, p.value);
  }
  for (std::size_t b = 0; b < instance.bodies.size(); ++b) archive_body(a, b, instance, changes);
  for (std::size_t c = 0; c < instance.contacts.size(); ++c) archive_contact(a, c, instance, changes);
  for (auto& d : instance.drives) {
    a(d.amplitude, d.before, d.begun);
    d.signal.archive(a);
  }
  a(instance.gains);
  for (std::size_t g = 0; g < instance.groups.size(); ++g) archive_group(a, model, g, instance);
  a(instance.accounts);
  instance.queue.archive(a);
  if (!a.reads() || instance.queue.all_of([&](const Event& e) { return model.takes(e); })) return;
  instance.queue.clear();
  a.refuse();
}

}  // namespace jawari
