// SPDX-License-Identifier: MIT
// From parts to a model and its instance at t = 0: islands, groups, start of the contacts, parameters, events.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "islands.h"
#include "jawari/couple/connection.h"
#include "jawari/engine/ledger.h"
#include "jawari/engine/parts.h"
#include "jawari/engine/state.h"
#include "model_tables.h"
#include "speeds.h"

namespace jawari {
namespace {

constexpr const char* channel_suffix[] = {".displacement_m", ".velocity_m_s", ".acceleration_m_s2",
                                          ".force_N",        ".force_N",      ".force_N"};

/// The static half of every part goes to the model, the moving half to the instance.
void split(Parts&& parts, Model& model, Instance& instance) {
  for (auto& b : parts.bodies) {
    model.bodies.push_back(static_cast<BodyInfo&&>(b));
    instance.bodies.push_back(static_cast<BodyState&&>(b));
  }
  for (auto& c : parts.contacts) {
    model.contacts.push_back(static_cast<ContactInfo&&>(c));
    instance.contacts.push_back(static_cast<ContactState&&>(c));
  }
  for (auto& d : parts.drives) {
    model.drives.push_back(static_cast<DriveInfo&&>(d));
    instance.drives.push_back(static_cast<DriveState&&>(d));
  }
  for (const auto& p : parts.pickups) instance.gains.push_back(p.gain);
  for (const auto& d : instance.drives)
    if (d.signal.takes_input()) model.inputs = std::max(model.inputs, d.signal.channel() + 1);
  model.pickups = std::move(parts.pickups);
  model.drawings = std::move(parts.drawings);
  model.barriers = std::move(parts.barriers);
}

void name_channels(Model& model) {
  for (const auto& b : model.bodies)
    for (const auto& r : b.readings)
      model.channels.push_back(r.name + channel_suffix[static_cast<std::size_t>(r.quantity)]);
  for (const auto& c : model.contacts)
    for (const auto* q : {".compression_m", ".force_N", ".energy_J"}) model.channels.push_back(c.name + q);
  for (const auto* q : Ledger::names) model.channels.emplace_back(std::string("ledger.") + q);
}

/// A body that begins inside a contact: the sample before t = 0 follows the contact force too, or the whole run would
/// be first order.  Only where the step resolves the contact; elsewhere the half-step is meaningless.
void apply_initial_forces(const Model& model, Instance& instance) noexcept {
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    const ContactInfo& info = model.contacts[i];
    ContactState& c = instance.contacts[i];
    instance.fill_ports(info, c);
    for (std::size_t p = 0; p < c.offset_m.size(); ++p) {
      const Port& port = c.line->port[p];
      double force = c.line->force_at(port.y, port.d / model.dt_s);
      if (info.joint == Joint::friction && port.q > 0) {  // at rest it bears the load, on the move its own limit
        const double load = (port.s_free - 2 * port.d) / port.q;
        const double limit = c.coefficient * c.normal_N;
        const bool rests = std::abs(port.s_free) <= 1e-9 * std::abs(port.q * load) && std::abs(load) <= limit;
        force = rests ? load : std::copysign(limit, port.s_free);
      }
      if (force == 0 || port.q * c.line->slope_at(port.y) > 1) continue;
      for (const Side& s : info.sides) instance.bodies[s.body].body->force[s.at(p)] -= s.sign * force;
    }
  }
  for (auto& b : instance.bodies)
    if (std::any_of(b.body->force.begin(), b.body->force.end(), [](double f) { return f != 0; }))
      b.body->apply_initial_forces();
}

/// Bodies joined by contacts, connections or friction, and whatever presses a friction.
void find_groups(Model& model) {
  const std::size_t n = model.bodies.size();
  std::vector<std::size_t> root(n);
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto join = [&](std::size_t a, std::size_t b) {
    const std::size_t from = std::max(root[a], root[b]);
    const std::size_t to = std::min(root[a], root[b]);
    for (auto& r : root)
      if (r == from) r = to;
  };
  for (const auto& c : model.contacts) {
    for (const Side& s : c.sides) join(c.sides[0].body, s.body);
    if (c.normal != no_index) join(c.sides[0].body, model.contacts[c.normal].sides[0].body);
  }
  model.group_of_body.resize(n);
  for (std::size_t r = 0; r < n; ++r) {
    GroupInfo g;
    for (std::size_t b = 0; b < n; ++b) {
      if (root[b] != r) continue;
      g.bodies.push_back(b);
      model.group_of_body[b] = model.groups.size();
    }
    if (!g.bodies.empty()) model.groups.push_back(std::move(g));
  }
  for (std::size_t i = 0; i < model.contacts.size(); ++i) model.groups[model.group_of_contact(i)].contacts.push_back(i);
  const auto rubs = [&](std::size_t i) {
    const auto& list = model.islands[i].contacts;
    return std::any_of(list.begin(), list.end(), [&](auto c) { return model.contacts[c].normal != no_index; });
  };
  for (const bool friction : {false, true})  // what presses comes first
    for (std::size_t i = 0; i < model.islands.size(); ++i)
      if (rubs(i) == friction) model.groups[model.group_of_contact(model.islands[i].contacts[0])].islands.push_back(i);
  for (std::size_t i = 0; i < model.drives.size(); ++i)
    model.groups[model.group_of_body[model.drives[i].body]].drives.push_back(i);
  for (std::size_t i = 0; i < model.pickups.size(); ++i) {
    const Pickup& p = model.pickups[i];
    model.groups[p.contact ? model.group_of_contact(p.index) : model.group_of_body[p.index]].pickups.push_back(i);
  }
}

/// Receptance of every point by itself, as the lines of contacts need it from the start.
void set_receptances(const Model& model, Instance& instance) noexcept {
  for (std::size_t i = 0; i < model.contacts.size(); ++i)
    for (std::size_t p = 0; p < instance.contacts[i].offset_m.size(); ++p)
      instance.contacts[i].line->port[p].q = receptance(model, instance, i, p, i, p);
}

}  // namespace

BuiltModel build_model(Parts parts) {
  auto model = std::make_shared<Model>();
  auto instance = std::make_unique<Instance>(parts.dt_s);
  const Limits limits = parts.limits;
  const std::vector<EventSpec> events = std::move(parts.events);
  model->dt_s = parts.dt_s;
  model->rate_hz = parts.rate_hz;
  model->steps_per_sample = parts.steps_per_sample;
  model->kernels = parts.kernels;
  split(std::move(parts), *model, *instance);
  name_channels(*model);
  for (auto& b : instance->bodies) b.body->predict();  // receptances of a modulated string belong to its shape
  model->islands = find_islands(*model, *instance, limits);
  set_receptances(*model, *instance);
  apply_initial_forces(*model, *instance);
  for (std::size_t i = 0; i < model->contacts.size(); ++i) {  // bodies are placed: now the contacts
    instance->fill_ports(model->contacts[i], instance->contacts[i]);
    instance->contacts[i].line->start();
  }
  limit_stiffness(*model, *instance, limits);
  limit_heights(*model, *instance, limits);
  check_compressed(*model, *instance, limits);
  find_groups(*model);
  make_parameters(*model, *instance);
  schedule_events(*model, events);
  instance->groups.resize(model->groups.size());
  instance->accounts.resize(model->accounts());
  for (std::size_t i = 0; i < instance->accounts.size(); ++i)
    instance->accounts[i].start = instance->residual(i, instance->stored(i));
  model->fingerprint = fingerprint(*model, *instance);
  model->start = std::make_shared<const Instance>(*instance);
  return {std::move(model), std::move(instance)};
}

}  // namespace jawari
