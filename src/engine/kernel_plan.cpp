// SPDX-License-Identifier: MIT
// Which kernels an instance gets: a kernel for every string on an explicit grid, beside whatever meets it, and one for
// all like bodies that meet nothing but a line of their own.
#include <algorithm>

#include "jawari/body/string_grid.h"
#include "kernel_set.h"

namespace jawari {
namespace {

/// Whether a string alone among what meets it at so many taps is cheaper by its kernel than by the reference path.  A
/// step takes, in ns on a core of 2.5 GHz, 340 + 2.1 per node + 75 per tap by the kernel and 260 + 5.9 per node + 33
/// per tap by the reference path (60 and 138 nodes, 1 to 40 taps): a tap costs as much as eleven nodes gain.
bool kernel_pays(std::size_t nodes, std::size_t taps) noexcept {
  constexpr std::size_t nodes_per_tap = 11;
  return nodes_per_tap * taps <= nodes;
}

}  // namespace

KernelSet::KernelSet(const Model& model, Instance& instance, const Islands& islands, std::size_t threads)
    : model_(model), instance_(instance) {
  bindings_.resize(model.bodies.size());
  groups_.resize(model.groups.size());
  if (model.kernels != Kernels::off) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) bind_grid(b, islands);
    bind_isolated(threads);
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    groups_[g].pickups.reserve(model.groups[g].pickups.size());
    sort(g);
  }
  make_units();
}

/// Whether a friction needs the force of this contact in every step: then no kernel may hide it.
bool KernelSet::presses(std::size_t contact) const noexcept {
  return std::any_of(model_.contacts.begin(), model_.contacts.end(),
                     [&](const ContactInfo& f) { return f.normal == contact; });
}

/// The longest line of independent points becomes part of the kernel; all others meet the string at taps.
void KernelSet::bind_grid(std::size_t body, const Islands& islands) {
  auto* string = dynamic_cast<StringGrid*>(instance_.bodies[body].body.get());
  if (!string || !string->explicit_step()) return;
  Binding binding;
  binding.body = body;
  for (std::size_t i = 0; i < model_.islands.size(); ++i) {
    const std::size_t index = model_.islands[i].contacts[0];
    const ContactInfo& c = model_.contacts[index];
    const std::size_t points = instance_.contacts[index].offset_m.size();
    if (!islands.independent(i) || c.sides.size() != 1 || c.sides[0].body != body || c.joint != Joint::contact ||
        presses(index))
      continue;
    if (c.sides[0].stride != 1 || c.sides[0].tap + points > string->nodes()) continue;
    if (binding.contact != no_index && instance_.contacts[binding.contact].offset_m.size() >= points) continue;
    if (!make_grid_kernel({*string, &c, instance_.contacts[index].offset_m}, {}, model_.kernels)) continue;
    binding.contact = index;
  }
  std::vector<std::size_t> taps;
  for (std::size_t i = 0; i < model_.contacts.size(); ++i)
    for (const Side& s : model_.contacts[i].sides)
      if (i != binding.contact && s.body == body)
        for (std::size_t p = 0; p < instance_.contacts[i].offset_m.size(); ++p) taps.push_back(s.at(p));
  std::sort(taps.begin(), taps.end());  // as StringGrid::advance() adds them up
  taps.erase(std::unique(taps.begin(), taps.end()), taps.end());
  if (model_.kernels == Kernels::exact && binding.contact == no_index && !kernel_pays(string->nodes(), taps.size()))
    return;  // the same bits either way
  KernelMember member{*string};
  if (binding.contact != no_index) {
    member.contact = &model_.contacts[binding.contact];
    member.offset_m = instance_.contacts[binding.contact].offset_m;
  }
  auto kernel = make_grid_kernel(member, std::move(taps), model_.kernels);
  if (kernel) add(std::move(kernel), {binding});
}

/// The one contact that a body meets, if a kernel may step the two by themselves.
std::size_t KernelSet::isolated_contact(std::size_t body) const noexcept {
  std::size_t found = no_index;
  for (const auto& island : model_.islands) {
    const std::size_t index = island.contacts[0];
    const auto& list = island.contacts;
    if (std::none_of(list.begin(), list.end(), [&](std::size_t c) { return model_.meets(c, body); })) continue;
    const ContactInfo& c = model_.contacts[index];
    if (found != no_index || list.size() != 1 || c.sides.size() != 1 || c.joint != Joint::contact ||
        c.sides[0].stride != 1 || presses(index))
      return no_index;
    found = index;
  }
  return found;
}

/// Bodies that a kernel may step by themselves are stepped together with those that are like them, up to eight at a
/// time: two vectors of doubles on most machines, whose solves overlap.  Where several threads play, fewer, so that all
/// have some, but not below four.
void KernelSet::bind_isolated(std::size_t threads) {
  constexpr std::size_t least = 4;
  constexpr std::size_t most = 8;
  std::vector<std::vector<Binding>> sorted;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    if (bindings_[b].kernel != no_index) continue;
    const auto* string = dynamic_cast<const StringGrid*>(instance_.bodies[b].body.get());
    if (string ? string->explicit_step() : model_.taps_move(b)) continue;
    Binding binding;
    binding.body = b;
    binding.contact = isolated_contact(b);
    if (binding.contact == no_index) continue;
    const auto like = [&](const std::vector<Binding>& list) { return alike(list[0], binding); };
    const auto place = std::find_if(sorted.begin(), sorted.end(), like);
    if (place == sorted.end())
      sorted.push_back({binding});
    else
      place->push_back(binding);
  }
  for (const auto& list : sorted) {
    const std::size_t each = std::clamp((list.size() + threads - 1) / threads, least, most);
    for (std::size_t from = 0; from < list.size(); from += each) {
      const auto first = list.begin() + static_cast<std::ptrdiff_t>(from);
      const std::vector<Binding> some(first, first + static_cast<std::ptrdiff_t>(std::min(each, list.size() - from)));
      if (some.size() == 1 || !bind_together(some))
        for (const auto& one : some) bind_together({one});
    }
  }
}

/// Implicit strings with the same scheme, exponent and loss factor.
bool KernelSet::alike(const Binding& a, const Binding& b) const noexcept {
  const auto serves = [&](const Binding& one) {
    const auto* string = dynamic_cast<const StringGrid*>(instance_.bodies[one.body].body.get());
    return string && !string->receptance_varies() && model_.contacts[one.contact].fallback_scheme.empty() &&
           instance_.contacts[one.contact].offset_m.size() > 1;
  };
  const ContactInfo& x = model_.contacts[a.contact];
  const ContactInfo& y = model_.contacts[b.contact];
  const auto value = [](const ContactInfo& c, const char* name) {
    const auto found = c.law_spec.values.find(name);
    return found == c.law_spec.values.end() ? 0 : found->second;
  };
  return x.scheme == y.scheme && x.law == y.law && value(x, "exponent") == value(y, "exponent") &&
         value(x, "mu") == value(y, "mu") && serves(a) && serves(b);
}

bool KernelSet::bind_together(const std::vector<Binding>& list) {
  std::vector<KernelMember> members;
  for (const auto& b : list)
    members.push_back(
        {*instance_.bodies[b.body].body, &model_.contacts[b.contact], instance_.contacts[b.contact].offset_m});
  auto kernel = make_isolated_kernel(members, model_.kernels);
  if (!kernel) return false;
  add(std::move(kernel), list);
  return true;
}

/// Drives, pickups and readings of a body.
void KernelSet::wire(Binding& b) const {
  for (std::size_t i = 0; i < model_.drives.size(); ++i)
    if (model_.drives[i].body == b.body) b.drives.push_back({i, model_.drives[i].tap, std::vector<double>(most_steps)});
  for (std::size_t i = 0; i < model_.pickups.size(); ++i) {
    const Pickup& p = model_.pickups[i];
    if (p.contact ? p.index == b.contact : p.index == b.body) b.pickups.push_back(i);
  }
  for (const Reading& r : model_.bodies[b.body].readings)
    if (r.quantity == Quantity::velocity || r.quantity == Quantity::acceleration) b.readings.push_back(r.tap);
}

void KernelSet::add(std::unique_ptr<BodyKernel> kernel, const std::vector<Binding>& members) {
  Shared shared{std::move(kernel), {}};
  std::size_t drives = 0;
  std::size_t probes = 0;
  for (std::size_t m = 0; m < members.size(); ++m) {
    Binding b = members[m];
    b.kernel = kernels_.size();
    b.member = m;
    wire(b);
    drives += b.drives.size();
    probes += b.pickups.size() + b.readings.size() + model_.bodies[b.body].readings.size() + 1;
    shared.bodies.push_back(b.body);
    bindings_[b.body] = std::move(b);
  }
  shared.drives.reserve(drives);
  shared.probes.reserve(probes);
  shared.rows.reserve(members.size());
  shared.kernel->reserve(drives, probes);
  kernels_.push_back(std::move(shared));
}

/// Groups that share a kernel are one unit; all others are units of their own, in the order of the groups.
void KernelSet::make_units() {
  std::vector<std::size_t> unit_of(model_.groups.size(), no_index);
  for (std::size_t g = 0; g < model_.groups.size(); ++g) {
    if (unit_of[g] != no_index) continue;
    Unit unit;
    const auto take = [&](std::size_t group) {
      if (unit_of[group] != no_index) return;
      unit_of[group] = units_.size();
      unit.groups.push_back(group);
    };
    take(g);
    for (std::size_t i = 0; i < unit.groups.size(); ++i)
      for (const auto body : model_.groups[unit.groups[i]].bodies) {
        const std::size_t k = bindings_[body].kernel;
        if (k == no_index) continue;
        if (std::find(unit.kernels.begin(), unit.kernels.end(), k) == unit.kernels.end()) unit.kernels.push_back(k);
        for (const auto other : kernels_[k].bodies) take(model_.group_of_body[other]);
      }
    units_.push_back(std::move(unit));
  }
}

}  // namespace jawari
