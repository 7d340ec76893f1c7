// SPDX-License-Identifier: MIT
// Fingerprint of a model: equal only where states may be exchanged.
#include "jawari/body/modal.h"
#include "jawari/body/string_grid.h"
#include "jawari/engine/state.h"
#include "model_tables.h"

namespace jawari {
namespace {

void add_body(Fingerprint& f, const BodyInfo& info, const Body& body) {
  f.add(info.name);
  f.add(body.taps());
  f.add(info.origin_m);
  f.add(info.approach_sign);
  f.add(info.rest_distance_m);
  if (const auto* modes = dynamic_cast<const ModalBody*>(&body)) {
    for (std::size_t i = 0; i < modes->modes(); ++i) {
      const auto c = modes->coeffs(i);
      for (const double x : {c.lag, c.D, c.C, modes->load_N(i)}) f.add(x);
      for (std::size_t t = modes->sines(); t < modes->taps(); ++t) f.add(modes->shape(t, i));
    }
  }
  if (const auto* grid = dynamic_cast<const StringGrid*>(&body)) {
    const GridNumbers n = grid->numbers();
    for (const double x : {n.tension, n.bending, n.s0, n.s1, n.q0, n.gamma}) f.add(x);
    f.add(grid->nodes());
  }
  for (std::size_t t = 0; t < body.taps(); ++t) {
    f.add(body.w[t]);
    f.add(body.d[t]);
  }
}

void add_contact(Fingerprint& f, const ContactInfo& info, const ContactState& state) {
  f.add(info.name);
  f.add(info.law);
  f.add(info.scheme);
  f.add(info.fallback_scheme);
  for (const auto& [name, value] : info.law_spec.values) {
    f.add(name);
    f.add(value);
  }
  for (const double x : info.law_spec.force_N) f.add(x);
  for (const double x : {info.weight, state.coefficient, state.normal_N, info.built_stiffness}) f.add(x);
  for (const double x : state.offset_m) f.add(x);
  for (const Side& s : info.sides) {
    f.add(s.body);
    f.add(s.tap);
    f.add(s.sign);
  }
}

}  // namespace

std::uint64_t fingerprint(const Model& model, const Instance& instance) {
  Fingerprint f;
  f.add(model.dt_s);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) add_body(f, model.bodies[i], *instance.bodies[i].body);
  for (std::size_t i = 0; i < model.contacts.size(); ++i) add_contact(f, model.contacts[i], instance.contacts[i]);
  for (std::size_t i = 0; i < model.drives.size(); ++i) {
    const DriveInfo& d = model.drives[i];
    f.add(d.name);
    f.add(d.body);
    f.add(d.tap);
    instance.drives[i].signal.constants([&](double x) { f.add(x); });
  }
  for (const auto& p : model.pickups) {
    f.add(p.name);
    f.add(p.gain);
    f.add(p.tap);
    f.add(static_cast<std::size_t>(p.quantity));
  }
  for (const auto& g : model.groups)
    for (const auto& t : g.events) {
      f.add(t.step);
      f.add(static_cast<std::size_t>(t.event.type));
      f.add(t.event.target);
      f.add(t.event.value);
      f.add(t.event.duration_s);
    }
  return f.value();
}

}  // namespace jawari
