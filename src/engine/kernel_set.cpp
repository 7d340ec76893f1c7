// SPDX-License-Identifier: MIT
#include "kernel_set.h"

#include <algorithm>
#include <utility>

namespace jawari {

const KernelSet::Binding* KernelSet::binding(std::size_t body) const noexcept {
  return bindings_[body].serves() ? &bindings_[body] : nullptr;
}
KernelSet::Binding* KernelSet::binding(std::size_t body) noexcept {
  return bindings_[body].serves() ? &bindings_[body] : nullptr;
}

bool KernelSet::owns(std::size_t contact) const noexcept {
  const Binding* b = binding(model_.contacts[contact].sides[0].body);
  return b && b->contact == contact;
}

bool KernelSet::unsettled(std::size_t body) const noexcept {
  const Binding* b = binding(body);
  return b && b->ahead && b->contact != no_index && kernels_[b->kernel].kernel->unsettled(b->member) > 0;
}

std::size_t KernelSet::Shared::run(std::size_t steps) noexcept {
  const std::size_t good = kernel->run(steps, drives, probes, rows);
  drives.clear();
  probes.clear();
  rows.clear();
  return good;
}

void KernelSet::load(Binding& b) noexcept {
  b.loaded = true;
  ContactState* c = b.contact == no_index ? nullptr : &instance_.contacts[b.contact];
  kernels_[b.kernel].kernel->load(b.member, c ? c->line.get() : nullptr,
                                  c ? std::span<const double>(c->offset_m) : std::span<const double>());
}

void KernelSet::sync(Binding& b) noexcept {
  if (!b.ahead) return;
  b.ahead = false;
  Body& body = *instance_.bodies[b.body].body;
  ContactLine* line = b.contact == no_index ? nullptr : instance_.contacts[b.contact].line.get();
  BodyKernel& kernel = *kernels_[b.kernel].kernel;
  kernel.store(b.member, line);
  const KernelTotals t = kernel.take_totals(b.member);
  body.lost.add(t.lost_J);
  body.given.add(t.given_J);
  if (!line) return;
  const Side& side = model_.contacts[b.contact].sides[0];
  const auto& offset = instance_.contacts[b.contact].offset_m;
  for (std::size_t p = 0; p < offset.size(); ++p) {  // where the points were at t_n
    const std::size_t tap = side.at(p);
    line->port[p].y = offset[p] + side.sign * (body.w[tap] - body.d[tap]);
  }
  line->lost.add(t.lost_in_contact_J);
  line->landed.add(t.landed_J);
  line->record.add(t.record);
  instance_.accounts[b.body].received.add(-t.taken_J);
  instance_.accounts[model_.bodies.size() + b.contact].received.add(t.taken_J);
}

void KernelSet::sync(std::size_t group) noexcept {
  if (groups_[group].kernels == 0) return;
  for (const auto body : model_.groups[group].bodies)
    if (Binding* b = binding(body)) sync(*b);
}

void KernelSet::release(std::size_t group) noexcept {
  if (groups_[group].kernels == 0) return;
  for (const auto body : model_.groups[group].bodies)
    if (Binding* b = binding(body); b && b->loaded) {
      sync(*b);
      b->loaded = false;
    }
}

void KernelSet::reset_totals() noexcept {
  for (auto& b : bindings_)
    if (b.kernel != no_index) kernels_[b.kernel].kernel->reset_totals(b.member);
}

void KernelSet::retuned(std::size_t body) noexcept {
  Binding& b = bindings_[body];
  if (b.kernel == no_index) return;
  set_fit(b, b.fits_body, kernels_[b.kernel].kernel->retune(b.member));
}

void KernelSet::scale_stiffness(std::size_t contact, double factor) noexcept {
  Binding& b = bindings_[model_.contacts[contact].sides[0].body];
  if (b.kernel == no_index || b.contact != contact) return;
  kernels_[b.kernel].kernel->scale_stiffness(b.member, factor);
}

void KernelSet::switch_scheme(std::size_t contact) noexcept {
  const std::size_t body = model_.contacts[contact].sides[0].body;
  Binding& b = bindings_[body];
  if (b.kernel == no_index || b.contact != contact) return;
  set_fit(b, b.fits_scheme, kernels_[b.kernel].kernel->switch_scheme());
}

/// While the state is the body's.
void KernelSet::set_fit(Binding& b, bool& which, bool fits) noexcept {
  if (std::exchange(which, fits) == fits) return;
  if (!fits) kernels_[b.kernel].kernel->set_active(b.member, false);
  sort(model_.group_of_body[b.body]);
}

std::size_t KernelSet::count(std::size_t group) const noexcept {
  std::size_t n = 0;
  for (const auto body : model_.groups[group].bodies) n += binding(body) ? 1 : 0;
  return n;
}

/// After kernels were made, or one was changed.
void KernelSet::sort(std::size_t index) noexcept {
  const GroupInfo& info = model_.groups[index];
  Group& group = groups_[index];
  group.kernels = count(index);
  group.only = group.kernels == info.bodies.size();
  for (const auto i : info.islands) group.only = group.only && owns(model_.islands[i].contacts[0]);
  group.pickups.clear();
  for (const auto i : info.pickups) {
    const Pickup& p = model_.pickups[i];
    const Binding* b = binding(p.contact ? model_.contacts[p.index].sides[0].body : p.index);
    if (!b || (p.contact && b->contact != p.index)) group.pickups.push_back(i);
  }
}

}  // namespace jawari
