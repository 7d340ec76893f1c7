// SPDX-License-Identifier: MIT
// Forces and stiffnesses that are out of all proportion to the body they act on.  Such scenes are legal field by field,
// but their numbers leave no digits for the contacts.
#pragma once
#include "jawari/engine/parts.h"

namespace jawari {

/// Throws InputError: an excitation that pushes its point at more than 1e5 m/s within one time step.  Wood and metal
/// carry waves of at most 2e4 m/s.  Events may raise its amplitude up to that.
void limit_excitations(const Scene& scene, Parts& parts);

/// Throws InputError: a contact whose slope, met at 1 m/s, is more than 1e12 times what the time step resolves (K
/// k^2/m); not springs, which have one solution in closed form.  Events may raise its stiffness up to that.  Called
/// when the contacts have their ports.
void limit_stiffness(Model& model, const Instance& instance, const Limits& limits);

/// Events may move a contact into a body at rest as far as would throw it at 1e6 m/s, and 1 km the other way.
void limit_heights(Model& model, const Instance& instance, const Limits& limits);

/// Throws InputError: a contact that is compressed at the start, so that the energy it stores gives its bodies more
/// than 1e6 m/s. Called when the contacts have their ports and states.
void check_compressed(const Model& model, const Instance& instance, const Limits& limits);

}  // namespace jawari
