// SPDX-License-Identifier: MIT
// The state of a world as bytes: bodies, contacts, parameters on their way, events that wait, accounts.  What a model
// is made of (matrices, laws, tables) is not part of it; where a parameter has changed these, reading sets them anew
// first.
#include "jawari/body/driven.h"
#include "jawari/body/modal.h"
#include "jawari/engine/state.h"
#include "world_stand.h"

namespace jawari {

void World::archive(Archive& a) noexcept {
  for (auto& g : groups_) leave(g);
  a(steps_, ledger_);
  archive(a, failure_);
  for (std::size_t k = 0; k < knobs_.size(); ++k) {
    Ramp& r = ramps_[k];
    a(knobs_[k].value, r.from, r.to, r.steps, r.done);
  }
  for (std::size_t b = 0; b < parts_.bodies.size(); ++b) archive_body(a, b);
  for (std::size_t c = 0; c < parts_.contacts.size(); ++c) archive_contact(a, c);
  for (auto& d : parts_.drives) {
    a(d.amplitude, d.before, d.begun);
    d.signal->archive(a);
  }
  for (auto& p : parts_.pickups) a(p.gain);
  for (auto& g : groups_) archive_group(a, g);
  a(books_, body_stored_, contact_stored_);
  for (auto& b : band_share_) b.archive(a);
  queue_.archive(a);
  if (!a.reads()) return;
  if (!queue_.all_of([&](const Event& e) { return takes(e); })) {
    queue_.clear();
    a.refuse();
  }
  due_.clear();
  for (auto& s : stands_) {
    if (!s) continue;
    for (auto* kernel : {s->kernel.get(), s->spare.get()})
      if (kernel) kernel->forget();
    if (s->lone) s->lone->forget();
  }
}

void World::archive(Archive& a, Failure& failure) const noexcept {
  a(failure.why, failure.part, failure.first_step, failure.last_step);
  const bool contact = failure.part == Failure::Part::contact, body = failure.part == Failure::Part::body;
  const std::size_t count = contact ? parts_.contacts.size() : body ? parts_.bodies.size() : 1;
  a.index(failure.index, count > 0 ? count - 1 : 0);
}

void World::archive_body(Archive& a, std::size_t index) noexcept {
  NamedBody& b = parts_.bodies[index];
  Tuning tuning = tuning_[index];
  a(tuning.tension, tuning.bending, tuning.added);
  if (a.reads() && !(tuning == tuning_[index])) {
    tuning_[index] = tuning;
    set_tuning(index);
  }
  a(b.held_N, b.held_origin_m, b.blow_N);
  b.body->archive(a);
}

void World::archive_contact(Archive& a, std::size_t index) noexcept {
  Contact& c = parts_.contacts[index];
  double factor = c.factor;
  bool changed = c.made_up;
  a(factor, changed);
  if (a.reads() && factor != c.factor) set_stiffness(index, factor);
  if (a.reads() && changed != c.made_up && c.spare) change_scheme(c);
  a(c.coefficient, c.normal_N, c.height_m, c.rise_m, c.next_rise_m, c.offset_m, c.stiffness);
  c.line->archive(a);
  if (c.spare) c.spare->archive(a);
}

void World::archive_group(Archive& a, Group& g) noexcept {
  a(g.step, g.busy_until, g.asleep, g.weighed, g.weighed_step, g.next_look);
  a.index(g.next, g.planned.size());
  archive(a, g.failure);
  g.due = none;
}

std::uint64_t World::fingerprint() const {
  Fingerprint f;
  f.add(dt_);
  for (const auto& b : parts_.bodies) {
    f.add(b.name);
    f.add(b.body->taps());
    f.add(b.origin_m);
    f.add(b.toward);
    f.add(b.away_m);
    if (const auto* modes = dynamic_cast<const ModalBody*>(b.body.get())) {
      for (std::size_t i = 0; i < modes->modes(); ++i) {
        const auto c = modes->coeffs(i);
        for (const double x : {c.lag, c.D, c.C, modes->load_N(i)}) f.add(x);
        for (std::size_t t = modes->sines(); t < modes->taps(); ++t) f.add(modes->shape(t, i));
      }
    }
    if (const auto* grid = dynamic_cast<const StringGrid*>(b.body.get())) {
      const GridNumbers n = grid->numbers();
      for (const double x : {n.tension, n.bending, n.s0, n.s1, n.q0, n.gamma}) f.add(x);
      f.add(grid->nodes());
    }
    for (std::size_t t = 0; t < b.body->taps(); ++t) {
      f.add(b.body->w[t]);
      f.add(b.body->d[t]);
    }
  }
  for (const auto& c : parts_.contacts) {
    f.add(c.name);
    f.add(c.law);
    f.add(c.scheme);
    for (const auto& [name, value] : c.choice.values) {
      f.add(name);
      f.add(value);
    }
    for (const double x : c.choice.force_N) f.add(x);
    for (const double x : {c.weight, c.coefficient, c.normal_N, c.built_stiffness}) f.add(x);
    for (const double x : c.offset_m) f.add(x);
    for (const Side& s : c.sides) {
      f.add(s.body);
      f.add(s.tap);
      f.add(s.sign);
    }
  }
  for (const auto& d : parts_.drives) {
    f.add(d.name);
    f.add(d.body);
    f.add(d.tap);
    d.signal->constants([&](double x) { f.add(x); });
  }
  for (const auto& p : parts_.pickups) {
    f.add(p.name);
    f.add(p.gain);
    f.add(p.tap);
    f.add(static_cast<std::size_t>(p.quantity));
  }
  for (const auto& g : groups_)
    for (const auto& t : g.planned) {
      f.add(t.step);
      f.add(static_cast<std::size_t>(t.event.type));
      f.add(t.event.target);
      f.add(t.event.value);
      f.add(t.event.duration_s);
    }
  return f.value();
}

}  // namespace jawari
