// SPDX-License-Identifier: MIT
// How a world notices that a motion has ended.  Step by step a contact says that it did not settle or that its force is
// not finite; of a block played by kernels the samples and the records are looked through before anyone gets them, and
// the energies of all bodies at every audit.  A group that has failed is silent from its first wrong step on.
#include <algorithm>
#include <cmath>

#include "jawari/engine/world.h"
#include "sample.h"
#include "scheme_facts.h"
#include "world_stand.h"

namespace jawari {
namespace {

bool finite(std::span<const double> values) noexcept {
  bool good = true;
  for (const double x : values) good &= x - x == 0;
  return good;
}

}  // namespace

/// Why a contact ended, read off what it holds.
Failure World::contact_failure(std::size_t contact, std::int64_t first, std::int64_t last) const noexcept {
  const Contact& c = parts_.contacts[contact];
  bool good = finite(c.line->phi) && finite(c.line->s) && std::isfinite(c.line->stored());
  for (const Port& p : c.line->port) good &= std::isfinite(p.y) && std::isfinite(p.s_free);
  const auto why = !good                          ? Failure::Why::not_finite
                   : has_quadratic_root(c.scheme) ? Failure::Why::complex_root
                                                  : Failure::Why::not_settled;
  return {why, Failure::Part::contact, contact, first, last};
}

/// Of a group with a number that is not finite: the contact or body that holds it, or only what is heard.
Failure World::find_culprit(const Group& group, std::int64_t first, std::int64_t last) const noexcept {
  show(group);
  for (const auto i : group.contacts)
    if (!finite(parts_.contacts[i].line->phi))
      return {Failure::Why::not_finite, Failure::Part::contact, i, first, last};
  for (const auto b : group.bodies)
    if (!std::isfinite(parts_.bodies[b].body->stored().total()))
      return {Failure::Why::not_finite, Failure::Part::body, b, first, last};
  return {Failure::Why::not_finite, Failure::Part::sound, 0, first, last};
}

/// After the steps from..to of a block: `began` is the number of the first of them.
void World::look_back(Group& group, std::int64_t from, std::int64_t to, std::int64_t began,
                      double* const* tracks) noexcept {
  if (!group.failure) {
    std::int64_t wrong = to;
    for (const auto p : group.pickups) {
      for (auto n = from; n < to; ++n) tracks[p][n] = normal_or_zero(tracks[p][n]);
      if (finite({tracks[p] + from, static_cast<std::size_t>(to - from)})) continue;
      const double* x = tracks[p] + from;
      while (std::isfinite(*x)) ++x;
      wrong = std::min<std::int64_t>(wrong, x - tracks[p]);
    }
    for (const auto b : group.bodies)
      if (const Stand* s = stands_[b].get(); s && s->ahead && s->contact != none && s->unsettled() > 0)
        group.failure = contact_failure(s->contact, began, began + to - from - 1);
    if (!group.failure && wrong < to) group.failure = find_culprit(group, began + wrong - from, began + wrong - from);
  }
  if (!group.failure) return;
  const auto silent = std::max<std::int64_t>(from, from + group.failure.first_step - began);
  for (const auto p : group.pickups)
    if (silent < to) std::fill(tracks[p] + silent, tracks[p] + to, 0.0);
}

/// At an audit: what kernels have counted, and energies beyond all numbers.
void World::look_at_energies(Group& group) noexcept {
  const std::int64_t last = std::max<std::int64_t>(group.step - 1, 0), first = std::min(last, group.weighed_step);
  group.weighed_step = group.step;
  for (const auto i : group.contacts)
    if (!group.failure && (parts_.contacts[i].line->record.unsettled > 0 || !std::isfinite(contact_stored_[i])))
      group.failure = contact_failure(i, first, last);
  for (const auto b : group.bodies)
    if (!group.failure && !std::isfinite(body_stored_[b].total()))
      group.failure = {Failure::Why::not_finite, Failure::Part::body, b, first, last};
}

/// The earliest failure of a group is that of the world.
void World::gather() noexcept {
  const Failure* earliest = nullptr;
  for (const Group& g : groups_)
    if (g.failure && (!earliest || g.failure.first_step < earliest->first_step)) earliest = &g.failure;
  if (earliest) fail(*earliest);
}

}  // namespace jawari
