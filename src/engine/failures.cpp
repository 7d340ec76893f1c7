// SPDX-License-Identifier: MIT
#include "failures.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "kernel_set.h"
#include "sample.h"
#include "scheme_facts.h"

namespace jawari {
namespace {

bool finite(std::span<const double> values) noexcept {
  bool good = true;
  for (const double x : values) good &= x - x == 0;
  return good;
}

/// Of a group with a number that is not finite: the contact or body that holds it, or only a pickup.
Failure find_part(const Model& model, const Instance& instance, std::size_t group, std::int64_t step) noexcept {
  for (const auto i : model.groups[group].contacts)
    if (!finite(instance.contacts[i].line->phi))
      return {Failure::Why::not_finite, Failure::Part::contact, i, step, step};
  for (const auto b : model.groups[group].bodies)
    if (!std::isfinite(instance.bodies[b].body->stored().total()))
      return {Failure::Why::not_finite, Failure::Part::body, b, step, step};
  return {Failure::Why::not_finite, Failure::Part::sound, 0, step, step};
}

}  // namespace

Failure contact_failure(const Model& model, const Instance& instance, std::size_t contact, std::int64_t first,
                        std::int64_t last) noexcept {
  const ContactInfo& info = model.contacts[contact];
  const ContactState& c = instance.contacts[contact];
  bool good = finite(c.line->phi) && finite(c.line->s) && std::isfinite(c.line->stored());
  for (const Port& p : c.line->port) good &= std::isfinite(p.y) && std::isfinite(p.s_free);
  const auto& scheme = c.fallback_used ? info.fallback_scheme : info.scheme;
  const auto why = !good                        ? Failure::Why::not_finite
                   : has_quadratic_root(scheme) ? Failure::Why::complex_root
                                                : Failure::Why::not_settled;
  return {why, Failure::Part::contact, contact, first, last};
}

void find_failures(const Model& model, Instance& instance, KernelSet& kernels, std::size_t index, std::int64_t from,
                   std::int64_t to, std::int64_t began, double* const* tracks) noexcept {
  const GroupInfo& info = model.groups[index];
  GroupState& group = instance.groups[index];
  if (!group.failure) {
    std::int64_t wrong = to;
    for (const auto p : info.pickups) {
      for (auto n = from; n < to; ++n) tracks[p][n] = normal_or_zero(tracks[p][n]);
      if (finite({tracks[p] + from, static_cast<std::size_t>(to - from)})) continue;
      const double* x = tracks[p] + from;
      while (std::isfinite(*x)) ++x;
      wrong = std::min<std::int64_t>(wrong, x - tracks[p]);
    }
    for (const auto b : info.bodies)
      if (kernels.unsettled(b))
        group.failure = contact_failure(model, instance, kernels.binding(b)->contact, began, began + to - from - 1);
    if (!group.failure && wrong < to) {
      kernels.sync(index);
      group.failure = find_part(model, instance, index, began + wrong - from);
    }
  }
  if (!group.failure) return;
  const auto silent = std::max<std::int64_t>(from, from + group.failure.first_step - began);
  for (const auto p : info.pickups)
    if (silent < to) std::fill(tracks[p] + silent, tracks[p] + to, 0.0);
}

}  // namespace jawari
