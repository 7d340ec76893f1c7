// SPDX-License-Identifier: MIT
#include "step_recorder.h"

#include <algorithm>
#include <cmath>

#include "probes.h"

namespace jawari {
namespace {

constexpr std::size_t channels_per_contact = 3;  // compression, force, energy

}  // namespace

StepRecorder::StepRecorder(const Model& model, Instance& instance, KernelSet& kernels, Accounts& accounts)
    : model_(model),
      instance_(instance),
      kernels_(kernels),
      accounts_(accounts),
      barrier_of_contact_(model.contacts.size(), no_index) {
  for (const BodyInfo& b : model.bodies) {
    first_channel_.push_back(contact_channel_);
    contact_channel_ += b.readings.size();
  }
  ledger_channel_ = contact_channel_ + channels_per_contact * model.contacts.size();
  for (std::size_t i = 0; i < model.barriers.size(); ++i) barrier_of_contact_[model.barriers[i].contact] = i;
}

void StepRecorder::allocate() {
  body_rows_.resize(most_steps * model_.bodies.size());
  contact_rows_.resize(most_steps * model_.contacts.size());
  kernel_rows_.resize(most_steps * model_.bodies.size());
}

void StepRecorder::begin(const ProbeBuffers& to, std::int64_t done, std::int64_t first_step, std::int64_t audit_every) {
  active_ = !to.empty();
  if (!active_) return;
  if (kernel_rows_.empty()) allocate();
  to_ = to;
  done_ = done;
  first_step_ = first_step;
  audit_every_ = audit_every;
}

double* StepRecorder::column(std::size_t channel, std::int64_t at) const noexcept {
  return to_.channels[channel] + done_ + at;
}
BodyEnergy& StepRecorder::body_row(std::size_t body, std::int64_t at) noexcept {
  return body_rows_[static_cast<std::size_t>(at) * model_.bodies.size() + body];
}
ContactEnergy& StepRecorder::contact_row(std::size_t contact, std::int64_t at) noexcept {
  return contact_rows_[static_cast<std::size_t>(at) * model_.contacts.size() + contact];
}

void StepRecorder::record_body(std::size_t index, std::int64_t at, bool energy) noexcept {
  if (!to_.channels.empty()) {
    std::size_t channel = first_channel_[index];
    for (const Reading& r : model_.bodies[index].readings)
      *column(channel++, at) = tap_value(model_, instance_, index, r.tap, r.quantity);
  }
  if (energy) body_row(index, at) = accounts_.body_energy(index, instance_.bodies[index].body->stored());
}

void StepRecorder::record_contact(std::size_t index, std::int64_t at, bool energy) noexcept {
  const ContactLine& line = *instance_.contacts[index].line;
  const double stored = line.stored();
  if (!to_.channels.empty()) {
    double deepest = line.port[0].y;
    double force = 0;
    for (const Port& p : line.port) deepest = std::max(deepest, p.y);
    for (const double phi : line.phi) force -= phi;
    const std::size_t channel = contact_channel_ + channels_per_contact * index;
    *column(channel, at) = deepest;
    *column(channel + 1, at) = force;
    *column(channel + 2, at) = stored;
  }
  if (energy) contact_row(index, at) = accounts_.contact_energy(index, stored);
  if (const std::size_t barrier = barrier_of_contact_[index]; barrier != no_index && !to_.largest_force_N.empty())
    keep_largest(to_.largest_force_N[barrier], line.phi);
}

void StepRecorder::record(std::size_t group, std::int64_t at, bool beside, bool asleep) noexcept {
  const GroupInfo& info = model_.groups[group];
  const bool energy = asleep || due(at);  // repeat() copies it
  for (const auto b : info.bodies)
    if (!beside || !kernels_.binding(b)) record_body(b, at, energy);
  for (const auto c : info.contacts)
    if (!beside || !kernels_.owns(c)) record_contact(c, at, energy);
}

void StepRecorder::repeat(std::size_t group, std::int64_t from, std::int64_t to) noexcept {
  const GroupInfo& info = model_.groups[group];
  const auto fill = [&](std::size_t channel, std::size_t count) {
    for (std::size_t i = 0; i < count && !to_.channels.empty(); ++i)
      std::fill(column(channel + i, from + 1), column(channel + i, to), *column(channel + i, from));
  };
  for (const auto b : info.bodies) {
    fill(first_channel_[b], model_.bodies[b].readings.size());
    const BodyEnergy energy = body_row(b, from);
    for (std::int64_t at = from; at < to; ++at)
      if (due(at)) body_row(b, at) = energy;
  }
  for (const auto c : info.contacts) {
    fill(contact_channel_ + channels_per_contact * c, channels_per_contact);
    const ContactEnergy energy = contact_row(c, from);
    for (std::int64_t at = from; at < to; ++at)
      if (due(at)) contact_row(c, at) = energy;
  }
}

void StepRecorder::request(const KernelSet::Binding& b, std::int64_t at) noexcept {
  KernelSet::Shared& shared = kernels_.shared(b.kernel);
  if (!to_.channels.empty()) {
    std::size_t channel = first_channel_[b.body];
    for (const Reading& r : model_.bodies[b.body].readings)
      shared.probes.push_back({b.member, r.tap, kernel_probe(r.quantity), column(channel++, at)});
    if (b.contact != no_index)
      shared.probes.push_back(
          {b.member, 0, StringProbe::force, column(contact_channel_ + channels_per_contact * b.contact + 1, at)});
  }
  std::span<double> largest;
  const std::size_t barrier = b.contact == no_index ? no_index : barrier_of_contact_[b.contact];
  if (barrier != no_index && !to_.largest_force_N.empty()) largest = to_.largest_force_N[barrier];
  const auto every = static_cast<std::size_t>(audit_every_);
  const std::size_t until = every > 0 ? every - static_cast<std::size_t>(first_step_ + at + 1) % every : 0;
  shared.rows.push_back({b.member, &kernel_rows_[b.body * most_steps + static_cast<std::size_t>(at)], largest,
                         !to_.channels.empty(), every, every > 0 ? until % every : 0});
}

void StepRecorder::finish(const KernelSet::Binding& b, std::int64_t at, std::int64_t steps) noexcept {
  const BodyInfo& info = model_.bodies[b.body];
  const KernelRow* row = &kernel_rows_[b.body * most_steps + static_cast<std::size_t>(at)];
  const auto count = static_cast<std::size_t>(steps);
  const std::size_t contact = contact_channel_ + channels_per_contact * b.contact;
  if (!to_.channels.empty()) {
    std::size_t channel = first_channel_[b.body];
    for (const Reading& r : info.readings)
      convert_probe(r.quantity, model_.dt_s, info.origin_m, 1, {column(channel++, at), count});
    for (std::int64_t n = 0; n < steps && b.contact != no_index; ++n) {
      *column(contact, at + n) = row[n].compression_m;
      *column(contact + 1, at + n) *= -1;
      *column(contact + 2, at + n) = row[n].contact_J;
    }
  }
  for (std::int64_t n = 0; n < steps; ++n) {
    if (!due(at + n)) continue;
    BodyEnergy& body = body_row(b.body, at + n) = accounts_.body_energy(b.body, row[n].stored);
    body.lost_J += row[n].lost_J;
    body.given_J += row[n].given_J;
    if (b.contact == no_index) continue;
    ContactEnergy& c = contact_row(b.contact, at + n) = accounts_.contact_energy(b.contact, row[n].contact_J);
    c.lost_J += row[n].lost_in_contact_J;
    c.landed_J += row[n].landed_J;
  }
}

/// Steps before the first one in which a group has failed.
std::int64_t StepRecorder::good_steps(std::int64_t steps) const noexcept {
  for (const GroupState& g : instance_.groups)
    if (g.failure) steps = std::min(steps, std::max<std::int64_t>(0, g.failure.first_step - first_step_));
  return steps;
}

/// A body or contact whose energy in this step is not finite.
void StepRecorder::find_failure(std::int64_t at) noexcept {
  const std::int64_t step = first_step_ + at;
  const auto fail = [&](std::size_t group, Failure::Part part, std::size_t index) {
    Failure& failure = instance_.groups[group].failure;
    if (!failure) failure = {Failure::Why::not_finite, part, index, step, step};
  };
  for (std::size_t c = 0; c < model_.contacts.size(); ++c)
    if (!std::isfinite(contact_row(c, at).stored_J)) return fail(model_.group_of_contact(c), Failure::Part::contact, c);
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    if (!std::isfinite(body_row(b, at).stored.total())) return fail(model_.group_of_body[b], Failure::Part::body, b);
}

void StepRecorder::end(std::int64_t steps) noexcept {
  if (!active_) return;
  for (std::int64_t at = 0; at < good_steps(steps); ++at) {
    if (due(at)) {
      accounts_.note(
          {&body_row(0, at), model_.bodies.size()},
          {contact_rows_.data() + static_cast<std::size_t>(at) * model_.contacts.size(), model_.contacts.size()});
      if (!std::isfinite(accounts_.ledger().stored_J())) find_failure(at);
    }
    if (to_.channels.empty()) continue;
    std::size_t channel = ledger_channel_;
    for (const double x : accounts_.ledger().values()) *column(channel++, at) = x;
  }
  active_ = false;
}

}  // namespace jawari
